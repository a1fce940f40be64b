// Draw a scene and an answer over the picture. All places come from the server in picture pixels.

import { drawLying, settleNames } from "./tokens.js";
import { middle, path, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/**
 * Screen size of a space with a full-size label, and the smallest and, for reading across a room, the largest label
 * scale.
 */
const LABEL_SPACE_CSS = 44;
const LEAST_LABEL = 0.7;
const MOST_LABEL = document.body.classList.contains("wall") ? 1.8 : 1;

/** Draw everything on the table. Returns each figure's shape and label by its id. */
export function drawScene(overlay, scene, handlers) {
  overlay.setAttribute("viewBox", `0 0 ${scene.width_px} ${scene.height_px}`);
  const groups = new Map();
  const sides = [...new Set(scene.figures.map((figure) => figure.side))].sort();
  const figures = layer("figures");
  const labels = layer("figures labels");
  for (const beside of scene.beside) figures.append(svg("path", { class: "beside", d: path(beside.base) }));
  // Nearer figures are drawn last, so that their labels lie on top.
  for (const figure of [...scene.figures].sort((a, b) => a.center[1] - b.center[1])) {
    const group = drawFigure(figure, handlers);
    const name = plate(figure, sides.indexOf(figure.side));
    groups.set(figure.id, [group, name]);
    figures.append(group);
    labels.append(name);
  }
  overlay.replaceChildren(
    patterns(),
    drawTiles(scene),
    drawLattice(scene),
    drawRim(scene),
    drawTerrain(scene),
    layer("reach"),
    layer("answer-ground"),
    drawDoors(scene),
    layer("lying"),
    layer("answer"),
    figures,
    layer("watchers"),
    layer("spots"),
    labels,
    layer("ghost"),
  );
  return groups;
}

function layer(name, ...children) {
  return svg("g", { class: `layer ${name}`, "data-name": name }, ...children);
}

function patterns() {
  const hatch = svg("path", { d: "M-2 10L10 -2M6 18L18 6", class: "hatch-line" });
  const pattern = { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse" };
  return svg("defs", {}, svg("pattern", pattern, hatch));
}

function drawTiles(scene) {
  const group = layer("tiles");
  for (const tile of scene.tiles) {
    const d = tile.outline.map((edge) => path(edge, false)).join("");
    group.append(svg("path", { class: tile.low ? "tile low" : "tile", d }));
    if (tile.low) group.append(text("tile-name low", tile.center, `${tile.id} ?`));
  }
  return group;
}

function drawLattice(scene) {
  const d = scene.cells.map((cell) => path(cell.outline)).join("");
  return layer("lattice", svg("path", { class: "lattice-line", d }));
}

/** Letters and numbers along the board: each column named at its first space, each row at its first. */
function drawRim(scene) {
  const group = layer("lattice rim");
  const [columns, rows] = [new Map(), new Map()];
  for (const cell of scene.cells) {
    const [column, row] = cell.cell;
    if (!(row >= columns.get(column)?.cell[1])) columns.set(column, cell);
    if (!(column >= rows.get(row)?.cell[0])) rows.set(row, cell);
  }
  const name = (cell) => /^(\D+)(\d+)$/.exec(cell.name);
  for (const cell of columns.values()) group.append(text("rim-name", beside(cell.outline, 0, 1), name(cell)[1]));
  for (const cell of rows.values()) group.append(text("rim-name", beside(cell.outline, 0, 3), name(cell)[2]));
  return group;
}

/** A place slightly outside one side of a space, by two of its corners. */
function beside(outline, one, other) {
  const [x, y] = middle(outline);
  const side = middle([outline[one], outline[other]]);
  return [x + 1.5 * (side[0] - x), y + 1.5 * (side[1] - y)];
}

function drawTerrain(scene) {
  const group = layer("terrain");
  const difficult = scene.cells.filter((cell) => cell.difficult);
  const blocking = scene.cells.filter((cell) => cell.blocking);
  if (difficult.length) group.append(svg("path", { class: "difficult", d: outlines(difficult) }));
  if (blocking.length) group.append(svg("path", { class: "blocking", d: outlines(blocking) }));
  for (const kind of ["wall", "obstacle", "impassable"]) {
    const edges = scene.edges.filter((edge) => edge.kind === kind);
    if (edges.length) {
      group.append(svg("path", { class: `edge ${kind}`, d: edges.map((edge) => path(edge.line, false)).join("") }));
    }
  }
  return group;
}

function outlines(cells) {
  return cells.map((cell) => path(cell.outline)).join("");
}

function drawDoors(scene) {
  const group = layer("doors");
  for (const door of scene.doors) {
    for (const panel of door.panels) {
      const classes = ["door", door.open ? "open" : "", door.low ? "low" : ""].join(" ").trim();
      group.append(svg("path", { class: classes, d: path(panel) }));
    }
    if (door.low) group.append(text("doubt", middle(door.panels[0]), "?"));
  }
  return group;
}

function drawFigure(figure, handlers) {
  const name = t("figure_name", { ...figure, kind: figure.kind_name }) + (figure.low ? `, ${t("figure_low")}` : "");
  const group = svg(
    "g",
    { class: "figure", role: "button", tabindex: 0, "aria-label": name, "data-name": name, "data-figure": figure.id },
    svg("path", { class: ["base", figure.low && "low", figure.is_in_motion && "in-motion"].filter(Boolean).join(" "), d: path(figure.base), stroke: figure.ring ?? "#f5f7fa" }),
  );
  group.addEventListener("focus", () => handlers.focus(figure.id, group.matches(":focus-visible")));
  group.addEventListener("blur", () => handlers.focus(figure.id, false));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    handlers.pick(figure.id);
  });
  return group;
}

