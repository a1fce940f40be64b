// A mission's form, built from the server's description of its fields. It knows no game.

import { el } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const MAIN = ["id", "name", "kind", "title"];

export class Form {
  /**
   * @param {Record<string, any>} shape    the form: `root` and `records` (assistant/match/mission_form.py)
   * @param {import("./board.js").Board} board     the board for tapping places
   * @param {Function} tell   called after every change
   */
  constructor(shape, board, tell) {
    this.records = shape.records;
    this.root = shape.root;
    this.board = board;
    this.tell = tell;
    this.places = [];
    this.board.markers = () => this.markers();
  }

  /** The game's own name field of a mission, which the editor fills in from the title. */
  get nameField() {
    return this.records[this.root].fields.find(({ required, kind }) => required && kind === "text")?.name ?? null;
  }

  fields(values) {
    this.values = values;
    return this.record(this.root, values, "setup", t("mission_rest"));
  }

  /** A record's fields: required and common ones first, the rest folded away. */
  record(name, values, path, label) {
    const fields = this.records[name].fields.filter((field) => name !== this.root || field.name !== this.nameField);
    const isShown = (field) => field.required || same(values[field.name], field.default) === false || MAIN.includes(field.name);
    const [shown, more] = [fields.filter(isShown), fields.filter((field) => !isShown(field))];
    const nodes = shown.map((field) => this.field(field, values, path));
    if (more.length) nodes.push(folded(t("mission_more", { what: titled(values) ?? label }), () => more.map((field) => this.field(field, values, path))));
    return nodes;
  }

  field(field, values, path) {
    const place = { holder: values, key: field.name, path: `${path}.${field.name}`, label: field.label, default: field.default };
    return this.node(field, place);
  }

  /** The input for one value. */
  node(node, place) {
    const makers = { text: "text", number: "number", toggle: "toggle", choice: "choice", cell: "taps", cells: "taps", point: "taps", fixed: "fixed", list: "list", map: "map", record: "one", variant: "variant" };
    const made = this[makers[node.kind]](node, place);
    made.dataset.path = place.path;
    made.dataset.label = place.label;
    return made;
  }

  set(place, value) {
    if (value === undefined) delete place.holder[place.key];
    else place.holder[place.key] = value;
    this.tell();
  }

  value(place) {
    return place.holder[place.key] === undefined ? place.default : place.holder[place.key];
  }

  text(_node, place) {
    const input = el("input", { type: "text", value: this.value(place) ?? "", autocomplete: "off" });
    input.addEventListener("input", () => this.set(place, input.value === "" ? undefined : input.value));
    return labelled(place.label, input);
  }

  number(node, place) {
    const input = el("input", { type: "number", inputmode: node.whole ? "numeric" : "decimal", step: node.whole ? 1 : "any", value: this.value(place) ?? "" });
    input.addEventListener("input", () => this.set(place, input.value === "" ? undefined : Number(input.value)));
    return labelled(place.label, input, "short");
  }

  toggle(_node, place) {
    const input = el("input", { type: "checkbox", checked: Boolean(this.value(place)) });
    input.addEventListener("change", () => this.set(place, input.checked));
    return el("div", { class: "field short" }, el("label", { class: "check" }, input, place.label));
  }

  choice(node, place) {
    const now = this.value(place);
    const blank = now === undefined || now === null ? [{ value: "", text: t("mission_none") }] : [];
    const options = [...blank, ...node.choices].map(({ value, text }) => el("option", { value, selected: value === now }, text));
    const input = el("select", {}, ...options);
    input.addEventListener("change", () => this.set(place, input.value || undefined));
    return labelled(place.label, input);
  }

  /** One or several places of the table, tapped on the board. */
  taps(node, place) {
    const text = el("span", {}, this.board.words(node.kind, this.value(place)));
    const button = el("button", { type: "button", class: "button place" }, el("b", {}, place.label), text);
    this.places.push({ button, place, kind: node.kind });
    button.addEventListener("click", () =>
      this.board.pick(node.kind, this.value(place), place.owner ?? place.label, (value) => {
        text.textContent = this.board.words(node.kind, value);
        this.set(place, value);
      }),
    );
    return el("div", { class: "field" }, button);
  }

  fixed(node, place) {
    const values = [...(this.value(place) ?? node.items.map(() => undefined))];
    const setAll = () => this.set(place, values.every((value) => value === undefined) ? undefined : values);
    const parts = node.items.map((_, key) => {
      const input = el("input", { type: "number", value: values[key] ?? "", "aria-label": `${place.label} ${key + 1}` });
      input.addEventListener("input", () => {
        values[key] = input.value === "" ? undefined : Number(input.value);
        setAll();
      });
      return input;
    });
    return el("div", { class: "field", role: "group", "aria-label": place.label }, el("span", {}, place.label), el("div", { class: "row" }, ...parts));
  }

