// The table view: which picture is shown, which two figures are chosen, and the answer.

import { ask, Refused, send } from "./api.js";
import { cardContents } from "./card.js";
import { Corrector } from "./correct.js";
import { byId, el } from "./dom.js";
import { drawAnswer, doorAt, drawScene, figureAt, keepSize, markPair } from "./draw.js";
import { followed } from "./follow.js";
import { Ghost } from "./ghost.js";
import { Maps } from "./maps.js";
import { Photos } from "./photos.js";
import { saveAnswer, shareAnswer } from "./share.js";
import { Stage } from "./stage.js";
import { t } from "./texts.js";

const LABEL_SPACE_CSS = 44;

export class TableView {
  constructor({ hasLive }) {
    this.hasLive = hasLive;
    this.followsLive = hasLive;
    this.scene = null;
    this.groups = new Map();
    this.pair = [null, null];
    this.card = null;
    this.question = 0;
    this.asPlan = false;
    this.overlay = byId("overlay");
    this.stage = new Stage(byId("stage"), byId("sheet"), {
      tap: (x, y, scale) => this.tap(x, y, scale),
      press: (x, y, scale) => this.press(x, y, scale),
      scaled: (pixelsPerCss) => this.scaled(pixelsPerCss),
      grab: (x, y, scale) => this.ghost.grab(x, y, scale),
      pull: (x, y) => this.ghost.pull(x, y),
      let: () => this.ghost.let(),
    });
    this.corrector = new Corrector(this);
    this.ghost = new Ghost(this);
    this.maps = new Maps(this);
    this.photos = new Photos(this);
    this.wire();
    this.showHint();
  }

  wire() {
    byId("zoom-in").addEventListener("click", () => this.stage.zoom(1.4));
    byId("zoom-out").addEventListener("click", () => this.stage.zoom(1 / 1.4));
    byId("zoom-fit").addEventListener("click", () => this.stage.fit());
    byId("as-plan").addEventListener("click", () => this.switchPlan());
    byId("swap").addEventListener("click", () => this.choose(this.pair[1], this.pair[0]));
    byId("attacker").addEventListener("change", (event) => this.choose(event.target.value || null, this.pair[1]));
    byId("defender").addEventListener("change", (event) => this.choose(this.pair[0], event.target.value || null));
    byId("ruleset").addEventListener("change", () => this.askAll());
    byId("correct").addEventListener("click", () => this.corrector.open(this.chosenFigure(), null));
    this.overlay.addEventListener("contextmenu", (event) => this.contextMenu(event));
    byId("go-live").hidden = !this.hasLive;
    byId("go-live").addEventListener("click", () => this.goLive());
    for (const box of document.querySelectorAll("[data-layer]")) {
      box.addEventListener("change", () => this.overlay.classList.toggle(`no-${box.dataset.layer}`, !box.checked));
    }
  }

  scaled(pixelsPerCss) {
    this.pixelsPerCss = pixelsPerCss;
    this.keepSize();
  }

  /** Keeps labels readable; where a space is small on the screen they shrink a little with it. */
  keepSize() {
    const pixelsPerCss = this.pixelsPerCss ?? 1;
    const [corner, next] = this.scene?.cells[0]?.outline ?? [[0, 0], [LABEL_SPACE_CSS * pixelsPerCss, 0]];
    const spaceCss = Math.hypot(next[0] - corner[0], next[1] - corner[1]) / pixelsPerCss;
    keepSize(this.overlay, pixelsPerCss, Math.min(1, Math.max(0.7, spaceCss / LABEL_SPACE_CSS)));
  }

