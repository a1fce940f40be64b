// Puts the page together: the table, the event stream, the status line, the settings.

import { ask, send } from "./api.js";
import { byId, el } from "./dom.js";
import { Live } from "./live.js";
import { MatchView } from "./match.js";
import { People } from "./people.js";
import { TableView } from "./table.js";
import { t } from "./texts.js";

const isWall = document.body.classList.contains("wall");
const hasLive = document.body.dataset.hasLive === "true";
const table = new TableView({ hasLive });
const match = new MatchView();
const people = new People((text) => table.trouble(text));
const status = { lostSeconds: null, takenAtS: null, skewS: 0 };

function showStatus() {
  const lamp = byId("status");
  const [state, text] = statusNow();
  lamp.dataset.state = state;
  if (byId("status-text").textContent !== text) byId("status-text").textContent = text;
}

function statusNow() {
  if (status.lostSeconds !== null) return ["lost", t("status_lost", { seconds: status.lostSeconds })];
  if (table.followsLive && status.takenAtS === null) return ["waiting", t("status_starting")];
  if (table.followsLive) {
    const age = Math.max(0, Math.round(Date.now() / 1000 + status.skewS - status.takenAtS));
    return age > 5 ? ["old", t("status_age", { seconds: age })] : ["live", t("status_live")];
  }
  return table.scene ? ["photo", t("status_photo")] : ["ready", t("status_ready")];
}

function showStrip(strip) {
  const place = byId("strip");
  place.hidden = !strip;
  if (!strip) return;
  place.setAttribute("aria-label", t("strip_label", { count: strip.pixels.length }));
  while (place.children.length < strip.pixels.length) place.append(el("i"));
  while (place.children.length > strip.pixels.length) place.lastChild.remove();
  strip.pixels.forEach((color, i) => place.children[i].style.setProperty("--light", color));
}

function showProblems({ problems }) {
  const place = byId("problems");
  place.hidden = problems.length === 0;
  place.replaceChildren(...problems.map((problem) => el("p", {}, problem.sentence)));
}

function onNow(now) {
  if (now.version !== document.body.dataset.version) {
    location.reload();
    return;
  }
  status.skewS = now.now_s - Date.now() / 1000;
  showStrip(now.strip);
  showProblems(now);
  if (now.live) onLive(now.live);
}

function onLive(live) {
  status.takenAtS = live.taken_at_s;
  table.onLive(live);
  showStatus();
}

async function resync() {
  onNow(await ask("/now"));
}

async function openMenu() {
  if (document.body.dataset.role === "owner") await people.showDevices();
  await showSetUp();
}

async function showSetUp() {
  const setup = await ask("/setup");
  const rows = Object.entries(setup.sources).map(([name, source]) => el("div", {}, el("dt", {}, name), el("dd", {}, source)));
  byId("setup").replaceChildren(el("div", {}, el("dt", {}, setup.name), el("dd", {}, setup.version)), ...rows);
}

function wireSettings() {
  byId("language").addEventListener("change", async (event) => {
    await send("/language", { language: event.target.value });
    const here = new URL(location.href);
    here.searchParams.delete("lang");
    location.assign(here);
  });
  byId("theme").value = document.documentElement.dataset.theme;
  byId("theme").addEventListener("change", (event) => {
    document.documentElement.dataset.theme = event.target.value;
    localStorage.setItem("sightline-theme", event.target.value);
  });
  byId("menu").addEventListener("toggle", () => byId("menu").open && openMenu());
  addEventListener("keydown", (event) => event.key === "Escape" && (byId("menu").open = false));
}

/** Shows one of the views; the address says which. */
function showView(name) {
  for (const view of ["table", "match"]) byId(`view-${view}`).hidden = view !== name;
  for (const button of document.querySelectorAll("[data-view]")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === name));
  }
  if (name === "match") match.refresh();
}

for (const button of document.querySelectorAll("[data-view]")) {
  button.addEventListener("click", () => showView(button.dataset.view));
}
table.onSource = () => {
  byId("go-live").setAttribute("aria-pressed", String(table.followsLive));
  showStatus();
};
wireSettings();
people.joinByLink();
table.openLink();
addEventListener("hashchange", () => table.openLink());
setInterval(showStatus, 1000);
showStatus();
new Live({
  hello: onNow,
  beat: ({ now_s: nowS }) => (status.skewS = nowS - Date.now() / 1000),
  resync,
  live: onLive,
  strip: showStrip,
  problems: resync,
  ruling: (asked) => isWall && table.showAsked(asked),
  match: () => byId("view-match").hidden || match.refresh(),
  state: (connected, seconds) => {
    status.lostSeconds = connected ? null : seconds;
    showStatus();
  },
});