  list(node, place) {
    const values = [...(this.value(place) ?? [])];
    const rows = el("div", { class: "rows" });
    const tell = () => this.set(place, values);
    const draw = () => rows.replaceChildren(...values.map((_, key) => this.entry(node.item, { holder: values, key, path: `${place.path}[${key}]`, label: t("mission_entry", { what: place.label, number: key + 1 }), isEntry: true }, () => drop(key))));
    const drop = (key) => {
      values.splice(key, 1);
      draw();
      tell();
    };
    const add = adding(place.label, () => {
      values.push(this.fresh(node.item, values.at(-1)));
      draw();
      tell();
      rows.lastElementChild.querySelector("summary, input, select, button")?.focus();
    });
    place.holder[place.key] ??= values.length ? values : undefined;
    if (place.holder[place.key]) place.holder[place.key] = values;
    draw();
    return group(place.label, rows, add);
  }

  map(node, place) {
    const entries = Object.entries(this.value(place) ?? {});
    const values = Object.fromEntries(entries);
    if (place.holder[place.key] !== undefined) place.holder[place.key] = values;
    const rows = el("div", { class: "rows" });
    const draw = () => rows.replaceChildren(...Object.keys(values).map((key) => this.entry(node.item, { holder: values, key, path: `${place.path}[...]`, label: key, isEntry: true }, () => drop(key))));
    const drop = (key) => {
      delete values[key];
      draw();
      this.set(place, values);
    };
    const name = el("input", { type: "text", "aria-label": `${place.label}: ${t("mission_name_of")}`, placeholder: t("mission_name_of"), autocomplete: "off" });
    const add = adding(place.label, () => {
      if (!name.value.trim()) return name.focus();
      values[name.value.trim()] = this.fresh(node.item);
      name.value = "";
      draw();
      this.set(place, values);
      rows.lastElementChild.querySelector("input, select, button")?.focus();
    });
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      add.click();
    });
    draw();
    return group(place.label, rows, el("div", { class: "row" }, name, add));
  }

  /** One entry of a list or map: a record folds, a plain value is a row. */
  entry(item, place, drop) {
    const remove = el("button", { type: "button", class: "button quiet remove", "aria-label": t("mission_remove", { what: place.label }) }, "×");
    remove.addEventListener("click", drop);
    if (item.kind !== "record" && item.kind !== "variant") return el("div", { class: "row entry" }, this.node(item, place), remove);
    const values = place.holder[place.key];
    const title = () => titled(values) ?? place.label;
    const summary = el("summary", {}, title());
    remove.textContent = t("mission_remove", { what: title() });
    const box = folded(summary, () => [this.node(item, place), remove]);
    box.dataset.path = place.path;
    box.dataset.label = title();
    box.addEventListener("input", () => (summary.textContent = title()));
    return box;
  }

  /** A nested record, which may be omitted if nothing needs it. */
  one(node, place) {
    const box = el("div", { class: "record" });
    const draw = () => {
      const values = place.holder[place.key];
      if (values === undefined || values === null) {
        const add = adding(place.label, () => {
          this.set(place, {});
          draw();
        });
        return box.replaceChildren(add);
      }
      return box.replaceChildren(...this.record(node.record, values, place.path, place.label));
    };
    if (place.holder[place.key] === undefined && !node.optional) place.holder[place.key] = place.default ? structuredClone(place.default) : {};
    draw();
    // An entry of a list takes its name from its fold.
    return place.isEntry ? box : group(place.label, box);
  }

  variant(node, place) {
    const box = el("div", { class: "record" });
    const values = place.holder[place.key];
    const field = node.choices[0].tag_field;
    const input = el("select", {}, ...node.choices.map(({ tag, text }) => el("option", { value: tag, selected: values[field] === tag }, text)));
    const draw = () => box.replaceChildren(...this.record(node.choices.find(({ tag }) => tag === values[field]).record, values, place.path, place.label));
    input.addEventListener("change", () => {
      for (const name of Object.keys(values)) delete values[name];
      values[field] = input.value;
      draw();
      this.tell();
    });
    draw();
    return el("div", { class: "field" }, labelled(place.label, input), box);
  }

  /** The initial value of a new entry. A numbered name counts on. */
  fresh(node, before) {
    if (node.kind === "record") return {};
    if (node.kind === "variant") return { [node.choices[0].tag_field]: node.choices[0].tag };
    if (node.kind === "list" || node.kind === "cells") return [];
    if (node.kind === "map") return {};
    if (node.kind === "number") return Math.max(node.least ?? 0, 0);
    if (node.kind === "toggle") return false;
    const counted = typeof before === "string" ? /^(.*?)(\d+)$/.exec(before) : null;
    return counted ? `${counted[1]}${Number(counted[2]) + 1}` : "";
  }

  /** Show a reader's sentence at its field, or at the fold around it, with the field in words. */
  mark(path, message = "") {
    for (const old of document.querySelectorAll("#form .fault")) old.remove();
    for (const old of document.querySelectorAll("#form .faulty")) old.classList.remove("faulty");
    if (path === null) return null;
    const found = nearest(path);
    if (!found) return null;
    found.classList.add("faulty");
    const [way, shown] = [this.way(path), this.way(found.dataset.path)];
    const last = way.slice(shown.length).join(" › ");
    found.append(el("p", { class: "fault", role: "note" }, last ? `${last}: ${message}` : message));
    return way.join(" › ");
  }

  /** Unfold every box around a field, and scroll there. */
  async reveal(path) {
    for (let closed = firstClosed(path); closed; closed = firstClosed(path)) {
      closed.open = true;
      await new Promise((resume) => closed.addEventListener("toggle", resume, { once: true }));
    }
    const found = nearest(path);
    found?.scrollIntoView({ block: "center" });
    (found?.querySelector("input, select, button") ?? found)?.focus({ preventScroll: true });
  }

  /** The labels of a field and everything around it, as far as the form knows them, folded or not. */
  way(path) {
    const labels = [];
    let [record, value, node] = [this.root, this.values, null];
    for (const [, name, key] of path.replace(/^setup/, "").matchAll(/[.]([^.[]+)|\[([^\]]*)\]/g)) {
      if (key !== undefined) {
        const entry = value?.[key];
        labels.push(titled(entry) ?? t("mission_entry", { what: labels.pop(), number: Number(key) + 1 || key }));
        [node, value] = [node?.item, entry];
      } else {
        const field = this.records[record]?.fields.find((one) => one.name === name);
        labels.push(field?.label ?? name);
        [node, value] = [field, value?.[name]];
      }
      record = node?.record ?? node?.choices?.find(({ tag, tag_field: by }) => tag === value?.[by])?.record ?? null;
    }
    return labels;
  }

  /** The tapped places of this form's fields, for drawing on the board. */
  markers() {
    return this.places.filter(({ button }) => button.isConnected).map(({ place, kind }) => ({ kind, value: this.value(place), text: place.label }));
  }
}

