// Photos that a person takes or chooses: handed in, with the seconds that the reading takes, and shown.

import { Refused, sendPhoto, sendSide } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Photos {
  /** @param {import("./table.js").TableView} table  the table that shows the photo: beginPhoto(), clear(), show(scene), trouble(text), onSource() */
  constructor(table) {
    this.table = table;
    for (const id of ["take", "choose"]) byId(id).addEventListener("change", (event) => this.read(event.target));
    byId("walk").addEventListener("change", (event) => this.readSide(event.target));
  }

  /** Reads a photo by itself. */
  async read(input) {
    const file = chosenFile(input);
    if (!file) return;
    this.table.beginPhoto();
    await this.show(sendPhoto(file), () => this.table.clear());
  }

  /** Reads a photo from another side together with what is shown; the chosen figures stay chosen. */
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

/** The scene of a shot by one more photo: its figures may be called otherwise than before. */
async function readAnew(shot, file) {
  return { ...(await sendSide(shot, file)), isReadAnew: true };
}

/** The file that was chosen; the same one can be chosen again. */
function chosenFile(input) {
  const [file] = input.files;
  input.value = "";
  return file;
}
