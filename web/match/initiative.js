// The current turn in words legible across the table, and the possible actions within a thumb's reach.

import { ask, Refused } from "../shell/api.js";
import { Choosing } from "./choosing.js";
import { wordOdds } from "./board.js";
import { byId, el } from "../shell/dom.js";
import { Laying } from "./laying.js";
import { NowTable } from "./now_table.js";
import { MAY_INVITE, ONLY_WATCHES } from "../people/own_rights.js";
import { OwnHand, wordCard } from "./hand.js";
import { place, placesOf } from "./place.js";
import { Rows, setText } from "../shell/steady.js";
import { endingOf, wordWinner } from "./told.js";
import { meantBy } from "./tapping.js";
import { t } from "../shell/texts.js";

/** Declaring the end has only one path, which asks for confirmation. */
const DECLARE = "declare";

/** Steps of shrinking an overfull panel: its letters, then the words above it. */
const TIGHTER = ["is-snug", "is-bare"];

/** The lists that scroll by themselves. */
const SCROLLED = ["prompts", "choosing", "own-hand", "deed-list", "view-initiative"];

/** The command that passes on an answer. */
const PASS = "pass";
/** @type {Record<string, string>} */
const GROUNDS = { blocking: "ground_blocking", difficult: "ground_difficult" };

/** Delay after the time to speak up before the match is fetched again. */
const LATE_MS = 100;

const NOTHING_SEEN = { move: null, door: null, moves: [] };

/** Letters of a headline from which it is set smaller, so that the actions below stay in sight. */
const LONG_HEADLINE = 22;

/** Screen size from which the standing is open. */
const ROOMY_PX = { width: 1000, height: 700 };

