// The board for choosing: the camera's picture of the real table, else the match's own table from above.

import { middle, path, svg } from "../shell/dom.js";
import { boxesOfSigns, boxOf, boxOfText, distanceTo, GAP_CSS, placePlates } from "./beside.js";
import { cssPixel, drawGround, fitGround } from "./ground.js";
import { drawLying, overlaps, settleNames } from "../scene/tokens.js";
import { percent, t } from "../shell/texts.js";

const FINGER_PX = 40;
/** Largest zoom on a single figure to tap, so that enough of the table stays visible for orientation. */
const MOST_ZOOM = 3;
/** Room for the letters along the rim of a zoomed board, on the screen. */
const RIM_STRIP_CSS = 22;
/** Ratio of width to height from which a table is wide, and the smaller one without cards below it. */
const [WIDE, WIDE_ALONE] = [1.6, 0.95];
/**
 * Space size on the screen below which a look at the table shows only the figures' area, with signs towards the rest.
 */
const NEAR_PX = 20;
/** Most names at an edge towards things out of sight. The rest are counted. */
const MOST_BEYOND = 2;
/** Margin of table round the figures in such a look, in spaces. */
const NEAR_EDGE = 1.2;
/** Height of a plate's lines, and the free margin on both sides of its words. */
const [PLATE_LINE, PLATE_EDGE] = [17, 4];
/** The flag of a figure's loss: its height, a letter and the free margin beside the letters, on the screen. */
const FLAG = { high: 20, letter: 9, edge: 8 };

/**
 * Draw the camera's picture with the answers over it if it shows all of them, else the match's own table. `standing` is
 * the match's place of each figure, since the camera may confuse two similar ones. `reach` is how far from its centre
 * the acting figure may end, in the units of the match's own table. Returns the drawn spaces, and the size of letters.
 */
export function drawChoice(picture, { scene, ground, picks, active, standing, tokens, reach, choose }) {
  const onPicture = scene && isSameTable(scene, ground) && placesOf(picks, sceneOutline(scene, standing)) ? scene : null;
  picture.setAttribute("aria-label", t(onPicture || ground?.photo ? "choice_on_picture" : "choice_on_table"));
  if (onPicture) drawScene(picture, onPicture);
  else drawGround(picture, ground, () => undefined);
  for (const piece of picture.querySelectorAll(".piece")) piece.setAttribute("class", `${piece.getAttribute("class")} idle`);
  for (const piece of picture.querySelectorAll(".piece")) for (const name of ["role", "tabindex", "aria-label"]) piece.removeAttribute(name);
  const outline = onPicture ? sceneOutline(onPicture, standing) : groundOutline(ground);
  const textPx = onPicture ? 26 : 0.36 * (ground?.unit ?? 1);
  const outlineOf = onPicture ? cellOutlines(onPicture) : null;
  if (outlineOf) picture.append(...drawLying(tokens, outlineOf));
  const placed = picks.filter((pick) => outline(pick));
  const taken = new Set([...standing].filter(([id]) => id !== active).flatMap(([, cells]) => cells.map(String)));
  const through = placed.filter((pick) => pick.cost && pick.cells.some((cell) => taken.has(String(cell))));
  // nobody ends on another figure
  const seen = placed.length > through.length ? placed.filter((pick) => !through.includes(pick)) : placed;
  if (seen.length < placed.length) picture.append(svg("path", { class: "through", d: through.flatMap(outline).map((one) => path(one)).join("") }));
  picture.append(...seen.map((pick) => pickShape(pick, outline(pick), textPx, choose)));
  const who = active && outline({ figure: active, cells: [] });
  if (who) picture.append(...who.map((one) => svg("path", { class: "acts", d: path(one) })));
  const from = reach === null || onPicture ? null : ground?.figures.find(({ id }) => id === active);
  if (from) picture.append(svg("circle", { class: "reach", cx: from.center[0], cy: from.center[1], r: reach }));
  const isFree = !onPicture && groundCells(ground).length === 0;
  // possible destinations
  const others = isFree && picks.some(({ figure }) => figure) ? ground.figures.flatMap(({ id }) => outline({ figure: id, cells: [] })) : [];
  const whole = picture.getAttribute("viewBox");
  lookAt(picture, [...seen.flatMap((pick) => outline(pick).flat()), ...(who ?? []).flat(), ...others.flat()], Math.min(...seen.map((pick) => narrowest(outline(pick)[0]))));
  picture.append(...picture.querySelectorAll(".badge, .lying-word")); // words lie over the colour of the answers
  stripRim(picture, whole);
  if (!onPicture) fitGround(picture);
  labelFigures(picture, { scene: onPicture, seen, outline, standing, active });
  return { cells: onPicture ? scene.cells : groundCells(ground), textPx };
}

