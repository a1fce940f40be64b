// The match as visible to this device: fetched after events, changed by commands, shown by views.

import { ask, Refused, send } from "../shell/api.js";
import { el } from "../shell/dom.js";
import { busily, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class Match {
  constructor() {
    this.seq = 0;
    this.document = null;
    this.views = [];
  }

  /** Pass every state of the match to a view: `show(document)` with `order`, `view` and `names`. */
  show(tell) {
    this.views.push(tell);
    if (this.document) tell(this.document);
  }

  async refresh() {
    try {
      this.take(await ask("/match"));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }

  /** Give a command. It runs only once, however often a finger or the network repeats it. */
  give(command) {
    return busily(() => this.givenOnce(command));
  }

  async givenOnce(command) {
    this.trouble(null);
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    try {
      this.take(await send("/match/commands", { ...command, after: this.seq, id }));
      return true;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (problem.status === 409) await this.refresh();
      this.trouble(problem.message);
      return false;
    }
  }

  /** Undo a person's last step, or all after the entry `to`. Others must agree to undoing theirs. */
  undo(to = this.document.view.undo.to) {
    return this.give(this.isFree(to) ? { type: "undo", to } : { type: "ask_undo", to });
  }

  /** Whether this device may go back to just after an entry without asking. */
  isFree(to) {
    return to >= this.document.view.undo.free_to;
  }

  take(received) {
    if (this.document && received.view.seq < this.seq) return; // an outdated, overtaken answer
    if (this.document && received.view.seq > this.seq) this.trouble(null); // a refusal is only valid for its moment
    this.document = received;
    this.seq = received.view.seq;
    document.querySelector("main").dataset.seq = this.seq;
    this.warn(received.other_table);
    for (const tell of this.views) tell(received);
  }

  /** Whether a figure of that name is on the match's table. */
  knows(id) {
    return Boolean(this.document?.view.figures.some((figure) => figure.id === id && figure.on_table));
  }

  /** Warn, wherever the match's figures would be expected, that another table is there. */
  warn(otherTable) {
    for (const place of document.querySelectorAll(".other-table")) {
      place.hidden = otherTable === null;
      setText(place, otherTable ?? "");
    }
  }

  /** Whether a camera or photos show this match's table, as far as known. */
  get isOnTable() {
    return this.document?.other_table === null && this.document.played_on === "camera";
  }

  /** Handle a changed board under the camera: ask again whether it is the match's. */
  seen(scene) {
    const board = JSON.stringify(scene.cells.map(({ cell }) => cell));
    if (this.board !== board && this.document) this.refresh();
    this.board = board;
  }

  /** The name of a figure or a kind. */
  name(id) {
    return this.document?.names[id] ?? id;
  }

  trouble(text) {
    for (const place of document.querySelectorAll(".match-trouble")) {
      place.hidden = text === null;
      const close = el("button", { type: "button", class: "button" }, t("close"));
      close.addEventListener("click", () => this.trouble(null));
      place.replaceChildren(...(text === null ? [] : [el("p", {}, text), close]));
    }
  }
}
