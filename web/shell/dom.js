// Elements without markup strings: every text that comes from outside becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

/** The element of that id; a missing one is a mistake in our own page. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** The page answers from now on: until its script is wired it is inert, or an early tap would send a form and load the page anew. */
export function takesTaps() {
  document.body.inert = false;
}

/** An HTML element with attributes and children; strings become text. */
export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** The path of a polygon or polyline through picture points. */
export function path(points, close = true) {
  return "M" + points.map(([x, y]) => `${x} ${y}`).join("L") + (close ? "Z" : "");
}

/** The address of a picture once it is there to be shown, or has failed to come. */
export async function loaded(address) {
  const next = new Image();
  next.src = address;
  await next.decode().catch(() => undefined);
  return address;
}
