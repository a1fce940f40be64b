// This table in its tournament: the round's clock on every view, and the result submitted by both players.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const LOOK_MS = 10_000;
const RESULTS = ["1-0", "1/2-1/2", "0-1"];

export class SeatView {
  constructor() {
    this.seat = null;
    this.at = 0;
    this.looking = 0;
    setInterval(() => this.count(), 1000);
  }

  async refresh() {
    try {
      this.seat = await ask("/tournament");
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      return;
    }
    this.at = performance.now();
    // no event reports that the desk has gone
    if (this.seat.event && !this.looking) this.looking = setInterval(() => this.refresh(), LOOK_MS);
    this.draw();
  }

  /** Draw the tournament's parts. Without a tournament they stay hidden. */
  draw() {
    const { event, round, first, second, result, handed, extension_s: extensionS, is_desk_there: isDeskThere } = this.seat;
    byId("round-chip").hidden = !event || !round;
    const place = byId("seat-card");
    place.hidden = !event;
    if (!event) return;
    setText(byId("seat-desk"), isDeskThere ? "" : t("seat_no_desk"));
    setText(byId("seat-players"), first ? [first, second || t("seat_bye")].join(" – ") : t("seat_none"));
    setText(byId("seat-extension"), extensionS ? t("seat_extension", { minutes: Math.round(extensionS / 60) }) : "");
    byId("handing").hidden = !first || !second || result !== "*" || !document.getElementById("handing-acts");
    setText(byId("seat-result"), result && result !== "*" ? t("seat_result", { result: result === "0-0" ? this.worded(result) : result }) : handed ? this.handedWords(handed) : "");
    if (!byId("handing").hidden) this.offer({ first, second, handed });
    this.count();
  }

  handedWords({ result, agreed }) {
    const names = agreed.map((one) => this.seat[one]);
    return t("seat_handed", { names: names.join(", "), result });
  }

  /** A row of results for each player. The other player's report is marked. */
  offer({ first, second, handed }) {
    const rows = [["first", first], ["second", second]].map(([player, name]) => {
      const buttons = RESULTS.map((result) => {
        const said = handed?.result === result && handed.agreed.includes(player);
        const button = el("button", { type: "button", class: "button", "data-player": player, "data-result": result, "aria-pressed": String(said), "aria-label": t("seat_says", { name, result: this.worded(result) }) }, this.worded(result));
        button.addEventListener("click", () => this.handIn(player, result));
        return button;
      });
      return el("div", { class: "handing-row" }, el("b", {}, name), el("div", { class: "call-tools" }, ...buttons));
    });
    byId("handing-acts").replaceChildren(...rows);
  }

  worded(result) {
    if (result === "0-0") return t("seat_both_lost");
    if (result === "1/2-1/2") return t("seat_draw");
    return t("seat_wins", { name: result === "1-0" ? this.seat.first : this.seat.second });
  }

  async handIn(player, result) {
    try {
      this.seat = await send("/tournament/result", { player, result });
      this.at = performance.now();
      setText(byId("handing-said"), "");
      this.draw();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("handing-said"), problem.message);
    }
  }

  count() {
    if (!this.seat?.round) return;
    const { round, runs, left_s: leftS, first } = this.seat;
    const left = leftS - (runs ? (performance.now() - this.at) / 1000 : 0);
    const whole = Math.abs(Math.trunc(left));
    const time = `${left < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    const words = first ? t("seat_round", { round, time }) : t("seat_round_alone", { round });
    setText(byId("round-chip"), words);
    setText(byId("seat-clock"), words);
    byId("round-chip").classList.toggle("over", left < 0);
  }
}
