"""The table's plane in a photo without markers, from the outlines of the tiles on it.

The sides of a tile are perpendicular and whole numbers of cells long. So the right tilt of the camera makes the
outlines' corners right angles, and a cell is the length that divides all sides. The places of the sides' straight
pieces determine the rest, in one least-squares fit of lens, tilt and the place and turn of each tile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import least_squares

from assistant.table.camera import CameraLens
from calibration.arrays import Numbers
from calibration.lens_model import normalized_from_pixels
from calibration.pose import CameraView
from vision.teaching.box_outlines import LooseThing
from vision.tiles.lattice_fit import Lattice

PHONE_FOCAL = 0.76
"""Focal length of a phone's main camera in longer sides of its picture, 24 to 28 mm on 35 mm film."""

PHONE_FOCAL_SPREAD = 0.12
_TILT_SPREAD = 0.35
"""Spreads of the focal length (as a logarithm) and of the tilt (radians) of hand-held photos from above."""

_K1_SPREAD = 0.05

SIDE_WEIGHT = 25.0
"""Weight of the ends of a straight outline piece one cell long, and of the place of an edge between two cells, for an
error of a twenty-fifth of a cell."""

_ALONG_PX = 0.012
"""Least length of a straight outline piece, in longer sides of the photo."""

_BENT = 0.0022
"""Largest bend of a straight outline piece, and largest distance of two on one line, in longer sides of the photo."""

SQUARE = 0.5
"""Least share of an outline along a thing's axes for a possible tile."""

_SIDE_SPREADS = (0.0008, 0.0016, 0.0032)
"""Spreads of the sides about their lattice, in longer sides of the photo. The fit chooses among them by the outlines'
sharpness."""

_ODD = 0.15
"""Chance that a side of a tile is arbitrary, as beside a shadow, or that a straight-sided thing is no tile."""

CARD_RATIO, _CARD_SPREAD, _CARD = 88 / 63, 0.03, 0.97
"""Ratio of a playing card's sides, its measurement spread, and the chance that such a thing is a card. Beside tiles of
an inch a card is 2.5 by 3.5 cells, and alone would halve the cell."""

_CELLS = np.geomspace(0.012, 0.16, 900)
"""Candidate cell sizes, in longer sides of the photo, on a plane as large as the photo."""


class StraightPiece(NamedTuple):
    """A straight piece of an outline: the ends of its fitted line, in the photo's pixels."""

    start_px: Float[Numbers, " 2"]
    end_px: Float[Numbers, " 2"]


@dataclass(frozen=True, eq=False)
class LaidThing:
    """A thing with its straight pieces, and their lattice.

    Args:
        outline_mm: its outline on the plane.
        lattice: the lattice along its sides.
        misfit: the root mean square distance of its sides from that lattice, as a share of a cell.
        squareness: share of its outline in pieces along the lattice.
    """

    thing: LooseThing
    outline_mm: Float[Numbers, "n 2"]
    lattice: Lattice
    misfit: float
    squareness: float


class PrintedLines(NamedTuple):
    """Visible edges of one tile's cells: the middle of each, its line on the tile's lattice, and its weight.

    Args:
        lattice: the lattice that numbers the lines.
        middles_px: the middles in pixels of the photo.
        axes: 0 for the line of a column, 1 for that of a row.
        lines: the number of that line.
        weights: the weight of each.
    """

    lattice: Lattice
    middles_px: Float[Numbers, "n 2"]
    axes: Int[Numbers, " n"]
    lines: Int[Numbers, " n"]
    weights: Float[Numbers, " n"]


