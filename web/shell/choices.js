// Lists of figures to choose from, by sides, refilled only after a change.

import { el } from "./dom.js";
import { steadily } from "./steady.js";

/**
 * Fill a list and set its choice.
 *
 * @param {HTMLSelectElement} list
 * @param {string} nobody    text while nobody is chosen
 * @param {Record<string, any>[]} sides   `{label, options: [[value, text], …]}` in order
 * @param {string|null} value  the chosen figure
 */
export function fillChoice(list, nobody, sides, value) {
  steadily(list, () => {
    const key = JSON.stringify([nobody, sides]);
    if (list.dataset.filled !== key) {
      const groups = sides.map(({ label, options }) => el("optgroup", { label }, ...options.map(([id, text]) => el("option", { value: id }, text))));
      list.replaceChildren(el("option", { value: "" }, nobody), ...groups);
      list.dataset.filled = key;
    }
    choose(list, value);
  });
}

/** Set a list's choice. An unchanged one is not touched. */
export function choose(list, value) {
  const wanted = value ?? "";
  if (list.value !== wanted) list.value = wanted;
}

/** The figures by their sides, in the order in which the sides come. */
export function bySides(figures, label, text) {
  const sides = new Map();
  for (const figure of figures) {
    const side = sides.get(figure.side) ?? { label: label(figure), options: [] };
    side.options.push([figure.id, text(figure)]);
    sides.set(figure.side, side);
  }
  return [...sides.values()];
}