export class InitiativeView {
  /**
   * @param {import("./match.js").Match} match  the shown match
   * @param {Record<string, any>} handlers  what `Choosing` and `NowTable` need: scene(), freeShot(), ownDice(command);
   *   endMatch(); and seat, null on a device that only watches
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.seen = NOTHING_SEEN;
    this.left = new Map();
    this.places = new Map();
    this.doorsBehind = null;
    /** The attack assistant beside this view, null on a device that only watches. */
    this.attack = null;
    this.choosing = new Choosing(match, handlers);
    this.order = new Rows(byId("order"), (entry) => place(entry));
    this.prompts = new Rows(byId("prompts"), (row) => (row.command || row.look ? this.button(row) : this.awaited(row)));
    this.deeds = new Rows(byId("deed-list"), (row) => this.button(row));
    this.standing = new Rows(byId("standing"), ({ text }) => el("li", {}, text));
    this.goals = new Rows(byId("goals"), ({ side, text, isOwn }) => el("li", { class: isOwn ? "own" : null }, side ? el("b", {}, side) : null, ` ${text}`));
    byId("standing-fold").open = innerHeight >= ROOMY_PX.height && innerWidth >= ROOMY_PX.width;
    byId("deeds").addEventListener("toggle", () => this.showDeeds());
    for (const id of SCROLLED) byId(id).addEventListener("scroll", () => markMore(byId(id)), { passive: true });
    const fits = new ResizeObserver(() => this.fitPanel());
    for (const id of ["view-initiative", "own-hand", "choosing", "choices", "prompts", "deeds"]) fits.observe(byId(id));
    this.laying = new Laying(match);
    this.now = new NowTable(match, handlers, (at) => this.tapped(at));
    this.open = [];
    this.whyNot = { seq: -1, text: "" };
    this.hand = new OwnHand(match, (text, command) => this.choosing.begin(text, command));
    match.show((document) => this.show(document));
  }

  show({ order, view, mine, seat }) {
    setText(byId("match-round"), view.round ? t("round", { round: view.round }) : t("before_round"));
    const headline = this.headline(order, view, mine);
    setText(byId("acting"), headline);
    byId("acting").classList.toggle("long", headline.length > LONG_HEADLINE);
    byId("view-initiative").classList.toggle("is-over", view.winner !== null);
    byId("view-initiative").classList.toggle("is-lost", view.winner !== null && (!view.winner || (mine !== null && mine.side !== view.winner)));
    this.showGoals(view, mine);
    this.showStanding(view);
    this.showOrder(view.winner !== null ? order.map((entry) => ({ ...entry, is_active: false, has_acted: false })) : order);
    const open = seat.is_new ? [] : this.joinPasses(view.prompts.filter((prompt) => isFor(prompt, mine, view.asked, seat)), view.asked);
    this.open = open;
    const seen = seat.is_new ? [] : this.seenSteps(mine);
    const offered = open.map((prompt, i) => ({ ...asButton(this.promptWords(prompt, seat), { type: prompt.type, ...prompt.fields }, i === 0 && seen.length === 0), hand: prompt.hand, title: prompt.title, question: prompt.question, note: this.noteOf(prompt) }));
    const others = [...new Set(view.prompts.map((prompt) => prompt.side))].filter(Boolean);
    const asked = view.asked.filter(({ side }) => mine && side !== mine.side).map(({ side }) => side);
    const awaited = asked[0] ?? (offered.length ? undefined : (view.waits?.side ?? others[0]));
    const waiting = this.waitsFor(awaited, view, seat);
    this.comeBack(view.asked.length ? view.speak_up_ms : null);
    // the camera's words for it are shown already
    const prompted = offered.filter(({ key }) => seen.every((step) => step.key !== key));
    const replies = seat.is_new ? [] : this.replies(view, mine, seat, prompted);
    const before = replies.length ? prompted.findIndex(({ command }) => command.type === PASS) : -1;
    // a quick finger finds cards and the no alike
    if (replies.length) for (const row of prompted) if (row.command.type === PASS) Object.assign(row, { isFirst: false, isNo: true });
    const [first, last] = before > 0 ? [prompted.slice(0, before), prompted.slice(before)] : [[], prompted];
    const sum = sharedNote(last);
    const shared = [...sum, ...sharedQuestion(last, replies.length > 0 || sum.length > 0)];
    const impossible = offered.length ? view.impossible.map(({ text, why }) => ({ key: `${text} ${why}`, text, why })) : [];
    const whyNot = this.whyNot.seq === view.seq ? [{ key: "why not", text: this.whyNot.text, isReason: true }] : [];
    this.showPrompts([...whyNot, ...seen, ...first, ...shared, ...replies, ...last, ...impossible, ...waiting]);
    byId("deeds").hidden = view.winner !== null || seat.is_new;
    const turn = `${view.round} ${view.turn?.figure ?? ""} ${view.undo.to}`;
    if (turn !== this.turn) byId("deeds").open = false; // it was opened for another step
    this.turn = turn;
    this.showDeeds();
    this.remember(view);
    this.look();
  }

  /** Start what a tap on the table points at, or say in a line why there is nothing. */
  tapped(at) {
    const { view, seat } = this.match.document;
    if (this.choosing.way || ONLY_WATCHES || view.winner !== null || seat.is_new) return;
    const figure = view.figures.find(({ id }) => id === at.figure) ?? null;
    const meant = meantBy(this.open, { figure, cell: at.cell }, view.turn?.figure ?? null);
    if (meant) {
      this.begin(meant.title, { type: meant.type, ...meant.fields }, meant.hand, figure?.id, figure ? null : at.cell);
      return;
    }
    const goal = at.cell && view.goals.find(({ places }) => places.flat().some((cell) => String(cell) === String(at.cell)));
    const what = figure ? this.match.name(figure.id) : null;
    const text = goal ? `${this.match.name(goal.side)}: ${goal.text}` : !this.open.length ? t("tap_waits", { what: byId("acting").textContent }) : what ? t("tap_figure_not_now", { name: what }) : t("tap_space_not_now");
    if (!at.cell && !figure) return;
    const lies = figure || !at.cell ? [] : this.lyingOn(at.cell);
    this.whyNot = { seq: view.seq, text: [...lies, text].join(" ") };
    this.show(this.match.document);
  }

  /** Name the tokens and the ground of a space. */
  lyingOn(cell) {
    const isThere = (one) => String(one) === String(cell);
    const tokens = this.match.document.tokens.filter(({ kind, cells }) => kind !== "goal" && cells.some(isThere)).map(({ name }) => `${name}.`);
    const ground = (this.now.drawing?.areas ?? []).filter(({ kind, outline }) => kind in GROUNDS && isThere(outline[0]));
    return [...tokens, ...ground.map(({ kind }) => t(GROUNDS[kind]))];
  }

  /**
   * The answers to the current question: the playable own cards, equal ones once. A closed hand must be opened first.
   */
  replies({ asked, figures }, mine, { hands, holder, elsewhere }, prompted) {
    const own = asked.filter(({ side, figure }) => (mine ? side === mine.side && (!figure || mine.figures.includes(figure)) : !elsewhere.includes(side)));
    const closed = [...new Set(own.map(({ hand }) => hand))].filter((side) => side && side !== holder && hands.includes(side));
    const looks = closed.map((side) => ({ key: `look ${side}`, text: t("seat_look", { side: this.match.name(side) }), look: side }));
    const known = new Set(prompted.map(({ key }) => key));
    const held = own.flatMap(({ replies }) => replies).map(({ text, owner, command }) => {
      const [title, note] = wordCard(text);
      const isFigure = figures.some(({ id }) => id === owner);
      return { ...asButton(isFigure ? t("seat_takes", { side: this.match.name(owner), what: title }) : title, command, false), title: text, note, alike: JSON.stringify([owner, text, { ...command, card: "", cards: "" }]), isReply: true };
    });
    return [...looks, ...held.filter(({ key, alike }, i) => !known.has(key) && held.findIndex((one) => one.alike === alike) === i)];
  }

  /** Join all passes of one side into a single no. Ask only about figures with an answer, if any has one. */
  joinPasses(prompts, asked) {
    const passes = prompts.filter(({ type }) => type === PASS);
    const joined = [...new Set(passes.map(({ side }) => side))].map((side) => {
      const own = passes.filter((pass) => pass.side === side);
      const ids = own.flatMap(({ fields }) => fields.asked);
      const answered = asked.filter(({ id, replies }) => ids.includes(id) && replies.length).map(({ id }) => id);
      const asking = answered.length ? own.filter(({ fields }) => fields.asked.some((id) => answered.includes(id))) : own.slice(0, 1);
      const names = [...new Set(asked.filter(({ id, about }) => about && ids.includes(id)).map(({ about }) => this.match.name(about)))];
      const nos = new Set(asked.filter(({ id }) => ids.includes(id)).map(({ no }) => no));
      const title = ids.length < 2 ? own[0].title : nos.size === 1 && !nos.has("") ? [...nos][0] : names.length > 1 ? t("no_for_all", { names: names.join(", ") }) : t("no_to_all");
      const holdsNothing = prompts.length === passes.length && asked.filter(({ id }) => ids.includes(id)).every(({ about, replies, hand }) => about && !replies.length && !hand);
      const note = [own[0].note, holdsNothing && t("holds_nothing")].filter(Boolean).join(" · ");
      return { ...own[0], title, note, question: asking.map(({ question }) => question).join(" "), fields: { of: side, asked: ids } };
    });
    return [...prompts.filter(({ type }) => type !== PASS), ...joined];
  }

  /** Show new prompts from their top, where the main action is. */
  showPrompts(rows) {
    this.prompts.show(rows);
    const keys = rows.map(({ key }) => key).join();
    if (keys !== this.prompted) for (const list of [byId("prompts"), byId("deed-list"), byId("view-initiative")]) list.scrollTop = 0;
    this.prompted = keys;
    this.fitPanel();
  }

  /** Shrink the panel step by step if its contents exceed its height. An arrow shows that more is below. */
  fitPanel() {
    const view = byId("view-initiative");
    const lists = [byId("prompts"), byId("choosing"), view.querySelector(".lead")];
    view.classList.remove(...TIGHTER);
    for (const name of TIGHTER) if (lists.some((list) => list.scrollHeight > list.clientHeight + 1)) view.classList.add(name);
    for (const id of SCROLLED) markMore(byId(id));
  }

  /** If silence is an answer, fetch the match again after the time to speak up. */
  comeBack(waitMs) {
    clearTimeout(this.timer);
    if (waitMs) this.timer = setTimeout(() => this.match.refresh(), waitMs + LATE_MS);
  }

  /** Show each side's score and needs during play. After a win, the headline is enough. */
  showStanding({ panels, winner, round }) {
    const standing = winner === null && round ? (panels[0]?.standing ?? []) : [];
    byId("standing-fold").hidden = standing.length === 0;
    this.standing.show(standing.map((text) => ({ key: text, text })));
  }

  /**
   * Remember each figure's place before the match moved it, and the doors. Until the camera catches up it sees these,
   * which is no step.
   */
  remember({ figures, doors_open: doorsOpen }) {
    const doors = doorsOpen.join(" ");
    if (this.doors !== undefined && this.doors !== doors) this.doorsBehind = doorsOf(this.handlers.scene());
    this.doors = doors;
    for (const { id, cells } of figures.filter((figure) => figure.cells)) {
      const now = spaces(cells);
      if (this.places.has(id) && this.places.get(id) !== now) this.left.set(id, this.places.get(id));
      this.places.set(id, now);
    }
  }

  /** Handle the camera's new picture: the acting figure may have moved. */
  async look() {
    this.laying.look();
    this.now.draw();
    const { view } = this.match.document;
    const scene = this.handlers.scene();
    const isAsked = !ONLY_WATCHES && view.has_table && view.winner === null;
    const freeShot = isAsked && view.match.table === "free" ? this.handlers.freeShot() : null;
    const isWatched = isAsked && view.match.table !== "free" && Boolean(scene);
    const moved = isWatched && this.isSeenElsewhere(scene, view) ? scene.shot : "";
    if (this.doorsBehind !== doorsOf(scene)) this.doorsBehind = null;
    const asked = isWatched ? `${view.seq} ${moved} ${doorsOf(scene)}` : freeShot ? `${view.seq} ${freeShot}` : "";
    if (this.looked === asked) return;
    this.looked = asked;
    const found = asked ? await ask("/match/seen").catch(nothingSeen) : NOTHING_SEEN;
    const seen = { ...found, move: moved ? found.move : null, door: this.doorsBehind === null ? found.door : null, seq: undefined };
    if (this.looked !== asked || JSON.stringify(seen) === JSON.stringify(this.seen)) return;
    this.seen = seen;
    this.show(this.match.document);
  }

  /** The camera's observations as one-tap steps, instead of tapping spaces and doors. */
  seenSteps(mine) {
    const { move, door } = this.seen;
    const own = [move, door].filter((one) => one && (!mine || mine.figures.includes(one.figure)));
    const steps = own.map((one) => asButton(this.seenText(one), one.command, one === own[0]));
    return [...steps, ...this.seenModels(mine, steps.length === 0)];
  }

  /** Displaced models of a table without a grid: each one's step, or the rules' objection. */
  seenModels(mine, isFirst) {
    const own = this.seen.moves.filter(({ figure }) => !mine || mine.figures.includes(figure));
    return own.flatMap(({ figure, text, steps, question, refusal, choices }, place) => {
      const words = [text, question, refusal && t("seen_refused", { why: refusal })].filter(Boolean).join(" ");
      const isPlain = choices.length === 1 && question === null;
      const line = isPlain ? [] : [{ key: `seen ${figure}`, text: words }];
      return [...line, ...choices.map((one, i) => asButton(isPlain ? t("seen_model", { what: one.text, steps }) : one.text, one.command, isFirst && place === 0 && i === 0))];
    });
  }

  seenText({ figure, cost, place, is_open: isOpen }) {
    const name = this.match.name(figure);
    if (place === undefined) return t("seen_moved", { name, cost });
    return t(isOpen ? "seen_opened" : "seen_closed", { name, place });
  }

  /** Whether the camera sees the acting figure on other spaces than the match, and not just at its former place. */
  isSeenElsewhere(scene, view) {
    const id = view.turn?.figure;
    const [seen, known] = [scene.figures, view.figures].map((all) => all.find((figure) => figure.id === id)?.cells);
    if (!seen || !known?.length) return false;
    if (spaces(seen) === spaces(known)) this.left.delete(id);
    return spaces(seen) !== spaces(known) && spaces(seen) !== this.left.get(id);
  }

  /** The further actions, fetched while visible. */
  async showDeeds() {
    if (!byId("deeds").open || byId("deeds").hidden || this.deedsSeq === this.match.seq) return;
    this.deedsSeq = this.match.seq;
    try {
      const { deeds } = await ask("/match/deeds");
      const first = [...deeds].sort((a, b) => a.is_by_hand - b.is_by_hand);
      this.deeds.show(first.map((deed) => asButton(deed.text, { type: deed.type }, false)));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.match.trouble(problem.message);
    }
  }

  /** Show the turn order, scrolled to the acting figure after a change. */
  showOrder(order) {
    this.order.show(placesOf(order, this.match.document.view.figures, (name) => this.match.name(name)));
    const active = order.find((entry) => entry.is_active)?.name;
    if (active !== this.active) scrollTo(byId("order"), byId("order").querySelector(".active"));
    this.active = active;
  }

  /** The awaited player, as a sentence for this device, else the acting one. */
  headline(order, view, mine) {
    const { waits } = view;
    if (!waits) return this.acting(order, view);
    if (waits.side === mine?.side) return t("your_turn", { what: waits.text });
    return t(mine ? "waits_for_task" : "side_task", { side: this.match.name(waits.side), what: waits.text });
  }

  /** Show each side's goals, first this device's own, else the acting side's, with the goal's place on the table. */
  showGoals({ goals, winner, waits, clock }, mine) {
    const why = winner === null ? "" : endingOf(this.match);
    if (why) {
      // the reason why the match is over, below the winner
      this.goals.show([{ key: why, side: "", text: why, isOwn: true }]);
      return;
    }
    const reader = mine?.side ?? waits?.side ?? clock.side; // on a shared tablet, the acting player reads it
    const ownFirst = [...goals].sort((a, b) => Number(b.side === reader) - Number(a.side === reader));
    this.goals.show(ownFirst.map(({ side, text }) => ({ key: `${side} ${text}`, side: this.match.name(side), text, isOwn: side === mine?.side })));
  }

  acting(order, view) {
    if (view.winner !== null) return wordWinner(this.match);
    if (view.turn_of) return [t("turn_of", { side: this.match.name(view.turn_of) }), view.stage].filter(Boolean).join(" · ");
    const active = order.find((entry) => entry.is_active);
    const who = view.turn?.figure ?? active?.name ?? (view.turn ? view.to_act : null);
    if (!who && view.stage) return t("next_up", { what: view.stage });
    return who ? t("acts", { name: this.match.name(who) }) : t(view.round ? "nobody_acts" : "ready_to_begin");
  }

  /** A command's button, with its question above and its reason below. */
  button({ text, command, isFirst, hand, isReply, isNo, look, title = text, question = "", note = "" }) {
    if (look) return this.lookButton(text, look);
    const above = question ? [el("small", {}, question), " "] : [];
    const button = el("button", { type: "button", class: `button${isFirst ? " primary" : isReply ? " reply" : isNo ? " no" : ""}` }, ...above, text, ...(note ? [" ", el("small", {}, note)] : []));
    button.addEventListener("click", () => (command.type === DECLARE ? this.handlers.endMatch() : this.begin(title, command, hand)));
    return button;
  }

  /** Open the hand of a side with a possible answer, once its player has the device. */
  lookButton(text, side) {
    const button = el("button", { type: "button", class: "button reply" }, text);
    button.addEventListener("click", () => this.handlers.seat.cover(side));
    return button;
  }

  /** A command that needs a hidden hand is begun once its side holds the device, if the hand has an answer to it. */
  begin(title, command, hand, pointed = null, cell = null) {
    if (!hand || hand === this.match.document.seat.holder) return this.choosing.begin(title, command, pointed, cell);
    return this.handlers.seat.cover(hand, title, () => this.isOffered(command) && this.choosing.begin(title, command));
  }

  isOffered(command) {
    const wanted = JSON.stringify(command);
    return this.match.document.view.prompts.some(({ type, fields }) => JSON.stringify({ type, ...fields }) === wanted);
  }

  /** What a button does besides its words: the only target of an attack with its odds, and the server's note. */
  noteOf({ target, odds, note }) {
    return [target && this.match.name(target), odds && wordOdds(odds), note].filter(Boolean).join(" · ");
  }

  /** On a shared tablet, name the hand that a command needs. */
  promptWords({ title, hand }, { holder }) {
    return hand && hand !== holder ? t("seat_takes", { side: this.match.name(hand), what: title }) : title;
  }

  /** Show the awaited side if the headline does not, and who may invite: options for a side without a device. */
  waitsFor(side, { waits, prompts, turn }, { may_be_shared: mayBeShared, side: own, elsewhere }) {
    const hasDevice = elsewhere.includes(side);
    if (!side || (waits && (!MAY_INVITE || hasDevice))) return [];
    const due = prompts.find((prompt) => prompt.side === side);
    const asked = `${this.match.name(side)}: `; // the line already names whom the question asks
    const task = turn?.figure ? "" : due?.title; // whether a card is left to play is visible only to its own side
    const what = (due?.question || task)?.replace(asked, "");
    const text = waits ? "" : [t("waits_for", { side: this.match.name(side) }), what].filter(Boolean).join(" · ");
    return [{ key: `waiting ${side}`, text, side, mayInvite: MAY_INVITE && !hasDevice, mayShare: mayBeShared && own && !hasDevice }];
  }

  awaited({ text, why, side, mayInvite, mayShare, isReason }) {
    if (why) return el("button", { type: "button", class: "button impossible", disabled: true }, text, " ", el("small", {}, why));
    if (isReason) return el("p", { class: "reason" }, text);
    if (!side) return el("p", { class: "waiting" }, text);
    const invite = el("button", { type: "button", class: "button" }, t("seat_invite", { side: this.match.name(side) }));
    invite.addEventListener("click", () => this.handlers.seat.invite(side));
    const share = el("button", { type: "button", class: "button" }, t("seat_share"));
    share.addEventListener("click", () => this.handlers.seat.choose(""));
    return el("div", { class: "waiting" }, text && el("p", {}, text), mayInvite && invite, mayShare && share);
  }
}

