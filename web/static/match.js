// The match: order of initiative, damage with large buttons, history with undo and redo.

import { ask, Refused, send } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./texts.js";

export class MatchView {
  constructor() {
    this.seq = 0;
    byId("undo").addEventListener("click", () => this.give({ type: "undo" }));
    byId("redo").addEventListener("click", () => this.give({ type: "redo" }));
  }

  async refresh() {
    try {
      this.show(await ask("/match"));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }

  /** Gives a command; the same one is never carried out twice, however often a finger or the network repeats it. */
  async give(command) {
    this.trouble(null);
    try {
      this.show(await send("/match/commands", { ...command, after: this.seq, id: crypto.getRandomValues(new Uint32Array(4)).join("-") }));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
      if (problem.status === 409) await this.refresh();
    }
  }

  show({ order, view }) {
    this.seq = view.seq;
    const done = view.history.filter((entry) => entry.done);
    byId("match-round").textContent = t("round", { round: view.round });
    byId("order").replaceChildren(...order.map(place));
    byId("prompts").replaceChildren(...prompts(view).map((prompt) => this.button(prompt)));
    byId("fighters").replaceChildren(...view.figures.filter((figure) => figure.on_table).map((figure) => this.fighter(figure)));
    const last = done.at(-1)?.seq ?? 0;
    byId("history").replaceChildren(...[...view.history].reverse().map((entry) => this.entry(entry, entry.seq === last)));
    byId("undo").disabled = done.length === 0;
    byId("redo").disabled = done.length === view.history.length;
  }

  button({ text, command }) {
    const button = el("button", { type: "button", class: "button primary" }, text);
    button.addEventListener("click", () => this.give(command));
    return button;
  }

  /** A line of the history; tapping it takes the match back to just after that step, or on to it again. */
  entry({ seq, title, done }, isNow) {
    const label = t(done ? "back_to" : "on_to", { title });
    const button = el("button", { type: "button", class: done ? "entry" : "entry undone", "aria-label": label, disabled: isNow }, `${seq}. ${title}`);
    button.addEventListener("click", () => this.give({ type: done ? "undo" : "redo", to: seq }));
    return el("li", { "aria-current": isNow ? "step" : null }, button);
  }

  fighter(figure) {
    const { full, left, steps } = wellbeing(figure);
    const stunned = figure.marks.includes("stunned");
    const act = (label, text, command, pressed = null) => {
      const button = el("button", { type: "button", class: "step", "aria-label": label, "aria-pressed": pressed }, text);
      button.addEventListener("click", () => this.give(command));
      return button;
    };
    return el(
      "li",
      { class: figure.staggered ? "fighter staggered" : "fighter" },
      el("span", { class: "name" }, figure.id),
      el("span", { class: "health" }, t("health", { left, full })),
      steps.includes("damage") && act(t("wound", { name: figure.id }), "−", { type: "damage", figure: figure.id, amount: 1 }),
      steps.includes("heal") && act(t("heal", { name: figure.id }), "+", { type: "heal", figure: figure.id, amount: 1 }),
      steps.includes("stun") && act(t("stun", { name: figure.id }), "✶", { type: "stun", figure: figure.id, on: !stunned }, String(stunned)),
    );
  }

  trouble(text) {
    byId("match-trouble").hidden = text === null;
    byId("match-trouble").textContent = text ?? "";
  }
}

function place(entry) {
  const classes = ["place", `side-${entry.side_color}`, entry.is_active ? "active" : "", entry.has_acted ? "acted" : ""];
  const states = [entry.is_active && t("is_active"), entry.has_acted && t("has_acted"), entry.is_stunned && t("is_stunned")];
  return el(
    "li",
    { class: classes.join(" ").trim(), "aria-current": entry.is_active ? "step" : null },
    el("span", { class: "name" }, entry.name),
    el("span", { class: "state" }, states.filter(Boolean).join(", ")),
    el("span", { class: "health" }, t("health", { left: entry.health, full: entry.health_max })),
  );
}

/** What may be done now with nothing left to choose but what stands in the view. */
function prompts(view) {
  return view.prompts.flatMap((prompt) => {
    const command = { type: prompt.type, ...prompt.fields };
    if (prompt.type === "activate_kind" && !("kind" in command)) {
      const ready = view.demon_cards.filter((card) => card.kind && card.face_up && card.ready);
      return ready.map((card) => ({ text: `${prompt.text}: ${card.kind}`, command: { ...command, kind: card.kind } }));
    }
    if (prompt.type === "activate" && !("figure" in command)) {
      return view.turn.queue.map((figure) => ({ text: `${prompt.text}: ${figure}`, command: { ...command, figure } }));
    }
    return [{ text: prompt.text, command }];
  });
}

/** How a figure is, in the words of its own system, and which buttons that system has for it. */
function wellbeing(figure) {
  if ("damage" in figure) return { full: figure.health, left: figure.health - figure.damage, steps: ["damage", "heal", "stun"] };
  if ("health" in figure) return { full: figure.health, left: figure.health - figure.wounds, steps: ["damage", "heal"] };
  return { full: figure.toughness, left: figure.current_toughness, steps: [] };
}
