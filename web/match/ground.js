// The match's table drawn from above, in its own units, with figures as buttons.

import { middle, path, svg } from "../shell/dom.js";
import { boxesOfSigns, boxOf, boxOfText, covers, distanceTo, GAP_CSS, placeBeside, placesOfName } from "./beside.js";
import { overlaps, signOf } from "../scene/tokens.js";
import { t } from "../shell/texts.js";

/** Height of token names on the drawing: in spaces, and the legible minimum on the screen. */
const [NAME_SPACES, NAME_CSS] = [0.19, 11.5];

/** Extent of a token's sign from its middle, in spaces, where its name begins. */
const SIGN_REACH = 0.36;

/** Scale of a name's letters if no place fits its full size. */
const SMALLER = 0.86;

/** Largest height of names, in spaces. Higher ones would cover the letters of neighbouring figures. */
const HIGH_NAME = 0.3;

/** Overhang of names over the board's edge: left and right, above, below. */
const OVER_EDGE = [0, 0.02, 0.3];

/** Kinds named first, since a side has to reach them. */
const WANTED = ["goal", "objective", "key"];

/**
 * Last place of each name. A name stays there while possible, on every drawing and after every step. @type {Map<string,
 * number>}
 */
const stood = new Map();

/** Free space before and after a token's name, as a share of its letters' height. */
const NAME_GAP = 0.35;

/** Height of the letters along the rim: in spaces, and the minimum on the screen. */
const [RIM_SPACES, RIM_CSS] = [0.36, 11];

/** Height of a terrain piece's name on the screen. */
const AREA_CSS = 13;

/** Smallest letters on a base, and the largest share of it they may fill. Otherwise they go beside it. */
const [LEAST_LETTER_CSS, BASE_SHARE] = [11, 0.8];

/** Largest letters on a base, as a share of it. */
const ON_BASE = 0.5;

/** Height of letters beside a small base, on the screen. */
const BESIDE_CSS = 13;

/** Drawings to fit again after a change of their size on the screen. */
const fitted = new WeakSet();
const sizes = new ResizeObserver((changed) => {
  for (const { target } of changed) fitGround(target);
});

/** Draw the ground into the picture. Without ground the picture is hidden. */
export function drawGround(picture, ground, pick) {
  picture.toggleAttribute("hidden", ground === null);
  if (ground === null) {
    picture.replaceChildren();
    return;
  }
  const [left, top, width, height] = ground.box;
  const edge = (ground.rim.length ? 0.6 : 0.3) * ground.unit;
  picture.setAttribute("viewBox", `${left - edge} ${top - edge} ${width + 2 * edge} ${height + 2 * edge}`);
  const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.figure;
  picture.classList.toggle("on-photo", Boolean(ground.photo));
  picture.replaceChildren(
    ...(ground.photo ? [photoOf(ground.photo)] : []),
    ...ground.areas.map((area) => svg("path", { class: `area ${area.kind}`, d: path(area.outline) })),
    ...ground.lines.map((line) => svg("path", { class: `line ${line.kind}`, d: path([line.from, line.to], false) })),
    ...ground.rim.map(({ text, at: [x, y] }) => svg("text", { class: "rim-word", x, y, "data-at": `${x} ${y}`, "font-size": RIM_SPACES, "text-anchor": "middle", "dominant-baseline": "central", "aria-hidden": "true" }, text)),
    ...(ground.photo ? [] : ground.areas.filter(({ name }) => name)).map(areaWord),
    ...(ground.photo || ground.rim.length ? [] : [scaleShape(ground)]),
    ...ground.tokens.filter((token) => !isAtDoor(token)).map((token) => (token.kind === "goal" ? goalShape(token) : tokenShape(token))),
    ...ground.tokens.map(nameShape),
    ...ground.figures.map((figure) => figureShape(figure, ground.sides.indexOf(figure.side), ground, pick)),
    ...ground.tokens.filter(isAtDoor).map((goal) => (isStoodAt(goal, ground.figures) ? flagAside(goal) : goalShape(goal))), // figures on both its sides would hide it
    ...ground.tokens.flatMap((token) => ground.figures.filter((figure) => liesUnder(token, figure)).map(() => badgeShape(token))),
  );
  picture.dataset.board = ground.box.join(" ");
  picture.dataset.unit = String(ground.unit);
  if (focused) picture.querySelector(`[data-figure="${CSS.escape(focused)}"]`)?.focus();
  fitGround(picture);
  if (!fitted.has(picture)) sizes.observe(picture);
  fitted.add(picture);
}

