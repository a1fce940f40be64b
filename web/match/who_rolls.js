// Who rolls in this match, the program or people: said once on this device, changed in the menu.

import { byId } from "../shell/dom.js";

const KEPT = "sightline-rolls";

export class WhoRolls {
  /** @param {import("./match.js").Match} match  the match that is played */
  constructor(match) {
    this.match = match;
    byId("rolls").addEventListener("change", () => this.keep(byId("rolls").value));
    match.show(() => (byId("rolls").value = this.kept));
  }

  /** “program”, “own”, or nothing while nobody has said it for this match. */
  get kept() {
    const [match, who] = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return match === this.match.document.view.match.id ? who : "";
  }

  keep(who) {
    localStorage.setItem(KEPT, JSON.stringify([this.match.document.view.match.id, who]));
    byId("rolls").value = who;
  }
}
