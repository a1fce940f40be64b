// The table without a grid: two taps for a ruling, two for the ruler, one for a radius, a finger's line for terrain.

import { citation } from "../rulings/citation.js";
import { claimsAbout } from "../rulings/claims.js";
import { ask, Refused, send, sendBytes } from "../shell/api.js";
import { byId, el, onKey, onPress, path, svg, takesTaps } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const sheet = byId("sheet");
const overlay = byId("overlay");
const giving = document.getElementById("to-match"); // present while a match on such a table is played
const reporting = /** @type {HTMLAnchorElement} */ (document.getElementById("report")); // present for the owner
const misread = /** @type {HTMLButtonElement} */ (document.getElementById("misread")); // present for all who act
const radius = /** @type {HTMLInputElement} */ (byId("steps"));
const FOLLOW_MS = 1500;
const NAME_CSS = 15;
const FINGER_CSS = 30; // how far beside a figure a tap still means it
const state = { scene: null, attacker: null, defender: null, from: null, stroke: null, isBusy: false, reported: null, refused: null };

function mode() {
  return document.querySelector("[name=mode]:checked").value;
}

function hint(text) {
  setText(byId("hint"), text);
}

/** Run work with a progress sentence. A refusal becomes a sentence, too. */
async function work(doing) {
  if (state.isBusy) return;
  const begun = Date.now();
  const tell = () => setText(byId("busy-text"), t("free_reading", { seconds: Math.round((Date.now() - begun) / 1000) }));
  tell();
  const clock = setInterval(tell, 500);
  state.isBusy = true;
  byId("busy").hidden = false;
  byId("trouble").hidden = true;
  try {
    await withTrouble(doing);
  } finally {
    clearInterval(clock);
    state.isBusy = false;
    byId("busy").hidden = true;
  }
}

/** Let people keep the shown picture with its wrong reading at the table, once, or a photo that cannot be read. */
function offerReport() {
  if (!misread) return;
  misread.hidden = !state.scene && !state.refused;
  misread.disabled = !state.refused && state.scene?.shot === state.reported;
}

/** Read a photo. One that cannot be read is offered for a report. */
async function read(file) {
  state.refused = null;
  offerReport();
  try {
    show(await sendBytes("/free/shots", file));
  } catch (problem) {
    if (problem instanceof Refused && problem.isOfPhoto) state.refused = file;
    offerReport();
    throw problem;
  }
}

function reportRefused() {
  return work(async () => {
    await sendBytes("/free/refusals", state.refused);
    misread.disabled = true; // a second tap adds nothing
    hint(t("refusal_kept"));
  });
}

misread?.addEventListener("click", () => {
  if (state.refused) return reportRefused();
  return withTrouble(async () => {
    const { shot } = state.scene;
    misread.disabled = true; // a second tap adds nothing
    try {
      await send(shotPath("reports"));
      state.reported = shot;
      hint(t("free_report_kept"));
    } finally {
      offerReport();
    }
  });
});

/** Do that, and show a refusal. */
async function withTrouble(doing) {
  try {
    await doing();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("trouble").hidden = false;
    setText(byId("trouble"), problem.message);
  }
}

function show(scene) {
  if (!scene.shot) return;
  const known = new Set(scene.figures.map(({ id }) => id));
  state.scene = scene;
  for (const who of ["attacker", "defender"]) if (!known.has(state[who])) state[who] = null;
  sheet.hidden = false;
  byId("welcome").hidden = true;
  byId("bare").hidden = scene.terrain.length > 0;
  byId("photo-label").classList.remove("main");
  byId("picture").src = scene.picture;
  overlay.setAttribute("viewBox", `-0.5 -0.5 ${scene.width_px} ${scene.height_px}`);
  sheet.style.setProperty("--wide", String(scene.width_px / scene.height_px));
  tellMoves([...scene.news, ...scene.moves].map((text) => ({ text, choices: [] })));
  if (giving) giving.hidden = false;
  state.refused = null;
  offerReport();
  if (reporting) {
    reporting.hidden = false;
    reporting.href = `/api/v1${shotPath("report")}`;
  }
  draw();
  begin();
  if (mode() === "pair" && state.attacker && state.defender) rule();
}

/** Show moves in words: first those needing an answer, and those refused by the rules, with buttons. */
function tellMoves(moves) {
  byId("moves").hidden = moves.length === 0;
  byId("moves").replaceChildren(...moves.map(moveLine));
}

