// The call that a judge has open: what was asked, what was ruled, and the words for the table.

import { frozenPicture, frozenRuling, rulingMarks } from "../judge/frozen.js";
import { Moments } from "../judge/moments.js";
import { ask, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const FIELDS = ["disputed", "ruling", "reason", "penalty"];
const JUDGE = "sightline-judge";
const MORE_MS = 400;

export class CallView {
  /** @param {() => void} changed  called when the hall has to be fetched again */
  constructor(changed) {
    this.changed = changed;
    this.id = null;
    this.seq = 0;
    this.moments = new Moments("/hall/calls", (problem) => setText(byId("call-said"), problem.message));
    byId("judge").value = localStorage.getItem(JUDGE) ?? "";
    byId("ruling-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.rule();
    });
    byId("speak").addEventListener("click", () => this.step({ type: "speak" }));
    byId("close-call").addEventListener("click", () => this.step({ type: "close" }));
  }

  async open(id) {
    this.id = id;
    this.seq = 0;
    byId("ruling-form").reset();
    byId("judge").value = localStorage.getItem(JUDGE) ?? "";
    setText(byId("call-said"), "");
    await this.ask();
    byId("call-title").focus({ preventScroll: true });
    byId("call-title").scrollIntoView({ block: "start", behavior: "instant" }); // on a phone it stands far below the list
  }

  /** Asks anew when the open call has gone on. */
  refresh(calls) {
    const now = calls.find((call) => call.id === this.id);
    if (this.id && (now?.seq ?? -1) !== this.seq) this.ask();
  }

  async ask() {
    try {
      const { call, pictures, report } = await ask(`/hall/calls/${encodeURIComponent(this.id)}`);
      if (call.id !== this.id) return;
      this.show(call);
      this.showFrozen(pictures, report);
      if (report) await this.moments.show({ id: call.id, opened_t: call.opened_t, pictures: report.pictures });
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("call-said"), problem.message);
    }
  }

  /** More of what was frozen has come from the table; one look serves for all that comes together. */
  more(id) {
    clearTimeout(this.coming);
    if (id === this.id) this.coming = setTimeout(() => this.ask(), MORE_MS);
  }

  show(call) {
    this.seq = call.state === "closed" ? -1 : call.seq;
    byId("call").hidden = false;
    setText(byId("call-title"), t("call_at", { table: call.table, state: t(`call_${call.state}`) }));
    setText(byId("call-question"), call.question ? t("call_question", { question: call.question }) : "");
    const minutes = Math.round(call.extension_s / 60);
    const facts = [
      call.ruling && t("call_was_ruled", { ruling: call.ruling }),
      call.reason && t("call_reason", { reason: call.reason }),
      call.penalty && t("call_penalty", { penalty: call.penalty }),
      minutes && t("call_extension", { minutes }),
      call.grounds && t("call_grounds", { grounds: call.grounds }),
      call.spoken_t && t("call_spoken"),
    ].filter(Boolean);
    byId("call-facts").replaceChildren(...facts.map((fact) => el("li", {}, fact)));
    byId("speak").disabled = call.state !== "ruled";
    byId("close-call").disabled = call.state === "closed" || call.state === "appealed";
    byId("ruling-form").querySelector(".main").disabled = call.state === "closed";
  }

  /** What was frozen, announced once; a table without words yet shows its pictures alone. */
  showFrozen(pictures, report) {
    const needed = report?.pictures.filter((_, i) => i === report.pictures.length - 1 || report.rulings.some((one) => one.picture === i));
    const key = JSON.stringify([this.id, needed?.map(({ picture }) => picture) ?? pictures]);
    const place = byId("call-pictures");
    if (place.dataset.shown === key) return;
    place.dataset.shown = key;
    byId("frozen").hidden = byId("frozen-rulings").hidden = report === null;
    if (report === null) {
      place.replaceChildren(...pictures.map((src) => el("img", { src, alt: t("call_picture"), loading: "lazy" })));
      return;
    }
    const ruling = report.rulings.findLast((one) => report.pictures[one.picture].picture);
    const moment = report.pictures.findLast((picture) => picture.picture);
    if (ruling) this.showRuling(report, ruling);
    else place.replaceChildren(...(moment ? [frozenPicture(moment, [])] : []));
    byId("frozen-rulings").replaceChildren(...lines(report.rulings.map((one) => frozenRuling(one, () => this.showRuling(report, one))), t("judge_no_rulings")));
    byId("by-hand").replaceChildren(...lines(report.corrections.map((one) => el("li", {}, one)), t("judge_by_hand_none")));
    byId("last-steps").replaceChildren(...lines(report.events.map((one) => el("li", {}, one)), t("judge_no_steps")));
    byId("in-force").replaceChildren(...report.options.map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  }

  /** A ruling on its picture, and beside it the moment itself if that is another picture. */
  showRuling(report, one) {
    const asked = report.pictures[one.picture];
    const moment = report.pictures.at(-1);
    const shown = asked.picture ? [frozenPicture(asked, rulingMarks(one, asked))] : [];
    if (moment !== asked && moment.picture) shown.push(frozenPicture(moment, []));
    byId("call-pictures").replaceChildren(...shown);
  }

  rule() {
    const words = Object.fromEntries(FIELDS.map((name) => [name, /** @type {HTMLTextAreaElement} */ (byId(name)).value]));
    return this.step({ type: "rule", ...words, extension_s: 60 * Number(byId("extension").value || 0) });
  }

  async step(step) {
    const name = byId("judge").value.trim();
    localStorage.setItem(JUDGE, name);
    const own = this.id;
    try {
      const { call } = await send(`/hall/calls/${encodeURIComponent(own)}/steps`, { ...step, name });
      if (own === this.id) this.show(call);
      setText(byId("call-said"), t("call_sent"));
      if (step.type === "rule") byId("extension").value = "0";
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("call-said"), problem.message);
    }
    this.changed();
  }
}

function lines(found, nothing) {
  return found.length ? found : [el("li", {}, nothing)];
}
