// The camera of the phone or computer that shows the page.

const WIDTH_PX = 1920;

export class OwnCamera {
  constructor() {
    this.stream = null;
  }

  /** Whether this browser gives its camera to this page. Browsers do so only for secure pages. */
  static get canBe() {
    return Boolean(navigator.mediaDevices?.getUserMedia);
  }

  get isOpen() {
    return this.stream !== null;
  }

  /** Ask the person for the camera, the rear one of two. Fails if denied. */
  async open() {
    const wanted = { video: { facingMode: "environment", width: { ideal: WIDTH_PX } }, audio: false };
    this.stream = await navigator.mediaDevices.getUserMedia(wanted);
    this.video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: this.stream });
    await this.video.play();
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
  }

  /** The current picture, as JPEG. */
  async picture() {
    const canvas = Object.assign(document.createElement("canvas"), { width: this.video.videoWidth, height: this.video.videoHeight });
    canvas.getContext("2d").drawImage(this.video, 0, 0);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
  }
}
