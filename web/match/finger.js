// A path drawn by finger from a figure: its cost is counted while drawing, and an impossible one is refused with the
// reason.

import { path, svg } from "../shell/dom.js";
import { number } from "../shell/texts.js";

const LEAST_BEND = 0.15;

export class Finger {
  /**
   * @param {SVGSVGElement} picture  the picture to draw on
   * @param {Record<string, any>} handlers         count(cells) asks for a path's cost, say(way) shows it, done(place,
   *   bends) ends the path
   */
  constructor(picture, handlers) {
    this.picture = picture;
    this.handlers = handlers;
    this.board = null;
    this.drew = false;
    picture.addEventListener("pointerdown", (event) => this.begin(event));
    picture.addEventListener("pointermove", (event) => this.pointer === event.pointerId && this.pass(event));
    picture.addEventListener("pointerup", (event) => this.pointer === event.pointerId && this.end(true));
    picture.addEventListener("pointercancel", (event) => this.pointer === event.pointerId && this.end(false));
  }

  /**
   * Draw paths on this board from now on: its `cells`, or the `unit` of a table without any, and the figure's `start`.
   * Null ends that.
   */
  lead(board) {
    this.board = board;
    this.pointer = null;
    this.picture.classList.toggle("draws", board !== null);
  }

  /** Whether a path is being drawn. */
  get isDrawing() {
    return Boolean(this.board) && this.pointer !== null;
  }

  begin(event) {
    this.drew = false;
    if (!this.board?.isStart(this.at(event))) return;
    this.pointer = event.pointerId;
    this.points = [this.board.start];
    this.drawn = [];
    this.way = null;
    this.picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  pass(event) {
    const at = this.at(event);
    if (this.board.cells) this.passSpace(this.board.cellAt(at));
    else this.passPoint(at);
  }

  passSpace(found) {
    if (!found || found.cell.join() === this.last?.join()) return;
    this.last = found.cell;
    const before = this.drawn.findIndex((cell) => cell.join() === found.cell.join());
    this.drawn = before < 0 ? [...this.drawn, found.cell] : this.drawn.slice(0, before + 1);
    this.count();
  }

  /** Each question is about the whole path, so only the newest answer is shown. */
  count() {
    const cells = this.drawn;
    this.counted = this.handlers.count(cells).then((way) => {
      if (way && cells === this.drawn) this.show(way);
    });
  }

  show(way) {
    this.way = way;
    const points = way.places.map((cells) => this.board.middle(cells));
    const refused = way.refusal === null ? null : this.board.middle([this.drawn.at(-1)]);
    this.draw(points, refused, String(way.cost));
    this.handlers.say(way);
  }

  passPoint(at) {
    if (Math.hypot(at[0] - this.points.at(-1)[0], at[1] - this.points.at(-1)[1]) < LEAST_BEND * this.board.unit) return;
    this.points.push(at);
    const length = this.points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - this.points[i][0], y - this.points[i][1]), 0);
    this.steps = length / this.board.unit;
    this.draw(this.points, null, number(this.steps, 1, 1));
    this.handlers.say({ steps: this.steps });
  }

  draw(points, refused, words) {
    this.clear();
    const { textPx } = this.board;
    const [x, y] = points.at(-1);
    const count = svg("text", { x, y: y - textPx * 0.9, "font-size": textPx, "stroke-width": textPx / 5, "text-anchor": "middle" }, words);
    const tail = refused && svg("path", { class: "no-way", d: path([points.at(-1), refused], false) });
    this.picture.append(svg("g", { class: "way", "aria-hidden": "true" }, svg("path", { d: path(points, false) }), tail, count));
  }

  clear() {
    for (const old of this.picture.querySelectorAll(".way")) old.remove();
  }

  async end(isMeant) {
    this.pointer = null;
    this.last = null;
    if (!isMeant || (!this.drawn.length && this.points.length < 2)) {
      this.clear();
      return;
    }
    this.drew = true;
    if (!this.board.cells) {
      this.handlers.done(this.points.at(-1), bendsOf(this.points, this.board.unit / 2));
      return;
    }
    await this.counted;
    if (this.way && this.way.refusal === null && this.way.may_end) this.handlers.done(this.way.places.at(-1));
  }

  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.picture.getScreenCTM().inverse());
    return [x, y];
  }
}

/** The points between the ends where a line turns by more than a little (Douglas and Peucker). */
export function bendsOf(points, least) {
  if (points.length < 3) return [];
  const [[ax, ay], [bx, by]] = [points[0], points.at(-1)];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const away = points.map(([x, y]) => Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length);
  const far = away.indexOf(Math.max(...away));
  if (away[far] < least) return [];
  return [...bendsOf(points.slice(0, far + 1), least), points[far], ...bendsOf(points.slice(far), least)];
}
