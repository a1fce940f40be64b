// Requests to the table's server. Every refusal becomes one sentence.

import { t } from "./texts.js";

const ROOT = "/api/v1";

/** The status of a photo from which the table cannot be read. */
const UNREADABLE_TABLE = 422;

export class Refused extends Error {
  constructor(message, status, kind) {
    super(message);
    this.status = status;
    this.kind = kind;
  }

  /** Whether the photo is whole and the table cannot be read from it, so that a report of it tells something. */
  get isOfPhoto() {
    return this.status === UNREADABLE_TABLE;
  }
}

/** The JSON answer to a question that changes nothing. */
export function ask(path, signal) {
  return fetchJson(path, { signal });
}

/** The JSON answer to a change. */
export function send(path, body, signal) {
  const headers = { "Content-Type": "application/json", "X-Sightline": "1" };
  return fetchJson(path, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal });
}

/** The scene on a photo. */
export function sendPhoto(file, signal) {
  return sendBytes("/shots", file, signal);
}

/** The scene of a shot, read jointly with a photo of the same table from another side. */
export function sendSide(shot, file) {
  return sendBytes(`/shots/${encodeURIComponent(shot)}/sides`, file);
}

/** The JSON answer to a file. */
export function sendBytes(path, file, signal) {
  const headers = { "Content-Type": file.type || "application/octet-stream", "X-Sightline": "1" };
  return fetchJson(path, { method: "POST", headers, body: file, signal });
}

/** The file that the table sends in answer to a request. */
export async function sendForFile(path) {
  const response = await answerOf(path, { method: "POST", headers: { "X-Sightline": "1" } });
  if (!response.ok) throw refusal(await response.json().catch(() => null), response.status);
  return response.blob();
}

/** Send the next picture of a phone camera. Returns the error in one sentence, or null. */
export async function sendFrame(jpeg) {
  try {
    await sendBytes("/frames", jpeg);
    return null;
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return problem.message;
  }
}

/** A unique name for a step, without randomUUID, which plain HTTP lacks. */
export function newName() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The table answers again: clear every message that it does not. */
export function answersAgain() {
  for (const place of document.querySelectorAll(".trouble")) {
    if (place.textContent === t("unreachable")) place.hidden = true;
  }
}

async function fetchJson(path, options) {
  const response = await answerOf(path, options);
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null) throw refusal(answer, response.status);
  return answer;
}

async function answerOf(path, options) {
  const place = `${ROOT}${path}${path.includes("?") ? "&" : "?"}lang=${document.documentElement.lang}`;
  try {
    return await fetch(place, { ...options, credentials: "same-origin" });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused(t("unreachable"), 0, "Unreachable");
  }
}

function refusal(answer, status) {
  const error = answer?.error ?? {};
  return new Refused(error.message ?? t("unreachable"), status, error.kind ?? "Unknown");
}
