// The rectified tile with its lines: a tap or the keyboard changes an edge, the ground or the shape. Some of the table
// surrounds the tile. A tap there adds a missed cell, and a second tap removes it.

import { svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const KINDS = [null, "wall", "obstacle", "impassable"];
const SURE = 0.8;
const INSET = 0.09;
const REACH = 0.25;
const RIM = 0.5; // cells of the table shown round an enlarged tile

const keyOf = (pair) => pair.join(",");
const edgeKey = (from, to) => `${keyOf(from)}-${keyOf(to)}`;

/** The tile as read and corrected. All units are cells. */
export class TileBoard {
  constructor(root, said) {
    this.root = root;
    this.said = said;
    this.mode = "lines";
    this.size = [0, 0];
    this.cells = new Map();
    this.edges = new Map();
    root.addEventListener("click", (event) => this.pressed(event.target));
    root.addEventListener("keydown", (event) => this.typed(event));
  }

  show(tile) {
    const [columns, rows] = tile.size_cells;
    this.root.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.size = tile.size_cells;
    const read = new Map(tile.cells.map((one) => [keyOf(one.cell), { ...one, isIn: true }]));
    const beside = (cell) => ({ cell, difficult: false, confidence: 1, isIn: false });
    this.cells = new Map(this.places().map((cell) => [keyOf(cell), read.get(keyOf(cell)) ?? beside(cell)]));
    const known = new Map([...tile.around, ...tile.edges].map((one) => [edgeKey(one.from, one.to), { ...one }]));
    const unread = (/** @type {any[]} */ [from, to]) => ({ from, to, kind: null, confidence: 0 });
    this.edges = new Map(this.steps().map((ends) => [edgeKey(...ends), known.get(edgeKey(...ends)) ?? unread(ends)]));
    this.said.textContent = "";
    this.draw();
  }

  setMode(mode) {
    this.mode = mode;
    this.draw();
  }

  get doubtful() {
    const all = [...this.shownEdges(), ...[...this.cells.values()].filter((one) => one.isIn)];
    return all.filter((one) => one.confidence < SURE).length;
  }

  /** The data to save: the cells, their printed edges, and the difficult cells. */
  confirmed() {
    const cells = [...this.cells.values()].filter((one) => one.isIn);
    return {
      cells: cells.map((one) => one.cell),
      edges: this.shownEdges().filter((one) => one.kind).map(({ from, to, kind }) => ({ from, to, kind })),
      difficult: cells.filter((one) => one.difficult).map((one) => one.cell),
    };
  }

  shownEdges() {
    return [...this.edges.values()].filter((edge) => this.sidesOf(edge).some((cell) => this.isIn(cell)));
  }

  isIn(cell) {
    return this.cells.get(keyOf(cell))?.isIn ?? false;
  }

  isLevel(edge) {
    return edge.from[1] === edge.to[1];
  }

  sidesOf(edge) {
    const [x, y] = edge.from;
    return this.isLevel(edge) ? [[x, y - 1], [x, y]] : [[x - 1, y], [x, y]];
  }

  /** Enlarge the tile to the whole frame, except where cells beside it may be tapped. */
  enlarge() {
    const [columns, rows] = this.size;
    const inside = [...this.cells.values()].filter((one) => one.isIn).map((one) => one.cell);
    const isWhole = this.mode === "cells" || !inside.length;
    const span = (axis, size) => {
      const places = inside.map((cell) => cell[axis]);
      return isWhole ? [0, size] : [Math.max(Math.min(...places) - RIM, 0), Math.min(Math.max(...places) + 1 + RIM, size)];
    };
    const [left, right] = span(0, columns);
    const [top, bottom] = span(1, rows);
    const frame = this.root.parentElement.style;
    frame.setProperty("--closer", String(Math.min(columns / (right - left), rows / (bottom - top))));
    frame.setProperty("--left", `${(-100 * left) / columns}%`);
    frame.setProperty("--top", `${(-100 * top) / rows}%`);
  }

  draw(focused = null) {
    this.enlarge();
    const cells = [...this.cells.values()];
    const edges = this.shownEdges();
    const tapped = this.mode === "cells" ? cells : cells.filter((one) => one.isIn);
    const spots = this.mode === "lines" ? edges.map((edge) => this.edgeSpot(edge)) : tapped.map((one) => this.cellSpot(one));
    this.root.replaceChildren(
      ...this.outside().map(([x, y]) => svg("rect", { class: "outside", x, y, width: 1, height: 1 })),
      ...cells.filter((one) => one.isIn && one.difficult).map(({ cell: [x, y] }) => svg("rect", { class: "ground", x, y, width: 1, height: 1 })),
      ...edges.flatMap((edge) => this.edgeLines(edge)),
      ...cells.filter((one) => one.isIn && one.difficult).flatMap((one) => this.outline(one)),
      ...edges.filter((edge) => edge.confidence < SURE).map((edge) => doubtAt(middleOf(edge))),
      ...cells.filter((one) => one.isIn && one.confidence < SURE).map(({ cell: [x, y] }) => doubtAt([x + 0.5, y + 0.5])),
      ...spots,
    );
    const first = spots.find((spot) => spot.dataset.key === focused) ?? spots[0];
    first?.setAttribute("tabindex", "0");
    if (focused) first?.focus();
  }

  /** All cells in the picture. */
  places() {
    const [columns, rows] = this.size;
    return Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]);
  }

  /** The ends of all edges in the picture: each cell's upper and left one, and those at the far sides. */
  steps() {
    const [columns, rows] = this.size;
    const level = (x, y) => [[x, y], [x + 1, y]];
    const upright = (x, y) => [[x, y], [x, y + 1]];
    const bottom = Array.from({ length: columns }, (_, x) => level(x, rows));
    const right = Array.from({ length: rows }, (_, y) => upright(columns, y));
    return [...this.places().flatMap(([x, y]) => [level(x, y), upright(x, y)]), ...bottom, ...right];
  }

  /** The places in the picture that are no cells of the tile. */
  outside() {
    return this.places().filter((cell) => !this.isIn(cell));
  }

  edgeLines(edge) {
    const d = `M${edge.from.join(" ")}L${edge.to.join(" ")}`;
    const line = svg("path", { class: `line ${edge.kind ?? "none"}`, d });
    return edge.kind ? [svg("path", { class: "halo", d }), line] : [line];
  }

  /** The dashed outline just inside difficult ground, where it ends. */
  outline({ cell: [x, y] }) {
    const ends = (other, d) => {
      const neighbour = this.cells.get(keyOf(other));
      return neighbour?.isIn && neighbour.difficult ? [] : [svg("path", { class: "halo", d }), svg("path", { class: "line difficult", d })];
    };
    return [
      ...ends([x, y - 1], `M${x} ${y + INSET}H${x + 1}`),
      ...ends([x, y + 1], `M${x} ${y + 1 - INSET}H${x + 1}`),
      ...ends([x - 1, y], `M${x + INSET} ${y}V${y + 1}`),
      ...ends([x + 1, y], `M${x + 1 - INSET} ${y}V${y + 1}`),
    ];
  }

  edgeSpot(edge) {
    const [x, y] = edge.from;
    const place = this.isLevel(edge)
      ? { x: x + REACH, y: y - REACH, width: 1 - 2 * REACH, height: 2 * REACH }
      : { x: x - REACH, y: y + REACH, width: 2 * REACH, height: 1 - 2 * REACH };
    return this.spot(edgeKey(edge.from, edge.to), place, this.edgeName(edge));
  }

  cellSpot(one) {
    const [x, y] = one.cell;
    return this.spot(keyOf(one.cell), { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 }, this.cellName(one));
  }

  spot(key, place, label) {
    return svg("rect", { class: "spot", role: "button", tabindex: "-1", "data-key": key, "aria-label": label, ...place });
  }

  edgeName(edge) {
    const place = this.edgePlace(edge);
    const kind = t(`kind_${edge.kind ?? "none"}`);
    return t(edge.confidence < SURE ? "teach_edge_doubtful" : "teach_edge", { place, kind });
  }

  edgePlace(edge) {
    const [first, second] = this.sidesOf(edge);
    const level = this.isLevel(edge);
    const at = (/** @type {number[]} */ [x, y]) => ({ column: x + 1, row: y + 1 });
    if (!this.isIn(first)) return t(level ? "teach_edge_top" : "teach_edge_left", at(second));
    if (!this.isIn(second)) return t(level ? "teach_edge_bottom" : "teach_edge_right", at(first));
    const { column, row } = at(first);
    return t(level ? "teach_edge_across" : "teach_edge_upright", { column, row, next: (level ? row : column) + 1 });
  }

  cellName(one) {
    const place = t("teach_cell", { column: one.cell[0] + 1, row: one.cell[1] + 1 });
    const what = !one.isIn ? "teach_cell_out" : one.difficult ? "teach_cell_difficult" : "teach_cell_plain";
    return t("teach_edge", { place, kind: t(what) });
  }

  pressed(node) {
    const key = node.dataset?.key;
    if (!key) return;
    const one = this.mode === "lines" ? this.edges.get(key) : this.cells.get(key);
    if (this.mode === "lines") one.kind = KINDS[(KINDS.indexOf(one.kind) + 1) % KINDS.length];
    else if (this.mode === "ground") one.difficult = one.isIn && !one.difficult;
    else one.isIn = !one.isIn || this.isLast(one);
    one.confidence = 1;
    this.said.textContent = this.mode === "lines" ? this.edgeName(one) : this.cellName(one);
    this.draw(key);
  }

  isLast(one) {
    return [...this.cells.values()].every((other) => other === one || !other.isIn);
  }

  typed(event) {
    const spot = event.target.closest?.(".spot");
    if (!spot) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pressed(spot);
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    this.step(spot, way);
  }

  /** Move the focus to the nearest place roughly in that direction. */
  step(spot, [right, down]) {
    const at = centerOf(spot);
    let nearest = null;
    let least = Infinity;
    for (const other of this.root.querySelectorAll(".spot")) {
      const [x, y] = centerOf(other).map((value, axis) => value - at[axis]);
      const along = x * right + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * right);
      const far = along + 2 * aside;
      if (along > 0.01 && aside <= along && far < least) [nearest, least] = [other, far];
    }
    if (!nearest) return;
    spot.setAttribute("tabindex", "-1");
    nearest.setAttribute("tabindex", "0");
    nearest.focus();
    this.said.textContent = nearest.getAttribute("aria-label");
  }
}

function middleOf(edge) {
  return [0, 1].map((axis) => (edge.from[axis] + edge.to[axis]) / 2);
}

function centerOf(spot) {
  const value = (name) => Number(spot.getAttribute(name));
  return [value("x") + value("width") / 2, value("y") + value("height") / 2];
}

/** @param {number[]} point */
function doubtAt([x, y]) {
  return svg("g", { class: "doubt", "aria-hidden": "true" }, svg("circle", { cx: x, cy: y, r: 0.13 }), svg("text", { x, y }, "?"));
}
