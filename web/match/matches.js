// Saved matches: exported to a file by judges, imported from a file by the owner.

import { ask, Refused, send, sendBytes } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Matches {
  constructor() {
    this.may = !byId("matches").hidden;
    byId("menu").addEventListener("toggle", () => this.refresh());
    this.refresh(); // the menu may have been opened before this script ran
    for (const button of document.querySelectorAll("[data-play-on]")) {
      button.addEventListener("click", () => this.change("/match/played-on", { played_on: /** @type {HTMLElement} */ (button).dataset.playOn }));
    }
    byId("match-import").addEventListener("change", (event) => this.takeIn(event.target));
  }

  async refresh() {
    if (!this.may || !byId("menu").open) return;
    try {
      const { matches } = await ask("/matches");
      byId("match-list").replaceChildren(...matches.map((label) => this.row(label)));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.answer(problem.message);
    }
  }

  row(label) {
    const link = el("a", { class: "button", href: `/api/v1/matches/${encodeURIComponent(label.id)}`, download: `${label.id}.jsonl`, "aria-label": t("match_save_named", { name: label.id }) }, t("match_save"));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.save(link, label.id);
    });
    const play = el("button", { type: "button", class: "button", "aria-label": t("match_go_on_named", { name: label.id }) }, t("match_go_on"));
    play.addEventListener("click", () => this.change(`/matches/${encodeURIComponent(label.id)}/play`));
    const copy = el("button", { type: "button", class: "button", "aria-label": t("match_copy_named", { name: label.id }) }, t("match_copy"));
    const copied = `${label.id} ${new Date().toISOString().slice(11, 19).replaceAll(":", "-")}`.slice(-60).trim();
    copy.addEventListener("click", () => this.change(`/matches/${encodeURIComponent(label.id)}/copy`, { name: copied }, label.id));
    return el("li", { class: label.is_running ? "running" : null }, el("span", {}, label.id, el("small", {}, label.is_running ? t("match_running") : t("match_events", { count: label.event_count }))), label.is_running ? null : play, copy, link, this.renaming(label));
  }

  /** The name as an input field, which opens on demand. */
  renaming({ id }) {
    const input = el("input", { type: "text", maxlength: 60, required: true, value: id, autocomplete: "off", "aria-label": t("match_rename_to", { name: id }) });
    const form = el("form", {}, input, el("button", { class: "button primary" }, t("match_rename_do")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change(`/matches/${encodeURIComponent(id)}/name`, { name: input.value.trim() });
    });
    return el("details", { class: "renaming" }, el("summary", { class: "button quiet", "aria-label": t("match_rename_named", { name: id }) }, t("match_rename")), form);
  }

  /** Save the file behind a link, or show why there is none. */
  async save(link, id) {
    const answer = await fetch(link.href);
    if (!answer.ok) {
      const { message, kind } = (await answer.json()).error;
      return this.refused({ message, kind }, id, () => this.save(link, id));
    }
    const href = URL.createObjectURL(await answer.blob());
    el("a", { href, download: link.download }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    return this.answer("");
  }

  /** Continue a match, which reloads every page, or copy one. */
  async change(path, body, id) {
    try {
      await send(path, body);
      await this.refresh();
      this.answer("");
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.refused(problem, id, () => this.change(path, body, id));
    }
  }

  /**
   * Show the refusal. If the dice are still hidden, a button reveals them, which closes the match, and then retries.
   */
  refused({ message, kind }, id, again) {
    this.answer(message);
    if (kind !== "DiceClosed") return;
    const open = el("button", { type: "button", class: "button", id: "match-open-dice" }, t("match_open_dice", { name: id }));
    open.addEventListener("click", async () => {
      await this.change(`/matches/${encodeURIComponent(id)}/opening`);
      await again();
    });
    byId("match-import-answer").append(" ", open);
  }

  async takeIn(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    const name = file.name.replace(/\.[^.]*$/, "");
    this.answer(t("match_checking"));
    try {
      const label = await sendBytes(`/matches/${encodeURIComponent(name)}/import`, file);
      this.answer(t("match_taken_in", { name: label.id, count: label.event_count }));
      await this.refresh();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.answer(problem.message);
    }
  }

  answer(text) {
    byId("match-import-answer").textContent = text;
  }
}
