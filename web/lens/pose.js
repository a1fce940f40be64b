// The camera's pose over the table, from markers at known places, and the projection of points.
//
// A table point is (x, y, height) in millimetres, x to the right and y down as on the sheet. Heights run against the
// camera's z (Zhang 2000 for the plane, Gauss-Newton on rotation and translation for the rest).

const ITERATIONS = 6;

/** Residuals beyond this, in pixels, count less (Huber), so that a corner under a hand does not turn the table. */
const HUBER_PX = 3;

/** Half of the picture's width over the focal length: 45 to 90 degrees of view, the range of phones. */
const FOCALS = Array.from({ length: 19 }, (_, i) => 0.5 / Math.tan(((45 + 2.5 * i) * Math.PI) / 360));

/** A phone's most likely focal length in widths of the picture: 65 degrees of view. */
export const USUAL_FOCAL = 0.5 / Math.tan((65 * Math.PI) / 360);

/**
 * A camera over the table.
 *
 * @typedef {object} Pose
 * @property {number[]} rotation  camera from table, row by row
 * @property {number[]} translation  mm
 * @property {number} focal  pixels
 * @property {[number, number]} center  the middle of the picture in pixels
 */

/**
 * A point of the table plane and its place in the picture.
 *
 * @typedef {{x: number, y: number, u: number, v: number}} Pair
 */

/**
 * The pixel of a table point, or null behind the camera.
 *
 * @param {Pose} pose
 * @param {number} x
 * @param {number} y
 * @param {number} [height]
 * @returns {[number, number] | null}
 */
export function project({ rotation: r, translation: t, focal, center }, x, y, height = 0) {
  const depth = r[6] * x + r[7] * y - r[8] * height + t[2];
  if (depth <= 1) return null;
  const across = r[0] * x + r[1] * y - r[2] * height + t[0];
  const down = r[3] * x + r[4] * y - r[5] * height + t[1];
  return [center[0] + (focal * across) / depth, center[1] + (focal * down) / depth];
}

/**
 * The best pose for the pairs, with its error in pixels (root mean square), or null if they fit no plane.
 *
 * @param {Pair[]} pairs  four or more, not on one line
 * @param {number} focal  pixels
 * @param {[number, number]} center  the middle of the picture in pixels
 * @param {Pose | null} [guess]  the previous pose
 * @returns {{pose: Pose, error: number} | null}
 */
export function fitPose(pairs, focal, center, guess = null) {
  const starts = [fromPlane(pairs, focal, center), guess && { ...guess, focal, center }].filter((start) => start !== null);
  const fits = starts.map((start) => refined(start, pairs)).filter((fit) => Number.isFinite(fit.error));
  return fits.sort((a, b) => a.error - b.error)[0] ?? null;
}

/** The pose from the plane's homography alone. */
function fromPlane(pairs, focal, center) {
  const h = homography(pairs.map(({ x, y, u, v }) => [x, y, (u - center[0]) / focal, (v - center[1]) / focal]));
  if (!h) return null;
  const scale = 2 / (Math.hypot(h[0], h[3], h[6]) + Math.hypot(h[1], h[4], h[7]));
  const sign = h[8] < 0 ? -scale : scale; // the table lies before the camera
  const first = normalized([h[0] * sign, h[3] * sign, h[6] * sign]);
  const along = [h[1] * sign, h[4] * sign, h[7] * sign];
  const second = normalized(along.map((value, i) => value - dot(along, first) * first[i]));
  const third = cross(first, second);
  const rotation = [0, 1, 2].flatMap((i) => [first[i], second[i], third[i]]);
  return { rotation, translation: [h[2] * sign, h[5] * sign, h[8] * sign], focal, center };
}

/** The homography of the plane (3 x 3, row by row) by least squares in scaled coordinates, or null if undetermined. */
function homography(rows) {
  const middle = [0, 1].map((i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);
  const size = Math.max(1e-9, ...rows.map((row) => Math.hypot(row[0] - middle[0], row[1] - middle[1])));
  const equations = rows.flatMap(([x, y, u, v]) => {
    const [a, b] = [(x - middle[0]) / size, (y - middle[1]) / size];
    return [
      { left: [a, b, 1, 0, 0, 0, -u * a, -u * b], right: u },
      { left: [0, 0, 0, a, b, 1, -v * a, -v * b], right: v },
    ];
  });
  const h = leastSquares(equations, 8);
  if (!h) return null;
  const back = (a, b, c) => [a / size, b / size, c - (a * middle[0] + b * middle[1]) / size];
  return [...back(h[0], h[1], h[2]), ...back(h[3], h[4], h[5]), ...back(h[6], h[7], 1)];
}

/** Gauss-Newton from a start: small left rotations, and the translation. */
function refined(start, pairs) {
  let pose = start;
  for (let i = 0; i < ITERATIONS; i += 1) {
    const step = leastSquares(equationsOf(pose, pairs), 6);
    if (!step) break;
    pose = { ...pose, rotation: product(turn(step.slice(0, 3)), pose.rotation), translation: pose.translation.map((v, k) => v + step[3 + k]) };
  }
  return { pose, error: rootMeanSquare(pose, pairs) };
}

function equationsOf({ rotation: r, translation: t, focal, center }, pairs) {
  return pairs.flatMap(({ x, y, u, v }) => {
    const [px, py, pz] = [0, 1, 2].map((i) => r[3 * i] * x + r[3 * i + 1] * y); // rotated, not yet translated
    const [cx, cy, cz] = [px + t[0], py + t[1], Math.max(1, pz + t[2])];
    const [du, dv] = [u - center[0] - (focal * cx) / cz, v - center[1] - (focal * cy) / cz];
    const weight = Math.sqrt(Math.min(1, HUBER_PX / Math.max(1e-9, Math.hypot(du, dv))));
    const slope = focal / cz;
    const rows = [
      { of: [slope, 0, (-slope * cx) / cz], right: du },
      { of: [0, slope, (-slope * cy) / cz], right: dv },
    ];
    // A small rotation w moves the rotated point by w x p.
    return rows.map(({ of: [a, b, c], right }) => ({
      left: [c * py - b * pz, a * pz - c * px, b * px - a * py, a, b, c].map((value) => value * weight),
      right: right * weight,
    }));
  });
}

function rootMeanSquare(pose, pairs) {
  const squares = pairs.map(({ x, y, u, v }) => {
    const place = project(pose, x, y);
    return place ? (place[0] - u) ** 2 + (place[1] - v) ** 2 : Number.POSITIVE_INFINITY;
  });
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
}

/** Solve an overdetermined system by its normal equations, or return null if singular. */
function leastSquares(equations, size) {
  const rows = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const { left, right } of equations) {
    for (let i = 0; i < size; i += 1) {
      for (let j = 0; j < size; j += 1) rows[i][j] += left[i] * left[j];
      rows[i][size] += left[i] * right;
    }
  }
  for (let i = 0; i < size; i += 1) {
    const best = rows.slice(i).reduce((most, row) => (Math.abs(row[i]) > Math.abs(most[i]) ? row : most));
    if (Math.abs(best[i]) < 1e-12) return null;
    rows[rows.indexOf(best)] = rows[i];
    rows[i] = best;
    for (let k = 0; k < size; k += 1) {
      if (k === i) continue;
      const share = rows[k][i] / best[i];
      for (let j = i; j <= size; j += 1) rows[k][j] -= share * best[j];
    }
  }
  return rows.map((row, i) => row[size] / row[i]);
}

