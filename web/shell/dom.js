// Elements without markup strings: every text that comes from outside becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Finds an element of our own templates; throws where the page lacks it.
 *
 * @template {string} Id
 * @param {string extends Id ? Id : Id & keyof PageElements} id
 * @returns {Id extends keyof PageElements ? PageElements[Id] : HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return /** @type {any} */ (found);
}

/** The page answers from now on: until its script is wired it is inert, or an early tap would send a form and load the page anew. */
export function takesTaps() {
  document.body.inert = false;
}

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * Makes an HTML element with attributes and children; strings become text.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/**
 * Makes an SVG element with attributes and children.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} node
 * @param {Record<string, unknown>} attributes
 * @param {Child[]} children
 */
function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(/** @type {Node | string} */ (child));
  return node;
}

/** Enter and space on an SVG element do what a tap does: browsers give buttons that, nothing else. */
export function onKey(node, act) {
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

/** Makes an SVG element a button for finger and keys. */
export function onPress(node, act) {
  node.addEventListener("click", act);
  onKey(node, act);
  return node;
}

/** The path of a polygon or polyline through picture points. */
export function path(points, close = true) {
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}${close ? "Z" : ""}`;
}

/** The address of a picture once it is there to be shown, or has failed to come. */
export async function loaded(address) {
  const next = new Image();
  next.src = address;
  await next.decode().catch(() => undefined);
  return address;
}

/** The middle of some points. */
export function middle(points) {
  const sum = points.reduce(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return sum.map((value) => value / points.length);
}
