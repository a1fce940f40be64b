// Find the table's markers in a picture by js-aruco2 (library/), and refine their corners.

/** Number of steps along an edge in the refinement. */
const STEPS = 9;

/** Range of the search from the rough edge to the true one, in pixels. */
const REACH_PX = 4;

/** Tolerated wrong bits of a marker, for glare or a shadow over one or two cells. */
const WRONG_BITS = 2;

export class MarkerFinder {
  /**
   * @param {{bits: string, corners_mm: number[][]}[]} markers  the prints (row by row, without the border) and their places
   */
  constructor(markers) {
    this.markers = markers;
    const { AR } = /** @type {any} */ (globalThis);
    const size = markers[0].bits.length;
    AR.DICTIONARIES.TABLE = { nBits: size, tau: WRONG_BITS + 1, codeList: markers.map(({ bits }) => [...bytesOf(bits)]) };
    this.detector = new AR.Detector({ dictionaryName: "TABLE", maxHammingDistance: WRONG_BITS + 1 });
  }

  /**
   * The corners of each marker in a picture, with their places on the table.
   *
   * @param {{width: number, height: number, data: Uint8ClampedArray}} image  RGBA
   * @returns {import("./pose.js").Pair[]}
   */
  find(image) {
    const found = new Map();
    for (const marker of this.detector.detect(image)) if (!(found.get(marker.id)?.hammingDistance <= marker.hammingDistance)) found.set(marker.id, marker);
    const gray = this.detector.grey;
    return [...found.values()].flatMap(({ id, corners }) => {
      const sharp = sharpened(gray, corners.map(({ x, y }) => [x, y]));
      return sharp.map(([u, v], i) => ({ x: this.markers[id].corners_mm[i][0], y: this.markers[id].corners_mm[i][1], u, v }));
    });
  }
}

/** Pack eight bits per number, the rest in the last, for js-aruco2. */
function* bytesOf(bits) {
  for (let i = 0; i < bits.length; i += 8) yield Number.parseInt(bits.slice(i, i + 8), 2);
}

/** The intersections of the measured edge lines, or the original corners if an edge is unclear. */
function sharpened(gray, corners) {
  const lines = corners.map((from, i) => edgeLine(gray, from, corners[(i + 1) % 4]));
  return corners.map((corner, i) => {
    const meeting = lines[i] && lines[(i + 3) % 4] && meet(lines[i], lines[(i + 3) % 4]);
    return meeting && Math.hypot(meeting[0] - corner[0], meeting[1] - corner[1]) < 2 * REACH_PX ? meeting : corner;
  });
}

/**
 * A line through the steepest rise from black to white across an edge: a point and its direction, or null without one.
 */
function edgeLine(gray, from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 8) return null;
  const along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const out = [along[1], -along[0]]; // corners run clockwise in the picture, so this points away from the black border
  const points = [];
  for (let i = 1; i <= STEPS; i += 1) {
    const share = 0.1 + (0.8 * (i - 0.5)) / STEPS;
    const place = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    const rise = steepest(gray, place, out);
    if (rise !== null) points.push([place[0] + rise * out[0], place[1] + rise * out[1]]);
  }
  if (points.length < STEPS / 2) return null;
  const rough = lineThrough(points);
  const near = points.filter((point) => away(rough, point) < 1);
  return near.length < STEPS / 2 ? null : lineThrough(near);
}

/** The steepest rise of grey along a direction, in pixels from a place, or null if it is flat. */
function steepest(gray, place, out) {
  const values = [];
  for (let step = -REACH_PX; step <= REACH_PX; step += 0.5) values.push(sample(gray, place[0] + step * out[0], place[1] + step * out[1]));
  let [best, most] = [-1, 12];
  for (let i = 1; i < values.length - 1; i += 1) {
    const rise = values[i + 1] - values[i - 1];
    if (rise > most) [best, most] = [i, rise];
  }
  if (best < 2 || best > values.length - 3) return null;
  const [before, after] = [values[best] - values[best - 2], values[best + 2] - values[best]];
  const bend = before - 2 * most + after;
  const shift = bend < 0 ? (before - after) / (2 * bend) : 0;
  return -REACH_PX + 0.5 * (best + Math.max(-1, Math.min(1, shift)));
}

/** The interpolated grey between four pixels. Outside the picture, the rim's. */
function sample({ width, height, data }, x, y) {
  const [cx, cy] = [Math.min(width - 1.001, Math.max(0, x)), Math.min(height - 1.001, Math.max(0, y))];
  const [left, top] = [Math.floor(cx), Math.floor(cy)];
  const [a, b] = [cx - left, cy - top];
  const at = top * width + left;
  return (1 - b) * ((1 - a) * data[at] + a * data[at + 1]) + b * ((1 - a) * data[at + width] + a * data[at + width + 1]);
}

/** The least-squares line through points. */
function lineThrough(points) {
  const middle = [0, 1].map((i) => points.reduce((sum, point) => sum + point[i], 0) / points.length);
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    const [a, b] = [x - middle[0], y - middle[1]];
    [xx, xy, yy] = [xx + a * a, xy + a * b, yy + b * b];
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  return { middle, along: [Math.cos(angle), Math.sin(angle)] };
}

function away({ middle, along }, [x, y]) {
  return Math.abs((x - middle[0]) * along[1] - (y - middle[1]) * along[0]);
}

function meet(a, b) {
  const turn = a.along[0] * b.along[1] - a.along[1] * b.along[0];
  if (Math.abs(turn) < 0.2) return null;
  const share = ((b.middle[0] - a.middle[0]) * b.along[1] - (b.middle[1] - a.middle[1]) * b.along[0]) / turn;
  return [a.middle[0] + share * a.along[0], a.middle[1] + share * a.along[1]];
}
