// A frozen picture with its overlays and its rulings, at the table and at the desk.

import { el, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** The board's part of a picture, with the board as read and marks in picture pixels. */
export function frozenPicture({ picture, width_px: width, height_px: height, focus, edges, figures }, marks) {
  const barriers = edges.map(({ ends: [x1, y1, x2, y2], kind }) => svg("line", { class: `edge ${kind.replace(" ", "-")}`, x1, y1, x2, y2 }));
  const size = focus[2] / 36;
  const names = figures.map(({ name, at: [x, y] }) => svg("text", { class: "who", x, y: y - size, "font-size": size, "text-anchor": "middle" }, name));
  const image = svg("image", { href: picture, width, height, preserveAspectRatio: "none" });
  return svg("svg", { class: "frozen-picture", viewBox: focus.join(" "), role: "img", "aria-label": t("judge_picture") }, image, ...barriers, ...marks, ...names);
}

/** A ruling's lines, free ones solid and blocked ones dashed, and a ring round each figure. */
export function rulingMarks(ruling, { focus }) {
  const lines = ruling.lines.map(({ ends: [x1, y1, x2, y2], is_free: isFree }) => svg("line", { class: isFree ? "line free" : "line stopped", x1, y1, x2, y2 }));
  const rings = ruling.figures.map(([cx, cy], i) => svg("circle", { class: i ? "mark to" : "mark from", cx, cy, r: focus[2] / 50 }));
  return [...lines, ...rings];
}

/** A ruling as a row. A tap shows it on its picture and unfolds its reasons. */
export function frozenRuling(one, onTap) {
  const words = el("span", {}, `${one.attacker} → ${one.defender} · ${t("stability", { percent: one.stability })}`);
  const row = el("button", { type: "button", class: `frozen-ruling ${one.verdict}` }, el("b", {}, one.headline), words);
  row.addEventListener("click", onTap);
  const reasons = el("ul", {}, ...one.reasons.map((reason) => el("li", {}, reason)));
  return el("li", {}, row, el("details", { class: "options" }, el("summary", {}, t("reasons")), reasons));
}

/** The local time of day, with the date if it is not today. */
export function clock(t_ms) {
  const [at, language] = [new Date(t_ms), document.documentElement.lang === "xx" ? "en" : document.documentElement.lang];
  const time = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return at.toDateString() === new Date().toDateString() ? time : `${at.toLocaleDateString(language, { day: "numeric", month: "short" })}, ${time}`;
}
