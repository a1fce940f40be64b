// The two figures of a question: chosen by taps, keys or lists, and followed from picture to picture.

import { bySides, choose, fillChoice } from "../shell/choices.js";
import { byId } from "../shell/dom.js";
import { markPair } from "../scene/draw.js";
import { followed, foundAgain } from "./follow.js";
import { t } from "../shell/texts.js";

const NEEDS_SHOOTER = ["what-if"];

/** Maps of the board that need no chosen figure. */
const NEEDS_NOBODY = ["", "watchers"];

export class Pair {
  /**
   * @param {Record<string, any>} table  scene, groups, and chosen(): a person has chosen another pair
   */
  constructor(table) {
    this.table = table;
    this.attacker = null;
    this.defender = null;
    byId("swap").addEventListener("click", () => this.choose(this.defender, this.attacker));
    byId("attacker").addEventListener("change", () => this.choose(byId("attacker").value || null, this.defender));
    byId("defender").addEventListener("change", () => this.choose(this.attacker, byId("defender").value || null));
  }

  get isWhole() {
    return this.attacker !== null && this.defender !== null;
  }

  /** The chosen ids, shooter first. */
  get ids() {
    return [this.attacker, this.defender].filter((id) => id !== null);
  }

  set(attacker, defender) {
    this.attacker = attacker;
    this.defender = attacker !== null && attacker === defender ? null : defender;
  }

  /** First tap: the shooter. Second: its target. Later ones: another target, or another shooter of the same side. */
  pick(id) {
    const side = (figureId) => this.figure(figureId)?.side;
    const { attacker, defender } = this;
    if (id === attacker) this.choose(null, null);
    else if (id === defender) this.choose(attacker, null);
    else if (attacker === null) this.choose(id, null);
    else if (defender !== null && side(id) === side(attacker)) this.choose(id, null);
    else this.choose(attacker, id);
  }

  choose(attacker, defender) {
    this.set(attacker, defender);
    this.table.chosen();
  }

  figure(id) {
    return this.table.scene?.figures.find((figure) => figure.id === id) ?? null;
  }

  /** The last chosen figure. */
  last() {
    return this.figure(this.defender ?? this.attacker);
  }

  /** Find the chosen figures in the next scene. Returns whether a complete pair has lost one. */
  follow(before, scene) {
    const isNextFrame = before?.source === "live" && scene.source === "live" && before.shot !== scene.shot;
    const there = (id) => {
      if (before && scene.isReadAnew) return foundAgain(id, before, scene);
      if (isNextFrame) return followed(id, before, scene);
      return this.table.groups.has(id) ? id : null;
    };
    const wasWhole = this.isWhole;
    this.set(...[this.attacker, this.defender].map((id) => (id === null ? null : there(id))));
    return wasWhole && !this.isWhole;
  }

  /** Fill the lists with the scene's figures. */
  fill(scene) {
    const sides = bySides(scene.figures, ({ side_name }) => side_name, ({ name, column, row }) => `${name} · ${column}${row}`);
    fillChoice(byId("attacker"), t("choose_shooter"), sides, this.attacker);
    fillChoice(byId("defender"), t("choose_target"), sides, this.defender);
  }

  /** Mark the pair on the board, in the lists, and in the possible questions. */
  mark() {
    markPair(this.table.groups, this.attacker, this.defender);
    choose(byId("attacker"), this.attacker);
    choose(byId("defender"), this.defender);
    for (const id of NEEDS_SHOOTER) /** @type {HTMLButtonElement} */ (byId(id)).disabled = this.attacker === null;
    for (const option of byId("map").options) option.disabled = this.attacker === null && !NEEDS_NOBODY.includes(option.value);
    byId("swap").disabled = !this.isWhole;
  }
}
