// Corrections of the board: a menu at a figure, a door or for the whole board, then a tap or arrow keys.

import { ask } from "../shell/api.js";
import { bySides, fillChoice } from "../shell/choices.js";
import { byId, el } from "../shell/dom.js";
import { based, Placing } from "./placing.js";
import { t } from "../shell/texts.js";

export class Corrector {
  /** @param {Record<string, any>} table  the table view: scene, overlay, correct(change), say(text) */
  constructor(table) {
    this.table = table;
    this.placing = null;
    this.menu = byId("sheet-menu");
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && this.leave());
    addEventListener("keydown", (event) => this.key(event));
  }

  /** Whether the page is asking for a place. */
  get isOn() {
    return this.placing !== null;
  }

  /** Open the menu of the figure or door at a place of the picture, or else the board's. */
  open(figure, door) {
    this.stop();
    this.cameFrom = /** @type {HTMLElement} */ (document.activeElement);
    if (figure) this.offer(figure.name, [...this.figureActions(figure), ...this.boardActions()]);
    else if (door) this.offer(t("a_door"), this.doorActions(door));
    else this.offer(t("correct_board"), this.boardActions());
  }

  figureActions(figure) {
    return [
      [t("correct_move"), () => this.startMoving(figure)],
      [t("correct_name"), () => this.askWho({ figure: figure.id })],
      [t("correct_what_if"), () => this.table.whatIf(figure)],
      [t("correct_who_sees"), () => this.table.whoSees(figure)],
      [t("correct_remove"), () => this.table.correct({ figures: { [figure.id]: null } })],
    ];
  }

  doorActions(door) {
    return [
      [t(door.open ? "correct_close_door" : "correct_open_door"), () => this.table.correct({ doors: { [door.id]: !door.open } })],
      [t("correct_no_door"), () => this.table.correct({ doors: { [door.id]: null } })],
    ];
  }

  boardActions() {
    return [
      [t("correct_missing"), () => this.startMissing()],
      [t("correct_door"), () => this.startDoor()],
    ];
  }

  /** Show the menu: its subject, an optional list, and its actions. */
  offer(title, actions, list = null) {
    const buttons = [...actions, [t("cancel"), () => this.leave()]].map(([text, act]) => {
      const button = el("button", { type: "button", class: "button" }, text);
      button.addEventListener("click", () => {
        this.close();
        act();
      });
      return button;
    });
    this.menu.replaceChildren(el("p", {}, title), ...(list ? [list] : []), ...buttons);
    this.menu.hidden = false;
    (list ?? buttons[0]).focus();
  }

  /**
   * Ask for a figure's true identity, or for the figure on empty spaces. A figure with that name gets the other one.
   * @param {Record<string, any>} place  `figure`: its name; or `cells`: the place of a missing figure
   */
  async askWho({ figure, cells }) {
    const { box } = await this.table.orTrouble(ask(`/shots/${this.table.scene.shot}/doubts`), { box: [] });
    const may = box.filter((one) => (cells ? !one.is_there : one.id !== figure));
    if (!may.length) return;
    const list = el("select", { "aria-label": t("correct_who") });
    fillChoice(list, t("correct_who"), bySides(may, ({ side_name: side }) => side, ({ name }) => name), null);
    const chosen = () => may.find(({ id }) => id === list.value);
    const act = () => chosen() && this.table.correct(cells ? { figures: { [list.value]: spread(cells, chosen().size) } } : { names: { [figure]: list.value } });
    const [title, words] = cells ? [t("correct_missing"), "correct_stands_so"] : [this.table.scene.figures.find(({ id }) => id === figure)?.name ?? "", "correct_name_so"];
    this.offer(title, [[t(words), act]], list);
  }

  close() {
    this.menu.hidden = true;
  }

  /** End the correction, and return the keyboard. */
  leave() {
    this.close();
    if (this.cameFrom?.isConnected) this.cameFrom.focus({ preventScroll: true });
  }

  startMoving(figure) {
    const done = (cell) => this.table.correct({ figures: { [figure.id]: based(figure, cell) } });
    this.place({ hint: t("correct_tap_cell"), cell: figure.cells[0], spaces: (cell) => based(figure, cell), done });
  }

  startMissing() {
    this.place({ hint: t("correct_tap_missing"), spaces: (cell) => [cell], done: (cell) => this.askWho({ cells: [cell] }) });
  }

  startDoor() {
    this.place({ hint: t("correct_tap_door"), isDoor: true, done: (edges) => this.table.correct({ new_doors: [edges] }) });
  }

  place(wanted) {
    if (document.activeElement !== document.body) /** @type {HTMLElement} */ (document.activeElement)?.blur();
    this.placing = new Placing(this.table, wanted);
  }

  stop() {
    this.placing = null;
    this.redraw();
    this.table.say("");
  }

  /** Take a tap while the page asks for a place. Returns whether it was used. */
  tap(x, y) {
    if (!this.placing) return false;
    this.finish(this.placing.tap(x, y));
    return true;
  }

  key(event) {
    if (!this.placing || !(this.placing.takes(event.key) || event.key === "Escape")) return;
    if (event.target.closest?.("select, input") || (["Enter", " "].includes(event.key) && event.target.closest?.("button, summary, a, [role=button]"))) return;
    event.preventDefault();
    const place = event.key === "Escape" ? null : this.placing.key(event);
    if (place || event.key === "Escape") this.finish(place);
  }

  finish(place) {
    const { done } = this.placing.wanted;
    this.stop();
    if (place) done(place);
  }

  /** Redraw the place over another picture. */
  redraw() {
    if (this.placing) this.placing.draw();
    else this.table.overlay.querySelector(".layer.ghost")?.replaceChildren();
  }
}

/** The spaces of a base of that size, from this first space. */
function spread([[column, row]], [columns, rows]) {
  return Array.from({ length: columns * rows }, (_, i) => [column + (i % columns), row + Math.floor(i / columns)]);
}
