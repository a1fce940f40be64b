// A tap on the table while nothing is chosen: its target, and the offered command that it starts.

import { inside } from "../scene/draw.js";

const PASS = "pass";
const MOVE = "move";
/** The commands that are an attack on an enemy, a blow before a shot before a charge. */
const ATTACKS = ["attack", "fight", "announce", "shoot", "charge"];

/**
 * The figure and the space at a point of the drawing, each null if absent.
 *
 * @param {number[]} point  in the units of the drawing
 * @param {{scene: any, ground: any, standing: Map<string, number[][]>}} table  the camera's picture if drawn, the
 *   match's own table, and its place of each figure
 * @returns {{figure: string | null, cell: number[] | null}}
 */
export function whatIsAt([x, y], { scene, ground, standing }) {
  const areas = scene ? scene.cells : (ground?.areas ?? []).filter(({ kind }) => kind === "cell").map(({ outline }) => ({ cell: outline[0], outline }));
  const cell = areas.find(({ outline }) => inside(outline, x, y))?.cell ?? null;
  const stands = cell && [...standing].find(([, cells]) => cells.some((one) => String(one) === String(cell)))?.[0];
  const drawn = scene ? null : ground?.figures.find(({ center, size }) => [x, y].every((at, i) => Math.abs(at - center[i]) <= size[i] / 2))?.id;
  return { figure: drawn ?? stands ?? null, cell };
}

/**
 * The offered command for a tap on a figure or a space: one naming the figure or its kind, else its move, else an
 * attack on it.
 *
 * @param {Record<string, any>[]} offers
 * @param {{figure: any, cell: number[] | null}} at  the figure in the match
 * @param {string | null} active  the acting figure
 */
export function meantBy(offers, { figure, cell }, active) {
  const open = offers.filter(({ type }) => type !== PASS);
  const moves = open.find(({ type, fields }) => type === MOVE && (!fields.figure || fields.figure === (figure?.id ?? active)));
  if (!figure || figure.id === active) return cell || figure ? moves : undefined;
  const naming = open.filter(({ fields }) => fields.figure === figure.id || (!fields.figure && fields.kind === figure.kind));
  if (naming.length) return naming.find(({ type }) => type === MOVE) ?? naming[0];
  const own = open.find(({ side }) => side === figure.side);
  return own ? (active === null ? moves : undefined) : attackIn(open);
}

/**
 * The attack among offered commands; undefined where none may be made.
 *
 * @param {Record<string, any>[]} offers
 */
export function attackIn(offers) {
  return ATTACKS.map((type) => offers.find((offer) => offer.type === type)).find(Boolean);
}
