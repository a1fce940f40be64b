// Judges at the table: one tap calls, everybody sees what was frozen, a judge rules.

import { ask, newName, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { frozenRuling } from "./frozen.js";
import { Moments } from "./moments.js";

const ROOT = "/api/v1";

export class JudgeView {
  constructor() {
    this.call = null;
    this.heard = 0;
    this.moments = new Moments("/calls", (problem) => this.trouble(problem));
    this.rows = new Rows(byId("calls"), (one) => this.row(one));
    this.pending = new Map();
    byId("call-judge").addEventListener("click", () => this.step("call", "/calls/new", {}));
    this.onForm("appeal-form", () => ["appeal", { grounds: byId("appeal-grounds").value }]);
    this.onForm("ruling-form", () => ["ruling", rulingWords("")]);
    for (const meaning of ["before", "none"]) {
      document.getElementById(`empty-${meaning}`)?.addEventListener("click", async () => {
        if (await this.step("ruling", `/calls/${this.call.id}/ruling`, rulingWords(meaning))) this.ruled();
      });
    }
    this.onTap("speak-ruling", "speech");
    this.onTap("close-call", "closing");
    byId("spoken-heard").addEventListener("click", () => (byId("spoken").hidden = true));
  }

  onForm(id, words) {
    const form = /** @type {HTMLFormElement} */ (document.getElementById(id));
    form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      const [step, body] = words();
      if (await this.step(step, `/calls/${this.call.id}/${step}`, body)) form.reset();
    });
  }

  /** The ruling is taken: nothing is asked any more. */
  ruled() {
    /** @type {HTMLFormElement} */ (byId("ruling-form")).reset();
    byId("empty-asks").hidden = true;
  }

  onTap(id, step) {
    document.getElementById(id)?.addEventListener("click", () => this.step(step, `/calls/${this.call.id}/${step}`, {}));
  }

  /** Takes a step; sent again after a failure it has the same name, so that it is never taken twice. */
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

  /** A field that the ruling before filled is empty: does its penalty stay? */
  askEmpty(problem) {
    setText(byId("empty-question"), problem.message);
    byId("empty-asks").hidden = false;
    byId("empty-before").focus();
  }

  /** The desk has told this table something: of its round, or of a judge on the way. */
  async heardDesk() {
    await this.refresh();
    if (this.call) await this.show(this.call.id);
  }

  /** Something was done with a call, here or elsewhere. */
  async news({ id, type, seq, ruling }) {
    if (type === "spoken" && seq > this.heard) {
      this.heard = seq;
      setText(byId("spoken-words"), ruling);
      byId("spoken").hidden = false;
    }
    await this.refresh();
    if (this.call?.id === id && this.call.seq < seq) await this.show(id);
  }

  async refresh() {
    try {
      const { calls, fingerprint, is_kept: isKept } = await ask("/calls");
      byId("call-judge").disabled = !isKept;
      setText(byId("fingerprint"), fingerprint);
      const waiting = calls.filter(({ state }) => state === "open" || state === "appealed").length;
      byId("call-badge").hidden = waiting === 0;
      setText(byId("call-badge"), String(waiting));
      this.rows.show(calls.map((call) => ({ key: call.id, ...call, isOpen: call.id === this.call?.id })));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem);
    }
  }

  row({ id, state, state_name: stateName, opened_t: openedT, opened_by: openedBy, ruling, way, reached, isOpen }) {
    const words = el("span", {}, `${clock(openedT)} · ${openedBy}`, el("small", {}, way || reached || ruling));
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
    byId("call-facts").replaceChildren(...facts(call.facts));
    this.offer(call);
    if (isOther && document.getElementById("empty-asks")) byId("empty-asks").hidden = true;
    const place = `${ROOT}/calls/${call.id}`;
    const language = `?lang=${document.documentElement.lang}`;
    byId("evidence-zip").href = `${place}/evidence.zip`;
    byId("evidence-pdf").href = `${place}/report.pdf${language}`;
    byId("evidence-page").href = `${place}/report.html${language}`;
    if (isOther) {
      this.moments.show(call);
      byId("frozen-rulings").replaceChildren(...call.rulings.map((one) => frozenRuling(one, () => this.moments.showRuling(one))));
      if (!call.rulings.length) byId("frozen-rulings").replaceChildren(el("li", {}, t("judge_no_rulings")));
      list("by-hand", call.corrections, t("judge_by_hand_none"));
      byId("in-force").replaceChildren(...facts(call.options));
      list("last-steps", call.events, t("judge_no_steps"));
    }
  }

  /** What may be done with the call as it stands. */
  offer({ state, ruling }) {
    showIf("ruling-form", state !== "closed");
    showIf("appeal-form", state === "ruled");
    showIf("speak-ruling", state === "ruled" && ruling !== "");
    showIf("close-call", state === "open" || state === "ruled");
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

/** Names with what they say, for a description list. */
function facts(pairs) {
  return pairs.map(({ name: label, value }) => el("div", {}, el("dt", {}, label), el("dd", {}, value)));
}

function list(id, lines, nothing) {
  byId(id).replaceChildren(...(lines.length ? lines : [nothing]).map((line) => el("li", {}, line)));
}

/** The time of day in the reader's place. */
export function clock(t_ms) {
  return new Date(t_ms).toLocaleTimeString(document.documentElement.lang === "xx" ? "en" : document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}
