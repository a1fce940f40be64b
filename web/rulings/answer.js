// The answer about the chosen pair: requested from the server, drawn over the picture, and shown on its card.

import { Refused, send } from "../shell/api.js";
import { cardContents, waitingContents } from "./card.js";
import { byId, el } from "../shell/dom.js";
import { drawAnswer } from "../scene/draw.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { isSameTable } from "../scene/same_table.js";
import { later } from "../shell/later.js";
import { Lines } from "./lines.js";
import { replaceKeeping, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";

/** Shortest motion that counts. A shorter one is a passing shadow. */
const MOVING_MS = 300;

export class Answer {
  /** @param {import("../table/table.js").TableView} table  scene, pair, overlay, orTrouble(answer, otherwise), trouble(text), tell(text), link() */
  constructor(table) {
    this.table = table;
    this.card = null;
    this.question = 0;
    this.lines = new Lines(table);
    this.holding = "now";
    this.waits = false;
    this.sharing = later((again) => import(`./share.js${again}`));
    this.drawing = null;
    byId("again").addEventListener("click", () => table.pair.choose(null, null));
    byId("share").addEventListener("click", async () => table.tell(await (await this.sharing).shareAnswer(this.card, table.link())));
    byId("save").addEventListener("click", async () => (await this.sharing).saveAnswer(this.card, table.scene));
  }

  /** Handle the live table's state: during motion nothing is sure, and earlier certainty may be gone. */
  hold(holding) {
    const was = this.holding;
    this.holding = holding;
    clearTimeout(this.waiting);
    if (holding === "moving") this.waiting = setTimeout(() => this.setWaits(), MOVING_MS);
    else this.setWaits();
    if (was === "moving" && holding === "now" && this.card?.source === "live" && this.table.pair.isWhole) this.ask();
  }

  /** Show whether the answer waits for the camera. With a held table nothing waits. */
  setWaits() {
    const { holding, card } = this;
    const waits = card?.source === "live" && holding !== "frozen" && (holding === "moving" || !card.is_still);
    this.table.overlay.classList.toggle("moving", waits);
    if (waits === this.waits) return;
    this.waits = waits;
    if (this.card) this.write(this.card, false);
  }

  /** Ask about the pair. An overtaken answer is not shown. */
  async ask() {
    const { pair, scene } = this.table;
    const asked = ++this.question;
    if (!scene || !pair.isWhole || ONLY_WATCHES) {
      this.show(null);
      return;
    }
    const { attacker, defender } = pair;
    const follows = this.isAbout(attacker, defender) && this.card.shot !== scene.shot;
    const question = { attacker, defender, ruleset: byId("ruleset").value, as_plan: scene.as_plan, is_follow_up: follows };
    try {
      const card = await send(`/shots/${scene.shot}/rulings`, question);
      if (asked === this.question) this.show(card);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (asked !== this.question) return;
      this.show(null);
      this.table.trouble(problem.message);
    }
  }

  isAbout(attacker, defender) {
    return this.card?.attacker.id === attacker && this.card?.defender.id === defender;
  }

  /** Show an answer, or none. An unchanged one stays. */
  show(card) {
    const { overlay } = this.table;
    const isNew = JSON.stringify([this.card?.ruling, this.card?.is_still]) !== JSON.stringify([card?.ruling, card?.is_still]);
    const isOther = card !== null && !this.isAbout(card.attacker.id, card.defender.id);
    this.card = card;
    drawAnswer(overlay, card);
    this.lines.take(card);
    this.table.lookAt(card);
    overlay.classList.toggle("answered", card !== null);
    overlay.classList.toggle("still", !isNew);
    this.table.keepSize();
    byId("card").hidden = card === null;
    this.setWaits();
    if (isNew || card === null) this.write(card, isOther);
  }

  /** Keep the lines on the camera's next picture until its own answer arrives, if nothing has moved on it. */
  redraw(before, scene) {
    const { attacker, defender } = this.table.pair;
    if (this.isAbout(attacker, defender) && isSameTable(before, scene)) drawAnswer(this.table.overlay, this.card);
  }

  /** Write the card. Unfolded parts stay so while the answer is about the same two figures. */
  write(card, isOther) {
    this.lines.forget();
    const handlers = {
      changes: () => this.changes(),
      above: card && !this.waits && this.above(card),
      settling: this.table.settling,
      claims: (about) => this.claims(about),
      lines: this.lines,
      attack: card && this.table.attackWith?.(card.attacker.id, card.defender.id),
    };
    byId("again").hidden = !card;
    byId("again").classList.toggle("main", !handlers.attack);
    for (const id of ["share", "save"]) byId(id).hidden = !card || this.waits;
    const contents = this.waits ? waitingContents : cardContents;
    const nodes = card ? contents(card, handlers).filter(Boolean) : [];
    if (card && !isOther) {
      steadily(byId("card"), () => replaceKeeping(byId("card"), nodes));
      return;
    }
    steadily(byId("card"), () => byId("card").replaceChildren(...nodes));
    if (card) byId("panel").scrollTo({ top: 0, behavior: "smooth" });
  }

  /** The view from above for partly hidden lines. A tap enlarges it, and the next one returns to the picture. */
  above(card) {
    if (this.table.ghost.isOn || !card.lines.some(({ hidden }) => hidden.length)) return null;
    const made = el("button", { type: "button", class: "button board-above" }, t("from_above"));
    made.addEventListener("click", () => this.table.switchPlan());
    this.drawing ??= later((again) => import(`./above.js${again}`));
    this.drawing.then(({ drawAbove }) => drawAbove(made, card));
    return made;
  }

  /** Two claims about the pair, each with its verdict. */
  async claims(about) {
    const { attacker, defender, ruleset } = this.card.ruling;
    const answer = send(`/shots/${this.card.shot}/claims`, { attacker, defender, ruleset, about });
    return (await this.table.orTrouble(answer, { claims: [] })).claims;
  }

  /** The sentences about changes that would flip the answer. */
  async changes() {
    const { attacker, defender, ruleset } = this.card.ruling;
    const answer = send(`/shots/${this.card.shot}/changes`, { attacker, defender, ruleset });
    const { changes } = await this.table.orTrouble(answer, { changes: [] });
    return changes.map((change) => change.text);
  }
}