/** An entry's own name, or nothing. */
const titled = (values) => values?.id ?? values?.name ?? values?.kind;

/** The visible part of a field: itself, or the innermost fold around it. */
function nearest(path) {
  const around = ({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}.`) || path.startsWith(`${dataset.path}[`);
  return [...document.querySelectorAll("#form [data-path]")].filter(around).at(-1);
}

/** The next box to unfold on the way to a field: around its visible part, itself, or the rest of its fields. */
function firstClosed(path) {
  const found = nearest(path);
  if (!found) return null;
  const around = [];
  for (let box = found.closest("details"); box; box = box.parentElement.closest("details")) around.unshift(box);
  const rest = [...found.querySelectorAll("details:not([data-path])")].filter((box) => box.parentElement.closest("[data-path]") === found);
  const wanted = found.dataset.path === path ? around : [...around, ...rest];
  return wanted.find((box) => !box.open) ?? null;
}

const same = (a, b) => (a === undefined ? true : JSON.stringify(a) === JSON.stringify(b));

function labelled(label, input, kind = "") {
  return el("div", { class: `field ${kind}`.trim() }, el("label", {}, label, input));
}

function group(label, ...children) {
  return el("fieldset", { class: "field" }, el("legend", {}, label), ...children);
}

function adding(label, act) {
  const button = el("button", { type: "button", class: "button quiet add" }, t("mission_add", { what: label }));
  button.addEventListener("click", act);
  return button;
}

/** Content created only when unfolded, since a mission has hundreds of fields. */
function folded(title, make) {
  const summary = typeof title === "string" ? el("summary", {}, title) : title;
  const inside = el("div", { class: "inside" });
  const box = el("details", {}, summary, inside);
  box.addEventListener("toggle", () => {
    if (box.open && !inside.children.length) inside.replaceChildren(...make());
  });
  return box;
}
