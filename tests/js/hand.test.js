import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { wordCard } = await import("../../web/match/hand.js");

test("a card is called by its name, whatever other cards are called", () => {
  assert.deepEqual(wordCard("Рёв: в атаке: урон +1; в защите 1 щит"), ["Рёв", "в атаке: урон +1; в защите 1 щит"]);
  assert.deepEqual(wordCard("Рёв: в атаке: урон +1; в защите особая защита демона")[0], "Рёв");
  assert.deepEqual(wordCard("Glory kill B"), ["Glory kill B", ""]);
});
