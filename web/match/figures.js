// Every figure's condition: health in large numbers, tokens as on the table, and buttons for a thumb.

import { byId, el } from "../shell/dom.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { portrait } from "./portraits.js";
import { Rows, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { badges, wellbeing } from "./wellbeing.js";

export class FiguresView {
  /** @param {import("./match.js").Match} match  the shown match */
  constructor(match) {
    this.match = match;
    this.fighters = new Map();
    this.sides = new Rows(byId("fighters"), (side) => this.side(side));
    match.show((document) => steadily(byId("fighters"), () => this.draw(document)));
  }

  draw({ view, mine, marks, by_hand: steps }) {
    const sides = [...new Set(view.figures.map((figure) => figure.side))];
    this.sides.draw(sides.map((key) => ({ key, name: this.match.name(key) })));
    for (const side of sides) this.drawSide(side, view.figures.filter((figure) => figure.side === side), { mine, marks, steps });
  }

  drawSide(side, figures, { mine, marks, steps }) {
    const { list, away } = this.fighters.get(side);
    const items = figures
      .filter((figure) => figure.on_table)
      .map((figure) => ({
        key: figure.id,
        figure,
        name: this.match.name(figure.id),
        badges: badges(figure, marks),
        steps: !ONLY_WATCHES && (!mine || mine.figures.includes(figure.id)) ? steps : [],
      }));
    list.draw(items);
    const names = figures.filter((figure) => !figure.on_table).map((figure) => this.match.name(figure.id));
    away.draw(names.length ? [{ key: "away", text: `${t("off_table")}: ${names.join(", ")}` }] : []);
  }

  /** A side's frame. Its figures, and the missing ones, are filled in separately. */
  side({ key, name }) {
    const [list, away] = [el("ul"), el("div")];
    this.fighters.set(key, {
      list: new Rows(list, (item) => this.fighter(item)),
      away: new Rows(away, ({ text }) => el("p", { class: "away" }, text)),
    });
    return el("section", { class: "side" }, el("h3", {}, name), list, away);
  }

  fighter({ figure, name, badges: words, steps }) {
    const { full, left } = wellbeing(figure);
    const stunned = figure.marks.includes("stunned");
    return el(
      "li",
      { class: "fighter" },
      el("div", { class: "who" }, portrait(figure.id), el("span", { class: "name" }, name), el("span", { class: "badges" }, ...words.map((word) => el("span", { class: "badge-word" }, word)))),
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

  step(figure, label, text, command, pressed = null) {
    const attributes = { type: "button", class: "step", "aria-label": label, "aria-pressed": pressed, "data-step": `${command.type} ${figure.id}` };
    const button = el("button", attributes, text);
    button.addEventListener("click", () => this.match.give(command));
    return button;
  }
}

/** The health as a number and, if countable, as pips. */
function meter(left, full) {
  const pips = full <= 12 ? Array.from({ length: full }, (_, i) => el("i", { class: i < left ? "pip" : "pip gone" })) : [];
  return el(
    "div",
    { class: "meter" },
    el("span", { class: "health" }, el("b", {}, String(left)), ` ${t("of_full", { full })}`),
    el("span", { class: "pips", "aria-hidden": "true" }, ...pips),
  );
}

/** The damage tokens beside the figure, in the number and size of those on the table. */
function tokens(figure) {
  const piles = Object.entries(figure.tokens ?? {}).flatMap(([worth, count]) => Array(count).fill(worth));
  if (!piles.length) return null;
  const label = t("tokens", { worth: piles.join(", ") });
  return el("span", { class: "tokens", role: "img", "aria-label": label }, ...piles.map((worth) => el("i", { class: `token worth-${worth}` }, worth)));
}
