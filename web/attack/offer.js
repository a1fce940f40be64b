// One offer of the attack assistant: its fields, the odds, the dice to tap, type or roll, and its button.

import { DiceTray } from "./dice.js";
import { choose } from "../shell/choices.js";
import { el } from "../shell/dom.js";
import { arrange, steadily } from "../shell/steady.js";
import { percent, t } from "../shell/texts.js";

/**
 * The cards of the offers.
 *
 * An offer that asks for the same keeps its card and its filled-in values: somebody may be typing while news of the
 * match, or the answer to an earlier change, is still on its way.
 */
export class Offers {
  /**
   * @param {Element} place
   * @param {Record<string, any>} handlers  give(command) executes an offer; tell(change) changes the request that odds
   *   and dice depend on
   */
  constructor(place, handlers) {
    this.place = place;
    this.handlers = handlers;
    this.cards = [];
  }

  /** @param {Record<string, any>[]} offers  from the server */
  show(offers) {
    steadily(this.place, () => this.draw(offers));
  }

  draw(offers) {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const before = [...this.cards];
    const kept = offers.map((offer) => taken(before, (card) => card.asked === asked(offer)));
    this.cards = offers.map((offer, i) => kept[i] ?? new OfferCard(this.handlers, offer, taken(before, (card) => card.way === way(offer))));
    for (const [i, offer] of offers.entries()) this.cards[i].show(offer);
    arrange(this.place, this.cards.map((card) => card.node));
    if (focused.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }

  /** Reset after use: the next offers start with nothing filled in. */
  served() {
    this.cards = [];
  }
}

/** Remove the first fitting item from the list, and return it. */
function taken(list, fits) {
  const place = list.findIndex(fits);
  return place < 0 ? null : list.splice(place, 1)[0];
}

/** The offer's identity, without the parts that depend on the request, since a person may be changing it. */
/** @param {Record<string, any>} offer */
function way({ type, fields }) {
  const { range, cover, ...own } = fields;
  return JSON.stringify([type, own]);
}

/** The fields that a card asks for. While these stay the same, the card stays. */
function asked(offer) {
  return JSON.stringify([way(offer), offer.inputs.map(asInput), offer.roll, isOneTap(offer)]);
}

function asInput(input) {
  return JSON.stringify(input.wish ? { ...input, value: null } : input);
}

/** Whether an offer has nothing to fill in or to show, so that it is just a button. */
/** @param {Record<string, any>} offer */
function isOneTap({ inputs, roll, odds, refusal }) {
  return !inputs.length && !roll && !odds && !refusal;
}

class OfferCard {
  /**
   * @param {Record<string, any>} handlers
   * @param {Record<string, any>} offer
   * @param {OfferCard|null} before  the previous card of the same offer; its fitting rows are kept
   */
  constructor(handlers, offer, before) {
    this.handlers = handlers;
    this.way = way(offer);
    this.asked = asked(offer);
    this.rows = offer.inputs.map((input) => taken(before?.rows ?? [], (row) => asInput(row.input) === asInput(input)) ?? inputRow(input, handlers));
    this.tray = offer.roll?.dice.length ? new DiceTray(offer.roll) : null;
    this.isOneTap = isOneTap(offer);
    /** @type {HTMLElement} */
    this.node = null;
    if (this.isOneTap) this.node = this.press = button("button", "", false, () => this.give({}));
    else this.build(offer);
  }

  build(offer) {
    this.title = el("h3");
    this.known = el("div", { class: "known" });
    const inputs = this.rows.length ? el("div", { class: "inputs" }, ...this.rows.map((row) => row.node)) : null;
    this.node = el("section", {}, this.title, this.known, inputs, this.tray?.node, ...this.buttons(offer));
  }

  buttons(offer) {
    if (!this.tray) {
      const dice = offer.roll ? { rolled_here: true } : {};
      this.press = button("button", offer.roll ? t("attack_roll") : t("attack_do"), false, () => this.give(dice));
      return [this.press];
    }
    this.press = button("button", t("attack_roll"), false, () => this.give(this.tray.rolledHere()));
    this.typed = button("button", t("attack_typed"), false, () => this.give(this.tray.typed()));
    this.tray.onChange = () => this.enable();
    return [el("div", { class: "pair-buttons" }, this.press, this.typed)];
  }

  /** Update the offer's words, odds and objection. Keep the filled-in values. */
  show(offer) {
    this.offer = offer;
    this.node.dataset.offer = offer.type;
    this.press.className = offer.is_main ? "button primary" : "button";
    if (this.isOneTap) {
      showWords(this.node, offer);
      return;
    }
    this.node.className = offer.is_main ? "offer main" : "offer";
    showWords(this.title, offer);
    for (const [i, input] of offer.inputs.entries()) if (input.wish) this.rows[i].set(input.value);
    this.showKnown(offer);
    this.enable();
  }

