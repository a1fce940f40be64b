// Setting right what stands on the board, and asking “what if”: a menu at a figure or door, then a tap or arrow keys.

import { ask } from "../shell/api.js";
import { bySides, fillChoice } from "../shell/choices.js";
import { byId, el, path, svg } from "../shell/dom.js";
import { inside } from "../scene/draw.js";
import { t } from "../shell/texts.js";

export class Corrector {
  /** @param {object} table  the table view: scene, overlay, correct(change), say(text) */
  constructor(table) {
    this.table = table;
    this.moving = null;
    this.menu = byId("sheet-menu");
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && this.leave());
    addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens the menu of the figure or door at a place of the picture. */
  open(figure, door) {
    this.stopMoving();
    const actions = [];
    if (figure) {
      actions.push([t("correct_move"), () => this.startMoving(figure)]);
      if (this.table.isLive()) actions.push([t("correct_name"), () => this.startNaming(figure)]);
      actions.push([t("correct_what_if"), () => this.table.whatIf(figure)]);
      actions.push([t("correct_who_sees"), () => this.table.whoSees(figure)]);
      actions.push([t("correct_remove"), () => this.table.correct({ figures: { [figure.id]: null } })]);
    }
    if (door) {
      const text = t(door.open ? "correct_close_door" : "correct_open_door");
      actions.push([text, () => this.table.correct({ doors: { [door.id]: !door.open } })]);
    }
    if (!actions.length) return;
    this.cameFrom = document.activeElement;
    this.offer(figure ? figure.name : t("a_door"), actions);
  }

  /** Shows the menu: what it is about, perhaps a list, and what can be done. */
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

  /** Asks who a figure of the live table really is; whoever went by that name gets the other one. */
  async startNaming(figure) {
    const live = await this.table.orTrouble(ask("/live"), null);
    if (!live) return;
    const others = live.roster.filter(({ id }) => id !== figure.id);
    const list = el("select", { "aria-label": t("correct_who") });
    fillChoice(list, t("correct_who"), bySides(others, ({ side_name: side }) => side, ({ name }) => name), null);
    const name = () => list.value && this.table.correct({ names: { [figure.id]: list.value } });
    this.offer(figure.name, [[t("correct_name_so"), name]], list);
  }

  close() {
    this.menu.hidden = true;
  }

  /** Nothing is to be set right: the keyboard is back where it was. */
  leave() {
    this.close();
    if (this.cameFrom?.isConnected) this.cameFrom.focus({ preventScroll: true });
  }

  startMoving(figure) {
    this.moving = { figure, cell: figure.cells[0] };
    this.table.say(t("correct_tap_cell"));
    this.showGhost();
  }

  stopMoving() {
    this.moving = null;
    this.showGhost();
    this.table.say("");
  }

  /** Takes a tap while a figure is being moved; tells whether it was one. */
  tap(x, y) {
    if (!this.moving) return false;
    const cell = this.table.scene.cells.find((candidate) => inside(candidate.outline, x, y));
    if (cell) this.put(cell.cell);
    else this.stopMoving();
    return true;
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!this.moving || !(event.key in steps || event.key === "Enter" || event.key === "Escape")) return;
    if (event.target.closest?.("select, input") || (event.key === "Enter" && event.target.closest?.("button, summary, a, [role=button]"))) return;
    event.preventDefault();
    if (event.key === "Escape") this.stopMoving();
    else if (event.key === "Enter") this.put(this.moving.cell);
    else {
      const [dx, dy] = steps[event.key];
      this.moving.cell = [this.moving.cell[0] + dx, this.moving.cell[1] + dy];
      this.showGhost();
    }
  }

  put(cell) {
    const { figure } = this.moving;
    const [dx, dy] = [cell[0] - figure.cells[0][0], cell[1] - figure.cells[0][1]];
    const cells = figure.cells.map(([column, row]) => [column + dx, row + dy]);
    this.stopMoving();
    this.table.correct({ figures: { [figure.id]: cells } });
  }

  showGhost() {
    const place = this.table.overlay.querySelector(".layer.ghost");
    if (!place) return;
    place.replaceChildren();
    if (!this.moving) return;
    const { figure, cell } = this.moving;
    const [dx, dy] = [cell[0] - figure.cells[0][0], cell[1] - figure.cells[0][1]];
    for (const [column, row] of figure.cells) {
      const target = this.table.scene.cells.find((c) => c.cell[0] === column + dx && c.cell[1] === row + dy);
      if (target) place.append(svg("path", { class: "ghost-cell", d: path(target.outline) }));
    }
    const name = this.table.scene.cells.find((c) => c.cell[0] === cell[0] && c.cell[1] === cell[1])?.name;
    if (name) this.table.say(`${t("correct_tap_cell")} ${name}`);
  }
}
