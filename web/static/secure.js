// What browsers keep for secure pages: staying awake, being installed, being the camera. Each says why it cannot be.

import { byId } from "./dom.js";
import { t } from "./texts.js";

const KEPT = "sightline-awake";

export class Awake {
  constructor() {
    this.box = byId("awake");
    this.box.checked = localStorage.getItem(KEPT) !== "no";
    this.box.disabled = !("wakeLock" in navigator);
    byId("secure-note").hidden = isSecureContext;
    this.box.addEventListener("change", () => this.chosen());
    document.addEventListener("visibilitychange", () => this.ask());
    this.ask();
  }

  chosen() {
    localStorage.setItem(KEPT, this.box.checked ? "yes" : "no");
    if (this.box.checked) this.ask();
    else this.lock?.release();
  }

  /** The browser lets go of the lock whenever the page is hidden; it is asked for again when it is back. */
  async ask() {
    if (!this.box.checked || this.box.disabled || document.hidden) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch {
      this.lock = null; // a low battery, for one; the screen then goes dark as it always did
    }
  }
}

/** Offers to put the page on the home screen, where the browser lets it. */
export function offerInstall() {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch(() => undefined); // a certificate that nobody trusts yet
  const button = byId("install");
  let offer = null;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    button.hidden = false;
  });
  button.addEventListener("click", async () => {
    await offer?.prompt();
    button.hidden = true;
  });
}

const FRAME_MS = 350;
const FRAME_WIDTH_PX = 1920;

/** The phone's own camera as the table's camera: frames go to the table for as long as the page is open. */
export class PhoneCamera {
  constructor({ sendFrame, say }) {
    this.sendFrame = sendFrame;
    this.say = say;
    this.button = byId("be-camera");
    this.stream = null;
    this.button.addEventListener("click", () => (this.stream ? this.stop() : this.start()));
  }

  /** Shows the button where the table waits for a phone's pictures. */
  offer(isWanted) {
    this.button.hidden = !isWanted || !navigator.mediaDevices?.getUserMedia;
  }

  async start() {
    try {
      const wanted = { video: { facingMode: "environment", width: { ideal: FRAME_WIDTH_PX } }, audio: false };
      this.stream = await navigator.mediaDevices.getUserMedia(wanted);
    } catch {
      this.say(t("camera_refused"));
      return;
    }
    this.video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: this.stream });
    await this.video.play();
    this.button.setAttribute("aria-pressed", "true");
    this.say(t("camera_on"));
    this.next();
  }

  stop() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    clearTimeout(this.timer);
    this.button.setAttribute("aria-pressed", "false");
    this.say("");
  }

  /** One frame after the other: the next is taken when the last has arrived. */
  async next() {
    if (!this.stream) return;
    const begun = Date.now();
    const canvas = Object.assign(document.createElement("canvas"), { width: this.video.videoWidth, height: this.video.videoHeight });
    canvas.getContext("2d").drawImage(this.video, 0, 0);
    const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    const trouble = await this.sendFrame(jpeg);
    if (trouble) this.say(trouble);
    this.timer = setTimeout(() => this.next(), Math.max(50, FRAME_MS - (Date.now() - begun)));
  }
}
