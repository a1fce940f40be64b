// Teaching: photo, rectified object, correction, saving. One part of the page each for tiles, figures, doors and whole
// sets.

import { ask, Refused, send, sendBytes, sendForFile } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { LineUp } from "./line_up.js";
import { OwnCamera } from "../shell/own_camera.js";
import { Rows, setText } from "../shell/steady.js";
import { done, trouble } from "./notices.js";
import { TileBoard } from "./tile.js";
import { t } from "../shell/texts.js";

const board = new TileBoard(byId("tile-lines"), byId("said"));
const drafts = {};
let rosters = [];
const ownCamera = new OwnCamera();
const lineUp = new LineUp(work, async (kept) => {
  done(t("teach_kept_line_up", { roster: kept.name, count: kept.figures.length }));
  await refresh();
});
const setRows = new Rows(byId("sets"), setLine);

/** Controls that wait while something is read or saved. */
const BUSY = "form button, input[type=file], [data-take]";

/** The page's own camera as the source of pictures. */
const OWN = "push";

/** Run work with a progress sentence. A refusal becomes a sentence, too. */
async function work(text, doing) {
  const begun = Date.now();
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const tell = async () => {
    setText(byId("busy-text"), t(text, { seconds: Math.round((Date.now() - begun) / 1000) }));
    if (text !== "teach_reading") return;
    const { work: now } = await ask("/teach/work").catch(() => ({ work: null }));
    byId("cancel").hidden = now === null;
    if (now?.of) setText(byId("busy-text"), t("teach_reading_of", { done: now.done, of: now.of, seconds: now.seconds }));
  };
  tell();
  const clock = setInterval(tell, 1000);
  trouble(null);
  done(null);
  offerToReplace(false);
  byId("busy").hidden = false;
  for (const button of document.querySelectorAll(BUSY)) button.disabled = true;
  try {
    return await doing();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble(problem.message);
    offerToReplace(problem.kind === "WouldReplace");
    byId("trouble").scrollIntoView({ block: "nearest" });
    return null;
  } finally {
    clearInterval(clock);
    byId("busy").hidden = true;
    byId("cancel").hidden = true;
    for (const button of document.querySelectorAll(BUSY)) button.disabled = false;
    if (document.activeElement === document.body) focused.focus({ preventScroll: true });
  }
}

/** The buttons that replace existing entries, each in its own part. */
function offerToReplace(isOffered) {
  for (const id of ["set-choice", "tile-replace"]) byId(id).hidden = !isOffered;
}

function showPart(name) {
  for (const section of document.querySelectorAll("[data-part]")) section.hidden = section.dataset.part !== name;
  for (const button of document.querySelectorAll("[data-part-of]")) {
    if (button.dataset.partOf === name) {
      button.setAttribute("aria-current", "step");
      button.scrollIntoView({ block: "nearest", inline: "center" });
    } else button.removeAttribute("aria-current");
  }
  trouble(null);
  done(null);
  offerToReplace(false);
}

/** Send a chosen file, or one taken by the table's camera. The same file may be chosen again. */
function onFile(id, path, show, showOthers = null) {
  const handIn = async (bring) => {
    let file = null;
    const answer = await work("teach_reading", async () => {
      file = await bring();
      return sendBytes(path(), file).catch((problem) => {
        if (!showOthers || problem.kind !== "MoreThanOneFigure") throw problem;
        return showOthers(file, problem.message);
      });
    });
    if (answer) show(answer, file);
  };
  byId(id).addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    await handIn(() => file);
    event.target.value = "";
  });
  document.querySelector(`[data-take="${id}"]`)?.addEventListener("click", () => handIn(tablePhoto));
}

/** The current picture of the set-up's camera, which may be this phone's own. */
async function tablePhoto() {
  if (drafts.source !== OWN) return sendForFile("/wizard/photo");
  if (!ownCamera.isOpen) {
    await ownCamera.open().catch(() => {
      throw new Refused(t("camera_refused"), 0, "NoCamera");
    });
  }
  return ownCamera.picture();
}

/** Offer the set-up's live camera for taking the pictures. */
async function offerCamera() {
  if (!("hasDesk" in document.body.dataset)) return;
  const { source, is_live: isLive } = await ask("/wizard");
  drafts.source = source;
  const isThere = isLive && (source !== OWN || OwnCamera.canBe);
  for (const button of document.querySelectorAll("[data-take]")) button.hidden = !isThere;
}

function pictureOf(draft) {
  return `/api/v1/teach/drafts/${encodeURIComponent(draft)}/picture`;
}

function showTile(tile) {
  drafts.tile = tile.draft;
  byId("workbench").hidden = false;
  byId("tile-more-label").hidden = false;
  byId("tile-picture").src = pictureOf(tile.draft);
  board.show(tile);
  const sentences = [board.doubtful ? t("teach_doubtful", { count: board.doubtful }) : t("teach_sure")];
  if (tile.photos > 1) sentences.push(t("teach_photos", { count: tile.photos }));
  byId("doubt").textContent = sentences.join(" ");
  byId("tile-flip").hidden = true;
}

