// All tables as tiles: players, time, problems. A search and filter chips narrow them, in three to eight columns.

import { Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { clockOf } from "./clocks.js";

const ORDER = ["offline", "stale", "online", "stopped"];
const COLUMNS = "sightline-desk-columns";
const NAMES = new Intl.Collator(undefined, { numeric: true });
const WIDE = 4; // more columns than this need two places

/** The tables that a chip keeps. */
const FITS = {
  calls: ({ call }) => Boolean(call),
  open: ({ pair }) => pair?.second && pair.result === "*",
  extra: ({ pair }) => pair?.extension_s > 0,
  trouble: ({ table }) => table.troubles.length > 0 || ["offline", "stale"].includes(table.condition),
};

export class Tables {
  /** @param {(call: string) => void} open  opens the call of a table */
  constructor(open) {
    this.open = open;
    this.rows = new Rows(byId("tables"), (item) => this.tile(item));
    this.items = [];
    this.chips = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-chip]")]);
    for (const chip of this.chips) {
      chip.addEventListener("click", () => {
        chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
        this.draw();
      });
    }
    byId("table-search").addEventListener("input", () => this.draw());
    const columns = /** @type {HTMLSelectElement} */ (byId("columns"));
    columns.value = localStorage.getItem(COLUMNS) ?? "3";
    columns.addEventListener("change", () => {
      localStorage.setItem(COLUMNS, columns.value);
      this.spread();
    });
    this.spread();
  }

  spread() {
    const count = Number(/** @type {HTMLSelectElement} */ (byId("columns")).value) || 3;
    byId("tables").style.setProperty("--columns", String(count));
    byId("hall").classList.toggle("wide-tables", count > WIDE);
  }

  /** Show the current hall. */
  show(hall) {
    const calls = new Map(hall.calls.filter(({ state }) => state !== "ruled").map((call) => [call.table, call.id]));
    const round = hall.rounds.findLast((one) => one.is_public) ?? hall.rounds.at(-1);
    const pairs = new Map((round?.pairings ?? []).map((pair) => [pair.place, pair]));
    this.items = hall.tables
      .map((table) => ({ key: table.name, table: steadyTable(table), call: calls.get(table.name) ?? null, pair: steadyPair(pairs.get(table.name)), round: round?.number ?? 0 }))
      .sort((a, b) => rank(a) - rank(b) || NAMES.compare(a.key, b.key));
    const counts = ORDER.map((one) => [one, hall.tables.filter((table) => table.condition === one).length]);
    setText(byId("tables-count"), counts.filter(([, count]) => count).map(([one, count]) => `${count} ${t(`hall_${one}`, { seconds: "…" })}`).join(" · "));
    this.draw();
  }

  draw() {
    const words = /** @type {HTMLInputElement} */ (byId("table-search")).value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = this.chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => FITS[chip.dataset.chip]);
    const shown = this.items.filter((item) => wanted.every((fits) => fits(item)) && words.every((word) => textOf(item).includes(word)));
    this.rows.show(shown);
    const isNarrowed = words.length > 0 || wanted.length > 0;
    setText(byId("tables-shown"), isNarrowed ? t("tables_shown", { count: shown.length, total: this.items.length }) : "");
  }

  tile({ table, call, pair, round }) {
    const lines = [...table.troubles, table.waiting ? t("hall_waiting", { count: table.waiting }) : ""].filter(Boolean);
    const players = pair && [el("span", { class: "player" }, pair.first), el("span", { class: "player" }, pair.second || t("round_bye"))];
    const result = pair && pair.result !== "*" ? el("b", { class: "result" }, pair.result) : clockOf(pair ? `round-${round}-${pair.table}` : "");
    const name = call ? el("button", { type: "button", class: "button calls-here" }, table.name) : el("b", {}, table.name);
    if (call) name.addEventListener("click", () => this.open(call));
    return el(
      "li",
      { class: `table ${table.condition}${call ? " calls-judge" : ""}${lines.length ? " in-trouble" : ""}`, "data-table": table.name },
      name,
      el("span", { class: "condition" }, t(`hall_${table.condition}`, { seconds: Math.round(table.unheard_s ?? 0) })),
      ...(players ?? []),
      pair && result,
      ...lines.map((line) => el("small", {}, line)),
      table.other_key && otherKey(table),
    );
  }
}

/** A judge's deliberate step, folded away at first, for a table that lost its folder. */
function otherKey({ name, other_key: key }) {
  const accept = el("button", { type: "button", class: "button" }, t("key_accept"));
  const answer = el("small", { role: "status" });
  accept.addEventListener("click", async () => {
    try {
      await send(`/hall/tables/${encodeURIComponent(name)}/key`, { key });
      accept.disabled = true;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(answer, problem.message);
    }
  });
  return el("details", { class: "other-key" }, el("summary", {}, t("key_other")), el("small", {}, t("key_lost", { table: name })), accept, answer);
}

function textOf({ table, pair }) {
  return [table.name, pair?.first, pair?.second].filter(Boolean).join(" ").toLowerCase();
}

/** Tables with calls or problems come first. */
function rank({ table, call }) {
  if (call) return 0;
  if (table.troubles.length) return 1;
  return 2 + ORDER.indexOf(table.condition);
}

/** Drop values that no tile shows, so that a tile stays unless its content changes. */
function steadyTable({ name, condition, troubles, other_key, waiting, unheard_s: unheard }) {
  return { name, condition, troubles, other_key, waiting, unheard_s: condition === "stale" ? unheard : 0 };
}

function steadyPair(pair) {
  return pair ? { ...pair, left_s: 0 } : null;
}