@dataclass(frozen=True, eq=False)
class PlaneSeen:
    """The plane of the tiles' tops in a photo, and the things on it."""

    view: CameraView
    camera: PlaneCamera
    cell: float
    cell_mm: float

    def with_cell(self, times: float) -> PlaneSeen:
        """Return the same plane for a cell of that many times the size."""
        cell = self.cell * times
        return PlaneSeen(self.camera.view(cell, self.cell_mm), self.camera, cell, self.cell_mm)

    def settled(self, tiles: Sequence[PrintedLines]) -> tuple[PlaneSeen, list[Lattice]]:
        """Fit the plane and the lattice of each tile to all their printed lines at once.

        Outlines include shadows and the sides of the cardboard. Printed lines within a tile do not.
        """
        lines = _Lines(*(np.concatenate(parts) for parts in zip(*(tile[1:] for tile in tiles), strict=True)))
        owners = np.repeat(np.arange(len(tiles)), [len(tile.lines) for tile in tiles])
        poses = []
        for tile in tiles:
            angle = math.radians(tile.lattice.angle_deg)
            x, y = np.array(tile.lattice.origin_mm) / tile.lattice.cell_mm
            c, s = math.cos(angle), math.sin(angle)
            poses.append([angle, c * x + s * y, -s * x + c * y])
        camera, cell, found = _solve(self.camera, self.cell, lines, owners, poses)
        lattices = []
        for angle, right, down in found.tolist():
            c, s = math.cos(angle), math.sin(angle)
            origin_mm = ((c * right - s * down) * self.cell_mm, (s * right + c * down) * self.cell_mm)
            lattices.append(Lattice(origin_mm, math.degrees(angle), self.cell_mm))
        return PlaneSeen(camera.view(cell, self.cell_mm), camera, cell, self.cell_mm), lattices

    def lay(self, thing: LooseThing) -> LaidThing:
        """Return a thing, or a part of one, with the lattice of its sides."""
        pieces = straight_pieces(thing, max(self.camera.photo_wh))
        fit = (pieces and _fold(self.camera, pieces, self.cell)) or _Fit(0.0, (0.0, 0.0), 1.0, 0.0)
        (x, y), c, s = fit.phase, math.cos(fit.angle), math.sin(fit.angle)
        origin_mm = ((c * x - s * y) * self.cell_mm, (s * x + c * y) * self.cell_mm)
        lattice = Lattice(origin_mm, math.degrees(fit.angle), self.cell_mm)
        return LaidThing(thing, self.view.table_from_image(thing.outline_px), lattice, fit.misfit, fit.squareness)


def see_plane(things: Sequence[LooseThing], photo_wh: tuple[int, int], cell_mm: float) -> PlaneSeen | None:
    """Return the plane of the things, or None if too few have straight sides."""
    pieces = [straight_pieces(thing, max(photo_wh)) for thing in things]
    usable = [i for i, some in enumerate(pieces) if len(some) >= 3 and not things[i].is_cut]
    if not usable:
        return None
    camera = PlaneCamera.straight_above(photo_wh)
    camera = _level(camera, [pieces[i] for i in usable])
    cell = _common_cell(camera, [pieces[i] for i in usable])
    if cell is None:
        return None
    fits = [_fold(camera, pieces[i], cell) for i in usable]
    good = [k for k, fit in enumerate(fits) if fit is not None and fit.misfit < 0.12]
    for _ in range(3):
        camera, cell = _refine(camera, cell, [(pieces[usable[k]], fits[k]) for k in good if fits[k] is not None])
        fits = [_fold(camera, pieces[i], cell) for i in usable]
        good = [k for k, fit in enumerate(fits) if fit is not None and fit.misfit < 0.1]
        if not good:
            return None
    return PlaneSeen(camera.view(cell, cell_mm), camera, cell, cell_mm)


