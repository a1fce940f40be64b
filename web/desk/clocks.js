// Clocks of rounds and tables: the server says how much is left, the page counts on.

import { t } from "../shell/texts.js";

/** @type {Map<string, {left: number, runs: boolean, at: number}>} */
const known = new Map();

/** What the server has just said of all rounds. */
export function heardClocks(rounds) {
  const at = performance.now();
  known.clear();
  for (const round of rounds) {
    known.set(`round-${round.number}`, { left: round.left_s, runs: round.runs, at });
    for (const pair of round.pairings) known.set(`round-${round.number}-${pair.table}`, { left: pair.left_s, runs: round.runs, at });
  }
  countOn();
}

/** Seconds as a clock shows them, with a word for what is over. */
export function timeText(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return t(seconds < 0 ? "round_over" : "round_left", { time });
}

function countOn() {
  const now = performance.now();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    const clock = known.get(node.dataset.clock);
    if (!clock) continue;
    const left = clock.left - (clock.runs ? (now - clock.at) / 1000 : 0);
    const text = timeText(left);
    if (node.textContent !== text) node.textContent = text;
    node.classList.toggle("over", left < 0);
  }
}

setInterval(countOn, 1000);
