// The ruling card: the answer in words large enough for the table.

import { citation } from "./citation.js";
import { claimsAbout } from "./claims.js";
import { byId, el, svg } from "../shell/dom.js";
import { settlingRow } from "../scene/settling.js";
import { t } from "../shell/texts.js";

const ICONS = {
  moving: "M12 3a9 9 0 1 0 9 9M12 7v5l4 2",
  clear: "M4 12.5l5.5 5.5L20 6.5",
  cover: "M12 3l8 3v6c0 5-3.4 8-8 9.5C7.4 20 4 17 4 12V6z",
  blocked: "M5 5l14 14M19 5L5 19",
};

/** Share from which an answer's doubts are folded away below it. */
const SURE = 0.95;

/** The card's contents for one answer. */
export function cardContents(card, handlers) {
  return [
    heading(card.verdict, card.headline),
    el("p", { class: "sentence" }, card.sentence),
    el("dl", { class: "facts" }, ...card.facts.map(fact)),
    handlers.above,
    handlers.attack && attackNow(handlers.attack, card.verdict !== "blocked"),
    stability(card),
    ...card.doubts.map((doubt) => el("p", { class: "doubt" }, doubt)),
    ...openPoints(card, handlers),
    legend(card, handlers),
    el("h3", {}, t("reasons")),
    el("ol", { class: "reasons" }, ...card.reasons.map((one) => reason(one, handlers))),
    changes(handlers),
    house(card),
    claimsAbout(card, handlers.claims),
  ];
}

/** The card during motion: no answer is sure, and the last one is small below. */
export function waitingContents(card) {
  return [heading("moving", t("wait_moving")), el("p", { class: "sentence" }, t("wait_before", { headline: card.headline }))];
}

function heading(verdict, headline) {
  return el(
    "header",
    { class: `verdict ${verdict}` },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[verdict] })),
    el("h2", { id: "headline" }, headline),
  );
}

function fact(item) {
  return el("div", { class: `fact ${item.fact}` }, el("dt", {}, item.name), el("dd", {}, item.value));
}

/** A sentence with its source. If it is about lines of the picture, touching it highlights them. */
function reason(item, handlers) {
  const words = item.lines.length ? el("button", { type: "button", class: "lights-up", "aria-pressed": "false" }, item.text) : el("span", {}, item.text);
  if (item.lines.length) handlers.lines.wire(words, item.lines);
  return el("li", {}, words, citation(item));
}

/** The meaning of each kind of line on the picture, with its blocker. */
function legend(card, handlers) {
  const rows = new Map();
  for (const [index, line] of card.lines.entries()) {
    const state = line.blocked_by ? "blocked" : "clear";
    const how = line.purpose === "sight" ? "blocked_by" : "crosses";
    const words = line.blocked_by ? t(how, { what: line.blocked_by.text }) : t("lines_clear");
    const key = `${line.purpose} ${state} ${words}`;
    const row = rows.get(key) ?? { purpose: line.purpose, state, words, lines: [] };
    row.lines.push(index);
    rows.set(key, row);
  }
  const items = [...rows.values()].map((row) =>
    el(
      "li",
      { class: `sight ${row.purpose} ${row.state}` },
      svg("svg", { viewBox: "0 0 44 10", "aria-hidden": "true" }, ...sample(row.state)),
      lightButton(row, handlers),
      row.lines.length > 1 ? el("span", { class: "times" }, `×${row.lines.length}`) : null,
    ),
  );
  return items.length ? el("div", {}, el("ul", { class: "legend" }, ...items), card.lines.length > 1 && handlers.lines.stepper()) : null;
}

function lightButton(row, handlers) {
  const words = `${t(row.purpose === "sight" ? "lines_sight" : "lines_cover")}: ${row.words}`;
  const button = el("button", { type: "button", class: "lights-up", "aria-pressed": "false" }, words);
  handlers.lines.wire(button, row.lines);
  return button;
}

/** A sample line: a blocked one ends in a cross. */
function sample(state) {
  if (state === "clear") return [svg("path", { class: "ray", d: "M2 5H42" })];
  return [svg("path", { class: "ray", d: "M2 5H34" }), svg("path", { class: "ray", d: "M31 1L39 9M39 1L31 9" })];
}

/** The changes that would flip the answer, fetched on demand. */
function changes(handlers) {
  const list = el("ul", {});
  const box = el("details", { class: "options", "data-acts": true }, el("summary", {}, t("flips")), list);
  box.addEventListener("toggle", async () => {
    if (!box.open || list.children.length) return;
    const texts = await handlers.changes();
    list.replaceChildren(...(texts.length ? texts : [t("flips_none")]).map((text) => el("li", {}, text)));
  });
  return box;
}

/**
 * The doubts that would flip the answer, and a photo to settle them. For a nearly sure answer, folded behind its
 * number.
 */
function openPoints(card, handlers) {
  const rows = card.open_points.map((/** @type {any} */ point) => settlingRow(point, handlers.settling));
  const asked = [...rows, walkRound(card)].filter(Boolean);
  if (card.stability.share < SURE || !rows.length) return asked;
  return [el("details", { class: "in-doubt" }, el("summary", {}, t("doubts_open", { count: rows.length })), ...asked)];
}

/** The answer's certainty, as a bar and in words. A sure one needs no words. */
function stability({ stability: { share, text } }) {
  if (share >= 1) return null;
  const bar = el("span", { class: "bar-of", "aria-hidden": "true" }, el("i", {}));
  bar.querySelector("*").style.setProperty("width", `${Math.round(share * 100)}%`);
  return el("div", { class: "stability" }, el("b", {}, text), bar);
}

/** The remedy for a doubt: a photo from another side, taken with the items beside the other photos. */
function walkRound({ stability: { share } }) {
  if (share >= 1) return null;
  const button = el("button", { type: "button", class: "button quiet", "data-acts": true }, t("walk_round"));
  button.addEventListener("click", () => byId("walk").click());
  return button;
}

/** The house options behind this answer. */
function house(card) {
  if (!card.house.length) return null;
  const summary = el("summary", {}, t("options_count", { count: card.house.length }));
  return el("details", { class: "options" }, summary, el("ul", { class: "reasons" }, ...card.house.map((one) => reason(one, null))));
}

/** A direct link from the answer to the roll, during a match with both figures. */
function attackNow(attack, isLikely) {
  const made = el("button", { type: "button", class: isLikely ? "button primary" : "button", "data-acts": true }, t("attack_now"));
  made.addEventListener("click", attack);
  return made;
}

/** The answer as plain text, for pasting into a chat. */
export function cardText(card) {
  const facts = card.facts.map((item) => `${item.name}: ${item.value}`).join(", ");
  const reasons = card.reasons.map((item, i) => `${i + 1}. ${item.text} (${[item.source, item.says].filter(Boolean).join(": ")})`).join("\n");
  return `${card.headline}. ${card.sentence}\n${facts}\n${reasons}`;
}
