import assert from "node:assert/strict";
import test from "node:test";

import { fitPose, HandHeld, project } from "../../web/lens/pose.js";

const CENTER = /** @type {[number, number]} */ ([479.5, 269.5]);
const TURN = 0.6;

/** A camera 600 mm over the table, tilted. */
function camera(focal) {
  const [c, s] = [Math.cos(TURN), Math.sin(TURN)];
  return { rotation: [1, 0, 0, 0, c, -s, 0, s, c], translation: [-200, -120, 600], focal, center: CENTER };
}

/** Its view of four markers round the board, each corner off by up to that many pixels. */
function pairs(pose, noise = 0) {
  const corners = [[0, 0], [400, 0], [0, 300], [400, 300]].flatMap(([x, y]) => [[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]]);
  return corners.map(([x, y], i) => {
    const [u, v] = project(pose, x, y);
    return { x, y, u: u + noise * Math.sin(12.9 * i), v: v + noise * Math.cos(7.7 * i) };
  });
}

test("a pose is found again from the corners that it shows", () => {
  const pose = camera(700);
  const fit = fitPose(pairs(pose), 700, CENTER);
  assert.ok(fit.error < 1e-6);
  const [there, here] = [project(pose, 210, 140, 30), project(fit.pose, 210, 140, 30)];
  assert.ok(Math.hypot(there[0] - here[0], there[1] - here[1]) < 1e-3);
});

test("a corner under a hand does not turn the table", () => {
  const pose = camera(700);
  const seen = pairs(pose);
  seen[3] = { ...seen[3], u: seen[3].u + 60 };
  const { pose: fitted } = fitPose(seen, 700, CENTER);
  const [there, here] = [project(pose, 210, 140), project(fitted, 210, 140)];
  assert.ok(Math.hypot(there[0] - here[0], there[1] - here[1]) < 2);
});

test("three points settle no pose, nor do points on one line", () => {
  const line = [0, 1, 2, 3, 4].map((i) => ({ x: 10 * i, y: 0, u: 100 + 9 * i, v: 200 }));
  assert.equal(new HandHeld(960, 540).follow(pairs(camera(700)).slice(0, 3)), null);
  assert.equal(fitPose(line, 700, CENTER), null);
});

test("the focal length of an unknown phone is learned within three in a hundred", () => {
  for (const focal of [600, 800, 1000]) {
    const hand = new HandHeld(960, 540);
    for (let i = 0; i < 20; i += 1) hand.follow(pairs(camera(focal), 0.4));
    assert.ok(Math.abs(hand.focal / focal - 1) < 0.03, `${focal}: ${hand.focal}`);
  }
});

test("what stands behind the camera is not drawn", () => {
  assert.equal(project(camera(700), 0, -5000), null);
});
