// A judge's open call: the question, earlier rulings, and the words for the table.

import { clock, frozenPicture, frozenRuling, rulingMarks } from "../judge/frozen.js";
import { Moments } from "../judge/moments.js";
import { ask, newName, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { PenaltyList, pastPenalties } from "./penalties.js";

const FIELDS = ["disputed", "ruling", "reason", "penalty"];
const JUDGE = "sightline-judge";
const MORE_MS = 400;
const MANY = 4; // open calls of one table from which all close at once
const ROOT = "/api/v1/hall/calls";

export class CallView {
  /** @param {() => void} changed  called when the hall must be fetched again */
  constructor(changed) {
    this.changed = changed;
    this.id = null;
    this.seq = 0;
    this.claim = "";
    this.table = "";
    this.penalties = new PenaltyList();
    this.moments = new Moments("/hall/calls", (problem) => setText(byId("call-said"), problem.message));
    byId("judge").value ||= localStorage.getItem(JUDGE) ?? ""; // somebody may type before this runs
    byId("ruling-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.rule("");
    });
    for (const meaning of /** @type {const} */ (["before", "none"])) byId(`empty-${meaning}`).addEventListener("click", () => this.rule(meaning));
    byId("extension").addEventListener("input", () => (this.isTyped = true));
    this.sent = { what: "", id: "" };
    byId("speak").addEventListener("click", () => this.step({ type: "speak" }));
    byId("close-call").addEventListener("click", () => this.step({ type: "close" }));
    byId("close-all").addEventListener("click", () => this.closeAll());
    byId("to-ruling").addEventListener("click", () => byId("ruling").focus());
    for (const button of document.querySelectorAll("[data-quick]")) {
      button.addEventListener("click", () => (byId("ruling").value = button.textContent)); // a ruling by taps alone
    }
    byId("claim").addEventListener("click", () => this.take("claim"));
    byId("take-over").addEventListener("click", () => this.take("take over"));
    byId("let-go").addEventListener("click", () => this.take("let go"));
    byId("escalate").addEventListener("click", () => this.take("escalate"));
  }

  /** Keep the first name that this device has given. */
  async learnName() {
    try {
      const { name } = await ask("/me");
      if (name) byId("judge").value = name;
      byId("judge").readOnly = Boolean(name);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    }
  }

  async open(id) {
    this.id = id;
    this.seq = 0;
    const judge = byId("judge").value;
    byId("ruling-form").reset();
    byId("judge").value = judge;
    this.isTyped = false;
    this.penalties.clear();
    setText(byId("call-said"), "");
    byId("empty-asks").hidden = true;
    await this.ask();
    byId("call-title").focus({ preventScroll: true });
    byId("call-title").scrollIntoView({ block: "start", behavior: "instant" }); // on a phone it is far below the list
  }

  /** Fetch anew if the open call has changed, or somebody is on the way. */
  refresh(calls) {
    const now = calls.find((call) => call.id === this.id);
    if (this.id && ((now?.seq ?? -1) !== this.seq || (now && claimKey(now) !== this.claim))) this.ask();
    if (now) this.propose(now);
    this.table = now?.table ?? "";
    byId("close-all").hidden = calls.filter(({ table }) => table === this.table).length < MANY;
    setText(byId("close-all"), t("call_close_all", { table: this.table }));
  }

  async ask() {
    try {
      const { call, pictures, report, facts, history } = await ask(`/hall/calls/${encodeURIComponent(this.id)}`);
      if (call.id !== this.id) return;
      this.show(call, facts);
      this.penalties.offer(call.players);
      byId("history").replaceChildren(...pastPenalties(history));
      this.showFrozen(pictures, report);
      if (report) await this.moments.show({ id: call.id, opened_t: call.opened_t, pictures: report.pictures });
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("call-said"), problem.message);
    }
  }

  /** Handle further frozen parts from the table. One fetch serves for all that arrive together. */
  more(id) {
    clearTimeout(this.coming);
    if (id === this.id) this.coming = setTimeout(() => this.ask(), MORE_MS);
  }

  show(call, facts) {
    this.seq = call.state === "closed" ? -1 : call.seq;
    this.claim = claimKey(call);
    byId("call").hidden = false;
    setText(byId("call-title"), t("call_at", { table: call.table, state: t(`call_${call.state}`) }));
    setText(byId("call-players"), call.players.length ? t("call_players", { players: call.players.join(" – "), round: call.round }) : "");
    setText(byId("call-question"), call.question ? t("call_question", { question: call.question }) : "");
    if (facts) byId("call-facts").replaceChildren(...facts.map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    const isClosed = call.state === "closed";
    const judge = call.claim?.judge ?? "";
    const isMine = judge !== "" && judge === byId("judge").value.trim();
    byId("claims").hidden = isClosed || call.state === "ruled";
    byId("claim").hidden = judge !== "";
    byId("let-go").hidden = !isMine;
    byId("take-over").hidden = judge === "" || isMine;
    byId("escalate").hidden = Boolean(call.claim?.is_escalated);
    setText(byId("on-way"), [judge && t("call_way_of", { judge }), call.claim?.is_escalated && t("call_escalated")].filter(Boolean).join(" · "));
    byId("ruling-form").hidden = isClosed;
    byId("speak").disabled = call.state !== "ruled";
    byId("close-call").disabled = isClosed || call.state === "appealed";
    byId("ruling-form").querySelector(".main").disabled = isClosed;
    const place = `${ROOT}/${encodeURIComponent(call.id)}`;
    byId("evidence-zip").href = `${place}/evidence.zip`;
    byId("evidence-pdf").href = `${place}/report.pdf?lang=${document.documentElement.lang}`;
    this.propose(call);
  }

  /**
   * Propose the duration of the call as the time extension (IPG 1.1). A judge may type another one. After a ruling the
   * field shows the given extension, which the next ruling may raise or lower.
   */
  propose(call) {
    if (this.isTyped || call.state === "closed") return;
    const isRuled = call.state === "ruled";
    const minutes = Math.max(0, Math.min(240, Math.round((isRuled ? call.extension_s : call.waits_s) / 60)));
    if (byId("extension").value !== String(minutes)) byId("extension").value = String(minutes);
    setText(byId("proposed"), minutes && !isRuled ? t("call_proposed", { minutes }) : "");
  }

  /** Show the frozen parts, announced once. A table without words yet shows only its pictures. */
  showFrozen(pictures, report) {
    const needed = report?.pictures.filter((_, i) => i === report.pictures.length - 1 || report.rulings.some((one) => one.picture === i));
    const key = JSON.stringify([this.id, needed?.map(({ picture }) => picture) ?? pictures]);
    const place = byId("call-pictures");
    if (place.dataset.shown === key) return;
    place.dataset.shown = key;
    byId("frozen").hidden = byId("frozen-rulings").hidden = report === null;
    byId("evidence-pdf").hidden = byId("evidence-zip").hidden = report === null;
    if (report === null) {
      place.replaceChildren(...pictures.map((src) => el("img", { src, alt: t("call_picture"), loading: "lazy" })));
      return;
    }
    const ruling = report.rulings.findLast((one) => report.pictures[one.picture].picture);
    const moment = report.pictures.findLast((picture) => picture.picture);
    if (ruling) this.showRuling(report, ruling);
    else place.replaceChildren(...(moment ? [frozenPicture(moment, [])] : []));
    byId("frozen-rulings").replaceChildren(...lines(report.rulings.map((one) => frozenRuling(one, () => this.showRuling(report, one))), t("judge_no_rulings")));
    byId("by-hand").replaceChildren(...lines(report.corrections.map(({ t: doneT, text }) => el("li", {}, `${clock(doneT)} · ${text}`)), t("judge_by_hand_none")));
    byId("last-steps").replaceChildren(...lines(report.events.map((one) => el("li", {}, one)), t("judge_no_steps")));
    byId("in-force").replaceChildren(...report.options.map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  }

  /** Show a ruling on its picture, with the moment itself beside it if that is another picture. */
  showRuling(report, one) {
    const asked = report.pictures[one.picture];
    const moment = report.pictures.at(-1);
    const shown = asked.picture ? [frozenPicture(asked, rulingMarks(one, asked))] : [];
    if (moment !== asked && moment.picture) shown.push(frozenPicture(moment, []));
    byId("call-pictures").replaceChildren(...shown);
  }

  rule(empty) {
    const words = Object.fromEntries(FIELDS.map((name) => [name, /** @type {HTMLTextAreaElement} */ (byId(name)).value]));
    return this.step({ type: "rule", seq: this.seq, ...words, empty, penalties: this.penalties.given, extension_s: 60 * Number(byId("extension").value || 0) });
  }

  async step(step) {
    const name = this.name();
    const own = this.id;
    const what = JSON.stringify([own, step]);
    // repeating a step after a lost answer is one step
    if (this.sent.what !== what) this.sent = { what, id: newName() };
    try {
      const { call } = await send(`/hall/calls/${encodeURIComponent(own)}/steps`, { ...step, name, id: this.sent.id });
      byId("empty-asks").hidden = true;
      this.sent = { what: "", id: "" };
      if (step.type === "rule") {
        this.isTyped = false;
        this.penalties.clear();
      }
      if (own === this.id) {
        this.show(call);
        await this.ask();
      }
      setText(byId("call-said"), t(call.closed_here ? "call_closed_here" : "call_sent"));
      this.learnName();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (!["SilentTable", "Unreachable"].includes(problem.kind)) this.sent = { what: "", id: "" };
      byId("empty-asks").hidden = problem.kind !== "AsBeforeOrNone";
      setText(byId(problem.kind === "AsBeforeOrNone" ? "empty-question" : "call-said"), problem.message);
      if (problem.kind === "AsBeforeOrNone") byId("empty-before").focus();
    }
    this.changed();
  }

  async closeAll() {
    const { table } = this;
    try {
      const { count } = await send(`/hall/tables/${encodeURIComponent(table)}/closing`, { name: this.name() });
      setText(byId("call-said"), t("calls_closed", { table, count }));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("call-said"), problem.message);
    }
    this.changed();
  }

  /** Claim the call. With five judges, two must not run to one. */
  async take(type) {
    try {
      await send(`/hall/calls/${encodeURIComponent(this.id)}/claim`, { type, name: this.name() });
      setText(byId("call-said"), "");
      await this.learnName();
      await this.ask();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      setText(byId("call-said"), problem.message);
      if (problem.kind === "Nameless") byId("judge").focus();
    }
    this.changed();
  }

  name() {
    const name = byId("judge").value.trim();
    localStorage.setItem(JUDGE, name);
    return name;
  }
}

function claimKey({ claim }) {
  return JSON.stringify(claim);
}

function lines(found, nothing) {
  return found.length ? found : [el("li", {}, nothing)];
}
