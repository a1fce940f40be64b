// What everybody may see, behind the games.

import { ask, Refused } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { drawRounds } from "./rounds.js";

const LOOK_MS = 10_000;

async function look() {
  try {
    const { delay_s, rounds } = await ask("/public");
    setText(byId("delay"), delay_s ? t("public_delay", { minutes: Math.round(delay_s / 60) }) : "");
    drawRounds(byId("rounds"), rounds, { isJudge: false, changed: () => undefined });
    byId("troubles").replaceChildren();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("troubles").replaceChildren(el("p", {}, problem.message));
  }
  setTimeout(look, LOOK_MS);
}

await look();
takesTaps();
