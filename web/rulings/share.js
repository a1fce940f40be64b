// The answer to take away: as text to share, and as a picture of the table with its lines.

import { cardText } from "./card.js";
import { byId } from "../shell/dom.js";
import { t } from "../shell/texts.js";

const SHOWN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font", "text-anchor", "paint-order", "display", "vector-effect"];
const WIDTH_PX = 1600;
const BAND_PX = 190;

/** Share the answer as text with its link, or copy it if sharing is unavailable. */
export async function shareAnswer(card, link) {
  const text = cardText(card) + (link ? `\n${location.origin}/${link}` : "");
  try {
    if (navigator.share) {
      await navigator.share({ text });
      return "";
    }
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyByHand(text);
    return t("shared");
  } catch (problem) {
    return problem.name === "AbortError" ? "" : t("share_failed");
  }
}

/** Copy by selection: over plain HTTP browsers offer pages neither of the two better ways. */
function copyByHand(text) {
  const before = /** @type {HTMLElement} */ (document.activeElement);
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before.focus({ preventScroll: true });
  if (!isCopied) throw new Error("the browser does not copy");
}

/** Save the picture with all overlays, and the answer in words above it, as one file. */
export async function saveAnswer(card, scene) {
  const canvas = await answerPicture(card, scene);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `sightline-${card.attacker.id}-${card.defender.id}.jpg`.replace(/[^\w.-]+/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function answerPicture(card, scene) {
  const [x, y, width, height] = scene.focus_px;
  const scale = WIDTH_PX / width;
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH_PX, height: Math.round(height * scale) + BAND_PX });
  const context = canvas.getContext("2d");
  context.fillStyle = "#0d1319";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, -x * scale, BAND_PX - y * scale);
  const photo = byId("picture");
  if (!photo.hidden) context.drawImage(photo, 0, 0, scene.width_px, scene.height_px);
  context.drawImage(await drawnOver(scene, scale), 0, 0, scene.width_px, scene.height_px);
  context.setTransform(1, 0, 0, 1, 0, 0);
  writeBand(context, card);
  return canvas;
}

/** The overlay as an image of its own. Page styles do not apply to it, so they are copied. */
async function drawnOver(scene, scale) {
  const overlay = byId("overlay");
  const copy = /** @type {SVGElement} */ (overlay.cloneNode(true));
  const originals = [overlay, ...overlay.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of SHOWN) node.style.setProperty(name, style.getPropertyValue(name));
    node.style.setProperty("animation", "none");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(scene.width_px * scale)));
  copy.setAttribute("height", String(Math.round(scene.height_px * scale)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

function writeBand(context, card) {
  const color = getComputedStyle(document.querySelector(".verdict")).borderTopColor;
  context.fillStyle = "#151e28";
  context.fillRect(0, 0, WIDTH_PX, BAND_PX);
  context.fillStyle = color;
  context.fillRect(0, 0, 18, BAND_PX);
  context.fillStyle = "#f2f6fa";
  context.font = "700 68px system-ui, sans-serif";
  context.fillText(card.headline, 56, 84, WIDTH_PX - 90);
  context.font = "36px system-ui, sans-serif";
  const facts = card.facts.map((fact) => `${fact.name}: ${fact.value}`).join(" · ");
  context.fillText(`${card.sentence} ${facts}`, 56, 148, WIDTH_PX - 90);
}
