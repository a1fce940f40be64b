// DOM elements without markup strings: every outside text becomes a text node.

import "./fields.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Find an element of our own templates. Throws if the page lacks it.
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

/** Enable the page. Until its script is wired it is inert, or an early tap would send a form and reload the page. */
export function takesTaps() {
  document.body.inert = false;
}

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * Make an HTML element with attributes and children. Strings become text.
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
 * Make an SVG element with attributes and children.
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

/** Let enter and space on an SVG element act like a tap, as browsers do only for buttons. */
export function onKey(node, act) {
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
}

/** Make an SVG element a button for finger and keys. */
export function onPress(node, act) {
  node.addEventListener("click", act);
  onKey(node, act);
  return node;
}

/** The path of a polygon or polyline through picture points. */
export function path(points, close = true) {
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}${close ? "Z" : ""}`;
}

/** Wait until a picture has loaded or failed. Returns its address. */
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
