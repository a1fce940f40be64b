// Report a browser too old for the page's scripts. This file itself runs on browsers ten years old.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof structuredClone === "function") return;
  const notice = document.createElement("p");
  notice.className = "trouble too-old";
  notice.setAttribute("role", "alert");
  notice.textContent = document.querySelector('meta[name="too-old"]').content;
  document.body.insertBefore(notice, document.body.firstChild);
  document.body.removeAttribute("inert");
});
