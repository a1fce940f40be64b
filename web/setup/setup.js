// The set-up: show the server's state of each step, and request the next.

import { showInvitation } from "../people/invitation.js";
import { ask, Refused, send, sendBytes } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { OwnCamera } from "../shell/own_camera.js";
import { Finder } from "./finder.js";
import { LightFold } from "./light.js";
import { showStep } from "./steps.js";
import { Rows, setText, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const LOOKING = new Set(["camera", "lens", "table"]);
const PAUSE_MS = 120;
const RETRY_MS = 2000;

const OWN = "push";

const finder = new Finder();
const ownCamera = new OwnCamera();
const stepButtons = new Rows(byId("steps"), stepButton);
let state = null;
let chosen = null;
let isBusy = false;

function show(now) {
  const stepChanged = state?.step !== now.step;
  const focused = document.activeElement;
  if (now.source !== OWN) ownCamera.close();
  state = now;
  stepButtons.show(now.steps.map((step, i) => ({ ...step, key: step.name, number: i + 1, isHere: step.name === now.step })));
  for (const section of document.querySelectorAll("[data-step]")) section.hidden = section.dataset.step !== now.step;
  finder.show(now);
  showStep({ ...now, source: chosen ?? now.source });
  const at = now.steps.findIndex((step) => step.name === now.step);
  byId("onward").hidden = false;
  byId("minutes").hidden = false;
  setText(byId("minutes"), now.steps[at].takes);
  byId("back").disabled = at === 0;
  // The lens step has its own way forward: with the board, or explicitly without it.
  byId("next").hidden = at === now.steps.length - 1 || (now.step === "lens" && now.steps[at].status === "open");
  byId("next").disabled = !mayGoOn(now);
  byId("next").classList.toggle("main", now.steps[at].status !== "open" || now.step === "sheets" || now.step === "teach");
  if (stepChanged) {
    trouble(null);
    // A separate place: of several draws of one place, only the last is kept while a finger is on it.
    steadily(byId("steps").parentElement, () => byId("steps").querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "center" }));
    document.querySelector(".desk").scrollTo(0, 0);
  }
  keepKeyboard(focused, now.step);
}

/** If the focused element has gone or is disabled, focus the head of the open step. */
function keepKeyboard(focused, step) {
  if (focused === document.body || (focused.isConnected && !focused.disabled && focused.checkVisibility())) return;
  if (document.activeElement !== document.body && document.activeElement !== focused) return;
  byId(String(`${step}-title`)).focus({ preventScroll: true });
}

function stepButton(step) {
  const mark = { done: "✓", skipped: "–", open: String(step.number) }[step.status];
  const button = el(
    "button",
    { type: "button", class: `step-button ${step.status}`, "data-go": step.name, "aria-current": step.isHere && "step" },
    el("b", { "aria-hidden": "true" }, mark),
    el("span", {}, step.title),
  );
  button.addEventListener("click", () => change("/wizard/step", { step: step.name }));
  return el("li", {}, button);
}

/** Whether the next step can be opened: everything depends on the camera, the table and the name. */
function mayGoOn(now) {
  const here = now.steps.find((step) => step.name === now.step);
  return here.status !== "open" || ["sheets", "game", "teach"].includes(now.step);
}

/** Show an error. One about a picture of the camera is cleared by its next picture. */
function trouble(problem, isOfLook = false) {
  const place = byId("trouble");
  place.toggleAttribute("data-of-look", isOfLook);
  place.hidden = !problem;
  setText(place, problem ? problem.message : "");
}

/** Do one thing at a time. Anything longer than a blink shows its elapsed time. */
async function work(task, isAnnounced, isLook = false) {
  if (isBusy) return undefined;
  isBusy = true;
  const since = Date.now();
  const tick = () => {
    const seconds = Math.round((Date.now() - since) / 1000);
    byId("busy").hidden = !isAnnounced && seconds < 2;
    byId("busy-text").textContent = t("setup_busy", { seconds });
  };
  const timer = setInterval(tick, 500);
  if (isAnnounced) tick();
  try {
    return await task();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble(problem, isLook);
    if (problem.status === 403) byId("not-owner").hidden = false;
    return undefined;
  } finally {
    clearInterval(timer);
    byId("busy").hidden = true;
    isBusy = false;
  }
}

