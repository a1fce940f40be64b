// Choosing a place on the board, by a tap or with arrow keys and Enter: a space for a figure, or an edge for a door.

import { path, svg } from "../shell/dom.js";
import { inside } from "../scene/draw.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The spaces of a base whose first space is that cell. */
export function based(figure, cell) {
  const [dx, dy] = [cell[0] - figure.cells[0][0], cell[1] - figure.cells[0][1]];
  return figure.cells.map(([column, row]) => [column + dx, row + dy]);
}

export class Placing {
  /**
   * @param {Record<string, any>} table   scene, overlay, say(text)
   * @param {Record<string, any>} wanted  hint, cell (the start), isDoor, spaces(cell) and done(place): a cell, or a
   *   door's edges
   */
  constructor(table, wanted) {
    this.table = table;
    this.wanted = wanted;
    this.cell = wanted.cell ?? table.scene.cells[0].cell;
    this.isUpright = true;
    this.draw();
  }

  /** Take a tap. A place beside the board ends it. Returns whether it is over. */
  tap(x, y) {
    const cell = this.table.scene.cells.find((candidate) => inside(candidate.outline, x, y));
    if (!cell) return null;
    this.cell = cell.cell;
    return this.wanted.isDoor ? this.nearestDoor(cell, [x, y]) : cell.cell;
  }

  /** Take a key. Returns the place once chosen, null before that. */
  key(event) {
    if (event.key === "Enter") return this.wanted.isDoor ? this.door() : this.cell;
    if (event.key === " ") this.isUpright = !this.isUpright;
    const [dx, dy] = STEPS[event.key] ?? [0, 0];
    this.cell = [this.cell[0] + dx, this.cell[1] + dy];
    this.draw();
    return null;
  }

  takes(key) {
    return key in STEPS || key === "Enter" || (key === " " && Boolean(this.wanted.isDoor));
  }

  /** The edges of a door at the side of a space nearest to a point of the picture. */
  nearestDoor({ cell: [column, row], outline }, point) {
    const sides = outline.map((corner, i) => segmentDistance(point, corner, outline[(i + 1) % 4]));
    const side = sides.indexOf(Math.min(...sides)); // top, right, bottom, left
    this.isUpright = side % 2 === 1;
    this.cell = [column - Number(side === 3), row - Number(side === 0)];
    return this.door();
  }

  /** A door at the right of the cell, or below it, as wide as the box's doors. */
  door() {
    const [column, row] = this.cell;
    const wide = Array.from({ length: this.table.scene.door_cells }, (_, i) => i);
    if (this.isUpright) return wide.map((i) => [[column + 1, row + i], [column + 1, row + i + 1]]);
    return wide.map((i) => [[column + i, row + 1], [column + i + 1, row + 1]]);
  }

  /** Draw the current place, and announce its name. */
  draw() {
    const { scene, overlay } = this.table;
    const place = overlay.querySelector(".layer.ghost");
    const cells = new Map(scene.cells.map((cell) => [cell.cell.join(), cell]));
    const here = cells.get(this.cell.join());
    const spaces = this.wanted.isDoor ? [] : this.wanted.spaces(this.cell).map((cell) => cells.get(cell.join())).filter(Boolean);
    const shapes = spaces.map(({ outline }) => svg("path", { class: "ghost-cell", d: path(outline) }));
    if (this.wanted.isDoor && here) {
      const [, topRight, bottomRight, bottomLeft] = here.outline;
      shapes.push(svg("path", { class: "ghost-door", d: path(this.isUpright ? [topRight, bottomRight] : [bottomLeft, bottomRight], false) }));
    }
    place?.replaceChildren(...shapes);
    this.table.say(here ? `${this.wanted.hint} ${here.name}` : this.wanted.hint);
  }
}

function segmentDistance([x, y], [ax, ay], [bx, by]) {
  const share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2 || 1);
  const along = Math.min(1, Math.max(0, share));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}
