// This device's seat in the match: a side, or a shared tablet that covers each hand before it is passed on.

import { Refused, send } from "../shell/api.js";
import { fillChoice } from "../shell/choices.js";
import { byId, el } from "../shell/dom.js";
import { busily, Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { closeInvitation } from "./invitation.js";
import { joinBy } from "./people.js";

export class Seat {
  /**
   * @param {import("../match/match.js").Match} match  the match
   * @param {{invite(side: string, name: string): void}} handlers  invite(side, name) shows a code for a device of that
   *   side
   */
  constructor(match, { invite }) {
    this.match = match;
    this.showCode = invite;
    this.next = null;
    this.holder = "";
    this.onlyWatches = false;
    this.hasTakenSide = false;
    this.round = new Rows(byId("hand-round"), (row) => this.handOver(row));
    const codes = document.getElementById("invite-sides");
    this.codes = codes && new Rows(codes, ({ side, name }) => this.codeButton(side, name));
    byId("cover-look").addEventListener("click", () => busily(() => this.look()));
    byId("cover-back").addEventListener("click", () => byId("cover").close());
    byId("cover").addEventListener("close", () => (this.next = null));
    byId("cover-hand").addEventListener("click", () => this.hold(""));
    byId("seat-code").addEventListener("submit", (event) => joinBy(event, "seat-digits", "seat-trouble"));
    byId("seat-watch").addEventListener("click", () => this.watch());
    byId("seat-ask").addEventListener("cancel", () => this.watch());
    byId("seat").addEventListener("change", () => this.choose(byId("seat").value));
    match.show((document) => this.show(document));
  }

  show({ seat, view }) {
    const isOver = view.winner !== null;
    closeInvitation(seat.elsewhere);
    const free = [...new Set(view.figures.map(({ side }) => side))].filter((side) => !seat.elsewhere.includes(side));
    this.codes?.show(free.map((side) => ({ key: side, side, name: this.match.name(side) })));
    this.showMenu(seat);
    const others = isOver || !view.round ? [] : seat.hands.filter((side) => side !== seat.holder);
    const due = view.waits?.side ?? view.clock.side;
    const who = seat.is_new && !isOver ? [{ key: "who", side: null, isDue: true, text: t("seat_who") }] : [];
    byId("plays").hidden = !seat.side;
    setText(byId("plays-what"), seat.side ? this.match.name(seat.side) : "");
    this.round.show([...who, ...others.map((side) => ({ key: side, side, isDue: side === due && !view.prompts.some(({ hand }) => hand === side), text: t("seat_hand_to", { side: this.match.name(side) }) }))]);
    const isPassedOn = this.holder && !seat.holder && due && due !== this.holder && !seat.side && !seat.elsewhere.includes(due);
    this.holder = seat.holder;
    if (isPassedOn && !isOver && !byId("cover").open) this.cover(due);
    byId("held").hidden = !seat.holder || isOver;
    setText(byId("held-who"), seat.holder ? t("seat_held", { side: this.match.name(seat.holder) }) : "");
    if (seat.is_asked && !isOver && !(seat.is_new && this.onlyWatches)) this.ask(seat);
    else byId("seat-ask").close();
  }

  /** A device that has not chosen its seat acts for nobody, and may only watch. */
  watch() {
    this.onlyWatches = true;
    byId("seat-ask").close();
  }

  /** Show a code for a device of that side, until one has joined. */
  invite(side) {
    this.showCode(side, this.match.name(side));
  }

  codeButton(side, name) {
    const button = el("button", { type: "button", class: "button" }, t("seat_invite", { side: name }));
    button.addEventListener("click", () => this.invite(side));
    return button;
  }

  /** Show this device's seat in the menu, and its other possible seats. */
  showMenu({ side, sides, may_be_shared: mayBeShared, is_asked: isAsked }) {
    setText(byId("seat-now"), side ? `${this.match.name(side)}${isAsked ? ` (${t("seat_of_last")})` : ""}` : t("seat_everybody"));
    const others = sides.filter((one) => one !== side).map((one) => [one, this.match.name(one)]);
    byId("seat-label").hidden = !(others.length || (side && mayBeShared));
    const own = side ? [[side, this.match.name(side)]] : [];
    const everybody = mayBeShared || !side ? t("seat_everybody") : "";
    fillChoice(byId("seat"), everybody, [{ label: t("seat_sides"), options: [...own, ...others] }], side);
  }

  /** Ask a device without a code for its seat, and once a device of the last match for its new one. */
  ask({ sides, may_be_shared: mayBeShared, is_new: isNew }) {
    const dialog = byId("seat-ask");
    if (dialog.open) return;
    if (!isNew && sides.length === 1 && !mayBeShared && !this.hasTakenSide) {
      this.hasTakenSide = true; // only once, in case it is refused
      this.choose(sides[0]); // nothing else can be answered
      return;
    }
    for (const id of ["seat-ask-new", "seat-code", "seat-watch"]) byId(id).hidden = !isNew;
    byId("seat-ask-again").hidden = isNew;
    byId("seat-trouble").hidden = true;
    const isFree = mayBeShared && (!isNew || sides.length > 1); // a side with its own device leaves nothing to share
    const choices = [...sides.map((side) => [side, this.match.name(side)]), ...(isFree ? [["", t("seat_everybody")]] : [])];
    byId("seat-without").hidden = !isNew || choices.length === 0;
    const buttons = choices.map(([side, name]) => {
      const button = el("button", { type: "button", class: "button" }, name);
      button.addEventListener("click", () => this.choose(side));
      return button;
    });
    byId("seat-choices").replaceChildren(...buttons);
    dialog.showModal();
  }

  handOver({ side, text, isDue }) {
    const button = el("button", { type: "button", class: isDue ? "button due" : "button quiet" }, text);
    button.addEventListener("click", () => (side === null ? this.askAgain() : this.cover(side)));
    return button;
  }

  /** Let a watcher choose a seat after all. */
  askAgain() {
    this.onlyWatches = false;
    this.ask(this.match.document.seat);
  }

  /** Cover the table until that side's player has the device. What follows is for that player. */
  cover(side, what = "", next = null) {
    this.next = next;
    this.side = side;
    setText(byId("cover-who"), this.match.name(side));
    setText(byId("cover-what"), what);
    setText(byId("cover-look"), t(this.match.document.seat.hands.includes(side) ? "seat_shows" : "seat_goes_on"));
    byId("cover").showModal();
  }

  async look() {
    const next = this.next;
    const hasHand = this.match.document.seat.hands.includes(this.side);
    if (await this.hold(hasHand ? this.side : "")) next?.();
    byId("cover").close();
  }

  hold(side) {
    return this.change("/hand", side);
  }

  choose(side) {
    return this.change("/seat", side);
  }

  /** Whether the change was made. The match then shows this device's own information. */
  async change(path, side) {
    try {
      await send(path, { side });
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
      return false;
    }
    await this.match.refresh();
    return true;
  }
}