function moveLine({ text, choices, is_refused: isRefused }) {
  const line = el("li", {}, text);
  for (const choice of choices) line.append(button(choice.text, () => answer(line, choice.command)));
  if (isRefused) line.append(button(t("free_as_it_stands"), () => giveToMatch(true)));
  return line;
}

function button(text, doing) {
  const node = el("button", { type: "button", class: "button" }, text);
  node.addEventListener("click", doing);
  return node;
}

function answer(line, command) {
  return work(async () => {
    const { title } = await send("/match/commands", command);
    line.replaceChildren(title);
  });
}

function giveToMatch(asItStands) {
  return work(async () => {
    const { moves, news } = await send(shotPath("match"), { as_it_stands: asItStands });
    tellMoves([...news.map((text) => ({ text, choices: [] })), ...moves]);
    hint(t("free_given"));
  });
}

function draw(extra = []) {
  const { scene } = state;
  const removable = mode() === "remove" || mode() === "find" ? " removable" : "";
  const terrain = scene.terrain.map((piece) => {
    const node = svg("g", { class: `terrain${removable}`, "aria-label": piece.name }, svg("path", { d: path(piece.outline) }));
    node.addEventListener("click", () => changeTerrain(piece.id));
    return node;
  });
  overlay.replaceChildren(...terrain, ...extra, ...scene.maybes.map(maybeNode), ...scene.figures.map(figureNode));
}

/** A possible place of a figure. A tap asks whether one is there. */
function maybeNode(maybe) {
  const [x, y] = maybe.center;
  const attributes = { class: "maybe", tabindex: 0, role: "button", "data-maybe": maybe.id, "aria-label": maybe.question };
  const node = svg("g", attributes, svg("title", {}, maybe.question), svg("path", { d: path(maybe.base) }), svg("text", { x, y }, "?"));
  const asked = () => mode() === "pair" && showCard("", el("h2", {}, maybe.name), doubt({ text: maybe.question, figure: maybe.id }));
  return onPress(node, asked);
}

/** A point to check, with its two answers if there are any. */
function doubt({ text, figure }) {
  const line = el("div", { class: "doubt" }, el("p", {}, text));
  const answers = [["free_is_there", true], ["free_is_gone", false]];
  if (figure) line.append(...answers.map(([name, isThere]) => button(t(name), () => sayWhoStands(figure, isThere))));
  return line;
}

/** Send the answer to the table, and ask again for the ruling that depends on it. */
async function sayWhoStands(figure, isThere) {
  let scene = null;
  const isReported = state.reported === state.scene.shot;
  await work(async () => {
    scene = await send(shotPath("answers"), { figure, is_there: isThere });
  });
  if (scene === null) return;
  byId("card").hidden = true;
  if (isReported && scene.completes_report) state.reported = scene.shot; // its report is whole
  show(scene);
  if (scene.completes_report) hint(t("report_completed"));
}

function figureNode(figure) {
  const marks = ["attacker", "defender"].filter((who) => state[who] === figure.id).join(" ");
  const label = figure.is_unsure ? t("free_unsure", { name: figure.name }) : figure.name;
  const facing = figure.facing && svg("path", { class: "facing", d: path(figure.facing, false) });
  const attributes = { class: `figure ${marks}${figure.is_unsure ? " unsure" : ""}`, tabindex: 0, role: "button", "data-figure": figure.id, "aria-label": label };
  const node = svg("g", attributes, svg("title", {}, label), svg("path", { d: path(figure.base) }), facing, nameOf(figure));
  node.addEventListener("click", (event) => {
    if (mode() === "ruler" || mode() === "draw") return;
    event.stopPropagation();
    tapped(figure);
  });
  onKey(node, () => tapped(figure));
  return node;
}

function nameSize() {
  return (NAME_CSS * state.scene.width_px) / (overlay.clientWidth || state.scene.width_px);
}

/** The figure's name under its base, at a constant size on the screen. */
function nameOf({ name, base }, size = nameSize()) {
  const [xs, ys] = [base.map(([x]) => x), base.map(([, y]) => y)];
  const at = { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: Math.max(...ys), dy: "1.05em", "font-size": size };
  return svg("text", { class: "name", "aria-hidden": "true", ...at }, name);
}

