// News must not disturb a person: an element under a finger, an open list or a focused element stays until it is
// released.

const CLICK_MS = 150; // a touch's click comes shortly after the finger has lifted
const LIST_MS = 10_000; // no event reports a list closed without a choice
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

/** Run work that will change the page. Until then the page is marked busy. */
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

/**
 * Draw now or, while somebody touches the place or has a list of it open, right after that. Of several draws, the last.
 */
export function steadily(place, draw) {
  waiting.delete(place);
  if (isInUse(place)) waiting.set(place, draw);
  else draw();
  showBusy();
}

/** Set a text only if it has changed, so that a screen reader does not repeat it. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Put the nodes into the place in this order. Existing ones stay untouched where possible. */
export function arrange(place, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...place.childNodes]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, i) => {
    if (place.childNodes[i] !== node) place.insertBefore(node, place.childNodes[i] ?? null);
  });
}

/** Replace a place's contents. Focus and unfolded parts stay, matched by position. */
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

/** A list whose rows are rebuilt only after a change. */
export class Rows {
  /**
   * @param {Element} place          holds only the rows
   * @param {(item: any) => HTMLElement} make  the row of an item; `item.key` identifies it
   */
  constructor(place, make) {
    this.place = place;
    this.make = make;
    this.rows = new Map();
  }

  /** Show the items. Everything that a row depends on must be in its item. */
  show(items) {
    steadily(this.place, () => this.draw(items));
  }

  /** Draw the items at once, for a caller that has already waited. */
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

  /** Move the focus to the same item's new node or, if its row is gone, to the row in its place. */
  refocus({ key, row, within }) {
    const rows = [...this.rows.values()];
    const same = this.rows.get(key);
    const { node } = same ?? rows[Math.min(row, rows.length - 1)] ?? {};
    const own = node ? [node, ...focusable(node)] : [];
    const to = (same && own[within]) || own.find((one) => one.matches(FOCUSABLE)) || this.place;
    to.focus({ preventScroll: true });
  }
}
