// The public view, delayed behind the games.

import { ask, Refused } from "../shell/api.js";
import { byId, el, takesTaps } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { Rounds } from "./rounds.js";

const LOOK_MS = 10_000;
const shown = new Rounds(byId("rounds"), { isJudge: false, changed: () => undefined });

async function look() {
  try {
    const { delay_s, rounds } = await ask("/public");
    setText(byId("delay"), delay_s ? t("public_delay", { minutes: Math.round(delay_s / 60) }) : "");
    shown.show(rounds);
    byId("troubles").replaceChildren();
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    byId("troubles").replaceChildren(el("p", {}, problem.message));
  }
  setTimeout(look, LOOK_MS);
}

await look();
takesTaps();
