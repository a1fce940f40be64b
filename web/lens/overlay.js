// The overlay on the phone's picture, redrawn for each pose.

import { path, svg } from "../shell/dom.js";
import { project } from "./pose.js";

/** Height of a ruling's line as a share of the lower figure's height, about a miniature's chest. */
const CHEST = 0.6;

/** Tap tolerance round a figure, in widths of the picture. */
const THUMB = 0.06;

const LABEL_PX = 13;

export class Overlay {
  constructor(root) {
    this.root = root;
    this.parts = [];
    this.figures = new Map();
    this.width = 1;
  }

  resize(width, height) {
    this.width = width;
    this.root.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  }

  /**
   * Take a scene: its parts as nodes with their table points.
   *
   * @param {Record<string, any>} document  of `/lens/scene`
   * @param {Map<string, {full: number, left: number}>} healths
   */
  show({ mm_from_plan: plan, top_mm: top, door_mm: doorHeight, heights_mm: heights, scene, card }, healths) {
    const [origin, right, down] = plan;
    this.table = ([x, y]) => [0, 1].map((i) => origin[i] + x * (right[i] - origin[i]) + y * (down[i] - origin[i]));
    this.top = top;
    this.parts = [];
    this.figures.clear();
    for (const tile of scene.tiles) for (const edge of tile.outline) this.line("tile", edge);
    this.reached = this.add(svg("path", { class: "reach" }), []);
    for (const { kind, line } of scene.edges) this.line(`edge ${kind}`, line);
    for (const door of scene.doors) if (!door.open) for (const [from, to] of door.panels) this.upright("door", from, to, doorHeight);
    for (const figure of scene.figures) this.figure(figure, heights[figure.id], healths.get(figure.id));
    if (card?.lines.length) this.ruling(card, heights);
    this.root.replaceChildren(...this.parts.map(({ node }) => node));
    this.root.toggleAttribute("hidden", true);
  }

  /** Add a node that follows strokes of table points, each a list of [x, y, height]. */
  add(node, strokes, isClosed = false) {
    const part = { node, strokes, isClosed };
    this.parts.push(part);
    return part;
  }

  line(kind, points, height = this.top) {
    return this.add(svg("path", { class: kind }), [points.map((point) => [...this.table(point), height])]);
  }

  upright(kind, from, to, height) {
    const [a, b] = [this.table(from), this.table(to)];
    const panel = [[...a, this.top], [...b, this.top], [...b, this.top + height], [...a, this.top + height]];
    return this.add(svg("path", { class: kind }), [panel], true);
  }

  figure({ id, short, base, center, ring, name }, height, health) {
    const group = svg("g", { class: "figure", "data-figure": id, role: "img", "aria-label": name });
    const foot = this.table(center);
    const strokes = [base.map((point) => [...this.table(point), this.top])];
    const words = health && health.left < health.full ? `${short} ${health.left}/${health.full}` : short;
    const [outline, pole, label] = [svg("path", { class: "base", stroke: ring ?? "#f5f7fa" }), svg("path", { class: "pole" }), svg("text", {}, words)];
    group.append(outline, pole, label);
    this.parts.push({ node: group, figure: id, outline, pole, label, strokes, head: [...foot, this.top + height], foot: [...foot, this.top] });
    this.figures.set(id, { group, foot: [...foot, this.top], head: [...foot, this.top + height] });
  }

  /** The answer's lines between the two figures, at the height of the lower one's chest. */
  ruling(card, heights) {
    const hang = this.top + CHEST * Math.min(heights[card.attacker.id] ?? 0, heights[card.defender.id] ?? 0);
    card.lines.forEach((line, index) => {
      const isFree = !line.blocked_by;
      const [from, to] = [line.from, line.stop ?? line.to];
      const classes = `ray ${isFree ? "clear" : "blocked"}${index ? " faint" : ""}`;
      this.line(classes, [from, to], hang).node.setAttribute("data-line", String(index));
      if (index) return;
      for (const end of [from, to]) this.add(svg("path", { class: "drop" }), [[[...this.table(end), this.top], [...this.table(end), hang]]]);
    });
  }

  choose(id) {
    for (const [each, { group }] of this.figures) group.classList.toggle("chosen", each === id);
  }

  reach(cells) {
    if (!this.reached) return;
    this.reached.strokes = cells.map(({ outline }) => outline.map((point) => [...this.table(point), this.top]));
    this.reached.isClosed = true;
  }

  /**
   * Move everything to its place under a pose. Hide it without one.
   *
   * @param {import("./pose.js").Pose | null} pose
   * @param {number} scale  displayed pixels per pixel of the pose
   */
  draw(pose, scale) {
    this.root.toggleAttribute("hidden", !pose);
    if (!pose) return;
    const at = ([x, y, height]) => {
      const place = project(pose, x, y, height);
      return place?.map((value) => Math.round(10 * ((value + 0.5) * scale - 0.5)) / 10) ?? null;
    };
    const drawn = (strokes, isClosed) => strokes.map((stroke) => stroke.map(at)).filter((points) => points.every(Boolean)).map((points) => path(points, isClosed)).join("");
    for (const part of this.parts) {
      if (!part.figure) {
        part.node.setAttribute("d", drawn(part.strokes, part.isClosed));
        continue;
      }
      part.outline.setAttribute("d", drawn(part.strokes, true));
      part.pole.setAttribute("d", drawn([[part.foot, part.head]], false));
      const head = at(part.head);
      part.label.toggleAttribute("hidden", !head);
      if (!head) continue;
      const size = (LABEL_PX * this.width) / Math.max(1, this.root.clientWidth);
      part.label.setAttribute("font-size", String(size));
      part.label.setAttribute("transform", `translate(${head[0]} ${head[1] - 0.4 * size})`);
    }
    this.last = at;
  }

  /** The figure nearest to a tap, between its foot and its head, or null if none is near. */
  figureAt(x, y) {
    let [best, least] = [null, THUMB * this.width];
    for (const [id, { foot, head }] of this.last ? this.figures : []) {
      const [a, b] = [this.last(foot), this.last(head)];
      if (!a || !b) continue;
      const share = Math.max(0, Math.min(1, ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 || 1)));
      const away = Math.hypot(x - a[0] - share * (b[0] - a[0]), y - a[1] - share * (b[1] - a[1]));
      if (away < least) [best, least] = [id, away];
    }
    return best;
  }
}
