// The panels beside the board, defined by the game: scores, decks, the own hand as cards.

import { byId, el } from "../shell/dom.js";
import { Rows } from "../shell/steady.js";

export class Panels {
  /** @param {import("./match.js").Match} match  the match with the scores and cards */
  constructor(match) {
    const rows = new Rows(byId("panels"), (panel) => drawn(panel));
    match.show(({ view }) => rows.show(ownFirst(view.panels).map((panel) => ({ key: panel.title, ...panel }))));
  }
}

/** Scores come first, then the hands visible to this device. */
function ownFirst([score, ...panels]) {
  const shown = ({ cards }) => (cards.length ? 0 : 1);
  return score ? [score, ...panels.sort((a, b) => shown(a) - shown(b))] : [];
}

function drawn({ title, facts, cards, is_hand: isHand }) {
  const rows = facts.map(({ name, value }) => el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value)));
  const lying = cards.map((card) => el("li", { class: isHand ? "playing-card" : "playing-card open" }, card));
  return el("section", { class: lying.length ? "pane panel-part" : "pane panel-part counts" }, el("h3", {}, title), el("dl", { class: "facts" }, ...rows), lying.length ? el("ul", { class: "hand" }, ...lying) : null);
}
