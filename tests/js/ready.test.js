import assert from "node:assert/strict";
import test from "node:test";

import "./no_page.js";

const { Ready } = await import("../../web/attack/ready.js");

/** A match on the table with two figures, and a server that has an attack for every pair that stands. */
function table() {
  const standing = new Set(["ranger-2", "spitter-2"]);
  const shows = [];
  const asked = [];
  globalThis.fetch = async (_, { body }) => {
    asked.push(JSON.parse(body));
    return { ok: true, json: async () => ({ guide: { stage: "plan", offers: [{ is_plan: true }] } }) };
  };
  const match = { isOnTable: true, knows: (id) => standing.has(id), show: (tell) => shows.push(tell) };
  let changes = 0;
  const ready = new Ready(match, { changed: () => ++changes });
  const goOn = async () => {
    for (const tell of shows) tell();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { standing, asked, ready, goOn, changes: () => changes };
}

test("an attack on somebody who falls is offered no more, and nothing is asked of him", async () => {
  const { standing, asked, ready, goOn, changes } = table();
  assert.equal(ready.of("ranger-2", "spitter-2"), false);
  await goOn();
  assert.equal(ready.of("ranger-2", "spitter-2"), true);
  assert.equal(changes(), 1);
  const before = asked.length;

  standing.delete("spitter-2");
  for (let step = 0; step < 28; step += 1) await goOn();
  assert.equal(asked.length, before);
  assert.equal(ready.of("ranger-2", "spitter-2"), false);
  assert.equal(changes(), 2, "the button goes once");

  standing.add("spitter-2");
  await goOn();
  assert.equal(ready.of("ranger-2", "spitter-2"), true);
});