async function saveTile(replace) {
  const wish = { set: byId("tile-set").value.trim(), id: byId("tile-id").value.trim(), replace, ...board.confirmed() };
  const kept = await work("teach_keeping", () => send(`/teach/drafts/${encodeURIComponent(drafts.tile)}/tile`, wish));
  if (!kept) return;
  done(t("teach_kept_tile", { tile: wish.id, set: kept.name, count: kept.sides.length }));
  byId("tile-flip").hidden = false;
  await refresh();
}

/** Clear the workspace for the back of the saved tile, and propose its name: after 07A comes 07B. */
function flip() {
  const id = byId("tile-id").value.trim();
  byId("tile-id").value = /A$/.test(id) ? `${id.slice(0, -1)}B` : "";
  byId("workbench").hidden = true;
  byId("tile-more-label").hidden = true;
  done(null);
  byId("tile-photo").click();
}

function showFigure(figure, photo) {
  drafts.figurePhotos = figure.photos === 1 ? [photo] : [...drafts.figurePhotos, photo];
  showMeasured(figure);
}

/** Several things instead of one: show each for naming or omission. */
async function showSeveral(photo, why) {
  const draft = await sendBytes("/teach/line-ups", photo);
  showPart("line-up");
  lineUp.show(draft);
  trouble(why);
  return null;
}

function showMeasured(figure) {
  drafts.figure = figure;
  byId("figure-bench").hidden = false;
  byId("figure-more-acts").hidden = false;
  byId("figure-sides").textContent = saySides(figure);
  byId("figure-picture").src = pictureOf(figure.draft);
  [byId("figure-length").value, byId("figure-width").value] = figure.base.size_mm;
  [byId("figure-columns").value, byId("figure-rows").value] = figure.base.size_cells;
  showShape(figure.base.shape);
  showRing();
}

/** Describe the sides in the photos: a photo of another base or ring, or from the place of an earlier one, adds none. */
function saySides({ sides, photos }) {
  if (photos === 1) return t("teach_one_side");
  return t(sides === photos ? "teach_figure_sides" : "teach_figure_sides_of", { sides, others: photos - sides });
}

function showShape(shape) {
  byId("figure-shape").value = shape;
  byId("figure-length-name").textContent = t(shape === "round" ? "teach_base_diameter" : "teach_base_length");
  byId("figure-width-field").hidden = shape === "round";
}

/** Read the same photos again for a base of the shape given by a person. */
async function measureAgain() {
  const shape = byId("figure-shape").value;
  const answer = await work("teach_reading", async () => {
    let figure = null;
    for (const photo of drafts.figurePhotos) {
      const together = figure ? `&draft=${encodeURIComponent(figure.draft)}` : "";
      figure = await sendBytes(`/teach/figures?shape=${shape}${together}`, photo);
    }
    return figure;
  });
  if (answer) showMeasured(answer);
  else showShape(drafts.figure.base.shape);
}

function chosenBase() {
  const numbers = (...ids) => ids.map((id) => Number(byId(id).value));
  return {
    shape: byId("figure-shape").value,
    size_mm: numbers("figure-length", "figure-width"),
    size_cells: numbers("figure-columns", "figure-rows"),
  };
}

function chosenRing() {
  return knownRing() ?? drafts.figure.ring;
}

/** The chosen roster's ring that was seen: its kind's own, or an equal one, undefined for a new one. */
function knownRing() {
  const known = new Map(Object.entries(drafts.figure.known_rings));
  const rings = new Map(Object.entries(known.get(byId("figure-roster").value.trim()) ?? {}));
  return rings.get(byId("figure-kind").value.trim()) ?? rings.get("");
}

function showRing() {
  if (!drafts.figure) return;
  const ring = chosenRing();
  const swatch = byId("figure-swatch");
  swatch.removeAttribute("style");
  if (ring) swatch.style.background = ring;
  byId("figure-ring").textContent = ring ? sayRing(ring) : t("teach_no_ring");
}

/** Describe the seen ring, with the other kinds of the roster that have it. */
function sayRing(ring) {
  const roster = byId("figure-roster").value.trim();
  if (!knownRing()) return t("teach_ring");
  const kind = byId("figure-kind").value.trim();
  const figures = rosters.find((one) => one.name === roster)?.figures ?? [];
  const same = figures.filter((one) => one.ring === ring && one.kind !== kind).map((one) => one.kind);
  return same.length ? t("teach_ring_shared", { kinds: [...new Set(same)].join(", ") }) : t("teach_ring_known");
}

async function saveFigure(event) {
  event.preventDefault();
  const wish = {
    roster: byId("figure-roster").value.trim(),
    kind: byId("figure-kind").value.trim(),
    side: byId("figure-side").value.trim(),
    id: byId("figure-id").value.trim(),
    height_mm: Number(byId("figure-height").value),
    ring: chosenRing(),
    base: chosenBase(),
  };
  const path = `/teach/drafts/${encodeURIComponent(drafts.figure.draft)}/figure`;
  const kept = await work("teach_keeping", () => send(path, wish));
  if (!kept) return;
  done(t("teach_kept_figure", { roster: kept.name, count: kept.figures.length }));
  byId("figure-id").value = "";
  await refresh();
}

