// How every figure is: health in large numbers, tokens as they lie on the table, and buttons for a thumb.

import { byId, el } from "./dom.js";
import { t } from "./texts.js";

export class FiguresView {
  /** @param {Match} match  the match that is shown */
  constructor(match) {
    this.match = match;
    match.show((document) => this.show(document));
  }

  show({ view, names }) {
    const sides = new Map();
    for (const figure of view.figures) {
      sides.set(figure.side, [...(sides.get(figure.side) ?? []), figure]);
    }
    const focused = document.activeElement?.dataset.step;
    byId("fighters").replaceChildren(...[...sides].map(([side, figures]) => this.side(names[side] ?? side, figures)));
    if (focused) byId("fighters").querySelector(`[data-step="${CSS.escape(focused)}"]`)?.focus();
  }

  side(name, figures) {
    const standing = figures.filter((figure) => figure.on_table);
    const away = figures.filter((figure) => !figure.on_table).map((figure) => this.match.name(figure.id));
    return el(
      "section",
      { class: "side" },
      el("h3", {}, name),
      el("ul", {}, ...standing.map((figure) => this.fighter(figure))),
      away.length ? el("p", { class: "away" }, `${t("off_table")}: ${away.join(", ")}`) : null,
    );
  }

  fighter(figure) {
    const name = this.match.name(figure.id);
    const { full, left, steps: known } = wellbeing(figure);
    const { mine } = this.match.document;
    const steps = !mine || mine.figures.includes(figure.id) ? known : [];
    const stunned = figure.marks.includes("stunned");
    return el(
      "li",
      { class: "fighter" },
      el("div", { class: "who" }, el("span", { class: "name" }, name), this.badges(figure)),
      meter(left, full),
      tokens(figure),
      el(
        "div",
        { class: "steps" },
        steps.includes("damage") && this.step(figure, t("wound", { name }), "−", { type: "damage", figure: figure.id, amount: 1 }),
        steps.includes("heal") && this.step(figure, t("heal", { name }), "+", { type: "heal", figure: figure.id, amount: 1 }),
        steps.includes("stun") && this.step(figure, t("stun", { name }), "✶", { type: "stun", figure: figure.id, on: !stunned }, String(stunned)),
      ),
    );
  }

  badges(figure) {
    const marks = [...figure.marks, ...(figure.staggered ? ["staggered"] : [])];
    const armor = figure.armor ? [t("armor", { armor: figure.armor })] : [];
    const words = [...marks.map((mark) => this.match.document.marks[mark]), ...armor];
    return el("span", { class: "badges" }, ...words.map((word) => el("span", {}, word)));
  }

  step(figure, label, text, command, pressed = null) {
    const attributes = { type: "button", class: "step", "aria-label": label, "aria-pressed": pressed, "data-step": `${command.type} ${figure.id}` };
    const button = el("button", attributes, text);
    button.addEventListener("click", () => this.match.give(command));
    return button;
  }
}

/** The health as a number and, where they can be counted, as pips. */
function meter(left, full) {
  const pips = full <= 12 ? Array.from({ length: full }, (_, i) => el("i", { class: i < left ? "pip" : "pip gone" })) : [];
  return el(
    "div",
    { class: "meter" },
    el("span", { class: "health" }, el("b", {}, String(left)), ` ${t("of_full", { full })}`),
    el("span", { class: "pips", "aria-hidden": "true" }, ...pips),
  );
}

/** The damage tokens that lie beside the figure, as many and as large as they are on the table. */
function tokens(figure) {
  const piles = Object.entries(figure.tokens ?? {}).flatMap(([worth, count]) => Array(count).fill(worth));
  if (!piles.length) return null;
  const label = t("tokens", { worth: piles.join(", ") });
  return el("span", { class: "tokens", role: "img", "aria-label": label }, ...piles.map((worth) => el("i", { class: `token worth-${worth}` }, worth)));
}

/** How a figure is, in the words of its own system, and which buttons that system has for it. */
function wellbeing(figure) {
  if ("damage" in figure) return { full: figure.health, left: figure.health - figure.damage, steps: ["damage", "heal", "stun"] };
  if ("health" in figure) return { full: figure.health, left: figure.health - figure.wounds, steps: ["damage", "heal"] };
  return { full: figure.toughness, left: figure.current_toughness, steps: [] };
}
