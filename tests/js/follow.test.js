import assert from "node:assert/strict";
import test from "node:test";

import { isSameTable } from "../../web/scene/same_table.js";
import { followed, foundAgain } from "../../web/table/follow.js";

const imp = (id, column, row) => ({ id, kind: "imp", side: "demons", cells: [[column, row]] });
const picture = (...figures) => ({ figures });

test("a name of its own is followed wherever the figure walks", () => {
  assert.equal(followed("alpha", picture({ id: "alpha", kind: "a", side: "m", cells: [[0, 0]] }), picture({ id: "alpha", kind: "a", side: "m", cells: [[9, 9]] })), "alpha");
  assert.equal(followed("alpha", picture(), picture()), null);
});

test("a name by place goes to the nearest of its kind", () => {
  const before = picture(imp("imp~1", 0, 0), imp("imp~2", 6, 0));
  assert.equal(followed("imp~1", before, picture(imp("imp~2", 1, 0), imp("imp~1", 6, 0))), "imp~2");
});

test("two that are as near leave nobody chosen", () => {
  const before = picture(imp("imp~1", 2, 0));
  assert.equal(followed("imp~1", before, picture(imp("imp~1", 1, 0), imp("imp~2", 3, 0))), null);
});

test("a figure farther off than two spaces is another one", () => {
  assert.equal(followed("imp~1", picture(imp("imp~1", 0, 0)), picture(imp("imp~1", 3, 0))), null);
});

test("the same picture read anew may call a figure otherwise", () => {
  assert.equal(foundAgain("imp-2", picture(imp("imp-2", 4, 4)), picture(imp("imp~1", 4, 4))), "imp~1");
  assert.equal(foundAgain("imp-2", picture(), picture(imp("imp~1", 4, 4))), null);
});

function scene({ shift = 0, open = false, still = true } = {}) {
  const outline = [[0, 0], [10, 0], [10, 10], [0, 10]].map(([x, y]) => [x + shift, y]);
  return { is_still: still, cells: [{ cell: [0, 0], outline }], edges: [], doors: [{ id: "d", open, panels: [] }], figures: [] };
}

test("a trembling picture shows the same table, a moved camera or an opened door another", () => {
  assert.ok(isSameTable(scene(), scene({ shift: 3 })));
  assert.ok(!isSameTable(scene(), scene({ shift: 5 })));
  assert.ok(!isSameTable(scene(), scene({ open: true })));
  assert.ok(!isSameTable(scene(), scene({ still: false })));
});
