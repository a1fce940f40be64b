// Two moments of a call side by side, with what is different marked; and a ruling with its lines.

import { ask, Refused } from "../shell/api.js";
import { byId, el, svg } from "../shell/dom.js";
import { t } from "../shell/texts.js";
import { frozenPicture, rulingMarks } from "./frozen.js";

export class Moments {
  /** @param {function} trouble  says what went wrong */
  constructor(trouble) {
    this.trouble = trouble;
    this.call = null;
    for (const id of ["pick-first", "pick-second"]) byId(id).addEventListener("change", () => this.compare());
  }

  show(call) {
    this.call = call;
    const count = call.pictures.length;
    byId("no-pictures").hidden = count > 0;
    byId("moments").hidden = count === 0;
    if (!count) return;
    const options = () => call.pictures.map((picture, i) => el("option", { value: i }, label(picture, call)));
    byId("pick-first").replaceChildren(...options());
    byId("pick-second").replaceChildren(...options());
    byId("pick-first").value = String(Math.max(0, count - 2));
    byId("pick-second").value = String(count - 1);
    this.compare();
  }

  async compare() {
    const call = this.call;
    const [first, second] = ["pick-first", "pick-second"].map((id) => Number(byId(id).value));
    this.draw("moment-first", call.pictures[first], []);
    this.draw("moment-second", call.pictures[second], []);
    try {
      const found = await ask(`/calls/${encodeURIComponent(call.id)}/difference?first=${first}&second=${second}`);
      if (this.call !== call || Number(byId("pick-second").value) !== second || Number(byId("pick-first").value) !== first) return;
      const size = call.pictures[second];
      const boxes = found.boxes.map(({ left, top, width, height }) =>
        svg("rect", { class: "differs", x: left * size.width_px, y: top * size.height_px, width: width * size.width_px, height: height * size.height_px }),
      );
      this.draw("moment-second", size, boxes);
      const sentences = found.sentences.length ? found.sentences : [t(found.boxes.length ? "judge_differs" : "judge_same")];
      byId("differences").replaceChildren(...sentences.map((sentence) => el("li", {}, sentence)));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem);
    }
  }

  /** A ruling on the picture that it was asked on, beside the moment itself. */
  showRuling(one) {
    const picture = this.call.pictures[one.picture];
    byId("pick-first").value = String(one.picture);
    this.draw("moment-first", picture, rulingMarks(one, picture));
    byId("moments-title").scrollIntoView({ block: "start" });
  }

  draw(id, picture, marks) {
    byId(id).replaceChildren(frozenPicture(picture, marks));
  }
}

/** When a picture was taken, counted from the call. */
function label({ t: takenT, by_hand: byHand }, { opened_t: openedT }) {
  const seconds = Math.max(0, Math.round((openedT - takenT) / 1000));
  const words = seconds < 3 ? t("judge_now") : t("judge_before", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` });
  return byHand ? `${words} · ${t("judge_by_hand")}` : words;
}
