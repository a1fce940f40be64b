// The table beside the turn order: the camera's picture with everybody's name, else the match's own drawing.

import { ask, Refused } from "../shell/api.js";
import { byId, loaded } from "../shell/dom.js";
import { drawNow, isWideBoard } from "./board.js";
import { whatIsAt } from "./tapping.js";

/** A board with less than so many times its height in width leaves an upright screen no room for the order of turns. */
const HIGH = 2;

export class NowTable {
  /**
   * @param {import("./match.js").Match} match  the shown match
   * @param {Record<string, any>} handlers  scene() is the camera's newest picture, freeShot() that of a table without a
   *   grid
   * @param {function} tapped  receives the target of a tap on the table
   */
  constructor(match, handlers, tapped) {
    this.match = match;
    this.handlers = handlers;
    this.view = byId("view-initiative");
    this.groundKey = "";
    this.drawing = null;
    this.standing = new Map();
    this.onPicture = null;
    this.aims = [];
    this.view.addEventListener("aim", (event) => {
      this.aims = /** @type {CustomEvent<string[]>} */ (event).detail;
      this.draw();
    });
    byId("now-table").addEventListener("click", ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(byId("now-picture").getScreenCTM().inverse());
      tapped(whatIsAt([x, y], { scene: this.onPicture, ground: this.drawing, standing: this.standing }));
    });
    new ResizeObserver(() => this.draw()).observe(this.view); // the shown part depends on the available room
  }

  /** Draw the changes, while visible. */
  async draw() {
    const { document: known, seq } = this.match;
    if (!known || this.view.hidden) return;
    const scene = this.match.isOnTable ? this.handlers.scene() : null;
    const key = JSON.stringify([seq, scene?.shot, this.handlers.freeShot(), this.view.clientWidth, this.aims]);
    if (key === this.drawn) return;
    this.drawn = key;
    const [ground] = await Promise.all([this.ground(`${seq} ${this.handlers.freeShot()}`), scene?.picture && loaded(scene.picture)]);
    if (key !== this.drawn) return;
    const isThere = Boolean(scene || ground);
    byId("now-table").hidden = !isThere;
    this.view.classList.toggle("has-table", isThere);
    if (!isThere) return;
    this.standing = new Map(known.view.figures.map(({ id, cells }) => [id, cells ?? []]));
    const { onPicture, ratio } = drawNow(byId("now-picture"), { scene, ground, active: actingIn(known.view), standing: this.standing, aims: this.aims, tokens: known.tokens, blows: known.view.happened?.blows ?? [], leads: leadsOf(known.view) });
    const hasHands = known.view.panels.some((/** @type {{is_hand: boolean}} */ panel) => panel.is_hand);
    this.onPicture = onPicture;
    this.view.classList.toggle("is-wide", isWideBoard(ratio, { isAlone: !hasHands }));
    this.view.classList.toggle("is-high", ratio < HIGH);
    this.view.classList.toggle("has-hands", hasHands);
    this.view.style.setProperty("--ratio", String(ratio));
  }

  /** The match's own table, fetched after a step, but not for every picture of the camera. */
  async ground(key) {
    if (key === this.groundKey) return this.drawing;
    try {
      this.drawing = (await ask("/match/ground")).ground;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.drawing = null;
    }
    this.groundKey = key;
    return this.drawing;
  }
}

/** Whose figure has the ring: the one that acts, else the one whose answer is waited for. */
function actingIn({ turn, waits, prompts }) {
  const answer = waits && prompts.find(({ side, fields }) => side === waits.side && fields.figure);
  return turn?.figure ?? answer?.fields.figure ?? null;
}

/** The figures that an offered step leads to a known place. */
function leadsOf({ prompts }) {
  return prompts.filter(({ fields }) => fields.figure && fields.center_mm).map(({ fields }) => ({ figure: fields.figure, place: fields.center_mm }));
}
