// The view from above beside the picture: the drawn board with the same lines, if the picture hides part of one.

import { ask, Refused, send } from "../shell/api.js";
import { svg } from "../shell/dom.js";
import { drawAnswer, drawScene, keepSize, markPair } from "../scene/draw.js";

const RIM = 0.05;

/** Draw an answer's board into a button. If it is no longer available, remove the button. */
export async function drawAbove(button, { shot, ruling: { attacker, defender, ruleset } }) {
  try {
    const question = { attacker, defender, ruleset, as_plan: true, is_follow_up: true };
    const [scene, card] = await Promise.all([ask(`/shots/${shot}?as=plan`), send(`/shots/${shot}/rulings`, question)]);
    draw(button, scene, card);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    button.remove();
  }
}

function draw(button, scene, card) {
  const board = svg("svg", { "aria-hidden": "true" });
  const groups = drawScene(board, scene, { pick: () => {}, focus: () => {} });
  drawAnswer(board, card);
  markPair(groups, card.attacker.id, card.defender.id);
  // The button takes the taps, so its contents are no buttons.
  for (const [figure] of groups.values()) for (const name of ["role", "tabindex", "data-figure", "aria-pressed"]) figure.removeAttribute(name);
  const [left, top, width, height] = scene.focus_px;
  const rim = RIM * Math.max(width, height); // names stand beside the board and under the lowest figure
  board.setAttribute("viewBox", [left - rim, top - rim, width + 2 * rim, height + 2 * rim].join(" "));
  button.prepend(board);
  // Labels keep their size on the screen. While the card is out of sight the board has none.
  const fit = () => board.clientWidth && keepSize(board, Math.max(width / board.clientWidth, height / board.clientHeight), scene.cells);
  new ResizeObserver(fit).observe(board);
}
