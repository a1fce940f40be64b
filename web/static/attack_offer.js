// One offer of the attack assistant: what to fill in, the odds, the dice to tap, type or have rolled, and its button.

import { DiceTray } from "./attack_dice.js";
import { el } from "./dom.js";
import { t } from "./texts.js";

/**
 * The cards of the offers.
 *
 * What was filled in on the cards before stays, where a new card asks for the same: somebody may type while the answer
 * to an earlier change is still on its way.
 *
 * @param {object[]} offers  as the server made them
 * @param {object} told      give(command) carries one out; tell(change) changes the wish that odds and dice hang on
 * @param {object[]} before  the cards that were shown before
 * @returns {object[]} each with its node, inputs and tray
 */
export function offerCards(offers, told, before) {
  const rows = before.flatMap((card) => card.inputs);
  const trays = before.map((card) => card.tray).filter(Boolean);
  return offers.map((offer) => {
    const inputs = offer.inputs.map((input) => taken(rows, (row) => isSame(row.input, input)) ?? inputRow(input, told));
    return { inputs, ...trayAndNode(offer, told, inputs, trays) };
  });
}

/** The first that fits, taken out of the list. */
function taken(list, fits) {
  const place = list.findIndex(fits);
  return place < 0 ? null : list.splice(place, 1)[0];
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function trayAndNode(offer, told, inputs, trays) {
  const roll = offer.roll?.dice.length ? offer.roll : null;
  const tray = roll && (taken(trays, (one) => isSame(one.roll, roll)) ?? new DiceTray(roll));
  return { tray, node: offerNode(offer, told, inputs, tray) };
}

function offerNode(offer, told, inputs, tray) {
  const command = (dice) => ({ type: offer.type, ...filled(offer, inputs), ...dice });
  const give = (dice) => told.give(command(dice));
  const isOneTap = !inputs.length && !offer.roll && !offer.odds && !offer.refusal;
  if (isOneTap) return oneTap(offer, () => give({}));
  return el(
    "section",
    { class: offer.is_main ? "offer main" : "offer", "data-offer": offer.type },
    el("h3", {}, offer.text),
    offer.refusal ? el("p", { class: "refusal" }, t("attack_refused", { reason: offer.refusal })) : null,
    offer.odds ? oddsTable(offer.odds) : null,
    inputs.length ? el("div", { class: "inputs" }, ...inputs.map((row) => row.node)) : null,
    tray?.node,
    ...buttons(offer, tray, give),
  );
}

/** An offer with nothing to fill in is its button. */
function oneTap(offer, press) {
  const made = button(offer.is_main ? "button primary" : "button", offer.text, false, press);
  made.dataset.offer = offer.type;
  return made;
}

function buttons(offer, tray, give) {
  const kind = offer.is_main ? "button primary" : "button";
  const isRefused = offer.refusal !== null;
  if (!tray) {
    const dice = offer.roll ? { rolled_here: true } : {};
    return [button(kind, offer.roll ? t("attack_roll") : t("attack_do"), isRefused, () => give(dice))];
  }
  const roll = button(kind, t("attack_roll"), false, () => give(tray.rolledHere()));
  const typed = button("button", t("attack_typed"), false, () => give(tray.typed()));
  tray.onChange = () => {
    roll.disabled = isRefused || !tray.mayRoll();
    typed.disabled = isRefused || !tray.isWhole();
  };
  tray.onChange();
  return [el("div", { class: "pair-buttons" }, roll, typed)];
}

function button(kind, text, disabled, press) {
  const made = el("button", { type: "button", class: kind, disabled }, text);
  made.addEventListener("click", press);
  return made;
}

/** The fields of the command: those that the offer knows, and what was filled in. */
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

function inputRow(input, told) {
  const kinds = { toggle: toggleRow, choice: choiceRow, text: textRow, figures: choicesRow, tags: choicesRow };
  const row = (kinds[input.kind] ?? numberRow)(input);
  if (input.wish) row.node.addEventListener("change", () => told.tell({ [input.field]: row.value() }));
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
  return { node: el("label", { class: "input" }, field, input.text), value: () => field.checked };
}

function choiceRow(input) {
  const options = input.choices.map((choice) => el("option", { value: choice.value, selected: choice.value === input.value }, choice.text));
  const field = el("select", {}, input.value === null ? el("option", { value: "" }, t("attack_none")) : null, ...options);
  return { node: el("label", { class: "input" }, input.text, field), value: () => field.value || null };
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

/** The chances as bars; the numbers stand beside them. */
function oddsTable({ amounts, outlook, mean }) {
  const most = Math.max(...amounts.map((share) => share.chance), 0.001);
  return el(
    "div",
    { class: "odds", role: "group", "aria-label": t("attack_odds") },
    el("div", { class: "outlook" }, ...outlook.map((share) => el("span", {}, `${share.text}: `, el("b", {}, percent(share.chance)))), mean ? el("span", {}, mean) : null),
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

/** Whole per cent; what may happen is never 0, what may fail never 100. */
function percent(chance) {
  if (chance === 0 || chance === 1) return `${chance * 100} %`;
  return chance < 0.005 ? "< 1 %" : chance > 0.995 ? "> 99 %" : `${Math.round(chance * 100)} %`;
}