/**
 * Draws the table of this moment, for looking alone: everybody with a name, who acts with a ring where the figure is seen.
 * The picture of the camera is drawn where there is one, else the match's own table. A flag on a figure says what it lost last.
 * `leads` are figures that an offered step leads to a known place, which the table without a camera shows before the tap.
 * Tells which picture of the camera was drawn, or null, and how wide the board is for its height.
 */
export function drawNow(picture, { scene, ground, active, standing, aims, tokens, blows, leads }) {
  const onPicture = scene && (!ground || isSameTable(scene, ground)) ? scene : null;
  if (onPicture) {
    drawScene(picture, onPicture);
    picture.append(...drawLying(tokens, cellOutlines(onPicture)), ...onPicture.figures.filter((figure) => !figure.is_in_motion).map((figure) => svg("path", { class: `stands side-${sideOf(figure, ground?.sides ?? sidesOf(onPicture.figures))}`, d: path(figure.base) })));
  } else drawGround(picture, ground, () => undefined);
  const { width, height } = picture.viewBox.baseVal; // of the whole board, from however near it is looked at
  for (const piece of picture.querySelectorAll(".piece")) for (const name of ["role", "tabindex", "aria-label"]) piece.removeAttribute(name);
  const outline = onPicture ? sceneOutline(onPicture, standing) : ground ? groundOutline(ground) : () => null;
  const ring = active && outline({ figure: active, cells: [] });
  if (ring) picture.append(...ring.map((one) => svg("path", { class: "acts", d: path(one) })));
  const below = picture.querySelector(".piece"); // a line leaves letters uncovered
  for (const target of aims.flatMap((figure) => outline({ figure, cells: [] }) ?? [])) {
    if (ring) picture.insertBefore(svg("path", { class: "aim", d: path([ring[0], target].map(middle), false) }), below);
    picture.append(svg("path", { class: "aim", d: path(target) }));
  }
  if (onPicture) {
    nameAll(picture, onPicture.figures);
    placeLabels(picture);
  } else {
    for (const { figure, place } of ground ? leads : []) drawLead(picture, ground.figures.find(({ id }) => id === figure), place);
    picture.append(...picture.querySelectorAll(".lying-word")); // no figure hides a name
    lookNear(picture, ground);
  }
  for (const { figure, harm } of blows.filter(({ fell }) => !fell)) flag(picture, outline({ figure, cells: [] })?.flat(), `−${harm}`);
  return { onPicture, ratio: width / height };
}

/** An arrow from a figure to where a step leads it, and its base there. */
function drawLead(picture, figure, [x, y]) {
  if (!figure) return;
  const [[fromX, fromY], radius] = [figure.center, figure.size[0] / 2];
  const turn = Math.atan2(y - fromY, x - fromX);
  const at = (/** @type {number} */ angle, /** @type {number} */ far) => [x + far * Math.cos(turn + angle), y + far * Math.sin(turn + angle)];
  const start = [fromX + radius * Math.cos(turn), fromY + radius * Math.sin(turn)];
  picture.append(svg("g", { class: "lead" }, svg("circle", { cx: x, cy: y, r: radius }), svg("path", { d: path([start, [x, y]], false) }), svg("path", { d: path([at(2.6, radius), [x, y], at(-2.6, radius)], false) })));
}

