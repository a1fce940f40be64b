// Where letters stand beside a shape on the drawing, so that they cover neither a figure nor each other.

import { overlaps } from "../scene/tokens.js";

/** How far from a shape its letters stand, in pixels of the screen. */
export const GAP_CSS = 2;

/** How much more a figure weighs than a token or a name, where something has to be covered. */
const WEIGHT = 8;

/** Most places along one side of the frame that are tried where all near ones are taken. */
const MOST_STEPS = 24;

/** Left, top, width and height of a rectangle, as it was drawn. */
export function boxOf(rect) {
  return ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
}

/** Where letters of the drawing stand, in its own units. */
export function boxOfText(text) {
  const { x, y, width, height } = text.getBBox();
  return [x, y, width, height];
}

/** Where the signs of tokens lie on the drawn board; those on a photo have no place in it. */
export function boxesOfSigns(picture) {
  return [...picture.querySelectorAll(".lying[data-box]")].map((sign) => sign.dataset.box.split(" ").map(Number));
}

/**
 * The place (left, top) of a box beside a shape: the first that covers nothing, else the one that covers least.
 *
 * @param {number[]} size  width and height of the box
 * @param {number[]} around  left, top, width and height of the shape
 * @param {number[][]} taken  what must not be covered, as `around`
 * @param {number[]} frame  what the box stays within, as `around`
 * @param {number} gap  between the shape and the box
 * @param {number[][]} people  those of `taken` that weigh most: rather than over one of them the box stands far off
 * @returns {number[]}
 */
export function placeBeside([wide, high], [left, top, width, height], taken, frame, gap, people = taken) {
  const [middle, centre] = [left + (width - wide) / 2, top + (height - high) / 2];
  const [below, above, right, before] = [top + height + gap, top - high - gap, left + width + gap, left - wide - gap];
  const places = [
    [middle, below],
    [middle, above],
    [right, centre],
    [before, centre],
    ...[below, above, below + high, above - high].flatMap((y) => [middle, left, left + width - wide, right, before].map((x) => [x, y])),
    [right + high, centre],
    [before - high, centre],
  ].map(([x, y]) => kept([x, y], [wide, high], frame));
  const most = [...people, [left, top, width, height]];
  const all = [...taken, ...Array.from({ length: WEIGHT }, () => most).flat()];
  const near = leastCovering(places, [wide, high], all);
  if (covers(near, [wide, high], most) === 0) return near;
  const [x, y] = [left + width / 2 - wide / 2, top + height / 2 - high / 2];
  const away = (/** @type {number[]} */ [placeX, placeY]) => Math.hypot(placeX - x, placeY - y);
  return leastCovering([near, ...everywhere([wide, high], frame).sort((one, other) => away(one) - away(other))], [wide, high], all);
}

/**
 * Places all over the frame, half a box apart.
 *
 * @param {number[]} size
 * @param {number[]} frame
 */
function everywhere([wide, high], [left, top, width, height]) {
  const [across, down] = [Math.ceil((2 * (width - wide)) / wide), Math.ceil((2 * (height - high)) / high)].map((steps) => Math.min(MOST_STEPS, Math.max(1, steps)));
  return Array.from({ length: (across + 1) * (down + 1) }, (_, i) => [left + (Math.max(0, width - wide) * (i % (across + 1))) / across, top + (Math.max(0, height - high) * Math.floor(i / (across + 1))) / down]);
}

/**
 * How much of other boxes a box covers.
 *
 * @param {number[]} place
 * @param {number[]} size
 * @param {number[][]} taken
 */
function covers([x, y], [wide, high], taken) {
  return taken.reduce((sum, other) => sum + shared([x, y, wide, high], other), 0);
}

/**
 * The first of some places (left, top) at which a box covers least of what is there.
 *
 * @param {number[][]} places
 * @param {number[]} size  width and height of the box
 * @param {number[][]} taken  what should not be covered: left, top, width and height of each
 * @returns {number[]}
 */
export function leastCovering(places, [wide, high], taken) {
  const covered = places.map((place) => covers(place, [wide, high], taken));
  return places[covered.indexOf(Math.min(...covered))];
}

/**
 * The place (left, top) of a name below or above a point where it covers nothing at all; null where there is none.
 *
 * @param {number[]} size  width and height of the name
 * @param {number[]} at  the point that it belongs to
 * @param {number} away  how far from the point its middle stands
 * @param {number[][]} taken  what must not be covered: left, top, width and height of each
 * @param {number[]} frame  what the name stays within, as `taken`
 * @returns {number[] | null}
 */
export function placeWithin([wide, high], [x, y], away, taken, frame) {
  const [left, top, width, height] = frame;
  if (x < left || x > left + width || y < top || y > top + height) return null;
  const rows = high <= 0.7 * away ? [away, -away, away + high, -away - high] : [away, -away]; // farther off it would be taken for a neighbour's
  const places = rows.flatMap((dy) => [0, wide / 4, -wide / 4].map((dx) => kept([x + dx - wide / 2, y + dy - high / 2], [wide, high], frame)));
  return places.find(([placeX, placeY]) => taken.every((other) => !overlaps([placeX, placeY, wide, high], other))) ?? null;
}

/**
 * A place moved into the frame.
 *
 * @param {number[]} place
 * @param {number[]} size
 * @param {number[]} frame
 */
function kept([x, y], [wide, high], [left, top, width, height]) {
  return [Math.max(left, Math.min(x, left + width - wide)), Math.max(top, Math.min(y, top + height - high))];
}

/**
 * The area that two boxes have in common.
 *
 * @param {number[]} one
 * @param {number[]} other
 */
function shared([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)) * Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));
}
