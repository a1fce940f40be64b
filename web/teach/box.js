// A whole box from photos of many tiles: photos queue up and are read in turn, the sheet grows, taps correct it.

import { ask, Refused, send, sendBytes } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { done, trouble } from "./notices.js";
import { TileBoard } from "./tile.js";
import { t } from "../shell/texts.js";

const LOOK_EVERY_MS = 1500;
const THINGS = { door: "box_door", token: "box_token", card: "box_card_thing", unclear: "box_unclear" };

const board = new TileBoard(byId("tile-lines"), byId("said"));
const sheet = new Rows(byId("box-sheet"), sideCard);
const others = new Rows(byId("box-others"), thingCard);
const batches = new Rows(byId("box-batches"), batchLine);
const open = { side: null, door: null };
let box = null;
let timer = 0;

/** The answer to a change. A refusal becomes a sentence and null. */
async function change(doing) {
  trouble(null);
  done(null);
  try {
    return await doing();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    trouble(problem.message);
    byId("trouble").scrollIntoView({ block: "nearest" });
    byId("keep-replace").hidden = problem.kind !== "WouldReplace";
    return null;
  }
}

async function changeBox(doing) {
  const now = await change(doing);
  if (now) show(now);
  return now;
}

function pictureOf(key) {
  return `/api/v1/teach/box/pictures/${encodeURIComponent(key)}`;
}

function show(now) {
  box = now;
  if (!byId("keep-set").value && now.sides.length) byId("keep-set").value = t("box_name");
  const { reading, sides } = now;
  batches.show(now.batches.map((batch, index) => ({ ...batch, key: String(index), n: index + 1 })));
  byId("box-busy").hidden = !reading;
  if (reading) setText(byId("box-progress"), t(reading.of ? "box_reading" : "box_first", reading));
  if (now.problem) trouble(now.problem);
  byId("box-seen").hidden = !sides.length;
  const doubtful = sides.filter((side) => side.is_doubtful).length;
  setText(byId("box-count"), t(doubtful ? "box_count" : "box_all_sure", { sides: sides.length, doubtful }));
  sheet.show(sides);
  byId("box-others-part").hidden = !now.others.length;
  others.show(now.others);
  offerGames(now.boxes);
  showMissing();
  clearTimeout(timer);
  if (reading) timer = setTimeout(look, LOOK_EVERY_MS);
}

/** The contents of the game's box that were not found, as far as its sources say. */
function showMissing() {
  const known = box.boxes.find((one) => one.game === byId("box-game").value);
  byId("box-missing").hidden = !known;
  if (!known) return;
  const tiles = known.tiles - box.sides.filter((side) => !(side.other && side.key.includes("-b-"))).length;
  const doors = known.doors - box.others.filter((thing) => thing.kind === "door").length;
  const lacks = tiles > 0 || doors > 0;
  setText(byId("box-missing"), t(lacks ? "box_missing" : "box_complete", lacks ? { tiles: Math.max(tiles, 0), doors: Math.max(doors, 0) } : known));
}

function offerGames(boxes) {
  const choice = byId("box-game");
  if (choice.options.length > 1) return;
  choice.append(...boxes.map(({ game }) => el("option", { value: game }, game)));
}

async function look() {
  await change(async () => show(await ask("/teach/box")));
}

function batchLine({ n, fronts, backs }) {
  return el("li", {}, t("box_batch", { n, fronts, backs }));
}

function sideCard(side) {
  const unpaired = t(box.batches.some(({ backs }) => backs) ? "box_unpaired" : "box_no_backs");
  const remarks = [side.is_cut && t("box_cut"), !side.is_paired && unpaired, side.is_name_doubtful && t("box_unnamed")].filter(Boolean);
  const name = side.doubts ? t("box_card", { id: side.id, doubts: side.doubts }) : side.id;
  const picture = el("img", { src: `${pictureOf(side.key)}?close=1&v=${side.photos}`, alt: "", loading: "lazy" });
  const button = el("button", { type: "button", class: side.is_doubtful ? "box-card doubtful" : "box-card" }, picture, el("b", {}, name), ...remarks.map((one) => el("span", {}, one)));
  button.addEventListener("click", () => openSide(side.key));
  return el("li", {}, button);
}

