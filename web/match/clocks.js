// The match's clocks: turn, round and sides. They run here between two updates from the server, and stop with it.

import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const TICK_MS = 500;

export class Clocks {
  /** @param {import("./match.js").Match} match  the match whose clocks are shown */
  constructor(match) {
    this.match = match;
    this.clock = null;
    this.isOver = false;
    this.isBegun = false;
    this.shown = "";
    this.onlyWatches = byId("clock-stop").disabled;
    byId("clock-stop").addEventListener("click", () => match.give({ type: this.clock?.running ? "pause" : "resume" }));
    byId("limits").addEventListener("submit", (event) => this.setLimits(event));
    match.show(({ view, sets_clocks }) => this.take(view.clock, view.winner !== null, sets_clocks, Boolean(view.round)));
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Take the server's clocks. After the match they only show its duration. In a tournament players only read them. */
  take(clock, isOver, isOurs, isBegun) {
    this.clock = clock;
    this.isBegun = isBegun;
    this.isOver = isOver;
    this.heardMs = performance.now();
    const word = isOurs ? t(clock.running ? "clocks_stop" : "clocks_run") : t("clocks_judges");
    setText(byId("clock-word"), isOver ? "" : word);
    byId("clock-stop").disabled = isOver || this.onlyWatches || !isOurs;
    byId("clock-limits").hidden = isOver || !isOurs;
    byId("clock-stop").setAttribute("aria-pressed", String(!clock.running));
    if (!byId("clock-limits").open) {
      byId("limit-turn").value = clock.turn_limit_s === null ? "" : String(clock.turn_limit_s / 60);
      byId("limit-side").value = clock.side_limit_s === null ? "" : String(clock.side_limit_s / 60);
    }
    this.tick();
  }

  /** Write changed times. A stopped clock and a background page cost nothing. */
  tick() {
    if (!this.clock || byId("view-initiative").hidden) return;
    const { running, side, turn_ms, round_ms, side_ms, turn_limit_s, side_limit_s, extra_s } = this.clock;
    const isOn = running && side !== null && !this.isOver && this.isBegun;
    const more = isOn ? performance.now() - this.heardMs : 0;
    const rows = [
      { name: t("clock_turn"), ms: turn_ms + more, limit: turn_limit_s, isOn },
      { name: t("clock_round"), ms: round_ms + more, limit: null, isOn },
      ...Object.entries(side_ms).map(([one, ms]) => ({
        name: this.match.name(one),
        ms: ms + (one === side ? more : 0),
        limit: side_limit_s === null ? null : side_limit_s + extra_s,
        isOn: isOn && one === side,
      })),
      ...(extra_s ? [{ name: t("clock_extra"), ms: extra_s * 1000, limit: null, isOn: false }] : []),
    ];
    const shown = JSON.stringify(rows.map(({ name, ms, limit, isOn: on }) => [name, Math.floor(ms / 1000), limit, on]));
    if (shown === this.shown) return;
    this.shown = shown;
    byId("clock-times").replaceChildren(...rows.map(clockRow));
  }

  async setLimits(event) {
    event.preventDefault();
    const seconds = (id) => Math.round(Number(byId(id).value) * 60) || null;
    const done = await this.match.give({ type: "limits", turn_s: seconds("limit-turn"), side_s: seconds("limit-side") });
    if (done) byId("clock-limits").open = false;
  }
}

function clockRow({ name, ms, limit, isOn }) {
  const isOver = limit !== null && ms > limit * 1000;
  const classes = ["clock", isOn && "on", isOver && "over"].filter(Boolean).join(" ");
  const left = limit === null ? null : el("small", { class: "left" }, isOver ? t("clock_over", { time: spoken(ms - limit * 1000) }) : t("clock_left", { time: spoken(limit * 1000 - ms) }));
  return el("span", { class: classes }, el("small", {}, name), el("b", {}, spoken(ms)), left);
}

/** Minutes and seconds, with hours if there are any. */
function spoken(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}
