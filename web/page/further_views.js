// The views beside the table. They load after the first look, so that the table appears at once on a slow network.

import { AttackView } from "../attack/attack.js";
import { Clocks } from "../match/clocks.js";
import { conditions } from "../match/wellbeing.js";
import { EndMatch } from "../match/end_match.js";
import { FiguresView } from "../match/figures.js";
import { Happened } from "../match/happened.js";
import { HistoryView } from "../match/history.js";
import { InitiativeView } from "../match/initiative.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { Panels } from "../match/panels.js";
import { Seat } from "../people/seat.js";
import { Ready } from "../attack/ready.js";
import { StoryView } from "../match/story.js";

export class FurtherViews {
  /**
   * @param {Record<string, any>} page  match, table, views and clock of the page; open(card) shows a ruling on the
   *   table; hasMatch; invite(side) shows a code; freeShot() is the newest picture of a table without a grid
   */
  constructor({ match, table, freePicture, views, clock, open, hasMatch, freeShot, invite }) {
    this.views = views;
    this.history = new HistoryView(match, { open, clockS: () => clock.nowS() });
    this.initiative = hasMatch ? showMatch({ match, table, freePicture, views, freeShot, invite }) : null;
    views.on("history", () => this.history.refresh());
  }

  /** Start an attack by a figure on the drawn table. */
  attackWith(figure) {
    if (!this.initiative?.attack) return;
    this.initiative.attack.begin({ attacker: figure });
    this.views.show("attack");
  }

  /** The camera has read a table without a grid. Load its picture before drawing, so that nothing flickers. */
  async freeSettled(shot) {
    if (!this.initiative?.match.document) return;
    const plan = new Image();
    plan.src = `/api/v1/free/shots/${encodeURIComponent(shot)}/plan`;
    await plan.decode().catch(() => undefined); // the picture has expired: a newer one is on its way
    this.initiative.look();
    this.initiative.choosing.newPicture();
    this.initiative.attack?.newPicture();
  }

  /** The camera's table is ready to be viewed. */
  tableSettled() {
    if (this.initiative?.match.document) this.initiative.look();
  }
}

function showMatch({ match, table, freePicture, views, freeShot, invite }) {
  const attack = ONLY_WATCHES ? null : new AttackView(match, { shot: () => table.scene?.shot ?? null });
  const plan = (command, back = null) => {
    attack.begin(command, back);
    views.show("attack");
  };
  const ownDice = (command) => plan(command, () => views.show("initiative"));
  // its attack button appears or disappears
  const changed = () => table.answer.card && table.answer.write(table.answer.card, false);
  const ready = attack && new Ready(match, { changed });
  table.attackWith = (attacker, defender) => (ready?.of(attacker, defender) ? () => plan({ attacker, defender }) : null);
  changed();
  const story = new StoryView(match);
  const end = new EndMatch(match, () => story.open());
  const scene = () => (table.scene?.source === "live" && match.document?.played_on === "camera" ? table.scene : null);
  const seat = ONLY_WATCHES ? null : new Seat(match, { invite });
  const initiative = new InitiativeView(match, { scene, freeShot, ownDice, endMatch: () => end.open(), seat });
  initiative.attack = attack;
  const clocks = new Clocks(match);
  views.on("initiative", () => {
    clocks.tick();
    initiative.now.draw();
  });
  if (attack) views.on("attack", () => attack.open());
  new Happened(match, (figure, how) => table.strike(figure, how));
  new Panels(match);
  new FiguresView(match);
  match.show((document) => {
    table.showConditions(match.isOnTable ? conditions(document) : new Map());
    freePicture.showConditions();
  });
  return initiative;
}