/** A small red flag at the corner of a figure's base, at constant size on the screen. */
function flag(picture, points, text) {
  if (!points) return;
  const [unit, frame] = [cssPixel(picture), picture.viewBox.baseVal];
  const [wide, high] = [(FLAG.letter * text.length + FLAG.edge) * unit, FLAG.high * unit];
  const [, top, right] = bounds(points);
  const x = Math.min(right - wide / 3, frame.x + frame.width - wide);
  const y = Math.max(top - (2 * high) / 3, frame.y);
  picture.append(svg("g", { class: "flag", transform: `translate(${x} ${y}) scale(${unit})` }, svg("rect", { width: wide / unit, height: FLAG.high, rx: 6 }), svg("text", { x: wide / unit / 2, y: FLAG.high / 2, "text-anchor": "middle", "dominant-baseline": "central" }, text)));
}

/** Whether a table is much wider than high: such a one lies across the view. */
export function isWideBoard(ratio, { isAlone }) {
  return ratio > (isAlone ? WIDE_ALONE : WIDE);
}

/** The index of a figure's side, in the order of their colours. */
function sideOf({ side }, sides) {
  return sides.indexOf(side) % 6;
}

function sidesOf(figures) {
  return [...new Set(figures.map((figure) => figure.side))].sort();
}

/**
 * A plate with everybody's short name, as on every picture, since whole names would cover each other and the tokens.
 */
function nameAll(picture, figures) {
  picture.append(svg("g", { class: "labels" }, ...figures.map(({ short, base }) => label([short], base, ""))));
}

/** The spaces of the match's own table with their outlines. */
function groundCells(ground) {
  return (ground?.areas ?? []).filter(({ kind }) => kind === "cell").map(({ outline }) => ({ cell: outline[0], outline }));
}

/**
 * Crop the view to the possible choices, but only until spaces are as large as fingers, so that all of it stays in
 * sight.
 */
function lookAt(picture, points, finger) {
  const whole = picture.viewBox.baseVal;
  const shown = Math.min(picture.clientWidth / whole.width, picture.clientHeight / whole.height);
  if (points.length === 0 || shown * finger >= FINGER_PX) return;
  const [left, top, right, bottom] = bounds(points);
  const edge = Math.max((right - left) / 12, (bottom - top) / 12, whole.width / 40);
  const half = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ all, /** @type {number} */ pixels) => Math.min(all / 2, Math.max(edge + (to - from) / 2, all / MOST_ZOOM / 2, (pixels * finger) / FINGER_PX / 2));
  const [wide, high] = [half(left, right, whole.width, picture.clientWidth), half(top, bottom, whole.height, picture.clientHeight)];
  const [x, y] = [(left + right) / 2 - wide, (top + bottom) / 2 - high];
  if (!finger) {
    const from = [Math.max(whole.x, x), Math.max(whole.y, y)]; // a look round the figures ends at the board's edge
    picture.setAttribute("viewBox", `${from[0]} ${from[1]} ${Math.min(whole.x + whole.width, x + 2 * wide) - from[0]} ${Math.min(whole.y + whole.height, y + 2 * high) - from[1]}`);
    return;
  }
  const within = (/** @type {number} */ from, /** @type {number} */ all, /** @type {number} */ long, /** @type {number} */ at) => Math.max(from, Math.min(at, from + all - long));
  picture.setAttribute("viewBox", `${within(whole.x, whole.width, 2 * wide, x)} ${within(whole.y, whole.height, 2 * high, y)} ${2 * wide} ${2 * high}`);
}

/** On a zoomed board, put the letters along its rim on strips of their own, not over spaces. */
function stripRim(picture, before) {
  const words = [...picture.querySelectorAll(".rim-word")];
  const { x, y, width, height } = picture.viewBox.baseVal;
  if (!words.length || before === picture.getAttribute("viewBox")) return;
  const strip = RIM_STRIP_CSS * cssPixel(picture);
  const [left, top] = [x - strip, y - strip];
  picture.setAttribute("viewBox", `${left} ${top} ${width + strip} ${height + strip}`);
  picture.append(svg("rect", { class: "strip", x: left - width, y: top, width: strip + width, height: height + strip }), svg("rect", { class: "strip", x: left, y: top - height, width: width + strip, height: strip + height }), ...words);
}

