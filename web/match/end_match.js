// The declared end: the winner, one confirmation, then the story.

import { byId, el } from "../shell/dom.js";
import { IS_OWNER } from "../people/own_rights.js";
import { t } from "../shell/texts.js";

export class EndMatch {
  /**
   * @param {import("./match.js").Match} match    the match to end
   * @param {function} tell  shows the story after the match
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
    const { mine } = this.match.document;
    const ends = IS_OWNER || mine === null ? [["", t("nobody_won")]] : []; // between two devices the host says so
    byId("end-match-sides").replaceChildren(...[...sides.map((side) => [side, this.match.name(side)]), ...ends].map(([side, words]) => choice(side, words)));
    this.match.trouble(null);
    this.allow();
    this.dialog.showModal();
  }

  /** The button waits for an answer. */
  allow() {
    byId("end-match-do").disabled = !new FormData(byId("end-match-form")).has("winner");
  }

  async end(event) {
    event.preventDefault();
    const winner = new FormData(byId("end-match-form")).get("winner");
    if (!(await this.match.give({ type: "declare", winner, ending: byId("end-match-why").value.trim() }))) return;
    this.dialog.close();
    this.tell();
  }
}

function choice(side, words) {
  return el("label", { class: "check" }, el("input", { type: "radio", name: "winner", value: side }), ` ${words}`);
}
