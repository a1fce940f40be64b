// A line-up: all figures of a box in one photo, in groups of probably equal ones, for a person to name.

import { send } from "../shell/api.js";
import { byId, el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

/** Reasons why something in the photo was not used. */
const NOT_TAKEN = { "cut off": "line_up_cut_off", flat: "line_up_flat" };

export class LineUp {
  /**
   * @param {(text: string, doing: () => Promise<any>) => Promise<any>} work
   * @param {(roster: any) => Promise<void>} onKept
   */
  constructor(work, onKept) {
    this.work = work;
    this.onKept = onKept;
    this.draft = null;
    this.groups = [];
    this.marked = 0;
    byId("line-up-form").addEventListener("submit", (event) => this.save(event));
    byId("line-up-scale-form").addEventListener("submit", (event) => this.scale(event));
  }

  get path() {
    return `/teach/line-ups/${encodeURIComponent(this.draft.draft)}`;
  }

  /** Show a reading. Earlier typed names for the same figures stay. */
  show(draft) {
    const before = this.groups;
    this.draft = draft;
    this.groups = draft.groups.map((group) => {
      const known = before.find((one) => one.figures[0] === group.figures[0]);
      return { ...group, figures: [...group.figures], kind: known?.kind ?? "", side: known?.side ?? "" };
    });
    byId("line-up-bench").hidden = false;
    byId("line-up-more-acts").hidden = false;
    byId("line-up-scale-form").hidden = draft.is_scaled;
    this.marked = draft.marked ?? this.groups[0]?.figures[0] ?? 0;
    this.draw();
    this.drawOthers();
  }

  draw() {
    const figures = this.groups.reduce((sum, group) => sum + group.figures.length, 0);
    const sides = this.draft.photos > 1 ? ` ${t("line_up_sides", { fitting: this.draft.fitting, photos: this.draft.photos })}` : "";
    byId("line-up-found").textContent = t("line_up_found", { figures, groups: this.groups.length }) + sides;
    byId("line-up-groups").replaceChildren(...this.groups.map((group, i) => this.line(group, i)));
  }

  line(group, at) {
    const kind = el("input", { list: "kind-names", maxlength: 64, autocomplete: "off", "data-kind": at, value: group.kind });
    const side = el("input", { list: "side-names", maxlength: 64, autocomplete: "off", "data-side": at, value: group.side });
    kind.addEventListener("input", () => {
      group.kind = kind.value;
      side.required = kind.value.trim() !== "";
    });
    side.addEventListener("input", () => {
      group.side = side.value;
      for (const later of this.groups.slice(at + 1)) if (!later.side) later.side = side.value;
    });
    return el(
      "li",
      {},
      el("div", { class: "cut-outs" }, ...group.figures.map((number) => this.cutOut(group, number))),
      el("p", {}, this.sizeOf(group)),
      el("label", { class: "field" }, t("line_up_who"), kind),
      el("label", { class: "field" }, t("line_up_side"), side),
    );
  }

  cutOut(group, number) {
    const marked = number === this.marked && !this.draft.is_scaled;
    const name = t("line_up_figure", { number: number + 1 });
    const button = el(
      "button",
      { type: "button", class: marked ? "cut-out marked" : "cut-out", "aria-label": name, "data-figure": number },
      el("img", { src: this.pictureOf(number), alt: "", width: 96, height: 96, loading: "lazy" }),
    );
    button.addEventListener("click", () => this.takeOut(group, number));
    return button;
  }

  pictureOf(number) {
    return `/api/v1${this.path}/${number}/picture`;
  }

  sizeOf(group) {
    if (!this.draft.is_scaled) return t("line_up_no_size");
    const [longer, shorter] = group.base.size_mm;
    const size = group.base.shape === "round" ? t("line_up_round", { mm: longer }) : t("line_up_rectangle", { longer, shorter });
    return group.ring ? `${size} ${t("line_up_ring")}` : size;
  }

  /** Move a figure unlike the others of its group into a group of its own. Alone, it goes to the group above. */
  takeOut(group, number) {
    const at = this.groups.indexOf(group);
    if (group.figures.length > 1) {
      group.figures = group.figures.filter((one) => one !== number);
      this.groups.splice(at + 1, 0, { ...group, figures: [number], kind: "" });
    } else if (at > 0) {
      this.groups[at - 1].figures.push(number);
      this.groups.splice(at, 1);
    }
    this.draw();
  }

  drawOthers() {
    const others = this.draft.not_taken;
    byId("line-up-others").hidden = others.length === 0;
    byId("line-up-not-taken").replaceChildren(
      ...others.map(({ number, what }) => {
        const reason = t(NOT_TAKEN[what]);
        return el("li", {}, el("img", { src: this.pictureOf(number), alt: reason, width: 96, height: 96 }), el("span", {}, reason));
      }),
    );
  }

  async scale(event) {
    event.preventDefault();
    const wish = { figure: this.marked, base_mm: Number(byId("line-up-base").value) };
    const draft = await this.work("teach_keeping", () => send(`${this.path}/scale`, wish));
    if (draft) this.show(draft);
  }

  async save(event) {
    event.preventDefault();
    const named = this.groups.filter((group) => group.kind.trim());
    if (named.length === 0) return void byId("line-up-groups").querySelector("input")?.focus();
    // Sizes are guesses until one base is known. An empty field asks for it.
    if (!this.draft.is_scaled) return void byId("line-up-scale-form").requestSubmit();
    const groups = named.map(({ figures, kind, side }) => ({ figures, kind: kind.trim(), side: side.trim() }));
    const wish = { roster: byId("line-up-roster").value.trim(), groups };
    const kept = await this.work("teach_keeping", () => send(`${this.path}/figures`, wish));
    if (kept) await this.onKept(kept);
  }
}
