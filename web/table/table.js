// The table view: the picture with everything drawn over it, and what taps, presses and buttons on it mean.

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

/** How much of the board stays in sight at least, each way. */
const LEAST_VIEW = 0.45;

export class TableView {
  constructor({ hasLive }) {
    this.scene = null;
    this.groups = new Map();
    this.asPlan = false;
    /** Gives what begins an attack of these two, or null where no match is played that knows them. */
    this.attackWith = null;
    /** Runs after the table has turned to another source of pictures. */
    this.onSource = null;
    /** How the figures of the match are, by their ids: drawn beside them on every picture. */
    this.conditions = new Map();
    /** What lies on the table of the match. */
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
    /** What is marked on the picture: the spaces that are asked about, and what a person points at. */
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

  /** Brings the two of an answer near, if that is wanted; what is asked about the whole board shows all of it. */
  lookAt(card) {
    const isWide = this.ghost.isOn || byId("map").value !== "" || !byId("zoom-two").checked;
    this.stage.look(card && !isWide ? pairView(card, this.scene.focus_px) : null);
  }

  keepSize() {
    keepSize(this.overlay, this.pixelsPerCss ?? 1, this.scene?.cells);
  }

  /** The link to this picture and these figures; a picture of the camera is gone too soon to be linked. */
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

  /** A person brings a picture of his own. */
  beginPhoto() {
    this.source.leaveLive();
    this.asPlan = false;
    this.trouble(null);
  }

  /** The owner can save a picture with a wrong reading, to send to the developers. */
  offerReport(scene) {
    const link = /** @type {HTMLAnchorElement} */ (document.getElementById("report"));
    if (!link) return;
    link.hidden = false;
    link.href = `/api/v1/shots/${encodeURIComponent(scene.shot)}/report`;
  }

  /** Whether a thought goes on that no new picture may take away. */
  isBusy() {
    return this.ghost.isOn;
  }

  /**
   * Puts a scene before the reader; the chosen figures stay chosen if they are still there.
   * News that nobody waits for any more once their picture is loaded are not shown; tells whether the scene was.
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

  /** Draws everything on the table; a figure that has the keyboard's focus keeps it. */
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

  /** Shows how the figures of the match are; on a photo of another table nobody is called so. */
  showConditions(conditions) {
    this.conditions = conditions;
    drawConditions(this.groups, conditions);
  }

  /** Shows what lies on the table of the match. */
  showLying(lying) {
    this.lying = lying;
    if (this.scene) this.drawTokens();
  }

  /** A photo is of any table; only the watched one is that of the match. */
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

  /** What a photo from another side settled, and the offer of one while anything is open. */
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

  /** A long press asks what to set right there or, on a bare space, who sees it. */
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

  /** Marks the spaces that are asked about on the live table. */
  mark(cells) {
    this.asked = cells;
    this.point([]);
  }

  /** Marks what a person points at; else the spaces that are asked about. */
  point(outlines) {
    if (!this.scene) return;
    const spaces = this.isLive() ? this.scene.cells.filter(({ cell }) => this.asked.some((one) => one.join() === cell.join())) : [];
    drawSpots(this.overlay, outlines.length ? outlines : spaces.map(({ outline }) => outline));
  }

  /** Shows on the picture that a figure was hurt or fell, for a moment. */
  strike(id, how) {
    const base = this.overlay.querySelector(`[data-figure="${CSS.escape(id)}"] .base`);
    base?.classList.add(how);
    setTimeout(() => base?.classList.remove(how), STRUCK_MS);
  }

  /** Asks where a figure of the table really stands. */
  moveByHand(id) {
    const figure = this.pair.figure(id);
    if (figure) this.corrector.startMoving(figure);
  }

  /** Asks who sees a figure where it stands. */
  whoSees(figure) {
    this.watchers.begin(figure.cells[0]);
  }

  /** Begins to think about a figure standing elsewhere; one that is not chosen yet becomes the shooter. */
  whatIf(figure) {
    if (!this.pair.ids.includes(figure.id)) this.pair.choose(figure.id, null);
    this.ghost.begin();
  }

  /** Whether what is shown is the table that the camera watches, as it follows it. */
  isLive() {
    return this.source.followsLive && this.scene?.source === "live";
  }

  /** Says what is so: the live table is set right for everybody; a photo becomes one that no camera saw. */
  async correct(change) {
    if (this.isLive()) {
      await this.orTrouble(send("/live/corrections", change), null);
      return;
    }
    this.source.leaveLive();
    const scene = await this.orTrouble(send(`/shots/${this.scene.shot}/corrections`, change), null);
    if (scene && this.asPlan) await this.orTrouble(this.source.showShot(scene.shot), null);
    else if (scene) await this.show(scene);
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

  /** The thought is over: the answer is about the table again, and a picture that waited is shown. */
  afterGhost() {
    this.answer.ask();
    this.source.showWaiting();
  }

  markChoices() {
    this.pair.mark();
    if (this.scene) history.replaceState(history.state, "", this.link() ?? location.pathname + location.search);
    this.showHint();
  }

  /** What to do next, unless something else has just been said. */
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

  /** What to do while something is under way; without a text the hint is back. */
  say(text) {
    this.toldUntilMs = 0;
    if (text) setText(byId("hint"), text);
    else this.showHint();
  }

  /** The answer, or the other value when it is refused; the reason is shown. */
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

/** The part of the picture round both figures and every line: no smaller than a part of the board, so that one knows where it is. */
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
