// The first minute of the demo: tap, tap, answer, then a move seen by the camera, then a blow, also shown by the light.

import { Refused, send } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { busily, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const KEPT = "sightline-tour";
const LOOK_MS = 250;

export class Tour {
  /** @param {Record<string, any>} page  table, match and views of the page; seen() is the model that the camera saw
  move on a table without a grid */
  constructor({ table, match, views, seen }) {
    this.table = table;
    this.match = match;
    this.views = views;
    this.seen = seen;
    const { hasLive, hasFree } = document.body.dataset;
    const hasCamera = hasLive === "true";
    this.steps = hasCamera ? this.onCamera() : hasFree === "true" ? this.onFree() : this.onPlan();
    this.at = -1;
    for (const button of byId("tour-games").querySelectorAll("button")) button.addEventListener("click", () => this.choose(button.dataset.game));
    byId("tour-on").addEventListener("click", () => this.press());
    byId("tour-skip").addEventListener("click", () => this.end());
    if (!hasCamera) views.show("attack");
    byId("tour").hidden = sessionStorage.getItem(KEPT) === "over";
    document.body.toggleAttribute("data-welcomes", !byId("tour").hidden);
    for (const kind of ["click", "keydown"]) document.querySelector("main").addEventListener(kind, welcomed);
  }

  /** A watched table: two taps and their answer, a hand that moves a figure, a blow. */
  onCamera() {
    const { pair } = this.table;
    return [
      { text: () => t("tour_first"), enter: () => this.table.clear(), isDone: () => pair.attacker !== null },
      { text: () => t("tour_second"), isDone: () => pair.defender !== null && this.table.answer.card },
      { text: () => t("tour_answer"), button: "tour_move" },
      { text: () => t("tour_hand"), enter: () => this.letMove(), isDone: () => this.moved() },
      { text: () => t("tour_moved", { name: this.walker }), enter: () => this.showWalker(), button: "tour_blow" },
      { text: () => t("tour_light", { name: this.struck }), meanwhile: "tour_playing", enter: () => this.strikeOnPicture(), button: "tour_end" },
    ];
  }

  /** A watched table without a grid: the same two taps, a model moved by a hand, a blow. */
  onFree() {
    const [first, second] = this.onPlan();
    return [
      first,
      second,
      { text: () => t("tour_answer_plan"), button: "tour_move" },
      { text: () => t("tour_hand"), enter: () => this.orTrouble(send("/demo/moves")), isDone: () => this.seen().length > 0 },
      { text: () => t("tour_moved_plan", { what: this.what }), enter: () => this.showSeen(), button: "tour_blow" },
      { text: () => t("tour_light", { name: this.struck }), meanwhile: "tour_playing", enter: () => this.strikeOnPlan(), button: "tour_end" },
    ];
  }

  /** Show the moved figure among the possible steps. */
  showSeen() {
    this.what = this.seen()[0].text;
    this.views.show("initiative");
  }

  strikeOnPlan() {
    this.views.show("attack");
    return this.strike();
  }

  /** A drawn table: two taps and their answer, a blow. */
  onPlan() {
    const chosen = (id) => byId(id).value !== "";
    return [
      { text: () => t("tour_first"), isDone: () => chosen("attack-from") },
      { text: () => t("tour_second"), isDone: () => chosen("attack-to") },
      { text: () => t("tour_plan"), button: "tour_blow" },
      { text: () => t("tour_light", { name: this.struck }), meanwhile: "tour_playing", enter: () => this.strike(), button: "tour_end" },
    ];
  }

  async choose(game) {
    const isDone = await this.orTrouble(send("/demo/game", { game }));
    if (isDone) setText(byId("tour-text"), t("tour_changing"));
  }

  press() {
    if (this.at === this.steps.length - 1) this.end();
    else this.goTo(this.at + 1);
  }

  async goTo(at) {
    welcomed();
    clearInterval(this.looking);
    this.at = at;
    const step = this.steps[at];
    const isLast = at === this.steps.length - 1;
    byId("tour-games").hidden = true;
    byId("tour-on").hidden = true;
    document.getElementById("tour-match")?.toggleAttribute("hidden", !isLast);
    if (step.meanwhile) setText(byId("tour-text"), t(step.meanwhile));
    await step.enter?.();
    setText(byId("tour-text"), step.text());
    byId("tour-on").hidden = !step.button;
    byId("tour-skip").hidden = isLast;
    if (step.button) setText(byId("tour-on"), t(step.button));
    else this.looking = setInterval(() => step.isDone() && this.goTo(at + 1), LOOK_MS);
  }

  /** The tour is over, or skipped: nothing moves until the visitor plays. */
  end() {
    welcomed();
    clearInterval(this.looking);
    sessionStorage.setItem(KEPT, "over");
    byId("tour").hidden = true;
    if (this.views.name === "attack") this.views.show("initiative"); // nobody has asked to attack
  }

  letMove() {
    this.before = this.places();
    this.table.clear(); // the previous answer must not cover the move
    this.table.stage.fitWhole();
    this.orTrouble(send("/demo/moves"));
  }

  /** Whether a figure has moved on the camera's picture since before. Its name stays known. */
  moved() {
    const now = this.places();
    const walker = [...now.keys()].find((id) => this.before.has(id) && this.before.get(id) !== now.get(id));
    if (!walker) return false;
    this.walkerId = walker;
    this.walker = this.table.pair.figure(walker).name;
    return true;
  }

  /** Frame the moved figure on the picture. */
  showWalker() {
    const walker = this.table.scene.figures.find(({ id }) => id === this.walkerId);
    if (walker) this.table.point([walker.base]);
  }

  places() {
    return new Map((this.table.scene?.figures ?? []).map(({ id, cells }) => [id, cells.join()]));
  }

  /** Show the whole picture without the previous answer. */
  strikeOnPicture() {
    this.table.clear();
    this.table.stage.fitWhole();
    return this.strike();
  }

  /** Play the match to its next attack that hurts somebody: its dice roll, and page and light show the blow. */
  async strike() {
    const found = await this.orTrouble(send("/demo/attack"));
    this.struck = found?.struck ? this.match.name(found.struck) : "";
  }

  async orTrouble(answer) {
    byId("tour-trouble").hidden = true;
    try {
      return (await busily(() => answer)) ?? true;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      byId("tour-trouble").hidden = false;
      setText(byId("tour-trouble"), problem.message);
      return null;
    }
  }
}

/** The visitor has started something, so its answers are visible again. */
function welcomed() {
  document.body.removeAttribute("data-welcomes");
}
