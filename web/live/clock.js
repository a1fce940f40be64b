// The server's clock, estimated by this page, so that the server's own stamps determine a picture's age.

const KEPT_STAMPS = 12;

/** Delay that no live stream has. A larger one means that the server's clock was set back. */
const PUT_BACK_S = 30;

/** Usual interval before the rhythm is known. A small machine reads its first pictures slowly. */
const FIRST_WAIT_S = 15;

export class ServerClock {
  constructor() {
    this.offsets = [];
  }

  /** Take a server's time stamp from a message. */
  heard(nowS) {
    const offsetS = nowS - performance.now() / 1000;
    if (offsetS < Math.max(...this.offsets) - PUT_BACK_S) this.offsets = [];
    this.offsets.push(offsetS);
    if (this.offsets.length > KEPT_STAMPS) this.offsets.shift();
  }

  /** Seconds since 1970 at the server. Delays make stamps look older, so the largest offset is the most accurate. */
  nowS() {
    return this.offsets.length ? Math.max(...this.offsets) + performance.now() / 1000 : Date.now() / 1000;
  }
}

/** The tolerated age of a picture: twice the usual interval between pictures. */
export class Rhythm {
  constructor() {
    this.lastS = null;
    this.everyS = null;
  }

  /** Take the next picture's stamp. */
  beat(takenAtS) {
    if (this.lastS !== null && takenAtS > this.lastS) {
      const gapS = Math.min(30, takenAtS - this.lastS);
      this.everyS = this.everyS === null ? gapS : 0.7 * this.everyS + 0.3 * gapS;
    }
    this.lastS = takenAtS;
  }

  get usualS() {
    return this.everyS === null ? FIRST_WAIT_S : Math.max(5, 2 * this.everyS + 3);
  }
}
