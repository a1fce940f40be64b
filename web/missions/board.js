// The mission's board: spaces, walls, doors and difficult ground by taps, and places for the form's fields.

import { byId, el, onPress, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const FREE = "sightline.free-table/1";
const ROOM = 1;
const MAX_SIDE = 26;
const BASE = { base_mm: 25, height_mm: 30, elevation_mm: 0, facing_deg: 0 };
const STATS = ["mobility", "toughness", "spirit", "combat"];
const MARKS = { is_leader: "leader", fear: "fear", terror: "terror" };

export class Board {
  /** @param {Function} tell  called after a tap changes the table */
  constructor(tell) {
    this.tell = tell;
    this.figures = [];
    this.picking = null;
    this.markers = () => [];
    this.svg = byId("board");
    byId("picked").addEventListener("click", () => this.stopPicking());
  }

  show(table) {
    this.table = table;
    this.figures = [];
    this.stopPicking();
    byId("modes").hidden = this.isFree;
    this.draw();
  }

  get isFree() {
    return this.table.format === FREE;
  }

  get mode() {
    return document.querySelector("#modes :checked").value;
  }

  /** Places of a value in words: A1, B2, or millimetres. */
  words(kind, value) {
    if (!value?.length) return t("mission_no_place");
    if (kind === "point") return value.map(Math.round).join(" × ");
    return (kind === "cell" ? [value] : value).map(name).join(", ");
  }

  /** Collect tapped places until the user is done. A single one is done at once. */
  pick(kind, value, what, done) {
    this.picking = { kind, done, value: kind === "cells" ? [...(value ?? [])] : value };
    byId("picking").hidden = false;
    byId("picking-what").textContent = t("mission_tap", { what });
    this.draw();
    this.svg.scrollIntoView({ block: "center" });
    this.svg.querySelector("[tabindex]")?.focus({ preventScroll: true });
  }

  stopPicking() {
    this.picking = null;
    byId("picking").hidden = true;
    if (this.table) this.draw();
  }

  showFigures(figures) {
    this.figures = figures;
    const off = figures.filter((figure) => !figure.cells.length && !figure.center_mm && figure.on_table);
    byId("off").replaceChildren(...(off.length && !this.isFree ? [el("b", {}, t("mission_off")), ...off.map((figure) => this.putter(figure))] : []));
    if (!this.picking) this.draw();
  }

  /** Figures without a place in the form go onto the table directly. */
  putter(figure) {
    const button = el("button", { type: "button", class: "button quiet" }, figure.name);
    button.addEventListener("click", () =>
      this.pick("cells", [], figure.name, (cells) => {
        const others = this.table.figures.filter(({ id }) => id !== figure.id);
        const { id, kind, side } = figure;
        this.table.figures = cells.length ? [...others, { id, kind, side, cells }] : others;
        this.tell();
      }),
    );
    return button;
  }

  /** A table without a grid holds its figures itself: those of the form with a place, and their values. */
  takeFigures(setup) {
    if (!this.isFree) return;
    const kept = new Map(this.table.figures.map((figure) => [figure.id, figure]));
    const records = Object.values(setup).filter(Array.isArray).flat();
    const placed = records.filter((one) => one?.center_mm && one.id && one.side && STATS.every((stat) => Number.isInteger(one[stat])));
    this.table.figures = placed.map((one) => ({
      ...BASE,
      ...kept.get(one.id),
      id: one.id,
      side: one.side,
      center_mm: one.center_mm,
      stats: Object.fromEntries(STATS.map((stat) => [stat, one[stat]])),
      marks: Object.keys(MARKS).filter((field) => one[field]).map((field) => MARKS[field]),
    }));
  }

  draw() {
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.spot;
    this.svg.replaceChildren(...(this.isFree ? this.freeTable() : this.grid()));
    if (focused) this.svg.querySelector(`[data-spot="${focused}"]`)?.focus({ preventScroll: true });
  }

  grid() {
    const cells = this.table.cells;
    const [wide, high] = [0, 1].map((axis) => Math.min(MAX_SIDE, Math.max(8, ...cells.map((cell) => cell[axis] + 1 + ROOM))));
    this.svg.setAttribute("viewBox", `-0.15 -0.15 ${wide + 0.3} ${high + 0.3}`);
    const chosen = this.picking ? list(this.picking) : [];
    const spots = [];
    for (let row = 0; row < high; row += 1) for (let column = 0; column < wide; column += 1) spots.push(this.space([column, row], chosen));
    const lines = this.table.edges.map((edge) => svg("path", { class: `line ${edge.kind}`, d: line(edge) }));
    const doors = this.table.doors.flatMap((door) => door.edges.map((edge) => svg("path", { class: "line door", d: line(edge) })));
    const marks = this.markers().filter(({ kind }) => kind !== "point").flatMap(({ value, kind, text }) => (value ? (kind === "cell" ? [value] : value) : []).map(([column, row]) => svg("text", { class: "token", x: column + 0.5, y: row + 0.88, "font-size": 0.2, "text-anchor": "middle" }, text.slice(0, 8))));
    const figures = this.figures.flatMap((figure) => figure.cells.map(([column, row]) => figureMark([column + 0.5, row + 0.42], 0.34, figure, this.place(figure))));
    const edges = this.mode === "wall" || this.mode === "door" ? this.edgeSpots(wide, high) : [];
    return [...spots, ...marks, ...lines, ...doors, ...figures, ...(this.picking ? [] : edges)];
  }

  space([column, row], chosen) {
    const has = (cells) => (cells ?? []).some(([c, r]) => c === column && r === row);
    const isThere = has(this.table.cells);
    const kind = `space${isThere ? "" : " none"}${has(this.table.difficult) ? " difficult" : ""}${has(chosen) ? " chosen" : ""}`;
    const attributes = { class: kind, x: column, y: row, width: 1, height: 1, role: "button", tabindex: 0, "data-spot": `${column},${row}`, "aria-label": t("mission_space", { cell: name([column, row]) }), "aria-pressed": String(this.picking ? has(chosen) : isThere) };
    const spot = svg("rect", attributes);
    return onPress(spot, () => this.tapSpace([column, row], isThere));
  }

  /** The index of a figure's side, in the order of their first mention. */
  place({ side }) {
    return [...new Set(this.figures.map((figure) => figure.side))].indexOf(side);
  }

  tapSpace(cell, isThere) {
    if (this.picking) {
      if (isThere) this.choose(cell);
      return;
    }
    const field = this.mode === "difficult" ? "difficult" : "cells";
    if (this.mode !== "cells" && (this.mode !== "difficult" || !isThere)) return;
    this.table[field] = toggled(this.table[field] ?? [], cell);
    if (field === "cells" && isThere) this.table.difficult = (this.table.difficult ?? []).filter((one) => String(one) !== String(cell));
    this.draw();
    this.tell();
  }

  choose(place) {
    const { kind, done } = this.picking;
    this.picking.value = kind === "cells" ? toggled(this.picking.value, place) : place;
    done(this.picking.value);
    if (kind === "cells") this.draw();
    else this.stopPicking();
  }

  /** Thin buttons on the sides of spaces, for walls and doors. */
  edgeSpots(wide, high) {
    const found = [];
    for (let row = 0; row <= high; row += 1) {
      for (let column = 0; column <= wide; column += 1) {
        if (column < wide) found.push(this.edgeSpot([column, row], [column + 1, row]));
        if (row < high) found.push(this.edgeSpot([column, row], [column, row + 1]));
      }
    }
    return found;
  }

  edgeSpot(from, to) {
    const spot = svg("path", { class: "edge-spot", d: line({ from, to }), role: "button", "data-spot": `${from}-${to}` });
    return onPress(spot, () => this.tapEdge({ from, to }));
  }

  tapEdge(edge) {
    const isSame = (one) => String(one.from) === String(edge.from) && String(one.to) === String(edge.to);
    if (this.mode === "wall") {
      const others = this.table.edges.filter((one) => !isSame(one));
      this.table.edges = others.length < this.table.edges.length ? others : [...others, { ...edge, kind: "wall" }];
    } else {
      const others = this.table.doors.filter((door) => !door.edges.some(isSame));
      const id = `door-${1 + Math.max(0, ...this.table.doors.map((door) => Number(/\d+$/.exec(door.id)?.[0] ?? 0)))}`;
      this.table.doors = others.length < this.table.doors.length ? others : [...others, { id, edges: [edge], open: false }];
    }
    this.draw();
    this.tell();
  }

  freeTable() {
    const [wide, high] = this.table.size_mm;
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const ground = svg("rect", { class: "space", x: 0, y: 0, width: wide, height: high, role: "button", tabindex: 0, "data-spot": "table", "aria-label": t("mission_tap", { what: byId("picking-what").textContent }) });
    ground.addEventListener("click", (event) => {
      if (!this.picking) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      this.choose([Math.round(at.x), Math.round(at.y)]);
    });
    const terrain = this.table.terrain.map(({ outline_mm: outline }) => svg("path", { class: "terrain", d: `M${outline.map((point) => point.join(" ")).join("L")}Z` }));
    const figures = this.figures.filter((figure) => figure.center_mm).map((figure) => figureMark(figure.center_mm, 28, figure, this.place(figure)));
    return [ground, ...terrain, ...figures];
  }
}

const name = ([column, row]) => `${letters(column)}${row + 1}`;

const letters = (column) => (column < 26 ? "" : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const list = ({ kind, value }) => (kind === "cells" ? value : kind === "cell" && value ? [value] : []);

const line = ({ from, to }) => `M${from.join(" ")}L${to.join(" ")}`;

function toggled(cells, cell) {
  const others = cells.filter((one) => String(one) !== String(cell));
  return others.length < cells.length ? others : [...others, cell];
}

/**
 * @param {number[]} center
 * @param {number} radius
 * @param {Record<string, any>} figure
 * @param {number} place
 */
function figureMark([x, y], radius, { name: words }, place) {
  const short = words.split(" ").map((part) => part[0]).join("").toUpperCase();
  return svg("g", { class: `figure side-${place % 2}`, "aria-hidden": "true" }, svg("circle", { cx: x, cy: y, r: radius }), svg("text", { x, y: y + radius * 0.3, "font-size": radius * 0.85, "text-anchor": "middle" }, short.slice(0, 3)));
}
