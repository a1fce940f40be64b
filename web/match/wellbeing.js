// How a figure is: what is left of its health, and what lies beside it, in words; for the list and for the picture.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** Up to which share of the health a bar warns. */
const LOW = 1 / 3;

/** How much health a figure had and how much is left, in the numbers of its own game. */
export function wellbeing(figure) {
  if ("damage" in figure) return { full: figure.health, left: figure.health - figure.damage };
  if ("health" in figure) return { full: figure.health, left: figure.health - figure.wounds };
  return { full: figure.toughness, left: figure.current_toughness };
}

/** What is left of the health as a bar; the number beside it says the same. */
export function healthBar(left, full) {
  const share = Math.max(0, Math.min(1, left / Math.max(1, full)));
  const bar = el("i");
  bar.style.width = `${100 * share}%`;
  return el("span", { class: share > LOW ? "left" : "left low", "aria-hidden": "true" }, bar);
}

/** What is beside a figure, in words. */
export function statuses(figure, marks) {
  return [...figure.marks, ...(figure.staggered ? ["staggered"] : [])].map((mark) => marks[mark]);
}

/** The same with its armour. */
export function badges(figure, marks) {
  return [...statuses(figure, marks), ...(figure.armor ? [t("armor", { armor: figure.armor })] : [])];
}

/** What the picture shows beside each figure of the match, by its id; figures in plain health are left out. */
export function conditions({ view, marks }) {
  const standing = view.figures.filter((figure) => figure.on_table);
  return new Map(standing.map((figure) => [figure.id, condition(figure, marks)]).filter(([, told]) => told !== null));
}

function condition(figure, marks) {
  const { full, left } = wellbeing(figure);
  const words = statuses(figure, marks);
  const isCounted = typeof figure.ammo === "number";
  if (left >= full && !words.length && !isCounted) return null;
  const spoken = [t("health", { left, full }), ...badges(figure, marks), ...(isCounted ? [t("ammo", { ammo: figure.ammo })] : [])];
  return { left, full, armor: figure.armor ?? 0, ammo: isCounted ? figure.ammo : null, words, spoken: spoken.join(", ") };
}