  showKnown({ refusal, odds }) {
    const key = JSON.stringify([refusal, odds]);
    if (this.shownKnown === key) return;
    this.shownKnown = key;
    const parts = [refusal && el("p", { class: "refusal" }, t("attack_refused", { reason: refusal })), odds && oddsTable(odds)];
    this.known.replaceChildren(...parts.filter(Boolean));
  }

  enable() {
    const isRefused = this.offer.refusal !== null;
    this.press.disabled = isRefused || (this.tray !== null && !this.tray.mayRoll());
    if (this.typed) this.typed.disabled = isRefused || !this.tray.isWhole();
  }

  give(dice) {
    return this.handlers.give({ type: this.offer.type, ...filled(this.offer, this.rows), ...dice });
  }
}

/** Show what an offer does, with its question above and its reason below. */
function showWords(node, { question, text, note }) {
  const key = JSON.stringify([question, text, note]);
  if (node.dataset.words === key) return;
  node.dataset.words = key;
  node.replaceChildren(...(question ? [el("small", {}, question), " "] : []), text, ...(note ? [" ", el("small", {}, note)] : []));
}

function button(kind, text, disabled, press) {
  const made = el("button", { type: "button", class: kind, disabled }, text);
  made.addEventListener("click", press);
  return made;
}

/** The command's fields: those of the offer, and the filled-in ones. */
function filled(offer, rows) {
  const fields = { ...offer.fields };
  for (const { input, value } of rows) {
    const found = value();
    if (found === null) continue;
    if (input.kind === "figures") fields[input.field] = [...(fields[input.field] ?? []), ...found];
    else if (input.kind === "tags") {
      if (found.length) fields[input.field] = { ...fields[input.field], [input.key]: found };
    } else fields[input.field] = found;
  }
  return fields;
}

function inputRow(input, handlers) {
  const kinds = { toggle: toggleRow, choice: choiceRow, text: textRow, figures: choicesRow, tags: choicesRow };
  const row = (kinds[input.kind] ?? numberRow)(input);
  if (input.wish) row.node.addEventListener("change", () => handlers.tell({ [input.field]: row.value() }));
  return { input, ...row };
}

function numberRow(input) {
  const field = el("input", { type: "number", value: input.value ?? 0, min: input.kind === "count" ? 0 : null, inputmode: "numeric", step: 1 });
  const less = button("step small", "−", false, () => field.stepDown());
  const more = button("step small", "+", false, () => field.stepUp());
  less.setAttribute("aria-label", t("attack_less", { what: input.text }));
  more.setAttribute("aria-label", t("attack_more", { what: input.text }));
  const node = el("div", { class: "input number" }, el("label", {}, input.text, field), less, more);
  return { node, value: () => Math.trunc(Number(field.value) || 0) };
}

function toggleRow(input) {
  const field = el("input", { type: "checkbox", checked: input.value === true });
  return { node: el("label", { class: "input" }, field, input.text), value: () => field.checked, set: (value) => (field.checked = value === true) };
}

function choiceRow(input) {
  const options = input.choices.map((choice) => el("option", { value: choice.value, selected: choice.value === input.value }, choice.text));
  const field = el("select", {}, input.value === null ? el("option", { value: "" }, t("attack_none")) : null, ...options);
  return { node: el("label", { class: "input" }, input.text, field), value: () => field.value || null, set: (value) => choose(field, value) };
}

function textRow(input) {
  const field = el("input", { type: "text", maxlength: 200 });
  return { node: el("label", { class: "input" }, input.text, field), value: () => field.value };
}

function choicesRow(input) {
  const boxes = input.choices.map((choice) => ({ choice, box: el("input", { type: "checkbox", checked: input.value.includes(choice.value) }) }));
  const node = el(
    "fieldset",
    { class: "input" },
    el("legend", {}, input.text),
    ...boxes.map(({ choice, box }) => el("label", {}, box, choice.text)),
  );
  return { node, value: () => boxes.filter(({ box }) => box.checked).map(({ choice }) => choice.value) };
}

/** The chances as bars, with their numbers beside them. */
function oddsTable({ amounts, outlook, mean, why }) {
  const most = Math.max(...amounts.map((share) => share.chance), 0.001);
  return el(
    "div",
    { class: "odds", role: "group", "aria-label": t("attack_odds") },
    el("div", { class: "outlook" }, ...outlook.map((share) => el("span", {}, `${share.text}: `, el("b", {}, percent(share.chance)))), mean ? el("span", {}, mean) : null, why ? el("span", {}, why) : null),
    el(
      "ol",
      { class: "amounts" },
      ...amounts.map((share) =>
        el("li", {}, el("span", {}, share.text), bar(share.chance / most), el("span", { class: "percent" }, percent(share.chance))),
      ),
    ),
  );
}

function bar(share) {
  const made = el("i", { "aria-hidden": "true" });
  made.style.setProperty("--share", String(share));
  return made;
}
