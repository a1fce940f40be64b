// Assemble the page: the views, the event stream, the status line, the settings.

import { answersAgain, ask, Refused, sendFrame } from "../shell/api.js";
import { Rhythm, ServerClock } from "../live/clock.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { Live } from "../live/live.js";
import { Match } from "../match/match.js";
import { FreePicture } from "../table/free_picture.js";
import { later } from "../shell/later.js";
import { learnPortraits } from "../match/portraits.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { People } from "../people/people.js";
import { ProblemsView } from "../problems/problems.js";
import { Awake, offerInstall, PhoneCamera } from "./secure.js";
import { Settings } from "./settings.js";
import { Rows, setText } from "../shell/steady.js";
import { Told } from "../match/told.js";
import { TableView } from "../table/table.js";
import { t } from "../shell/texts.js";
import { UndoRequest } from "../match/request.js";
import { Views } from "./views.js";
import { Watching } from "../live/watching.js";

const AGAIN_MS = 2000;

const isWall = document.body.classList.contains("wall");
const hasLive = document.body.dataset.hasLive === "true";
const isWatched = document.body.dataset.playedOn === "camera";
const hasMatch = isWall || byId("views").querySelector("[data-view=initiative]") !== null;
const clock = new ServerClock();
const rhythm = new Rhythm();
const status = { lostSeconds: null, takenAtS: null, holding: "waiting", free: null };
const table = new TableView({ hasLive });
const freePicture = new FreePicture(table);
const people = new People();
const watching = isWall ? null : new Watching({
  trouble: (text) => table.trouble(text),
  mark: (cells) => table.mark(cells),
  who: (place) => table.corrector.askWho(place),
  move: (figure) => table.moveByHand(figure),
});
const match = new Match();
const views = new Views();
const phoneCamera = new PhoneCamera({ sendFrame, say: (text) => table.say(text) });
let calls = Promise.resolve(); // settled once the calls' answers are shown
const problemLines = new Rows(byId("problems"), ({ sentence }) => el("p", {}, sentence));
let judgeWanted = null;
let resyncDue = 0;
let further = null;
let seat = null;
let news = null;
const judgeAnswers = untilAnswers("#view-judge");
const problems = isWall ? null : new ProblemsView(() => clock.nowS());
if (isWall) showHappenings();
else openViews();
if (hasMatch) match.show((document) => table.showLying(match.isOnTable ? document.tokens : []));

/** The parts of the views beside the table, which the big screen lacks. */
function openViews() {
  if (hasMatch) {
    news = new Told(match, { calls: true });
    new UndoRequest(match, () => news.alarm());
  }
  views.on("table", () => table.scene && table.markChoices());
  views.on("problems", () => problems.refresh());
  views.on("judge", () => judgeView().then((judge) => judge.refresh()));
  const answer = untilAnswers("#view-initiative, #view-attack, #view-figures, #view-history");
  const pictures = hasMatch ? learnPortraits() : null;
  later((again) => import(`./further_views.js${again}`)).then(async ({ FurtherViews }) => {
    await pictures;
    further = new FurtherViews({ match, table, freePicture, views, clock, open: openRuling, hasMatch, freeShot: () => status.free?.shot ?? null, invite: (side, name) => people.inviteSide(side, name) });
    if (status.free) further.freeSettled(status.free.shot);
    answer();
    if (document.getElementById("tour")) later((again) => import(`../tour/tour.js${again}`)).then(({ Tour }) => new Tour({ table, match, views, seen: () => further.initiative.seen.moves }));
  });
}

/** Keep taps from views whose script is still loading: they would send a form, or do nothing. A call ends that. */
function untilAnswers(selector) {
  const views = document.querySelectorAll(selector);
  for (const view of views) view.inert = true;
  return () => {
    for (const view of views) view.inert = false;
  };
}

/** The big screen also shows the match's events, dice and blows. */
function showHappenings() {
  news = new Told(match, { calls: false });
  const pictures = learnPortraits();
  later((again) => import(`../match/wall_side.js${again}`)).then(async ({ WallSide }) => {
    await pictures;
    new WallSide(match);
  });
  later((again) => import(`../match/happened.js${again}`)).then(({ Happened }) => new Happened(match, (figure, how) => table.strike(figure, how)));
}

/** The judges' view, loaded after the first look, since few evenings need it. */
function judgeView() {
  judgeWanted ??= later((again) => import(`../judge/judge.js${again}`)).then(({ JudgeView }) => {
    judgeAnswers();
    const isOnItsOwn = hasMatch && !ONLY_WATCHES && document.getElementById("round-chip") === null;
    return new JudgeView({
      look: () => views.show("judge"),
      playOn: isOnItsOwn ? () => views.show("initiative") : null,
      tell: news && ((ruling, by) => news.rule(ruling, by)),
      note: news && ((text) => news.note(text)),
    });
  });
  return judgeWanted;
}

/** The searchable rules, loaded on demand. */
function openRules() {
  let book = null;
  document.getElementById("rules-open")?.addEventListener("click", async () => {
    const { RulesBook } = await later((again) => import(`../rulings/rules_book.js${again}`));
    book ??= new RulesBook();
    book.open();
  });
}

async function openRuling(card) {
  views.show("table");
  await table.source.openRuling(card);
}

function showStatus() {
  const lamp = byId("status");
  const [state, text] = statusNow();
  lamp.dataset.state = state;
  setText(byId("status-text"), text);
}

