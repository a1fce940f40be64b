// The newest picture of a table without a grid, with its bases and terrain. Questions have a page of their own.

import { ask, Refused } from "../shell/api.js";
import { byId, loaded, path, svg } from "../shell/dom.js";
import { drawConditions } from "../scene/condition.js";
import { plate } from "../scene/draw.js";

export class FreePicture {
  /** @param {import("./table.js").TableView} table  scene (null before a board is read), stage, overlay,
  showPicture(scene, picture), keepSize(), conditions */
  constructor(table) {
    this.table = table;
    this.shot = null;
    this.groups = new Map();
  }

  /** Handle a newly read picture, from the camera or uploaded. */
  async onFree(shot) {
    if (shot === this.shot || this.table.scene !== null) return;
    this.shot = shot;
    try {
      const scene = await ask("/free");
      if (!scene.shot) return;
      const picture = await loaded(scene.picture);
      if (shot === this.shot && this.table.scene === null) this.show(scene, picture);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.shot = null; // the next news of the table asks again
    }
  }

  show(scene, picture) {
    const { overlay, stage } = this.table;
    const size = [scene.width_px, scene.height_px];
    this.table.showPicture({ as_plan: false }, picture);
    overlay.removeAttribute("hidden");
    overlay.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
    this.groups = new Map(scene.figures.map((figure) => [figure.id, drawModel(figure, scene)]));
    const [bases, names] = [0, 1].map((part) => [...this.groups.values()].map((parts) => parts[part]));
    overlay.replaceChildren(...scene.terrain.map(drawTerrain), ...bases, svg("g", { class: "layer figures labels" }, ...names));
    this.showConditions();
    byId("welcome").hidden = true;
    byId("view-table").classList.remove("empty");
    stage.show(size, [0, 0, ...size]);
    this.table.keepSize();
  }

  /** Show the conditions of the match's models beside them. */
  showConditions() {
    drawConditions(this.groups, this.table.conditions);
  }
}

function drawTerrain({ name, kind, outline }) {
  const piece = svg("path", { class: kind === "difficult" ? "difficult" : "free-terrain", d: path(outline) });
  return svg("g", { class: "layer terrain", role: "img", "aria-label": name }, piece);
}

/** A base's outline with the model's short name beside it. */
function drawModel(figure, { figures }) {
  const sides = [...new Set(figures.map(({ side }) => side))].sort();
  const base = svg("path", { class: figure.is_unsure ? "base low" : "base", d: path(figure.base), stroke: "#f5f7fa" });
  const group = svg("g", { class: "layer figures figure", role: "img", "aria-label": figure.name, "data-figure": figure.id }, base);
  return [group, plate({ ...figure, low: figure.is_unsure }, sides.indexOf(figure.side))];
}
