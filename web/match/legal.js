// "Was that legal?" for one entry of the history: yes or no, the rule with its source, and the alternatives.

import { ask, Refused } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Legality {
  /** @param {(entry: Record<string, any>) => void} jump  takes the match back to just after an entry, or forward to it
  */
  constructor(jump) {
    this.dialog = byId("legal");
    this.entry = null;
    byId("legal-close").addEventListener("click", () => this.dialog.close());
    byId("legal-jump").addEventListener("click", () => {
      this.dialog.close();
      jump(this.entry);
    });
  }

  async open(entry) {
    this.entry = entry;
    byId("legal-seq").textContent = String(entry.seq);
    byId("legal-step").textContent = entry.title;
    byId("legal-jump").textContent = t(entry.asks ? "ask_back_to" : entry.done ? "back_to" : "on_to", { title: entry.title });
    byId("legal-jump").hidden = entry.isNow;
    byId("legal-trouble").hidden = true;
    byId("legal-answer").replaceChildren();
    this.dialog.showModal();
    try {
      const { legality } = await ask(`/match/history/${entry.seq}`);
      if (this.entry === entry) byId("legal-answer").replaceChildren(...answer(legality));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      byId("legal-trouble").textContent = problem.message;
      byId("legal-trouble").hidden = false;
    }
  }
}

function answer({ verdict, sentence, rule, reasons, notes, moved, alternatives }) {
  const listed = verdict === "no" && moved.length === 1 ? [] : moved; // the answer has already named a single one
  return [
    el("p", { class: `legal-verdict ${verdict.replace(" ", "-")}` }, sentence),
    cited(rule.says, rule.source, rule.id),
    ...reasons.map(({ text, source, rule: id }) => cited(text, source, id)),
    ...[...notes, ...listed.map(({ text }) => text)].map((note) => el("p", { class: "note" }, note)),
    alternatives.length > 0 && el("h3", {}, t("legal_others")),
    ...alternatives.map(alternative),
  ].filter(Boolean);
}

/** A rule's sentence or result, with its source. */
function cited(text, source, id) {
  return el("p", { class: "legal-rule", "data-rule": id }, text, el("small", {}, source));
}

/** A question of the command with every answer the rules allowed, the given one marked. */
function alternative({ question, picks }) {
  const chips = picks.map(({ text, cost, is_chosen: isChosen }) => {
    const words = cost ? t("legal_cost", { what: text, cost }) : text;
    return el("li", { class: isChosen ? "chosen" : null, "aria-current": isChosen ? "true" : null }, words);
  });
  return el("div", { class: "legal-others" }, el("b", {}, question), el("ul", {}, ...chips));
}