/** The size of a screen pixel in the picture's own units. */
export function cssPixel(picture) {
  const { width, height } = picture.viewBox.baseVal;
  return Math.max(width / (picture.clientWidth || width), height / (picture.clientHeight || height));
}

/**
 * Give all letters a legible size at the drawing's size on the screen, and a place that covers nothing. A figure's
 * letters go on its base, or beside a small one. A token's name goes below its sign, or is left to the sign.
 */
export function fitGround(picture) {
  if (!picture.clientWidth || !picture.viewBox.baseVal.width) return;
  const [pixel, unit] = [cssPixel(picture), Number(picture.dataset.unit)];
  const { x, y, width, height } = picture.viewBox.baseVal;
  for (const word of picture.querySelectorAll(".rim-word")) {
    const size = Math.max(RIM_SPACES * unit, RIM_CSS * pixel);
    const [ownX, ownY] = word.dataset.at.split(" ").map(Number);
    const isRow = /^\d/.test(word.textContent); // on an enlarged board, its letters scroll along
    setPlace(word, isRow ? [Math.max(ownX, x + 0.6 * size), ownY] : [ownX, Math.max(ownY, y + 0.6 * size)], size);
  }
  const named = [];
  const [left, , wide] = picture.dataset.board.split(" ").map(Number);
  const boardRight = left + wide;
  for (const word of picture.querySelectorAll(".area-word")) {
    const atX = Number(word.dataset.at.split(" ")[0]);
    const atY = heightOfWord(word, pixel, y + height);
    writeArea(word, [atX, atY], pixel);
    const { width: length } = /** @type {SVGTextElement} */ (word).getBBox();
    const half = length / 2 + GAP_CSS * pixel;
    const within = Math.min(Math.max(atX, left + half), boardRight - half);
    writeArea(word, [within, atY], pixel);
    if (named.some((other) => overlaps(boxOfText(word), other))) writeArea(word, [within, atY + 2.4 * AREA_CSS * pixel], pixel);
    named.push(boxOfText(word));
  }
  fitScale(picture, pixel);
  const pieces = [...picture.querySelectorAll(".piece")];
  const bases = pieces.map((piece) => boxOf(piece.querySelector("rect")));
  const rims = [...picture.querySelectorAll(".rim-word")].map(boxOfText);
  const taken = [...bases, ...rims, ...boxesOfSigns(picture), ...[...picture.querySelectorAll(".pick text")].map(boxOfText)];
  const [frame, isOnPhoto] = [[x, y, width, height], picture.classList.contains("on-photo")];
  for (const [i, piece] of pieces.entries()) fitName(piece, bases[i], { pixel, taken, frame, isOnPhoto });
  fitNames(picture, [pixel, unit], rims, pieces.map((piece) => boxOfText(piece.querySelector("text"))));
}

/**
 * Place the token names by one rule: each touches its own sign, is nearer to it than to any other, and covers no sign
 * and no other name. Figures and numbers count only if letters are large relative to a space, so names stay in place.
 */
