// Small pictures of taught figures. Untaught figures have none.

import { ask, Refused } from "../shell/api.js";
import { el } from "../shell/dom.js";

/** Names of figures and kinds with a picture. They are fetched once, since a new set-up loads a new page. */
let known = new Set();

/** Fetch the names with a picture, before the first list is drawn. */
export async function learnPortraits() {
  try {
    known = new Set((await ask("/portraits")).names);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
  }
}

/** A figure's picture, by its own name or its kind's, or null. */
export function portrait(id) {
  const kind = id.replace(/[-~]\d+$/, "");
  const name = [id, kind].find((one) => known.has(one));
  return name ? el("img", { class: "portrait", src: `/api/v1/portraits/${encodeURIComponent(name)}`, alt: "", loading: "lazy" }) : null;
}