/** A plate with the short name: round for the first side, square for the second, so that colour is not needed. */
export function plate(figure, side) {
  const words = figure.short + (figure.low ? "?" : "");
  const width = 14 + 9 * words.length;
  const foot = Math.max(...figure.base.map(([, y]) => y));
  return svg(
    "g",
    { class: figure.is_in_motion ? "label in-motion" : "label", "data-label": figure.id, "data-x": figure.center[0], "data-y": foot },
    svg("rect", { x: -width / 2, y: -4, width, height: 20, rx: side % 3 === 0 ? 10 : 2, class: "plate" }),
    svg("text", { y: 11 }, words),
  );
}

/**
 * @param {string} classes
 * @param {number[]} place
 * @param {string} words
 */
function text(classes, [x, y], words) {
  return svg("g", { class: `label ${classes}`, "data-x": x, "data-y": y }, svg("text", { y: 5 }, words));
}

/**
 * Keep labels and line ends at their screen size, whatever the zoom. Where spaces are small, labels shrink a little.
 */
export function keepSize(overlay, pixelsPerCss, cells = []) {
  const labelScale = labelScaleOf(cells, pixelsPerCss);
  overlay.style.setProperty("--unit", `${pixelsPerCss}px`);
  for (const node of overlay.querySelectorAll("[data-x]")) {
    node.setAttribute("transform", `translate(${node.dataset.x} ${node.dataset.y}) scale(${pixelsPerCss * labelScale})`);
  }
  settleNames(overlay, pixelsPerCss * labelScale);
}

/** Draw the match's tokens under the figures, and nothing on a picture of another table. */
export function drawTokens(overlay, scene, lying) {
  const outlines = new Map(scene.cells.map(({ cell, outline }) => [cell.join(), outline]));
  overlay.querySelector(".layer.lying")?.replaceChildren(...drawLying(lying, (cell) => outlines.get(cell.join())));
}

/**
 * @param {Record<string, any>[]} cells
 * @param {number} pixelsPerCss
 */
function labelScaleOf([cell], pixelsPerCss) {
  if (!cell) return 1;
  const [corner, next] = cell.outline;
  const spaceCss = Math.hypot(next[0] - corner[0], next[1] - corner[1]) / pixelsPerCss;
  return Math.min(MOST_LABEL, Math.max(LEAST_LABEL, spaceCss / LABEL_SPACE_CSS));
}

/** Mark shooter and target. */
export function markPair(groups, attacker, defender) {
  for (const [id, [group, plate]] of groups) {
    for (const node of [group, plate]) {
      node.classList.toggle("is-attacker", id === attacker);
      node.classList.toggle("is-defender", id === defender);
    }
    if (id === attacker || id === defender) plate.parentNode.append(plate); // their labels lie on top
    const role = id === attacker ? t("figure_attacker") : id === defender ? t("figure_defender") : null;
    group.setAttribute("aria-label", role ? `${group.dataset.name}, ${role}` : group.dataset.name);
    group.setAttribute("aria-pressed", String(role !== null));
  }
}

