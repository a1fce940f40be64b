// Small pictures of figures that were taught; who was not has none.

import { ask, Refused } from "../shell/api.js";
import { el } from "../shell/dom.js";

/** The names of figures and kinds that have a picture; fetched once, for a set-up changes with a new page. */
let known = new Set();

/** Learns who has a picture, before the first list is drawn. */
export async function learnPortraits() {
  try {
    known = new Set((await ask("/portraits")).names);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
  }
}

/** The picture of a figure, by its own name or its kind's; null where there is none. */
export function portrait(id) {
  const kind = id.replace(/[-~]\d+$/, "");
  const name = [id, kind].find((one) => known.has(one));
  return name ? el("img", { class: "portrait", src: `/api/v1/portraits/${encodeURIComponent(name)}`, alt: "", loading: "lazy" }) : null;
}
