// Whether two camera pictures show the same, unchanged table.

/** Most jitter of a resting camera's picture of a still table. */
const TREMBLE_PX = 4;

/** Whether the later picture has no motion, and everything on it is in its former place. */
export function isSameTable(before, now) {
  return now.is_still && before.is_still && standing(before) === standing(now) && isSameView(before, now);
}

function standing({ cells, edges, doors, figures }) {
  return JSON.stringify([
    cells.map(({ cell, difficult, blocking }) => [cell, difficult, blocking]),
    edges.length,
    doors.map(({ id, open }) => [id, open]),
    figures.map((figure) => [figure.id, figure.cells]),
  ]);
}

/** Whether the board is in its former place, by corners of its first and last space and of its doors. */
function isSameView(before, now) {
  const corners = ({ cells, doors }) => [...[cells[0], cells.at(-1)].flatMap((cell) => cell.outline), ...doors.flatMap(({ panels }) => panels.flat())];
  const later = corners(now);
  return corners(before).every(([x, y], i) => Math.hypot(later[i][0] - x, later[i][1] - y) < TREMBLE_PX);
}
