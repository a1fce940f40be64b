// A request to undo others' steps: it appears to them on every tab, with yes and no.

import { authorOf } from "./told.js";
import { byId } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class UndoRequest {
  /**
   * @param {import("./match.js").Match} match          the match
   * @param {() => void} alarm  alerts the side that has to answer
   */
  constructor(match, alarm) {
    this.match = match;
    this.alarm = alarm;
    this.seq = null;
    byId("undo-yes").addEventListener("click", () => match.give({ type: "undo", to: this.to }));
    byId("undo-no").addEventListener("click", () => match.give({ type: "refuse_undo" }));
    match.show(({ view, mine }) => this.show(view.undo.asked, mine));
  }

  show(asked, mine) {
    byId("undo-request").hidden = asked === null;
    const isNew = asked !== null && asked.seq !== this.seq && !isOwn(asked, mine);
    this.seq = asked?.seq ?? null;
    if (!asked) return;
    this.to = asked.to;
    const own = isOwn(asked, mine);
    const what = asked.titles.join("; ");
    setText(byId("undo-request-text"), own ? t("undo_asked", { what }) : t("undo_asks", { who: authorOf(this.match, asked.by), what }));
    byId("undo-yes").hidden = own;
    setText(byId("undo-no"), t(own ? "undo_ask_no_more" : "undo_refuse"));
    if (isNew) this.alarm();
  }
}

function isOwn({ by }, mine) {
  return mine !== null && by.side === mine.side;
}
