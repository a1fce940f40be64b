// “Who sees this space?”: a space, tapped or moved to with arrow keys, and everybody who sees it along a free line.

import { send } from "../shell/api.js";
import { byId, path, svg } from "../shell/dom.js";
import { inside } from "../scene/draw.js";
import { setText } from "../shell/steady.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const EYE = "M-10 0C-5 -7 5 -7 10 0C5 7 -5 7 -10 0ZM-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0";

export class Watchers {
  /** @param {import("../table/table.js").TableView} table  the table: scene, overlay, pair, orTrouble(answer, otherwise), keepSize() */
  constructor(table) {
    this.table = table;
    this.cell = null;
    this.asked = 0;
    this.shown = [];
    byId("map").addEventListener("change", () => this.chosen(byId("map").value));
    byId("watchers-end").addEventListener("click", () => this.leave());
    byId("missing-here").addEventListener("click", () => this.missing());
    addEventListener("keydown", (event) => this.key(event));
  }

  get isOn() {
    return this.cell !== null;
  }

  /** The list of maps was used: the question begins with the last chosen figure's space. */
  chosen(kind) {
    if (kind !== "watchers") this.end();
    else this.begin((this.table.pair.last() ?? this.table.scene.figures[0])?.cells[0] ?? this.table.scene.cells[0].cell);
  }

  begin(cell) {
    this.cell = cell;
    byId("map").value = "watchers";
    byId("watchers").hidden = false;
    byId("panel").scrollTo({ top: 0, behavior: "smooth" });
    byId("watchers-end").focus({ preventScroll: true });
    this.show();
  }

  end() {
    this.cell = null;
    this.asked += 1;
    this.shown = [];
    this.place()?.replaceChildren();
    byId("watchers").hidden = true;
    setText(byId("watchers-text"), "");
    if (byId("map").value === "watchers") byId("map").value = "";
  }

  leave() {
    this.end();
    byId("map").focus({ preventScroll: true });
  }

  /** A figure on the space that the picture does not show. */
  missing() {
    const { cell } = this;
    this.end();
    this.table.corrector.askWho({ cells: [cell] });
  }

  /** A tap on a space asks about it. Returns whether it was one. */
  tap(x, y) {
    if (!this.isOn) return false;
    const cell = this.cellAt(x, y);
    if (cell) this.put(cell);
    return cell !== null;
  }

  cellAt(x, y) {
    return this.table.scene.cells.find(({ outline }) => inside(outline, x, y))?.cell ?? null;
  }

  key(event) {
    if (!this.isOn || event.target.closest?.("select, input, #overlay") || byId("view-table").hidden) return;
    if (event.key === "Escape") this.leave();
    else if (event.key in STEPS) this.put([0, 1].map((i) => this.cell[i] + STEPS[event.key][i]));
    else return;
    event.preventDefault();
  }

  put(wanted) {
    const there = this.table.scene.cells.find(({ cell }) => cell[0] === wanted[0] && cell[1] === wanted[1]);
    if (!there) return;
    this.cell = there.cell;
    this.show();
  }

  /** Ask about the space on the shown picture. The drawing stays until the answer arrives. */
  async show() {
    if (!this.isOn) return;
    this.place()?.replaceChildren(...this.shown);
    const { scene } = this.table;
    const asked = ++this.asked;
    const question = { cell: this.cell, ruleset: byId("ruleset").value, as_plan: scene.as_plan };
    const answer = await this.table.orTrouble(send(`/shots/${scene.shot}/watchers`, question), null);
    if (asked !== this.asked || !answer) return;
    setText(byId("watchers-text"), answer.sentence);
    this.shown = this.drawn(answer);
    this.place().replaceChildren(...this.shown);
    this.table.keepSize();
  }

  place() {
    return this.table.overlay.querySelector(".layer.watchers");
  }

  drawn({ outline, watchers }) {
    const lines = watchers.flatMap(({ from, to }) => [
      svg("path", { class: "watch-halo", d: path([from, to], false) }),
      svg("path", { class: "watch-line", d: path([from, to], false) }),
    ]);
    const eyes = watchers.map(({ id }) => this.eye(this.table.pair.figure(id))).filter(Boolean);
    return [...lines, svg("path", { class: "watched-cell", d: path(outline) }), ...eyes];
  }

  eye(figure) {
    if (!figure) return null;
    const [x, y] = figure.center;
    const sign = svg("g", { class: "mark eye", "data-x": x, "data-y": y, "data-watcher": figure.id });
    sign.append(svg("path", { class: "mark-halo", d: EYE }), svg("path", { class: "mark-line", d: EYE }));
    return sign;
  }
}
