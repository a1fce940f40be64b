// The end that people declare: who has won, asked once more before it is so, then the story.

import { byId, el } from "../shell/dom.js";

export class EndMatch {
  /**
   * @param {import("./match.js").Match} match    the match that is ended
   * @param {function} tell  shows the story, once the match is over
   */
  constructor(match, tell) {
    this.match = match;
    this.tell = tell;
    this.dialog = byId("end-match");
    byId("end-match-cancel").addEventListener("click", () => this.dialog.close());
    byId("end-match-form").addEventListener("change", () => this.allow());
    byId("end-match-form").addEventListener("submit", (event) => this.end(event));
  }

  open() {
    const { view } = this.match.document;
    const sides = [...new Set(view.figures.map(({ side }) => side))];
    byId("end-match-sides").replaceChildren(...sides.map((side) => this.choice(side)));
    this.match.trouble(null);
    this.allow();
    this.dialog.showModal();
  }

  /** The button waits for a winner. */
  allow() {
    byId("end-match-do").disabled = !new FormData(byId("end-match-form")).has("winner");
  }

  choice(side) {
    return el("label", { class: "check" }, el("input", { type: "radio", name: "winner", value: side, required: true }), ` ${this.match.name(side)}`);
  }

  async end(event) {
    event.preventDefault();
    const winner = new FormData(byId("end-match-form")).get("winner");
    if (!(await this.match.give({ type: "declare", winner, ending: byId("end-match-why").value.trim() }))) return;
    this.dialog.close();
    this.tell();
  }
}
