// Short synthesised sounds: rolling dice, a hit, the own turn. Each has a switch in the menu.

import { byId } from "../shell/dom.js";

const TURN = { hz: 660, s: 0.18, loudness: 0.12 };
const HIT = { fromHz: 180, toHz: 50, s: 0.3, loudness: 0.35 };
const DIE = { hz: 2400, s: 0.035, loudness: 0.25, apartS: 0.07, most: 6 };

/** The menu's switches: the storage key of each, and its default. */
const KEPT = {
  tone: { key: "sightline-tone", isOn: true },
  "sound-dice": { key: "sightline-sound-dice", isOn: false },
  "sound-hits": { key: "sightline-sound-hits", isOn: false },
};

/** Bind the switches to this browser's storage. Switching one on plays it. */
export function wireSounds() {
  const heard = { tone: soundTurn, "sound-dice": () => soundDice(3), "sound-hits": soundHit };
  for (const [id, { key, isOn }] of Object.entries(KEPT)) {
    const box = /** @type {HTMLInputElement} */ (byId(id));
    box.checked = (localStorage.getItem(key) ?? (isOn ? "on" : "off")) === "on";
    box.addEventListener("change", () => {
      localStorage.setItem(key, box.checked ? "on" : "off");
      if (box.checked) heard[id]();
    });
  }
}

/** @param {string} id  a switch of the menu, which a big screen without a match lacks */
function isWanted(id) {
  return /** @type {HTMLInputElement | null} */ (document.getElementById(id))?.checked ?? false;
}

/** A short soft tone: it is this device's turn. */
export function soundTurn() {
  if (!isWanted("tone")) return;
  play(TURN.s, (sound, end) => {
    const wave = new OscillatorNode(sound, { frequency: TURN.hz });
    wave.connect(new GainNode(sound, { gain: TURN.loudness })).connect(end);
    wave.start();
    wave.stop(sound.currentTime + TURN.s);
  });
}

/** Dice on wood: a click each, never quite the same. */
export function soundDice(count) {
  if (!isWanted("sound-dice")) return;
  const dice = Math.min(count, DIE.most);
  play(dice * DIE.apartS + DIE.s, (sound, end) => {
    for (let i = 0; i < dice; i += 1) click(sound, end, sound.currentTime + i * DIE.apartS * (0.7 + 0.6 * Math.random()));
  });
}

/** A low thump: a hit. */
export function soundHit() {
  if (!isWanted("sound-hits")) return;
  play(HIT.s, (sound, end) => {
    const [now, wave, loudness] = [sound.currentTime, new OscillatorNode(sound, { type: "triangle" }), new GainNode(sound)];
    wave.frequency.setValueAtTime(HIT.fromHz, now);
    wave.frequency.exponentialRampToValueAtTime(HIT.toHz, now + HIT.s);
    loudness.gain.setValueAtTime(HIT.loudness, now);
    loudness.gain.exponentialRampToValueAtTime(0.001, now + HIT.s);
    wave.connect(loudness).connect(end);
    wave.start();
    wave.stop(now + HIT.s);
  });
}

/** A short burst of noise, with the pitch of a small die. */
function click(sound, end, at) {
  const length = Math.round(sound.sampleRate * DIE.s);
  const noise = new AudioBuffer({ length, sampleRate: sound.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (2 * Math.random() - 1) * (1 - i / length) ** 3;
  const [source, tuned] = [new AudioBufferSourceNode(sound, { buffer: noise }), new BiquadFilterNode(sound, { type: "bandpass", frequency: DIE.hz * (0.8 + 0.4 * Math.random()), Q: 2 })];
  source.connect(tuned).connect(new GainNode(sound, { gain: DIE.loudness * 3 })).connect(end);
  source.start(at);
}

/** Play, then release the resources. A browser that forbids sound before a touch stays silent. */
function play(seconds, make) {
  const sound = new AudioContext();
  make(sound, sound.destination);
  setTimeout(() => sound.close(), 1000 * (seconds + 0.3));
}
