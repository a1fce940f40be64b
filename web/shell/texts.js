// The page's sentences in the reader's language, sent by the server.

import { byId } from "./dom.js";

const TEXTS = JSON.parse(byId("texts").textContent);

/** A number in the page language's format, with a decimal comma where customary. */
export function number(value, least = 0, most = Math.max(least, 3)) {
  const shape = { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: false };
  return new Intl.NumberFormat(document.documentElement.lang, shape).format(value);
}

/** Whole per cent. A possible event is never 0, a possible failure never 100. */
export function percent(chance) {
  if (chance === 0 || chance === 1) return `${chance * 100}\u00a0%`;
  return chance < 0.005 ? "<\u00a01\u00a0%" : chance > 0.995 ? ">\u00a099\u00a0%" : `${Math.round(chance * 100)}\u00a0%`;
}

/** The sentence of that name with its {named} places filled in. */
export function t(name, values = {}) {
  const text = TEXTS[name];
  if (text === undefined) throw new Error(`no sentence is called “${name}”`);
  return text.replace(/\{(\w+)\}/g, (place, key) => (key in values ? said(values[key]) : place));
}

/** An elapsed time in words. */
export function minutesAgo(seconds) {
  const minutes = Math.max(0, Math.round(seconds / 60));
  return minutes ? t("minutes_ago", { minutes }) : t("just_now");
}

const said = (value) => (typeof value === "number" ? number(value) : String(value));
