// Placement of letters beside a shape, so that they cover neither a figure nor each other.

/** Gap between a shape and its letters, in screen pixels. */
export const GAP_CSS = 2;

/** Weight of a covered figure relative to a token or a name. */
const WEIGHT = 8;

/** Most places along one side of the frame to try if all near ones are taken. */
const MOST_STEPS = 24;

/** Left, top, width and height of a drawn rectangle. */
export function boxOf(rect) {
  return ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
}

/** The box of letters in the drawing's own units. */
export function boxOfText(text) {
  const { x, y, width, height } = text.getBBox();
  return [x, y, width, height];
}

/** The boxes of token signs on the drawn board. Signs on a photo have none there. */
export function boxesOfSigns(picture) {
  return [...picture.querySelectorAll(".lying[data-box]")].map((sign) => sign.dataset.box.split(" ").map(Number));
}

/**
 * The place (left, top) of a box beside a shape: the first that covers nothing, else the one that covers least.
 *
 * @param {number[]} size  width and height of the box
 * @param {number[]} around  left, top, width and height of the shape
 * @param {number[][]} taken  boxes not to cover, as `around`
 * @param {number[]} frame  the box's limits, as `around`
 * @param {number} gap  distance between the shape and the box
 * @param {number[][]} people  the heaviest of `taken`; a distant box is better than one over these
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
 * The area of other boxes that a box covers.
 *
 * @param {number[]} place
 * @param {number[]} size
 * @param {number[][]} taken
 */
export function covers([x, y], [wide, high], taken) {
  return taken.reduce((sum, other) => sum + shared([x, y, wide, high], other), 0);
}

/**
 * The first of some places (left, top) where a box covers least.
 *
 * @param {number[][]} places
 * @param {number[]} size  width and height of the box
 * @param {number[][]} taken  boxes not to cover: left, top, width and height of each
 * @returns {number[]}
 */
export function leastCovering(places, [wide, high], taken) {
  const covered = places.map((place) => covers(place, [wide, high], taken));
  return places[covered.indexOf(Math.min(...covered))];
}

/**
 * The distance of a point from a box, 0 inside it.
 *
 * @param {number[]} box
 * @param {number[]} point
 */
export function distanceTo([left, top, wide, high], [x, y]) {
  return Math.hypot(Math.max(0, left - x, x - left - wide), Math.max(0, top - y, y - top - high));
}

/**
 * The places (left, top) of plates, each nearest to its own shape, so that nobody confuses them. Lines from plates to
 * their shapes never cross.
 *
 * @param {number[][]} sizes  width and height of each plate
 * @param {number[][]} around  left, top, width and height of each shape
 * @param {number[][]} taken  boxes not to cover, as `around`
 * @param {number[]} frame  the plates' limits, as `around`
 * @param {number} gap  distance between a shape and its plate
 * @param {number[][]} people  the heaviest of `taken`
 * @returns {number[][]}
 */
export function placePlates(sizes, around, taken, frame, gap, people) {
  const order = sizes.map((_, i) => i);
  const byPlace = [...order].sort((a, b) => around[a][0] - around[b][0] || around[a][1] - around[b][1]);
  const tried = [order, byPlace, [...byPlace].reverse()].map((turns) => platesInTurn(turns, sizes, around, taken, frame, gap, people));
  return tried.sort((one, other) => one.cost - other.cost)[0].places;
}

/**
 * @param {number[]} turns
 * @param {number[][]} sizes
 * @param {number[][]} around
 * @param {number[][]} taken
 * @param {number[]} frame
 * @param {number} gap
 * @param {number[][]} people
 */
function platesInTurn(turns, sizes, around, taken, frame, gap, people) {
  const centres = around.map(centreOf);
  /** @type {number[][]} */
  const places = [];
  let cost = 0;
  for (const i of turns) {
    const [size, own] = [sizes[i], centres[i]];
    const done = turns.slice(0, turns.indexOf(i));
    const plates = done.map((other) => [...places[other], ...sizes[other]]);
    const weigh = (/** @type {number[]} */ place) => {
      const box = [...place, ...size];
      const away = distanceTo(box, own);
      const isStray = centres.some((other, n) => n !== i && distanceTo(box, other) <= away);
      const crosses = done.some((other) => cross(own, centreOf(box), centres[other], centreOf([...places[other], ...sizes[other]])));
      const share = size[0] * size[1];
      return (isStray || crosses ? 1000 : 0) + (100 * covers(place, size, plates) + 30 * covers(place, size, people) + 4 * covers(place, size, taken)) / share + away / (size[1] + around[i][3]);
    };
    const [left, top, width, height] = around[i];
    const [beforeX, afterX] = [left - size[0] - gap, left + width + gap];
    const [aboveY, belowY] = [top - size[1] - gap, top + height + gap];
    const near = [left + (width - size[0]) / 2, left, left + width - size[0]].flatMap((x) => [[x, belowY], [x, aboveY]]);
    const beside = [top + (height - size[1]) / 2, belowY, aboveY].flatMap((y) => [[afterX, y], [beforeX, y]]);
    const all = [...[...near, ...beside].map((place) => kept(place, size, frame)), ...everywhere(size, frame)];
    const costs = all.map(weigh);
    const best = costs.indexOf(Math.min(...costs));
    places[i] = all[best];
    cost += costs[best];
  }
  return { places, cost };
}

/** @param {number[]} box */
function centreOf([left, top, width, height]) {
  return [left + width / 2, top + height / 2];
}

/**
 * Whether two line segments cross.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @param {number[]} c
 * @param {number[]} d
 */
function cross(a, b, c, d) {
  const side = (/** @type {number[]} */ [px, py], /** @type {number[]} */ [qx, qy], /** @type {number[]} */ [rx, ry]) => Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/**
 * Possible places of a name that touch its token's sign: below, above, then beside it, in one row or two.
 *
 * @param {number[][]} sizes  width and height in one row and, if the name can be split, in two
 * @param {number[]} at  the middle of the token
 * @param {number} reach  the sign's extent from its middle
 * @param {number[]} frame  left, top, width and height of the name's limits
 * @returns {{box: number[], rows: number}[]}
 */
export function placesOfName(sizes, [x, y], reach, frame) {
  const shifts = [0, 0.5, -0.5];
  const upright = shifts.flatMap((shift) => [1, -1].flatMap((way) => sizes.map(([wide, high], rows) => ({ rows, size: [wide, high], place: [x - wide / 2 + shift * wide, way > 0 ? y + reach : y - reach - high] }))));
  const aside = [1, -1].flatMap((way) => sizes.map(([wide, high], rows) => ({ rows, size: [wide, high], place: [way > 0 ? x + reach : x - reach - wide, y - high / 2] })));
  return [...upright, ...aside].map(({ rows, size, place }) => ({ rows, box: [...kept(place, size, frame), ...size] })).filter(({ box }) => distanceTo(box, [x, y]) <= 1.15 * reach);
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
 * The common area of two boxes.
 *
 * @param {number[]} one
 * @param {number[]} other
 */
function shared([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)) * Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));
}
