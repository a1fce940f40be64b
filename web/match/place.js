// One figure in the order of turns: its name, what is left of it, and whether it acts or has acted.

import { el } from "../shell/dom.js";
import { portrait } from "./portraits.js";
import { t } from "../shell/texts.js";
import { healthBar } from "./wellbeing.js";

/** A row of the order of turns: `entry` is that of the match, with `called` as people call it. */
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

/** What is left; of a group figure by figure, since a sum says nothing of who is hurt. */
function healthOf({ health, health_max: full, each }) {
  if (!each.length) return t("health", { left: health, full });
  const most = full / each.length;
  if (new Set(each).size === 1) return `${each.length > 1 ? `${each.length} × ` : ""}${t("health", { left: each[0], full: most })}`;
  return each.map((/** @type {number} */ left) => `${left}/${most}`).join(" · ");
}