function fitNames(picture, [pixel, unit], rims, letters) {
  const [left, top, wide, high] = picture.dataset.board.split(" ").map(Number);
  const view = picture.viewBox.baseVal;
  const [side, above, below] = OVER_EDGE.map((share) => share * unit);
  const [fromX, fromY] = [Math.max(view.x, left - side), Math.max(view.y, top - above)];
  const frame = [fromX, fromY, Math.min(view.x + view.width, left + wide + side) - fromX, Math.min(view.y + view.height, top + high + below) - fromY];
  const signs = boxesOfSigns(picture);
  const names = [...picture.querySelectorAll(".lying-word")];
  const at = (/** @type {SVGElement} */ name) => name.dataset.at.split(" ").map(Number);
  const rank = ({ dataset: { kind } }) => (WANTED.includes(kind) ? WANTED.indexOf(kind) : WANTED.length);
  const inOrder = [...names].sort((one, other) => rank(one) - rank(other) || at(one)[1] - at(other)[1] || at(one)[0] - at(other)[0]);
  const full = Math.max(NAME_SPACES * unit, NAME_CSS * pixel);
  const taken = [...rims, ...(full > HIGH_NAME * unit ? letters : [])];
  for (const name of inOrder) {
    name.classList.remove("no-room"); // undrawn elements have no length
    const own = at(name);
    const others = names.filter((other) => other !== name).map(at);
    const isSeen = own[0] >= view.x && own[0] <= view.x + view.width && own[1] >= view.y && own[1] <= view.y + view.height;
    const isFree = ({ box }) => {
      const away = distanceTo(box, own);
      return [...taken, ...signs.filter((sign) => distanceTo(sign, own) > 0)].every((other) => !overlaps(box, other)) && others.every((other) => distanceTo(box, other) > away);
    };
    const key = `${name.dataset.name} ${own} ${Math.round((20 * full) / unit)}`;
    const isWanted = rank(name) < WANTED.length;
    let found = null;
    for (const size of isSeen ? [full, SMALLER * full] : []) {
      const places = placesOfName(sizesOf(name, size), own, SIGN_REACH * unit, frame);
      const before = places[stood.get(key) ?? 0];
      const place = before && isFree(before) ? before : places.find(isFree);
      if (place) found = { ...place, size };
      if (place) stood.set(key, places.indexOf(place));
      if (found) break;
      if (isWanted && size !== full && places.length) found = { ...places[leastOf(places, [...taken, ...signs])], size };
    }
    name.classList.toggle("no-room", found === null);
    if (!found) continue;
    taken.push(found.box);
    writeName(name, found);
  }
}

/** The place of a name that covers least. */
function leastOf(places, taken) {
  const costs = places.map(({ box: [x, y, wide, high] }) => covers([x, y], [wide, high], taken));
  return costs.indexOf(Math.min(...costs));
}

/** Width and height of a name in one row, and split in two. */
function sizesOf(name, size) {
  name.setAttribute("font-size", String(size));
  return rowsOf(name.dataset.name).map((rows) => {
    const lengths = rows.map((row) => {
      name.textContent = row;
      return name.getComputedTextLength();
    });
    return [Math.max(...lengths) + 2 * NAME_GAP * size, (0.2 + ROW * rows.length) * size];
  });
}

/** Distance of a name's rows, as a share of its letters' height. */
const ROW = 1.05;

/** Shortest row. A number alone in its row would look like one of the board's. */
const LEAST_ROW = 3;

/** A name as one row, and as two of about the same length if it has several words. */
function rowsOf(text) {
  const words = text.split(" ");
  const cuts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]).filter((rows) => rows.every(({ length }) => length >= LEAST_ROW));
  const longest = ([one, other]) => Math.max(one.length, other.length);
  const [two] = cuts.sort((one, other) => longest(one) - longest(other));
  return two ? [[text], two] : [[text]];
}

function writeName(name, { box: [left, top, wide, high], rows, size }) {
  const parts = rowsOf(name.dataset.name)[rows];
  const [x, y] = [left + wide / 2, top + high / 2];
  setPlace(name, [x, y], size);
  name.setAttribute("stroke-width", String(size / 4));
  name.replaceChildren(...parts.map((part, i) => svg("tspan", { x, y: y + (i - (parts.length - 1) / 2) * ROW * size }, i < parts.length - 1 ? `${part} ` : part)));
}