/** Draw the deciding lines in the rule's drawing order. */
export function drawAnswer(overlay, card) {
  const over = overlay.querySelector(".layer.answer");
  const under = overlay.querySelector(".layer.answer-ground");
  if (!over) return; // nothing has been drawn yet
  over.replaceChildren();
  under.replaceChildren();
  overlay.classList.remove("lit-lines");
  const named = new Set((card?.lines ?? []).map((line) => line.blocked_by?.kind === "figure" && line.blocked_by.id));
  for (const node of overlay.querySelectorAll("[data-figure], [data-label]")) {
    node.classList.toggle("is-named", named.has(node.dataset.figure ?? node.dataset.label));
  }
  if (!card) return;
  // If every line is blocked, the first is the nearest miss. The others are faint behind it.
  const [first, ...others] = card.lines;
  const lines = card.verdict === "blocked" ? [...others.reverse(), first].filter(Boolean) : card.lines;
  const isMiss = (line) => card.verdict === "blocked" && line !== first;
  const ordered = lines.map((line, order) => ({ line, order: card.verdict === "blocked" ? 3 * Number(isMiss(line)) : order }));
  // Lines of sight are traced first but lie on top, since a cover line often coincides with one.
  ordered.sort((a, b) => Number(a.line.purpose === "sight") - Number(b.line.purpose === "sight"));
  for (const { line, order } of ordered) {
    over.append(drawLine(under, line, order, isMiss(line), card.lines.indexOf(line)));
  }
  // Every corner that the shooter may choose: a ring if some line is free, a dot if none is.
  for (const origin of card.origins) {
    over.append(mark(origin.is_clear ? "choice" : "choice shut", origin.place, "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0"));
  }
  if (card.origin) over.append(mark("origin", card.origin, "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0"));
}

/** Highlight some lines, with the names of their ends, and fade the others. With none, restore all. */
export function lightLines(overlay, card, indices) {
  const lit = new Set(indices);
  overlay.classList.toggle("lit-lines", lit.size > 0);
  for (const line of overlay.querySelectorAll(".layer.answer [data-line]")) line.classList.toggle("lit", lit.has(Number(line.dataset.line)));
  for (const old of overlay.querySelectorAll(".layer.answer .end-name")) old.remove();
  const names = new Map();
  for (const index of lit) {
    const { from, to, from_name: fromName, to_name: toName } = card.lines[index];
    names.set(fromName, from).set(toName, to);
  }
  overlay.querySelector(".layer.answer")?.append(...[...names].map(([words, place]) => text("end-name", place, words)));
}

function drawLine(under, line, index, isFaint, number) {
  const end = line.stop ?? line.to;
  const state = line.blocked_by ? "blocked" : "clear";
  const classes = `sight ${line.purpose} ${state}${isFaint ? " faint" : ""}`;
  const group = svg("g", { class: classes, "data-line": number });
  group.style.setProperty("--order", String(index));
  if (isFaint) {
    group.append(svg("path", { class: "ray", pathLength: 100, d: path([line.from, end], false) }));
    return group;
  }
  if (line.stop) group.append(svg("path", { class: "beyond", d: path([line.stop, line.to], false) }));
  group.append(svg("path", { class: "halo", d: path([line.from, end], false) }));
  group.append(svg("path", { class: "ray", pathLength: 100, d: path([line.from, end], false) }));
  // The line lies on the table. Where a body covers or occludes it, the picture cannot show it.
  for (const stretch of line.hidden) group.append(svg("path", { class: "hidden-part", d: path(stretch, false) }));
  if (line.stop) group.append(mark("stop", line.stop, "M-7 -7L7 7M7 -7L-7 7"));
  if (line.blocked_by?.line) under.append(svg("path", { class: "blocker", d: path(line.blocked_by.line, false) }));
  if (line.blocked_by?.outline) under.append(svg("path", { class: "blocker", d: path(line.blocked_by.outline) }));
  return group;
}

function mark(classes, [x, y], d) {
  return svg(
    "g",
    { class: `mark ${classes}`, "data-x": x, "data-y": y },
    svg("path", { class: "mark-halo", d }),
    svg("path", { class: "mark-line", d }),
  );
}

/** The figure nearest to a tap, within a thumb's tolerance. */
export function figureAt(scene, x, y, cssPerPixel) {
  const reach = 30 / cssPerPixel;
  let best = null;
  let least = Infinity;
  for (const figure of scene.figures) {
    for (const [fx, fy] of [figure.center, figure.head]) {
      const away = inside(figure.base, x, y) ? 0 : Math.hypot(fx - x, fy - y);
      if (away < least && away <= reach) [best, least] = [figure, away];
    }
  }
  return best;
}

/** The door nearest to a press, within a thumb's tolerance. */
export function doorAt(scene, x, y, cssPerPixel) {
  const away = (door) => Math.min(...door.panels.map((panel) => Math.hypot(...middle(panel).map((v, i) => v - [x, y][i]))));
  const near = scene.doors.filter((door) => away(door) <= 30 / cssPerPixel);
  return near.sort((a, b) => away(a) - away(b))[0] ?? null;
}

/** Whether a point lies in a polygon. */
export function inside(outline, x, y) {
  let odd = false;
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  });
  return odd;
}
