// Whose turn it is, in words for across the table, and what may be done now, within reach of a thumb.

import { ask, Refused } from "../shell/api.js";
import { Choosing } from "./choosing.js";
import { byId, el } from "../shell/dom.js";
import { Laying } from "./laying.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class InitiativeView {
  /**
   * @param {Match} match  the match that is shown
   * @param {object} told  what `Choosing` needs: scene(), ownDice(command)
   */
  constructor(match, told) {
    this.match = match;
    this.told = told;
    this.seen = null;
    this.choosing = new Choosing(match, told);
    this.order = new Rows(byId("order"), (entry) => place(entry));
    this.prompts = new Rows(byId("prompts"), (row) => (row.command ? this.button(row) : el("p", { class: "waiting" }, row.text)));
    this.deeds = new Rows(byId("deed-list"), (row) => this.button(row));
    byId("deeds").addEventListener("toggle", () => this.showDeeds());
    this.laying = new Laying(match);
    match.show((document) => this.show(document));
  }

  show({ order, view, mine }) {
    setText(byId("match-round"), view.round ? t("round", { round: view.round }) : t("before_round"));
    setText(byId("acting"), this.acting(order, view));
    this.showOrder(view.winner ? order.map((entry) => ({ ...entry, is_active: false })) : order);
    const open = view.prompts.filter((prompt) => !mine || !prompt.side || prompt.side === mine.side);
    const seen = this.seenMove(mine);
    const offered = open.map((prompt, i) => asButton(prompt.text, { type: prompt.type, ...prompt.fields }, i === 0 && seen.length === 0));
    const others = [...new Set(view.prompts.map((prompt) => prompt.side))].filter(Boolean);
    const waiting = !offered.length && others.length ? [{ key: "waiting", text: t("waits_for", { side: this.match.name(others[0]) }) }] : [];
    this.prompts.show([...seen, ...offered, ...waiting]);
    byId("deeds").hidden = view.winner !== null;
    this.showDeeds();
    this.look();
  }

  /** The camera has a new picture of the table: whoever acts may have moved. */
  async look() {
    this.laying.look();
    const { view } = this.match.document;
    const scene = this.told.scene();
    const isElsewhere = Boolean(scene) && view.winner === null && isSeenElsewhere(scene, view);
    const asked = isElsewhere ? `${view.seq} ${scene.shot}` : "";
    if (this.looked === asked) return;
    this.looked = asked;
    const found = asked ? await ask("/match/seen").catch(nothingSeen) : { move: null };
    if (this.looked !== asked || JSON.stringify(found.move) === JSON.stringify(this.seen)) return;
    this.seen = found.move;
    this.show(this.match.document);
  }

  /** What the camera saw as a step of one tap, instead of spaces to be tapped. */
  seenMove(mine) {
    if (!this.seen || (mine && !mine.figures.includes(this.seen.figure))) return [];
    const text = t("seen_moved", { name: this.match.name(this.seen.figure), cost: this.seen.cost });
    return [asButton(text, this.seen.command, true)];
  }

  /** What may be done besides; it is asked for while it is looked at. */
  async showDeeds() {
    if (!byId("deeds").open || byId("deeds").hidden || this.deedsSeq === this.match.seq) return;
    this.deedsSeq = this.match.seq;
    try {
      const { deeds } = await ask("/match/deeds");
      const first = [...deeds].sort((a, b) => a.is_by_hand - b.is_by_hand);
      this.deeds.show(first.map((deed) => asButton(deed.text, { type: deed.type }, false)));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
    }
  }

  /** The order of turns; it is scrolled to who acts when that has changed. */
  showOrder(order) {
    this.order.show(order.map((entry) => ({ key: entry.name, ...entry, called: this.match.name(entry.name) })));
    const active = order.find((entry) => entry.is_active)?.name;
    if (active !== this.active) byId("order").querySelector(".active")?.scrollIntoView({ block: "nearest" });
    this.active = active;
  }

  acting(order, view) {
    if (view.winner) return t("winner", { side: this.match.name(view.winner) });
    if (view.turn_of) return t("turn_of", { side: this.match.name(view.turn_of) });
    const active = order.find((entry) => entry.is_active);
    const who = active?.name ?? (view.turn ? view.to_act : null);
    return who ? t("acts", { name: this.match.name(who) }) : t("nobody_acts");
  }

  button({ text, command, isFirst }) {
    const button = el("button", { type: "button", class: isFirst ? "button primary" : "button" }, text);
    button.addEventListener("click", () => this.choosing.begin(text, command));
    return button;
  }
}

/** Whether the camera sees who acts on other spaces than the match has it. */
function isSeenElsewhere(scene, view) {
  const id = view.turn?.figure;
  const [seen, known] = [scene.figures, view.figures].map((all) => all.find((figure) => figure.id === id)?.cells);
  const places = (cells) => cells.map((cell) => cell.join()).sort().join(" ");
  return Boolean(seen && known?.length) && places(seen) !== places(known);
}

/** A refusal is no move; whatever else went wrong is a mistake of ours. */
function nothingSeen(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return { move: null };
}

function asButton(text, command, isFirst) {
  return { key: JSON.stringify(command), text, command, isFirst };
}

function place(entry) {
  const classes = ["place", `side-${entry.side_color}`, entry.is_active && "active", entry.has_acted && "acted"];
  const states = [entry.is_active && t("is_active"), entry.has_acted && t("has_acted"), entry.is_stunned && t("is_stunned")];
  return el(
    "li",
    { class: classes.filter(Boolean).join(" "), "aria-current": entry.is_active ? "step" : null },
    el("span", { class: "name" }, entry.called),
    el("span", { class: "state" }, states.filter(Boolean).join(", ")),
    el("span", { class: "health" }, t("health", { left: entry.health, full: entry.health_max })),
  );
}
