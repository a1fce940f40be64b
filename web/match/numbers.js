// Legible numbers on a picture, moved beside their place if another number is there already.

import { keepSize } from "../scene/draw.js";
import { svg } from "../shell/dom.js";

const RADIUS_CSS = 13;
/** Height of the circle above its place. */
const ABOVE_CSS = 15;
const APART_CSS = 2 * RADIUS_CSS + 2;
/** Spacing of the rings of alternative places. */
const RING_SHARE = 0.25;
const RINGS = 60;

/** The circle with a number, or null for a fault without a place on the picture. */
export function numberShape({ kind, marks: { at } }, number) {
  if (!at) return null;
  const words = svg("text", { y: -10 }, String(number));
  const circle = svg("circle", { r: RADIUS_CSS, cy: -ABOVE_CSS });
  return svg("g", { class: `label fault-number ${kind}`, "data-x": at[0], "data-y": at[1], "data-of": at.join(" ") }, circle, words);
}

/** Keep the numbers at their screen size and apart. A displaced one is tied to its place. */
export function fitNumbers(picture) {
  const { x, y, width, height } = picture.viewBox.baseVal ?? {};
  if (!width || !picture.clientWidth) return;
  const pixelsPerCss = Math.max(width / picture.clientWidth, height / picture.clientHeight);
  const numbers = [...picture.querySelectorAll(".fault-number")];
  const own = numbers.map((number) => number.dataset.of.split(" ").map(Number));
  const rim = RADIUS_CSS * pixelsPerCss;
  const box = [x + rim, y + rim + ABOVE_CSS * pixelsPerCss, x + width - rim, y + height - rim + ABOVE_CSS * pixelsPerCss];
  const places = spread(own, APART_CSS * pixelsPerCss, box);
  for (const old of picture.querySelectorAll(".fault-leader")) old.remove();
  numbers.forEach((number, i) => {
    const [[left, top], [fromX, fromY]] = [places[i], own[i]];
    Object.assign(number.dataset, { x: left, y: top });
    if (left === fromX && top === fromY) return;
    const leader = { class: `fault-leader ${number.classList.item(2)}`, d: `M${fromX} ${fromY}L${left} ${top - ABOVE_CSS * pixelsPerCss}` };
    numbers[0].before(svg("path", leader));
  });
  keepSize(picture, pixelsPerCss);
}

/** The own place of each, or the nearest one in the box at this distance from all earlier ones. */
export function spread(own, apart, box) {
  const taken = [];
  for (const place of own) taken.push(nearestFree(place, apart, box, taken));
  return taken;
}

function nearestFree([x, y], apart, [left, top, right, bottom], taken) {
  const within = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
  const isFree = (/** @type {number[]} */ [px, py]) => px >= left && px <= right && py >= top && py <= bottom && taken.every(([ox, oy]) => Math.hypot(px - ox, py - oy) >= apart);
  for (let ring = 0; ring <= RINGS; ring += 1) {
    const steps = Math.max(1, 6 * ring);
    for (let step = 0; step < steps; step += 1) {
      const turn = (2 * Math.PI * step) / steps - Math.PI / 2;
      const away = ring * RING_SHARE * apart;
      const place = ring ? [within[0] + away * Math.cos(turn), within[1] + away * Math.sin(turn)] : within;
      if (isFree(place)) return place;
    }
  }
  return within;
}
