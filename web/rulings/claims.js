// Two claims side by side: "there is cover", "there is none". The verdict, and the house option that would make the
// other true.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** The claims about cover if the answer got that far, else about sight, fetched on demand. */
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
