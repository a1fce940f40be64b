// Photos that a person takes or chooses: handed in, with the seconds that the reading takes, and shown.

import { Refused, sendPhoto } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Photos {
  /** @param {TableView} table  the table that shows the photo: beginPhoto(), clear(), show(scene), trouble(text), onSource() */
  constructor(table) {
    this.table = table;
    for (const id of ["take", "choose"]) byId(id).addEventListener("change", (event) => this.read(event.target));
  }

  async read(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    this.table.beginPhoto();
    const started = Date.now();
    const ticking = setInterval(() => {
      this.busy(t("reading", { seconds: Math.round((Date.now() - started) / 1000) }));
    }, 1000);
    this.busy(t("reading_short"));
    try {
      const scene = await sendPhoto(file);
      this.table.clear();
      await this.table.show(scene);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.table.trouble(problem.message);
    } finally {
      clearInterval(ticking);
      this.busy(null);
      this.table.onSource?.();
    }
  }

  busy(text) {
    byId("busy").hidden = text === null;
    byId("busy-text").textContent = text ?? "";
  }
}
