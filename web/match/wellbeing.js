// A figure's condition: its remaining health and its tokens in words, for the list and the picture.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** Share of the health up to which the bar warns. */
const LOW = 1 / 3;

/** A figure's full and remaining health, in its own game's numbers. */
export function wellbeing(figure) {
  if ("damage" in figure) return { full: figure.health, left: figure.health - figure.damage };
  if ("health" in figure) return { full: figure.health, left: figure.health - figure.wounds };
  return { full: figure.toughness, left: figure.current_toughness };
}

/** The remaining health as a bar. The number beside it shows the same. */
export function healthBar(left, full) {
  const share = Math.max(0, Math.min(1, left / Math.max(1, full)));
  const bar = el("i");
  bar.style.width = `${100 * share}%`;
  return el("span", { class: share > LOW ? "left" : "left low", "aria-hidden": "true" }, bar);
}

/** The tokens beside a figure, in words. */
export function statuses(figure, marks) {
  return [...figure.marks, ...(figure.staggered ? ["staggered"] : [])].map((mark) => marks[mark]);
}

/** The same with its armour. */
export function badges(figure, marks) {
  return [...statuses(figure, marks), ...(figure.armor ? [t("armor", { armor: figure.armor })] : [])];
}

/** The conditions shown beside the match's figures, by id, without healthy ones. */
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
