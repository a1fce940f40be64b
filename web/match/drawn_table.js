// The drawn board as the table, where a match is played without a camera; a tap on a figure begins its attack.

import { ask, Refused } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { drawGround } from "./ground.js";

/** Spaces are no smaller than that on the screen: only a board that is wider still is pushed sideways on a phone. */
const LEAST_SPACE_PX = 24;

export class DrawnTable {
  /**
   * @param {import("./match.js").Match} match  the match whose table is drawn
   * @param {(figure: string) => void} attackWith  begins an attack of a figure
   */
  constructor(match, attackWith) {
    this.attackWith = attackWith;
    match.show((document) => this.show(document));
  }

  async show({ view }) {
    if (this.seq === view.seq) return;
    this.seq = view.seq;
    const found = await ask("/match/ground").catch(nothingDrawn);
    if (!found || found.seq < this.seq) return;
    const { box: [, , width] = [0, 0, 0, 0], unit = 1 } = found.ground ?? {};
    byId("drawn-table").style.minWidth = unit === 1 ? `${LEAST_SPACE_PX * (width + 1)}px` : ""; // millimetres shrink as far as they must
    drawGround(byId("drawn-table"), found.ground, this.attackWith);
  }
}

/** A refusal draws nothing new; whatever else went wrong is a mistake of ours. */
function nothingDrawn(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return null;
}
