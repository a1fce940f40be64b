// Moments of a call side by side: marked differences, the last moves, and a ruling with its lines.

import { ask, Refused } from "../shell/api.js";
import { byId, el, svg } from "../shell/dom.js";
import { Rows } from "../shell/steady.js";
import { t } from "../shell/texts.js";
import { frozenPicture, rulingMarks } from "./frozen.js";

const MOST_STEPS = 12;

export class Moments {
  /**
   * @param {string} root  address of the calls
   * @param {function} trouble  shows an error
   */
  constructor(root, trouble) {
    this.root = root;
    this.trouble = trouble;
    this.call = null;
    this.rows = new Rows(byId("steps-back"), (one) => this.row(one));
    for (const id of ["pick-first", "pick-second"]) byId(id).addEventListener("change", () => this.compare());
  }

  /** Show a call, also again while further pictures arrive. The selection stays. */
  async show(call) {
    const isOther = this.call?.id !== call.id;
    const here = call.pictures.filter(({ picture }) => picture).length;
    const hadShown = isOther ? [] : this.shown();
    this.call = call;
    byId("no-pictures").hidden = call.pictures.length > 0;
    byId("look-back").hidden = here === 0;
    if (!here) return;
    if (isOther) {
      this.asked = 0;
      this.offer();
      const last = call.pictures.findLastIndex(({ picture }) => picture);
      this.pick(Math.max(0, call.pictures.findLastIndex(({ picture }, i) => picture && i < last)), last);
    }
    for (const list of [byId("pick-first"), byId("pick-second")]) {
      for (const [i, option] of [...list.options].entries()) option.disabled = !call.pictures[i].picture;
    }
    if (isOther || hadShown.some((picture) => !picture)) this.compare();
    if (here === call.pictures.length ? this.asked < here : here >= 2 * this.asked) await this.lookBack(here);
  }

  offer() {
    this.rows.show([]);
    const options = () => this.call.pictures.map((picture, i) => el("option", { value: i }, label(picture, this.call)));
    byId("pick-first").replaceChildren(...options());
    byId("pick-second").replaceChildren(...options());
  }

  /** Show the moves on the available pictures, the last one selected unless somebody has chosen. */
  async lookBack(here) {
    const call = this.call;
    const isFirst = this.asked === 0;
    const chosen = this.places().join();
    this.asked = here;
    try {
      const { changes } = await ask(`${this.root}/${encodeURIComponent(call.id)}/changes`);
      if (this.call.id !== call.id) return;
      byId("steps-back-none").hidden = changes.length > 0;
      this.rows.show(changes.slice(0, MOST_STEPS).map((one) => ({ key: `${one.after} ${one.text}`, ...one })));
      if (!isFirst || !changes.length || chosen !== this.places().join()) return;
      this.pick(changes[0].before, this.places()[1]);
      await this.compare();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.trouble(problem);
    }
  }

  row({ text, before, after }) {
    const button = el("button", { type: "button", class: "step-back" }, el("b", {}, text), el("small", {}, label(this.call.pictures[after], this.call)));
    button.addEventListener("click", () => {
      this.pick(before, after);
      this.compare();
    });
    return el("li", {}, button);
  }

  pick(first, second) {
    byId("pick-first").value = String(first);
    byId("pick-second").value = String(second);
  }

  places() {
    return [byId("pick-first"), byId("pick-second")].map((list) => Number(list.value));
  }

  shown() {
    return this.places().map((place) => this.call.pictures[place]?.picture);
  }

  async compare() {
    const call = this.call;
    const [first, second] = this.places();
    this.draw("moment-first", call.pictures[first], []);
    this.draw("moment-second", call.pictures[second], []);
    if (!call.pictures[first].picture || !call.pictures[second].picture) return;
    try {
      const found = await ask(`${this.root}/${encodeURIComponent(call.id)}/difference?first=${first}&second=${second}`);
      if (this.call.id !== call.id || this.places().join() !== [first, second].join()) return;
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

  /** Show a ruling on its own picture, beside the moment itself. */
  showRuling(one) {
    const picture = this.call.pictures[one.picture];
    byId("pick-first").value = String(one.picture);
    this.draw("moment-first", picture, rulingMarks(one, picture));
    byId("look-back-title").scrollIntoView({ block: "start" });
  }

  draw(id, picture, marks) {
    byId(id).replaceChildren(...(picture.picture ? [frozenPicture(picture, marks)] : []));
  }
}

/** A picture's time relative to the call. */
function label({ t: takenT, by_hand: byHand }, { opened_t: openedT }) {
  const seconds = Math.max(0, Math.round((openedT - takenT) / 1000));
  const words = seconds < 3 ? t("judge_now") : t("judge_before", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` });
  return byHand ? `${words} · ${t("judge_by_hand")}` : words;
}
