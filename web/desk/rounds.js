// Rounds with their pairings, results, and a clock for every table.

import { Refused, send } from "../shell/api.js";
import { el } from "../shell/dom.js";
import { arrange, replaceKeeping, Rows, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { clockOf, heardClocks } from "./clocks.js";

const RESULTS = ["*", "1-0", "1/2-1/2", "0-1", "0-0"];

/** The rounds, the newest first. Rows are drawn in unfolded rounds, and redrawn on change. */
export class Rounds {
  /**
   * @param {HTMLElement} place
   * @param {{isJudge: boolean, changed: () => void, refused?: (words: string) => void}} desk
   */
  constructor(place, desk) {
    this.place = place;
    this.desk = desk;
    /** @type {Map<number, Round>} */
    this.parts = new Map();
  }

  /** @param {Record<string, any>[]} rounds */
  show(rounds) {
    steadily(this.place, () => {
      if (!rounds.length) this.place.replaceChildren(el("p", { class: "note" }, t(this.desk.isJudge ? "round_none" : "round_none_public")));
      else this.draw([...rounds].reverse());
      heardClocks(rounds);
    });
  }

  draw(rounds) {
    const newest = [...this.parts.values()].at(0);
    this.parts = new Map(rounds.map((round) => [round.number, this.parts.get(round.number) ?? new Round(this.desk)]));
    arrange(this.place, [...this.parts.values()].map(({ node }) => node));
    const first = [...this.parts.values()][0];
    if (first !== newest) {
      if (newest) newest.node.open = false;
      first.node.open = true;
    }
    for (const round of rounds) this.parts.get(round.number).show(round);
  }
}

class Round {
  constructor(desk) {
    this.desk = desk;
    this.head = el("summary");
    this.acts = el("div", { class: "acts" });
    this.body = el("tbody");
    this.rows = new Rows(this.body, ({ round, pair }) => pairRow(round, pair, this.desk));
    this.node = el("details", {}, this.head, desk.isJudge && this.acts, el("table", {}, this.body));
    this.node.addEventListener("toggle", () => this.drawRows());
  }

  show(round) {
    this.round = round;
    const key = JSON.stringify({ ...round, left_s: 0, pairings: [] });
    if (this.shown !== key) {
      this.shown = key;
      this.node.dataset.round = round.number;
      const state = this.desk.isJudge && el("small", {}, t(round.is_public ? "round_is_public" : "round_is_hidden"));
      this.head.replaceChildren(el("b", {}, t("round_name", { round: round.number })), clockOf(`round-${round.number}`), state || "");
      replaceKeeping(this.acts, [clockButton(round, this.desk), publishButton(round, this.desk)].filter(Boolean));
    }
    this.drawRows();
  }

  drawRows() {
    if (!this.node.open) return;
    const { number } = this.round;
    this.rows.draw(this.round.pairings.map((pair) => ({ key: pair.table, round: number, pair: { ...pair, left_s: 0 } })));
  }
}

function clockButton(round, desk) {
  const button = el("button", { type: "button", class: "button", "data-run": round.number }, t(round.runs ? "round_stop" : "round_start"));
  button.addEventListener("click", () => change(desk, `/hall/rounds/${round.number}/clock`, { runs: !round.runs }));
  return button;
}

/** Pairings become public when the clock starts. Before that, a judge decides. */
function publishButton(round, desk) {
  if (round.has_begun) return false;
  const button = el("button", { type: "button", class: "button", "data-publish": round.number }, t(round.is_public ? "round_withdraw" : "round_publish"));
  button.addEventListener("click", () => change(desk, `/hall/rounds/${round.number}/publication`, { is_public: !round.is_public }));
  return button;
}

function pairRow(round, pair, desk) {
  return el(
    "tr",
    { "data-pair": pair.table },
    el("th", { scope: "row" }, pair.table),
    el("td", {}, `${pair.first} – ${pair.second || t("round_bye")}`),
    el("td", {}, desk.isJudge && pair.second ? resultChoice(round, pair, desk) : pair.result, scoresOf(pair)),
    el("td", {}, clockOf(`round-${round}-${pair.table}`)),
  );
}

/** The known points or games of each player. */
function scoresOf({ first_score: first, second_score: second }) {
  return first === null || second === null ? "" : ` (${first}–${second})`;
}

function resultChoice(round, pair, desk) {
  const options = RESULTS.map((one) => el("option", { value: one, selected: one === pair.result }, one));
  const choice = el("select", { "aria-label": t("result_of", { table: pair.table }) }, ...options);
  choice.addEventListener("change", () => change(desk, "/hall/results", { round, table: pair.table, result: choice.value }));
  return choice;
}

async function change(desk, path, body) {
  try {
    await send(path, body);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    desk.refused?.(problem.message);
  }
  desk.changed();
}
