// The table of the match drawn from above, in its own units; figures are buttons.

import { path, svg } from "../shell/dom.js";
import { overlaps, signOf } from "../scene/tokens.js";
import { t } from "../shell/texts.js";

/** Height and width of a letter of the names on the drawing, in spaces. */
const [NAME_SIZE, NAME_LETTER] = [0.19, 0.105];

/** Draws the ground into the picture; without one the picture is hidden. */
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
    ...ground.rim.map(({ text, at: [x, y] }) => svg("text", { class: "rim-word", x, y, "font-size": 0.36, "text-anchor": "middle", "dominant-baseline": "central", "aria-hidden": "true" }, text)),
    ...ground.tokens.map((token) => (token.kind === "goal" ? goalShape(token) : tokenShape(token))),
    ...nameShapes(ground),
    ...ground.figures.map((figure) => figureShape(figure, ground.sides.indexOf(figure.side), ground, pick)),
  );
  if (focused) picture.querySelector(`[data-figure="${CSS.escape(focused)}"]`)?.focus();
}

/** The camera's picture as from straight above, under everything that is drawn. */
function photoOf({ href, box: [x, y, width, height] }) {
  return svg("image", { href, x, y, width, height, preserveAspectRatio: "none" });
}

/** Marks who attacks and who is the target, for eyes and for ears. */
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

/** What lies on a space: a sign in a diamond, so that nobody takes it for a figure. */
function tokenShape({ kind, name, cells: [[x, y]] }) {
  const corners = [[x + 0.5, y + 0.06], [x + 0.94, y + 0.5], [x + 0.5, y + 0.94], [x + 0.06, y + 0.5]];
  const sign = svg("path", { class: "sign", d: signOf(kind), transform: `translate(${x + 0.5} ${y + 0.5}) scale(0.026)` });
  return svg("g", { class: "lying", role: "img", "aria-label": name }, svg("path", { d: path(corners) }), sign);
}

/** Where a side has to go, if nothing lies there: a flag on a space, or between the spaces beside a door. */
function goalShape({ name, cells }) {
  const [x, y] = middleOf(cells);
  return svg("g", { class: "lying goal", role: "img", "aria-label": name }, svg("circle", { cx: x, cy: y, r: 0.3 }), svg("path", { class: "sign", d: signOf("goal"), transform: `translate(${x} ${y}) scale(0.022)` }));
}

function middleOf(cells) {
  const [xs, ys] = [cells.map(([x]) => x + 0.5), cells.map(([, y]) => y + 0.5)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** The names below or above their signs, where they cover neither a figure nor another name; one without room is left to the sign. */
function nameShapes({ tokens, figures }) {
  const taken = figures.map(({ center: [x, y], size: [width, height] }) => [x - width / 2, y - height / 2, width, height]);
  return tokens.flatMap(({ kind, name, cells }) => {
    const [x, y] = middleOf(cells);
    const width = NAME_LETTER * name.length;
    for (const dy of kind === "goal" ? [0.42, -0.42] : [0.42, -0.42, 0.58, -0.58]) {
      const box = [x - width / 2, y + dy - NAME_SIZE / 2, width, NAME_SIZE];
      if (taken.some((other) => overlaps(box, other))) continue;
      taken.push(box);
      const words = { class: "lying-word", x, y: y + dy, "font-size": NAME_SIZE, "stroke-width": 0.05, "text-anchor": "middle", "dominant-baseline": "central", "aria-hidden": "true" };
      return [svg("text", words, name)];
    }
    return [];
  });
}

/** How large the letters of a short name are, as a share of the base: four of them fit as well as two. */
function letterSize(short) {
  return short.length > 3 ? 0.25 : short.length > 2 ? 0.32 : 0.4;
}

function figureShape(figure, side, { unit, photo }, pick) {
  const isOnPhoto = Boolean(photo); // the letters stand below the model, which is to be seen
  const [x, y] = figure.center;
  const [width, height] = figure.size;
  const attributes = { class: `piece side-${side % 6}`, role: "button", tabindex: 0, "data-figure": figure.id, "data-name": figure.name, "aria-label": figure.name };
  const shape = svg(
    "g",
    attributes,
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 2.4 }),
    svg("text", { x, y: y + (isOnPhoto ? 0.8 * height : 0), "font-size": letterSize(figure.short) * Math.max(unit, Math.min(width, height)), "text-anchor": "middle", "dominant-baseline": "central" }, figure.short),
  );
  shape.addEventListener("click", () => pick(figure.id));
  shape.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(figure.id);
  });
  return shape;
}
