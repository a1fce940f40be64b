// “What if it stood there?”: the chosen figures as ghosts, moved by finger or arrow keys, with an answer at each step.

import { send } from "../shell/api.js";
import { byId, el, middle, path, svg } from "../shell/dom.js";
import { inside } from "../scene/draw.js";
import { t } from "../shell/texts.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const REACH_CSS = 36;

export class Ghost {
  /** @param {import("../table/table.js").TableView} table  the table: scene, pair, answer, overlay, correct(change), orTrouble(answer, otherwise), afterGhost() */
  constructor(table) {
    this.table = table;
    this.places = null;
    this.held = null;
    this.asked = 0;
    byId("what-if").addEventListener("click", () => (this.isOn ? this.end() : this.begin()));
    byId("ghost-end").addEventListener("click", () => this.end());
    byId("ghost-keep").addEventListener("click", () => this.keep());
    addEventListener("keydown", (event) => this.key(event));
  }

  get isOn() {
    return this.places !== null;
  }

  figures() {
    return this.table.pair.ids.map((id) => this.table.pair.figure(id));
  }

  /** Turn the chosen figures into ghosts. The picture stays unchanged meanwhile. */
  begin() {
    const figures = this.figures();
    if (!figures.length) return;
    this.places = new Map(figures.map((figure) => [figure.id, figure.cells]));
    this.current = figures.at(-1).id;
    this.table.corrector.stop();
    this.table.lookAt(null);
    byId("what-if").setAttribute("aria-pressed", "true");
    byId("ghost").hidden = false;
    this.drawWho();
    this.draw();
    byId("panel").scrollTo({ top: 0, behavior: "smooth" }); // the answer changes there while a ghost is dragged
    byId("ghost-who").querySelector("[aria-pressed=true]").focus({ preventScroll: true });
  }

  /** Return to the real table. */
  end() {
    if (!this.isOn) return;
    this.places = null;
    this.held = null;
    byId("what-if").setAttribute("aria-pressed", "false");
    byId("ghost").hidden = true;
    this.table.overlay.querySelector(".layer.ghost")?.replaceChildren();
    this.table.overlay.classList.remove("what-if");
    this.table.trouble(null);
    this.table.afterGhost();
  }

  /** Other figures or another picture were chosen: end the what-if. */
  drop() {
    if (this.isOn) this.end();
  }

  /** Make the what-if the table's state, as a correction. */
  async keep() {
    const figures = Object.fromEntries(this.places);
    this.end();
    await this.table.correct({ figures });
  }

  /** The one of the two that the arrow keys move. */
  drawWho() {
    const buttons = this.figures().map((figure) => {
      const pressed = String(figure.id === this.current);
      const button = el("button", { type: "button", class: "button", "aria-pressed": pressed }, figure.name);
      button.addEventListener("click", () => {
        this.current = figure.id;
        this.drawWho();
        this.draw();
      });
      return button;
    });
    byId("ghost-who").replaceChildren(...buttons);
  }

  /** Grab the ghost under a finger. Returns whether there is one. */
  grab(x, y, cssPerPixel) {
    if (!this.isOn) return false;
    const near = this.figures().find((figure) => {
      const cells = this.cellsOf(this.places.get(figure.id));
      return cells.some(({ outline }) => {
        const [cx, cy] = middle(outline);
        return inside(outline, x, y) || Math.hypot(cx - x, cy - y) * cssPerPixel < REACH_CSS;
      });
    });
    if (!near) return false;
    this.held = near.id;
    this.current = near.id;
    this.drawWho();
    return true;
  }

  /** Move the held ghost with the finger, space by space. */
  pull(x, y) {
    const cell = this.table.scene.cells.find((candidate) => inside(candidate.outline, x, y));
    if (cell && this.held) this.put(this.held, cell.cell);
  }

  let() {
    this.held = null;
    this.draw();
  }

  key(event) {
    if (!this.isOn || !(event.key in STEPS || event.key === "Escape") || event.target.closest?.("select, input")) return;
    event.preventDefault();
    if (event.key === "Escape") {
      this.end();
      byId("what-if").focus();
      return;
    }
    const [column, row] = this.places.get(this.current)[0];
    const [dx, dy] = STEPS[event.key];
    this.put(this.current, [column + dx, row + dy]);
  }

  /** Put a ghost's first space on a cell, if all of it is on the board. */
  put(id, [column, row]) {
    const cells = this.places.get(id);
    const [dx, dy] = [column - cells[0][0], row - cells[0][1]];
    if (dx === 0 && dy === 0) return;
    const moved = cells.map(([x, y]) => [x + dx, y + dy]);
    if (this.cellsOf(moved).length !== moved.length) return;
    this.places.set(id, moved);
    this.draw();
    this.ask();
  }

  cellsOf(places) {
    return this.table.scene.cells.filter(({ cell }) => places.some(([x, y]) => x === cell[0] && y === cell[1]));
  }

  async ask() {
    const { attacker, defender, isWhole } = this.table.pair;
    if (!isWhole) return;
    const asked = ++this.asked;
    const question = {
      attacker,
      defender,
      figures: Object.fromEntries(this.places),
      ruleset: byId("ruleset").value,
      as_plan: this.table.scene.as_plan,
    };
    this.table.trouble(null); // an error about the previous place
    const card = await this.table.orTrouble(send(`/shots/${this.table.scene.shot}/what-if`, question), null);
    if (asked === this.asked && this.isOn) this.table.answer.show(card);
  }

  draw() {
    const place = this.table.overlay.querySelector(".layer.ghost");
    if (!place || !this.isOn) return;
    this.table.overlay.classList.add("what-if");
    const parts = this.figures().flatMap((figure) => {
      const cells = this.cellsOf(this.places.get(figure.id));
      const [x, y] = middle(cells.map(({ outline }) => middle(outline)));
      const plate = svg(
        "g",
        { class: "label ghost-label", "data-x": x, "data-y": y },
        svg("circle", { r: 19, class: figure.id === this.current ? "plate current" : "plate" }),
        svg("text", { y: 5 }, figure.short),
      );
      return [...cells.map(({ outline }) => svg("path", { class: "ghost-cell", d: path(outline) })), plate];
    });
    place.replaceChildren(...parts);
    this.table.keepSize();
    const words = this.figures().map((figure) => t("stands_on", { name: figure.name, cell: this.cellsOf(this.places.get(figure.id))[0].name }));
    byId("ghost-text").textContent = `${t("what_if")} ${words.join(", ")}`;
  }
}