function statusNow() {
  if (status.lostSeconds !== null) return ["lost", t("status_lost", { seconds: status.lostSeconds })];
  if (table.source.followsLive && status.takenAtS === null) return ["waiting", t("status_starting")];
  if (!isWatched) return ["ready", t(document.body.dataset.playedOn === "drawing" ? "status_drawn" : "status_undrawn")];
  if (table.source.followsLive) {
    const age = Math.max(0, Math.round(clock.nowS() - status.takenAtS));
    if (status.holding === "frozen") return ["old", t("status_frozen")];
    if (status.holding === "old" || age > rhythm.usualS) return ["old", t("status_age", { seconds: age })];
    return ["live", age > 3 ? t("status_live_age", { seconds: age }) : t("status_live")];
  }
  if (status.free?.source === "live") return ["live", t("status_live")];
  return table.scene ? ["photo", t("status_photo")] : ["ready", t("status_ready")];
}

function showStrip(strip) {
  const place = byId("strip");
  place.hidden = !strip;
  if (!strip) return;
  place.setAttribute("aria-label", t("strip_label", { count: strip.pixels.length }));
  while (place.children.length < strip.pixels.length) place.append(el("i"));
  while (place.children.length > strip.pixels.length) place.lastChild.remove();
  for (const [i, lamp] of place.querySelectorAll("i").entries()) lamp.style.setProperty("--light", strip.pixels[i]);
}

function showProblems({ problems: lines }) {
  byId("problems").hidden = lines.length === 0;
  problemLines.show(lines.map(({ sentence }) => ({ key: sentence, sentence })));
  problems?.count(lines);
}

/** Whether the shown match is another one than at page load. */
function isOtherMatch(run) {
  return !isWall && run !== undefined && String(run) !== document.body.dataset.matchRun;
}

function onMatch({ run }) {
  if (isOtherMatch(run)) return location.reload();
  // A call alerts before it stops the clocks, which anybody may restart. Its band shows which.
  calls.then(() => byId("call-band").hidden || onCall());
  if (hasMatch) match.refresh();
}

function onNow(now) {
  clock.heard(now.now_s);
  if (now.version !== document.body.dataset.version || isOtherMatch(now.match_run)) {
    location.reload();
    return;
  }
  showStrip(now.strip);
  showProblems(now);
  phoneCamera.offer(now.takes_frames);
  if (now.live) onLive(now.live);
  else Object.assign(status, { takenAtS: null, holding: "waiting" });
  onFree(now.free);
  further?.history.stale();
  onCall();
  if (hasMatch && now.match_run !== 0) match.refresh();
}

/** A judge was called, or has ruled. Without news, only fetch the state. */
function onCall(called = null) {
  if (isWall) {
    if (called?.type === "ruled") news.rule(called.ruling, "");
    calls = later((again) => import(`../judge/band.js${again}`)).then(({ refreshBand }) => refreshBand());
  } else calls = judgeView().then((judge) => (called ? judge.news(called) : judge.refresh()));
}

function onLive(live) {
  if (!isWatched) return;
  clock.heard(live.now_s);
  rhythm.beat(live.taken_at_s);
  status.takenAtS = live.taken_at_s;
  status.holding = live.holding;
  table.answer.hold(live.holding);
  watching?.onLive(live);
  table.source.onLive(live);
  showStatus();
}

/** A table without a grid was read. */
function onFree(free) {
  if (!isWatched) return;
  status.free = free;
  if (free) further?.freeSettled(free.shot);
  if (free) freePicture.onFree(free.shot);
  showStatus();
}

/** Show somebody's ruling on devices that only watch. */
function onRuling(asked) {
  further?.history.stale();
  if (isWall || ONLY_WATCHES) table.source.showAsked(asked);
}

/** The table is back: repeat the failed questions. */
function comeBack() {
  answersAgain();
  seat?.refresh();
  if (!table.source.followsLive && !table.answer.card) table.askAll(); // a camera's next picture asks by itself
}

/** Fetch the whole state, retrying until the network delivers it, since the news that trigger it come only once. */
async function resync() {
  clearTimeout(resyncDue);
  try {
    onNow(await ask("/now"));
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    resyncDue = setTimeout(resync, AGAIN_MS);
  }
}

table.onSource = () => {
  byId("go-live").setAttribute("aria-pressed", String(table.source.followsLive));
  showStatus();
  if (hasMatch && table.scene?.source === "live") match.seen(table.scene);
  further?.tableSettled();
};
if (document.getElementById("drawn-table")) later((again) => import(`../match/drawn_table.js${again}`)).then(({ DrawnTable }) => new DrawnTable(match, (figure) => further?.attackWith(figure)));
if (document.getElementById("round-chip")) {
  later((again) => import(`../judge/seat.js${again}`)).then(({ SeatView }) => {
    seat = new SeatView();
    seat.refresh();
  });
}
new Settings(people);
later((again) => import(`../match/matches.js${again}`)).then(({ Matches }) => new Matches());
if (document.getElementById("new-match")) {
  const answer = untilAnswers("[data-new-match]");
  later((again) => import(`../match/new_match.js${again}`)).then(({ NewMatch }) => {
    new NewMatch();
    answer();
  });
}
openRules();
new Awake();
offerInstall();
views.restore();
people.joinByLink();
table.source.openLink();
views.onLink(() => table.source.openLink());
setInterval(showStatus, 1000);
showStatus();
new Live({
  hello: onNow,
  beat: ({ now_s: nowS }) => clock.heard(nowS),
  resync,
  live: onLive,
  free: onFree,
  strip: showStrip,
  problems: resync,
  ruling: onRuling,
  call: onCall,
  tournament: () => seat && Promise.all([seat.refresh(), judgeView()]).then(([, judge]) => judge.heardDesk()),
  match: onMatch,
  state: (connected, seconds) => {
    status.lostSeconds = connected ? null : seconds;
    showStatus();
    if (connected) comeBack();
  },
});
takesTaps();
