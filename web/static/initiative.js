// Whose turn it is, in words for across the table, and what may be done now, within reach of a thumb.

import { byId, el } from "./dom.js";
import { t } from "./texts.js";

export class InitiativeView {
  /** @param {Match} match  the match that is shown */
  constructor(match) {
    this.match = match;
    match.show((document) => this.show(document));
  }

  show({ order, view, mine }) {
    byId("match-round").textContent = view.round ? t("round", { round: view.round }) : t("before_round");
    byId("acting").textContent = this.acting(order, view);
    byId("order").replaceChildren(...order.map((entry) => this.place(entry)));
    const open = view.prompts.filter((prompt) => !mine || !prompt.side || prompt.side === mine.side);
    const offered = offers(this.match, view, open).map((offer, i) => this.button(offer, i));
    const others = [...new Set(view.prompts.map((prompt) => prompt.side))].filter(Boolean);
    const waiting = !offered.length && others.length ? [el("p", { class: "waiting" }, t("waits_for", { side: this.match.name(others[0]) }))] : [];
    byId("prompts").replaceChildren(...offered, ...waiting);
    byId("order").querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  acting(order, view) {
    if (view.winner) return t("winner", { side: this.match.name(view.winner) });
    const active = order.find((entry) => entry.is_active);
    const who = active?.name ?? (view.turn ? view.to_act : null);
    return who ? t("acts", { name: this.match.name(who) }) : t("nobody_acts");
  }

  place(entry) {
    const classes = ["place", `side-${entry.side_color}`, entry.is_active && "active", entry.has_acted && "acted"];
    const states = [entry.is_active && t("is_active"), entry.has_acted && t("has_acted"), entry.is_stunned && t("is_stunned")];
    return el(
      "li",
      { class: classes.filter(Boolean).join(" "), "aria-current": entry.is_active ? "step" : null },
      el("span", { class: "name" }, this.match.name(entry.name)),
      el("span", { class: "state" }, states.filter(Boolean).join(", ")),
      el("span", { class: "health" }, t("health", { left: entry.health, full: entry.health_max })),
    );
  }

  button({ text, command }, i) {
    const button = el("button", { type: "button", class: i === 0 ? "button primary" : "button" }, text);
    button.addEventListener("click", () => this.match.give(command));
    return button;
  }
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
