// Before the first step: the mission's table set-up, and the differences that the camera finds.

import { ask, Refused } from "../shell/api.js";
import { byId, el, loaded, middle, path, svg } from "../shell/dom.js";
import { drawGround } from "./ground.js";
import { fitNumbers, numberShape } from "./numbers.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const LOOK_EVERY_MS = 2500;

export class Laying {
  /** @param {import("./match.js").Match} match  the match with the table; this ends once it has taken its table */
  constructor(match) {
    this.match = match;
    this.view = byId("view-initiative");
    this.photo = byId("laying-photo").querySelector("svg");
    this.faults = new Rows(byId("laying-faults"), ({ kind, text }) => el("li", { class: kind }, el("span", {}, text)));
    new ResizeObserver(() => fitNumbers(this.photo)).observe(this.photo);
    setInterval(() => this.isDue() && this.look(), LOOK_EVERY_MS);
    new MutationObserver(() => this.look()).observe(this.view, { attributeFilter: ["hidden"] });
  }

  isDue() {
    const view = this.match.document?.view;
    return Boolean(view) && !view.has_table && view.winner === null && !this.view.hidden && !document.hidden;
  }

  /** Compare the current table. A pending question is not repeated. */
  async look() {
    if (this.match.document?.view.has_table) this.show(null);
    if (!this.isDue() || this.asking) return;
    this.asking = true;
    const { laying } = await ask("/match/laying").catch(nothingLaid);
    this.asking = false;
    this.show(this.match.document.view.has_table ? null : laying);
  }

  show(laying) {
    const key = JSON.stringify(laying);
    if (key === this.drawnFor) return;
    this.drawnFor = key;
    byId("laying").hidden = laying === null;
    this.view.classList.toggle("lays", laying !== null);
    if (laying === null) return;
    const { faults, ground, photo } = laying;
    this.showPhoto(photo, faults);
    byId("laying").classList.toggle("right", laying.is_right);
    setText(byId("laying-state"), stateOf(laying));
    this.faults.show(faults.map(({ kind, text }, place) => ({ key: `${place} ${text}`, kind, text })));
    byId("laying-legend").hidden = faults.length === 0;
    byId("laying-picture").parentElement.hidden = !ground;
    drawGround(byId("laying-picture"), ground, () => undefined);
    if (ground) markFaults(byId("laying-picture"), faults);
  }

  /** Show each picture of the camera once loaded. Without one, or without marks, show the mission's drawing alone. */
  async showPhoto(photo, faults) {
    const asked = this.drawnFor;
    if (photo) await loaded(photo.picture);
    if (asked !== this.drawnFor) return;
    byId("laying-photo").hidden = !photo;
    if (photo) drawPhoto(this.photo, photo, faults);
  }
}

/** The camera's own picture with each fault's number. The last one stays until the next is loaded. */
function drawPhoto(picture, photo, faults) {
  picture.setAttribute("viewBox", viewOf(photo, faults).join(" "));
  const image = svg("image", { href: photo.picture, width: photo.width_px, height: photo.height_px, preserveAspectRatio: "none" });
  picture.replaceChildren(image, ...faults.map(faultShape), ...faults.map((fault, place) => numberShape(fault, place + 1)).filter(Boolean));
  fitNumbers(picture);
}

/** The picture's part with the board and the places beside it. */
function viewOf({ focus_px: [x, y, width, height], width_px: widest, height_px: highest }, faults) {
  const points = [[x, y], [x + width, y + height], ...faults.flatMap(({ marks }) => marks.areas.flat())];
  const [xs, ys] = [points.map(([across]) => across), points.map(([, down]) => down)];
  const [left, top] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
  return [left, top, Math.min(widest, Math.max(...xs)) - left, Math.min(highest, Math.max(...ys)) - top];
}

/** A missing or surplus thing. A line ties a misplaced figure to its place. */
function faultShape({ kind, what, marks: { areas, rim, from } }) {
  const shape = (name, d) => d && svg("path", { class: `fault ${kind} ${what} ${name}`, d });
  const outline = rim.length ? rim.map((line) => path(line, false)) : areas.map((area) => path(area));
  const stands = from.length ? path(from) + path([middle(from), middle(areas[0])], false) : "";
  return svg("g", {}, shape("area", areas.map((area) => path(area)).join("")), shape("rim", outline.join("")), shape("from", stands));
}

function stateOf({ is_seen: isSeen, is_right: isRight, faults }) {
  if (!isSeen) return t("laying_unseen");
  return isRight ? t("laying_right") : t("laying_wrong", { count: faults.length });
}

/** Mark the table's differences on the mission's picture. Figures are no buttons here. */
function markFaults(picture, faults) {
  for (const piece of picture.querySelectorAll(".piece")) {
    for (const name of ["role", "tabindex", "aria-label"]) piece.removeAttribute(name);
    const fault = faults.find(({ figure, kind }) => figure === piece.dataset.figure && kind !== "extra");
    if (fault) piece.classList.add("fault", fault.kind);
  }
  for (const { kind, what, cells, edges } of faults) {
    if (what === "figure" && kind !== "extra") continue;
    const classes = `fault ${kind}`;
    if (edges.length) picture.append(...edges.map((edge) => svg("path", { class: `${classes} door`, d: path(edge, false) })));
    else picture.append(svg("path", { class: classes, d: cells.map((cell) => path(square(cell))).join("") }));
  }
}

function square([x, y]) {
  return [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
}

/** A refusal is no news of the table. Any other error is our own bug. */
function nothingLaid(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return { laying: null };
}
