import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { distanceTo, leastCovering, placeBeside, placePlates, placesOfName } = await import("../../web/match/beside.js");

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

test("each place of a name touches its own sign and stays within the frame, below first", () => {
  const places = placesOfName([[20, 4], [12, 8]], [50, 50], 6, frame);
  assert.deepEqual(places[0], { rows: 0, box: [40, 56, 20, 4] });
  assert.deepEqual(places[1], { rows: 1, box: [44, 56, 12, 8] });
  for (const { box } of places) assert.ok(distanceTo(box, [50, 50]) <= 6.9);
  assert.deepEqual(placesOfName([[20, 4]], [2, 50], 6, frame)[0].box, [0, 56, 20, 4]);
  assert.ok(placesOfName([[20, 4]], [50, 98], 6, frame).every(({ box: [, y] }) => y + 4 <= 100));
});

test("a plate is nearer its own figure than another's", () => {
  const figures = [[10, 20, 10, 10], [10, 60, 10, 10]];
  const sizes = [[40, 12], [40, 12]];
  const places = placePlates(sizes, figures, [...figures, [0, 34, 60, 20]], [0, 0, 60, 100], 2, figures);
  for (const [i, place] of places.entries()) {
    const [own, other] = [i, 1 - i].map((n) => distanceTo([...place, ...sizes[i]], [figures[n][0] + 5, figures[n][1] + 5]));
    assert.ok(own < other);
  }
});

test("a box lies where nothing is, the first such place before the others", () => {
  const places = [[40, 40], [10, 80], [70, 80]];
  assert.deepEqual(leastCovering(places, [20, 10], [[35, 35, 30, 30]]), [10, 80]);
  assert.deepEqual(leastCovering(places, [20, 10], []), [40, 40]);
});
