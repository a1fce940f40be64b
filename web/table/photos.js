// Photos taken or chosen by a person: uploaded, with the seconds of the reading, and shown.

import { Refused, sendPhoto, sendSide } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Photos {
  /** @param {import("./table.js").TableView} table  the table view for the photo: beginPhoto(), clear(), show(scene),
  trouble(text), onSource() */
  constructor(table) {
    this.table = table;
    for (const id of ["take", "choose"]) byId(id).addEventListener("change", (event) => this.read(event.target));
    byId("walk").addEventListener("change", (event) => this.readSide(event.target));
  }

  /** Read a photo by itself. */
  async read(input) {
    const file = chosenFile(input);
    if (!file) return;
    this.table.beginPhoto();
    await this.show(sendPhoto(file), () => this.table.clear());
  }

  /** Read a photo from another side jointly with the shown one. The chosen figures stay chosen. */
  async readSide(input) {
    const file = chosenFile(input);
    const { scene } = this.table;
    if (!file || !scene) return;
    this.table.beginPhoto();
    await this.show(readAnew(scene.shot, file), () => undefined);
  }

  async show(reading, beforeShown) {
    const started = Date.now();
    const ticking = setInterval(() => {
      this.busy(t("reading", { seconds: Math.round((Date.now() - started) / 1000) }));
    }, 1000);
    this.busy(t("reading_short"));
    try {
      const scene = await reading;
      beforeShown();
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

/** The scene of a shot with one more photo. Its figures may have other names than before. */
async function readAnew(shot, file) {
  return { ...(await sendSide(shot, file)), isReadAnew: true };
}

/** The chosen file. The same one can be chosen again. */
function chosenFile(input) {
  const [file] = input.files;
  input.value = "";
  return file;
}
