// Dice that roll, a hit and a death, for everybody at once and over the page; then it is calm again.

import { byId, el } from "../shell/dom.js";
import { soundDice, soundHit } from "./sounds.js";
import { t } from "../shell/texts.js";

const SHOWN_MS = 5000;

/** A hit is heard when the dice lie. */
const HIT_AFTER_MS = 600;

export class Happened {
  /**
   * @param {import("./match.js").Match} match  the match whose last step is shown
   * @param {(figure: string, how: string) => void} strike  marks a figure on the picture: it is hurt, or it falls
   */
  constructor(match, strike) {
    this.match = match;
    this.strike = strike;
    this.seq = null;
    match.show(({ view }) => this.take(view.happened));
  }

  /** Shows what is new; what had happened when the page was opened, and what is done again after an undo, is known. */
  take(happened) {
    const seq = happened?.seq ?? 0;
    const isNew = this.seq !== null && seq > this.seq;
    this.seq = Math.max(this.seq ?? 0, seq);
    byId("happened").dataset.seq = String(this.seq);
    if (isNew && happened.dice.length + happened.blows.length > 0) this.show(happened);
  }

  show({ dice, blows }) {
    const place = byId("happened");
    byId("happened-dice").replaceChildren(...dice.flatMap((die, i) => this.die(die, dice[i - 1]?.whose)));
    byId("happened-blows").replaceChildren(...blows.map((blow) => el("li", { class: blow.fell ? "fell" : "hurt" }, this.words(blow))));
    place.hidden = false;
    if (dice.length) soundDice(dice.length);
    if (blows.length) setTimeout(soundHit, dice.length ? HIT_AFTER_MS : 0);
    for (const { figure, fell } of blows) this.strike(figure, fell ? "falls" : "hurt");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (place.hidden = true), SHOWN_MS);
  }

  /** A die, in words where its face is no number; before the first of somebody's dice his name. */
  die({ face, color, words, whose }, before) {
    const shown = el("li", { class: `shown color-${color || "plain"}${words ? " in-words" : ""}` }, el("b", {}, words || face));
    return whose && whose !== before ? [el("li", { class: "whose" }, this.match.name(whose)), shown] : [shown];
  }

  words({ figure, harm, fell }) {
    const name = this.match.name(figure);
    return fell ? t("happened_fell", { name }) : t("happened_hurt", { name, harm });
  }
}
