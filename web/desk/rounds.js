// Rounds with their pairings, results, and a clock for every table.

import { Refused, send } from "../shell/api.js";
import { el } from "../shell/dom.js";
import { replaceKeeping, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { heardClocks } from "./clocks.js";

const RESULTS = ["*", "1-0", "1/2-1/2", "0-1"];

/**
 * Shows the rounds, the newest first; clocks that run are counted on by this page.
 * @param {HTMLElement} place
 * @param {Record<string, any>[]} rounds
 * @param {{isJudge: boolean, changed: () => void, refused?: (words: string) => void}} desk
 */
export function drawRounds(place, rounds, desk) {
  const key = JSON.stringify(rounds.map((round) => ({ ...round, left_s: 0, pairings: round.pairings.map((pair) => ({ ...pair, left_s: 0 })) })));
  steadily(place, () => {
    if (place.dataset.shown !== key) {
      place.dataset.shown = key;
      const parts = [...rounds].reverse().map((round) => roundPart(round, desk));
      replaceKeeping(place, parts.length ? parts : [el("p", { class: "note" }, t(desk.isJudge ? "round_none" : "round_none_public"))]);
      const first = place.querySelector("details");
      if (first && ![...place.querySelectorAll("details")].some((part) => part.open)) first.open = true;
    }
    heardClocks(rounds);
  });
}

function roundPart(round, desk) {
  const clock = el("span", { class: "clock", "data-clock": `round-${round.number}` });
  const state = desk.isJudge && el("small", {}, t(round.is_public ? "round_is_public" : "round_is_hidden"));
  const head = el("summary", {}, el("b", {}, t("round_name", { round: round.number })), clock, state);
  const rows = round.pairings.map((pair) => pairRow(round, pair, desk));
  const acts = desk.isJudge && el("div", { class: "acts" }, clockButton(round, desk), publishButton(round, desk));
  return el("details", { "data-round": round.number }, head, acts, el("table", {}, el("tbody", {}, ...rows)));
}

function clockButton(round, desk) {
  const button = el("button", { type: "button", class: "button", "data-run": round.number }, t(round.runs ? "round_stop" : "round_start"));
  button.addEventListener("click", () => change(desk, `/hall/rounds/${round.number}/clock`, { runs: !round.runs }));
  return button;
}

/** Pairings are public once the clock has begun; before, a judge says when. */
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
    el("td", {}, desk.isJudge && pair.second ? resultChoice(round, pair, desk) : pair.result),
    el("td", { class: "clock", "data-clock": `round-${round.number}-${pair.table}` }),
  );
}

function resultChoice(round, pair, desk) {
  const options = RESULTS.map((one) => el("option", { value: one, selected: one === pair.result }, one));
  const choice = el("select", { "aria-label": t("result_of", { table: pair.table }) }, ...options);
  choice.addEventListener("change", () => change(desk, "/hall/results", { round: round.number, table: pair.table, result: choice.value }));
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
