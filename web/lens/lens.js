// The phone's own picture with the table's state over it: names, health, reach, and the last ruling's lines at their
// height.

import { Live } from "../live/live.js";
import { wellbeing } from "../match/wellbeing.js";
import { ask, Refused, send } from "../shell/api.js";
import { byId, takesTaps } from "../shell/dom.js";
import { OwnCamera } from "../shell/own_camera.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { MarkerFinder } from "./markers.js";
import { Overlay } from "./overlay.js";
import { HandHeld } from "./pose.js";

/** Longer side of the picture for marker detection. A 50 mm marker is 40 pixels at arm's length. */
const SOUGHT_PX = 960;

/** How long the last pose lasts after the markers have left the picture. */
const LOST_MS = 500;

/** Wait before asking again for a scene that is not ready. */
const AGAIN_MS = 3000;

class Lens {
  constructor() {
    this.camera = new OwnCamera();
    this.canvas = /** @type {HTMLCanvasElement} */ (byId("lens-picture"));
    this.picture = this.canvas.getContext("2d");
    this.small = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    this.overlay = new Overlay(byId("lens-overlay"));
    this.scene = null;
    this.finder = null;
    this.prints = "";
    this.healths = new Map();
    this.hasMatch = false;
    this.chosen = null;
    this.seenAt = 0;
    this.asking = 0;
    this.troubles = { camera: null, table: null };
    byId("lens-begin").addEventListener("click", () => this.begin());
    byId("lens-sheet").addEventListener("click", (event) => this.tap(event));
    byId("lens-points").addEventListener("change", () => this.askReach());
    new Live({
      hello: (now) => {
        this.hasMatch = now.has_match;
        this.refresh();
      },
      resync: () => this.refresh(),
      live: () => this.refresh(),
      ruling: () => this.refresh(),
      match: () => this.refresh(),
      state: () => undefined,
    });
  }

  /** Open the camera, or say what to do without one. */
  async begin() {
    const starting = byId("lens-begin");
    starting.hidden = true;
    if (!OwnCamera.canBe) return this.trouble("camera", t("lens_insecure"));
    try {
      await this.camera.open();
    } catch {
      starting.hidden = false;
      return this.trouble("camera", t("lens_refused"));
    }
    this.trouble("camera", null);
    this.watch();
  }

  /** Process each picture of the camera. */
  watch() {
    const { video } = this.camera;
    const next = () => {
      this.frame(video);
      if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(next);
      else requestAnimationFrame(next);
    };
    next();
  }

  frame(video) {
    const { videoWidth: width, videoHeight: height } = video;
    if (!width) return;
    if (this.canvas.width !== width || this.canvas.height !== height) this.resize(width, height);
    this.picture.drawImage(video, 0, 0);
    if (!this.finder) return;
    const { width: across, height: down } = this.small.canvas;
    this.small.drawImage(video, 0, 0, across, down);
    const pairs = this.finder.find(this.small.getImageData(0, 0, across, down));
    const pose = this.hand.follow(pairs);
    if (pose) this.seenAt = performance.now();
    else if (performance.now() - this.seenAt > LOST_MS) this.hand.lose();
    this.overlay.draw(pose ?? this.hand.pose, width / across);
    setText(byId("lens-hint"), this.hand.pose ? (this.chosen || this.scene.card ? "" : t("lens_tap")) : t("lens_seek"));
  }

  resize(width, height) {
    Object.assign(this.canvas, { width, height });
    const scale = Math.min(1, SOUGHT_PX / Math.max(width, height));
    Object.assign(this.small.canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    this.overlay.resize(width, height);
    this.hand = new HandHeld(this.small.canvas.width, this.small.canvas.height);
  }

  /** Fetch the current table, and the health of its figures during a match. */
  async refresh() {
    clearTimeout(this.again);
    this.asking += 1;
    const mine = this.asking;
    try {
      const [scene, match] = await Promise.all([ask("/lens/scene"), this.hasMatch ? ask("/match") : null]);
      if (mine !== this.asking) return;
      if (match) this.healths = new Map(match.view.figures.map((figure) => [figure.id, wellbeing(figure)]));
      this.show(scene);
      this.trouble("table", null);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (mine !== this.asking) return;
      this.trouble("table", problem.message);
      this.again = setTimeout(() => this.refresh(), AGAIN_MS);
    }
  }

  show(scene) {
    const prints = JSON.stringify(scene.markers);
    if (prints !== this.prints) [this.finder, this.prints] = [new MarkerFinder(scene.markers), prints];
    this.scene = scene;
    this.overlay.show(scene, this.healths);
    const { card } = scene;
    const verdict = byId("lens-verdict");
    verdict.hidden = !card;
    verdict.className = `lens-verdict ${card?.verdict ?? ""}`;
    setText(verdict, card?.sentence ?? "");
    this.choose(scene.scene.figures.find(({ id }) => id === this.chosen) ?? null);
  }

  tap(event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("lens-overlay").getScreenCTM().inverse());
    const id = this.overlay.figureAt(place.x, place.y);
    if (id) this.choose(this.scene.scene.figures.find((figure) => figure.id === id));
  }

  choose(figure) {
    this.chosen = figure?.id ?? null;
    this.overlay.choose(this.chosen);
    byId("lens-figure").hidden = !figure;
    if (!figure) return;
    const health = this.healths.get(figure.id);
    setText(byId("lens-name"), figure.name);
    setText(byId("lens-health"), health ? t("health", health) : figure.side_name);
    this.askReach();
  }

  /** Mark the spaces within the chosen figure's reach, by the points in the field. */
  async askReach() {
    const points = /** @type {HTMLInputElement} */ (byId("lens-points"));
    this.overlay.reach([]);
    if (!this.chosen || points.value === "" || !points.checkValidity()) return;
    try {
      const { cells } = await send(`/shots/${this.scene.shot}/reaches`, { figure: this.chosen, points: Number(points.value), as_plan: true });
      this.overlay.reach(cells);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble("table", problem.message);
    }
  }

  /** Set the problem of the camera or the table, null for none. */
  trouble(part, sentence) {
    this.troubles[part] = sentence;
    const worst = this.troubles.camera ?? this.troubles.table;
    byId("trouble").hidden = worst === null;
    if (worst !== null) setText(byId("trouble"), worst);
  }
}

new Lens().begin();
takesTaps();
