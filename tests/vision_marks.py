"""One photo's observation held against the truth: what can be trusted, every mistake, and what caused it.

Causes are worked out from the truth and from geometry alone: how much of a thing was in sight, from where it was
seen, what stands before it, how dark the place is. They name what is likely, the gravest first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np

Document = Mapping[str, Any]
Point = tuple[float, float]

BASE_MM = 22.0
"""Figures are drawn with the usual base, whatever their own."""

FIGURE_MM = 12.7
"""Limits as in ``score.py``: half a cell for figures, then those for tiles and for doors."""

TILE_MM, TILE_DEG, DOOR_MM, DOOR_DEG = 8.0, 6.0, 10.0, 15.0

TILE_REACH = 4.0
"""Cells round the middle of a tile in a picture of its surroundings."""

TRUE_BGR, SAID_BGR = (80, 220, 60), (60, 60, 255)
"""The truth is drawn in green, the reading in red: a right one lies under both."""

DRAWN_PX = 420
"""Crops are enlarged to this for drawing."""

HIDDEN_SHARE = 0.7
"""Share of a body; with less in sight, the thing before it is to blame."""

WHOLE_SHARE = 0.98
"""With less, something is before the body, and more of it before the base."""

DARK_GRAY = 45.0
"""Mean grey level of the place in the photo."""

ALIKE_LAB = 25.0
"""Distance of two ring colours that a lamp may bridge."""

EDGE_ON_DEG = 12.0
STEEP_DEG = 15.0
"""A door is a stroke when it is looked at along its line, or from so near to straight above."""


class Stated(NamedTuple):
    """A confidence and whether its claim was right."""

    confidence: float
    is_right: bool


class Mistake(NamedTuple):
    """A wrong or missing claim.

    Args:
        center_mm: where.
        said: what was said.
        true: what is true.
        cause: why, probably.
        reach_cells: how much round it shows what happened.
    """

    center_mm: Point
    said: str
    true: str
    cause: str
    reach_cells: float = 1.6


@dataclass(frozen=True, eq=False)
class Marked:
    """One photo with its truth.

    Args:
        truth: the ``observation/1`` document of what is there.
        meta: what the renderer tells of the photo.
        said: the ``observation/1`` document of what was seen, or an error.
        camera: the lens document.
        roster: the roster document.
        photo: the picture.
        sizes: columns and rows of each tile side.
    """

    truth: Document
    meta: Document
    said: Document
    camera: Document
    roster: Document
    photo: np.ndarray[Any, Any]
    sizes: Mapping[str, tuple[int, int]]

    @cached_property
    def figures(self) -> list[tuple[int, int]]:
        """Pairs of a true and a reported figure in the same place."""
        return _pairs(self.truth["figures"], self._said("figures"), _apart, FIGURE_MM)

    @cached_property
    def doors(self) -> list[tuple[int, int]]:
        """Pairs of a true and a reported door."""
        return _pairs(self.truth["doors"], self._said("doors"), _doors_apart, DOOR_MM)

    @cached_property
    def tiles(self) -> list[tuple[int, int]]:
        """Pairs of a true and a reported tile."""
        return _pairs(self.truth["tiles"], self._said("tiles"), _tiles_apart, TILE_MM)

    def stated(self, what: str) -> list[Stated]:
        """Return the confidence of each reported figure, door or tile, and whether it was right.

        A figure whose kind was left open is right if anybody stands there.
        """
        pairs: Mapping[str, list[tuple[int, int]]] = {
            "figures": [(i, j) for i, j in self.figures if self._same_kind(i, j) or self._is_open(j)],
            "doors": self.doors,
            "tiles": self.tiles,
        }
        right = {j for _, j in pairs[what]}
        return [Stated(each["confidence"], j in right) for j, each in enumerate(self._said(what))]

    def mistakes(self) -> Iterator[Mistake]:
        """Yield every wrong or missing claim."""
        if "figures" not in self.said:
            yield Mistake(tuple(self.truth["grid"]["origin_mm"]), self.said["error"], "a table", "not read at all")
            return
        yield from self._tile_mistakes()
        yield from self._door_mistakes()
        yield from self._figure_mistakes()

    def _tile_mistakes(self) -> Iterator[Mistake]:
        missed, false = _left(self.truth["tiles"], self._said("tiles"), self.tiles)
        for i in missed:
            true = self.truth["tiles"][i]
            near = [self._said("tiles")[j]["id"] for j in false if _apart(self._said("tiles")[j], true) < 60]
            crowd = sum(math.dist(f["center_mm"], true["center_mm"]) < 45 for f in self.truth["figures"])
            cause = "tile hidden under figures" if crowd > 2 else self._cause_of_place(true["center_mm"])
            yield Mistake(
                _center(true), f"tile {near[0]}" if near else "no tile", f"tile {true['id']}", cause, TILE_REACH
            )
        for j in false:
            tile = self._said("tiles")[j]
            if all(_apart(tile, self.truth["tiles"][i]) >= 60 for i in missed):
                cause = self._cause_of_place(_center(tile))
                yield Mistake(_center(tile), f"tile {tile['id']}", "no such tile", cause, TILE_REACH)

    def _door_mistakes(self) -> Iterator[Mistake]:
        missed, false = _left(self.truth["doors"], self._said("doors"), self.doors)
        for i in missed:
            door = self.truth["doors"][i]
            cause = self._cause_of_door(door, self.meta.get("doors_visible", [1.0] * (i + 1))[i])
            yield Mistake(_middle(door), "no door", "a door", cause)
        for j in false:
            door = self._said("doors")[j]
            yield Mistake(_middle(door), f"a door ({door['confidence']:.2f})", "no door", self._cause_of_false(door))

    def _figure_mistakes(self) -> Iterator[Mistake]:
        missed, false = _left(self.truth["figures"], self._said("figures"), self.figures)
        for i in missed:
            figure = self.truth["figures"][i]
            yield Mistake(_center(figure), "nobody", figure["id"], self._cause_of_figure(figure))
        for j in false:
            figure = self._said("figures")[j]
            said = f"{figure['kind'] or 'figure'} ({figure['confidence']:.2f})"
            yield Mistake(_center(figure), said, "nobody", self._cause_of_place(_center(figure)))
        for i, j in self.figures:
            if not self._same_kind(i, j):
                true, said = self.truth["figures"][i], self._said("figures")[j]
                cause = self._cause_of_kind(true, said)
                yield Mistake(_center(true), f"{said['kind']} ({said['confidence']:.2f})", true["id"], cause)

    def _cause_of_figure(self, figure: Document) -> str:
        share = self.meta.get("figures_visible", {}).get(figure["id"], 1.0)
        if not self._is_on_the_board(_center(figure)):
            return "on a tile that was not found"
        if share < HIDDEN_SHARE:
            return f"hidden behind {self._before(_center(figure)) or 'something'} ({share:.0%} in sight)"
        before = self._before(_center(figure))
        if share < WHOLE_SHARE and before is not None:
            return f"base behind {before} (body {share:.0%} in sight)"
        place = self._cause_of_place(_center(figure))
        beside = [other["id"] for other in self.truth["figures"] if other is not figure and _touch(other, figure)]
        return f"side by side with {beside[0]}" if beside and place == "unexplained" else place

    def _cause_of_kind(self, true: Document, said: Document) -> str:
        if said["kind"] is None:
            return f"kind left open; {self._cause_of_figure(true)}"
        rings = [self._ring(kind) for kind in (true["kind"], said["kind"])]
        if rings[0] is None or rings[1] is None:
            return "figure without a ring"
        distance = float(np.linalg.norm(rings[0] - rings[1]))
        if distance < ALIKE_LAB:
            return (
                f"look-alike colour ({distance:.0f} in Lab)" if distance > 0 else "the same ring, only the body differs"
            )
        cause = self._cause_of_figure(true)
        is_plain = cause == "unexplained" or cause.startswith("side by side")
        return f"ring colour misread in “{self.meta['light']}” light" if is_plain else cause

    def _cause_of_door(self, door: Document, share: float) -> str:
        middle = _middle(door)
        if not self._is_on_the_board(middle):
            return "on a tile that was not found"
        if share < HIDDEN_SHARE:
            return f"hidden behind {self._before(middle) or 'something'} ({share:.0%} in sight)"
        along = math.degrees(math.atan2(door["to_mm"][1] - door["from_mm"][1], door["to_mm"][0] - door["from_mm"][0]))
        (x, y, height), (px, py) = self.eye_mm, middle
        towards = math.degrees(math.atan2(py - y, px - x))
        if _turn(along, towards, 180) < EDGE_ON_DEG:
            return "door seen edge-on"
        if math.degrees(math.atan2(math.dist((x, y), middle), height)) < STEEP_DEG:
            return "door seen from straight above"
        return self._cause_of_place(middle)

    def _cause_of_false(self, door: Document) -> str:
        if any(math.dist(_middle(door), _center(f)) < self._cell_mm for f in self.truth["figures"]):
            return "a figure beside it"
        if any(math.dist(_middle(door), _middle(d)) < 2 * self._cell_mm for d in self.truth["doors"]):
            return "a true door near by"
        return self._cause_of_place(_middle(door))

    def _cause_of_place(self, center_mm: Sequence[float]) -> str:
        crop = self.crop(center_mm)
        if not crop.size:
            return "outside the picture"
        height, width = self.photo.shape[:2]
        x, y = self.pixels([center_mm])[0]
        if not (0.03 * width < x < 0.97 * width and 0.03 * height < y < 0.97 * height):
            return "at the rim of the picture"
        if crop.mean() < DARK_GRAY:
            return "dark"
        if (crop > 250).mean() > 0.2:
            return "glare"
        look = self.meta.get("look", {})
        return "blurred" if look.get("motion") or look.get("defocus", 0) > 1 else "unexplained"

    def _before(self, center_mm: Point) -> str | None:
        """Return the thing between the camera and a place, or None if there is none."""
        x, y, _ = self.eye_mm
        gaze = np.array([center_mm[0] - x, center_mm[1] - y])
        gaze = gaze / max(1e-6, float(np.linalg.norm(gaze)))
        for name, places in (
            ("door", map(_middle, self.truth["doors"])),
            ("figure", map(_center, self.truth["figures"])),
        ):
            for place in places:
                back = np.array(center_mm) - place
                ahead, aside = float(back @ gaze), abs(float(back[0] * gaze[1] - back[1] * gaze[0]))
                if 1.0 < ahead < 4 * self._cell_mm and aside < self._cell_mm:
                    return f"a {name}"
        return None

    def crop(self, center_mm: Sequence[float], cells: float = 1.6) -> np.ndarray[Any, Any]:
        """Return the part of the photo round a place."""
        return self.photo[self._box_px(center_mm, cells)]

    def drawn_crop(self, mistake: Mistake) -> np.ndarray[Any, Any]:
        """Return an enlarged crop of the photo round a mistake, with truth and reading drawn on it."""
        rows, columns = self._box_px(mistake.center_mm, mistake.reach_cells)
        part = self.photo[rows, columns]
        if not part.size:
            return part
        scale = DRAWN_PX / max(part.shape[:2])
        picture = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        for document, bgr, thickness in ((self.said, SAID_BGR, 3), (self.truth, TRUE_BGR, 1)):
            for name, outline_mm in self._outlines(document):
                pixels = np.round((self.pixels(outline_mm) - (columns.start, rows.start)) * scale).astype(int)
                cv2.polylines(picture, [pixels], isClosed=len(pixels) > 2, color=bgr, thickness=thickness)
                x, y = pixels.mean(axis=0).astype(int).tolist()
                y += 14 if bgr == SAID_BGR else 0
                cv2.putText(picture, name, (x - 4 * len(name), y), cv2.FONT_HERSHEY_PLAIN, 1.0, bgr, 1, cv2.LINE_AA)
        return picture

    def _outlines(self, document: Document) -> Iterator[tuple[str, list[Point]]]:
        """Name and outline on the table of every tile, door and figure of a document."""
        for tile in document.get("tiles", []):
            half = (side * self._cell_mm / 2 for side in self.sizes[tile["id"]])
            yield tile["id"], _box(tile["center_mm"], tile["rotation_deg"], *half)
        for door in document.get("doors", []):
            yield "", [tuple(door["from_mm"]), tuple(door["to_mm"])]
        for figure in document.get("figures", []):
            turns = np.radians(np.arange(0, 360, 20))
            x, y = figure["center_mm"]
            ring = [(x + BASE_MM / 2 * math.cos(t), y + BASE_MM / 2 * math.sin(t)) for t in turns]
            yield figure["kind"] or "?", ring

    def _box_px(self, center_mm: Sequence[float], cells: float) -> tuple[slice, slice]:
        """Rows and columns of the photo so many cells round a place."""
        here = self.pixels([center_mm])[0]
        side = [(center_mm[0] + dx, center_mm[1] + dy) for dx, dy in ((self._cell_mm, 0), (0, self._cell_mm))]
        reach = cells * max(float(np.linalg.norm(there - here)) for there in self.pixels(side))
        (left, top), (right, bottom) = (np.maximum(np.round(here + s * reach), 0).astype(int).tolist() for s in (-1, 1))
        return slice(top, bottom), slice(left, right)

    def pixels(self, points_mm: Sequence[Sequence[float]]) -> np.ndarray[Any, Any]:
        """Pixels (N, 2) of places on the table, by the true pose."""
        points = np.array([(x, y, 0.0) for x, y in points_mm])
        lens, bent = np.array(self.camera["matrix"]), np.array(self.camera["distortion"])
        rvec, tvec = (np.array(self.meta[name], dtype=float) for name in ("rvec", "tvec"))
        pixels, _ = cv2.projectPoints(points, rvec, tvec, lens, bent)
        return np.asarray(pixels.reshape(-1, 2))

    @cached_property
    def eye_mm(self) -> tuple[float, float, float]:
        """The camera's position in plan, and its height above the table."""
        turn, _ = cv2.Rodrigues(np.array(self.meta["rvec"], dtype=float))
        x, y, z = -turn.T @ np.array(self.meta["tvec"], dtype=float)
        return float(x), float(y), float(-z)

    def _ring(self, kind: str) -> np.ndarray[Any, Any] | None:
        ring = next((f.get("ring") for f in self.roster["figures"] if f["kind"] == kind), None)
        if ring is None:
            return None
        bgr = np.array([[[int(ring[i : i + 2], 16) / 255 for i in (5, 3, 1)]]], dtype=np.float32)
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0])

    def _same_kind(self, i: int, j: int) -> bool:
        return bool(self.truth["figures"][i]["kind"] == self._said("figures")[j]["kind"])

    def _is_open(self, j: int) -> bool:
        return self._said("figures")[j]["kind"] is None

    def _is_on_the_board(self, place_mm: Point) -> bool:
        """Return whether the board that was read has a cell at a place, or within a quarter of a cell of it."""
        grid = self.said["grid"]
        turn = math.radians(grid["angle_deg"])
        x, y = ((a - o) / grid["cell_mm"] for a, o in zip(place_mm, grid["origin_mm"], strict=True))
        column, row = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
        cells = {tuple(cell) for cell in self.said["board"]["cells"]}
        near = ((dx, dy) for dx in (-0.25, 0.25) for dy in (-0.25, 0.25))
        return any((math.floor(column + dx), math.floor(row + dy)) in cells for dx, dy in near)

    def _said(self, what: str) -> list[Any]:
        return list(self.said.get(what, []))

    @property
    def _cell_mm(self) -> float:
        return float(self.truth["grid"]["cell_mm"])


