"""Maps in the manner of real ones, and a plain calculation of what their own walls block.

Written apart from the program: neither the drawing nor the calculation uses anything of it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

XY = tuple[float, float]
KINDS = ("angles", "curves", "cave", "double", "windows", "terrain", "doors", "sloppy", "diamond", "halls")


@dataclass
class DrawnMap:
    """Walls in cells, each with its kind: ``wall``, ``window``, ``terrain``, ``door`` or ``ajar``."""

    width: int
    height: int
    walls: list[tuple[XY, XY, str]] = field(default_factory=list)

    def line(self, points: Sequence[XY], kind: str = "wall") -> None:
        for a, b in itertools.pairwise(points):
            self.walls.append((a, b, kind))

    def ring(self, points: Sequence[XY], kind: str = "wall") -> None:
        self.line([*points, points[0]], kind)


def drawn(kind: str, seed: int) -> DrawnMap:
    """Return a map of one kind."""
    rng = random.Random(f"{kind}-{seed}")
    made = DrawnMap(rng.randint(16, 34), rng.randint(14, 28))
    w, h = made.width, made.height
    margin = rng.uniform(0.3, 1.4)
    made.ring([(margin, margin), (w - margin, margin), (w - margin, h - margin), (margin, h - margin)])
    DRAW[kind](made, rng)
    return made


def _rooms(rng: random.Random, made: DrawnMap, count: int) -> list[tuple[float, float, float, float]]:
    rooms = []
    for _ in range(count):
        a, b = rng.uniform(3.2, 8.5), rng.uniform(3.2, 7.5)
        x, y = rng.uniform(2, made.width - a - 2), rng.uniform(2, made.height - b - 2)
        rooms.append((x, y, a, b))
    return rooms


def _turned(x: float, y: float, a: float, b: float, turn: float) -> list[XY]:
    cx, cy, c, s = x + a / 2, y + b / 2, math.cos(turn), math.sin(turn)
    corners = ((-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2))
    return [(cx + c * u - s * v, cy + s * u + c * v) for u, v in corners]


def _with_door(made: DrawnMap, a: XY, b: XY, rng: random.Random, kind: str) -> None:
    """A wall with a door of about a cell in it."""
    length = math.dist(a, b)
    wide = rng.uniform(0.9, 1.3)
    if length < wide + 0.6:
        made.line([a, b])
        return
    at = rng.uniform(0.3, length - wide - 0.3)

    def point(t: float) -> XY:
        return (a[0] + (b[0] - a[0]) * t / length, a[1] + (b[1] - a[1]) * t / length)

    made.line([a, point(at)])
    made.line([point(at), point(at + wide)], kind)
    made.line([point(at + wide), b])


def _angles(made: DrawnMap, rng: random.Random) -> None:
    for x, y, a, b in _rooms(rng, made, 5):
        corners = _turned(x, y, a, b, rng.uniform(0, math.pi))
        first = rng.randrange(4)
        for number, (p, q) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True)):
            if number == first:
                _with_door(made, p, q, rng, "door")
            else:
                made.line([p, q])


def _curves(made: DrawnMap, rng: random.Random) -> None:
    for _ in range(3):
        r = rng.uniform(2.2, 4.5)
        x, y = rng.uniform(r + 1, made.width - r - 1), rng.uniform(r + 1, made.height - r - 1)
        n = rng.randint(10, 40)
        points = [(x + r * math.cos(2 * math.pi * k / n), y + r * math.sin(2 * math.pi * k / n)) for k in range(n + 1)]
        gap = rng.randint(0, 2)
        made.line(points[: len(points) - gap])
    points = [(t, made.height / 2 + 3 * math.sin(t / 3)) for t in np.linspace(2, made.width - 2, rng.randint(12, 60))]
    cut = rng.randrange(4, len(points) - 3)
    made.line(points[:cut])
    made.line(points[cut + 1 :])


def _cave(made: DrawnMap, rng: random.Random) -> None:
    for _ in range(rng.randint(3, 5)):
        r = rng.uniform(2.0, 4.5)
        x, y = rng.uniform(r + 1, made.width - r - 1), rng.uniform(r + 1, made.height - r - 1)
        n = rng.randint(18, 50)
        points = []
        for k in range(n):
            turn, reach = 2 * math.pi * k / n, r * rng.uniform(0.75, 1.15)
            points.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
        opening = rng.randint(1, 4)
        made.line(points[:-opening])


def _double(made: DrawnMap, rng: random.Random) -> None:
    for x, y, a, b in _rooms(rng, made, 4):
        thick = rng.uniform(0.2, 0.6)
        turn = rng.choice((0.0, 0.0, rng.uniform(0, 1.5)))
        for grow in (0.0, thick):
            made.ring(_turned(x - grow, y - grow, a + 2 * grow, b + 2 * grow, turn))


def _windows(made: DrawnMap, rng: random.Random) -> None:
    for x, y, a, b in _rooms(rng, made, 4):
        corners = _turned(x, y, a, b, rng.choice((0.0, rng.uniform(0, 1.5))))
        for p, q in zip(corners, [*corners[1:], corners[0]], strict=True):
            _with_door(made, p, q, rng, rng.choice(("window", "wall", "door")))


def _terrain(made: DrawnMap, rng: random.Random) -> None:
    _angles(made, rng)
    for _ in range(6):
        x, y = rng.uniform(2, made.width - 4), rng.uniform(2, made.height - 4)
        made.ring(_turned(x, y, rng.uniform(0.6, 2.5), rng.uniform(0.6, 2.5), rng.uniform(0, 1.5)), "terrain")


def _doors(made: DrawnMap, rng: random.Random) -> None:
    for x, y, a, b in _rooms(rng, made, 5):
        corners = _turned(x, y, a, b, rng.choice((0.0, 0.0, rng.uniform(0, 1.5))))
        for p, q in zip(corners, [*corners[1:], corners[0]], strict=True):
            _with_door(made, p, q, rng, rng.choice(("ajar", "door", "wall")))


def _sloppy(made: DrawnMap, rng: random.Random) -> None:
    """By hand: ends that nearly meet, walls that cross, walls that end on others."""
    for x, y, a, b in _rooms(rng, made, 4):
        corners = [(u + rng.gauss(0, 0.05), v + rng.gauss(0, 0.05)) for u, v in _turned(x, y, a, b, rng.gauss(0, 0.1))]
        for p, q in zip(corners, [*corners[1:], corners[0]], strict=True):
            over = rng.uniform(-0.03, 0.4) / math.dist(p, q)
            made.line([p, (q[0] + (q[0] - p[0]) * over, q[1] + (q[1] - p[1]) * over)])
        p, q = corners[0], corners[2]
        made.line([((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), ((corners[1][0] + q[0]) / 2, (corners[1][1] + q[1]) / 2)])


def _diamond(made: DrawnMap, rng: random.Random) -> None:
    for x, y, a, _ in _rooms(rng, made, 4):
        made.ring(_turned(round(x), round(y), round(a), round(a), math.pi / 4))
    for _ in range(10):
        x, y = rng.randint(2, made.width - 3), rng.randint(2, made.height - 3)
        made.line([(x, y), (x + rng.choice((-1, 1)) * rng.randint(1, 4), y + rng.randint(1, 4))])


def _halls(made: DrawnMap, rng: random.Random) -> None:
    """Walls along the grid, but beside its lines: the usual hand-drawn building."""
    shift = (rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8))
    xs = [shift[0] + 2 + k * rng.uniform(4, 7) for k in range(4)]
    ys = [shift[1] + 2 + k * rng.uniform(4, 6) for k in range(4)]
    for x in xs:
        for a, b in itertools.pairwise(ys):
            _with_door(made, (x, a), (x, b), rng, rng.choice(("door", "ajar", "wall", "wall")))
    for y in ys:
        for a, b in itertools.pairwise(xs):
            _with_door(made, (a, y), (b, y), rng, rng.choice(("door", "ajar", "wall", "wall")))


DRAW: dict[str, Callable[[DrawnMap, random.Random], None]] = {
    "angles": _angles,
    "curves": _curves,
    "cave": _cave,
    "double": _double,
    "windows": _windows,
    "terrain": _terrain,
    "doors": _doors,
    "sloppy": _sloppy,
    "diamond": _diamond,
    "halls": _halls,
}


def as_uvtt(made: DrawnMap) -> dict[str, Any]:
    """Return the map as Dungeondraft writes one: windows are no lines of sight, terrain is that of objects."""

    def points(a: XY, b: XY) -> list[dict[str, float]]:
        return [{"x": x, "y": y} for x, y in (a, b)]

    return {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": made.width, "y": made.height},
            "pixels_per_grid": 70,
        },
        "line_of_sight": [points(a, b) for a, b, kind in made.walls if kind == "wall"],
        "objects_line_of_sight": [points(a, b) for a, b, kind in made.walls if kind == "terrain"],
        "portals": [
            {"bounds": points(a, b), "closed": kind == "door", "rotation": 0}
            for a, b, kind in made.walls
            if kind in ("door", "ajar")
        ],
        "lights": [],
        "image": "",
    }


FOUNDRY_PX = 100
_SENSES = {"wall": (20, 20), "window": (20, 0), "terrain": (0, 10), "door": (20, 20), "ajar": (20, 20)}


def as_foundry(made: DrawnMap, padding: float = 0.25) -> dict[str, Any]:
    """Return the map as Foundry exports it: whole pixels, padding, windows that stop moves alone."""
    across, down = (math.ceil(size * padding) for size in (made.width, made.height))
    walls = []
    for a, b, kind in made.walls:
        c = [round((v + off) * FOUNDRY_PX) for point in (a, b) for v, off in zip(point, (across, down), strict=True)]
        move, sight = _SENSES[kind]
        is_door = kind in ("door", "ajar")
        walls.append({"c": c, "move": move, "sight": sight, "door": int(is_door), "ds": int(kind == "ajar"), "dir": 0})
    size = {"width": made.width * FOUNDRY_PX, "height": made.height * FOUNDRY_PX}
    return {"name": "drawn", **size, "padding": padding, "grid": {"size": FOUNDRY_PX, "type": 1}, "walls": walls}


def sight_walls(made: DrawnMap, *, is_foundry: bool) -> np.ndarray:
    """Return everything that stops sight, as rows of four numbers: walls, closed doors, Universal VTT object lines."""
    kinds = {"wall", "door"} if is_foundry else {"wall", "door", "terrain"}
    rows = [(*a, *b) for a, b, kind in made.walls if kind in kinds]
    return np.array(rows or [(-9.0, -9.0, -8.0, -9.0)])


def is_blocked(p: tuple[int, int], q: tuple[int, int], walls: np.ndarray) -> bool:
    """Return whether each of 25 lines between two cells, from corners a little within and the middles, meets a wall."""
    e = 0.08
    spots = [(u, v) for u in (e, 1 - e) for v in (e, 1 - e)] + [(0.5, 0.5)]
    x1, y1, x2, y2 = walls.T
    for u, v in spots:
        ax, ay = p[0] + u, p[1] + v
        for s, t in spots:
            bx, by = q[0] + s, q[1] + t
            d1 = (bx - ax) * (y1 - ay) - (by - ay) * (x1 - ax)
            d2 = (bx - ax) * (y2 - ay) - (by - ay) * (x2 - ax)
            d3 = (x2 - x1) * (ay - y1) - (y2 - y1) * (ax - x1)
            d4 = (x2 - x1) * (by - y1) - (y2 - y1) * (bx - x1)
            if not ((d1 * d2 < 0) & (d3 * d4 < 0)).any():
                return False
    return True
