// The table that a camera watches: held as it is or not, what is asked about it, and which moves looked odd.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class Watching {
  /** @param {function(string): void} trouble  says what went wrong */
  constructor(trouble) {
    this.trouble = trouble;
    this.known = "";
    this.isFrozen = false;
    this.asks = new Rows(byId("live-asks"), ({ question, note }) => (question ? this.question(question) : el("p", { class: "doubt" }, note)));
    byId("freeze").addEventListener("click", () => this.send("/live/freeze", { is_frozen: !this.isFrozen }));
  }

  /** News of the live table: `asks` changes with its questions and odd moves. */
  async onLive({ holding, asks }) {
    byId("freeze").hidden = false;
    this.showHolding(holding);
    const news = `${holding === "frozen"} ${asks}`;
    if (news === this.known) return;
    try {
      this.show(await ask("/live"));
      this.known = news;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem; // the next news of the table asks again
    }
  }

  showHolding(holding) {
    const text = { old: t("holding_old"), frozen: t("holding_frozen") }[holding] ?? "";
    const place = byId("holding");
    place.hidden = text === "";
    setText(place, text);
  }

  show(live) {
    this.isFrozen = live.is_frozen;
    byId("freeze").setAttribute("aria-pressed", String(live.is_frozen));
    const notes = live.notes.slice(-1).map(({ sentence }) => ({ key: "note", note: sentence }));
    const rows = [...live.questions.map((question) => ({ key: question.id, question })), ...notes];
    this.asks.show(rows);
    byId("live-asks").hidden = rows.length === 0;
  }

  question({ id, sentence, candidates }) {
    const buttons = candidates.map(({ id: figure, name }) => {
      const button = el("button", { type: "button", class: "button" }, name);
      button.addEventListener("click", () => this.send("/live/corrections", { answers: { [id]: figure } }));
      return button;
    });
    return el("div", { class: "ask" }, el("p", {}, sentence), el("div", { class: "pair-buttons" }, ...buttons));
  }

  async send(path, body) {
    try {
      this.show(await send(path, body));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }
}