def straight_pieces(thing: LooseThing, long_px: int) -> list[StraightPiece]:
    """Return the straight pieces of an outline, each a line fitted through its points."""
    outline = thing.outline_px.astype(np.float32).reshape(-1, 1, 2)
    corners = cv2.approxPolyDP(outline, _BENT * long_px, True).reshape(-1, 2)
    places = outline.reshape(-1, 2)
    where = [int(np.abs(places - corner).sum(axis=1).argmin()) for corner in corners]
    pieces = []
    for first, last in zip(where, [*where[1:], where[0]], strict=True):
        between = np.arange(first, last if last > first else last + len(places)) % len(places)
        inset = max(1, len(between) // 8)  # corners are rounded
        part = places[between[inset:-inset]] if len(between) > 2 * inset + 2 else places[between]
        if len(part) < 3 or float(np.linalg.norm(places[first] - places[last])) < _ALONG_PX * long_px:
            continue
        vx, vy, x, y = cv2.fitLine(part, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        along = (np.array([places[first], places[last]], float) - (x, y)) @ (vx, vy)
        ends = np.array([x, y]) + along[:, None] * np.array([vx, vy])
        pieces.append(StraightPiece(ends[0], ends[1]))
    return pieces


@dataclass(frozen=True)
class PlaneCamera:
    """A phone above the plane: its picture's size, its lens, and its tilt about the picture's axes, in radians."""

    photo_wh: tuple[int, int]
    focal_px: float
    k1: float
    tilt: tuple[float, float]

    @classmethod
    def straight_above(cls, photo_wh: tuple[int, int]) -> PlaneCamera:
        return cls(photo_wh, PHONE_FOCAL * max(photo_wh), 0.0, (0.0, 0.0))

    @property
    def lens(self) -> CameraLens:
        width, height = self.photo_wh
        f = self.focal_px
        matrix = ((f, 0.0, (width - 1) / 2), (0.0, f, (height - 1) / 2), (0.0, 0.0, 1.0))
        return CameraLens(width, height, matrix, (self.k1, 0.0, 0.0, 0.0, 0.0))

    @property
    def rotation(self) -> Float[Numbers, "3 3"]:
        """3x3, camera from plane."""
        return np.asarray(cv2.Rodrigues(np.array([*self.tilt, 0.0]))[0], dtype=np.float64)

    def on_plane(self, points_px: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return the plane's points (N, 2) behind pixels (N, 2), for a plane at depth 1 along the axis."""
        rays = np.column_stack([normalized_from_pixels(points_px, self.lens), np.ones(len(points_px))])
        turned = rays @ self.rotation
        reach = self.rotation[2, 2] / np.maximum(turned[:, 2], 0.05)
        plane: Numbers = turned[:, :2] * reach[:, None]
        return plane

    def view(self, cell: float, cell_mm: float) -> CameraView:
        """Return the same with a cell of that many millimetres. ``cell`` is its size on the plane at depth 1."""
        depth = cell_mm / cell
        # The plane at depth 1 along the axis passes there. Its points are relative to the camera's foot.
        distance = depth * self.rotation[2, 2]
        rvec = (float(self.tilt[0]), float(self.tilt[1]), 0.0)
        translation = self.rotation @ np.array([0.0, 0.0, distance])
        x, y, z = translation.tolist()
        return CameraView(self.lens, rvec, (x, y, z), 0.0, (), focal_uncertainty=PHONE_FOCAL_SPREAD)


def _level(camera: PlaneCamera, things: Sequence[Sequence[StraightPiece]]) -> PlaneCamera:
    """Tilt the camera so that the corners of all outlines become right angles."""
    starts = np.array([piece.start_px for some in things for piece in some])
    ends = np.array([piece.end_px for some in things for piece in some])
    owner = np.repeat(np.arange(len(things)), [len(some) for some in things])
    lengths = np.linalg.norm(ends - starts, axis=1)
    weight = np.sqrt(lengths / lengths.mean())

    def misses(values: Float[Numbers, " 3"]) -> Float[Numbers, " n"]:
        tried = _with(camera, values)
        steps = tried.on_plane(ends) - tried.on_plane(starts)
        angle4 = 4 * np.arctan2(steps[:, 1], steps[:, 0])
        direction = np.zeros(len(things), dtype=complex)
        np.add.at(direction, owner, weight**2 * np.exp(1j * angle4))
        off = np.angle(np.exp(1j * (angle4 - np.angle(direction)[owner]))) / 4
        prior = values / (_TILT_SPREAD, _TILT_SPREAD, PHONE_FOCAL_SPREAD)
        return np.concatenate([weight * off / 0.02, prior])

    best = None
    for tilt in ((0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2)):
        found = least_squares(misses, np.array([*tilt, 0.0]), loss="soft_l1", f_scale=1.0)
        if best is None or found.cost < best.cost:
            best = found
    return camera if best is None else _with(camera, best.x)


def _with(camera: PlaneCamera, values: Float[Numbers, " 3"]) -> PlaneCamera:
    focal = PHONE_FOCAL * max(camera.photo_wh) * math.exp(float(values[2]))
    return PlaneCamera(camera.photo_wh, focal, camera.k1, (float(values[0]), float(values[1])))


class _Fit(NamedTuple):
    """A thing's lattice on the plane: turn in radians, phase in cells along both axes, misfit and squareness."""

    angle: float
    phase: tuple[float, float]
    misfit: float
    squareness: float


def _axes(
    camera: PlaneCamera, pieces: Sequence[StraightPiece]
) -> tuple[float, list[tuple[Float[Numbers, " n"], Float[Numbers, " n"]]], float] | None:
    """Return a thing's turn, its pieces along both axes, and their share of all.

    For each axis the pieces are given by their places across it and their lengths.
    """
    starts = camera.on_plane(np.array([piece.start_px for piece in pieces]))
    ends = camera.on_plane(np.array([piece.end_px for piece in pieces]))
    steps = ends - starts
    lengths = np.linalg.norm(steps, axis=1)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    angle = float(np.angle((lengths**2 * np.exp(4j * angles)).sum())) / 4
    for _ in range(3):
        off = np.angle(np.exp(4j * (angles - angle))) / 4
        near = np.abs(off) < math.radians(9)
        if not near.any():
            return None
        angle += float((lengths[near] ** 2 * off[near]).sum() / (lengths[near] ** 2).sum())
    angle %= math.pi / 2
    c, s = math.cos(angle), math.sin(angle)
    middles = (starts + ends) / 2 @ np.array([[c, -s], [s, c]])
    is_along = np.abs(np.cos(angles - angle)) > 0.7
    parts = []
    for axis, mask in ((0, ~is_along & near), (1, is_along & near)):
        parts.append((middles[mask, axis], lengths[mask]))
    return angle, parts, float(lengths[near].sum() / lengths.sum())


def _common_cell(camera: PlaneCamera, things: Sequence[Sequence[StraightPiece]]) -> float | None:
    """Return the common divisor of the distances between parallel sides, thing by thing.

    It is the likeliest one. A chance coincidence with dense lines is weaker evidence than with sparse ones, so half a
    cell loses although all sides fit it. Cards of any size do not count.
    """
    # Plane coordinates are shares of the focal length. The candidate sizes are shares of the photo.
    unit = max(camera.photo_wh) / camera.focal_px
    sizes = _CELLS * unit
    axes = []
    for some in things:
        seen = _axes(camera, some)
        if seen is None or seen[2] < SQUARE:
            continue
        axes.append([_lines(places, lengths, _BENT * unit) for places, lengths in seen[1]])
    if not any(len(lines) > 1 for both in axes for lines in both):
        return None
    spreads = np.array(_SIDE_SPREADS) * unit
    likely = np.max([np.sum([_fit_odds(both, sizes, spread) for both in axes], axis=0) for spread in spreads], axis=0)
    return float(sizes[likely.argmax()])


def _lines(places: Float[Numbers, " n"], lengths: Float[Numbers, " n"], apart: float) -> Float[Numbers, " m"]:
    """Return the places of the distinct lines of the pieces."""
    order = np.argsort(places)
    groups = np.cumsum(np.diff(places[order], prepend=-math.inf) > apart)
    weight = np.bincount(groups, lengths[order])[1:]
    found: Numbers = np.bincount(groups, (lengths * places)[order])[1:] / weight
    return found


def _fit_odds(both: Sequence[Float[Numbers, " n"]], sizes: Float[Numbers, " s"], spread: float) -> Float[Numbers, " s"]:
    """Return the log odds of a thing's lines on a lattice of each cell size, against arbitrary lines."""
    odds = np.zeros(len(sizes))
    for lines in both:
        if len(lines) < 2:
            continue
        # Any of the lines may be the outlier, so each one is tried as the lattice's origin.
        away = (lines[:, None] - lines[None]) / sizes[:, None, None]
        off = (away - np.round(away)) * sizes[:, None, None] / spread
        fits = sizes[:, None, None] / (spread * math.sqrt(2 * math.pi)) * np.exp(-(off**2) / 2)
        each = np.log((1 - _ODD) * fits + _ODD)
        each[:, np.arange(len(lines)), np.arange(len(lines))] = 0
        odds += each.sum(axis=2).max(axis=1)
    no_tile = _ODD
    if all(len(lines) == 2 for lines in both):
        shorter, longer = sorted(float(lines[1] - lines[0]) for lines in both)
        no_tile = _CARD if abs(longer / shorter / CARD_RATIO - 1) < _CARD_SPREAD else _ODD
    mixed: Numbers = np.logaddexp(math.log(1 - no_tile) + odds, math.log(no_tile))
    return mixed


def _fold(camera: PlaneCamera, pieces: Sequence[StraightPiece], cell: float) -> _Fit | None:
    """Return the lattice of a thing for a known cell size."""
    seen = _axes(camera, pieces) if pieces else None
    if seen is None:
        return None
    angle, parts, share = seen
    phases, squares, total = [], 0.0, 0.0
    for places, lengths in parts:
        if len(places) == 0:
            return None
        turns = np.exp(2j * math.pi * places / cell)
        phase = float(np.angle((lengths * turns).sum())) / (2 * math.pi)
        off = np.angle(np.exp(2j * math.pi * (places / cell - phase))) / (2 * math.pi)
        squares += float((lengths * off**2).sum())
        total += float(lengths.sum())
        phases.append(phase % 1.0)
    return _Fit(angle, (phases[0], phases[1]), math.sqrt(squares / total), share)


def _refine(
    camera: PlaneCamera, cell: float, things: Sequence[tuple[Sequence[StraightPiece], _Fit | None]]
) -> tuple[PlaneCamera, float]:
    """Fit lens, tilt and cell to all pieces at once: their ends lie on lines of their thing's lattice."""
    ends, owner, axis, line, weight = [], [], [], [], []
    starts = []
    for index, (pieces, fit) in enumerate(things):
        if fit is None:
            continue
        c, s = math.cos(fit.angle), math.sin(fit.angle)
        starts.append([math.cos(4 * fit.angle), *fit.phase])
        for piece in pieces:
            both = np.array([piece.start_px, piece.end_px])
            plane = camera.on_plane(both) @ np.array([[c, -s], [s, c]]) / cell
            step = plane[1] - plane[0]
            across = 0 if abs(step[1]) > abs(step[0]) else 1
            place = plane[:, across] - fit.phase[across]
            if abs(place - np.round(place.mean())).max() > 0.2:
                continue
            for point in both:
                ends.append(point)
                owner.append(index)
                axis.append(across)
                line.append(round(float(place.mean())))
                weight.append(math.sqrt(float(np.linalg.norm(step))))
    if len(ends) < 3 * len(things) + 6:
        return camera, cell
    lines = _Lines(np.array(ends), np.array(axis), np.array(line), np.array(weight) * SIDE_WEIGHT)
    poses = [[0.0, 0.0, 0.0] if fit is None else [fit.angle, *fit.phase] for _, fit in things]
    after, size, _ = _solve(camera, cell, lines, np.array(owner), poses)
    return after, size


class _Lines(NamedTuple):
    """Points in the photo, and each one's lattice line (see ``PrintedLines``)."""

    points_px: Float[Numbers, "n 2"]
    axes: Int[Numbers, " n"]
    lines: Int[Numbers, " n"]
    weights: Float[Numbers, " n"]


def _solve(
    camera: PlaneCamera,
    cell: float,
    lines: _Lines,
    owners: Int[Numbers, " n"],
    poses: Sequence[Sequence[float]],
) -> tuple[PlaneCamera, float, Float[Numbers, "m 3"]]:
    """Fit lens, tilt and cell, and each lattice's turn and phase in cells, to points on their lines."""
    count = len(poses)
    start = [*camera.tilt, math.log(camera.focal_px / (PHONE_FOCAL * max(camera.photo_wh))), camera.k1, 0.0]
    start += [value for pose in poses for value in pose]

    def misses(values: Float[Numbers, " n"]) -> Float[Numbers, " m"]:
        tried = _with(PlaneCamera(camera.photo_wh, 1.0, float(values[3]), (0.0, 0.0)), values[:3])
        scale = cell * math.exp(float(values[4])) * camera.focal_px / tried.focal_px
        plane = tried.on_plane(lines.points_px) / scale
        own = values[5:].reshape(count, 3)[owners]
        c, s = np.cos(own[:, 0]), np.sin(own[:, 0])
        turned = np.column_stack([c * plane[:, 0] + s * plane[:, 1], -s * plane[:, 0] + c * plane[:, 1]])
        place = np.where(lines.axes == 0, turned[:, 0] - own[:, 1], turned[:, 1] - own[:, 2])
        prior = values[:4] / (_TILT_SPREAD, _TILT_SPREAD, PHONE_FOCAL_SPREAD, _K1_SPREAD)
        return np.concatenate([(place - lines.lines) * lines.weights, prior])

    found = least_squares(misses, np.array(start), loss="soft_l1", max_nfev=60)
    after = _with(PlaneCamera(camera.photo_wh, 1.0, float(found.x[3]), (0.0, 0.0)), found.x[:3])
    size = cell * math.exp(float(found.x[4])) * camera.focal_px / after.focal_px
    return after, size, found.x[5:].reshape(count, 3)
