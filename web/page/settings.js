// The menu: language, brightness, this device's name, the table's set-up.

import { ask, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** The server's name for the documents of the bundled game. */
const SAMPLE = "sample";

export class Settings {
  /** @param {import("../people/people.js").People} people  the people at the table, shown to the owner */
  constructor(people) {
    this.people = people;
    byId("language").addEventListener("change", () => this.speak(byId("language").value));
    byId("theme").value = document.documentElement.dataset.theme;
    byId("theme").addEventListener("change", () => this.light(byId("theme").value));
    byId("big-type").checked = document.documentElement.dataset.type === "big";
    byId("big-type").addEventListener("change", () => this.enlarge(byId("big-type").checked));
    byId("menu").addEventListener("toggle", () => this.open());
    for (const folded of document.querySelectorAll("details.menu, details.layers")) closesBeside(folded);
  }

  speak(language) {
    return this.people.orTrouble(async () => {
      await send("/language", { language });
      const here = new URL(location.href);
      here.searchParams.delete("lang");
      location.assign(here);
    });
  }

  light(theme) {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("sightline-theme", theme);
  }

  enlarge(isBig) {
    document.documentElement.dataset.type = isBig ? "big" : "";
    localStorage.setItem("sightline-type", isBig ? "big" : "");
  }

  async open() {
    if (byId("menu").open) await this.people.orTrouble(() => this.fill());
  }

  async fill() {
    if (document.body.dataset.role === "owner") await this.people.open();
    const setup = await ask("/setup");
    const called = (name) => (name === SAMPLE ? t("source_sample") : name);
    const rows = Object.entries(setup.sources).map(([part, name]) => [t(`source_${part}`), called(name)]);
    const all = [[t("source_game"), called(setup.name)], ...rows, ["Sightline", t("source_version", { version: setup.version })]];
    byId("setup").replaceChildren(...all.map(([part, name]) => el("div", {}, el("dt", {}, part), el("dd", {}, name))));
  }
}

/** Close an overlay by a tap beside it, or by Escape, which returns the keyboard to its button. */
function closesBeside(folded) {
  addEventListener("pointerdown", (event) => {
    // a dialog over it leads back to it
    if (!folded.contains(event.target) && !/** @type {Element} */ (event.target).closest("dialog")) folded.open = false;
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !folded.open || document.querySelector("dialog[open]")) return;
    if (folded.contains(document.activeElement)) folded.querySelector("summary").focus();
    folded.open = false;
  });
}