/** The letters of one figure: on its base if they fit, else beside it. */
function fitName(piece, base, { pixel, taken, frame, isOnPhoto }) {
  const letters = piece.querySelector("text");
  const [left, top, wide, high] = base;
    // for all letters, as a share of their height
    const letterWide = letters.getComputedTextLength() / Number(letters.getAttribute("font-size"));
  const fits = (BASE_SHARE * Math.min(wide, high)) / Math.max(1, letterWide);
  const isOn = !isOnPhoto && fits >= LEAST_LETTER_CSS * pixel;
  letters.classList.toggle("beside", !isOn);
  if (isOn) {
    setPlace(letters, [left + wide / 2, top + high / 2], Math.min(fits, ON_BASE * Math.min(wide, high)));
    return;
  }
  const size = BESIDE_CSS * pixel;
  const box = [1.1 * letterWide * size, 1.1 * size];
  const [x, y] = placeBeside(box, base, taken, frame, GAP_CSS * pixel);
  taken.push([x, y, ...box]);
  setPlace(letters, [x + box[0] / 2, y + box[1] / 2], size);
}

function setPlace(text, [x, y], size) {
  for (const [name, value] of Object.entries({ x, y, "font-size": size })) text.setAttribute(name, String(value));
}

/** The camera's picture, rectified, under everything drawn. */
function photoOf({ href, box: [x, y, width, height] }) {
  return svg("image", { href, x, y, width, height, preserveAspectRatio: "none" });
}

/** Mark attacker and target, for eyes and for ears. */
export function markChosen(picture, attacker, defender) {
  for (const figure of picture.querySelectorAll("[data-figure]")) {
    const part = { [attacker]: "from", [defender]: "to" }[figure.dataset.figure] ?? "";
    figure.classList.toggle("from", part === "from");
    figure.classList.toggle("to", part === "to");
    figure.setAttribute("aria-pressed", String(part !== ""));
    const word = { from: t("figure_attacker"), to: t("figure_defender") }[part];
    figure.setAttribute("aria-label", word ? `${figure.dataset.name}, ${word}` : figure.dataset.name);
  }
}

/** A terrain piece's name, in its middle. */
function areaWord({ name, outline }) {
  const [x, y] = middle(outline);
  const heights = outline.map(([, height]) => height);
  return svg("text", { class: "area-word", x, y, "data-at": `${x} ${y}`, "data-edges": `${Math.min(...heights)} ${Math.max(...heights)}`, "data-name": name, "text-anchor": "middle", "dominant-baseline": "central" }, name);
}

/** The middle of a piece's words: on it, or below or above a piece that they would hide. */
function heightOfWord({ dataset: { at, edges, name } }, pixel, lowest) {
  const [top, bottom] = edges.split(" ").map(Number);
  const high = name.split(", ").length * ROW * AREA_CSS * pixel;
  if (bottom - top > 2 * high) return Number(at.split(" ")[1]);
  const away = high / 2 + 2 * GAP_CSS * pixel;
  return bottom + away + high / 2 < lowest ? bottom + away : top - away;
}

/** Writes what a piece of terrain is, and below it how high. */
function writeArea(word, [x, y], pixel) {
  const size = AREA_CSS * pixel;
  const parts = word.dataset.name.split(", ");
  setPlace(word, [x, y], size);
  word.replaceChildren(...parts.map((part, i) => svg("tspan", { x, y: y + (i - (parts.length - 1) / 2) * ROW * size }, i < parts.length - 1 ? `${part}, ` : part)));
}

/** How long a step is: a bar in the corner of a board without spaces. */
function scaleShape({ box: [left, top, , height], unit }) {
  const [x, y] = [left + 0.25 * unit, top + height - 0.25 * unit];
  const ends = [[x, y - 0.12 * unit], [x, y], [x + unit, y], [x + unit, y - 0.12 * unit]];
  return svg("g", { class: "scale", "aria-hidden": "true" }, svg("path", { d: path(ends, false) }), svg("text", { class: "scale-word", x: x + unit / 2, y, "text-anchor": "middle" }, t("one_step")));
}

/** The letters of the scale, above its bar and at one size on the screen. */
function fitScale(picture, pixel) {
  const word = picture.querySelector(".scale text");
  if (!word) return;
  const [, top, , height] = picture.dataset.board.split(" ").map(Number);
  setPlace(word, [Number(word.getAttribute("x")), top + height - 0.25 * Number(picture.dataset.unit) - 5 * pixel], AREA_CSS * pixel);
}

