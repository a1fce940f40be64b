// One line for everybody: the latest event and its author. A badge, a tone and a short vibration alert the awaited
// player.

import { byId } from "../shell/dom.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { setText } from "../shell/steady.js";
import { soundTurn, wireSounds } from "./sounds.js";
import { t } from "../shell/texts.js";

const SHAKE_MS = 120;
const MOST_NEWS = 160; // letters of a ruling; the judges' view has all of it
const KEPT = { badge: "sightline-badge", shake: "sightline-shake" };

export class Told {
  /**
   * @param {import("./match.js").Match} match  the match with the last step
   * @param {{calls: boolean}} device  calls: whether its player may have to answer
   */
  constructor(match, { calls }) {
    this.match = match;
    this.needed = null;
    this.last = 0;
    this.back = null;
    this.ruling = null;
    this.elsewhere = null;
    this.noted = null;
    this.calls = calls;
    if (calls) this.switches();
    if (calls) byId("undo").addEventListener("click", () => this.undo());
    match.show((document) => this.show(document));
  }

  show({ view, mine, seat }) {
    const undone = this.undone(view.history);
    const last = undone ?? view.history.filter(({ done, by }) => done && by.role !== "camera").at(-1);
    if (this.ruling) this.ruling.seq ??= this.last;
    if (this.ruling?.seq !== this.last) this.ruling = null;
    this.welcome(seat.elsewhere);
    byId("told").hidden = !last && !this.ruling && !this.noted;
    byId("told").classList.toggle("noted", this.noted !== null);
    byId("told").dataset.seq = String(last?.seq ?? 0);
    const [title, by] = this.noted ? [this.noted.text, ""] : this.ruling ? [t("ruled_news", { ruling: this.ruling.words }), this.ruling.by] : last ? this.wordsOf(last, undone !== null, seat) : ["", ""];
    setText(byId("told-title"), title);
    setText(byId("told-by"), by);
    if (!this.calls) return;
    this.showUndo(view.undo);
    this.call(mine, view);
  }

  /** A side's new device is the news until the next step. */
  welcome(elsewhere) {
    const side = this.elsewhere && elsewhere.find((one) => !this.elsewhere.includes(one));
    this.elsewhere = elsewhere;
    if (side) this.noted = { text: t("has_joined", { side: this.match.name(side) }), seq: this.last };
    else if (this.noted?.seq !== this.last) this.noted = null;
  }

  wordsOf({ title, by }, isUndone, seat) {
    return isUndone ? [t("taken_back", { what: title }), ""] : [title, authorOf(this.match, by, seat.elsewhere.length > 0)];
  }

  /** The undone step, until the next one: a jump back needs its reason. */
  undone(history) {
    const seq = history.findLast(({ done, by }) => done && by.role !== "camera")?.seq ?? 0;
    if (seq !== this.last) this.back = history.find((/** @type {{seq: number, done: boolean}} */ one) => one.seq === this.last && !one.done && seq < one.seq) ?? null;
    this.last = seq;
    return this.back;
  }

  /** Something besides the steps is the news until the next one. */
  note(text) {
    this.noted = { text, seq: this.last };
    if (this.match.document) this.show(this.match.document);
  }

  /** A judge's ruling is the news until the next step. */
  rule(words, by) {
    this.ruling = { words: words.length > MOST_NEWS ? `${words.slice(0, MOST_NEWS)}…` : words, by, seq: null };
    if (this.match.document) this.show(this.match.document);
  }

  /** One undo button on every view. For another's step, that player is asked first. */
  showUndo({ to, refused }) {
    byId("undo").hidden = ONLY_WATCHES || to === null;
    byId("undo").title = refused ?? (to !== null && !this.match.isFree(to) ? t("undo_asks_first") : "");
    byId("undo").setAttribute("aria-disabled", String(refused !== null));
  }

  /** Undo the last step. A grey button shows the reason for its refusal. */
  undo() {
    const { refused } = this.match.document.view.undo;
    if (refused === null) this.match.undo();
    else this.note(refused);
  }

  /** Show on every tab that this player has to answer: a number on the tab and, if new, a tone. */
  call(mine, view) {
    const asked = mine ? [...this.askedToUndo(mine, view.undo), ...awaitedOf(view), ...view.asked].filter(({ side }) => side === mine.side) : [];
    const badge = byId("turn-badge");
    badge.hidden = asked.length === 0 || !byId("badge").checked;
    badge.textContent = "!";
    badge.setAttribute("aria-label", asked.length ? t("needs_you", { what: asked[0].text }) : "");
    const isNew = asked.length > 0 && this.needed === "";
    this.needed = asked.length ? (asked[0].type ?? asked[0].id) : "";
    if (isNew) this.alarm();
  }

  /** Another side's request for an undo also waits for this player. */
  askedToUndo({ side }, { asked }) {
    return asked !== null && asked.by.side !== side ? [{ side, type: "undo", text: t("undo_asks", { who: authorOf(this.match, asked.by), what: asked.titles.join("; ") }) }] : [];
  }

  alarm() {
    if (byId("shake").checked) navigator.vibrate?.(SHAKE_MS);
    soundTurn();
  }

  switches() {
    wireSounds();
    for (const [id, key] of Object.entries(KEPT)) {
      const box = /** @type {HTMLInputElement} */ (byId(id));
      box.checked = localStorage.getItem(key) !== "off";
      box.addEventListener("change", () => {
        localStorage.setItem(key, box.checked ? "on" : "off");
        if (this.match.document) this.show(this.match.document);
      });
    }
  }
}

/** The pending answers: the match's awaited answer, else every prompt of the side in turn. */
function awaitedOf({ waits, prompts }) {
  return waits ? [{ ...waits, type: "waits" }] : prompts;
}

/** A step's author and device. Without device numbers, a shared tablet has no author. */
export function authorOf(match, { role, side, name }, isNumbered = true) {
  const number = /^#(\d+)$/.exec(name)?.[1];
  const device = !number ? name : isNumbered && t("device", { n: number });
  const who = role === "player" ? match.name(side) : role === "table" && !isNumbered ? "" : t(`by_${role}`);
  return [who, device].filter(Boolean).join(" · ");
}

/** The reason why the match is over, and who ended it if people did. */
export function endingOf(match) {
  const { ending, ended_by: by, winner } = match.document.view;
  return [ending, by && t(winner ? "ended_by_hand" : "stopped_by_hand", { who: authorOf(match, by) })].filter(Boolean).join(" · ");
}

/** The winner for the reader: on a shared or watching device, the winner's name. */
export function wordWinner(match) {
  const { view, mine } = match.document;
  if (!view.winner) return t("no_winner");
  if (!mine) return t("winner", { side: match.name(view.winner) });
  return mine.side === view.winner ? t("you_won") : t("you_lost");
}
