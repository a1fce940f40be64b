// Whether the match currently accepts an attack between two figures.

import { Refused, send } from "../shell/api.js";

export class Ready {
  /**
   * @param {import("../match/match.js").Match} match  the shown match
   * @param {Record<string, any>} handlers  changed(): the possibility of an attack between the last requested pair has
   *   changed
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.pair = null;
    this.isReady = false;
    this.asked = 0;
    match.show(() => this.pair && this.ask());
  }

  /** Whether both of a pair are on the match's table. Never ask about figures that have left it. */
  stand({ attacker, defender }) {
    return this.match.isOnTable && [attacker, defender].every((id) => this.match.knows(id));
  }

  /** Whether an attack by this pair is possible. The answer for a new pair comes later. */
  of(attacker, defender) {
    if (!this.stand({ attacker, defender })) return false;
    if (this.pair?.attacker !== attacker || this.pair?.defender !== defender) {
      this.pair = { attacker, defender };
      this.isReady = false;
      this.ask();
    }
    return this.isReady;
  }

  async ask() {
    const [{ pair }, asked] = [this, ++this.asked];
    let isReady = false;
    try {
      isReady = this.stand(pair) && isPossible((await send("/match/attack", pair)).guide, pair);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    }
    if (asked !== this.asked || isReady === this.isReady) return;
    this.isReady = isReady;
    this.handlers.changed();
  }
}

/** Whether it is an attack left for this turn, whatever the match knows of the table, or the current one. */
function isPossible({ stage, attacker, defender, offers }, pair) {
  if (stage === "open") return attacker === pair.attacker && defender === pair.defender;
  return offers.some((offer) => offer.is_plan);
}
