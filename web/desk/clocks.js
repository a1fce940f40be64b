// Clocks of rounds and tables: the server sends the time left, and the page counts on while visible.

import { el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const NOTICED_S = 1;

/** @type {Map<string, {left: number, runs: boolean, at: number}>} */
const known = new Map();

const seen = new Set();
const eye = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    if (isIntersecting) seen.add(target);
    else seen.delete(target);
    if (isIntersecting) draw(target, performance.now());
  }
});

/** Take the server's times of all rounds. A table has its round's time plus its extension. */
export function heardClocks(rounds) {
  const at = performance.now();
  const before = new Map(known);
  known.clear();
  for (const { number, runs, left_s: left, pairings } of rounds) {
    known.set(`round-${number}`, { left, runs, at });
    for (const pair of pairings) known.set(`round-${number}-${pair.table}`, { left: left + pair.extension_s, runs, at });
  }
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    if (seen.has(node) || isSetAnew(node.dataset.clock, before, at)) draw(node, at);
  }
}

/** Whether a clock differs from its expected time. */
function isSetAnew(name, before, at) {
  const [was, is] = [before.get(name), known.get(name)];
  return was?.runs !== is?.runs || Math.abs(leftAt(was, at) - leftAt(is, at)) > NOTICED_S;
}

/** A clock of that name, which runs while visible. */
export function clockOf(name) {
  const node = el("span", { class: "clock", "data-clock": name });
  draw(node, performance.now());
  eye.observe(node);
  return node;
}

/** Seconds in clock form, with a word for overtime. */
export function timeText(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return t(seconds < 0 ? "round_over" : "round_left", { time });
}

function leftAt(clock, now) {
  return clock ? clock.left - (clock.runs ? (now - clock.at) / 1000 : 0) : 0;
}

function draw(node, now) {
  const clock = known.get(node.dataset.clock);
  if (!clock) return;
  const left = leftAt(clock, now);
  setText(node, timeText(left));
  node.classList.toggle("over", left < 0);
}

function countOn() {
  const now = performance.now();
  for (const node of seen) {
    if (node.isConnected) draw(node, now);
    else seen.delete(node);
  }
}

setInterval(countOn, 1000);
