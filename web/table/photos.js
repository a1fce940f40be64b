// Photos taken or chosen by a person: uploaded, with the seconds of the reading, and shown.

import { Refused, sendBytes, sendPhoto, sendSide } from "../shell/api.js";
import { byId } from "../shell/dom.js";
import { t } from "../shell/texts.js";

export class Photos {
  /** @param {import("./table.js").TableView} table  the table view for the photo: beginPhoto(), clear(), show(scene),
  trouble(text), offerReport(scene), onSource() */
  constructor(table) {
    this.table = table;
    /** The last photo, if the table could not be read from it: where its report goes, and the file. */
    this.refused = null;
    for (const id of ["take", "choose"]) byId(id).addEventListener("change", (event) => this.read(event.target));
    byId("walk").addEventListener("change", (event) => this.readSide(event.target));
  }

  /** Read a photo by itself. */
  async read(input) {
    const file = chosenFile(input);
    if (!file) return;
    this.table.beginPhoto();
    await this.show(sendPhoto(file), () => this.table.clear(), { path: "/refusals", file });
  }

  /** Read a photo from another side jointly with the shown one. The chosen figures stay chosen. */
  async readSide(input) {
    const file = chosenFile(input);
    const { scene } = this.table;
    if (!file || !scene) return;
    this.table.beginPhoto();
    const path = `/shots/${encodeURIComponent(scene.shot)}/sides/refusals`;
    await this.show(readAnew(scene.shot, file), () => undefined, { path, file });
  }

  /** Show the scene once it is read. A photo that cannot be read is offered for a report. */
  async show(reading, beforeShown, photo) {
    await this.whileReading(async () => {
      try {
        const scene = await reading;
        beforeShown();
        await this.table.show(scene);
      } catch (problem) {
        if (!(problem instanceof Refused)) throw problem;
        this.table.trouble(problem.message);
        this.refused = problem.isOfPhoto ? photo : null;
        this.table.offerReport(this.table.scene);
      }
    });
    this.table.onSource?.();
  }

  /** Keep the photo that cannot be read at the table. Returns whether it is kept; a refusal is shown. */
  async reportRefused() {
    const { path, file } = this.refused;
    return this.whileReading(() => this.table.orTrouble(sendBytes(path, file), null));
  }

  /** Do that, and show the seconds of the reading meanwhile. */
  async whileReading(doing) {
    const started = Date.now();
    const ticking = setInterval(() => {
      this.busy(t("reading", { seconds: Math.round((Date.now() - started) / 1000) }));
    }, 1000);
    this.busy(t("reading_short"));
    try {
      return await doing();
    } finally {
      clearInterval(ticking);
      this.busy(null);
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
