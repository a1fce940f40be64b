import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { placesOf } = await import("../../web/match/place.js");

test("a side that acts as one says how many of its figures stand, a figure or a group does not", () => {
  const figures = [
    { id: "imp-1", side: "invader", on_table: true },
    { id: "imp-2", side: "invader", on_table: false },
    { id: "red", side: "marines", on_table: true },
  ];
  const rows = placesOf([{ name: "red" }, { name: "invader" }, { name: "imp" }], figures, (name) => name.toUpperCase());
  assert.deepEqual(rows.map(({ called, standing }) => [called, standing]), [["RED", null], ["INVADER", 1], ["IMP", null]]);
  assert.equal(placesOf([{ name: "invader" }], [figures[1]], String)[0].standing, 0);
});
