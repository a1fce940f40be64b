// The dice of the last step and whom it hurt, small beside its words: they lie there until the next step.

import { byId, el } from "../shell/dom.js";
import { soundDice, soundHit } from "./sounds.js";
import { t } from "../shell/texts.js";

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

  /** Shows the dice of the last step; only what is new is heard, not what had happened when the page was opened or is done again. */
  take(happened) {
    const seq = happened?.seq ?? 0;
    const isNew = this.seq !== null && seq > this.seq;
    this.seq = Math.max(this.seq ?? 0, seq);
    byId("happened").dataset.seq = String(this.seq);
    const { dice, blows } = happened ?? { dice: [], blows: [] };
    byId("happened").hidden = dice.length + blows.length === 0;
    const shown = JSON.stringify(happened);
    if (shown !== this.shown) this.show(dice, blows);
    this.shown = shown;
    if (isNew) this.sound(dice, blows);
  }

  show(dice, blows) {
    byId("happened-dice").replaceChildren(...dice.flatMap((die, i) => this.die(die, dice[i - 1]?.whose)));
    byId("happened-blows").replaceChildren(...blows.map((blow) => el("li", { class: blow.fell ? "fell" : "hurt" }, this.words(blow))));
  }

  sound(dice, blows) {
    if (dice.length) soundDice(dice.length);
    if (blows.length) setTimeout(soundHit, dice.length ? HIT_AFTER_MS : 0);
    for (const { figure, fell } of blows) this.strike(figure, fell ? "falls" : "hurt");
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
