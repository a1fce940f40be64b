// Dice that roll, a hit and a death, for everybody at once and over the page; then it is calm again.

import { leastCovering } from "./beside.js";
import { byId, el } from "../shell/dom.js";
import { soundDice, soundHit } from "./sounds.js";
import { t } from "../shell/texts.js";

const SHOWN_MS = 5000;

/** The choice that the dice came of has closed by then, and its view is laid out anew. */
const SETTLED_MS = 250;

/** What the dice should not lie on, as far as there is room beside it. */
const SEEN = ":is(.piece, .label, .figure, .lying, .button, .acting, .goals, .place, .playing-card)";

/** Places that are tried, across and down the screen. */
const [ACROSS, DOWN] = [9, 13];

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
    lay(place);
    setTimeout(() => lay(place), SETTLED_MS);
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

/** Lays the dice where they cover least of what is looked at, the nearer to the middle the better. */
function lay(place) {
  const { width, height } = place.getBoundingClientRect();
  const top = document.querySelector("main")?.getBoundingClientRect().top ?? 0;
  const room = [innerWidth - width, innerHeight - top - height];
  const places = Array.from({ length: ACROSS * DOWN }, (_, i) => [(room[0] * (i % ACROSS)) / (ACROSS - 1), top + (room[1] * Math.floor(i / ACROSS)) / (DOWN - 1)]);
  const away = (/** @type {number[]} */ [x, y]) => Math.hypot(x - room[0] / 2, y - top - room[1] / 2);
  const taken = [...document.querySelectorAll(`.view:not([hidden]) ${SEEN}, .views .tab`)].map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.top, box.width, box.height]);
  const [x, y] = leastCovering(places.sort((one, other) => away(one) - away(other)), [width, height], taken);
  Object.assign(place.style, { left: `${Math.max(0, x)}px`, top: `${Math.max(top, y)}px` });
}
