// Two claims side by side: "there is cover", "there is none"; which holds, and what the house would have to play for the other.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** The claims about cover where the answer has come to that, else about sight; asked only when somebody wants to know. */
export function claimsAbout(card, ask) {
  const about = card.ruling.cover === null ? "sight" : "cover";
  const place = el("div", { class: "claims" });
  const box = el("details", { class: "options", "data-acts": true }, el("summary", {}, t("claims")), place);
  box.addEventListener("toggle", async () => {
    if (!box.open || place.children.length) return;
    place.replaceChildren(...(await ask(about)).map(claim));
  });
  return box;
}

function claim({ words, answer, holds, under }) {
  const choices = under.map(({ text, source }) => el("li", {}, el("span", {}, text), el("cite", {}, source)));
  return el("div", { class: `claim ${holds ? "holds" : "fails"}` }, el("b", {}, words), el("p", {}, answer), choices.length > 0 && el("ul", { class: "reasons" }, ...choices));
}
