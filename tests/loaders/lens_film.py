"""A film of the simulated table by a hand that walks round it, with the true camera of each picture.

Chromium plays it as its fake camera. Each picture carries its number as black and white blocks in its upper left
corner, so that what a page draws over it can be held against the truth of that very picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.sample import sample_scene
from vision.simulation.scene import Scene
from vision.simulation.virtual_camera import VirtualCamera

BLOCK_PX = 16
BITS = 8
"""The number of a picture in blocks, the lowest first."""

PHONE_ACROSS = 1000 / 1280
"""Focal length over width: 65 degrees across, as the main camera of a phone."""

PICTURES_A_SECOND = 15


SHOWN = """() => {
  const corner = document.getElementById("lens-picture").getContext("2d").getImageData(0, 0, 128, 16);
  const isWhite = (bit) => corner.data[4 * (8 * 128 + 16 * bit + 8)] > 127;
  const figures = [...document.querySelectorAll("#lens-overlay .figure")];
  return {
    number: [...Array(8).keys()].reduce((sum, bit) => sum + (isWhite(bit) << bit), 0),
    lines: [...document.querySelectorAll("#lens-overlay .ray")].map((line) => line.getAttribute("d")),
    poles: Object.fromEntries(figures.map((one) => [one.dataset.figure, one.querySelector(".pole").getAttribute("d")])),
    isHidden: document.getElementById("lens-overlay").hasAttribute("hidden"),
  };
}"""
"""The number of the shown picture, and the drawing over that same picture."""

TIMES_FRAMES = """(() => {
  window.frameTimes = [];
  const ask = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (act) {
    return ask.call(this, (...all) => {
      const begun = performance.now();
      act(...all);
      window.frameTimes.push(performance.now() - begun);
    });
  };
})()"""
"""Put into the page before its scripts: how long it works on each picture, in milliseconds."""


@dataclass(frozen=True)
class LensFilm:
    """The scene, the true cameras in the order of the pictures, and the file that Chromium plays."""

    scene: Scene
    views: Sequence[RenderCamera]
    path: Path

    def poles_off(self, shown: dict[str, Any]) -> list[float]:
        """Return each figure's distance from its true view, foot and head, in widths of the picture."""
        view, top_mm = self.views[shown["number"]], self.scene.printed.tile_set.thickness_mm
        off = []
        for placed in self.scene.figures:
            heights_mm = (top_mm, top_mm + placed.figure.height_mm)
            true = view.project(np.array([[*placed.center_mm, height] for height in heights_mm]))
            drawn = ends_of(shown["poles"][placed.figure.id])
            off.append(float(np.abs(drawn - true).max()) / view.lens.width_px)
        return off


def ends_of(drawn: str) -> Floats:
    """Return the points of a path (N, 2)."""
    return np.array([[float(v) for v in point.split()] for point in re.split("[ML]", drawn)[1:]])


def walk_round(scene: Scene, width: int, height: int, count: int) -> list[RenderCamera]:
    """Return the poses of a trembling hand round the table: tilts of 28 to 48 degrees, 470 to 650 mm away."""
    lens = lens_of_width(width, height, PHONE_ACROSS * width, 0.02, -0.03)
    x, y = np.mean([corner for marker in scene.markers.markers for corner in marker.corners_mm], axis=0).tolist()
    views = []
    for t in (number / PICTURES_A_SECOND for number in range(count)):
        around = Around(
            560 + 90 * math.sin(0.6 * t + 0.5),
            38 + 9 * math.sin(0.8 * t + 1) + 0.8 * math.sin(6.1 * t + 2),
            84 + 38 * math.sin(0.55 * t) + 1.2 * math.sin(7.3 * t),
            3 * math.sin(1.3 * t),
        )
        target = (
            x + 22 * math.sin(0.9 * t) + 1.5 * math.sin(8 * t),
            y + 18 * math.cos(1.1 * t) + 1.5 * math.cos(9 * t),
        )
        views.append(RenderCamera.looking_at(lens, target, around))
    return views


def render_film(path: Path, width: int, height: int, count: int, every: int = 1) -> LensFilm:
    """Render a film into a file of JPEGs, which Chromium plays at thirty pictures a second.

    Args:
        path: the file, ``*.mjpeg``.
        width: of a picture in pixels.
        height: of a picture in pixels.
        count: the number of pictures.
        every: how often each is shown, so that a slow page sees each.
    """
    scene = sample_scene()
    views = walk_round(scene, width, height, count)
    with path.open("wb") as file:
        for number, view in enumerate(views):
            seen = replace(scene, view=view, seed=scene.seed + number)
            image = VirtualCamera(seen, lambda: 0.0, size_wh=(width, height), is_still=True).frame()
            for bit in range(BITS):
                image[:BLOCK_PX, bit * BLOCK_PX : (bit + 1) * BLOCK_PX] = 255 if number >> bit & 1 else 0
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
            file.write(jpeg * every)
    return LensFilm(scene, views, path)
