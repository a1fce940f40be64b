// Tokens on the table and goals: signs with their names, never with letters like a figure's.

import { middle, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** The sign of each kind, drawn in a square of 24 round the middle. */
const SIGNS = {
  portal: "M0 -8a8 8 0 1 0 0 16a8 8 0 1 0 0 -16ZM0 -3a3 3 0 1 0 0 6a3 3 0 1 0 0 -6Z",
  teleporter: "M-7 8H7M0 5V-7M-5 -2L0 -7L5 -2",
  key: "M-7 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0ZM0 0H8M5 0V4",
  objective: "M0 -8L2.4 -2.6L8 -2.2L3.6 1.6L5 7.4L0 4.2L-5 7.4L-3.6 1.6L-8 -2.2L-2.4 -2.6Z",
  health: "M-2.5 -7H2.5V-2.5H7V2.5H2.5V7H-2.5V2.5H-7V-2.5H-2.5Z",
  weapon: "M0 -8V-3M0 3V8M-8 0H-3M3 0H8M0 -5a5 5 0 1 0 0 10a5 5 0 1 0 0 -10Z",
  ammo: "M-3 8V-3L0 -8L3 -3V8Z",
  armor: "M0 -8L7 -5V0Q7 6 0 8Q-7 6 -7 0V-5Z",
  goal: "M-5 9V-8H7L3 -4L7 0H-5",
};
const SAME = { medikit: "health" };

const LETTER_PX = 6.6;
const NAME_PX = 16;
const SIGN_PX = 12;

/** The sign of a token's kind. */
export function signOf(kind) {
  return SIGNS[kind] ?? SIGNS[SAME[kind]] ?? SIGNS.objective;
}

/**
 * Draw the signs over a picture. `outline` finds the corners of a space there.
 *
 * @param {Record<string, any>[]} lying
 * @param {(cell: number[]) => number[][] | undefined} outline
 */
export function drawLying(lying, outline) {
  return lying.flatMap(({ kind, name, cells }) => {
    const corners = cells.map(outline);
    if (!corners.length || !corners.every(Boolean)) return [];
    const [x, y] = middle(corners.flat());
    const sign = svg("g", { class: `label lying ${kind}`, role: "img", "aria-label": name, "data-x": x, "data-y": y }, svg("circle", { class: "plate", r: SIGN_PX }), svg("path", { class: "sign", d: signOf(kind) }));
    const width = LETTER_PX * name.length + 10;
    sign.append(svg("g", { class: "lying-name", "data-width": width, "aria-hidden": "true" }, svg("rect", { class: "plate", x: -width / 2, y: -NAME_PX / 2, width, height: NAME_PX, rx: 3 }), svg("text", { y: 4.5 }, name)));
    return [sign];
  });
}

/**
 * Place each name where it covers no figure's label and no other name. A name without room is only in the legend.
 *
 * @param {Element} overlay
 * @param {number} unit  picture pixels per label pixel
 */
export function settleNames(overlay, unit) {
  const signs = [.../** @type {NodeListOf<SVGElement>} */ (overlay.querySelectorAll(".label.lying"))];
  if (!signs.length) return;
  const at = (/** @type {SVGElement} */ node) => [Number(node.dataset.x) / unit, Number(node.dataset.y) / unit];
  const plates = [.../** @type {NodeListOf<SVGElement>} */ (overlay.querySelectorAll(".labels [data-label], .labels .label[data-x]"))].map((node) => {
    const [x, y] = at(node);
    const [width, height] = ["width", "height"].map((name) => Number(node.querySelector("rect")?.getAttribute(name) ?? 40));
    return [x - width / 2, y - 4, width, node.querySelector(".condition") ? 42 : height];
  });
  const taken = [...plates, ...signs.map((node) => [at(node)[0] - SIGN_PX, at(node)[1] - SIGN_PX, 2 * SIGN_PX, 2 * SIGN_PX])];
  for (const sign of signs) {
    const name = /** @type {SVGElement} */ (sign.querySelector(".lying-name"));
    const [x, y] = at(sign);
    const width = Number(name.dataset.width);
    const aside = SIGN_PX + 2 + width / 2;
    const free = [[0, SIGN_PX + 10], [0, -SIGN_PX - 10], [aside, 0], [-aside, 0], [0, SIGN_PX + 28], [0, -SIGN_PX - 28]].find(([dx, dy]) => {
      const box = [x + dx - width / 2, y + dy - NAME_PX / 2, width, NAME_PX];
      return taken.every((other) => !overlaps(box, other));
    });
    name.classList.toggle("no-room", !free);
    if (!free) continue;
    name.setAttribute("transform", `translate(${free.join(" ")})`);
    taken.push([x + free[0] - width / 2, y + free[1] - NAME_PX / 2, width, NAME_PX]);
  }
}

/**
 * Whether two boxes (left, top, width and height) overlap.
 *
 * @param {number[]} one
 * @param {number[]} other
 */
export function overlaps([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}

/** The legend: each sign with its name and its space. */
export function legendRows(lying, nameOf) {
  return lying.map(({ kind, name, cells }) => {
    const spaces = [...new Set([cells[0], cells.at(-1)].map(nameOf))].filter(Boolean).join("–");
    return { key: `${kind} ${name} ${spaces}`, kind, text: spaces ? t("lies_on", { name, space: spaces }) : name };
  });
}
