// The last step's dice and its victims, small beside its words until the next step.

import { byId, el } from "../shell/dom.js";
import { soundDice, soundHit } from "./sounds.js";
import { t } from "../shell/texts.js";

/** Delay of the hit's sound until the dice have settled. */
const HIT_AFTER_MS = 600;

export class Happened {
  /**
   * @param {import("./match.js").Match} match  the match with the shown step
   * @param {(figure: string, how: string) => void} strike  marks a hurt or killed figure on the picture
   */
  constructor(match, strike) {
    this.match = match;
    this.strike = strike;
    this.seq = null;
    match.show(({ view }) => this.take(view.happened));
  }

  /** Show the last step's dice. Only new events sound, not those before the page opened or a redo. */
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

  /** A die, in words if its face is no number. A player's name precedes their first die. */
  die({ face, color, words, whose }, before) {
    const shown = el("li", { class: `shown color-${color || "plain"}${words ? " in-words" : ""}` }, el("b", {}, words || face));
    return whose && whose !== before ? [el("li", { class: "whose" }, this.match.name(whose)), shown] : [shown];
  }

  words({ figure, harm, fell }) {
    const name = this.match.name(figure);
    return fell ? t("happened_fell", { name }) : t("happened_hurt", { name, harm });
  }
}
