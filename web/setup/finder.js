// The set-up's picture: the camera's view, with the found and the missing things.

import { byId, path, svg } from "../shell/dom.js";
import { drawScene, keepSize } from "../scene/draw.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const ARROWS = { left: [0.04, 0.5, 180], right: [0.96, 0.5, 0], top: [0.5, 0.06, 270], bottom: [0.5, 0.94, 90] };

export class Finder {
  constructor() {
    this.shown = null;
    this.step = null;
    addEventListener("resize", () => this.fit());
    byId("picture").addEventListener("load", () => this.fit());
  }

  /** @param {Record<string, any>} now  the set-up from the server */
  show(now) {
    const look = now.look;
    const isDone = (now.step === "lens" && now.lens.found) || (now.step === "table" && now.table.found);
    const isSeen = look !== null && !isDone && ["camera", "lens", "table", "read"].includes(now.step);
    byId("finder").hidden = !isSeen;
    const place = document.querySelector(`[data-step="${now.step}"] .finder-place`);
    if (isSeen && byId("finder").parentNode !== place) place.append(byId("finder"));
    if (now.step !== this.step) this.shown = null;
    this.step = now.step;
    if (!isSeen || look.number === this.shown) return;
    this.shown = look.number;
    byId("picture").src = `/api/v1/wizard/picture?n=${look.number}`;
    byId("frame").classList.toggle("taken", look.is_taken);
    this.size = [look.width_px, look.height_px];
    const overlay = byId("overlay");
    overlay.setAttribute("viewBox", `0 0 ${look.width_px} ${look.height_px}`);
    overlay.replaceChildren(...(now.step === "lens" ? this.coverage(now) : []), ...this.outlines(now));
    this.fit();
    this.tell(now);
  }

  /** The read scene, drawn as on the table's view. */
  showScene(scene) {
    byId("picture").src = `/api/v1/shots/${scene.shot}/picture`;
    this.size = [scene.width_px, scene.height_px];
    this.cells = scene.cells;
    drawScene(byId("overlay"), scene, { focus: () => {}, pick: () => {} });
    this.fit();
    byId("told").textContent = "";
  }

  fit() {
    if (!this.size) return;
    const wide = byId("frame").clientWidth;
    if (wide) keepSize(byId("overlay"), this.size[0] / wide, this.cells);
  }

  outlines(now) {
    const { look } = now;
    const kind = look.is_taken ? "found taken" : look.refusal && look.refusal !== "moving" ? "found refused" : "found";
    const shapes = look.outlines.map((outline) => svg("path", { class: kind, d: path(outline) }));
    const names = look.markers.map((id, i) => {
      const [x, y] = middle(look.outlines[i]);
      return svg("text", { class: "marker-name", x, y, "font-size": look.width_px / 42 }, String(id));
    });
    return [...shapes, ...names];
  }

  /** The parts of the picture and the tilts without a view yet. The next one is marked. */
  coverage(now) {
    const { lens, look } = now;
    if (lens.found || lens.missing_parts === null) return [];
    const [wide, high] = [look.width_px / lens.columns, look.height_px / lens.rows];
    const parts = lens.missing_parts.map(([column, row], i) =>
      svg("rect", { class: i === 0 ? "part next" : "part", x: column * wide, y: row * high, width: wide, height: high }),
    );
    if (lens.missing_parts.length > 0) return parts;
    return lens.missing_tilts.map((tilt, i) => {
      const [across, down, turn] = ARROWS[tilt];
      const place = `translate(${across * look.width_px} ${down * look.height_px}) rotate(${turn}) scale(${look.width_px / 640})`;
      return svg("path", { class: i === 0 ? "tilt next" : "tilt", d: "M-16 -14L8 0L-16 14Z", transform: place });
    });
  }

  tell(now) {
    const { look, lens } = now;
    const line = byId("told");
    line.className = `told${look.is_taken ? " taken" : look.refusal && look.refusal !== "moving" ? " refused" : ""}`;
    if (now.step === "lens" && !lens.found) {
      const taken = look.is_taken ? `${t("setup_taken")} ` : "";
      setText(line, look.sentence && look.refusal !== "alike" ? look.sentence : `${taken}${lens.next ?? ""}`);
    } else if (now.step === "table") {
      setText(line, look.is_taken ? `${t("setup_taken")} ${now.table.next}` : now.table.next);
    } else {
      setText(line, "");
    }
  }
}

function middle(points) {
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}
