"""Draw floors of printed tiles from a seed, in several clearly different styles.

Every floor is a picture (H, W, 3), blue-green-red display values 0 to 1, for a tile seen from above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Int, Num

from calibration.arrays import Floats, Integers, Numbers
from vision.simulation.arrays import FloatMap, Generator, LightImage
from vision.simulation.meshes import Color


@dataclass(frozen=True)
class Sheet:
    """Size of a floor in cells and pixels."""

    columns: int
    rows: int
    pixels_per_cell: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows * self.pixels_per_cell, self.columns * self.pixels_per_cell


def noise(rng: Generator, shape: tuple[int, int], scale_px: float, octaves: int = 4) -> FloatMap:
    """Return cloudy noise (H, W) in about -1 to 1, its largest features ``scale_px`` wide."""
    total = np.zeros(shape, np.float32)
    weight = 1.0
    for octave in range(octaves):
        step = max(1.0, scale_px / 2**octave)
        grid = rng.standard_normal((int(shape[0] / step) + 3, int(shape[1] / step) + 3)).astype(np.float32)
        large = cv2.resize(grid, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)
        total += weight * large[: shape[0], : shape[1]]
        weight *= 0.55
    return total * np.float32(0.5)


def cell_pattern(
    rng: Generator, shape: tuple[int, int], spacing_px: float
) -> tuple[Int[Integers, "height width"], FloatMap]:
    """Return a Voronoi pattern: each pixel's stone, and its distance from that stone's border, in pixels."""
    rows, columns = int(shape[0] / spacing_px) + 3, int(shape[1] / spacing_px) + 3
    x, y = np.meshgrid(np.arange(columns) - 1.0, np.arange(rows) - 1.0)
    seeds = (np.stack([x, y], -1) + rng.uniform(0.1, 0.9, (rows, columns, 2))).reshape(-1, 2) * spacing_px
    margin = int(spacing_px * 2)
    marks = np.full((shape[0] + 2 * margin, shape[1] + 2 * margin), 255, np.uint8)
    spots = np.clip(np.round(seeds + margin).astype(int), 0, np.array(marks.shape[::-1]) - 1)
    marks[spots[:, 1], spots[:, 0]] = 0
    _, labels = cv2.distanceTransformWithLabels(marks, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    borders = cv2.morphologyEx(labels.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3))) < 0.5
    distance = cv2.distanceTransform(borders.astype(np.uint8), cv2.DIST_L2, 5)
    inner = (slice(margin, margin + shape[0]), slice(margin, margin + shape[1]))
    return labels[inner].astype(np.int32), distance[inner].astype(np.float32)


def tinted(gray: FloatMap, tint: Color) -> LightImage:
    """Return a grey picture in the shades of one colour."""
    return np.asarray(gray[..., None] * np.array(tint, np.float32), np.float32)


def relief(height: FloatMap, strength: float) -> FloatMap:
    """Return light from the upper left on a height map: -1 to 1."""
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) + cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(np.clip(slope * strength, -1, 1), np.float32)


def deck(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return bolted metal plates of differing sizes, brushed."""
    gray = 0.55 + 0.05 * noise(rng, sheet.shape, 90)
    brushed = cv2.GaussianBlur(noise(rng, sheet.shape, 3, 1), (0, 0), sigmaX=9, sigmaY=0.4)
    gray += 0.12 * brushed
    for left, top, width, height in _panels(rng, sheet):
        area = gray[top : top + height, left : left + width]
        area *= rng.uniform(0.82, 1.12)
        cv2.rectangle(gray, (left, top), (left + width - 1, top + height - 1), 0.22, 2)
        cv2.line(gray, (left + 2, top + 2), (left + width - 3, top + 2), 0.75, 1)
        for x, y in ((left + 7, top + 7), (left + width - 8, top + 7), (left + 7, top + height - 8)):
            cv2.circle(gray, (x, y), 2, 0.3, -1, cv2.LINE_AA)
    return tinted(gray, tint)


def _panels(rng: Generator, sheet: Sheet) -> list[tuple[int, int, int, int]]:
    unit = max(8, int(sheet.pixels_per_cell * rng.choice([0.5, 0.75, 1.0, 1.5])))
    height, width = sheet.shape
    panels = []
    for top in range(0, height, unit):
        left = -int(rng.integers(0, unit))
        while left < width:
            length = int(unit * rng.choice([1, 1.5, 2.5]))
            start = max(left, 0)
            panels.append((start, top, min(left + length, width) - start, min(unit, height - top)))
            left += length
    return [panel for panel in panels if panel[2] > 16]