/** The figure nearest to a tap that missed every base, within a finger's width. */
function figureNear(point) {
  const middle = (base, axis) => base.reduce((sum, corner) => sum + corner[axis], 0) / base.length;
  const apart = ({ base }) => Math.hypot(middle(base, 0) - point[0], middle(base, 1) - point[1]);
  const reach = (FINGER_CSS * state.scene.width_px) / overlay.clientWidth;
  const [nearest] = [...state.scene.figures].sort((a, b) => apart(a) - apart(b));
  return nearest && apart(nearest) <= reach ? nearest : null;
}

function tapped(figure) {
  if (mode() === "circle") circle(figure);
  else if (mode() === "pair") choose(figure);
}

function choose(figure) {
  if (state.attacker === figure.id) Object.assign(state, { attacker: null, defender: null });
  else if (state.attacker === null) state.attacker = figure.id;
  else state.defender = figure.id;
  draw();
  begin();
  if (state.attacker && state.defender) rule();
  else if (state.attacker) about(figure);
}

function begin() {
  state.from = null;
  byId("kind-row").hidden = mode() !== "draw";
  byId("steps-row").hidden = mode() !== "circle";
  sheet.classList.toggle("drawing", mode() === "draw");
  const name = state.scene?.figures.find(({ id }) => id === state.attacker)?.name;
  const texts = {
    pair: () => (name ? t("free_second", { name }) : t("free_first")),
    ruler: () => t("free_ruler"),
    circle: () => t("free_circle", { steps: radius.value }),
    draw: () => t("free_draw"),
    remove: () => t("free_remove"),
    find: () => t("free_find"),
  };
  hint(texts[mode()]());
}

function shotPath(rest) {
  return `/free/shots/${encodeURIComponent(state.scene.shot)}/${rest}`;
}

async function rule() {
  const { attacker, defender } = state;
  const isStill = () => state.attacker === attacker && state.defender === defender;
  await work(async () => {
    const card = await send(shotPath("rulings"), { attacker, defender });
    if (!isStill()) return; // a further tap was quicker
    hint("");
    draw(card.lines.flatMap(ray));
    showCard(
      card.verdict,
      el("h2", {}, card.headline),
      el("p", {}, card.sentence),
      el("dl", {}, ...card.facts.flatMap(({ name, value }) => [el("dt", {}, name), el("dd", {}, value)])),
      card.above && aboveButton(card.above),
      el("p", { class: "sure" }, card.stability.text),
      ...card.doubts.map(doubt),
      reasonList(card.reasons),
      claimsAbout(card, (about) => claims(attacker, defender, about)),
    );
  });
  if (!isStill() && state.attacker && state.defender) await rule();
}

/** A line of sight, broken where something higher covers or occludes it in the picture. */
function ray({ from, to, is_free: isFree, hidden }) {
  const gaps = hidden.map((stretch) => svg("path", { class: "hidden-part", d: path(stretch, false) }));
  return [svg("path", { class: isFree ? "ray" : "ray blocked", d: path([from, to], false) }), ...gaps];
}

