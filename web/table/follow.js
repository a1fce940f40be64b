// Identities of figures from one camera picture to the next.

/** Most cells that a figure moves between two pictures. A figure farther off is another one. */
const FARTHEST_CELLS = 2;

/**
 * The chosen figure's name in the next picture, or null. A name like imp~1 depends on the place, so it may pass to
 * another figure when one of them moves. The figure is then the nearest one of its kind. If two are equally near, the
 * choice is ambiguous, and the result is null.
 */
export function followed(id, before, now) {
  const was = before.figures.find((figure) => figure.id === id);
  if (!was || !id.includes("~")) return now.figures.some((figure) => figure.id === id) ? id : null;
  return nearest(was, now);
}

/** The chosen figure's name in a new reading of the same picture, where it may differ. */
export function foundAgain(id, before, now) {
  const was = before.figures.find((figure) => figure.id === id);
  return was ? nearest(was, now) : null;
}

function nearest(was, now) {
  const near = now.figures
    .filter((figure) => figure.kind === was.kind && figure.side === was.side)
    .map((figure) => ({ id: figure.id, cells: steps(figure.cells[0], was.cells[0]) }))
    .filter((figure) => figure.cells <= FARTHEST_CELLS)
    .sort((a, b) => a.cells - b.cells);
  return near.length && near[0].cells !== near[1]?.cells ? near[0].id : null;
}

function steps([columnA, rowA], [columnB, rowB]) {
  return Math.max(Math.abs(columnA - columnB), Math.abs(rowA - rowB));
}
