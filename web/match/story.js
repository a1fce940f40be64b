// The match's story: winner and score, turning points, each round's losses, and a replay with a slider.

import { ask, Refused } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { drawGround } from "./ground.js";
import { endingOf, wordWinner } from "./told.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

export class StoryView {
  /** @param {import("./match.js").Match} match  the match */
  constructor(match) {
    this.match = match;
    this.dialog = byId("story");
    this.entries = [];
    this.names = {};
    byId("story-close").addEventListener("click", () => this.dialog.close());
    for (const id of ["story-open", "story-of-end"]) byId(id).addEventListener("click", () => this.open());
    byId("replay-at").addEventListener("input", () => this.replay());
    byId("replay-before").addEventListener("click", () => this.go(Number(byId("replay-at").value) - 1));
    byId("replay-next").addEventListener("click", () => this.go(Number(byId("replay-at").value) + 1));
    match.show(({ view }) => this.showEnd(view));
  }

  /** After a win, put the link to the story in place of the next step. */
  showEnd({ winner }) {
    byId("story-of-end").hidden = winner === null;
    document.getElementById("play-again")?.toggleAttribute("hidden", winner === null);
  }

  async open() {
    byId("story-trouble").hidden = true;
    this.dialog.showModal();
    const [story, history] = await Promise.all([this.tell(ask("/match/story")), this.tell(ask("/match/history"))]);
    if (!story || !history) return;
    const { view } = this.match.document;
    setText(byId("story-winner"), view.winner !== null ? wordWinner(this.match) : t("story_open"));
    setText(byId("story-ending"), view.winner !== null ? endingOf(this.match) : "");
    const [score] = view.panels;
    byId("story-score").replaceChildren(...(score?.facts ?? []).map(({ name, value }) => el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value))));
    this.names = story.names; // including figures back in the box
    byId("moments").replaceChildren(...(story.moments.length ? story.moments.map((one) => this.moment(one)) : [el("li", { class: "nothing" }, t("story_quiet"))]));
    byId("rounds").replaceChildren(...story.rounds.map((round) => this.round(round)));
    this.entries = [{ seq: 0, title: t("story_begin") }, ...history.history.filter(({ done, by }) => done && by.role !== "camera")]; // as many as the rounds count
    byId("replay-at").max = String(this.entries.length - 1);
    this.go(this.entries.length - 1);
  }

  /** A turning point. A tap shows the table at that time. */
  moment({ seq, round, kind, title, figures, by }) {
    const names = figures.map((id) => this.names[id]).join(", ");
    const words = { fall: t("story_fall", { names }), blow: t("story_blow", { names }), end: t("story_end") }[kind];
    const button = el("button", { type: "button", class: `moment ${kind}` }, el("b", {}, words), el("span", {}, title), el("small", {}, [t("round", { round }), this.whoDid(by)].filter(Boolean).join(" · ")));
    button.addEventListener("click", () => {
      this.go(this.entries.findIndex((entry) => entry.seq === seq));
      byId("replay-picture").scrollIntoView({ block: "nearest", behavior: "smooth" });
    });
    return el("li", {}, button);
  }

  /** The author of a step by display name: no device number, and nobody for the shared tablet. */
  whoDid({ role, side, name }) {
    const who = role === "player" ? this.match.name(side) : role === "table" ? "" : t(`by_${role}`);
    return [who, name?.startsWith("#") ? "" : name].filter(Boolean).join(" · ");
  }

  round({ round, steps, losses }) {
    const rows = losses.map(({ side, fallen, harm, standing }) => el("li", {}, t("story_losses", { side: this.match.name(side), fallen, harm, standing })));
    return el("li", {}, el("b", {}, round ? t("round", { round }) : t("before_round")), " ", el("small", {}, t("story_steps", { count: steps })), el("ul", {}, ...rows));
  }

  go(place) {
    const at = Math.min(Math.max(place, 0), this.entries.length - 1);
    byId("replay-at").value = String(at);
    this.replay();
  }

  /** Show the table just after the slider's step. Of several quick changes, only the last. */
  async replay() {
    const at = Number(byId("replay-at").value);
    const entry = this.entries[at];
    if (!entry) return;
    const words = t("replay_step", { at, of: this.entries.length - 1, title: entry.title });
    setText(byId("replay-step"), words);
    byId("replay-at").setAttribute("aria-valuetext", words);
    this.wanted = entry.seq;
    const answer = await this.tell(ask(`/match/ground?at=${entry.seq}`));
    if (!answer || this.wanted !== entry.seq) return;
    const [, , width, height] = answer.ground?.box ?? [0, 0, 3, 2];
    const edge = answer.ground?.rim.length ? 1.2 * answer.ground.unit : 0;
    byId("replay-picture").style.setProperty("--ratio", String((width + edge) / (height + edge)));
    drawGround(byId("replay-picture"), answer.ground, () => undefined);
    for (const piece of byId("replay-picture").querySelectorAll(".piece")) {
      for (const name of ["role", "tabindex", "aria-label"]) piece.removeAttribute(name);
    }
  }

  async tell(answer) {
    try {
      return await answer;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      byId("story-trouble").hidden = false;
      setText(byId("story-trouble"), problem.message);
      return null;
    }
  }
}