/** The table from above with the same lines, if the picture hides part of one. A tap enlarges it. */
function aboveButton(above) {
  const made = el("button", { type: "button", class: "button board-above" }, boardAbove(above, 330), t("from_above"));
  made.addEventListener("click", () => {
    const back = button(t("back"), () => dialog.close());
    const dialog = el("dialog", { class: "dialog board-above large", "aria-label": t("from_above") }, boardAbove(above, Math.min(innerWidth, innerHeight)), back);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
  return made;
}

/** The table in millimetres. Names keep their size for about this width in screen pixels. */
function boardAbove({ size: [width, height], terrain, figures, lines }, wideCss) {
  const shapes = terrain.map(({ outline }) => svg("g", { class: "terrain" }, svg("path", { d: path(outline) })));
  const bases = figures.map((figure) => {
    const marks = ["attacker", "defender"].filter((who) => state[who] === figure.id).join(" ");
    return svg("g", { class: `figure ${marks}` }, svg("path", { d: path(figure.base) }), nameOf(figure, (NAME_CSS * width) / wideCss));
  });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...shapes, ...lines.flatMap(ray), ...bases);
}

/** Two claims about a pair, each with its verdict, or none if unavailable. */
async function claims(attacker, defender, about) {
  let found = [];
  await work(async () => {
    ({ claims: found } = await send(shotPath("claims"), { attacker, defender, about }));
  });
  return found;
}

function about(figure) {
  return withTrouble(async () => {
    const found = await ask(shotPath(`figures/${encodeURIComponent(figure.id)}`));
    if (state.attacker !== figure.id || state.defender) return; // a further tap was quicker
    showCard("", el("h2", {}, found.name), found.reasons.length ? reasonList(found.reasons) : el("p", {}, t("free_nothing")));
  });
}

function reasonList(reasons) {
  return el("ul", { class: "reasons" }, ...reasons.map((one) => el("li", {}, el("span", {}, one.text), citation(one))));
}

function showCard(verdict, ...children) {
  const card = byId("card");
  card.hidden = false;
  card.className = `pane free-card ${verdict}`;
  card.replaceChildren(...children.filter(Boolean)); // an answer without a view from above has none
}

function measure(point) {
  if (state.from === null) {
    state.from = point;
    hint(t("free_ruler_end"));
    return;
  }
  const [start, end] = [state.from, point];
  state.from = null;
  work(async () => {
    const found = await send(shotPath("measures"), { start, end });
    draw([svg("path", { class: "ruler", d: path([start, end], false) })]);
    showCard("", el("h2", {}, found.text));
    hint(t("free_ruler"));
  });
}

function circle(figure) {
  work(async () => {
    const { outline, front, text } = await send(shotPath("circles"), { figure: figure.id, steps: Number(radius.value) });
    const across = front ? [svg("path", { class: "circle front", d: path(front, false) })] : [];
    draw([svg("path", { class: "circle", d: path(outline) }), ...across]);
    showCard("", el("h2", {}, figure.name), el("p", {}, text));
  });
}

function changeTerrain(id) {
  const change = { remove: "terrain/removals", find: "terrain/searches" }[mode()];
  if (change) work(async () => show(await send(shotPath(change), { id })));
}

function place(event) {
  const box = overlay.getBoundingClientRect();
  const { width_px: width, height_px: height } = state.scene;
  return [((event.clientX - box.left) / box.width) * width - 0.5, ((event.clientY - box.top) / box.height) * height - 0.5];
}

function drawStroke() {
  draw([svg("path", { class: "stroke", d: path(state.stroke, false) })]);
}

overlay.addEventListener("click", (event) => {
  if (mode() === "ruler") return measure(place(event));
  const beside = /** @type {Element} */ (event.target).closest("[data-maybe]") ? null : figureNear(place(event));
  if (beside) tapped(beside);
  return undefined;
});
overlay.addEventListener("pointerdown", (event) => {
  if (mode() !== "draw" || state.isBusy) return;
  overlay.setPointerCapture(event.pointerId);
  state.stroke = [place(event)];
});
overlay.addEventListener("pointermove", (event) => {
  if (state.stroke === null) return;
  state.stroke.push(place(event));
  drawStroke();
});
overlay.addEventListener("pointerup", () => {
  const stroke = state.stroke;
  state.stroke = null;
  if (stroke === null || stroke.length < 3) return;
  work(async () => {
    const scene = await send(shotPath("terrain"), { stroke, kind: byId("kind").value, height_mm: Number(byId("height").value) });
    show(scene);
    hint(t("free_drawn", { percent: `${Math.round(100 * scene.edge_share)} %` }));
  });
});
for (const choice of document.querySelectorAll("[name=mode]")) {
  choice.addEventListener("change", () => {
    if (state.scene) draw();
    begin();
  });
}
new ResizeObserver(() => {
  for (const name of overlay.querySelectorAll(".name")) name.setAttribute("font-size", String(nameSize()));
}).observe(overlay);
radius.addEventListener("input", begin);
giving?.addEventListener("click", () => giveToMatch(false));
byId("photo").addEventListener("change", () => {
  const photo = byId("photo");
  const [file] = photo.files;
  photo.value = "";
  if (file) work(() => read(file));
});

/** Follow a watching camera's new pictures. Redraw nothing while a question or drawing is in progress. */
async function follow() {
  if (state.isBusy || state.stroke !== null || state.from !== null || document.hidden) return;
  const scene = await ask("/free").catch(() => null);
  if (scene?.shot && scene.shot !== state.scene?.shot && !state.isBusy && state.stroke === null) show(scene);
}

begin();
takesTaps();
follow();
setInterval(follow, FOLLOW_MS);
