// Whose turn it is, in words for across the table, and what may be done now, within reach of a thumb.

import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class InitiativeView {
  /** @param {Match} match  the match that is shown */
  constructor(match) {
    this.match = match;
    this.order = new Rows(byId("order"), (entry) => place(entry));
    this.prompts = new Rows(byId("prompts"), (row) => (row.command ? this.button(row) : el("p", { class: "waiting" }, row.text)));
    match.show((document) => this.show(document));
  }

  show({ order, view, mine }) {
    setText(byId("match-round"), view.round ? t("round", { round: view.round }) : t("before_round"));
    setText(byId("acting"), this.acting(order, view));
    this.showOrder(order);
    const open = view.prompts.filter((prompt) => !mine || !prompt.side || prompt.side === mine.side);
    const offered = offers(this.match, view, open).map((offer, i) => ({ key: JSON.stringify(offer.command), isFirst: i === 0, ...offer }));
    const others = [...new Set(view.prompts.map((prompt) => prompt.side))].filter(Boolean);
    const waiting = !offered.length && others.length ? [{ key: "waiting", text: t("waits_for", { side: this.match.name(others[0]) }) }] : [];
    this.prompts.show([...offered, ...waiting]);
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
    const active = order.find((entry) => entry.is_active);
    const who = active?.name ?? (view.turn ? view.to_act : null);
    return who ? t("acts", { name: this.match.name(who) }) : t("nobody_acts");
  }

  button({ text, command, isFirst }) {
    const button = el("button", { type: "button", class: isFirst ? "button primary" : "button" }, text);
    button.addEventListener("click", () => this.match.give(command));
    return button;
  }
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

/** What may be done now with nothing left to choose but what stands in the view. */
function offers(match, view, prompts) {
  return prompts.flatMap((prompt) => {
    const command = { type: prompt.type, ...prompt.fields };
    const each = (names, field) =>
      names.map((name) => ({ text: `${prompt.text}: ${match.name(name)}`, command: { ...command, [field]: name } }));
    if (prompt.type === "activate_kind" && !("kind" in command)) {
      return each(view.demon_cards.filter((card) => card.kind && card.face_up && card.ready).map((card) => card.kind), "kind");
    }
    if (prompt.type === "activate" && !("figure" in command)) return each(view.turn.queue, "figure");
    return [{ text: prompt.text, command }];
  });
}
