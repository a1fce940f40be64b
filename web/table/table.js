// The table view: the picture with its overlays, and the meaning of taps, presses and buttons on it.

import { Refused, send } from "../shell/api.js";
import { Answer } from "../rulings/answer.js";
import { Corrector } from "./correct.js";
import { drawConditions } from "../scene/condition.js";
import { Doubts } from "./doubts.js";
import { byId, el, loaded, svg } from "../shell/dom.js";
import { doorAt, drawScene, drawTokens, figureAt, keepSize } from "../scene/draw.js";
import { legendRows, signOf } from "../scene/tokens.js";
import { Ghost } from "../whatif/ghost.js";
import { Maps } from "../whatif/maps.js";
import { ONLY_WATCHES } from "../people/own_rights.js";
import { Pair } from "./pair.js";
import { Photos } from "./photos.js";
import { Source } from "./source.js";
import { Stage } from "./stage.js";
import { drawSpots } from "../scene/settling.js";
import { Ruler } from "../whatif/ruler.js";
import { Rows, setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { Watchers } from "../whatif/watchers.js";

const ZOOM_KEY = "sightline-zoom-two";
const TOLD_MS = 5000;
const STRUCK_MS = 2500;

/** Least part of the board in sight, each way. */
const LEAST_VIEW = 0.45;

export class TableView {
  constructor({ hasLive }) {
    this.scene = null;
    this.groups = new Map();
    this.asPlan = false;
    /** Returns an action that starts an attack by these two, or null without a match that knows them. */
    this.attackWith = null;
    /** Runs after the table has switched to another source of pictures. */
    this.onSource = null;
    /** The conditions of the match's figures by id, drawn beside them on every picture. */
    this.conditions = new Map();
    /** The tokens on the match's table. */
    this.lying = [];
    this.legend = new Rows(byId("table-legend"), ({ kind, text }) => el("li", {}, svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("path", { d: signOf(kind) })), text));
    this.overlay = byId("overlay");
    this.stage = new Stage(byId("stage"), byId("sheet"), {
      tap: (x, y, scale) => this.tap(x, y, scale),
      press: (x, y, scale) => this.press(x, y, scale),
      scaled: (pixelsPerCss) => this.scaled(pixelsPerCss),
      grab: (x, y, scale) => this.ghost.grab(x, y, scale),
      pull: (x, y) => this.ghost.pull(x, y),
      let: () => this.ghost.let(),
    });
    this.source = new Source(this, hasLive);
    this.pair = new Pair(this);
    this.answer = new Answer(this);
    this.corrector = new Corrector(this);
    this.ghost = new Ghost(this);
    this.maps = new Maps(this);
    this.watchers = new Watchers(this);
    this.ruler = new Ruler(this);
    /** Marks on the picture: the spaces in question, and those a person points at. */
    this.asked = [];
    this.settling = {
      settle: (correction) => this.correct(correction),
      who: (place) => this.corrector.askWho(place),
      spot: (outlines) => this.point(outlines),
    };
    this.doubts = new Doubts(this, this.settling);
    this.photos = new Photos(this);
    this.wire();
    this.showHint();
  }

  wire() {
    byId("zoom-in").addEventListener("click", () => this.stage.zoom(1.4));
    byId("zoom-out").addEventListener("click", () => this.stage.zoom(1 / 1.4));
    byId("zoom-fit").addEventListener("click", () => this.stage.fitWhole());
    byId("as-plan").addEventListener("click", () => this.switchPlan());
    byId("ruleset").addEventListener("change", () => this.askAll());
    byId("misread").addEventListener("click", () => this.report());
    byId("correct").addEventListener("click", () => this.corrector.open(this.pair.last(), null));
    this.overlay.addEventListener("contextmenu", (event) => this.contextMenu(event));
    byId("map").addEventListener("change", () => this.lookAt(this.answer.card));
    byId("zoom-two").checked = localStorage.getItem(ZOOM_KEY) !== "off";
    byId("zoom-two").addEventListener("change", () => {
      localStorage.setItem(ZOOM_KEY, byId("zoom-two").checked ? "on" : "off");
      this.lookAt(this.answer.card);
    });
    for (const box of document.querySelectorAll("[data-layer]")) {
      box.addEventListener("change", () => this.overlay.classList.toggle(`no-${box.dataset.layer}`, !box.checked));
    }
  }

  scaled(pixelsPerCss) {
    this.pixelsPerCss = pixelsPerCss;
    this.keepSize();
  }

  /** Zoom in on an answer's two figures if wanted. Questions about the whole board show all of it. */
  lookAt(card) {
    const isWide = this.ghost.isOn || byId("map").value !== "" || !byId("zoom-two").checked;
    this.stage.look(card && !isWide ? pairView(card, this.scene.focus_px) : null);
  }

  keepSize() {
    keepSize(this.overlay, this.pixelsPerCss ?? 1, this.scene?.cells);
  }

  /** The link to this picture and these figures. A camera's picture expires too soon for a link. */
  link() {
    if (!this.scene || this.scene.source === "live") return null;
    const { attacker: from, defender: to } = this.pair;
    const named = Object.entries({ shot: this.scene.shot, from, to }).filter(([, value]) => value !== null);
    return `#${new URLSearchParams(named)}`;
  }

  async switchPlan() {
    if (!this.scene) return;
    this.asPlan = !this.asPlan;
    this.stage.fitted = true;
    this.stage.near = null;
    await this.orTrouble(this.source.showShot(this.scene.shot), null);
  }

  /** A person brings their own picture. */
  beginPhoto() {
    this.source.leaveLive();
    this.asPlan = false;
    this.trouble(null);
    this.photos.refused = null;
    this.offerReport(this.scene);
  }

  /** Keep the shown picture with its wrong reading at the table. The next correction completes the report. */
  async report() {
    if (this.photos.refused) return this.reportRefused();
    const { shot, source } = this.scene;
    /** @type {HTMLButtonElement} */ (byId("misread")).disabled = true; // a second tap adds nothing
    const kept = await this.orTrouble(send(`/shots/${encodeURIComponent(shot)}/reports`), null);
    if (kept) {
      this.reported = shot;
      const text = t(kept.is_corrected ? "report_completed" : "report_kept");
      if (source === "live") this.tell(text); // the next picture would take a hint away
      else this.say(text);
    }
    this.offerReport(this.scene);
  }

  /** Keep a photo from which the table cannot be read. */
  async reportRefused() {
    /** @type {HTMLButtonElement} */ (byId("misread")).disabled = true; // a second tap adds nothing
    const kept = await this.photos.reportRefused();
    if (!kept) return this.offerReport(this.scene);
    this.say(t("refusal_kept"));
  }

  /**
   * Let everybody report a wrong reading or a refused photo, and the owner save a reading as a file, to send to the
   * developers.
   */
  offerReport(scene) {
    const misread = /** @type {HTMLButtonElement} */ (byId("misread"));
    misread.hidden = !scene && !this.photos.refused;
    misread.disabled = !this.photos.refused && scene?.shot === this.reported;
    if (!scene) return;
    const link = /** @type {HTMLAnchorElement} */ (document.getElementById("report"));
    if (!link) return;
    link.hidden = false;
    link.href = `/api/v1/shots/${encodeURIComponent(scene.shot)}/report`;
  }

  /** Whether a what-if is in progress that no new picture may replace. */
  isBusy() {
    return this.ghost.isOn;
  }

  /**
   * Show a scene. The chosen figures stay chosen if they are still there. A picture that is unwanted once loaded is not
   * shown. Returns whether the scene was shown.
   */
  async show(scene, isUnwanted = () => false) {
    const picture = scene.picture ? await loaded(scene.picture) : null;
    if (isUnwanted()) return false;
    this.showPicture(scene, picture);
    byId("as-plan").setAttribute("aria-pressed", String(scene.as_plan));
    byId("welcome").hidden = true;
    byId("view-table").classList.remove("empty");
    const before = this.scene;
    this.scene = scene;
    this.drawScene(scene);
    this.stage.show([scene.width_px, scene.height_px], scene.focus_px);
    byId("corrected").hidden = !scene.is_corrected;
    for (const id of ["question", "after-answer"]) byId(id).hidden = scene.figures.length === 0;
    if (this.pair.follow(before, scene)) this.trouble(t("answer_gone"));
    this.pair.fill(scene);
    this.summarise();
    this.markChoices();
    this.corrector.redraw();
    this.doubts.show(scene);
    this.photos.refused = null;
    this.offerReport(scene);
    this.point([]);
    if (this.isNextPicture(before, scene)) this.answer.redraw(before, scene);
    this.askAll();
    this.onSource?.();
    return true;
  }

  showPicture(scene, picture) {
    if (picture) byId("picture").src = picture;
    byId("picture").hidden = !picture;
    byId("sheet").classList.toggle("plan", scene.as_plan);
  }

  /** Draw everything on the table. A focused figure keeps the keyboard's focus. */
  drawScene(scene) {
    const focused = this.overlay.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.figure : null;
    this.overlay.removeAttribute("hidden");
    this.groups = drawScene(this.overlay, scene, {
      pick: (id) => ONLY_WATCHES || this.picked(id),
      focus: (id, on) => this.groups.get(id)?.[1].classList.toggle("has-focus", on),
    });
    drawConditions(this.groups, this.conditions);
    this.drawTokens();
    this.groups.get(focused)?.[0].focus({ preventScroll: true });
  }

  /** Show the conditions of the match's figures. A photo of another table has no such figures. */
  showConditions(conditions) {
    this.conditions = conditions;
    drawConditions(this.groups, conditions);
  }

  /** Show the tokens on the match's table. */
  showLying(lying) {
    this.lying = lying;
    if (this.scene) this.drawTokens();
  }

  /** A photo may be of any table. Only the watched one is the match's. */
  drawTokens() {
    const lying = this.scene.source === "live" ? this.lying : [];
    const names = new Map(this.scene.cells.map(({ cell, name }) => [cell.join(), name]));
    drawTokens(this.overlay, this.scene, lying);
    this.legend.show(legendRows(lying, (cell) => names.get(cell.join())));
    byId("table-legend").hidden = lying.length === 0;
    this.keepSize();
  }

  isNextPicture(before, scene) {
    return before?.source === "live" && scene.source === "live" && before.as_plan === scene.as_plan;
  }

  summarise() {
    const { figures, doors, tiles, summary } = this.scene;
    const low = [...figures, ...doors, ...tiles].some((item) => item.low);
    this.tellSides();
    setText(byId("summary"), low ? `${summary} ${t("low_summary")}` : summary);
  }

  /** Show what a photo from another side settled, and offer one while anything is open. */
  tellSides() {
    const { open_count, settled } = this.scene;
    byId("settled").hidden = settled.length === 0;
    setText(byId("settled"), settled.join(" "));
    byId("walk-label").hidden = open_count === 0;
  }

  /** A figure was chosen by keys: the ruler takes its space, else it is the shooter or the target. */
  picked(id) {
    if (this.ruler.isOn) this.ruler.put(this.pair.figure(id).cells[0]);
    else this.pair.pick(id);
  }

  tap(x, y, scale) {
    if (!this.scene || ONLY_WATCHES || this.corrector.tap(x, y) || this.ruler.tap(x, y)) return;
    const figure = figureAt(this.scene, x, y, scale);
    if (figure) this.pair.pick(figure.id);
    else if (!this.watchers.tap(x, y) && !this.pair.isWhole && this.scene.figures.length) this.tell(t("tap_nobody"));
  }

  /** A long press offers corrections there or, on an empty space, asks who sees it. */
  press(x, y, scale) {
    if (!this.scene || ONLY_WATCHES) return;
    const figure = figureAt(this.scene, x, y, scale);
    const door = figure ? null : doorAt(this.scene, x, y, scale);
    const space = this.watchers.cellAt(x, y);
    if (figure || door) this.corrector.open(figure, door);
    else if (space) this.watchers.begin(space);
  }

  contextMenu(event) {
    event.preventDefault();
    if (ONLY_WATCHES) return;
    const id = event.target.closest("[data-figure]")?.dataset.figure;
    const figure = id && this.pair.figure(id);
    if (figure) this.corrector.open(figure, null);
  }

  /** Mark the spaces in question on the live table. */
  mark(cells) {
    this.asked = cells;
    this.point([]);
  }

  /** Mark the places a person points at, else the spaces in question. */
  point(outlines) {
    if (!this.scene) return;
    const spaces = this.isLive() ? this.scene.cells.filter(({ cell }) => this.asked.some((one) => one.join() === cell.join())) : [];
    drawSpots(this.overlay, outlines.length ? outlines : spaces.map(({ outline }) => outline));
  }

  /** Briefly show on the picture that a figure was hurt or killed. */
  strike(id, how) {
    const base = this.overlay.querySelector(`[data-figure="${CSS.escape(id)}"] .base`);
    base?.classList.add(how);
    setTimeout(() => base?.classList.remove(how), STRUCK_MS);
  }

  /** Ask for a figure's true place. */
  moveByHand(id) {
    const figure = this.pair.figure(id);
    if (figure) this.corrector.startMoving(figure);
  }

  /** Ask which figures see a figure at its place. */
  whoSees(figure) {
    this.watchers.begin(figure.cells[0]);
  }

  /** Start a what-if with a figure elsewhere. An unchosen one becomes the shooter. */
  whatIf(figure) {
    if (!this.pair.ids.includes(figure.id)) this.pair.choose(figure.id, null);
    this.ghost.begin();
  }

  /** Whether the shown table is the watched one, followed live. */
  isLive() {
    return this.source.followsLive && this.scene?.source === "live";
  }

  /** Correct the state: the live table for everybody, or a photo, which becomes a corrected copy. */
  async correct(change) {
    if (this.isLive()) {
      const live = await this.orTrouble(send("/live/corrections", change), null);
      if (live?.completes_report) this.tell(t("report_completed"));
      return;
    }
    this.source.leaveLive();
    const scene = await this.orTrouble(send(`/shots/${this.scene.shot}/corrections`, change), null);
    if (scene && this.asPlan) await this.orTrouble(this.source.showShot(scene.shot), null);
    else if (scene) await this.show(scene);
    if (scene?.completes_report) this.tell(t("report_completed"));
  }

  /** A person has chosen another pair. */
  chosen() {
    this.trouble(null);
    this.markChoices();
    this.askAll();
  }

  askAll() {
    this.ghost.drop();
    this.answer.ask();
    this.maps.show();
    this.watchers.show();
    this.ruler.show();
  }

  /** The what-if is over: the answer is about the table again, and a waiting picture is shown. */
  afterGhost() {
    this.answer.ask();
    this.source.showWaiting();
  }

  markChoices() {
    this.pair.mark();
    if (this.scene) history.replaceState(history.state, "", this.link() ?? location.pathname + location.search);
    this.showHint();
  }

  /** Show the next step, unless something else has just been said. */
  showHint() {
    if (this.corrector?.isOn || performance.now() < this.toldUntilMs) return;
    const { attacker, defender } = this.pair;
    let text = "";
    if (ONLY_WATCHES) text = this.scene ? t("only_watches") : "";
    else if (this.scene?.figures.length === 0) text = t("no_figures");
    else if (this.scene && attacker === null) text = t("pick_attacker");
    else if (this.scene && defender === null) text = t("pick_defender");
    setText(byId("hint"), text);
  }

  /** One short sentence, for a while. */
  tell(text) {
    setText(byId("hint"), text);
    this.toldUntilMs = performance.now() + TOLD_MS;
    setTimeout(() => this.showHint(), TOLD_MS + 50);
  }

  /** The instruction while something is in progress. Without a text the hint returns. */
  say(text) {
    this.toldUntilMs = 0;
    if (text) setText(byId("hint"), text);
    else this.showHint();
  }

  /** The answer, or the other value on a refusal, whose reason is shown. */
  async orTrouble(answer, otherwise) {
    try {
      return await answer;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem.message);
      return otherwise;
    }
  }

  clear() {
    this.pair.set(null, null);
    this.markChoices();
    this.answer.show(null);
  }

  trouble(text) {
    byId("trouble").hidden = text === null;
    setText(byId("trouble"), text ?? "");
  }
}

/** The part of the picture round both figures and every line, at least a fixed share of the board for orientation. */
function pairView({ attacker, defender, lines }, [, , boardWidth, boardHeight]) {
  const points = [...attacker.base, ...defender.base, ...lines.flatMap((line) => [line.from, line.stop ?? line.to])];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const width = Math.max(wide * 1.3, boardWidth * LEAST_VIEW);
  const height = Math.max(high * 1.3, boardHeight * LEAST_VIEW);
  if (width >= boardWidth && height >= boardHeight) return null;
  return [left + wide / 2 - width / 2, top + high / 2 - height / 2, width, height];
}
