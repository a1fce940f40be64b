// Features reserved for secure pages: wake lock, installation, camera. Each explains its absence.

import { byId } from "../shell/dom.js";
import { OwnCamera } from "../shell/own_camera.js";
import { t } from "../shell/texts.js";

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

  /** The browser releases the lock whenever the page is hidden. Request it again on return. */
  async ask() {
    if (!this.box.checked || this.box.disabled || document.hidden) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch {
      this.lock = null; // for example with a low battery, when the screen goes dark as usual
    }
  }
}

/** Offer to put the page on the home screen, if the browser allows it. */
export function offerInstall() {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch(() => undefined); // the certificate may not be trusted yet
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

/** The phone's own camera as the table's camera. It sends frames while the page is open. */
export class PhoneCamera {
  constructor({ sendFrame, say }) {
    this.sendFrame = sendFrame;
    this.say = say;
    this.button = byId("be-camera");
    this.camera = new OwnCamera();
    this.button.addEventListener("click", () => (this.camera.isOpen ? this.stop() : this.start()));
  }

  /** Show the button if the table waits for a phone's pictures. */
  offer(isWanted) {
    this.button.hidden = !isWanted || !OwnCamera.canBe;
  }

  async start() {
    try {
      await this.camera.open();
    } catch {
      this.say(t("camera_refused"));
      return;
    }
    this.button.setAttribute("aria-pressed", "true");
    this.say(t("camera_on"));
    this.next();
  }

  stop() {
    this.camera.close();
    clearTimeout(this.timer);
    this.button.setAttribute("aria-pressed", "false");
    this.say("");
  }

  /** Send one frame at a time: take the next when the last has arrived. */
  async next() {
    if (!this.camera.isOpen) return;
    const begun = Date.now();
    const trouble = await this.sendFrame(await this.camera.picture());
    if (trouble) this.say(trouble);
    this.timer = setTimeout(() => this.next(), Math.max(50, FRAME_MS - (Date.now() - begun)));
  }
}
