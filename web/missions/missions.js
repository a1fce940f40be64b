// The mission editor: form and board, checked by the table's mission reader while typing.

import { ask, Refused, send } from "../shell/api.js";
import { Board } from "./board.js";
import { Form } from "./form.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const FORMAT = "sightline.mission/1";
const PAUSE_MS = 350;

class Editor {
  constructor() {
    this.mission = null;
    this.asked = 0;
    this.board = new Board(() => this.changed());
    byId("game").addEventListener("change", () => this.orTrouble(() => this.chooseGame(byId("game").value)));
    byId("beginning").addEventListener("change", () => this.orTrouble(() => this.begin(byId("beginning").value)));
    byId("title").addEventListener("input", () => {
      this.call(byId("title").value);
      this.changed();
    });
    byId("import").addEventListener("change", () => this.orTrouble(() => this.take()));
    byId("export").addEventListener("click", () => this.save());
    byId("keep").addEventListener("click", () => this.orTrouble(() => this.keep()));
    byId("to-fault").addEventListener("click", () => this.goToFault());
  }

  async open() {
    const { games } = await ask("/mission-games");
    byId("game").replaceChildren(...games.map(({ id, title }) => el("option", { value: id }, title)));
    if (games.length) await this.chooseGame(games[0].id);
  }

  async chooseGame(ruleset, mission = null) {
    byId("game").value = ruleset;
    const { form, beginnings, box } = await ask(`/mission-games/${encodeURIComponent(ruleset)}`);
    this.shape = form;
    const words = ({ title, is_box: isBox }) => title || t(isBox ? "mission_box" : "mission_empty");
    byId("beginning").replaceChildren(...beginnings.map((one) => el("option", { value: one.name }, words(one))));
    this.tellBox(box);
    if (mission) this.show(mission);
    else await this.begin(beginnings[0].name);
  }

  async begin(name) {
    const { mission } = await send(`/mission-games/${encodeURIComponent(byId("game").value)}/beginning`, { name });
    this.show(mission);
  }

  show(mission) {
    this.mission = { ...mission, setup: mission.setup ?? {} };
    byId("title").value = this.mission.title ?? "";
    this.board.show(this.mission.table);
    this.form = new Form(this.shape, this.board, () => this.changed());
    if (this.mission.title && !this.mission.setup[this.form.nameField]) this.call(this.mission.title);
    byId("form").replaceChildren(...this.form.fields(this.mission.setup));
    this.changed();
  }

  /** Synchronise the mission's one name: its title, and its game's own field. */
  call(title) {
    this.mission.title = title;
    const own = this.form.nameField;
    if (own && title.trim()) this.mission.setup[own] = title.trim();
    else if (own) delete this.mission.setup[own];
  }

  /** After a change, ask the server once nothing follows for a moment. */
  changed() {
    clearTimeout(this.timer);
    this.asked++;
    byId("to-fault").hidden = true;
    byId("verdict").textContent = t("mission_checking");
    this.timer = setTimeout(() => this.orTrouble(() => this.check()), PAUSE_MS);
  }

  async check() {
    const asked = ++this.asked;
    this.board.takeFigures(this.mission.setup);
    const { fault, figures } = await send("/missions/check", { mission: this.mission });
    if (asked !== this.asked) return;
    this.board.showFigures(figures);
    byId("verdict").classList.toggle("sound", fault === null);
    byId("keep").disabled = fault !== null;
    this.field = fault?.field === `setup.${this.form.nameField}` ? "title" : (fault?.field ?? null);
    const marked = this.form.mark(this.field, fault?.message);
    const place = this.field === "title" ? byId("title").labels[0].textContent.trim() : marked;
    const words = fault ? t("mission_fault", { what: place ? `${place}: ${fault.message}` : fault.message }) : t("mission_sound");
    byId("verdict").replaceChildren(words);
    byId("to-fault").hidden = fault === null;
    byId("title").toggleAttribute("aria-invalid", this.field === "title");
  }

  /** Go to the field that the mission reader complains about, wherever it is folded away. */
  async goToFault() {
    if (this.field === "title") byId("title").focus();
    else await this.form.reveal(this.field);
  }

  async keep() {
    const name = this.mission.title.replace(/[^\p{L}\p{N} .-]/gu, "").trim();
    clearTimeout(this.timer);
    const asked = ++this.asked; // a check that is under way would put its words over these
    try {
      await send(`/missions/${encodeURIComponent(name || "-")}/keep`, { mission: this.mission });
    } catch (problem) {
      this.changed();
      throw problem;
    }
    if (asked === this.asked) byId("verdict").textContent = t("mission_kept", { name });
  }

  save() {
    const file = new Blob([JSON.stringify({ format: FORMAT, ...this.mission }, null, 1)], { type: "application/json" });
    const link = el("a", { href: URL.createObjectURL(file), download: `${this.mission.title || "mission"}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 0);
  }

  async take() {
    const file = byId("import").files[0];
    byId("import").value = "";
    if (!file) return;
    let read = null;
    try {
      read = JSON.parse(await file.text());
    } catch (problem) {
      if (!(problem instanceof SyntaxError)) throw problem;
    }
    const { format, ...mission } = read ?? {};
    const isKnown = [...byId("game").options].some((option) => option.value === mission.ruleset);
    if (format !== FORMAT || !isKnown) this.trouble(t("mission_unreadable"));
    else await this.chooseGame(mission.ruleset, mission);
  }

  tellBox({ source, holds, names, gaps }) {
    byId("box").hidden = !holds.length && !names.length && !gaps.length;
    const lists = (groups) => groups.map(({ name, entries }) => el("p", {}, el("b", {}, `${name}: `), entries.join(", ")));
    const counts = holds.map(({ name, count }) => `${name}: ${count}`).join(", ");
    byId("box-told").replaceChildren(
      el("p", {}, el("b", {}, `${t("mission_holds")} (${source}). `), counts),
      ...lists(names),
      el("h3", {}, t("mission_gaps")),
      ...lists(gaps),
    );
  }

  async orTrouble(work) {
    this.trouble(null);
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }

  trouble(text) {
    byId("trouble").hidden = text === null;
    byId("trouble").textContent = text ?? "";
  }
}

const editor = new Editor();
editor.orTrouble(() => editor.open()).finally(takesTaps);
