// One figure in the turn order: its name, its health, and whether it acts or has acted.

import { el } from "../shell/dom.js";
import { portrait } from "./portraits.js";
import { t } from "../shell/texts.js";
import { healthBar } from "./wellbeing.js";

/**
 * The rows of a turn order: `called` is the display name. For a side that acts as one, `standing` counts its figures.
 */
export function placesOf(order, figures, nameOf) {
  const own = (/** @type {string} */ name) => figures.filter(({ side }) => side === name);
  return order.map((entry) => ({ key: entry.name, ...entry, called: nameOf(entry.name), standing: own(entry.name).length ? own(entry.name).filter(({ on_table: isOn }) => isOn !== false).length : null }));
}

/** A row of the turn order. `entry` is one of `placesOf`. */
export function place(entry) {
  const classes = ["place", `side-${entry.side_color}`, entry.is_active && "active", entry.has_acted && "acted"];
  const states = [entry.is_active && t("is_active"), entry.has_acted && t("has_acted"), entry.is_stunned && t("is_stunned")];
  return el(
    "li",
    { class: classes.filter(Boolean).join(" "), "aria-current": entry.is_active ? "step" : null },
    portrait(entry.name),
    el("span", { class: "name" }, entry.called),
    el("span", { class: "state" }, states.filter(Boolean).join(", ")),
    el("span", { class: "health" }, healthOf(entry)),
    healthBar(entry.health, entry.health_max),
  );
}

/** The health left: of a side its figures, of a group figure by figure, since a sum would not show who is hurt. */
export function healthOf({ health, health_max: full, each, standing }) {
  if (standing !== null) return t("figures_standing", { n: standing });
  if (!each.length) return t("health", { left: health, full });
  const most = full / each.length;
  if (new Set(each).size === 1) return each.length > 1 ? t("health_each", { n: each.length, left: each[0], full: most }) : t("health", { left: each[0], full: most });
  return `♥ ${each.map((/** @type {number} */ left) => `${left}/${most}`).join(" · ")}`;
}
