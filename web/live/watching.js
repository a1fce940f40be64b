// The watched table: whether it is held, its open questions, and odd moves.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el, svg } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class Watching {
  /**
   * @param {Record<string, any>} handlers  trouble(text): an error; mark(cells): the spaces in question; who(place):
   *   asks for a figure's identity; move(figure): asks for its place
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.known = "";
    this.isFrozen = false;
    this.asks = new Rows(byId("live-asks"), (row) => {
      if (row.question) return this.question(row);
      return row.fallen ? this.fallen(row.fallen) : this.note(row.note);
    });
    byId("freeze").addEventListener("click", () => this.send("/live/freeze", { is_frozen: !this.isFrozen }));
  }

  /** Handle news of the live table. `asks` changes with its questions, odd moves and fallen figures. */
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

  /** Show the oldest question, one fallen figure and the newest odd move. More would push the answer out of sight. */
  show(live) {
    this.isFrozen = live.is_frozen;
    byId("freeze").setAttribute("aria-pressed", String(live.is_frozen));
    const [question] = live.questions;
    const notes = live.notes.slice(-1).map((note) => ({ key: note.id, note }));
    const fallen = live.fallen.slice(0, 1).map((each) => ({ key: `fallen-${each.figure}`, fallen: each }));
    const rows = [...(question ? [{ key: question.id, question, more: live.questions.length - 1 }] : []), ...fallen, ...notes];
    this.asks.show(rows);
    byId("live-asks").hidden = rows.length === 0;
    this.handlers.mark(question?.cells ?? fallen[0]?.fallen.cells ?? []);
  }

  question({ question: { id, sentence, candidates }, more }) {
    const buttons = candidates.map(({ id: figure, name, look }) => {
      const button = el("button", { type: "button", class: "button candidate" }, look && cutOut(look), el("span", {}, name));
      button.addEventListener("click", () => this.send("/live/corrections", { answers: { [id]: figure } }));
      return button;
    });
    const left = more > 0 && el("p", { class: "more-asks" }, t("asks_more", { count: more }));
    return el("div", { class: "ask" }, el("p", {}, sentence), el("div", { class: "pair-buttons" }, ...buttons), left);
  }

  /** An odd move: correct after all, another figure, or another place. */
  note({ id, figure, sentence }) {
    return doubt(sentence, [
      [t("note_right"), () => this.send("/live/corrections", { notes: [id] })],
      [t("correct_name"), () => this.handlers.who({ figure })],
      [t("correct_move"), () => this.handlers.move(figure)],
    ]);
  }

  /** A fallen figure. The card goes once the camera sees it stand again. */
  fallen({ figure, sentence }) {
    return doubt(sentence, [[t("correct_remove"), () => this.send("/live/corrections", { figures: { [figure]: null } })]]);
  }

  async send(path, body) {
    try {
      this.show(await send(path, body));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.handlers.trouble(problem.message);
    }
  }
}

/** A sentence that people may contradict by one of the actions. */
function doubt(sentence, actions) {
  const buttons = actions.map(([text, act]) => {
    const button = el("button", { type: "button", class: "button quiet" }, text);
    button.addEventListener("click", act);
    return button;
  });
  return el("div", { class: "ask doubt" }, el("p", {}, sentence), el("div", { class: "answers" }, ...buttons));
}

/** A figure's picture when it was last certain. */
function cutOut({ picture, width_px: width, height_px: height, box_px: box }) {
  const image = svg("image", { href: picture, width, height, preserveAspectRatio: "none" });
  return svg("svg", { class: "cut-out", viewBox: box.join(" "), "aria-hidden": "true", preserveAspectRatio: "xMidYMid slice" }, image);
}
