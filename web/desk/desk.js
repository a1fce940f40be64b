// The desk: fetches the whole hall after a change and shows it.

import { ask, Refused, send, sendBytes } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { CallView } from "./call.js";
import { offerInviting } from "./inviting.js";
import { drawRounds } from "./rounds.js";

// Nobody tells of a table that has fallen silent: its page looks by itself, so that it is shown within ten seconds.
const LOOK_MS = 1000;
const SOON_MS = 150;
const ORDER = ["offline", "stale", "online", "stopped"];

const callRows = new Rows(byId("calls"), callRow);
const tableRows = new Rows(byId("tables"), tableRow);
const view = new CallView(look);
let hall = null;
let timer = 0;

function callRow({ call, isOpen, minutes }) {
  const state = t(`call_${call.state}`);
  const button = el(
    "button",
    { type: "button", class: `call-button ${call.state}`, "data-call": call.id, "aria-current": isOpen && "true" },
    el("b", {}, t("call_at", { table: call.table, state })),
    el("span", {}, call.question),
    el("small", {}, minutes ? t("minutes_ago", { minutes }) : t("just_now")),
  );
  button.addEventListener("click", () => open(call.id));
  return el("li", {}, button);
}

function tableRow({ table, call }) {
  const words = { seconds: Math.round(table.unheard_s ?? 0) };
  const lines = [...table.troubles, table.waiting ? t("hall_waiting", { count: table.waiting }) : ""].filter(Boolean);
  return el(
    "li",
    { class: `table ${table.condition}${call ? " calls-judge" : ""}${lines.length ? " in-trouble" : ""}`, "data-table": table.name },
    el("b", {}, table.name),
    el("span", { class: "condition" }, t(`hall_${table.condition}`, words)),
    ...lines.map((line) => el("small", {}, line)),
  );
}

function show(now) {
  hall = now;
  const calling = new Set(now.calls.map((call) => call.table));
  callRows.show(
    now.calls.map((call) => ({
      key: call.id,
      call,
      isOpen: call.id === view.id,
      minutes: Math.floor(call.waits_s / 60),
    })),
  );
  byId("no-calls").hidden = now.calls.length > 0;
  const sorted = [...now.tables].sort((a, b) => rank(a, calling) - rank(b, calling) || a.name.localeCompare(b.name, undefined, { numeric: true }));
  tableRows.show(sorted.map((table) => ({ key: table.name, table: steadyTable(table), call: calling.has(table.name) })));
  setText(byId("tables-count"), ORDER.map((one) => [one, now.tables.filter((table) => table.condition === one).length])
    .filter(([, count]) => count)
    .map(([one, count]) => `${count} ${t(`hall_${one}`, { seconds: "…" })}`)
    .join(" · "));
  drawRounds(byId("rounds"), now.rounds, { isJudge: true, changed: look });
  trouble(now.problems);
  view.refresh(now.calls);
}

/** What calls or is in trouble stands first. */
function rank(table, calling) {
  if (calling.has(table.name)) return 0;
  if (table.troubles.length) return 1;
  return 2 + ORDER.indexOf(table.condition);
}

/** Without what changes at every look while all is well, so that the row is left alone. */
function steadyTable(table) {
  return table.condition === "stale" ? table : { ...table, unheard_s: 0 };
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
}

async function look() {
  clearTimeout(timer);
  try {
    show(await ask("/hall"));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble([problem.message]);
  }
  timer = setTimeout(look, LOOK_MS);
}

function listen() {
  const source = new EventSource(`/api/v1/events?lang=${document.documentElement.lang}`);
  let soon = 0;
  source.addEventListener("parts", ({ data }) => view.more(JSON.parse(data).id));
  for (const kind of ["hall", "call", "problems", "rounds", "resync"]) {
    source.addEventListener(kind, () => {
      clearTimeout(soon);
      soon = setTimeout(look, kind === "call" ? 0 : SOON_MS);
    });
  }
}

byId("bring").addEventListener("change", async () => {
  const bring = byId("bring");
  const [file] = bring.files;
  if (!file) return;
  try {
    const { rounds } = await sendBytes("/hall/rounds", file);
    setText(byId("rounds-said"), t("rounds_taken", { count: rounds }));
    await look();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    setText(byId("rounds-said"), problem.message);
  }
  bring.value = "";
});

async function join(code) {
  try {
    await send("/join", { code });
    location.replace("/");
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble([problem.message]);
  }
}

byId("join-form").addEventListener("submit", (event) => {
  event.preventDefault();
  join(byId("code").value.replace(/\s/g, ""));
});

const token = new URLSearchParams(location.hash.slice(1)).get("join");
if (token) {
  history.replaceState(null, "", location.pathname);
  await join(token);
} else if (!byId("hall").hidden) {
  offerInviting();
  listen();
  await look();
}
takesTaps();