function thingCard(thing) {
  const [width, height] = thing.size_mm;
  const picture = el("img", { src: pictureOf(thing.key), alt: "", loading: "lazy" });
  const button = el("button", { type: "button", class: "box-card" }, picture, el("b", {}, t(THINGS[thing.kind], { width, height })));
  button.addEventListener("click", () => {
    open.door = thing.key;
    byId("door-form").hidden = false;
    byId("door-doubt").hidden = thing.kind === "door";
    setText(byId("door-doubt"), t("box_no_door", { thing: t(THINGS[thing.kind], { width, height }) }));
    byId("door-roster").value ||= byId("keep-set").value;
    byId("door-roster").focus();
  });
  return el("li", {}, button);
}

async function openSide(key) {
  const tile = await change(() => ask(`/teach/box/sides/${encodeURIComponent(key)}`));
  if (!tile) return;
  const side = box.sides.find((one) => one.key === key);
  open.side = side;
  byId("workbench").hidden = false;
  byId("tile-picture").src = `${pictureOf(key)}?v=${side.photos}`;
  board.show(tile);
  byId("side-id").value = side.id;
  const options = box.sides.filter((one) => one.key !== key).map((one) => el("option", { value: one.key }, one.id));
  byId("side-other").replaceChildren(el("option", { value: "" }, t("box_alone")), ...options);
  byId("side-other").value = side.other ?? "";
  byId("workbench").scrollIntoView({ block: "start" });
}

async function saveSide(event) {
  event.preventDefault();
  const path = `/teach/box/sides/${encodeURIComponent(open.side.key)}`;
  const id = byId("side-id").value.trim();
  const other = byId("side-other").value || null;
  const now = await changeBox(async () => {
    if (id !== open.side.id) await send(`${path}/name`, { id });
    if (other !== open.side.other) await send(`${path}/pair`, { other });
    return send(path, board.confirmed());
  });
  if (now) byId("workbench").hidden = true;
}

async function dropSide() {
  const now = await changeBox(() => send(`/teach/box/drop/${encodeURIComponent(open.side.key)}`));
  if (now) byId("workbench").hidden = true;
}

async function keep(replace) {
  byId("keep-replace").hidden = true;
  const kept = await change(() => send("/teach/box/keep", { set: byId("keep-set").value.trim(), replace }));
  if (kept) done(t("box_kept", { set: kept.name, count: kept.sides.length }));
}

async function saveDoors(event) {
  event.preventDefault();
  const wish = { roster: byId("door-roster").value.trim(), count: Number(byId("door-count").value) };
  const kept = await change(() => send(`/teach/box/doors/${encodeURIComponent(open.door)}`, wish));
  if (kept) done(t("teach_kept_door", { roster: kept.name }));
}

/** Upload each chosen photo. The program reads them one after another. */
function onPhotos(id, turned) {
  byId(id).addEventListener("change", async (event) => {
    for (const file of [...event.target.files]) await changeBox(() => sendBytes(`/teach/box/photos?turned=${turned}`, file));
    event.target.value = "";
  });
}

byId("box-game").addEventListener("change", () => changeBox(() => send("/teach/box/game", { game: byId("box-game").value || null })));
onPhotos("box-fronts", 0);
onPhotos("box-backs", 1);
for (const radio of document.querySelectorAll("[name=mode]")) {
  radio.addEventListener("change", () => board.setMode(radio.value));
}
byId("box-next").addEventListener("click", () => changeBox(() => send("/teach/box/next")));
byId("box-cancel").addEventListener("click", () => changeBox(() => send("/teach/box/cancel")));
byId("box-clear").addEventListener("click", async () => {
  if (await changeBox(() => send("/teach/box/clear"))) byId("box-game").value = "";
});
byId("side-form").addEventListener("submit", saveSide);
byId("side-drop").addEventListener("click", dropSide);
byId("keep-form").addEventListener("submit", (event) => {
  event.preventDefault();
  keep(false);
});
byId("keep-replace").addEventListener("click", () => keep(true));
byId("door-form").addEventListener("submit", saveDoors);
takesTaps();
if (document.body.dataset.role === "owner") await look();