/** On a small screen, show only the figures' area of the match's own table. */
function lookNear(picture, ground) {
  const { width, height } = picture.viewBox.baseVal;
  const isSmall = ground && Math.min(picture.clientWidth / width, picture.clientHeight / height) * ground.unit < NEAR_PX;
  const figures = groundCells(ground).length && isSmall ? ground.figures : [];
  lookAt(picture, figures.flatMap(({ center, size }) => square(center, size.map((side) => side + NEAR_EDGE))), 0);
  fitGround(picture);
  if (figures.length) picture.append(...beyond(picture, ground));
}

/** Signs along the edge towards things out of sight: an arrow with each name, one per place. */
function beyond(picture, ground) {
  const { x: left, y, width: wide, height } = picture.viewBox.baseVal;
  const unit = cssPixel(picture);
  // a frame lower than its width requires shows more on both sides
  const width = Math.max(wide, picture.clientWidth * unit);
  const x = left + (wide - width) / 2;
  const rows = new Map();
  for (const { name, cells } of ground.tokens) {
    const [atX, atY] = middle(square(cells[0].map((side) => side + 0.5), [1, 1]));
    if (atX >= x && atX <= x + width && atY >= y && atY <= y + height) continue;
    const arrow = atX < x ? "←" : atX > x + width ? "→" : atY < y ? "↑" : "↓";
    rows.set(arrow, [...(rows.get(arrow) ?? []), name]);
  }
  return [...rows].map(([arrow, names]) => {
    const words = names.slice(0, MOST_BEYOND).join(", ") + (names.length > MOST_BEYOND ? ` +${names.length - MOST_BEYOND}` : "");
    const text = arrow === "→" ? `${words} →` : `${arrow} ${words}`;
    const [anchor, edge] = { "→": ["end", x + width - 6 * unit], "←": ["start", x + 6 * unit] }[arrow] ?? ["middle", x + width / 2];
    const row = arrow === "↑" ? y + 22 * unit : arrow === "→" ? y + height - 8 * unit : y + height - 24 * unit;
    return svg("text", { class: "beyond", x: edge, y: row, "font-size": 13 * unit, "stroke-width": 4 * unit, "text-anchor": anchor }, text);
  });
}

/** Take a tap on the ground and pass on the point in the table's own units. */
export function tapPlace(picture, tell, isDrawn) {
  picture.classList.toggle("places", tell !== null);
  picture.onclick = tell && ((event) => {
    if (isDrawn()) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    tell([Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10]);
  });
}

/** Whether the picture shows the match's table. */
function isSameTable(scene, ground) {
  const played = groundCells(ground).map(({ cell }) => cell.join());
  const seen = new Set(scene.cells.map(({ cell }) => cell.join()));
  return played.length > 0 && played.length === seen.size && played.every((cell) => seen.has(cell));
}

function placesOf(picks, outline) {
  return picks.length > 0 && picks.every((pick) => outline(pick));
}

/** The camera's picture, cropped to the board. */
function drawScene(picture, scene) {
  const [left, top, right, bottom] = bounds(scene.cells.flatMap((cell) => cell.outline));
  const edge = (right - left) / 40;
  picture.removeAttribute("hidden");
  picture.setAttribute("viewBox", `${left - edge} ${top - edge} ${right - left + 2 * edge} ${bottom - top + 2 * edge}`);
  const image = { href: scene.picture, width: scene.width_px, height: scene.height_px, preserveAspectRatio: "none" };
  picture.replaceChildren(scene.picture ? svg("image", image) : svg("g"));
}

/**
 * The outlines of an answer in picture pixels, or null outside the picture. A figure is at the match's place: its base
 * if the camera sees one there, else the space, never its former place.
 */
function sceneOutline(scene, standing) {
  const outlineOf = cellOutlines(scene);
  const figures = new Map(scene.figures.map(({ id, base }) => [id, base]));
  const bases = new Map(scene.figures.map((figure) => [spaces(figure.cells), figure.base]));
  return (pick) => {
    const under = pick.figure ? (standing.get(pick.figure) ?? []) : pick.cells;
    const base = pick.figure && (under.length ? bases.get(spaces(under)) : figures.get(pick.figure));
    if (base) return [base];
    const found = under.map(outlineOf);
    return found.length && found.every(Boolean) ? found : null;
  };
}

