// All cited rules, each a sentence with its source, with a search.

import { ask } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";

export class RulesBook {
  constructor() {
    this.dialog = byId("rules-book");
    byId("rules-find").addEventListener("input", () => this.find());
    byId("rules-game").addEventListener("change", () => this.fill());
    byId("rules-close").addEventListener("click", () => this.dialog.close());
  }

  async open() {
    this.dialog.showModal();
    // on a tablet the keyboard would cover the rules
    if (matchMedia("(pointer: fine)").matches) byId("rules-find").focus();
    await this.fill();
  }

  async fill() {
    const { rules } = await ask(`/rules/${encodeURIComponent(byId("rules-game").value)}`);
    byId("rules-list").replaceChildren(...rules.map(({ text, source }) => el("li", {}, el("span", {}, text), el("small", {}, source))));
    this.find();
  }

  /** Find the rules that contain every search word, in any order. */
  find() {
    const words = byId("rules-find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...byId("rules-list").children];
    for (const row of rows) row.toggleAttribute("hidden", !words.every((word) => row.textContent.toLowerCase().includes(word)));
    byId("rules-none").hidden = rows.some((row) => !row.hasAttribute("hidden"));
  }
}