def _pairs(
    true: Sequence[Document], said: Sequence[Document], apart: Callable[[Document, Document], float], limit: float
) -> list[tuple[int, int]]:
    """Return one-to-one pairs, the nearest first."""
    found: list[tuple[int, int]] = []
    near = [(apart(t, s), i, j) for i, t in enumerate(true) for j, s in enumerate(said)]
    for distance, i, j in sorted(near):
        if distance <= limit and all(i != a and j != b for a, b in found):
            found.append((i, j))
    return found


def _left(true: Sequence[Any], said: Sequence[Any], pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    missed = [i for i in range(len(true)) if all(i != a for a, _ in pairs)]
    return missed, [j for j in range(len(said)) if all(j != b for _, b in pairs)]


def _touch(a: Document, b: Document) -> bool:
    """Return whether two figures stand on cells that touch."""
    return any(max(abs(x - u), abs(y - v)) <= 1 for x, y in a["cells"] for u, v in b["cells"])


def _box(center_mm: Sequence[float], rotation_deg: float, half_width: float, half_height: float) -> list[Point]:
    """Return the corners of a turned box."""
    c, s = math.cos(math.radians(rotation_deg)), math.sin(math.radians(rotation_deg))
    corners = (
        (-half_width, -half_height),
        (half_width, -half_height),
        (half_width, half_height),
        (-half_width, half_height),
    )
    return [(center_mm[0] + c * x - s * y, center_mm[1] + s * x + c * y) for x, y in corners]


def _center(piece: Document) -> Point:
    x, y = piece["center_mm"]
    return x, y


def _middle(door: Document) -> Point:
    (x0, y0), (x1, y1) = door["from_mm"], door["to_mm"]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _apart(a: Document, b: Document) -> float:
    return math.dist(a["center_mm"], b["center_mm"])


def _tiles_apart(a: Document, b: Document) -> float:
    is_same = a["id"] == b["id"] and _turn(a["rotation_deg"], b["rotation_deg"], 360) <= TILE_DEG
    return _apart(a, b) if is_same else math.inf


def _doors_apart(a: Document, b: Document) -> float:
    turns = [math.degrees(math.atan2(d["to_mm"][1] - d["from_mm"][1], d["to_mm"][0] - d["from_mm"][0])) for d in (a, b)]
    return math.dist(_middle(a), _middle(b)) if _turn(*turns, 180) <= DOOR_DEG else math.inf


def _turn(a: float, b: float, whole: float) -> float:
    rest = (a - b) % whole
    return min(rest, whole - rest)
