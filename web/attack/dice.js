// The dice of an attack: each die's faces to tap, or all typed in a row. Picked dice may be rerolled.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** Most faces with buttons. A die with more is a list. */
const MOST_BUTTONS = 8;

export class DiceTray {
  /** @param {Record<string, any>} roll  dice, their form in the command, and whether some are picked */
  constructor(roll) {
    this.roll = roll;
    this.chosen = roll.dice.map(() => null);
    this.picked = roll.dice.map(() => !roll.picks);
    this.onChange = () => undefined;
    this.rows = roll.dice.map((die, place) => this.row(die, place));
    this.line = el("input", { type: "text", autocomplete: "off", placeholder: roll.dice.map((die) => die.faces.at(-1).text).join(" ") });
    this.line.addEventListener("input", () => this.read());
    this.node = el(
      "div",
      { class: "tray" },
      el("p", { class: "tray-hint" }, t(roll.picks ? "attack_pick_dice" : "attack_tap_dice")),
      el("div", { class: "dice" }, ...this.rows.map((row) => row.node)),
      el("label", { class: "input" }, t("attack_type_dice"), this.line),
    );
    this.mark();
  }

  /** Whether the program may roll. If dice are picked, at least one must be. */
  mayRoll() {
    return this.picked.some(Boolean);
  }

  /** Whether every die that counts has a face. */
  isWhole() {
    return this.mayRoll() && this.chosen.every((face, place) => !this.picked[place] || face !== null);
  }

  rolledHere() {
    return { rolled_here: true, ...this.which() };
  }

  typed() {
    const { dice, form, field } = this.roll;
    const shown = dice.map((die, place) => ({ die, value: this.chosen[place]?.value })).filter((_, place) => this.picked[place]);
    const forms = {
      pairs: () => ({ [field]: shown.map(({ die, value }) => [die.color, value]) }),
      values: () => ({ [field]: shown.map(({ value }) => value) }),
      groups: () => ({ [field]: [0, 1].map((group) => shown.filter(({ die }) => die.group === group).map(({ value }) => value)) }),
      fields: () => Object.fromEntries(shown.map(({ die, value }) => [die.field, value])),
    };
    return { rolled_here: false, ...this.which(), ...forms[form]() };
  }

  which() {
    return this.roll.picks ? { which: this.picked.flatMap((isPicked, place) => (isPicked ? [place] : [])) } : {};
  }

  row(die, place) {
    const title = die.shown === null ? die.name : `${die.name}: ${die.shown}`;
    const again = this.roll.picks ? this.pickBox(place) : null;
    const choice = die.faces.length > MOST_BUTTONS ? this.list(die, place) : this.buttons(die, place);
    const node = el("fieldset", { class: `die color-${die.color || "plain"}` }, el("legend", {}, title), again, choice.node);
    return { node, mark: choice.mark };
  }

  pickBox(place) {
    const box = el("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      this.picked[place] = box.checked;
      this.mark();
    });
    return el("label", { class: "again" }, box, t("attack_again"));
  }

  buttons(die, place) {
    const made = die.faces.map((face) => {
      const button = el("button", { type: "button", class: "face", "aria-pressed": "false" }, face.text);
      button.addEventListener("click", () => this.choose(place, face));
      return { face, button };
    });
    const mark = () => {
      for (const { face, button } of made) {
        button.setAttribute("aria-pressed", String(this.chosen[place] === face));
        button.disabled = !this.picked[place];
      }
    };
    return { node: el("div", { class: "faces" }, ...made.map(({ button }) => button)), mark };
  }

  list(die, place) {
    const options = die.faces.map((face, i) => el("option", { value: i }, face.text));
    const field = el("select", { "aria-label": die.name }, el("option", { value: "" }, "?"), ...options);
    field.addEventListener("change", () => this.choose(place, die.faces[field.value] ?? null));
    const mark = () => {
      field.value = this.chosen[place] === null ? "" : String(die.faces.indexOf(this.chosen[place]));
      field.disabled = !this.picked[place];
    };
    return { node: field, mark };
  }

  choose(place, face) {
    this.chosen[place] = face;
    this.line.value = this.chosen.map((one) => one?.text ?? "?").join(" ");
    this.mark();
  }

  /** Read the faces from the typed line: one word a die, in order. */
  read() {
    const words = this.line.value.trim().split(/[\s,;]+/);
    this.chosen = this.roll.dice.map((die, place) => die.faces.find((face) => face.text === words[place]?.toLowerCase()) ?? null);
    this.mark();
  }

  mark() {
    for (const row of this.rows) row.mark();
    this.onChange();
  }
}