async function change(path, body) {
  return shown(() => send(path, body));
}

async function shown(task) {
  await idle();
  const now = await work(task, true);
  if (now) {
    trouble(null);
    show(now);
  }
  return now;
}

/** Switch to another camera. A pending look does not unmark the tapped one. */
async function chooseCamera(source) {
  chosen = source;
  show(state); // replaces a look's result that waited for the finger to lift
  const now = await change("/wizard/camera", { source });
  if (chosen === source) chosen = null;
  if (!now) show(state);
}

/** Send the page's own camera picture if it is the table's camera, so that the look uses it. */
async function sendOwn() {
  if (state.source !== OWN) return;
  if (!OwnCamera.canBe) throw new Refused(t("setup_insecure"), 0, "NoCamera");
  if (!ownCamera.isOpen) {
    await ownCamera.open().catch(() => {
      throw new Refused(t("camera_refused"), 0, "NoCamera");
    });
  }
  await sendBytes("/wizard/frames", await ownCamera.picture());
}

async function look(isWanted) {
  await sendOwn();
  return send("/wizard/look", { is_wanted: isWanted });
}

/** Wait until the running look is over, so that a tap is never lost to it. */
async function idle() {
  while (isBusy) await new Promise((done) => setTimeout(done, 30));
}

async function handIn(files) {
  for (const file of files) {
    await idle();
    const now = await work(() => sendBytes("/wizard/photos", file), true);
    if (!now) return show(await ask("/wizard"));
    trouble(null);
    show(now);
  }
  return undefined;
}

async function lookOn() {
  let pause = PAUSE_MS;
  if (state && !isBusy && !document.hidden && state.is_live && LOOKING.has(state.step) && !isComplete(state)) {
    const now = await work(() => look(false), false, true);
    if (now) {
      if (byId("trouble").hasAttribute("data-of-look")) trouble(null);
      show(now);
    } else {
      pause = RETRY_MS;
    }
    if (now?.step === "lens" && now.look.is_taken && now.lens.is_enough) await change("/wizard/work", { what: "lens" });
  }
  setTimeout(lookOn, pause);
}

/** A finished lens or table needs no more pictures. */
function isComplete(now) {
  if (now.step === "table") return now.table.found !== null || now.table.is_skipped;
  return now.step === "lens" && (now.lens.found !== null || now.lens.is_skipped);
}

async function readTable() {
  await idle();
  const now = await work(() => sendOwn().then(() => send("/wizard/read")), true);
  if (!now) return;
  trouble(null);
  show(now);
  const scene = await ask(`/shots/${now.shot}`);
  finder.showScene(scene);
  byId("read-result").hidden = false;
  const doubtful = scene.figures.filter((figure) => figure.low).length + scene.doors.filter((door) => door.low).length;
  byId("read-result").replaceChildren(
    el("p", { class: "advice" }, scene.summary),
    el("p", {}, doubtful ? t("setup_doubtful") : t("setup_all_sure")),
  );
  byId("read-acts").hidden = false;
  for (const id of ["read-now", "read-photo-label"]) byId(id).classList.remove("main");
  byId("read-closer").href = `/#shot=${now.shot}`;
}

function onFiles(id, then) {
  byId(id).addEventListener("change", async (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    await then(files);
  });
}

