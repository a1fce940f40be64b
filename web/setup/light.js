// The initiative light: the kinds, the state of the chosen one, and the choice of another.

import { ask, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText, steadily } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const PATH = "/wizard/light";
const PAUSE_MS = 2000;

export class LightFold {
  /**
   * @param {function} work  does one thing at a time and shows a refusal
   * @param {function} idle  waits until nothing is running
   * @param {function} trouble  shows a refusal, or clears it with null
   */
  constructor(work, idle, trouble) {
    this.work = work;
    this.fold = byId("light");
    this.kinds = new Rows(byId("light-kinds"), ({ about, is_lit }) => el("li", { class: is_lit && "lit" }, about));
    this.fold.addEventListener("toggle", () => this.look(true));
    byId("light-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      await idle();
      const now = await work(() => send(PATH, { kind: byId("light-kind").value, address: byId("light-port").value }), true);
      if (!now) return;
      trouble(null);
      this.show(now, true);
    });
    setInterval(() => this.look(false), PAUSE_MS);
  }

  /** Refresh the light's state while visible. A choice in progress stays unless the fold has just opened. */
  async look(isOpening) {
    if (!this.fold.open || document.hidden || !this.fold.checkVisibility()) return;
    const now = await this.work(() => ask(PATH), false);
    if (now) this.show(now, isOpening);
  }

  show(now, isChosen) {
    setText(byId("light-told"), now.sentence);
    byId("light-told").classList.toggle("taken", now.is_lit);
    this.kinds.show(now.kinds.map((kind) => ({ key: kind.id, ...kind })));
    if (!isChosen) return;
    const kinds = [el("option", { value: "auto" }, t("light_any")), ...now.kinds.map(({ id, about }) => el("option", { value: id }, about))];
    steadily(byId("light-kind"), () => {
      byId("light-kind").replaceChildren(...kinds);
      byId("light-kind").value = now.kind;
    });
    byId("light-ports").replaceChildren(...now.addresses.map((address) => el("option", { value: address })));
    byId("light-port").value = now.address;
  }
}