/**
 * The rotation by a small vector of radians (Rodrigues).
 *
 * @param {number[]} vector
 */
function turn([a, b, c]) {
  const angle = Math.hypot(a, b, c);
  if (angle < 1e-12) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [x, y, z] = [a / angle, b / angle, c / angle];
  const [s, d] = [Math.sin(angle), 1 - Math.cos(angle)];
  const co = Math.cos(angle);
  return [co + x * x * d, x * y * d - z * s, x * z * d + y * s, y * x * d + z * s, co + y * y * d, y * z * d - x * s, z * x * d - y * s, z * y * d + x * s, co + z * z * d];
}

function product(a, b) {
  return [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]));
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalized(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** Tracks a hand-held camera: estimates its focal length and smooths the pose. */
export class HandHeld {
  /**
   * @param {number} width  of the picture in pixels
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width;
    this.center = /** @type {[number, number]} */ ([(width - 1) / 2, (height - 1) / 2]);
    this.errors = FOCALS.map(() => 0);
    this.weight = 0;
    this.focal = USUAL_FOCAL * width;
    this.pose = null;
  }

  /**
   * The pose of the newest picture, or null without enough markers.
   *
   * @param {Pair[]} pairs  the corners of the detected markers
   * @returns {Pose | null}
   */
  follow(pairs) {
    if (pairs.length < 4) return null;
    if (pairs.length >= 12) this.learn(pairs);
    const fit = fitPose(pairs, this.focal, this.center, this.pose);
    if (!fit || fit.error > 0.01 * this.width) return null;
    this.pose = this.pose ? calmed(this.pose, fit.pose, pairs) : fit.pose;
    return this.pose;
  }

  /** Handle the loss of the markers: start anew with the next picture. */
  lose() {
    this.pose = null;
  }

  /** Add this picture's evidence about the focal length: an oblique plane fits only with the right one. */
  learn(pairs) {
    if (this.weight > 60) return;
    FOCALS.forEach((focal, i) => {
      const fit = fitPose(pairs, focal * this.width, this.center);
      this.errors[i] += fit ? Math.min(fit.error, 10) ** 2 : 100;
    });
    this.weight += 1;
    if (this.weight < 5) return;
    const best = this.errors.indexOf(Math.min(...this.errors));
    const [before, least, after] = [best - 1, best, best + 1].map((i) => this.errors[i]);
    const shift = before === undefined || after === undefined ? 0 : (before - after) / (2 * (before - 2 * least + after) || 1);
    const next = FOCALS[best + Math.sign(shift)] ?? FOCALS[best];
    this.focal = this.width * (FOCALS[best] + Math.min(0.5, Math.abs(shift)) * (next - FOCALS[best]));
  }
}

/** Marker motion in pixels from which a new pose is adopted whole. Below it the hand trembles, or the corners do. */
const STILL_PX = 3;

function calmed(before, now, pairs) {
  const moved = pairs.map(({ x, y }) => {
    const [a, b] = [project(before, x, y), project(now, x, y)];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : Number.POSITIVE_INFINITY;
  });
  const share = Math.min(1, Math.max(0.3, moved.reduce((sum, value) => sum + value, 0) / moved.length / STILL_PX));
  const blend = (a, b) => a.map((value, i) => value + share * (b[i] - value));
  const [first, along] = [blend(before.rotation.slice(0, 3), now.rotation.slice(0, 3)), blend(before.rotation.slice(3, 6), now.rotation.slice(3, 6))];
  const x = normalized(first);
  const y = normalized(along.map((value, i) => value - dot(along, x) * x[i]));
  return { ...now, rotation: [...x, ...y, ...cross(x, y)], translation: blend(before.translation, now.translation) };
}
