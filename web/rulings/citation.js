// The rule behind a sentence: where it stands, and what it says in words of our own.

import { el } from "../shell/dom.js";

/** @param {{source: string, says?: string}} reason */
export function citation({ source, says }) {
  return source ? el("cite", {}, el("b", {}, source), says && el("span", { class: "says" }, says)) : null;
}
