// The attack assistant: two figures on the match's table, the facts before the roll, and every step of its damage.

import { ask, Refused, send } from "../shell/api.js";
import { drawGround, markChosen } from "../match/ground.js";
import { Offers } from "./offer.js";
import { bySides, choose, fillChoice } from "../shell/choices.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText, steadily } from "../shell/steady.js";
import { number, t } from "../shell/texts.js";

const NOBODY = { attacker: null, defender: null };
const PLAIN = { aimed: false, drop: null, range: null, cover: false };

export class AttackView {
  /**
   * @param {import("../match/match.js").Match} match  the shown match
   * @param {Record<string, any>} handlers  shot() is the table view's picture, or null
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.seenShot = null;
    this.wish = { ...NOBODY, ...PLAIN };
    this.guide = null;
    /** The acting figure, which is the default attacker until somebody chooses. */
    this.acting = null;
    this.asked = 0;
    /** Return to the view that sent its players here to roll their own dice, or null. */
    this.back = null;
    this.groundSeq = null;
    this.offers = new Offers(byId("attack-offers"), { give: (command) => this.give(command), tell: (change) => this.tell(change) });
    this.facts = new Rows(byId("attack-facts"), ({ key, value }) => el("div", { class: "fact" }, el("dt", {}, key), el("dd", {}, value)));
    this.reasons = lines("attack-reasons");
    this.steps = lines("attack-steps");
    this.rolled = new Rows(byId("attack-rolled"), ({ die }) =>
      el("li", { class: `shown color-${die.color || "plain"}` }, el("small", {}, die.name), el("b", {}, die.shown)),
    );
    match.show((document) => this.onMatch(document));
    byId("attack-swap").addEventListener("click", () => this.choose(this.wish.defender, this.wish.attacker));
    byId("attack-from").addEventListener("change", () => this.choose(byId("attack-from").value || null, this.wish.defender));
    byId("attack-to").addEventListener("change", () => this.choose(this.wish.attacker, byId("attack-to").value || null));
    byId("attack-look").addEventListener("click", () => this.orTrouble(() => this.look()));
    const range = byId("attack-range");
    range.addEventListener("change", () => this.tell({ range: range.value === "" ? null : Number(range.value) }));
    byId("attack-cover").addEventListener("change", () => this.tell({ cover: byId("attack-cover").checked }));
  }

  onMatch({ view }) {
    this.fillChoices(view);
    if (!byId("view-attack").hidden) this.refresh();
  }

  /** Open the view: give the match a new picture's table, and query the assistant. */
  async open() {
    const shot = this.handlers.shot();
    byId("attack-look").hidden = shot === null || this.isFree();
    if (shot !== null && shot !== this.seenShot && !this.isFree() && this.match.isOnTable) await this.orTrouble(() => this.look());
    await this.refresh();
  }

  /** Give the match the table as the camera sees it. The same table again is no step. */
  async look() {
    const shot = this.handlers.shot();
    this.match.take(await send("/match/table", { shot }));
    this.seenShot = shot;
  }

  /** Whether the match is played without a grid. The camera reads only boards with cells. */
  isFree() {
    return this.match.document?.view.match.table === "free";
  }

  /** Fetch everything anew: the drawing if the match has progressed, and the assistant's answer. */
  async refresh() {
    this.followTurn();
    await this.orTrouble(async () => {
      if (this.groundSeq !== this.match.seq) {
        const { seq, ground } = await ask("/match/ground");
        this.groundSeq = seq;
        this.hasGround = ground !== null;
        byId("attack-no-ground").hidden = this.hasGround;
        this.drawGround(ground);
      }
      await this.question();
    });
  }

  /** Make the acting figure the attacker until somebody chooses another. */
  followTurn() {
    const acting = this.match.document?.view.turn?.figure ?? null;
    if (this.wish.attacker !== this.acting || this.wish.defender !== null || acting === this.acting) return;
    this.acting = acting;
    this.wish = { ...PLAIN, attacker: acting, defender: null };
  }

  /** Handle a new camera picture of a table without a grid. */
  newPicture() {
    this.groundSeq = null;
    if (!byId("view-attack").hidden) this.refresh();
  }

  /** Redraw the changed parts of the table. */
  drawGround(ground) {
    const drawing = JSON.stringify(ground);
    steadily(byId("attack-ground"), () => {
      if (drawing !== this.drawing) drawGround(byId("attack-ground"), ground, (id) => this.pick(id));
      this.drawing = drawing;
      this.markChosen();
    });
  }

  async question() {
    const asked = ++this.asked;
    const { guide } = await send("/match/attack", this.wish);
    if (asked !== this.asked) return;
    this.guide = guide;
    // drop figures that have left the table
    if (guide.stage === "choose") this.wish = { ...this.wish, attacker: guide.attacker, defender: guide.defender };
    this.show(guide);
  }

  /** Show a refusal as one sentence, and reset the chosen figures. */
  async orTrouble(work) {
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
      if (problem.status === 400) this.wish = { ...this.wish, ...NOBODY };
    }
  }

  /** First tap: the attacker. Second: the target. Later ones: another target, or another attacker of the same side. */
  pick(id) {
    const { attacker, defender } = this.wish;
    const sideOf = (name) => this.match.document.view.figures.find((figure) => figure.id === name)?.side;
    if (this.guide?.stage === "open") return;
    const isPreset = attacker !== null && attacker === this.acting && defender === null;
    if (isPreset) this.acting = null;
    if (isPreset && sideOf(id) === sideOf(attacker)) this.choose(id, null);
    else if (id === attacker) this.choose(null, null);
    else if (id === defender) this.choose(attacker, null);
    else if (attacker === null || (defender !== null && sideOf(id) === sideOf(attacker))) this.choose(id, null);
    else this.choose(attacker, id);
  }

  choose(attacker, defender) {
    this.tell({ ...PLAIN, attacker, defender: defender === attacker ? null : defender });
  }

  /** Prepare entering this command's dice: choose its two figures as far as it names them. */
  begin({ figure, attacker, shooter, defender, target, targets, fighters }, back = null) {
    this.back = back;
    const active = this.match.document.view.turn?.figure ?? null;
    const from = attacker ?? figure ?? shooter ?? fighters?.[0] ?? active;
    this.wish = { ...PLAIN, attacker: from, defender: defender ?? target ?? targets?.[0] ?? fighters?.[1] ?? null };
  }

  /** Apply a change of the request. Facts, dice and odds depend on it. */
  tell(change) {
    this.match.trouble(null);
    this.wish = { ...this.wish, ...change };
    this.orTrouble(() => this.question());
  }

  fillChoices(view) {
    const figures = view.figures.filter((one) => one.on_table);
    const sides = bySides(figures, ({ side }) => this.match.name(side), (figure) => this.match.name(figure.id));
    const { attacker, defender } = this.chosen();
    fillChoice(byId("attack-from"), t("choose_attacker"), sides, attacker);
    fillChoice(byId("attack-to"), t("choose_target"), sides, defender);
  }

  /** Attacker and target: of the open attack, else of the one under consideration. */
  chosen() {
    return this.guide?.stage === "open" ? this.guide : this.wish;
  }

  markChosen() {
    const { attacker, defender } = this.chosen();
    markChosen(byId("attack-ground"), attacker, defender);
  }

  show(guide) {
    const isOpen = guide.stage === "open";
    const { attacker, defender } = this.chosen();
    choose(byId("attack-from"), attacker);
    choose(byId("attack-to"), defender);
    for (const field of [byId("attack-from"), byId("attack-to"), byId("attack-swap")]) field.disabled = isOpen;
    this.markChosen();
    setText(byId("attack-hint"), guide.hint ?? (guide.stage === "choose" ? t(attacker ? "attack_pick_target" : "attack_pick") : ""));
    this.showFacts(guide.facts, guide.sight);
    this.showSteps(guide);
    const hasDice = guide.rolled.length > 0 || guide.offers.some(({ roll }) => roll);
    byId("attack-legend").hidden = !hasDice || guide.legend === null;
    setText(byId("attack-legend"), guide.legend ?? "");
    // The other side's answer has no button here, since its player gives it.
    const { view, mine } = this.match.document;
    const own = guide.offers.filter(({ side }) => !isOpen || !mine || !side || side === mine.side);
    this.offers.show(own);
    if (own.length < guide.offers.length && view.waits) setText(byId("attack-hint"), t("waits_for_task", { side: this.match.name(view.waits.side), what: view.waits.text }));
  }

  /** Execute an offer. Show its result at the top, and clear the filled-in values. */
  async give(command) {
    if (!(await this.match.give(command))) return;
    this.offers.served();
    byId("attack-panel").scrollTo({ top: 0 });
    this.back?.();
    this.back = null;
  }

  showFacts(facts, reasons) {
    const answer = (value) => (value === null ? t("not_known") : t(value ? "yes" : "no"));
    const rows = facts
      ? [
          [t("lines_sight"), answer(facts.line_of_sight)],
          [t("attack_range"), facts.range === null ? t("not_known") : number(facts.range, 0, 1)],
          facts.cover === null ? null : [t("attack_cover"), answer(facts.cover)],
        ]
      : [];
    this.facts.show(rows.filter(Boolean).map(([key, value]) => ({ key, value })));
    byId("attack-by-hand").hidden = !facts || facts.from_table;
    if (document.activeElement !== byId("attack-range")) byId("attack-range").value = this.wish.range ?? "";
    byId("attack-cover").checked = this.wish.cover;
    byId("attack-why").hidden = reasons.length === 0;
    this.reasons.show(reasons.map(({ text }, key) => ({ key, text })));
  }

  /** Show the dice result, modifier by modifier, and the sum in large letters. */
  showSteps({ rolled, steps, changes, outcome }) {
    this.rolled.show(rolled.map((die, key) => ({ key, die })));
    const changed = changes.map((text) => ({ text, isChange: true }));
    this.steps.show([...steps.map(({ text }) => ({ text })), ...changed].map((line, key) => ({ key, ...line })));
    setText(byId("attack-outcome"), outcome ?? "");
  }
}

/** A list of sentences. */
function lines(id) {
  return new Rows(byId(id), ({ text, isChange }) => el("li", { class: isChange ? "change" : null }, text));
}
