import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { leastCovering, placeBeside, placeWithin } = await import("../../web/match/beside.js");

const frame = [0, 0, 100, 100];

test("a plate stands below its figure, and elsewhere where somebody stands there", () => {
  assert.deepEqual(placeBeside([20, 6], [40, 40, 10, 10], [], frame, 2), [35, 52]);
  const below = [30, 50, 30, 12];
  assert.deepEqual(placeBeside([20, 6], [40, 40, 10, 10], [below], frame, 2), [35, 32]);
});

test("a plate at the edge stays within the picture", () => {
  const [x, y] = placeBeside([40, 6], [90, 92, 8, 8], [], frame, 2);
  assert.ok(x >= 0 && x + 40 <= 100 && y >= 0 && y + 6 <= 100);
  assert.ok(y + 6 <= 92, "above the figure: below it there is no room");
});

test("a plate without a free place covers as little as can be", () => {
  const all = [[0, 0, 100, 50], [0, 50, 100, 50]];
  const [x, y] = placeBeside([20, 6], [40, 40, 10, 10], all, frame, 2);
  assert.ok(x >= 0 && y >= 0);
});

test("a plate whose near places are all taken stands farther off rather than over somebody", () => {
  const around = [[20, 30, 50, 10], [20, 50, 50, 10], [50, 20, 40, 60], [0, 20, 40, 60]];
  const [x, y] = placeBeside([20, 6], [40, 40, 10, 10], around, frame, 2);
  assert.ok(y + 6 <= 20 || y >= 80, `at ${x}, ${y}`);
});

test("a name that finds no room, or whose sign is out of sight, is left out", () => {
  assert.deepEqual(placeWithin([20, 4], [50, 50], 6, [], frame), [40, 54]);
  assert.deepEqual(placeWithin([20, 4], [50, 50], 6, [[30, 52, 40, 10]], frame), [40, 42]);
  assert.equal(placeWithin([20, 4], [50, 50], 6, [[30, 30, 40, 40]], frame), null);
  assert.equal(placeWithin([20, 4], [120, 50], 6, [], frame), null);
});

test("a box lies where nothing is, the first such place before the others", () => {
  const places = [[40, 40], [10, 80], [70, 80]];
  assert.deepEqual(leastCovering(places, [20, 10], [[35, 35, 30, 30]]), [10, 80]);
  assert.deepEqual(leastCovering(places, [20, 10], []), [40, 40]);
});
