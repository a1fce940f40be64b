// The ruler of a table with spaces: two taps, then range, line of sight and path between them, by the rules in use.

import { send } from "../shell/api.js";
import { byId, path, svg } from "../shell/dom.js";
import { inside } from "../scene/draw.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class Ruler {
  /** @param {import("../table/table.js").TableView} table  the table: scene, overlay, orTrouble(answer, otherwise), keepSize() */
  constructor(table) {
    this.table = table;
    this.isOn = false;
    this.ends = [];
    this.asked = 0;
    this.shown = [];
    byId("ruler").addEventListener("click", () => (this.isOn ? this.end() : this.begin()));
    byId("ruler-end").addEventListener("click", () => this.end());
    addEventListener("keydown", (event) => this.isOn && event.key === "Escape" && this.end());
  }

  begin() {
    this.isOn = true;
    this.ends = [];
    this.frame();
    byId("panel").scrollTo({ top: 0, behavior: "smooth" });
    setText(byId("ruler-text"), t("ruler_from"));
  }

  end() {
    this.isOn = false;
    this.asked += 1;
    this.shown = [];
    this.place()?.replaceChildren();
    this.frame();
  }

  frame() {
    byId("ruler").setAttribute("aria-pressed", String(this.isOn));
    byId("ruler-bar").hidden = !this.isOn;
    byId("ruler-told").replaceChildren();
  }

  /** A tap sets an end. A third one starts anew. Returns whether the ruler used it. */
  tap(x, y) {
    if (!this.isOn) return false;
    const cell = this.table.scene.cells.find(({ outline }) => inside(outline, x, y))?.cell;
    if (cell) this.put(cell);
    return true;
  }

  /** The space of a figure that is tapped or chosen by keys. */
  put(cell) {
    if (this.ends.length === 2) this.ends = [];
    const isSame = this.ends[0]?.join() === cell.join();
    this.ends = isSame ? [] : [...this.ends, cell];
    byId("ruler-told").replaceChildren();
    setText(byId("ruler-text"), t(this.ends.length === 1 ? "ruler_to" : "ruler_from"));
    this.shown = this.ends.map((one) => this.endShape(this.table.scene.cells.find((known) => known.cell.join() === one.join()).outline));
    this.place()?.replaceChildren(...this.shown);
    this.show();
  }

  /** Ask about the shown picture. The drawing stays until the answer arrives. */
  async show() {
    if (!this.isOn) return;
    this.place()?.replaceChildren(...this.shown);
    if (this.ends.length < 2) return;
    const { scene } = this.table;
    const asked = ++this.asked;
    const question = { start: this.ends[0], end: this.ends[1], ruleset: byId("ruleset").value, as_plan: scene.as_plan };
    const answer = await this.table.orTrouble(send(`/shots/${scene.shot}/measures`, question), null);
    if (asked !== this.asked || !answer) return;
    setText(byId("ruler-text"), answer.places.join(" – "));
    setText(byId("ruler-told"), answer.sentences.join(" "));
    this.shown = this.drawn(answer);
    this.place()?.replaceChildren(...this.shown);
    this.table.keepSize();
  }

  place() {
    return this.table.overlay.querySelector(".layer.watchers");
  }

  endShape(outline) {
    return svg("path", { class: "ruler-end", d: path(outline) });
  }

  drawn({ line, outlines, is_free: isFree }) {
    const way = line.length ? [svg("path", { class: "watch-halo", d: path(line, false) }), svg("path", { class: isFree ? "ruler-line" : "ruler-line stopped", d: path(line, false) })] : [];
    return [...way, ...outlines.map((outline) => this.endShape(outline))];
  }
}
