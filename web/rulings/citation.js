// The rule behind a sentence: its source, and its content in our own words.

import { el } from "../shell/dom.js";

/** @param {{source: string, says?: string}} reason */
export function citation({ source, says }) {
  return source ? el("cite", {}, el("b", {}, source), says && el("span", { class: "says" }, says)) : null;
}
