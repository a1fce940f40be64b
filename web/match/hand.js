// The own hand as cards: a tap plays a card for one of its uses. Deck and discards are counted beside.

import { ask, Refused } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows } from "../shell/steady.js";
import { t } from "../shell/texts.js";

/** Screen size from which the first hand also lies open while nobody acts. */
const ROOMY_PX = { width: 1000, height: 700 };

export class OwnHand {
  /**
   * @param {import("./match.js").Match} match          the match
   * @param {function} play        begins a command by its words: play(text, command)
   */
  constructor(match, play) {
    this.match = match;
    this.play = play;
    this.rows = new Rows(byId("own-hand"), (hand) => this.hand(hand));
    match.show((document) => this.refresh(document));
  }

  /** A hand belongs to a device with its own side, or to the player who holds a shared tablet. */
  async refresh({ mine, view, seat }) {
    const isDue = (mine !== null || seat.holder !== "") && view.winner === null && view.panels.some(({ is_hand: isHand, cards }) => isHand && cards.length);
    byId("own-hand").hidden = !isDue;
    if (!isDue) this.rows.show([]);
    const shown = `${view.seq} ${seat.side} ${seat.holder}`;
    if (!isDue || this.shown === shown) {
      this.shown = isDue ? shown : null;
      return;
    }
    this.shown = shown;
    const { hands } = await ask("/match/hands").catch(noHands);
    if (this.shown !== shown) return;
    const acting = view.turn?.figure;
    const ordered = [...hands].sort((a, b) => Number(b.owner === acting) - Number(a.owner === acting));
    const isRoomy = innerWidth >= ROOMY_PX.width && innerHeight >= ROOMY_PX.height;
    this.rows.show(ordered.map((hand, i) => ({ key: hand.owner, isOpen: !answers(view.asked, hand.owner) && (hand.owner === acting || hands.length === 1 || (isRoomy && i === 0)), ...hand, whyNot: this.whyNot(hand.owner, view), turn: this.turn(hand.owner, view) })));
  }

  /** The reason why no card can be played now: another side is awaited. Null if each card has its own reason. */
  whyNot(owner, { waits }) {
    const own = this.match.document.view.figures.find(({ id }) => id === owner)?.side ?? owner;
    return waits && waits.side !== own ? t("card_waits", { side: this.match.name(waits.side) }) : null;
  }

  /** Whose turn it is, for a card without a reason of its own. */
  turn(owner, { turn, to_act: side }) {
    const own = this.match.document.view.figures.find(({ id }) => id === owner)?.side ?? owner;
    const other = [turn?.figure, side === own ? null : side].find((name) => name && name !== owner);
    return other ? t("card_turn", { name: this.match.name(other) }) : t("card_not_now");
  }

  /** Playable cards come first. A line says where others are reached by swiping. */
  hand({ panel, cards, isOpen, whyNot, turn }) {
    const counts = panel.facts.map(({ name, value }) => `${name}: ${value}`).join(" · ");
    const shown = stacked([...cards].sort((a, b) => Number(b.uses.length > 0) - Number(a.uses.length > 0)));
    const list = el("ul", { class: "hand-cards", tabindex: "0" }, ...shown.map(({ card, count }) => this.card(card, faceOf(card.text, count), whyNot, turn)));
    const seen = el("b", { class: "hand-seen", hidden: true });
    list.addEventListener("scroll", () => sayMore(list, seen), { passive: true });
    new ResizeObserver(() => sayMore(list, seen)).observe(list);
    return el("details", { class: "own-hand-part", open: isOpen }, el("summary", {}, el("b", {}, panel.title), " ", el("small", {}, counts, " ", seen)), list);
  }

  /**
   * A card with one use is played by a tap on it. Several uses each have their own tap. A card without a use is only
   * shown.
   */
  card({ text, uses, why_not: refusal }, face, whyNot, turn) {
    if (!uses.length) return el("li", { class: "playing-card idle" }, ...face, el("small", {}, whyNot ?? refusal ?? turn));
    if (uses.length === 1) return el("li", {}, this.button("playing-card", [...face, el("small", {}, uses[0].text)], uses[0], text));
    const chosen = uses.map((use) => this.button("card-use", [use.text], use, text));
    return el("li", { class: "playing-card several" }, ...face, ...chosen);
  }

  button(classes, words, use, text) {
    const button = el("button", { type: "button", class: classes }, ...words);
    button.addEventListener("click", () => this.play(text, use.command));
    return button;
  }
}

/** Cards that are the same in every word, once, with how many there are. */
function stacked(cards) {
  const words = cards.map(({ text, uses, why_not: why }) => JSON.stringify([text, why, uses.map((use) => use.text)]));
  return cards.map((card, i) => ({ card, count: words.filter((one) => one === words[i]).length })).filter((_, i) => words.indexOf(words[i]) === i);
}

/** Says that a row has cards out of sight. */
function sayMore(list, line) {
  const frame = list.getBoundingClientRect();
  const seen = [...list.children].map((card) => card.getBoundingClientRect()).map(({ left, right }) => left >= frame.left - 4 && right <= frame.right + 4);
  line.hidden = seen.every(Boolean) || !seen.includes(true);
  if (!line.hidden) line.textContent = t("hand_seen");
}

/** Whether a card of this hand answers what is asked now: it is among the answers then. */
function answers(asked, owner) {
  return asked.some((/** @type {{replies: {owner: string}[]}} */ { replies }) => replies.some((reply) => reply.owner === owner));
}

/** A card's name and effect. Cards of one name differ by their effect. */
export function wordCard(text) {
  const [name, ...gives] = text.split(": ");
  return [name, gives.join(": ")];
}

/** A card's name in large letters, with its effect below. */
function faceOf(text, count) {
  const [title, below] = wordCard(text);
  return [el("b", {}, count > 1 ? t("hand_alike", { title, count }) : title), below ? el("span", { class: "gives" }, below) : null];
}

/** A refusal shows no hand. Any other error is our own bug. */
function noHands(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return { hands: [] };
}