function wire() {
  const step = (by) => () => {
    const at = state.steps.findIndex((each) => each.name === state.step);
    change("/wizard/step", { step: state.steps[at + by].name });
  };
  byId("back").addEventListener("click", step(-1));
  byId("next").addEventListener("click", step(1));
  byId("cameras").addEventListener("change", ({ target }) => chooseCamera(/** @type {HTMLInputElement} */ (target).value));
  byId("way-camera").addEventListener("click", () => {
    const live = byId("cameras").querySelector('input:not([value="photos"])');
    live?.focus({ focusVisible: true });
    live?.scrollIntoView({ block: "center" });
  });
  byId("way-phone").addEventListener("click", goByPhone);
  byId("camera-form").addEventListener("submit", (event) => {
    event.preventDefault();
    change("/wizard/camera", { source: byId("camera-name").value.trim() });
  });
  for (const id of ["paper", "measured", "reprinted"]) byId(id).addEventListener("change", sendSheets);
  onFiles("lens-photos", handIn);
  onFiles("table-photos", handIn);
  onFiles("read-photo", async (files) => {
    await handIn(files);
    if (byId("trouble").hidden) await readTable();
  });
  byId("lens-solve").addEventListener("click", () => change("/wizard/work", { what: "lens" }));
  byId("lens-skip").addEventListener("click", () => change("/wizard/work", { what: "no_lens" }));
  byId("lens-again").addEventListener("click", () => change("/wizard/again", { step: "lens" }));
  byId("table-take").addEventListener("click", () => shown(() => look(true)));
  byId("table-skip").addEventListener("click", () => change("/wizard/work", { what: "no_table" }));
  byId("table-solve").addEventListener("click", () => change("/wizard/work", { what: "table" }));
  byId("table-again").addEventListener("click", () => change("/wizard/again", { step: "table" }));
  for (const id of ["tiles", "roster", "free", "step"]) byId(id).addEventListener("change", sendGame);
  byId("go-free").addEventListener("click", async () => {
    if (state.name === null) await change("/wizard/step", { step: "save" });
    else if (await change("/wizard/use", { name: state.name })) location.assign("/free");
  });
  byId("add-phone").addEventListener("click", async () => {
    await idle();
    const invitation = await work(() => send("/invitations", { role: "owner", page: "/setup" }), true);
    if (invitation) showInvitation(byId("phone-invitation"), invitation);
  });
  byId("save-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    await change("/wizard/save", { name: byId("save-name").value.trim() });
  });
  byId("kept-list").addEventListener("click", async (event) => {
    const name = /** @type {Element} */ (event.target).closest("[data-use]")?.dataset.use;
    if (name && (await change("/wizard/use", { name }))) location.assign("/#first-match");
  });
  onFiles("restore", async ([file]) => {
    await idle();
    const now = await work(() => sendBytes("/wizard/restore", file), true);
    if (!now) return;
    trouble(null);
    show(now);
  });
  byId("read-now").addEventListener("click", readTable);
  byId("print-scale-take").addEventListener("click", async () => {
    if (await change("/wizard/work", { what: "print_scale" })) byId("read-acts").hidden = true;
  });
  byId("finish").addEventListener("click", async () => {
    // Without a live camera the table of the photo would be lost behind the form of a new match.
    const page = state.is_live ? "/#first-match" : byId("read-closer").href;
    if (await change("/wizard/finish")) location.assign(page);
  });
  if (document.getElementById("light")) new LightFold(work, idle, trouble);
  takesTaps();
}

/** A phone alone: no lens board, no markers. The next thing to show is the owner's box. */
async function goByPhone() {
  const steps = [
    ["/wizard/camera", { source: "photos" }],
    ["/wizard/work", { what: "no_lens" }],
    ["/wizard/work", { what: "no_table" }],
    ["/wizard/step", { step: "teach" }],
  ];
  for (const [path, body] of steps) if (!(await change(path, body))) return;
}

function sendGame() {
  const stepMm = byId("free").checked ? Number(byId("step").value) : null;
  change("/wizard/game", { tiles: byId("tiles").value || null, roster: byId("roster").value || null, step_mm: stepMm });
}

function sendSheets() {
  const measured = byId("measured").value === "" ? null : Number(byId("measured").value);
  change("/wizard/sheets", { paper: byId("paper").value, measured_mm: measured, is_reprinted: byId("reprinted").checked });
}

/** The owner's link carries its token behind the #, where no log sees it. */
async function joinByLink() {
  const token = new URLSearchParams(location.hash.slice(1)).get("join");
  if (!token) return false;
  history.replaceState(null, "", location.pathname + location.search);
  await work(() => send("/join", { code: token }));
  location.reload();
  return true;
}

if (!(await joinByLink()) && document.body.dataset.role === "owner") {
  wire();
  const now = await work(() => ask("/wizard"));
  if (now) show(now);
  lookOn();
}
