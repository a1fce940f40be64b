// This runs before the first paint, so that the page never flashes in the wrong brightness. If the page's own script
// fails to load, it also unlocks the parts that do not need it (links, the menu).
(() => {
  const chosen = localStorage.getItem("sightline-theme");
  const system = matchMedia("(prefers-contrast: more)").matches ? "contrast" : "dark";
  document.documentElement.dataset.theme = chosen ?? system;
  document.documentElement.dataset.type = localStorage.getItem("sightline-type") ?? "";
  addEventListener("load", () => setTimeout(() => (document.body.inert = false), 3000));
})();
