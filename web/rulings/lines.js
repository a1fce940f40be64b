// The answer's lines: highlighted by their sentence, or stepped through one by one.

import { el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { lightLines } from "../scene/draw.js";
import { t } from "../shell/texts.js";

export class Lines {
  /** @param {Record<string, any>} table  overlay, keepSize() */
  constructor(table) {
    this.table = table;
    this.card = null;
    this.kept = null;
    this.at = null;
  }

  /** The sentences are rewritten: none of them is pressed. */
  forget() {
    this.kept = null;
    this.at = null;
  }

  /** Take the lines of another answer, or of the same one on a newer picture. */
  take(card) {
    if (card?.lines.length !== this.card?.lines.length) this.at = null;
    this.card = card;
    if (this.at !== null || this.kept) this.light(this.kept ?? [this.at]);
  }

  /** Let a button highlight lines: while pointed at, and permanently when pressed. */
  wire(button, indices) {
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.light(indices));
    button.addEventListener("pointerleave", () => this.light(this.kept ?? (this.at === null ? [] : [this.at])));
    button.addEventListener("click", () => this.keep(button.getAttribute("aria-pressed") === "true" ? null : indices, button));
  }

  keep(indices, button) {
    this.kept = indices;
    this.at = null;
    this.tellStep();
    for (const other of document.querySelectorAll(".lights-up")) other.setAttribute("aria-pressed", String(indices !== null && other === button));
    this.light(indices ?? []);
  }

  light(indices) {
    lightLines(this.table.overlay, this.card, indices);
    this.table.keepSize();
  }

  /** Buttons to step through the lines. */
  stepper() {
    const button = (name, way, sign) => {
      const made = el("button", { type: "button", class: "button tool", "aria-label": t(name) }, sign);
      made.addEventListener("click", () => this.step(way));
      return made;
    };
    this.status = el("span", { role: "status" });
    this.tellStep();
    return el("div", { class: "line-steps", role: "group", "aria-label": t("lines_each") }, button("lines_before", -1, "‹"), this.status, button("lines_next", 1, "›"));
  }

  /** Step to the next line or back. After the last one all are shown again. */
  step(way) {
    const count = this.card.lines.length;
    const next = (this.at ?? (way > 0 ? -1 : count)) + way;
    this.keep(null);
    this.at = next < 0 || next >= count ? null : next;
    this.light(this.at === null ? [] : [this.at]);
    this.tellStep();
  }

  tellStep() {
    if (!this.status) return;
    const line = this.at === null ? null : this.card.lines[this.at];
    const state = line && (line.blocked_by ? t(line.purpose === "sight" ? "blocked_by" : "crosses", { what: line.blocked_by.text }) : t("lines_clear"));
    const words = line ? t("line_told", { n: this.at + 1, count: this.card.lines.length, from: line.from_name, to: line.to_name, state }) : t("lines_each");
    setText(this.status, words);
  }
}
