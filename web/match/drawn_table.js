// The drawn board as the table of a match without a camera. A tap on a figure starts its attack.

import { ask, Refused } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { drawGround } from "./ground.js";

/** Smallest space on the screen. Only a wider board scrolls sideways on a phone. */
const LEAST_SPACE_PX = 24;

export class DrawnTable {
  /**
   * @param {import("./match.js").Match} match  the match with the drawn table
   * @param {(figure: string) => void} attackWith  starts an attack by a figure
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
    // millimetres shrink as far as necessary
    byId("drawn-table").style.minWidth = unit === 1 ? `${LEAST_SPACE_PX * (width + 1)}px` : "";
    drawGround(byId("drawn-table"), found.ground, this.attackWith);
  }
}

/** A refusal draws nothing new. Any other error is our own bug. */
function nothingDrawn(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return null;
}
