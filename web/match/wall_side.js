// The big screen's side panel: the round, the acting figure, and the turn order with everybody's health.

import { byId } from "../shell/dom.js";
import { place, placesOf } from "./place.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class WallSide {
  /** @param {import("./match.js").Match} match  the shown match */
  constructor(match) {
    this.match = match;
    this.order = new Rows(byId("wall-order"), (entry) => place(entry));
    match.show((document) => this.show(document));
  }

  show({ order, view }) {
    byId("wall-side").hidden = order.length === 0;
    setText(byId("wall-round"), view.winner ? t("winner", { side: this.match.name(view.winner) }) : view.winner !== null ? t("no_winner") : view.round ? t("round", { round: view.round }) : t("before_round"));
    this.order.show(placesOf(order, view.figures, (name) => this.match.name(name)));
  }
}