/** Whether a prompt is for this device: of no side or its own, and no question to another player's figure. */
function isFor({ type, side, fields, hand }, mine, asked, { elsewhere }) {
  if (elsewhere.includes(hand)) return false;
  if (!mine || !side) return true;
  const figures = type === PASS ? asked.filter(({ id, figure }) => figure && fields.asked.includes(id)).map(({ figure }) => figure) : [];
  return side === mine.side && figures.every((figure) => mine.figures.includes(figure));
}

/** Show a question answered by several commands or cards once above them all. */
function sharedQuestion(rows, hasReplies) {
  const question = rows.find((row, i) => row.question && (hasReplies || rows.findIndex((one) => one.question === row.question) < i))?.question;
  if (!question) return [];
  for (const row of rows) if (row.question === question) row.question = "";
  return [{ key: question, text: question, isReason: true }];
}

/** Show a common reason of several answers, such as the sum of a fight, once above them as a small table. */
function sharedNote(rows) {
  const note = rows.find((row, i) => row.note && rows.findIndex((one) => one.note === row.note) < i)?.note;
  if (!note) return [];
  for (const row of rows) if (row.note === note) row.note = "";
  return [{ key: note, text: note, isReason: true }];
}

/**
 * Scroll a row into sight within its list. `scrollIntoView` would scroll a phone's whole view away from its headline.
 */
function scrollTo(list, row) {
  if (!row) return;
  const [seen, one] = [list, row].map((node) => node.getBoundingClientRect());
  if (one.top < seen.top) list.scrollTop += one.top - seen.top;
  else if (one.bottom > seen.bottom) list.scrollTop += one.bottom - seen.bottom;
}

/** Mark a list with more below. */
function markMore(list) {
  list.classList.toggle("has-more", list.scrollHeight > list.clientHeight + 4 && list.scrollTop + list.clientHeight < list.scrollHeight - 4);
}

/** Spaces as one text, independent of their order. */
function spaces(cells) {
  return cells.map((cell) => cell.join()).sort().join(" ");
}

/** The number of doors that the camera sees, and the open ones, which justify another look. */
function doorsOf(scene) {
  return scene?.doors.map(({ open }) => Number(open)).join("") ?? null;
}

/** A refusal is no step. Any other error is our own bug. */
function nothingSeen(problem) {
  if (!(problem instanceof Refused)) throw problem;
  return NOTHING_SEEN;
}

function asButton(text, command, isFirst) {
  return { key: JSON.stringify(command), text, command, isFirst };
}
