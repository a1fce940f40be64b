// Who is who from one picture of the camera to the next.

/** Figures walk a cell or two between two pictures; whatever stands farther off is somebody else. */
const FARTHEST_CELLS = 2;

/**
 * The name that a chosen figure has in the next picture, or null.
 * A name like imp~1 is given by place, so it may go over to another figure when one of them walks: the figure is then
 * the one of its kind nearest to where it stood. Where two are as near, nobody can tell, and nobody is named.
 */
export function followed(id, before, now) {
  const was = before.figures.find((figure) => figure.id === id);
  if (!was || !id.includes("~")) return now.figures.some((figure) => figure.id === id) ? id : null;
  return nearest(was, now);
}

/** The name that a chosen figure has in the same picture when it was read anew: what it is called may be another. */
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
