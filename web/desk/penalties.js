// Penalties by player: those in a ruling, and the players' earlier ones.

import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const MANY = 2; // only the head judge may escalate the third warning

export class PenaltyList {
  constructor() {
    this.given = [];
    byId("penalty-add").addEventListener("click", () => this.add());
  }

  /** Offer the open call's players. A table without pairings takes a typed name. */
  offer(players) {
    const place = byId("penalty-player");
    const key = JSON.stringify(players);
    if (place.dataset.shown === key) return;
    place.dataset.shown = key;
    place.replaceChildren(...players.map((name) => el("option", { value: name }, name)));
    byId("penalties").hidden = players.length === 0;
  }

  clear() {
    this.given = [];
    this.draw();
  }

  add() {
    const [player, level, infraction] = ["penalty-player", "penalty-level", "infraction"].map((id) => /** @type {HTMLInputElement} */ (byId(id)).value.trim());
    if (!player) return;
    this.given.push({ player, level, infraction });
    byId("infraction").value = "";
    this.draw();
  }

  draw() {
    byId("penalties-given").replaceChildren(
      ...this.given.map((one, place) => {
        const drop = el("button", { type: "button", class: "button" }, t("penalty_drop"));
        drop.addEventListener("click", () => {
          this.given.splice(place, 1);
          this.draw();
        });
        return el("li", {}, el("span", {}, words(one.player, t(`level_${one.level}`), one.infraction)), drop);
      }),
    );
  }
}

function words(player, level, infraction) {
  const head = player && level ? t("penalty_line", { player, level }) : player || level;
  return [head, infraction].filter(Boolean).join(" – ");
}

/** Show earlier penalties of both players, and whose next warning is the head judge's. */
export function pastPenalties(history) {
  if (!history.length) return [el("li", {}, t("penalty_none"))];
  const counts = new Map();
  for (const one of history) if (one.stands && one.level === "warning") counts.set(one.player, (counts.get(one.player) ?? 0) + 1);
  const many = [...counts].filter(([, count]) => count >= MANY).map(([player, count]) => el("li", { class: "wanted" }, t("penalty_upgrade", { player, count })));
  const rows = history.map((one) => {
    const where = [one.round && t("round_name", { round: one.round }), one.table, !one.stands && t("penalty_ended")].filter(Boolean).join(" · ");
    return el("li", { class: one.stands ? "" : "ended" }, el("span", {}, words(one.player, one.level_name, one.infraction)), " ", el("small", {}, where));
  });
  return [...many, ...rows];
}
