// The band over every view of every device while a call waits for a judge.

import { ask, Refused } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { setText } from "../shell/steady.js";

/** Show the waiting call from `/calls`, or nothing. */
export function showBand(waiting) {
  byId("call-band").hidden = !waiting;
  setText(byId("call-band-text"), waiting?.text ?? "");
  setText(byId("call-band-words"), waiting?.words ?? "");
  setText(byId("call-band-clocks"), waiting?.clocks ?? "");
}

let asked = 0;

/** Ask whether a call waits, for the big screen without a judges' view. The later question's answer wins. */
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
