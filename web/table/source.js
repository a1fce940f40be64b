// Where the picture comes from: the camera that is followed, a photo, a link, or a ruling of the past.

import { ask, Refused } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { markPair } from "../scene/draw.js";

const BACK_TO_LIVE_MS = 20_000;

export class Source {
  /**
   * @param {import("./table.js").TableView} table   show(scene), clear(), trouble(text), orTrouble(answer, otherwise), asPlan, isBusy()
   * @param {boolean} hasLive   whether a camera watches the table
   */
  constructor(table, hasLive) {
    this.table = table;
    this.hasLive = hasLive;
    this.followsLive = hasLive;
    this.waiting = null;
    byId("go-live").hidden = !hasLive;
    byId("go-live").addEventListener("click", () => this.goLive());
  }

  /** Shows what a shared link names: a picture and perhaps two figures on it. */
  async openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.get("shot")) await this.open(link.get("shot"), link.get("from"), link.get("to"));
  }

  /** Shows a ruling of the past on its picture, to look at and to go on from. */
  async openRuling(card) {
    this.table.asPlan = false;
    byId("ruleset").value = card.ruleset;
    await this.open(card.shot, card.attacker.id, card.defender.id);
  }

  async open(shot, attacker, defender) {
    this.followsLive = false;
    const scene = await this.table.orTrouble(ask(`/shots/${encodeURIComponent(shot)}`), null);
    if (!scene) return;
    this.table.pair.set(attacker, defender);
    await this.table.show(scene);
  }

  /** Shows a ruling that somebody else asked for, on its picture, and stays with it for a while. */
  async showAsked({ id, shot }) {
    this.followsLive = false;
    const { table } = this;
    const card = await table.orTrouble(ask(`/rulings/${id}`), null);
    const scene = card && (await table.orTrouble(ask(`/shots/${shot}`), null));
    if (!scene) return;
    table.pair.set(null, null);
    await table.show(scene);
    markPair(table.groups, card.attacker.id, card.defender.id);
    table.answer.show(card);
    clearTimeout(this.backToLive);
    if (this.hasLive) this.backToLive = setTimeout(() => this.goLive(), BACK_TO_LIVE_MS);
  }

  /** A new picture of the camera is there. */
  async onLive({ shot }) {
    if (!this.followsLive || !shot || this.table.scene?.shot === shot) return;
    if (this.fetching || this.table.isBusy()) {
      this.waiting = shot;
      return;
    }
    this.fetching = true;
    try {
      // A thought may begin while the picture is on its way, and another source be chosen.
      const isUnwanted = () => !this.followsLive || this.table.isBusy();
      if (!(await this.showShot(shot, isUnwanted)) && this.followsLive) this.waiting ??= shot;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    } finally {
      this.fetching = false;
    }
    await this.showWaiting();
  }

  /** Shows the newest picture of those that came while none could be shown. */
  async showWaiting() {
    const next = this.waiting;
    this.waiting = null;
    if (next) await this.onLive({ shot: next });
  }

  async showShot(shot, isUnwanted) {
    return this.table.show(await ask(`/shots/${shot}${this.table.asPlan ? "?as=plan" : ""}`), isUnwanted);
  }

  async goLive() {
    this.followsLive = true;
    this.table.clear();
    this.table.trouble(null);
    const now = await this.table.orTrouble(ask("/now"), {});
    if (now.live) await this.onLive(now.live);
    this.table.onSource?.();
  }

  /** The camera is not followed any more: a person brings a picture, or has set one right. */
  leaveLive() {
    this.followsLive = false;
  }
}
