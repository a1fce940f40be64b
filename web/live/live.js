// The event stream: one per page, closed while the page is hidden, resumed by number.

const SILENT_MS = 12000;

export class Live {
  /**
   * @param {Record<string, any>} handlers  callbacks: hello, live, free, strip, problems, match, ruling, call,
   *   tournament, and state(connected)
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.lastId = "";
    this.heardAt = 0;
    this.lostSince = null;
    this.source = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pagehide", () => this.close());
    setInterval(() => this.watch(), 1000);
    this.open();
  }

  open() {
    if (this.source || document.hidden) return;
    const after = this.lastId ? `&after=${encodeURIComponent(this.lastId)}` : "";
    this.source = new EventSource(`/api/v1/events?lang=${document.documentElement.lang}${after}`);
    this.heardAt = Date.now();
    for (const kind of ["hello", "beat", "resync", "live", "free", "strip", "problems", "match", "ruling", "call", "tournament"]) {
      this.source.addEventListener(kind, (event) => this.hear(kind, event));
    }
    this.source.onerror = () => this.lose();
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  hear(kind, event) {
    this.heardAt = Date.now();
    this.lastId = event.lastEventId || this.lastId;
    if (this.lostSince !== null) {
      this.lostSince = null;
      this.handlers.state(true, 0);
    }
    this.handlers[kind]?.(JSON.parse(event.data));
  }

  lose() {
    this.lostSince ??= Date.now();
    // The browser retries after a broken connection, but not after an error response.
    if (this.source?.readyState === EventSource.CLOSED) this.close();
  }

  watch() {
    if (document.hidden) return;
    if (this.source && Date.now() - this.heardAt > SILENT_MS) {
      this.lose();
      this.close();
    }
    if (!this.source) this.open();
    if (this.lostSince !== null) this.handlers.state(false, Math.round((Date.now() - this.lostSince) / 1000));
  }
}
