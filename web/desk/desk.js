// The desk: fetch the hall's changes after each event and show them.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { heardCalls, offerAlerts } from "./alerts.js";
import { offerBringing } from "./bringing.js";
import { CallView } from "./call.js";
import { offerInviting } from "./inviting.js";
import { Rounds } from "./rounds.js";
import { Tables } from "./tables.js";

// Events trigger updates. Ages and clocks are resynchronised from time to time, and without events the page polls.
const LOOK_MS = 10_000;
const DEAF_MS = 1000;
const SOON_MS = 150;
const TYPED_MS = 250;

const callRows = new Rows(byId("calls"), callRow);
const view = new CallView(look);
const tables = new Tables(open);
const rounds = new Rounds(byId("rounds"), { isJudge: true, changed: look, refused: (words) => setText(byId("rounds-said"), words) });
let hall = null;
let source = null;
let timer = 0;
let typing = 0;

function callRow({ call, isOpen, minutes }) {
  const state = t(`call_${call.state}`);
  const players = call.players.length ? t("call_players", { players: call.players.join(" – "), round: call.round }) : "";
  const claim = call.claim?.judge && call.state !== "closed" ? t("call_way_of", { judge: call.claim.judge }) : "";
  const button = el(
    "button",
    { type: "button", class: `call-button ${call.state}${call.claim?.is_escalated ? " escalated" : ""}`, "data-call": call.id, "aria-current": isOpen && "true" },
    el("b", {}, t("call_at", { table: call.table, state })),
    players && el("small", {}, players),
    el("span", {}, call.state === "closed" ? call.ruling : call.question),
    claim && el("small", { class: "on-way" }, claim),
    call.claim?.is_escalated && call.state !== "closed" && el("small", { class: "wanted" }, t("call_escalated")),
    el("small", {}, minutes ? t("minutes_ago", { minutes }) : t("just_now")),
  );
  button.addEventListener("click", () => open(call.id));
  return el("li", {}, button);
}

/** Return a row's data without seconds, so that passing time redraws nothing. */
function rowOf(call) {
  const { waits_s: waitsS, corrections, ...shown } = call;
  return { key: call.id, call: shown, isOpen: call.id === view.id, minutes: Math.floor(waitsS / 60) };
}

/** Merge news into the known hall. Unchanged tables and pairings are not sent again. */
function merged(before, news) {
  if (news.is_whole) return news;
  const tables = new Map([...before.tables, ...news.tables].map((table) => [table.name, table]));
  const known = new Map(before.rounds.map((round) => [round.number, round.pairings]));
  const rounds = news.rounds.map((round) => ({ ...round, pairings: withNews(known.get(round.number), round.pairings) }));
  return { ...news, tables: [...tables.values()], rounds };
}

/** Of two concurrent requests, the older may answer last. A stamp names a run of the desk and counts its changes. */
function isOlder(news, known) {
  const [[run, count], [knownRun, knownCount]] = [news.stamp.split("-"), (known?.stamp ?? "-").split("-")];
  return run === knownRun && Number(count) < Number(knownCount);
}

function withNews(known, news) {
  const pairings = new Map([...known, ...news].map((pair) => [pair.table, pair]));
  return news.length ? [...pairings.values()] : known;
}

function show(now) {
  hall = now;
  if (!searched()) callRows.show(now.calls.map(rowOf));
  byId("no-calls").hidden = now.calls.length > 0 || Boolean(searched());
  tables.show(now);
  rounds.show(now.rounds);
  const bare = now.tables.filter((table) => table.bare_call).map(({ name }) => name);
  trouble([...bare.map((table) => t("call_bare", { table })), ...now.problems]);
  const waiting = now.calls.filter(({ state }) => state !== "ruled").map(({ id, state, table }) => ({ key: `${id} ${state}`, words: t("call_new", { table }) }));
  heardCalls([...waiting, ...bare.map((table) => ({ key: `bare ${table}`, words: t("call_bare", { table }) }))]);
  view.refresh(now.calls);
}

function trouble(sentences) {
  const place = byId("troubles");
  const now = sentences.join("\n");
  if (place.dataset.shown === now) return;
  place.dataset.shown = now;
  place.replaceChildren(...sentences.map((sentence) => el("p", {}, sentence)));
}

function open(id) {
  view.open(id);
  if (hall) show(hall);
  if (searched()) search();
}

function searched() {
  return /** @type {HTMLInputElement} */ (byId("call-search")).value.trim();
}

/** Search calls of the whole event, including closed ones. */
async function search() {
  const words = searched();
  if (!words) {
    setText(byId("calls-found"), "");
    if (hall) show(hall);
    return;
  }
  try {
    const { calls, count } = await ask(`/hall/calls?q=${encodeURIComponent(words)}`);
    if (words !== searched()) return;
    byId("no-calls").hidden = true;
    callRows.show(calls.map(rowOf));
    setText(byId("calls-found"), count ? t("tables_shown", { count: calls.length, total: count }) : t("calls_none"));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble([problem.message]);
  }
}

async function look() {
  clearTimeout(timer);
  try {
    const news = await ask(`/hall?since=${hall?.stamp ?? ""}`);
    if (!isOlder(news, hall)) show(merged(hall, news));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble([problem.message]);
  }
  clearTimeout(timer);
  timer = setTimeout(look, source?.readyState === EventSource.OPEN ? LOOK_MS : DEAF_MS);
}

function listen() {
  source = new EventSource(`/api/v1/events?lang=${document.documentElement.lang}`);
  let soon = 0;
  source.addEventListener("parts", ({ data }) => view.more(JSON.parse(data).id));
  for (const kind of ["hall", "call", "problems", "rounds", "resync"]) {
    source.addEventListener(kind, () => {
      clearTimeout(soon);
      soon = setTimeout(look, kind === "call" ? 0 : SOON_MS);
    });
  }
}

byId("call-search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(search, TYPED_MS);
});

async function join(code, name = "") {
  try {
    await send("/join", { code, name });
    location.replace("/");
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble([problem.message]);
  }
}

byId("join-form").addEventListener("submit", (event) => {
  event.preventDefault();
  join(byId("code").value.replace(/\s/g, ""), byId("join-name").value.trim());
});

const token = new URLSearchParams(location.hash.slice(1)).get("join");
if (token) {
  history.replaceState(null, "", location.pathname);
  await join(token);
} else if (!byId("hall").hidden) {
  offerInviting();
  offerAlerts();
  offerBringing(look);
  await view.learnName();
  listen();
  await look();
}
takesTaps();
