// Before the first step: how the mission wants its table to lie, and what the camera still finds otherwise.

import { ask, Refused } from "../shell/api.js";
import { byId, el, path, svg } from "../shell/dom.js";
import { drawGround } from "./ground.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const LOOK_EVERY_MS = 2500;

export class Laying {
  /** @param {Match} match  the match whose table is laid; once it has taken its table, this is over */
  constructor(match) {
    this.match = match;
    this.view = byId("view-initiative");
    this.faults = new Rows(byId("laying-faults"), ({ kind, text }) => el("li", { class: kind }, text));
    setInterval(() => this.isDue() && this.look(), LOOK_EVERY_MS);
    new MutationObserver(() => this.look()).observe(this.view, { attributeFilter: ["hidden"] });
  }

  isDue() {
    const view = this.match.document?.view;
    return Boolean(view) && !view.has_table && view.winner === null && !this.view.hidden && !document.hidden;
  }

  /** Compares the table of this moment; a question that is still under way is not asked twice. */
  async look() {
    if (this.match.document?.view.has_table) this.show(null);
    if (!this.isDue() || this.asking) return;
    this.asking = true;
    const { laying } = await ask("/match/laying").catch(nothingLaid);
    this.asking = false;
    this.show(this.match.document.view.has_table ? null : laying);
  }

  show(laying) {
    const told = JSON.stringify(laying);
    if (told === this.told) return;
    this.told = told;
    byId("laying").hidden = laying === null;
    this.view.classList.toggle("lays", laying !== null);
    if (laying === null) return;
    const { faults, ground } = laying;
    byId("laying").classList.toggle("right", laying.is_right);
    setText(byId("laying-state"), stateOf(laying));
    this.faults.show(faults.map((fault, place) => ({ key: `${place} ${fault.text}`, ...fault })));
    byId("laying-legend").hidden = faults.length === 0;
    drawGround(byId("laying-picture"), ground, () => undefined);
    if (ground) markFaults(byId("laying-picture"), faults);
  }
}

function stateOf({ is_seen: isSeen, is_right: isRight, faults }) {
  if (!isSeen) return t("laying_unseen");
  return isRight ? t("laying_right") : t("laying_wrong", { count: faults.length });
}

/** Marks on the picture of the mission what is otherwise on the table; figures are no buttons here. */
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

/** A refusal tells nothing about the table; whatever else went wrong is a mistake of ours. */
function nothingLaid(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return { laying: null };
}
