// List the camera's doubts about the picture, for people to settle.

import { ask, Refused } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { Rows, setText } from "../shell/steady.js";
import { settlingRow } from "../scene/settling.js";
import { t } from "../shell/texts.js";

export class Doubts {
  /**
   * @param {Record<string, any>} table  scene
   * @param {Record<string, any>} handlers   settle(correction), who(place), spot(outlines)
   */
  constructor(table, handlers) {
    this.table = table;
    this.rows = new Rows(byId("doubt-list"), ({ point }) => el("li", {}, settlingRow(point, handlers)));
    byId("doubts").addEventListener("toggle", () => this.refresh());
    byId("doubts").addEventListener("pointerleave", () => handlers.spot([]));
    byId("doubts").addEventListener("focusout", () => handlers.spot([]));
  }

  /** Handle another picture. */
  show({ open_count: count }) {
    byId("doubts").hidden = count === 0;
    setText(byId("doubt-count"), t("doubts_open", { count }));
    this.refresh();
  }

  /** Fetch the list while it is visible. */
  async refresh() {
    const { scene } = this.table;
    if (!scene || !byId("doubts").open || byId("doubts").hidden) return;
    try {
      const { doubts } = await ask(`/shots/${scene.shot}/doubts${scene.as_plan ? "?as=plan" : ""}`);
      if (scene === this.table.scene) this.rows.show(doubts.map((point, i) => ({ key: `${i} ${point.text}`, point })));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem; // the next picture asks again
    }
  }
}