  /** Opens what a shared link names: a picture and perhaps two figures on it. */
  async openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    const shot = link.get("shot");
    if (!shot) return;
    this.followsLive = false;
    const scene = await this.orTrouble(ask(`/shots/${encodeURIComponent(shot)}`), null);
    if (!scene) return;
    this.pair = [link.get("from"), link.get("to")];
    await this.show(scene);
  }

  /** Shows a ruling of the past on its picture, to look at and to go on from. */
  async openRuling(card) {
    this.followsLive = false;
    this.asPlan = false;
    const scene = await this.orTrouble(ask(`/shots/${card.shot}`), null);
    if (!scene) return;
    this.pair = [card.attacker.id, card.defender.id];
    byId("ruleset").value = card.ruleset;
    await this.show(scene);
  }

  /** Shows a ruling that somebody else asked for, on its picture, and stays with it. */
  async showAsked({ id, shot }) {
    this.followsLive = false;
    const card = await this.orTrouble(ask(`/rulings/${id}`), null);
    const scene = card && (await this.orTrouble(ask(`/shots/${shot}`), null));
    if (!scene) return;
    this.pair = [null, null];
    await this.show(scene);
    markPair(this.groups, card.attacker.id, card.defender.id);
    this.showCard(card);
    clearTimeout(this.backToLive);
    if (this.hasLive) this.backToLive = setTimeout(() => this.goLive(), 20000);
  }

  /** The link to this picture and these figures; a picture of the camera is gone too soon to be linked. */
  link() {
    if (!this.scene || this.scene.source === "live") return null;
    const [from, to] = this.pair;
    const named = Object.entries({ shot: this.scene.shot, from, to }).filter(([, value]) => value !== null);
    return `#${new URLSearchParams(named)}`;
  }

  /** A new picture of the camera is there. */
  async onLive({ shot }) {
    if (!this.followsLive || !shot || this.scene?.shot === shot) return;
    if (this.fetching || this.ghost.isOn) {
      this.waiting = shot;
      return;
    }
    this.fetching = true;
    try {
      await this.showShot(shot);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    } finally {
      this.fetching = false;
    }
    const next = this.waiting;
    this.waiting = null;
    if (next) await this.onLive({ shot: next });
  }

  async showShot(shot) {
    const scene = await ask(`/shots/${shot}${this.asPlan ? "?as=plan" : ""}`);
    await this.show(scene);
  }

  async goLive() {
    this.followsLive = true;
    this.clear();
    this.trouble(null);
    const now = await ask("/now");
    if (now.live) await this.onLive(now.live);
    this.onSource?.();
  }

  async switchPlan() {
    if (!this.scene) return;
    this.asPlan = !this.asPlan;
    byId("as-plan").setAttribute("aria-pressed", String(this.asPlan));
    this.stage.fitted = true;
    await this.showShot(this.scene.shot);
  }

  /** A person brings a picture of his own: the camera is not followed any more. */
  beginPhoto() {
    this.followsLive = false;
    this.asPlan = false;
    this.trouble(null);
  }

  /** Puts a scene before the reader; the chosen figures stay chosen if they are still there. */
  async show(scene) {
    const picture = byId("picture");
    if (scene.picture) {
      const next = new Image();
      next.src = scene.picture;
      await next.decode().catch(() => undefined);
      picture.src = scene.picture;
    }
    picture.hidden = !scene.picture;
    byId("sheet").classList.toggle("plan", scene.as_plan);
    byId("as-plan").setAttribute("aria-pressed", String(scene.as_plan));
    byId("welcome").hidden = true;
    byId("view-table").classList.remove("empty");
    this.overlay.removeAttribute("hidden");
    const before = this.scene;
    this.scene = scene;
    this.groups = drawScene(this.overlay, scene, {
      pick: (id) => this.pick(id),
      focus: (id, on) => this.groups.get(id)?.[1].classList.toggle("has-focus", on),
    });
    this.stage.show([scene.width_px, scene.height_px], scene.focus_px);
    byId("corrected").hidden = !scene.is_corrected;
    byId("question").hidden = scene.figures.length === 0;
    this.fillChoices();
    this.summarise();
    this.keepPair(before);
    this.onSource?.();
  }

  keepPair(before) {
    const isNextFrame = before?.source === "live" && this.scene.source === "live" && before.shot !== this.scene.shot;
    const follow = (id) => (isNextFrame ? followed(id, before, this.scene) : this.groups.has(id) ? id : null);
    const there = (id) => (id === null ? null : follow(id));
    const [attacker, defender] = this.pair;
    const kept = [there(attacker), there(defender)];
    const lost = attacker !== null && defender !== null && (kept[0] === null || kept[1] === null);
    this.pair = kept;
    this.markChoices();
    if (lost) this.trouble(t("answer_gone"));
    this.askAll();
  }

  fillChoices() {
    for (const [id, text] of [["attacker", "choose_shooter"], ["defender", "choose_target"]]) {
      const sides = new Map();
      for (const figure of this.scene.figures) {
        const group = sides.get(figure.side) ?? el("optgroup", { label: figure.side });
        group.append(el("option", { value: figure.id }, `${figure.name} · ${figure.column}${figure.row}`));
        sides.set(figure.side, group);
      }
      byId(id).replaceChildren(el("option", { value: "" }, t(text)), ...sides.values());
    }
  }

  summarise() {
    const { figures, doors, tiles, summary } = this.scene;
    const low = [...figures, ...doors, ...tiles].some((item) => item.low);
    byId("summary").textContent = low ? `${summary} ${t("low_summary")}` : summary;
  }

  tap(x, y, scale) {
    if (!this.scene || this.corrector.tap(x, y)) return;
    const figure = figureAt(this.scene, x, y, scale);
    if (figure) this.pick(figure.id);
  }

  /** A long press asks what to set right there. */
  press(x, y, scale) {
    if (!this.scene) return;
    const figure = figureAt(this.scene, x, y, scale);
    this.corrector.open(figure, figure ? null : doorAt(this.scene, x, y, scale));
  }

  contextMenu(event) {
    event.preventDefault();
    const id = event.target.closest("[data-figure]")?.dataset.figure;
    const figure = this.scene?.figures.find((candidate) => candidate.id === id);
    if (figure) this.corrector.open(figure, null);
  }

  /** Begins to think about a figure standing elsewhere; one that is not chosen yet becomes the shooter. */
  whatIf(figure) {
    if (!this.pair.includes(figure.id)) this.choose(figure.id, null);
    this.ghost.begin();
  }

  /** The figure that was chosen last. */
  chosenFigure() {
    const id = this.pair[1] ?? this.pair[0];
    return this.scene?.figures.find((figure) => figure.id === id) ?? null;
  }

  /** Says what is so: the live table is set right for everybody; a photo becomes one that no camera saw. */
  async correct(change) {
    if (this.followsLive && this.scene.source === "live") {
      await this.orTrouble(send("/live/corrections", change), null);
      return;
    }
    this.followsLive = false;
    const scene = await this.orTrouble(send(`/shots/${this.scene.shot}/corrections`, change), null);
    if (scene && this.asPlan) await this.showShot(scene.shot);
    else if (scene) await this.show(scene);
  }

  askAll() {
    this.ghost.drop();
    this.answer();
    this.maps.show();
  }

  /** The thought is over: the answer is about the table again, and a picture that waited is shown. */
  afterGhost() {
    this.answer();
    const next = this.waiting;
    this.waiting = null;
    if (next) this.onLive({ shot: next });
  }

  /** First tap: the shooter. Second: its target. Later ones: another target, or another shooter of the same side. */
  pick(id) {
    const side = (figureId) => this.scene.figures.find((figure) => figure.id === figureId)?.side;
    const [attacker, defender] = this.pair;
    if (id === attacker) this.choose(null, null);
    else if (id === defender) this.choose(attacker, null);
    else if (attacker === null) this.choose(id, null);
    else if (defender !== null && side(id) === side(attacker)) this.choose(id, null);
    else this.choose(attacker, id);
  }

  choose(attacker, defender) {
    this.pair = attacker !== null && attacker === defender ? [attacker, null] : [attacker, defender];
    this.trouble(null);
    this.markChoices();
    this.askAll();
  }

  markChoices() {
    markPair(this.groups, ...this.pair);
    byId("attacker").value = this.pair[0] ?? "";
    byId("defender").value = this.pair[1] ?? "";
    const link = this.link();
    if (this.scene) history.replaceState(null, "", link ?? location.pathname + location.search);
    byId("correct").disabled = this.pair[0] === null;
    byId("map").disabled = this.pair[0] === null;
    byId("what-if").disabled = this.pair[0] === null;
    byId("swap").disabled = this.pair[0] === null || this.pair[1] === null;
    this.showHint();
  }

  showHint() {
    const [attacker, defender] = this.pair;
    let text = "";
    if (this.scene?.figures.length === 0) text = t("no_figures");
    else if (this.scene && attacker === null) text = t("pick_attacker");
    else if (this.scene && defender === null) text = t("pick_defender");
    byId("hint").textContent = text;
  }

  async answer() {
    const [attacker, defender] = this.pair;
    const asked = ++this.question;
    if (!this.scene || attacker === null || defender === null) {
      this.showCard(null);
      return;
    }
    const follows = this.card?.attacker.id === attacker && this.card?.defender.id === defender && this.card.shot !== this.scene.shot;
    const question = { attacker, defender, ruleset: byId("ruleset").value, as_plan: this.scene.as_plan, is_follow_up: follows };
    try {
      const card = await send(`/shots/${this.scene.shot}/rulings`, question);
      if (asked === this.question) this.showCard(card);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      if (asked === this.question) {
        this.showCard(null);
        this.trouble(problem.message);
      }
    }
  }

  showCard(card) {
    const place = byId("card");
    const isNew = JSON.stringify(this.card?.ruling) !== JSON.stringify(card?.ruling);
    this.card = card;
    drawAnswer(this.overlay, card);
    this.overlay.classList.toggle("answered", card !== null);
    this.overlay.classList.toggle("still", !isNew);
    this.keepSize();
    place.hidden = card === null;
    if (!isNew && card !== null) return;
    const told = {
      share: async () => this.tell(await shareAnswer(card, this.link())),
      save: () => saveAnswer(card, this.scene),
      again: () => this.choose(null, null),
      changes: () => this.changes(),
    };
    place.replaceChildren(...(card ? cardContents(card, told).filter(Boolean) : []));
    if (card) byId("panel").scrollTo({ top: 0, behavior: "smooth" });
  }

  /** The sentences about what would have to be different. */
  async changes() {
    const { attacker, defender, ruleset } = this.card.ruling;
    const answer = send(`/shots/${this.card.shot}/changes`, { attacker, defender, ruleset });
    const { changes } = await this.orTrouble(answer, { changes: [] });
    return changes.map((change) => change.text);
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

  /** One short sentence under the card's buttons, for a while. */
  tell(text) {
    byId("hint").textContent = text;
  }

  say(text) {
    if (text) byId("hint").textContent = text;
    else this.showHint();
  }

  clear() {
    this.pair = [null, null];
    this.markChoices();
    this.showCard(null);
  }

  trouble(text) {
    byId("trouble").hidden = text === null;
    byId("trouble").textContent = text ?? "";
  }
}
