// The band over every view of every device while a call waits for a judge.

import { ask, Refused } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { setText } from "../shell/steady.js";

/** Shows the call that waits, as `/calls` tells it; nothing where none waits. */
export function showBand(waiting) {
  byId("call-band").hidden = !waiting;
  setText(byId("call-band-text"), waiting?.text ?? "");
  setText(byId("call-band-words"), waiting?.words ?? "");
  setText(byId("call-band-clocks"), waiting?.clocks ?? "");
}

let asked = 0;

/** Asks whether a call waits; for the big screen, which has no view of the judges. Of two answers the later question's counts. */
export async function refreshBand() {
  asked += 1;
  const question = asked;
  try {
    const { waiting } = await ask("/calls");
    if (question === asked) showBand(waiting);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem; // the next news asks again
  }
}
