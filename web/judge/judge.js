// Judges at the table: one tap calls, everybody sees the frozen state, a judge rules.

import { ask, newName, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { showBand } from "./band.js";
import { clock, frozenRuling } from "./frozen.js";
import { Moments } from "./moments.js";

const ROOT = "/api/v1";

export class JudgeView {
  /**
   * @param {Record<string, any>} page  look() shows this view, playOn() the turn; tell(words, by) makes a ruling the
   *   latest news, note(text) other news; each is null if this table has none
   */
  constructor({ look, playOn, tell, note }) {
    this.look = look;
    this.playOn = playOn;
    this.tell = tell;
    this.note = note;
    this.call = null;
    this.waiting = null;
    this.heard = 0;
    this.moments = new Moments("/calls", (problem) => this.trouble(problem));
    this.rows = new Rows(byId("calls"), (one) => this.row(one));
    this.earlier = new Rows(byId("calls-earlier"), (one) => this.row(one));
    this.pending = new Map();
    byId("calling").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await this.step("call", "/calls/new", { question: byId("judge-question").value.trim() })) byId("judge-question").value = "";
    });
    byId("call-look").addEventListener("click", () => this.showWaiting());
    this.onForm("appeal-form", () => ["appeal", { grounds: byId("appeal-grounds").value }], () => (byId("appeal-fold").open = false));
    this.onForm("ruling-form", () => ["ruling", rulingWords("")], () => this.ruled());
    for (const meaning of ["before", "none"]) {
      document.getElementById(`empty-${meaning}`)?.addEventListener("click", async () => {
        if (await this.step("ruling", `/calls/${this.call.id}/ruling`, rulingWords(meaning))) this.ruled();
      });
    }
    this.onTap("speak-ruling", "speech");
    this.onTap("close-call", "closing");
    this.onTap("withdraw-call", "withdrawal");
    byId("spoken-heard").addEventListener("click", () => (byId("spoken").hidden = true));
  }

  async showWaiting() {
    this.look();
    if (this.waiting) await this.show(this.waiting.id);
  }

  onForm(id, words, done) {
    const form = /** @type {HTMLFormElement} */ (document.getElementById(id));
    form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const [step, body] = words();
      if (await this.step(step, `/calls/${this.call.id}/${step}`, body)) {
        form.reset();
        done();
      }
    });
  }

  /** After a ruling, fold its form. If people play on their own, they continue. */
  ruled() {
    /** @type {HTMLFormElement} */ (byId("ruling-form")).reset();
    byId("empty-asks").hidden = true;
    this.playOn?.();
  }

  onTap(id, step) {
    document.getElementById(id)?.addEventListener("click", () => this.step(step, `/calls/${this.call.id}/${step}`, {}));
  }

  /** Take a step. A retry after a failure keeps its name, so that it counts once. */
  async step(kind, path, body) {
    const key = JSON.stringify([path, body]);
    if (!this.pending.has(key)) this.pending.set(key, `${kind}-${newName()}`);
    try {
      const call = await send(path, { id: this.pending.get(key), ...body });
      this.pending.delete(key);
      this.trouble(null);
      this.open(call);
      await this.refresh();
      return true;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (problem.status >= 400 && problem.status < 500) this.pending.delete(key);
      if (problem.kind === "AsBeforeOrNone") this.askEmpty(problem);
      else this.trouble(problem);
      return false;
    }
  }

  /** A field filled by the previous ruling is empty: ask whether its penalty stays. */
  askEmpty(problem) {
    setText(byId("empty-question"), problem.message);
    byId("empty-asks").hidden = false;
    byId("empty-before").focus();
  }

  /** Handle news from the desk: about the round, or a judge on the way. */
  async heardDesk() {
    await this.refresh();
    if (this.call) await this.show(this.call.id);
  }

  /** Handle a change of a call, made here or elsewhere. */
  async news({ id, type, seq, ruling }) {
    const isNew = seq > this.heard;
    this.heard = Math.max(this.heard, seq);
    if (isNew && (type === "spoken" || (type === "ruled" && !this.tell))) {
      setText(byId("spoken-words"), ruling);
      byId("spoken").hidden = false;
    }
    await this.refresh();
    if (isNew && type === "ruled") this.tell?.(ruling, this.calls.find((one) => one.id === id)?.ruled_by ?? "");
    const waitsHere = this.call?.id === id && this.call.state === "open" && !byId("view-judge").hidden;
    if (this.call?.id === id && this.call.seq < seq) await this.show(id);
    if (!isNew || type !== "closed") return;
    this.note?.(t("call_settled"));
    if (waitsHere && !document.getElementById("close-call")) this.playOn?.(); // settled without a ruling: nothing to read there
  }

  async refresh() {
    try {
      const { calls, fingerprint, waiting, waiting_count: waitingCount, is_kept: isKept } = await ask("/calls");
      this.calls = calls;
      this.waiting = waiting;
      byId("call-judge").disabled = !isKept;
      byId("calling").classList.toggle("called", waiting !== null);
      setText(byId("fingerprint"), fingerprint);
      byId("call-badge").hidden = waitingCount === 0;
      setText(byId("call-badge"), String(waitingCount));
      showBand(waiting);
      const rows = calls.map((call) => ({ key: call.id, ...call, isOpen: call.id === this.call?.id }));
      const now = rows.filter(({ is_earlier: isEarlier }) => !isEarlier);
      this.rows.show(now);
      byId("calls").hidden = now.length === 1 && now[0].isOpen; // the call itself is enough
      this.earlier.show(rows.filter(({ is_earlier: isEarlier }) => isEarlier));
      byId("earlier-fold").hidden = now.length === rows.length;
      if (!this.call && waiting && !byId("view-judge").hidden) await this.show(waiting.id);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem);
    }
  }

  row({ id, state, state_name: stateName, opened_t: openedT, opened_by: openedBy, question, ruling, way, reached, isOpen }) {
    const words = el("span", {}, [clock(openedT), openedBy].filter(Boolean).join(" · "), el("small", {}, way || reached || ruling || question));
    const button = el("button", { type: "button", class: `call-row ${state}`, "aria-pressed": String(isOpen) }, el("b", {}, stateName), words);
    button.addEventListener("click", () => this.show(id));
    return el("li", {}, button);
  }

  async show(id) {
    try {
      this.open(await ask(`/calls/${encodeURIComponent(id)}`));
      await this.refresh();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem);
    }
  }

  open(call) {
    const isOther = this.call?.id !== call.id;
    this.call = call;
    byId("call").hidden = false;
    setText(byId("call-title"), `${call.state_name} · ${clock(call.opened_t)}`);
    setText(byId("call-way"), call.way);
    setText(byId("call-reached"), call.reached);
    byId("call-facts").replaceChildren(...facts(call.facts.filter((one) => !one.is_aside)));
    byId("call-asides").replaceChildren(...facts(call.facts.filter((one) => one.is_aside)));
    this.offer(call);
    if (isOther && document.getElementById("empty-asks")) byId("empty-asks").hidden = true;
    const place = `${ROOT}/calls/${call.id}`;
    const language = `?lang=${document.documentElement.lang}`;
    byId("evidence-zip").href = `${place}/evidence.zip`;
    byId("evidence-pdf").href = `${place}/report.pdf${language}`;
    byId("evidence-page").href = `${place}/report.html${language}`;
    if (isOther) {
      byId("call").classList.toggle("unpictured", !call.pictures.length);
      for (const fold of ["call-more", "usual-rules"]) byId(fold).removeAttribute("open");
      this.moments.show(call);
      byId("frozen-rulings").replaceChildren(...call.rulings.map((one) => frozenRuling(one, () => this.moments.showRuling(one))));
      if (!call.rulings.length) byId("frozen-rulings").replaceChildren(el("li", {}, t("judge_no_rulings")));
      byId("by-hand-part").hidden = !call.corrections.length;
      list("by-hand", call.corrections.map(({ t: doneT, text }) => `${clock(doneT)} · ${text}`), "");
      const [usual, own] = [true, false].map((isUsual) => call.options.filter((one) => one.is_usual === isUsual));
      byId("in-force").replaceChildren(...facts(usual));
      byId("in-force-own").replaceChildren(...facts(own));
      byId("own-rules").hidden = !own.length;
      byId("usual-rules").hidden = !usual.length;
      setText(byId("usual-count"), t("judge_usual_rules", { count: usual.length }));
      list("last-steps", [...call.events].reverse(), t("judge_no_steps"));
    }
  }

  /** Offer the possible steps for the call's state. */
  offer({ state, ruling, is_own: isOwn }) {
    showIf("withdraw-call", state === "open" && isOwn);
    const waits = state === "open" || state === "appealed";
    showIf("ruling-fold", state !== "closed");
    showIf("ruling-again", !waits);
    showIf("to-turn", !waits);
    const fold = /** @type {HTMLDetailsElement} */ (document.getElementById("ruling-fold"));
    if (fold && this.offered !== `${this.call.id} ${state}`) fold.open = waits;
    this.offered = `${this.call.id} ${state}`;
    showIf("appeal-fold", state === "ruled");
    showIf("speak-ruling", state === "ruled" && ruling !== "");
    showIf("close-call", state === "open" || state === "ruled");
    const close = document.getElementById("close-call");
    if (close) setText(close, t(state === "open" ? "judge_settled" : "judge_close"));
  }

  trouble(problem) {
    byId("judge-trouble").hidden = problem === null;
    byId("judge-trouble").textContent = problem?.message ?? "";
  }
}

function rulingWords(empty) {
  return {
    empty,
    ruling: byId("ruling-words").value,
    disputed: byId("ruling-disputed").value,
    reason: byId("ruling-reason").value,
    penalty: byId("ruling-penalty").value,
    extension_s: byId("ruling-minutes").value === "" ? null : Math.round(Number(byId("ruling-minutes").value) * 60) || 0,
  };
}

function showIf(id, isShown) {
  const place = document.getElementById(id);
  if (place) place.hidden = !isShown;
}

/** Name and value pairs for a description list. */
function facts(pairs) {
  return pairs.map(({ name: label, value, t: atT }) => el("div", {}, el("dt", {}, label), el("dd", {}, atT ? clock(atT) : value)));
}

function list(id, lines, nothing) {
  byId(id).replaceChildren(...(lines.length ? lines : [nothing]).map((line) => el("li", {}, line)));
}
