// The call that a judge has open: what was asked, what was ruled, and the words for the table.

import { ask, Refused, send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const FIELDS = ["disputed", "ruling", "reason", "penalty"];
const JUDGE = "sightline-judge";

export class CallView {
  /** @param {function(): void} changed  is told when the hall has to be asked anew */
  constructor(changed) {
    this.changed = changed;
    this.id = null;
    this.seq = 0;
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
  }

  /** Asks anew when the open call has gone on. */
  refresh(calls) {
    const now = calls.find((call) => call.id === this.id);
    if (this.id && (now?.seq ?? -1) !== this.seq) this.ask();
  }

  async ask() {
    const { call, pictures } = await ask(`/hall/calls/${encodeURIComponent(this.id)}`);
    if (call.id !== this.id) return;
    this.show(call);
    this.showPictures(pictures);
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

  showPictures(names) {
    const root = `/api/v1/hall/calls/${encodeURIComponent(this.id)}/pictures/`;
    const place = byId("call-pictures");
    if (place.dataset.shown === root + names.join()) return;
    place.dataset.shown = root + names.join();
    const alt = t("call_picture");
    place.replaceChildren(...names.map((name) => el("img", { src: root + encodeURIComponent(name), alt, loading: "lazy" })));
  }

  rule() {
    const words = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value]));
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
