"""What lies about on an evening: which things there are, and where they lie on a laid-out table."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from assistant.table.lattice import Cell
from calibration.arrays import Floats
from vision.simulation.arrays import Generator

Thing = dict[str, Any]

FAMILIAR = ("cube", "d4", "d6", "d8", "d10", "d20", "coin", "token", "gem", "chip", "meeple")
"""Things of games: many lie on the tables that networks were fitted to, by another renderer."""

ODD = ("cap", "eraser", "stick", "candle", "sweet", "nut", "key", "band", "note", "stub", "button", "brick", "screw")
"""Things of a household. No fit has seen any of them."""

MADE_UP = ("heap", "heap", "heap", "heap", "heap", "chip", "chip", "coin", "token")
"""Random shapes and the flat things of games, for the fit of networks."""

_SIZE_MM = {
    "cube": (8, 10),
    "d4": (15, 19),
    "d6": (10, 17),
    "d8": (13, 17),
    "d10": (14, 18),
    "d20": (17, 22),
    "coin": (16, 25),
    "token": (14, 23),
    "gem": (11, 18),
    "chip": (20, 30),
    "meeple": (16, 19),
    "heap": (10, 34),
    "cap": (26, 32),
    "eraser": (18, 34),
    "stick": (28, 40),
    "candle": (36, 38),
    "sweet": (14, 20),
    "nut": (9, 15),
    "key": (32, 46),
    "band": (16, 22),
    "note": (30, 50),
    "stub": (30, 60),
    "button": (11, 23),
    "brick": (12, 17),
    "screw": (14, 30),
}
_WIDTH = {
    "eraser": 0.55,
    "stick": 0.4,
    "key": 0.36,
    "stub": 0.2,
    "screw": 0.35,
    "sweet": 0.7,
    "nut": 0.75,
    "meeple": 0.9,
}
"""Width by length of what is not as wide as long."""

_IN_RING_COLOR = 0.35
"""Share of things painted in the colour of a ring, as tokens of a side are."""

_PLASTIC = ("#1c1b1a", "#2e2d2b", "#45464a", "#777a7c", "#6b5540", "#8a8f86", "#4a2b22", "#3c4a3a")
_ALIKE = 0.8
"""Colours of unpainted rims, and the share of kinds with that of their box."""

_ACROSS_MM = 4.0
"""Distance of a cell's middle beyond a fallen figure's ends within which it lies across the cell."""

_MOST_OF_TILE = 0.2
_ROOM_MM, _TRIES = 1.5, 60


def lay_things(
    rng: Generator, kinds: Sequence[str], count: int, shot: Any, mm_from_lattice: Callable[[Floats], Floats]
) -> list[Thing]:
    """Return things that lie on the tiles of a laid-out table or across their outer edge.

    They keep off bases, doors and each other, and hide at most a fifth of a tile.

    Args:
        rng: random numbers.
        kinds: the kinds to choose from.
        count: the number of things; fewer where the room is short.
        shot: the generator's scene.
        mm_from_lattice: its places on the table.
    """
    cells, rings = sorted(shot.cells), [row[4] for row in shot.roster_rows]
    laid: list[Thing] = []
    hidden_mm2 = dict.fromkeys((tile["id"] for tile in shot.tiles), 0.0)
    for _ in range(count * _TRIES):
        if len(laid) == count:
            break
        kind = str(rng.choice(kinds))
        long_mm = float(rng.uniform(*_SIZE_MM[kind]))
        size_mm = (long_mm, long_mm * _WIDTH.get(kind, 1.0))
        cell = np.array(cells[int(rng.integers(len(cells)))], dtype=float)
        middle = mm_from_lattice(cell + rng.uniform(0.1, 0.9, 2))
        radius_mm = math.hypot(*size_mm) / 2 if kind in _WIDTH else long_mm / 2
        tile = min(shot.tiles, key=lambda tile: math.hypot(tile["x"] - middle[0], tile["y"] - middle[1]))
        room_mm2 = _MOST_OF_TILE * len(tile["cells"]) * tile["cell"] ** 2 - hidden_mm2[tile["id"]]
        if size_mm[0] * size_mm[1] > room_mm2 or not _is_free(middle, radius_mm, shot, laid):
            continue
        hidden_mm2[tile["id"]] += size_mm[0] * size_mm[1]
        color = _color(rng)
        if rng.random() < _IN_RING_COLOR:
            color = rings[int(rng.integers(len(rings)))]
        laid.append(
            {
                "kind": kind,
                "x": float(middle[0]),
                "y": float(middle[1]),
                "z": float(tile["th"]),
                "size": list(size_mm),
                "rot": float(rng.uniform(0, 360)),
                "color": color,
                "second": _color(rng),
                "seed": int(rng.integers(1 << 30)),
            }
        )
    return laid


def _is_free(middle: Floats, radius_mm: float, shot: Any, laid: Sequence[Thing]) -> bool:
    for figure in [*shot.figures, *(_lying(one) for one in shot.figures if "fallen" in one)]:
        away_mm = math.hypot(figure["x"] - middle[0], figure["y"] - middle[1])
        base = figure["base"]
        if away_mm < radius_mm + (base[0] / 2 if len(base) == 1 else math.hypot(*base) / 2) + _ROOM_MM:
            return False
    for door in shot.doors:
        if math.hypot(door["x"] - middle[0], door["y"] - middle[1]) < radius_mm + door["w"] / 2 + _ROOM_MM:
            return False
    return all(
        math.hypot(thing["x"] - middle[0], thing["y"] - middle[1]) > radius_mm + max(thing["size"]) / 2
        for thing in laid
    )


def _color(rng: Generator) -> str:
    hue, strength, value = rng.uniform(0, 360), rng.beta(1.2, 1), rng.uniform(0.15, 0.95)
    bgr = cv2.cvtColor(np.array([[[hue, strength, value]]], np.float32), cv2.COLOR_HSV2BGR)[0, 0]
    blue, green, red = (round(255 * float(level)) for level in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"


def wear_figures(rng: Generator, figures: Sequence[dict[str, Any]]) -> None:
    """Scratch the rims of some figures and let some bodies lean."""
    for figure in figures:
        if "fallen" in figure:
            continue
        if rng.random() < 0.3:
            figure["chips"] = _chips(rng)
        if rng.random() < 0.2:
            figure["lean"] = [float(rng.uniform(3, 9)), float(rng.uniform(0, 360))]


def tip_over(rng: Generator, shot: Any, mm_from_lattice: Callable[[Floats], Floats], *, share: float) -> None:
    """Let small figures fall where there is room on the board. Each gets ``fallen``: its direction and its cells."""
    middles = {cell: mm_from_lattice(np.array(cell) + 0.5) for cell in shot.cells}
    for figure in shot.figures:
        if len(figure["base"]) > 1 or rng.random() > share:
            continue
        for towards_deg in rng.uniform(0, 360, _TRIES).tolist():
            across = _room_to_lie(figure, towards_deg, shot, middles)
            if across:
                figure["fallen"] = {"towards_deg": towards_deg, "across": across}
                break


def _room_to_lie(figure: Thing, towards_deg: float, shot: Any, middles: dict[Cell, Floats]) -> list[Cell]:
    """Return the cells that a figure would lie across, none if something is in its way or it leaves the board."""
    foot, radius_mm = np.array([figure["x"], figure["y"]]), figure["base"][0] / 2
    turn = math.radians(towards_deg)
    way, side = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    steps_mm = np.arange(radius_mm, radius_mm + figure["height"], 5.0)
    others = SimpleNamespace(figures=[one for one in shot.figures if one is not figure], doors=shot.doors)
    cell_mm = shot.tiles[0]["cell"]
    for step_mm in steps_mm:
        place = foot + way * step_mm
        nearest_mm = min(float(np.abs(middle - place).max()) for middle in middles.values())
        if nearest_mm > cell_mm / 2 or not _is_free(place, radius_mm, others, ()):
            return []
    from_foot = {
        cell: (float((middle - foot) @ way), float((middle - foot) @ side)) for cell, middle in middles.items()
    }
    return sorted(
        cell
        for cell, (along_mm, aside_mm) in from_foot.items()
        if radius_mm - _ACROSS_MM < along_mm < radius_mm + figure["height"] + _ACROSS_MM and abs(aside_mm) < radius_mm
    )


def _lying(figure: Thing) -> Thing:
    """Return a round base as large as a fallen figure's reach, amid it."""
    turn, half_mm = math.radians(figure["fallen"]["towards_deg"]), figure["height"] / 2
    away_mm = figure["base"][0] / 2 + half_mm
    return {
        "x": figure["x"] + away_mm * math.cos(turn),
        "y": figure["y"] + away_mm * math.sin(turn),
        "base": [2 * half_mm],
    }


def bare_rims(rng: Generator, kinds: Collection[str]) -> dict[str, str]:
    """Return the colour of each kind's rim in an unpainted box. Most kinds share one."""
    of_box = str(rng.choice(_PLASTIC))
    return {kind: of_box if rng.random() < _ALIKE else str(rng.choice(_PLASTIC)) for kind in sorted(kinds)}


def _chips(rng: Generator) -> list[dict[str, Any]]:
    """Return stretches of bare rim: begin and length in degrees, depth in mm, colour."""
    bare = str(rng.choice(["#1d1c1b", "#6f6e6c", "#c9c6bf"]))
    chips = [
        {
            "from": float(rng.uniform(0, 360)),
            "over": float(rng.uniform(3, 12)),
            "deep": float(rng.uniform(0.5, 1.6)),
            "color": bare,
        }
        for _ in range(int(rng.integers(4, 12)))
    ]
    if rng.random() < 0.3:
        chips.append(
            {"from": float(rng.uniform(0, 360)), "over": float(rng.uniform(25, 80)), "deep": 1.6, "color": bare}
        )
    return chips