function cellOutlines(scene) {
  const cells = new Map(scene.cells.map(({ cell, outline }) => [cell.join(), outline]));
  return (cell) => cells.get(cell.join());
}

/**
 * Name every figure on the camera's picture, and on both pictures each target with its odds. Labels keep their size on
 * the screen, so they come after the zoom is known.
 */
function labelFigures(picture, { scene, seen, outline, standing, active }) {
  const targets = seen.filter((pick) => pick.figure);
  const named = new Set(targets.map((pick) => pick.figure));
  const others = [...standing.keys()].filter((id) => scene && !named.has(id) && standing.get(id).length);
  const shorts = new Map((scene?.figures ?? []).map(({ id, short }) => [id, short]));
  const plates = [
    ...targets.map((pick) => ({ words: [pick.text, pick.odds ? oddsInShort({ ...pick.odds, why: null }) : pick.note], outlines: outline(pick), classes: "is-target" })),
    ...others.map((id) => ({ words: [shorts.get(id)], outlines: outline({ figure: id, cells: [] }), classes: id === active ? "is-attacker" : "" })),
  ];
  const labels = svg("g", { class: "labels" });
  for (const { words, outlines, classes } of plates) if (words[0] && outlines && (scene || classes === "is-target")) labels.append(label(words.filter(Boolean), outlines.flat(), classes));
  picture.append(labels);
  placeLabels(picture);
}

/** Place plates beside their figures at constant screen size, covering nobody, and token names where room is left. */
function placeLabels(picture) {
  const unit = cssPixel(picture);
  const frame = shownOf(picture, PLATE_EDGE * unit);
  const labels = [.../** @type {NodeListOf<SVGGElement>} */ (picture.querySelectorAll(".label[data-around]"))];
  const around = labels.map((node) => node.dataset.around.split(" ").map(Number));
  const [bases, names] = [[...picture.querySelectorAll(".piece rect")], [...picture.querySelectorAll(".piece text.beside")]];
  const people = [...around, ...bases.map(boxOf), ...[...picture.querySelectorAll(".rim-word")].map(boxOfText)];
  const taken = [...people, ...boxesOfSigns(picture), ...names.map(boxOfText)];
  const sizes = labels.map((node) => {
    const lines = [...node.querySelectorAll("text")];
    const size = [Math.max(...lines.map((line) => line.getComputedTextLength())) + 2 * PLATE_EDGE, PLATE_LINE * lines.length + 4];
    const plate = node.querySelector("rect");
    for (const [name, value] of Object.entries({ x: -size[0] / 2, width: size[0], height: size[1] })) plate.setAttribute(name, String(value));
    return size.map((pixels) => pixels * unit);
  });
  const words = [...picture.querySelectorAll(".lying-word:not(.no-room)")].map(boxOfText);
  const places = labels.length ? placePlates(sizes, around, [...taken, ...words], frame, GAP_CSS * unit, people) : [];
  labels.forEach((node, i) => {
    const [[left, top], box, [fromX, fromY, wide, high]] = [places[i], sizes[i], around[i]];
    Object.assign(node.dataset, { x: left + box[0] / 2, y: top + 4 * unit });
    node.setAttribute("transform", `translate(${node.dataset.x} ${node.dataset.y}) scale(${unit})`);
    const middleOf = [fromX + wide / 2, fromY + high / 2];
    if (distanceTo([left, top, ...box], middleOf) > Math.max(wide, high)) node.before(svg("path", { class: "leader", d: path([middleOf, [left + box[0] / 2, top + box[1] / 2]], false) }));
  });
  settleNames(picture, unit);
  for (const name of picture.querySelectorAll(".lying-word:not(.no-room)")) name.classList.toggle("no-room", labels.some((_, i) => overlaps(boxOfText(name), [...places[i], ...sizes[i]])));
}

/** The visible part of a drawing, bands beside it included, minus a margin all round: left, top, width and height. */
function shownOf(picture, edge) {
  const [unit, { x, y, width, height }] = [cssPixel(picture), picture.viewBox.baseVal];
  const [wide, high] = [Math.max(width, picture.clientWidth * unit), Math.max(height, picture.clientHeight * unit)];
  return [x + (width - wide) / 2 + edge, y + (height - high) / 2 + edge, wide - 2 * edge, high - 2 * edge];
}

