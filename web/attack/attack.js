// The attack assistant: two figures on the table of the match, what is known before the roll, every step of its damage.

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
   * @param {import("../match/match.js").Match} match  the match that is shown
   * @param {Record<string, any>} handlers  shot() is the picture that the table view shows, or null
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.seenShot = null;
    this.wish = { ...NOBODY, ...PLAIN };
    this.guide = null;
    /** The acting figure that stands as the attacker by itself, until somebody chooses. */
    this.acting = null;
    this.asked = 0;
    /** Leads back to the view that sent its players here for their own dice; null where nobody did. */
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

  /** The view is opened: the match takes its table from the picture, if that is a new one, and the assistant is asked. */
  async open() {
    const shot = this.handlers.shot();
    byId("attack-look").hidden = shot === null || this.isFree();
    if (shot !== null && shot !== this.seenShot && !this.isFree() && this.match.isOnTable) await this.orTrouble(() => this.look());
    await this.refresh();
  }

  /** Lets the match take its table as the camera sees it; the same table again is no step. */
  async look() {
    const shot = this.handlers.shot();
    this.match.take(await send("/match/table", { shot }));
    this.seenShot = shot;
  }

  /** Whether the match is played without a grid; the camera reads boards of cells alone. */
  isFree() {
    return this.match.document?.view.match.table === "free";
  }

  /** Asks for everything anew: the drawing where the match has gone on, and what the assistant says. */
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

  /** Who acts attacks, as long as nobody has chosen another. */
  followTurn() {
    const acting = this.match.document?.view.turn?.figure ?? null;
    if (this.wish.attacker !== this.acting || this.wish.defender !== null || acting === this.acting) return;
    this.acting = acting;
    this.wish = { ...PLAIN, attacker: acting, defender: null };
  }

  /** The camera has a new picture of a table without a grid. */
  newPicture() {
    this.groundSeq = null;
    if (!byId("view-attack").hidden) this.refresh();
  }

  /** Draws the table where it has changed. */
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
    if (guide.stage === "choose") this.wish = { ...this.wish, attacker: guide.attacker, defender: guide.defender }; // without who has left the table
    this.show(guide);
  }

  /** A refusal is one sentence, and the figures are chosen anew. */
  async orTrouble(work) {
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
      if (problem.status === 400) this.wish = { ...this.wish, ...NOBODY };
    }
  }

  /** First tap: who attacks. Second: the target. Later ones: another target, or another attacker of the same side. */
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

  /** Somebody wants to tell the dice of this command: its two figures are chosen, as far as it names them. */
  begin({ figure, attacker, shooter, defender, target, targets, fighters }, back = null) {
    this.back = back;
    const active = this.match.document.view.turn?.figure ?? null;
    const from = attacker ?? figure ?? shooter ?? fighters?.[0] ?? active;
    this.wish = { ...PLAIN, attacker: from, defender: defender ?? target ?? targets?.[0] ?? fighters?.[1] ?? null };
  }

  /** Something about the wish has changed: facts, dice and odds hang on it. */
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

  /** Who attacks whom: of the attack that is open, else of the one that somebody thinks about. */
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
    // The other side's answer has no button here: its player gives it.
    const { view, mine } = this.match.document;
    const own = guide.offers.filter(({ side }) => !isOpen || !mine || !side || side === mine.side);
    this.offers.show(own);
    if (own.length < guide.offers.length && view.waits) setText(byId("attack-hint"), t("waits_for_task", { side: this.match.name(view.waits.side), what: view.waits.text }));
  }

  /** Carries an offer out; what came of it stands at the top, and what was filled in has served. */
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

  /** What the dice have come to, modifier by modifier, and the sum in large letters. */
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
