// Cache the page's frame on the device, so that the installed page opens at once and reports by itself that the table
// is unreachable. The table's own answers are never cached: an old ruling must not look like a new one.

const KEPT = "sightline-frame";
const PATIENCE_MS = 1500;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isFrame = pathname === "/" || pathname.startsWith("/static/");
  if (method === "GET" && origin === location.origin && isFrame) event.respondWith(frame(event.request));
});

/** The table's newest version, or the cached one if the table does not answer soon. */
async function frame(request) {
  const kept = await caches.open(KEPT);
  const name = new URL(request.url).pathname;
  const fresh = fetch(request).then((answer) => {
    if (answer.ok) kept.put(name, answer.clone());
    return answer;
  });
  const known = await kept.match(name);
  if (!known) return fresh;
  const soon = new Promise((done) => setTimeout(() => done(known), PATIENCE_MS));
  return Promise.race([fresh.catch(() => known), soon]);
}
