// The picture's source: the followed camera, a photo, a link, or a past ruling.

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

  /** Show a shared link's picture, and its two figures if any. */
  async openLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.get("shot")) await this.open(link.get("shot"), link.get("from"), link.get("to"));
  }

  /** Show a past ruling on its picture, as a starting point. */
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

  /** Show somebody else's ruling on its picture, and stay with it for a while. */
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

  /** Handle a new picture of the camera. */
  async onLive({ shot }) {
    if (!this.followsLive || !shot || this.table.scene?.shot === shot) return;
    if (this.fetching || this.table.isBusy()) {
      this.waiting = shot;
      return;
    }
    this.fetching = true;
    try {
      // A what-if may begin while the picture is on its way, or another source be chosen.
      const isUnwanted = () => !this.followsLive || this.table.isBusy();
      if (!(await this.showShot(shot, isUnwanted)) && this.followsLive) this.waiting ??= shot;
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    } finally {
      this.fetching = false;
    }
    await this.showWaiting();
  }

  /** Show the newest of the pictures that arrived while none could be shown. */
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

  /** Stop following the camera: a person brings a picture, or has corrected one. */
  leaveLive() {
    this.followsLive = false;
  }
}
