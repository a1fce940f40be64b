// The history: the match's steps with their judgements, and every ruling with its picture.

import { ask, Refused } from "../shell/api.js";
import { byId, el, path, svg } from "../shell/dom.js";
import { Legality } from "./legal.js";
import { authorOf } from "./told.js";
import { Rows, setText } from "../shell/steady.js";
import { minutesAgo, t } from "../shell/texts.js";

export class HistoryView {
  /**
   * @param {import("./match.js").Match} match   the match with the listed steps
   * @param {Record<string, any>} handlers   open(card) shows a ruling on the table; clockS() is the server's clock
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.isStale = true;
    this.legality = new Legality(({ seq, done }) => (done ? match.undo(seq) : match.give({ type: "redo", to: seq })));
    this.steps = new Rows(byId("history"), (entry) => this.step(entry));
    this.rulings = new Rows(byId("rulings"), ({ card }) => (card ? this.ruling(card) : empty()));
    byId("history-find").addEventListener("input", () => this.find());
    byId("redo").addEventListener("click", () => match.give({ type: "redo" }));
    match.show((document) => this.showSteps(document));
    setInterval(() => this.tick(), 10_000);
  }

  /** Mark the list as outdated after a ruling. It is fetched when viewed. */
  async stale() {
    this.isStale = true;
    if (!byId("view-history").hidden) await this.refresh();
  }

  async refresh() {
    if (!this.isStale) return;
    this.isStale = false;
    try {
      const { rulings } = await ask("/rulings");
      this.rulings.show(rulings.length ? rulings.map((card) => ({ key: card.id, card })) : [{ key: "" }]);
      this.tick();
      this.find();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.isStale = true;
    }
  }

  /** Show only the steps and rulings that contain every search word. */
  find() {
    const words = byId("history-find").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll("#history > li, #rulings > li")) {
      const text = row.textContent.toLowerCase();
      /** @type {HTMLElement} */ (row).hidden = !words.every((word) => text.includes(word));
    }
  }

  showSteps({ view, seat }) {
    const done = view.history.filter((entry) => entry.done);
    const last = done.at(-1)?.seq ?? 0;
    const newestFirst = [...view.history].reverse();
    this.steps.show(newestFirst.map(({ seq, title, by, done: isDone }) => ({ key: seq, seq, title, by: authorOf(this.match, by, seat.elsewhere.length > 0), isCamera: by.role === "camera", done: isDone, isNow: seq === last, asks: isDone && !this.match.isFree(seq) })));
    byId("redo").disabled = done.length === view.history.length;
    this.find();
  }

  /** A line of the history. A tap shows whether the step was legal, and offers a jump back to it or forward. */
  step(entry) {
    const { title, by, isCamera, done, isNow } = entry;
    const classes = ["entry", !done && "undone", isCamera && "seen"].filter(Boolean).join(" ");
    const attributes = { type: "button", class: classes, "aria-haspopup": "dialog" };
    const button = el("button", attributes, el("span", {}, title, el("small", { class: "author" }, by)), isNow && el("em", {}, t("now_here")));
    button.addEventListener("click", () => this.legality.open(entry));
    return el("li", { "aria-current": isNow ? "step" : null }, button);
  }

  ruling(card) {
    const button = el(
      "button",
      { type: "button", class: `ruling ${card.verdict}` },
      thumbnail(card),
      el(
        "span",
        { class: "ruling-words" },
        el("b", {}, card.headline),
        el("span", {}, card.sentence),
        el("small", { "data-asked": card.asked_at_s }),
      ),
    );
    button.addEventListener("click", () => this.handlers.open(card));
    return el("li", {}, button);
  }

  /** Update the age of each ruling. */
  tick() {
    for (const place of byId("rulings").querySelectorAll("[data-asked]")) {
      setText(place, minutesAgo(this.handlers.clockS() - Number(place.dataset.asked)));
    }
  }
}

function empty() {
  return el("li", { class: "nothing" }, t("no_rulings"));
}

/** The part of the picture behind the ruling, with its lines. */
function thumbnail(card) {
  const [x, y, width, height] = around(card);
  const lines = card.lines.map((line, i) =>
    svg("path", { class: `sight ${line.purpose} ${line.blocked_by ? "blocked" : "clear"}${i && card.verdict === "blocked" ? " miss" : ""}`, d: path([line.from, line.stop ?? line.to], false) }),
  );
  const bases = [card.attacker, card.defender].map((who, i) => svg("path", { class: i ? "to" : "from", d: path(who.base) }));
  const image = { href: `${card.frame.picture}?size=small`, width: card.frame.width_px, height: card.frame.height_px, preserveAspectRatio: "none" };
  return svg(
    "svg",
    { class: "thumbnail", viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true" },
    svg("image", image),
    ...lines,
    ...bases,
  );
}

/** Left, top, width and height of a 4:3 part of the picture round both figures and every line. */
function around(card) {
  const points = [...card.attacker.base, ...card.defender.base, ...card.lines.flatMap((line) => [line.from, line.stop ?? line.to])];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const width = Math.max(wide, (high * 4) / 3, card.frame.width_px / 8) * 1.25;
  const height = (width * 3) / 4;
  return [left + wide / 2 - width / 2, top + high / 2 - height / 2, width, height];
}