function showDoor(door) {
  drafts.door = door;
  byId("door-bench").hidden = false;
  byId("door-picture").src = pictureOf(door.draft);
  const cells = door.width_cells === 1 ? t("teach_one_edge") : t("teach_many_edges", { count: door.width_cells });
  byId("door-size").textContent = t("teach_door_size", { width: door.width_mm, height: door.height_mm, cells });
}

async function saveDoor(event) {
  event.preventDefault();
  const wish = {
    roster: byId("door-roster").value.trim(),
    count: Number(byId("door-count").value),
    thickness_mm: Number(byId("door-thickness").value),
  };
  const path = `/teach/drafts/${encodeURIComponent(drafts.door.draft)}/door`;
  const kept = await work("teach_keeping", () => send(path, wish));
  if (!kept) return;
  done(t("teach_kept_door", { roster: kept.name }));
  await refresh();
}

/** Fetch the existing entries for the lists of names. */
async function refresh() {
  const taught = await ask("/teach");
  const sets = taught.sets;
  rosters = taught.rosters;
  const options = (names) => [...new Set(names)].map((name) => el("option", { value: name }));
  byId("set-names").replaceChildren(...options(sets.map((set) => set.name)));
  const figures = [...rosters.flatMap((roster) => roster.figures), ...taught.known_figures];
  byId("kind-names").replaceChildren(...options(figures.map((one) => one.kind)));
  byId("roster-names").replaceChildren(...options(rosters.map((roster) => roster.name)));
  byId("side-names").replaceChildren(...options(figures.map((one) => one.side)));
  const [box] = [...rosters, ...sets]; // most owners have one box
  for (const list of [byId("line-up-roster"), byId("figure-roster"), byId("door-roster")]) list.value ||= box?.name ?? "";
  setRows.show(sets.length ? sets.map((set) => ({ ...set, key: set.name, by: byId("set-by").value.trim() })) : [{ key: "", sides: [] }]);
}

function setLine(set) {
  if (!set.key) return el("li", {}, t("teach_no_sets"));
  const link = { class: "button", href: `/api/v1/teach/sets/${encodeURIComponent(set.name)}${set.by ? `?by=${encodeURIComponent(set.by)}` : ""}`, download: `${set.name}.zip` };
  return el(
    "li",
    {},
    el("b", {}, set.name),
    el("span", {}, t("teach_sides", { count: set.sides.length })),
    el("a", link, t("teach_export", { set: set.name })),
  );
}

/** Import the same file again, after a person decided about sides of the same name. */
async function importAgain(way) {
  const set = await work("teach_keeping", () => sendBytes(`/teach/sets?way=${way}`, drafts.set));
  if (set) await showImported(set);
}

async function showImported(set) {
  await refresh();
  done(t("teach_imported", { set: set.name, count: set.sides.length }));
}

for (const button of document.querySelectorAll("[data-part-of]")) {
  button.addEventListener("click", () => showPart(button.dataset.partOf));
}
for (const radio of document.querySelectorAll("[name=mode]")) {
  radio.addEventListener("change", () => board.setMode(radio.value));
}
onFile("tile-photo", () => "/teach/tiles", showTile);
onFile("tile-more", () => `/teach/tiles?draft=${encodeURIComponent(drafts.tile)}`, showTile);
onFile("figure-photo", () => "/teach/figures", showFigure, showSeveral);
onFile("figure-more", () => `/teach/figures?draft=${encodeURIComponent(drafts.figure.draft)}`, showFigure);
onFile("line-up-photo", () => "/teach/line-ups", (draft) => lineUp.show(draft));
onFile("line-up-more", () => `/teach/line-ups?draft=${encodeURIComponent(lineUp.draft.draft)}`, (draft) => lineUp.show(draft));
onFile("door-photo", () => "/teach/doors", showDoor);
onFile("set-file", () => "/teach/sets", showImported);
byId("cancel").addEventListener("click", () => send("/teach/work/cancel"));
byId("set-add").addEventListener("click", () => importAgain("add"));
byId("set-replace").addEventListener("click", () => importAgain("replace"));
byId("set-file").addEventListener("change", () => {
  drafts.set = byId("set-file").files?.[0] ?? null;
}, true);
byId("set-by").addEventListener("input", refresh);
byId("tile-form").addEventListener("submit", (event) => {
  event.preventDefault();
  saveTile(false);
});
byId("tile-replace").addEventListener("click", () => saveTile(true));
byId("tile-flip").addEventListener("click", flip);
byId("figure-form").addEventListener("submit", saveFigure);
byId("figure-shape").addEventListener("change", measureAgain);
byId("figure-roster").addEventListener("input", showRing);
byId("figure-kind").addEventListener("input", showRing);
byId("door-form").addEventListener("submit", saveDoor);
const linked = document.querySelector(`[data-part-of="${CSS.escape(location.hash.slice(1))}"]`);
if (linked) showPart(linked.dataset.partOf);
takesTaps();
if (document.body.dataset.role === "owner") await Promise.all([refresh(), offerCamera()]);
