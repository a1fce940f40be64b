// Alerts for a new call: a tone, a vibration, a notification, and a number in the title.

import { byId } from "../shell/dom.js";
import { setText } from "../shell/steady.js";
import { t } from "../shell/texts.js";

const KEPT = "sightline-desk-rings";
const TONES_HZ = [660, 880, 660];
const TONE_S = 0.16;
const TITLE = document.title;

let sound = null;
let known = null;

/** Let a tap on the button decide whether this device rings, since browsers let no page ring by itself. */
export function offerAlerts() {
  const button = byId("alerts");
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, rings() ? "no" : "yes");
    if (rings()) {
      wake();
      ring();
      globalThis.Notification?.requestPermission?.();
    }
    showState();
  });
  addEventListener("pointerdown", wake, { once: true });
  showState();
}

/** Compare the open calls with the previous ones. A new call rings once. */
export function heardCalls(calls) {
  const now = new Map(calls.map(({ key, words }) => [key, words]));
  const fresh = known === null ? [] : [...now].filter(([key]) => !known.has(key));
  known = now;
  document.title = now.size ? `(${now.size}) ${TITLE}` : TITLE;
  if (!fresh.length) return;
  const words = fresh.map(([, text]) => text).join(" · ");
  setText(byId("new-call"), words);
  if (!rings()) return;
  ring();
  navigator.vibrate?.([200, 100, 200]);
  if (document.hidden && globalThis.Notification?.permission === "granted") {
    try {
      new Notification(words, { tag: "sightline-call", icon: "/static/shell/icon.svg" });
    } catch {
      // phones let only installed pages notify, but they ring and vibrate
    }
  }
}

function rings() {
  return localStorage.getItem(KEPT) === "yes";
}

function showState() {
  byId("alerts").setAttribute("aria-pressed", String(rings()));
  setText(byId("alerts"), t(rings() ? "alert_on" : "alert_off"));
}

function wake() {
  if (!globalThis.AudioContext) return;
  sound ??= new AudioContext();
  sound.resume();
}

function ring() {
  byId("alerts").dataset.rang = String(Number(byId("alerts").dataset.rang ?? 0) + 1);
  if (!sound) return;
  TONES_HZ.forEach((hz, place) => {
    const [tone, gain] = [sound.createOscillator(), sound.createGain()];
    const begin = sound.currentTime + place * TONE_S;
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(0.25, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + TONE_S);
    tone.connect(gain).connect(sound.destination);
    tone.start(begin);
    tone.stop(begin + TONE_S);
  });
}
