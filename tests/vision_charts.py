"""The charts of ``bench_vision.py``: the reliability of confidences, and a sheet of every mistake."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from tests.vision_marks import Stated

BINS = 10
SURE = 0.9
SHEET_WH = (5, 5)
"""Crops across and down on one sheet."""


class Snap(NamedTuple):
    """A mistake with its picture."""

    crop: np.ndarray[Any, Any]
    title: str
    text: str


def wilson(right: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson 1927)."""
    if count == 0:
        return 0.0, 1.0
    z, rate = 1.96, right / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def calibration_error(stated: Sequence[Stated]) -> float:
    """Return the expected calibration error in ten bins, or 0 without data."""
    return sum(len(b) / len(stated) * abs(_mean(b) - _share(b)) for b in _bins(stated))


def draw_calibration(curves: Mapping[str, Sequence[Stated]], path: Path, columns: int | None = None) -> None:
    """Draw, for each name, stated confidence against the share that was right, with intervals and counts.

    The curves stand in rows of ``columns``, by default in one row.
    """
    across = columns or len(curves)
    down = math.ceil(len(curves) / across)
    figure = Figure(figsize=(4.4 * across, 4.8 * down), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    for axes, (name, stated) in zip(grid.flat, curves.items(), strict=False):
        axes.plot([0, 1], [0, 1], color="grey", linestyle="--", linewidth=1)
        points = [(_mean(b), _share(b), b) for b in _bins(stated)]
        axes.plot([x for x, _, _ in points], [y for _, y, _ in points], color="tab:blue", linewidth=1)
        for x, y, inside in points:
            low, high = wilson(sum(s.is_right for s in inside), len(inside))
            axes.plot([x, x], [low, high], color="tab:blue", linewidth=2)
            axes.plot(x, y, "o", color="tab:blue")
            below = {"xytext": (0, -3), "textcoords": "offset points", "ha": "center", "va": "top"}
            axes.annotate(str(len(inside)), (x, low), fontsize=8, **below)
        axes.set(xlim=(-0.03, 1.05), ylim=(-0.08, 1.05), xlabel="stated", ylabel="share that was right")
        axes.set_title("\n".join(_heading(name, stated)), fontsize=11)
    figure.savefig(path, dpi=110)


def _heading(name: str, stated: Sequence[Stated]) -> Iterator[str]:
    yield f"{name}: {len(stated)}, error {calibration_error(stated):.3f}" if stated else f"{name}: none"
    if sure := [one for one in stated if one.confidence >= SURE]:
        yield f"{SURE} or more: {len(sure)}, stated {_mean(sure):.4f}, right {_share(sure):.4f}"


def draw_mistakes(snaps: Sequence[Snap], folder: Path) -> list[Path]:
    """Draw sheets of all mistakes; return their paths."""
    for old in folder.glob("mistakes-*.png"):
        old.unlink()
    columns, rows = SHEET_WH
    paths = []
    for number, first in enumerate(range(0, len(snaps), columns * rows), start=1):
        shown = snaps[first : first + columns * rows]
        used = math.ceil(len(shown) / columns)
        figure = Figure(figsize=(3.0 * columns, 3.8 * used), layout=ConstrainedLayoutEngine(h_pad=0.18))
        grid = figure.subplots(used, columns, squeeze=False)
        for axes in grid.flat:
            axes.axis("off")
        for axes, snap in zip(grid.flat, shown, strict=False):
            if snap.crop.size:
                axes.imshow(cv2.cvtColor(snap.crop, cv2.COLOR_BGR2RGB))
            axes.set_title(f"{snap.title}\n{snap.text}", fontsize=8, loc="left")
        paths.append(folder / f"mistakes-{number:02d}.png")
        figure.savefig(paths[-1], dpi=100)
    return paths


def _bins(stated: Sequence[Stated]) -> list[list[Stated]]:
    bins: list[list[Stated]] = [[] for _ in range(BINS)]
    for each in stated:
        bins[min(int(each.confidence * BINS), BINS - 1)].append(each)
    return [inside for inside in bins if inside]


def _mean(inside: Sequence[Stated]) -> float:
    return sum(s.confidence for s in inside) / len(inside)


def _share(inside: Sequence[Stated]) -> float:
    return sum(s.is_right for s in inside) / len(inside)
