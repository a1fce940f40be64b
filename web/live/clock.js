// The server's clock as this page knows it, so that the age of a picture is judged by the server's own stamps.

const KEPT_STAMPS = 12;

/** Nothing is that late on a stream that goes on: the server's clock was put back. */
const PUT_BACK_S = 30;

/** What is usual before the rhythm is known: a small machine reads its first pictures slowly. */
const FIRST_WAIT_S = 15;

export class ServerClock {
  constructor() {
    this.offsets = [];
  }

  /** Takes a stamp that the server wrote as it sent something. */
  heard(nowS) {
    const offsetS = nowS - performance.now() / 1000;
    if (offsetS < Math.max(...this.offsets) - PUT_BACK_S) this.offsets = [];
    this.offsets.push(offsetS);
    if (this.offsets.length > KEPT_STAMPS) this.offsets.shift();
  }

  /** Seconds since 1970 at the server. Whatever is delayed on its way looks older, so the largest offset is the truest. */
  nowS() {
    return this.offsets.length ? Math.max(...this.offsets) + performance.now() / 1000 : Date.now() / 1000;
  }
}

/** How old a picture may be before somebody has to know: twice the rhythm in which pictures come. */
export class Rhythm {
  constructor() {
    this.lastS = null;
    this.everyS = null;
  }

  /** Takes the stamp of the next picture. */
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
