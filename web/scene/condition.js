// The conditions under a figure's name on the picture: health, armour, ammunition, statuses.

import { svg } from "../shell/dom.js";

const LETTER_PX = 8;
const LINE_PX = 17;
const UNDER_PLATE_PX = 19;
const MOST_LETTERS = 14;
const LARGER = 1.3; // relative to names: where spaces are small, all labels shrink, and these stay legible

const SHIELD = "M0 -6L5 -4V0Q5 5 0 7Q-5 5 -5 0V-4Z";
const BULLET = "M-3 6V-2Q-3 -6 0 -7Q3 -6 3 -2V6Z";

/**
 * Draw the figures' conditions into their labels, which keep their size on the screen.
 *
 * @param {Map<string, Element[]>} groups  each figure's shape and label by its id
 * @param {Map<string, Record<string, any>>} states       left, full, armor, ammo, words and the spoken whole, by the
 *   same ids
 */
export function drawConditions(groups, states) {
  for (const [id, [shape, label]] of groups) {
    label.querySelector(".condition")?.remove();
    const one = states.get(id);
    if (one) shape.setAttribute("aria-description", one.spoken);
    else shape.removeAttribute("aria-description");
    if (one) label.append(condition(one));
  }
}

/** @param {Record<string, any>} shown */
function condition({ left, full, armor, ammo, words }) {
  const parts = [...counted(`${left}/${full}`, null), ...(armor ? counted(String(armor), SHIELD) : []), ...(ammo === null ? [] : counted(String(ammo), BULLET))];
  const group = svg("g", { class: left < full ? "condition hurt" : "condition", transform: `translate(0 ${UNDER_PLATE_PX}) scale(${LARGER})`, "aria-hidden": "true" });
  group.append(line(parts));
  for (const [row, word] of words.slice(0, 2).entries()) group.append(status(word, row + 1));
  return group;
}

/** A number with its sign before it, each with its width. */
function counted(text, sign) {
  const word = { width: LETTER_PX * text.length + 4, draw: (x) => svg("text", { x, y: 12 }, text) };
  return sign ? [{ width: 14, draw: (x) => svg("path", { class: "sign", transform: `translate(${x} 8)`, d: sign }) }, word] : [word];
}

function line(parts) {
  const width = parts.reduce((sum, part) => sum + part.width, 8);
  const group = svg("g", {}, svg("rect", { class: "pill", x: -width / 2, width, height: LINE_PX - 1, rx: 8 }));
  let x = 4 - width / 2;
  for (const part of parts) {
    group.append(part.draw(x + part.width / 2));
    x += part.width;
  }
  return group;
}

function status(word, row) {
  const brief = word.length > MOST_LETTERS ? `${word.slice(0, MOST_LETTERS - 1)}…` : word;
  const width = LETTER_PX * 0.86 * brief.length + 10;
  return svg("g", { class: "status-word", transform: `translate(0 ${row * LINE_PX})` }, svg("rect", { class: "pill", x: -width / 2, width, height: LINE_PX - 1, rx: 4 }), svg("text", { y: 12 }, brief));
}
