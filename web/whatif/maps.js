// Maps over the board: a figure's reach, its view, all distances, and its dangers.

import { send } from "../shell/api.js";
import { byId, el, path, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const NEEDS_TARGET = ["sees", "no_cover", "sees_unseen"];

export class Maps {
  /** @param {import("../table/table.js").TableView} table  the table: scene, overlay, pair, orTrouble(answer, otherwise), say(text), keepSize() */
  constructor(table) {
    this.table = table;
    this.asked = 0;
    this.question = "";
    this.shown = [];
    byId("map").addEventListener("change", () => this.show());
  }

  /** Show the chosen map on the board. */
  async show() {
    const { scene, overlay, pair } = this.table;
    const place = overlay.querySelector(".layer.reach");
    const asked = ++this.asked;
    const { attacker: figure, defender: target } = pair;
    const [kind, points] = byId("map").value.split("-");
    this.keepOnly(JSON.stringify([byId("map").value, byId("ruleset").value, figure, target, scene?.as_plan]));
    if (!place) return;
    place.replaceChildren(...this.shown);
    if (!kind || kind === "watchers" || figure === null) return;
    if (target === null && NEEDS_TARGET.includes(kind)) {
      this.table.say(t("map_target"));
      return;
    }
    const common = { figure, ruleset: byId("ruleset").value, as_plan: scene.as_plan };
    const [route, more] = kind === "reach" ? ["reaches", { points: Number(points) }] : ["maps", { target, question: kind }];
    const { cells } = await this.table.orTrouble(send(`/shots/${scene.shot}/${route}`, { ...common, ...more }), { cells: [] });
    if (asked !== this.asked) return;
    this.shown = this.drawn(kind, cells);
    if (cells.length === 0) this.nowhere();
    place.replaceChildren(...this.shown);
    this.table.keepSize();
  }

  /** Keep the drawing until the next picture's answer arrives, while the question is the same. */
  keepOnly(question) {
    if (question === this.question) return;
    this.question = question;
    this.shown = [];
    this.key([]);
  }

  drawn(kind, cells) {
    if (kind === "range") return this.rings(cells);
    if (kind === "danger") return this.danger(cells);
    const numbers = kind === "reach" ? cells.filter((cell) => cell.cost > 0) : [];
    return [svg("path", { class: "reach-cell", d: cells.map((cell) => path(cell.outline)).join("") }), ...numbers.map(number)];
  }

  /** One ring for each range: its spaces in alternating shades, with the number on each. */
  rings(cells) {
    const shade = (odd) => cells.filter((cell) => cell.cost % 2 === odd);
    const parts = [0, 1].map((odd) => svg("path", { class: odd ? "ring odd" : "ring", d: shade(odd).map((cell) => path(cell.outline)).join("") }));
    return [...parts, ...cells.map(number)];
  }

  /**
   * The number of enemies that would see the figure on each space: the more, the stronger the shade. A safe space has
   * no number.
   */
  danger(cells) {
    const level = (cell) => Math.min(3, cell.cost);
    const parts = [0, 1, 2, 3].map((step) =>
      svg("path", { class: `danger danger-${step}`, d: cells.filter((cell) => level(cell) === step).map((cell) => path(cell.outline)).join("") }),
    );
    this.key([0, 1, 2, 3].filter((step) => cells.some((cell) => level(cell) === step)));
    return [...parts, ...cells.filter((cell) => cell.cost > 0).map(number)];
  }

  /** Report an empty map, since an empty board could also mean that nothing was asked. */
  nowhere() {
    byId("map-key").hidden = false;
    byId("map-key").replaceChildren(el("li", {}, t("map_nowhere")));
  }

  /** The meaning of a danger map's shades. */
  key(steps) {
    const place = byId("map-key");
    place.hidden = steps.length === 0;
    place.replaceChildren(
      ...steps.map((step) => el("li", {}, el("i", { class: `danger-${step}` }), t(`danger_${step}`))),
    );
  }
}

function number(cell) {
  const [x, y] = cell.outline.reduce(([sx, sy], [px, py]) => [sx + px / 4, sy + py / 4], [0, 0]);
  return svg("g", { class: "label cost", "data-x": x, "data-y": y }, svg("text", { y: 5 }, String(cell.cost)));
}
