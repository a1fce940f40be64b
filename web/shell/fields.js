// What a form lacks, in the page's own words: the browser's bubble speaks its own language and lies over the next field.

const ROOMS = "label, fieldset, .field";

addEventListener(
  "invalid",
  (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.form?.querySelector(":invalid:not(fieldset)") === field) field.focus();
    const room = field.closest(ROOMS) ?? field;
    if (room.querySelector(".unfit")) return;
    const words = document.createElement("small");
    words.className = "unfit";
    words.setAttribute("role", "alert");
    words.textContent = document.querySelector(`meta[name="${field.validity.valueMissing ? "field-empty" : "field-unfit"}"]`)?.getAttribute("content") ?? "";
    room.append(words);
    for (const kind of ["input", "change"]) field.addEventListener(kind, () => words.remove(), { once: true });
  },
  true,
);
