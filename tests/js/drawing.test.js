import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { bendsOf } = await import("../../web/match/finger.js");
const { spread } = await import("../../web/match/numbers.js");
const { path } = await import("../../web/shell/dom.js");
const { bySides } = await import("../../web/shell/choices.js");
const { number, t } = await import("../../web/shell/texts.js");

test("a finger's line keeps the points at which it turns", () => {
  const line = [[0, 0], [5, 0.1], [10, 0], [10, 5], [10, 10]];
  assert.deepEqual(bendsOf(line, 1), [[10, 0]]);
  assert.deepEqual(bendsOf([[0, 0], [1, 1]], 1), []);
  assert.deepEqual(bendsOf([[0, 0], [5, 0.5], [10, 0]], 1), []);
});

test("numbers on one place stand apart, inside the picture", () => {
  const box = [0, 0, 100, 100];
  const places = spread([[50, 50], [50, 50], [50, 50], [-20, 50]], 20, box);
  assert.deepEqual(places[0], [50, 50]);
  assert.deepEqual(places[3], [0, 50]);
  for (const [i, [x, y]] of places.entries()) {
    assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 100);
    for (const [ox, oy] of places.slice(0, i)) assert.ok(Math.hypot(x - ox, y - oy) >= 20);
  }
});

test("a path is closed unless it is a line", () => {
  assert.equal(path([[0, 0], [1, 2]]), "M0 0L1 2Z");
  assert.equal(path([[0, 0], [1, 2]], false), "M0 0L1 2");
});

test("figures come by sides, in the order of the sides", () => {
  const figures = [{ id: "a", side: "m" }, { id: "b", side: "d" }, { id: "c", side: "m" }];
  const sides = bySides(figures, ({ side }) => side.toUpperCase(), ({ id }) => `<${id}>`);
  assert.deepEqual(sides, [
    { label: "M", options: [["a", "<a>"], ["c", "<c>"]] },
    { label: "D", options: [["b", "<b>"]] },
  ]);
});

test("a sentence takes its values, and a missing sentence is a mistake of ours", () => {
  assert.equal(t("greeting", { round: 2, side: "Marines" }), "Round 2: Marines");
  assert.equal(t("greeting", { round: 2 }), "Round 2: {side}");
  assert.throws(() => t("nothing"), /no sentence/);
  assert.equal(number(2.5, 1, 1), "2.5");
});
