// The page's sentences in the reader's language, as the server sent them.

import { byId } from "./dom.js";

const TEXTS = JSON.parse(byId("texts").textContent);

/** The sentence of that name with its {named} places filled in. */
export function t(name, values = {}) {
  const text = TEXTS[name];
  if (text === undefined) throw new Error(`no sentence is called “${name}”`);
  return text.replace(/\{(\w+)\}/g, (place, key) => (key in values ? String(values[key]) : place));
}
