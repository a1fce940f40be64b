// Stands in for the page in unit tests: scripts read their sentences from it while they load.

globalThis.document = /** @type {any} */ ({
  body: { classList: { contains: () => false } },
  documentElement: { lang: "en" },
  getElementById: () => ({ textContent: JSON.stringify({ greeting: "Round {round}: {side}" }) }),
});
globalThis.addEventListener = () => undefined;
