// News must not disturb a person: what is under a finger, open as a list or focused stays until it has served.

const CLICK_MS = 150; // a touch's click comes a little after the finger has left
const LIST_MS = 10_000; // no event tells that a list was closed with nothing chosen
const FOCUSABLE = "button, a[href], input, select, summary, [tabindex]";

const fingers = new Map();
const lifting = new Map();
const waiting = new Map();
let list = null;
let underWay = 0;

addEventListener("pointerdown", (event) => {
  clearTimeout(lifting.get(event.pointerId)); // the finger is back before its last click was over
  fingers.set(event.pointerId, event.target);
  opened(/** @type {Element} */ (event.target).closest?.("select"));
}, true);
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
  addEventListener(end, ({ pointerId }) => lifting.set(pointerId, setTimeout(() => lifted(pointerId), CLICK_MS)), true);
}
addEventListener("keydown", (event) => {
  if (event.key === " ") fingers.set("space", event.target);
  if (["Enter", " ", "ArrowDown", "ArrowUp"].includes(event.key)) opened(/** @type {Element} */ (event.target).closest?.("select"));
}, true);
addEventListener("keyup", (event) => {
  if (event.key === " ") setTimeout(() => lifted("space"), 0);
  if (event.key === "Escape") opened(null);
}, true);
for (const end of ["change", "focusout"]) addEventListener(end, (event) => event.target === list?.node && opened(null), true);

function opened(node) {
  clearTimeout(list?.timer);
  list = node ? { node, timer: setTimeout(() => opened(null), LIST_MS) } : null;
  if (!node) setTimeout(drawWaiting, 0); // after the other listeners of the same change
}

function lifted(finger) {
  fingers.delete(finger);
  lifting.delete(finger);
  drawWaiting();
}

function isInUse(place) {
  return [...fingers.values(), list?.node].some((node) => node && place.contains(node));
}

function drawWaiting() {
  for (const [place, draw] of [...waiting]) {
    if (isInUse(place)) continue;
    waiting.delete(place);
    draw();
  }
  showBusy();
}

/** Runs work that will change the page; until then the page says that it is busy. */
export async function busily(work) {
  underWay += 1;
  showBusy();
  try {
    return await work();
  } finally {
    underWay -= 1;
    showBusy();
  }
}

function showBusy() {
  const [main, isBusy] = [document.querySelector("main"), String(underWay > 0 || waiting.size > 0)];
  if ((main.ariaBusy ?? "false") !== isBusy) main.ariaBusy = isBusy;
}

/** Draws now or, while somebody touches the place or has a list of it open, right after that; of several, the last. */
export function steadily(place, draw) {
  waiting.delete(place);
  if (isInUse(place)) waiting.set(place, draw);
  else draw();
  showBusy();
}

/** Sets a text that may be the same as before: then nothing is read out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Puts the nodes into the place in this order; those that are there already stay untouched where they can. */
export function arrange(place, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...place.childNodes]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, i) => {
    if (place.childNodes[i] !== node) place.insertBefore(node, place.childNodes[i] ?? null);
  });
}

/** Replaces the contents of a place; what is focused in it and which parts are folded out stay so, counted by place. */
export function replaceKeeping(place, nodes) {
  const focus = focusable(place).indexOf(document.activeElement);
  const open = [...place.querySelectorAll("details")].map((part) => part.open);
  place.replaceChildren(...nodes);
  for (const [i, part] of place.querySelectorAll("details").entries()) part.open = open[i] ?? false;
  if (focus >= 0) (focusable(place)[focus] ?? focusable(place).at(-1))?.focus({ preventScroll: true });
}

function focusable(place) {
  return [...place.querySelectorAll(FOCUSABLE)].filter((node) => !node.disabled);
}

/** A list whose rows are made anew only where something about them has changed. */
export class Rows {
  /**
   * @param {Element} place          holds the rows and nothing else
   * @param {(item: any) => HTMLElement} make  the row of an item; `item.key` tells the items apart
   */
  constructor(place, make) {
    this.place = place;
    this.make = make;
    this.rows = new Map();
  }

  /** Shows the items; everything that a row depends on stands in its item. */
  show(items) {
    steadily(this.place, () => this.draw(items));
  }

  /** Draws the items at once, for a caller that has waited already. */
  draw(items) {
    const focused = [...this.rows.values()].map(({ node }) => node).findIndex((node) => node.contains(document.activeElement));
    const focus = focused < 0 ? null : this.focusOf(focused);
    const next = new Map();
    for (const item of items) {
      const shown = JSON.stringify(item);
      const before = this.rows.get(item.key);
      next.set(item.key, before?.shown === shown ? before : { shown, node: this.make(item) });
    }
    this.rows = next;
    arrange(this.place, [...next.values()].map(({ node }) => node));
    if (focus && !this.place.contains(document.activeElement)) this.refocus(focus);
  }

  focusOf(row) {
    const [key, { node }] = [...this.rows][row];
    const own = [node, ...focusable(node)];
    return { key, row, within: own.indexOf(document.activeElement) };
  }

  /** The focus goes to the same thing in the row's new node; where the row is gone, to the row in its place. */
  refocus({ key, row, within }) {
    const rows = [...this.rows.values()];
    const same = this.rows.get(key);
    const { node } = same ?? rows[Math.min(row, rows.length - 1)] ?? {};
    const own = node ? [node, ...focusable(node)] : [];
    const to = (same && own[within]) || own.find((one) => one.matches(FOCUSABLE)) || this.place;
    to.focus({ preventScroll: true });
  }
}
