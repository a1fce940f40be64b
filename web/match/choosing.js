// One path to every command: the server provides the next question and the allowed answers, and the player taps or
// types.

import { ask, Refused, send } from "../shell/api.js";
import { drawChoice, oddsInShort, tapPlace, wordOdds } from "./board.js";
import { byId, el, middle } from "../shell/dom.js";
import { MAY_INVITE, ONLY_WATCHES } from "../people/own_rights.js";
import { Finger } from "./finger.js";
import { inside } from "../scene/draw.js";
import { busily, setText } from "../shell/steady.js";
import { attackIn } from "./tapping.js";
import { number, t } from "../shell/texts.js";
import { WhoRolls } from "./who_rolls.js";

const ON_BOARD = ["figure", "spaces", "door", "place"];
const TOLD = ["number", "words"];
/** Letters of an answer up to which two fit side by side in a long list. */
const SHORT = 24;

export class Choosing {
  /**
   * @param {import("./match.js").Match} match  takes the complete command
   * @param {Record<string, any>} handlers  scene() is the camera's scene, or null; freeShot() its picture of a table
   *   without a grid; ownDice(command) lets players enter the table's dice
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.way = null;
    this.cell = null;
    this.asked = 0;
    /** A device that only watches rolls nothing. */
    this.rolls = ONLY_WATCHES ? null : new WhoRolls(match);
    this.view = byId("view-initiative");
    byId("choice-cancel").addEventListener("click", () => this.end());
    byId("choice-skip").addEventListener("click", () => this.answer(this.way.ask.skipped));
    byId("choice-do").addEventListener("click", () => this.doIt());
    byId("choice-dice").addEventListener("click", () => this.ownDice());
    byId("choice-told").addEventListener("submit", (event) => this.submit(event));
    const value = byId("choice-value");
    const add = (/** @type {number} */ step) => (value.value = String(Math.max(0, Number(value.value) + step)));
    byId("choice-less").addEventListener("click", () => add(-1));
    byId("choice-more").addEventListener("click", () => add(1));
    this.view.addEventListener("keydown", (event) => event.key === "Escape" && this.way && this.end());
    this.finger = new Finger(byId("choice-picture"), {
      count: (cells) => this.countWay(cells),
      say: (way) => this.sayWay(way),
      done: (place, bends) => this.drewWay(place, bends),
    });
    match.show(() => this.onMatch());
    new ResizeObserver(() => this.fitBoard()).observe(this.view);
  }

  /** Fit the view to the room of a rotated device. */
  fitBoard() {
    if (this.way && this.boardWidth !== this.view.clientWidth && !byId("choice-board").hidden && !this.finger.isDrawing) this.showBoard(this.way.ask);
  }

  /** Begins a command of that title; one with nothing to ask is given at once. What was pointed at, a figure or a space, answers who acts or where to. */
  async begin(title, command, pointed = null, cell = null) {
    this.title = title;
    this.pointed = pointed;
    this.cell = cell;
    this.answers = [];
    await busily(async () => {
      await this.takeTable();
      await this.go(command);
    });
  }

  /** A match without a table takes it from the camera before anything is chosen on it. */
  async takeTable() {
    const [{ view }, scene] = [this.match.document, this.handlers.scene()];
    if (view.has_table || !this.match.isOnTable) return;
    const shot = view.match.table === "free" ? this.handlers.freeShot() : null;
    if (shot) await this.takeFree(shot);
    if (view.match.table === "free" || !scene) return;
    const seen = await this.orTrouble(send("/match/table", { shot: scene.shot }));
    if (seen) this.match.take(seen);
  }

  /** The same from the picture of a table without a grid. */
  async takeFree(shot) {
    await this.orTrouble(send(`/free/shots/${encodeURIComponent(shot)}/match`, {}));
    await this.match.refresh();
  }

  /** A new camera picture of a table without a grid replaces the one under the choice. */
  async newPicture() {
    this.groundSeq = null;
    if (this.way && !byId("choice-board").hidden && !this.finger.isDrawing) await this.showBoard(this.way.ask);
  }

  /** After a change of the match, repeat the question of an unfinished choice, or end it. */
  async onMatch() {
    if (!this.way || this.way.seq === this.match.seq) return;
    const { type, fields } = this.way;
    await this.go({ type, ...fields });
    if (this.way && this.way.refusal !== null && this.way.ask === null) this.end();
  }

  go(command) {
    return busily(() => this.goOn(command));
  }

  async goOn(command) {
    const asked = ++this.asked;
    const found = await this.orTrouble(send("/match/ways", command));
    if (asked !== this.asked) return;
    if (!found) {
      if (!this.way && !byId("choosing").hidden) this.end(); // a finished choice must not stay open
      return;
    }
    const { way } = found;
    if (this.isRefusedPlace(way)) {
      setText(byId("choice-refusal"), way.refusal);
      return;
    }
    this.answers.push(...way.certain);
    const acts = way.ask?.field === "figure" ? way.ask.picks.find(({ value }) => value === this.pointed) : undefined;
    this.pointed = null;
    if (acts) {
      this.answers.push(acts.text);
      await this.goOn({ type: way.type, ...way.fields, [way.ask.field]: acts.value, ...acts.fills });
      return;
    }
    const goes = this.cell && way.ask?.kind === "spaces" ? way.ask.picks.filter(({ cells }) => cells.some((one) => String(one) === String(this.cell))) : [];
    if (way.ask) this.cell = null;
    if (goes.length === 1) {
      this.answers.push(goes[0].text);
      await this.goOn({ type: way.type, ...way.fields, [way.ask.field]: goes[0].value, ...goes[0].fills });
      return;
    }
    const isWhole = way.ask === null && way.refusal === null;
    if (isWhole && (!way.has_dice || this.rolls.kept === "program")) {
      await this.give({ type: way.type, ...way.fields });
      return;
    }
    this.way = { ...way, seq: found.seq };
    if (isWhole && this.rolls.kept === "own") {
      this.ownDice();
      return;
    }
    this.asksAfter = this.answers.length;
    this.chosen = new Set();
    await this.show();
  }

  /** Whether the rules refuse an entered place or word. The question stays, with the reason. */
  isRefusedPlace({ ask: asked, refusal }) {
    const isEntered = this.way?.ask && ["place", ...TOLD].includes(this.way.ask.kind);
    if (!isEntered || asked || refusal === null) return false;
    this.answers.length = this.asksAfter;
    return true;
  }

  /** Give the command. Until the match has answered, nothing else can be tapped by mistake. */
  async give(command) {
    this.way = null;
    const given = ++this.asked;
    byId("choosing").inert = true;
    await this.match.give(command);
    byId("choosing").inert = false;
    if (given === this.asked) this.end(); // the news often arrives before the answer, and a further tap is independent
  }

  /** An answer fills its field, and sometimes another one. The next question follows from it. */
  async answer(value, label = null, fills = {}) {
    this.answers.push(label ?? "");
    const { type, fields, ask: asked } = this.way;
    await this.go({ type, ...fields, [asked.field]: value, ...fills });
  }

  async doIt() {
    const { ask: asked, type, fields } = this.way;
    if (!asked) {
      this.rolls.keep("program"); // without a question it asks who rolls
      await this.give({ type, ...fields });
      return;
    }
    const picks = asked.picks.filter((_, place) => this.chosen.has(place));
    await this.answer(picks.flatMap((pick) => pick.value), picks.map((pick) => pick.text).join(", "));
  }

  ownDice() {
    const { type, fields, ask: asked } = this.way;
    if (!asked) this.rolls.keep("own");
    this.end();
    this.handlers.ownDice({ type, ...fields });
  }

  submit(event) {
    event.preventDefault();
    const { ask: asked } = this.way;
    const typed = byId("choice-value").value;
    this.answer(asked.kind === "number" ? Math.trunc(Number(typed) || 0) : typed, typed);
  }

  end() {
    this.way = null;
    this.asked += 1;
    this.view.classList.remove("is-choosing", "shows-board");
    for (const id of ["choosing", "choice-board"]) byId(id).hidden = true;
    this.finger.lead(null);
    byId("choice-picture").replaceChildren();
    this.aim([]);
    byId("prompts").querySelector("button")?.focus({ preventScroll: true });
  }

  /** Mark the chosen figures on the table during further questions. */
  aim(values) {
    const figures = this.match.document.view.figures.map(({ id }) => id).filter((id) => values.includes(id) && id !== this.active());
    this.view.dispatchEvent(new CustomEvent("aim", { detail: figures }));
  }

  async show() {
    const { ask: asked, refusal, has_dice: hasDice } = this.way;
    const isNew = byId("choosing").hidden;
    setText(byId("choice-path"), [this.title, ...this.answers].filter(Boolean).join(" › "));
    setText(byId("choice-question"), asked ? asked.text : t(refusal ? "choice_not_now" : "choice_dice"));
    setText(byId("choice-refusal"), refusal ?? "");
    setText(byId("choice-note"), asked ? (asked.note ?? "") : hasDice && !refusal ? t("choice_dice_once") : "");
    setText(byId("choice-odds"), this.way.odds && !asked?.picks.some(({ odds }) => odds) ? wordOdds(this.way.odds) : "");
    this.showWayOut(asked?.hidden_of ?? null);
    byId("choosing").hidden = false;
    this.view.classList.add("is-choosing");
    this.showTools(asked, refusal, hasDice);
    this.showAnswers(asked);
    this.aim(Object.values(this.way.fields).flat());
    await this.showBoard(asked);
    if (isNew) byId("choice-question").focus({ preventScroll: true });
  }

  /** The way out if another side's hand is needed: pass the device on, or give that side its own. */
  showWayOut(side) {
    const { seat } = this.match.document;
    const isHere = side !== null && seat.hands.includes(side);
    const button = byId("choice-way-out");
    button.hidden = side === null || !(isHere || MAY_INVITE);
    if (button.hidden) return;
    setText(button, t(isHere ? "seat_hand_to" : "seat_invite", { side: this.match.name(side) }));
    button.onclick = () => (isHere ? this.handlers.seat.cover(side, this.title, () => this.go({ type: this.way.type, ...this.way.fields })) : this.handlers.seat.invite(side));
  }

  showTools(asked, refusal, hasDice) {
    const several = asked !== null && asked.most > 1;
    byId("choice-do").hidden = refusal !== null || (asked !== null && !several);
    setText(byId("choice-do"), t(asked ? "choice_these" : "attack_roll"));
    // nobody can measure there
    const isDrawn = Boolean(asked?.is_measured && asked.reach_mm) && this.match.document.played_on === "drawing";
    byId("choice-skip").hidden = !asked?.may_skip || isDrawn;
    setText(byId("choice-skip"), asked?.skip_text ?? t("choice_skip"));
    byId("choice-dice").hidden = !hasDice || refusal !== null || (asked !== null && this.rolls.kept === "own");
    const isTold = asked !== null && TOLD.includes(asked.kind) && refusal === null;
    byId("choice-told").hidden = !isTold || this.isListed(asked);
    byId("choice-told").classList.toggle("words", asked?.kind === "words");
    for (const id of ["choice-less", "choice-more"]) byId(id).hidden = asked?.kind !== "number";
    byId("choice-less").setAttribute("aria-label", t("attack_less", { what: asked?.text ?? "" }));
    byId("choice-more").setAttribute("aria-label", t("attack_more", { what: asked?.text ?? "" }));
    const input = byId("choice-value");
    input.inputMode = asked?.kind === "number" ? "numeric" : "text";
    if (isTold) input.value = asked.kind === "number" ? asked.value : "";
    if (several) this.count();
  }

  /** Whether one of its buttons answers a number, so that a field beside them would ask twice. */
  isListed(asked) {
    return asked.kind === "number" && asked.picks.length > 0;
  }

  /** The answers as buttons. Spaces are chosen only on the board. */
  showAnswers(asked) {
    const inList = asked && asked.kind !== "spaces" ? asked.picks : [];
    const buttons = inList.map((pick, place) => this.answerButton(asked, pick, place));
    if (asked && this.isListed(asked)) buttons.push(this.otherNumber());
    byId("choices").classList.toggle("are-short", inList.length > 3 && inList.every(({ text, note, odds }) => text.length <= SHORT && !note && !odds));
    byId("choices").replaceChildren(...buttons);
  }

  /** An unlisted number is typed. */
  otherNumber() {
    const button = el("button", { type: "button", class: "button quiet" }, t("choice_other_number"));
    button.addEventListener("click", () => {
      byId("choice-told").hidden = false;
      byId("choices").replaceChildren();
      byId("choice-value").focus();
    });
    return button;
  }

  answerButton(asked, pick, place) {
    const several = asked.most > 1;
    const kind = { card: "button playing-card", number: "button one-number" }[asked.kind] ?? "button";
    const behind = [pick.note, pick.odds && oddsInShort(pick.odds)].filter(Boolean).join(" · ");
    const button = el("button", { type: "button", class: kind, "aria-pressed": several ? "false" : null }, pick.text, behind && el("small", { class: "odds" }, behind));
    button.addEventListener("click", () => (several ? this.toggle(place, button) : this.answer(pick.value, pick.text, pick.fills)));
    return button;
  }

  toggle(place, button) {
    if (this.chosen.has(place)) this.chosen.delete(place);
    else if (this.chosen.size < this.way.ask.most) this.chosen.add(place);
    button.setAttribute("aria-pressed", String(this.chosen.has(place)));
    this.count();
    const { least, most } = this.way.ask;
    // no other number may be chosen, so the last one confirms
    if (least === most && this.chosen.size === most) this.doIt();
  }

  count() {
    byId("choice-do").disabled = this.chosen.size < this.way.ask.least;
  }

  /** Show the board if the question has places on it: the camera's picture, else the match's own table. */
  async showBoard(asked) {
    const isThere = asked !== null && ON_BOARD.includes(asked.kind) && (asked.picks.length > 0 || asked.kind === "place");
    const ground = isThere ? await this.ground() : null;
    const shown = isThere && ground !== null;
    byId("choice-board").hidden = !shown;
    this.view.classList.toggle("shows-board", shown);
    if (!shown || this.way?.ask !== asked) return;
    const picks = asked.picks.map((pick) => ({ ...pick, label: pick.cost ? t("choice_cost", { place: pick.text, cost: pick.cost }) : pick.text }));
    const choose = (pick) => this.answer(pick.value, pick.text, pick.fills);
    const standing = new Map(this.match.document.view.figures.map(({ id, cells }) => [id, cells ?? []]));
    const drawn = drawChoice(byId("choice-picture"), { scene: this.handlers.scene(), ground, picks, active: this.active(), standing, tokens: this.match.document.tokens, reach: asked.reach_mm ?? null, choose });
    this.boardWidth = this.view.clientWidth;
    tapPlace(byId("choice-picture"), asked.kind === "place" ? (place) => this.goTo(place, ground) : null, () => this.finger.drew);
    this.finger.lead(this.wayBoard(asked, ground, drawn));
  }

  /** A place that is tapped is the answer; an enemy there is attacked instead, where an attack is offered. */
  goTo(place, ground) {
    const at = ground.figures.find(({ center, size }) => Math.hypot(place[0] - center[0], place[1] - center[1]) <= Math.max(...size) / 2);
    const own = ground.figures.find(({ id }) => id === this.active());
    const attack = at && own && at.side !== own.side ? attackIn(this.match.document.view.prompts) : undefined;
    if (attack) this.begin(attack.title, { type: attack.type, ...attack.fields }, own.id);
    else this.answer(place);
  }

  /** The board for drawing a path, if one is asked for: spaces with costs, or a place without spaces. */
  wayBoard(asked, ground, { cells, textPx }) {
    const figure = this.active();
    if (asked.kind === "place") {
      const stands = ground.figures.find(({ id }) => id === figure);
      return stands ? placeBoard(stands, ground, textPx) : null;
    }
    const under = this.match.document.view.figures.find(({ id }) => id === figure)?.cells ?? [];
    return asked.kind === "spaces" && under.length && asked.picks.some(({ cost }) => cost) ? spaceBoard(under, cells, textPx) : null;
  }

  /** A path drawn to a legal end of the move is the answer. */
  drewWay(place, bends = []) {
    const { ask: asked, takes_path: takesPath } = this.way;
    if (asked.kind === "place") {
      const tenths = (points) => points.map((one) => one.map((value) => Math.round(value * 10) / 10));
      this.answer(tenths([place])[0], null, takesPath && bends.length ? { path: tenths(bends) } : {});
      return;
    }
    const key = JSON.stringify([...place].sort());
    const pick = asked.picks.find(({ cells }) => JSON.stringify([...cells].sort()) === key);
    if (pick) this.answer(pick.value, pick.text, pick.fills);
  }

  sayWay({ steps, cost, points, refusal }) {
    const counted = steps === undefined ? t("way_points", { cost, points }) : t("way_steps", { steps: number(steps, 1, 1) });
    setText(byId("choice-way"), refusal ? t("way_no_further", { counted, why: refusal }) : counted);
  }

  async countWay(cells) {
    const found = await this.orTrouble(send("/match/drawn", { figure: this.active(), cells }));
    return found?.way ?? null;
  }

  /** The acting figure: the first chosen one, or the one in turn. */
  active() {
    return this.way.fields.figure ?? this.match.document.view.turn?.figure ?? null;
  }

  async ground() {
    if (this.groundSeq !== this.match.seq) {
      const found = await this.orTrouble(ask("/match/ground"));
      this.groundSeq = found?.seq;
      this.drawing = found?.ground ?? null;
    }
    return this.drawing;
  }

  async orTrouble(answer) {
    try {
      return await answer;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
      return null;
    }
  }
}

/** The board for a path over spaces: the space under a point, the middle of a place, the starting spaces. */
function spaceBoard(under, cells, textPx) {
  const outlines = new Map(cells.map(({ cell, outline }) => [cell.join(), outline]));
  const cellAt = (at) => cells.find(({ outline }) => inside(outline, ...at)) ?? null;
  const middleOf = (place) => middle(place.flatMap((cell) => outlines.get(cell.join()) ?? []));
  const isStart = (at) => under.some((cell) => cell.join() === cellAt(at)?.cell.join());
  return { cells, textPx, cellAt, middle: middleOf, start: middleOf(under), isStart };
}

/** The same for a table without spaces, in its own units. A finger may start slightly beside a small base. */
function placeBoard({ center, size }, { unit }, textPx) {
  const isStart = ([x, y]) => Math.hypot(x - center[0], y - center[1]) <= Math.max(size[0] / 2, unit / 2);
  return { cells: null, unit, textPx, start: center, isStart };
}
