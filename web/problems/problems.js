// The table's problems: one sentence and one button for each part.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el, svg } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const ICONS = { well: "M4 12.5l5.5 5.5L20 6.5", wrong: "M12 4l9 16H3zM12 10v5M12 17.6v.2" };

export class ProblemsView {
  /** @param {function} clockS  the server's clock, seconds since 1970 */
  constructor(clockS) {
    this.clockS = clockS;
    this.parts = new Rows(byId("parts"), (part) => this.part(part));
    setInterval(() => this.tick(), 1000);
  }

  /** Take the stream's news: the number of problems. */
  count(problems) {
    byId("problem-count").hidden = problems.length === 0;
    byId("problem-count").textContent = String(problems.length);
    if (!byId("view-problems").hidden) this.refresh();
  }

  async refresh() {
    try {
      const { parts } = await ask("/problems");
      this.show(parts);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
    }
  }

  show(parts) {
    this.trouble(null);
    const wrong = parts.filter((part) => !part.is_well).length;
    setText(byId("problems-title"), wrong ? t("problems_some", { count: wrong }) : t("problems_none"));
    byId("view-problems").classList.toggle("all-well", wrong === 0);
    this.parts.show(parts.map((part) => ({ key: part.part, ...part })));
    this.tick();
  }

  part(part) {
    const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[part.is_well ? "well" : "wrong"] }));
    return el(
      "li",
      { class: part.is_well ? "part well" : "part wrong", "data-part": part.part },
      icon,
      el("div", {}, el("h3", {}, part.title), el("p", {}, part.sentence), part.since_s && el("p", { class: "since", "data-since": part.since_s })),
      part.button && this.button(part),
    );
  }

  button(part) {
    const button = el("button", { type: "button", class: "button primary", "data-acts": true }, part.button);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await send(`/problems/${encodeURIComponent(part.part)}/remedy`);
        this.trouble(null);
      } catch (problem) {
        if (!(problem instanceof Refused)) throw problem;
        this.trouble(problem.message);
      }
      setTimeout(() => (button.disabled = false), 1500);
    });
    return button;
  }

  tick() {
    for (const place of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, Math.round(this.clockS() - Number(place.dataset.since)));
      setText(place, seconds < 90 ? t("since_seconds", { seconds }) : t("since_minutes", { minutes: Math.round(seconds / 60) }));
    }
  }

  trouble(text) {
    byId("problems-trouble").hidden = text === null;
    byId("problems-trouble").textContent = text ?? "";
  }
}
