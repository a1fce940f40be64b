// Doubts, with one-tap answers and their spots on the picture.

import { el, path, svg } from "../shell/dom.js";

/**
 * A doubt in words with its answers.
 * @param {Record<string, any>} point  `text`, `spot` and `answers`, from the server
 * @param {Record<string, any>} handlers   settle(correction), who(place), spot(outlines)
 */
export function settlingRow(point, handlers) {
  const buttons = point.answers.map(({ text, correction, who }) => {
    const button = el("button", { type: "button", class: "button quiet" }, text);
    button.addEventListener("click", () => (who ? handlers.who(who) : handlers.settle(correction)));
    return button;
  });
  const row = el("div", { class: "doubt settling" }, el("p", {}, point.text), buttons.length > 0 && el("div", { class: "answers", "data-acts": true }, ...buttons));
  for (const begin of ["pointerenter", "focusin"]) row.addEventListener(begin, () => handlers.spot(point.spot));
  return row;
}

/** Mark spots of the picture: spaces by their outline, edges by a broad line. */
export function drawSpots(overlay, spots) {
  const marks = spots.map((spot) => svg("path", { class: spot.length > 2 ? "spot" : "spot edge", d: path(spot, spot.length > 2) }));
  overlay.querySelector(".layer.spots")?.replaceChildren(...marks);
}
