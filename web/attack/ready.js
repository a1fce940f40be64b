// Whether the match would take an attack of two figures at this moment.

import { Refused, send } from "../shell/api.js";

export class Ready {
  /**
   * @param {import("../match/match.js").Match} match  the match that is shown
   * @param {Record<string, any>} handlers  changed(): an attack of the two that were asked about last is possible now, or no more
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.pair = null;
    this.isReady = false;
    this.asked = 0;
    match.show(() => this.pair && this.ask());
  }

  /** Whether both of a pair stand on the table of the match: of figures that have left it nothing is asked. */
  stand({ attacker, defender }) {
    return this.match.isOnTable && [attacker, defender].every((id) => this.match.knows(id));
  }

  /** Whether an attack of these two is possible; the answer for a new pair comes later. */
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

/** An attack that is left this turn, whatever the match knows of the table so far; or the one that is under way. */
function isPossible({ stage, attacker, defender, offers }, pair) {
  if (stage === "open") return attacker === pair.attacker && defender === pair.defender;
  return offers.some((offer) => offer.is_plan);
}
