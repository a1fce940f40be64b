import assert from "node:assert/strict";
import test from "node:test";

import { Rhythm, ServerClock } from "../../web/live/clock.js";

const here = () => performance.now() / 1000;

test("the server's clock is the largest offset heard, for delays only make it smaller", () => {
  const clock = new ServerClock();
  for (const delay of [2, 0, 5]) clock.heard(1000 + here() - delay);
  assert.ok(Math.abs(clock.nowS() - here() - 1000) < 0.1);
});

test("a server's clock that was put back is followed at once", () => {
  const clock = new ServerClock();
  clock.heard(5000 + here());
  clock.heard(1000 + here());
  assert.ok(Math.abs(clock.nowS() - here() - 1000) < 0.1);
});

test("old stamps are forgotten", () => {
  const clock = new ServerClock();
  clock.heard(1020 + here());
  for (let stamp = 0; stamp < 12; stamp++) clock.heard(1000 + here());
  assert.ok(Math.abs(clock.nowS() - here() - 1000) < 0.1);
});

test("a picture may be late before the rhythm is known, then twice the rhythm", () => {
  const rhythm = new Rhythm();
  assert.equal(rhythm.usualS, 15);
  for (const at of [0, 4, 8, 12]) rhythm.beat(at);
  assert.ok(Math.abs(rhythm.usualS - 11) < 1e-9);
});

test("a long pause counts half a minute at most, and a picture from before counts nothing", () => {
  const rhythm = new Rhythm();
  rhythm.beat(0);
  rhythm.beat(1000);
  assert.equal(rhythm.everyS, 30);
  rhythm.beat(500);
  assert.equal(rhythm.everyS, 30);
});