def flagstones(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return irregular stones with dark joints."""
    labels, distance = cell_pattern(rng, sheet.shape, sheet.pixels_per_cell * rng.uniform(0.35, 0.8))
    shades = rng.uniform(0.42, 0.66, int(labels.max()) + 1).astype(np.float32)
    gray = shades[labels] + 0.07 * noise(rng, sheet.shape, 14) + 0.05 * noise(rng, sheet.shape, 60)
    gray += 0.10 * relief(np.minimum(distance, 5), 0.15)
    joints = np.clip(distance / 3.5, 0, 1)
    return tinted(gray * (0.3 + 0.7 * joints), tint)


def sand(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return dunes with ripples and pebbles."""
    height, width = sheet.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    turn, pitch = rng.uniform(0, np.pi), rng.uniform(6, 14)
    bend = 14 * noise(rng, sheet.shape, 80)
    ripples = np.sin((x * np.cos(turn) + y * np.sin(turn) + bend) * 2 * np.pi / pitch)
    gray = 0.68 + 0.05 * ripples + 0.09 * noise(rng, sheet.shape, 120) + 0.05 * noise(rng, sheet.shape, 3, 1)
    for _ in range(int(height * width / 2500)):
        place = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.ellipse(
            gray, place, (int(rng.integers(1, 4)), 2), float(rng.uniform(0, 180)), 0, 360, rng.uniform(0.4, 0.6), -1
        )
    return tinted(gray, tint)


def ice(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return a pale sheet with long cracks and frozen bubbles."""
    gray = 0.78 + 0.10 * noise(rng, sheet.shape, 110) + 0.02 * noise(rng, sheet.shape, 2, 1)
    for _ in range(sheet.columns * sheet.rows):
        point = rng.uniform((0, 0), sheet.shape[::-1])
        heading = rng.uniform(0, 2 * np.pi)
        for _ in range(int(rng.integers(4, 14))):
            following = point + 14 * np.array([np.cos(heading), np.sin(heading)])
            cv2.line(gray, _pixel(point), _pixel(following), float(rng.choice([0.95, 0.5, 0.6])), 1, cv2.LINE_AA)
            heading += rng.normal(0, 0.45)
            point = following
    return tinted(gray, tint)


def panels(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return clean plates with cut corners and thin strips of light."""
    picture = tinted(0.62 + 0.02 * noise(rng, sheet.shape, 150), tint)
    glow = tuple(rng.uniform(0.5, 1.0, 3).tolist())
    step = sheet.pixels_per_cell
    for row in range(sheet.rows):
        for column in range(sheet.columns):
            low, cut = np.array([column, row]) * step + 3, int(step * rng.uniform(0.1, 0.25))
            high = low + step - 6
            corners = np.array(
                [
                    [low[0] + cut, low[1]],
                    [high[0], low[1]],
                    [high[0], high[1] - cut],
                    [high[0] - cut, high[1]],
                    [low[0], high[1]],
                    [low[0], low[1] + cut],
                ]
            )
            plate = rng.uniform(0.5, 0.72)
            shade = tuple(float(v) * plate for v in tint)
            cv2.fillPoly(picture, [corners.astype(np.int32)], shade, cv2.LINE_AA)
            if rng.random() < 0.3:
                cv2.line(picture, _pixel(low + 8), (int(high[0]) - 8, int(low[1]) + 8), glow, 2, cv2.LINE_AA)
    return picture


def planks(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return wooden boards with grain and nails."""
    height, width = sheet.shape
    gray = np.zeros(sheet.shape, np.float32)
    thick = int(sheet.pixels_per_cell * rng.choice([0.25, 0.33, 0.5]))
    for top in range(0, height, thick):
        rows = min(thick, height - top)
        grain = cv2.GaussianBlur(noise(rng, (rows, width), 6, 2), (0, 0), sigmaX=12, sigmaY=0.5)
        gray[top : top + rows] = rng.uniform(0.45, 0.68) + 0.35 * grain
        cv2.line(gray, (0, top), (width, top), 0.18, 2)
        x = int(rng.integers(0, sheet.pixels_per_cell * 2))
        while x < width:
            cv2.line(gray, (x, top), (x, top + rows), 0.2, 2)
            cv2.circle(gray, (x + 5, top + rows // 2), 1, 0.1, -1)
            x += int(sheet.pixels_per_cell * rng.uniform(1.5, 3.5))
    return tinted(gray, tint)


def basalt(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return dark rock with glowing cracks."""
    _, distance = cell_pattern(rng, sheet.shape, sheet.pixels_per_cell * rng.uniform(0.5, 1.1))
    gray = 0.20 + 0.06 * noise(rng, sheet.shape, 25) + 0.05 * relief(noise(rng, sheet.shape, 10), 0.5)
    glow = np.exp(-((distance / 2.6) ** 2)) * np.clip(0.5 + noise(rng, sheet.shape, 90), 0, 1)
    hot = np.array([0.08, 0.38, 0.98] if rng.random() < 0.6 else [0.75, 0.9, 0.2], np.float32)
    return np.asarray(
        tinted(gray, (0.9, 0.9, 0.95)) + glow[..., None] * hot + 0.05 * np.array(tint, np.float32), np.float32
    )


def mosaic(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return small square stones in two or three colours."""
    step = max(4, int(sheet.pixels_per_cell / rng.choice([3, 4, 6])))
    shape = (sheet.shape[0] // step + 2, sheet.shape[1] // step + 2)
    y, x = np.mgrid[: shape[0], : shape[1]]
    kind = ((x + y) % 2 if rng.random() < 0.5 else (x // 2 + y // 3) % 3).astype(np.float32)
    small = 0.45 + 0.16 * kind + rng.uniform(-0.05, 0.05, shape).astype(np.float32)
    gray = np.kron(small, np.ones((step, step), np.float32))[: sheet.shape[0], : sheet.shape[1]].copy()
    gray[::step] *= 0.6
    gray[:, ::step] *= 0.6
    return tinted(gray + 0.04 * noise(rng, sheet.shape, 70), tint)


def concrete(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return a nearly plain floor with few features."""
    gray = 0.62 + 0.06 * noise(rng, sheet.shape, 140) + 0.02 * noise(rng, sheet.shape, 2, 1)
    return tinted(gray, tint)


def meadow(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return grass or moss with tufts."""
    gray = 0.45 + 0.10 * noise(rng, sheet.shape, 60) + 0.10 * noise(rng, sheet.shape, 4, 2)
    height, width = sheet.shape
    for _ in range(int(height * width / 260)):
        foot = rng.uniform((0, 0), (width, height))
        tip = foot + rng.normal(0, 4, 2)
        cv2.line(gray, _pixel(foot), _pixel(tip), float(rng.uniform(0.3, 0.75)), 1, cv2.LINE_AA)
    return tinted(gray, tint)


def hexes(rng: Generator, sheet: Sheet, tint: Color) -> LightImage:
    """Return a mesh of six-cornered openings."""
    height, width = sheet.shape
    radius = sheet.pixels_per_cell * rng.uniform(0.12, 0.22)
    gray = 0.5 + 0.06 * noise(rng, sheet.shape, 80)
    turn = np.arange(6) * np.pi / 3
    shape = np.stack([np.cos(turn), np.sin(turn)], 1) * radius * 0.86
    for column in range(int(width / (1.5 * radius)) + 2):
        for row in range(int(height / (1.732 * radius)) + 2):
            center = (column * 1.5 * radius, (row + 0.5 * (column % 2)) * 1.732 * radius)
            cv2.fillConvexPoly(gray, np.round(shape + center).astype(np.int32), rng.uniform(0.24, 0.34), cv2.LINE_AA)
    return tinted(gray, tint)


def _pixel(point: Num[Numbers, " 2"]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


Floor = Callable[[Generator, Sheet, Color], Floats]

FLOORS: Mapping[str, Floor] = {
    "deck": deck,
    "flagstones": flagstones,
    "sand": sand,
    "ice": ice,
    "panels": panels,
    "planks": planks,
    "basalt": basalt,
    "mosaic": mosaic,
    "concrete": concrete,
    "meadow": meadow,
    "hexes": hexes,
}
"""Every floor by its name."""