/** A plate with a line for each of the words. Its size follows once they are drawn. */
function label(words, points, classes) {
  const [left, top, right, bottom] = bounds(points);
  const lines = words.map((line, i) => svg("text", { y: 11 + PLATE_LINE * i, class: i ? "odds" : null }, line));
  return svg("g", { class: `label ${classes}`, "data-around": [left, top, right - left, bottom - top].join(" "), "data-x": (left + right) / 2, "data-y": bottom }, svg("rect", { class: "plate", y: -4, rx: 4 }), ...lines);
}

/** The odds of an attack in one number, for a label or a button: the headline where it may well happen, else the mean. */
export function oddsInShort({ outlook, mean, why }) {
  const likely = outlook.filter(({ chance }) => chance > 0).slice(0, 1);
  return likely.length || !(why ?? mean) ? wordChances(likely) : (why ?? mean);
}

/** All odds of an attack: the mean, why nothing can come of it, and each chance. */
export function wordOdds({ outlook, mean, why }) {
  return [mean, why, wordChances(outlook)].filter(Boolean).join(" · ");
}

function wordChances(shares) {
  return shares.map(({ text, chance }) => `${text} ${percent(chance)}`).join(", ");
}

function spaces(cells) {
  return cells.map((cell) => cell.join()).sort().join(" ");
}

function groundOutline(ground) {
  const figures = new Map((ground?.figures ?? []).map(({ id, center, size }) => [id, rounded(center, size)]));
  return (pick) => {
    if (pick.figure) return figures.has(pick.figure) ? [figures.get(pick.figure)] : null;
    if (pick.cells.length === 2) return [pair(pick.cells)];
    return pick.cells.length ? pick.cells.map(([x, y]) => square([x + 0.5, y + 0.5], [0.94, 0.94])) : null;
  };
}

/** Two adjacent spaces as one shape, so that a finger between them still hits it. */
function pair([[x, y], [otherX, otherY]]) {
  return square([(x + otherX + 1) / 2, (y + otherY + 1) / 2], [Math.abs(x - otherX) + 0.94, Math.abs(y - otherY) + 0.94]);
}

function square([x, y], [width, height]) {
  const [dx, dy] = [width / 2, height / 2];
  return [[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]];
}

/** The outline of a base, with the round corners of its drawing. */
function rounded([x, y], [width, height]) {
  const radius = Math.min(width, height) / 2.4;
  const [dx, dy] = [width / 2 - radius, height / 2 - radius];
  return [[1, 1], [-1, 1], [-1, -1], [1, -1]].flatMap(([sx, sy], corner) =>
    [0, 1, 2, 3, 4].map((step) => {
      const turn = ((corner + step / 4) * Math.PI) / 2;
      return [x + sx * dx + radius * Math.cos(turn), y + sy * dy + radius * Math.sin(turn)];
    }),
  );
}

function narrowest(outline) {
  const [left, top, right, bottom] = bounds(outline);
  return Math.min(right - left, bottom - top);
}

function bounds(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The place of a space's number, towards its first corner, so that its middle stays visible. */
function cornerOf(outline) {
  const [x, y] = middle(outline);
  return [x + 0.54 * (outline[0][0] - x), y + 0.5 * (outline[0][1] - y)];
}

/** One answer as a button: a figure by its base, spaces by their first one, with their cost in points. */
function pickShape(pick, outlines, textPx, choose) {
  const shown = pick.figure || pick.cells.length <= 2 ? outlines : outlines.slice(0, 1);
  const [x, y] = cornerOf(shown[0]);
  const cost = pick.cost ? svg("text", { x, y, "font-size": textPx, "stroke-width": textPx / 6, "text-anchor": "middle", "dominant-baseline": "central" }, String(pick.cost)) : null;
  const classes = `pick ${pick.figure ? "figure" : "space"}`;
  const shape = svg("g", { class: classes, role: "button", tabindex: 0, "aria-label": pick.label }, svg("path", { d: shown.map((one) => path(one)).join("") }), cost);
  shape.addEventListener("click", () => choose(pick));
  shape.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(pick);
  });
  return shape;
}