/** A token on a space: a sign in a diamond, so that nobody mistakes it for a figure. */
function tokenShape({ kind, name, cells: [[x, y]] }) {
  const corners = [[x + 0.5, y + 0.06], [x + 0.94, y + 0.5], [x + 0.5, y + 0.94], [x + 0.06, y + 0.5]];
  const sign = svg("path", { class: "sign", d: signOf(kind), transform: `translate(${x + 0.5} ${y + 0.5}) scale(0.026)` });
  return svg("g", { class: "lying", role: "img", "aria-label": name, "data-box": [x + 0.14, y + 0.14, 0.72, 0.66].join(" ") }, svg("path", { d: path(corners) }), sign);
}

/** A side's goal without a token: a flag on a space, or between the spaces beside a door. */
function goalShape({ name, cells }) {
  const [x, y] = middleOf(cells);
  return svg("g", { class: "lying goal", role: "img", "aria-label": name, "data-box": [x - 0.3, y - 0.3, 0.6, 0.6].join(" ") }, svg("circle", { cx: x, cy: y, r: 0.3 }), svg("path", { class: "sign", d: signOf("goal"), transform: `translate(${x} ${y}) scale(0.022)` }));
}

function isAtDoor({ kind, cells }) {
  return kind === "goal" && cells.length > 1;
}

/** Whether a figure stands on a space of a goal: a flag in the middle would cover its letters. */
function isStoodAt({ cells }, figures) {
  return figures.some(({ center, size }) => cells.some((cell) => cell.every((value, i) => Math.abs(value + 0.5 - center[i]) < size[i] / 2)));
}

/** The flag of a goal beside a door, small at the end of the edge between its spaces. */
function flagAside({ name, cells }) {
  const [x, y] = middleOf(cells);
  const at = cells[0][1] === cells[1][1] ? [x, y - 0.36] : [x + 0.36, y];
  return svg("g", { class: "lying goal badge", role: "img", "aria-label": name }, svg("circle", { cx: at[0], cy: at[1], r: 0.17 }), svg("path", { class: "sign", d: signOf("goal"), transform: `translate(${at[0]} ${at[1]}) scale(0.0125)` }));
}

function middleOf(cells) {
  const [xs, ys] = [cells.map(([x]) => x + 0.5), cells.map(([, y]) => y + 0.5)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** A token's name. Its size and place follow from the drawing's size. */
function nameShape({ name, kind, cells }) {
  return svg("text", { class: "lying-word", "data-kind": kind, "data-name": name, "data-at": middleOf(cells).join(" "), "text-anchor": "middle", "dominant-baseline": "central", "aria-hidden": "true" }, name);
}

/** Whether a figure covers a token. */
function liesUnder({ cells }, { center, size }) {
  const at = middleOf(cells);
  return at.every((value, i) => Math.abs(value - center[i]) < size[i] / 2 - 0.1);
}

/** The sign of a token under a figure, small at the corner of its base. */
function badgeShape({ kind, name, cells }) {
  const [x, y] = middleOf(cells);
  return svg("g", { class: kind === "goal" ? "lying goal badge" : "lying badge", role: "img", "aria-label": name }, svg("circle", { cx: x + 0.32, cy: y - 0.32, r: 0.19 }), svg("path", { class: "sign", d: signOf(kind), transform: `translate(${x + 0.32} ${y - 0.32}) scale(0.0135)` }));
}

function figureShape(figure, side, { unit }, pick) {
  const [x, y] = figure.center;
  const [width, height] = figure.size;
  const attributes = { class: `piece side-${side % 6}`, role: "button", tabindex: 0, "data-figure": figure.id, "data-name": figure.name, "aria-label": figure.name };
  const shape = svg(
    "g",
    attributes,
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 2.4 }),
    svg("text", { x, y, "font-size": 0.3 * unit, "text-anchor": "middle", "dominant-baseline": "central" }, figure.short),
  );
  shape.addEventListener("click", () => pick(figure.id));
  shape.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(figure.id);
  });
  return shape;
}
