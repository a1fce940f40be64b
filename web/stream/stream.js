// The match as a stream overlay. It follows the table's news and takes no taps.

import { Live } from "../live/live.js";
import { ask, Refused } from "../shell/api.js";
import { healthOf, placesOf } from "../match/place.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

/** Display time of a ruling. Viewers read it twice, as on the big screen. */
const RULING_MS = 20000;

const places = new Rows(byId("stream-order"), (entry) => place(entry));
let gone = 0;

function place(entry) {
  const { called, health, health_max: full, is_active: isActive, has_acted: hasActed, side_color: side } = entry;
  const classes = ["stream-place", `side-${side}`, isActive && "active", hasActed && "acted"].filter(Boolean).join(" ");
  const left = el("i");
  left.style.width = `${(100 * Math.max(0, health)) / Math.max(1, full)}%`;
  return el(
    "li",
    { class: classes, "aria-current": isActive ? "step" : null },
    el("span", {}, called),
    el("span", { class: "health" }, healthOf(entry)),
    el("span", { class: "bar-of-health" }, left),
  );
}

async function showMatch() {
  const match = await answered("/match");
  byId("stream-match").hidden = match === null;
  if (match === null) return;
  const { order, view, names } = match;
  setText(byId("stream-round"), view.winner ? t("winner", { side: names[view.winner] ?? view.winner }) : view.winner !== null ? t("no_winner") : view.round ? t("round", { round: view.round }) : t("before_round"));
  places.draw(placesOf(order, view.figures, (name) => names[name] ?? name));
}

async function showRuling({ id }) {
  const card = await answered(`/rulings/${encodeURIComponent(id)}`);
  const shown = byId("stream-ruling");
  shown.hidden = card === null;
  if (card === null) return;
  shown.className = `stream-ruling ${card.verdict}`;
  setText(shown, card.sentence);
  clearTimeout(gone);
  gone = setTimeout(() => { shown.hidden = true; }, RULING_MS);
}

/** The answer to a question, or null without one, such as without a match. */
async function answered(path) {
  try {
    return await ask(path);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return null;
  }
}

function hello({ has_match: hasMatch }) {
  if (hasMatch) showMatch();
  else byId("stream-match").hidden = true;
}

new Live({ hello, resync: showMatch, match: showMatch, ruling: showRuling, state: () => undefined });
