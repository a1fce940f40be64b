"""Bases by their coloured rim.

A figure stands within a few millimetres of the middle of its cells. At the height of the base's top its rim
is a circle (or rectangle) of known size; the body hides a part of it, never all. For every place and colour
three things are measured: the share of rim points that show the colour where the print does not, what inside
and outside show of it, and whether the print is still to be seen where the base would hide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from vision.bases import BASE_HEIGHT_MM, BaseShape, Stand, rim_insets_mm, ring_kinds, stands
from vision.board_view import BoardView
from vision.images import FloatImage, Numbers
from vision.ring_colors import ring_likelihood

_REACH_MM = 3.6
"""Players put a base within 2.5 mm of the middle in each direction; tiles add 0.4 mm of misfit."""

_STEP_MM = 0.9
_INSIDE_MM = 4.0
_OUTSIDE_MM = -2.2

_BIAS, _RIM, _NEW, _SURROUND, _PRINT = -4.3, 4.0, 3.9, -8.5, -1.8
"""Weights of the evidence, see ``RingSighting.evidence``: a logistic fit on simulated tables."""

_NEIGHBOR = 0.4
"""How much the colour beside the rim counts against a place while the best one is looked for."""

_HOPELESS = -6.0
"""Log odds that no other evidence makes up for."""


@dataclass(frozen=True)
class RingSighting:
    """A base with its rim.

    Args:
        stand: the base and its cells.
        color: the ring's colour.
        center_px: the centre of the base in the board's frame at the height of the base's top.
        rim: share of the rim seen in the colour.
        new: the same, where the print does not have that colour itself.
        surround: the greater share of the colour just inside or just outside of the rim.
        print_likeness: correlation of photo and print where the base would hide the print.
    """

    stand: Stand
    color: str
    center_px: tuple[float, float]
    rim: float
    new: float
    surround: float
    print_likeness: float

    @property
    def evidence(self) -> float:
        """Log odds that this figure really stands there."""
        print_seen = max(self.print_likeness, -0.2)
        rim = _RIM * self.rim + _NEW * self.new
        return _BIAS + rim + _SURROUND * self.surround + _PRINT * print_seen


@dataclass(frozen=True, eq=False)
class _Evidence:
    """What the rims are read from: the likelihood of each colour in photo and print, and both pictures."""

    colors: tuple[str, ...]
    seen: FloatImage
    printed: FloatImage
    seen_image: FloatImage
    print_image: FloatImage
    px_per_mm: float


def find_rings(board: BoardView, roster: Roster, cells: frozenset[Cell]) -> list[RingSighting]:
    """The best colour and place of the rim for every stand where there is anything of it to be seen.

    Args:
        board: print and photo.
        roster: whose rings to look for.
        cells: the cells on which something may stand at all.
    """
    kinds = ring_kinds(roster)
    colors = tuple(dict.fromkeys(color for _, color in kinds))
    if not colors:
        return []
    evidence = _evidence(board, colors)
    found: list[RingSighting] = []
    for shape in dict.fromkeys(shape for shape, _ in kinds):
        chosen = [i for i, color in enumerate(colors) if (shape, color) in kinds]
        found += _best_of_each_stand(board, shape, evidence, chosen, cells)
    return [sighting for sighting in found if sighting.evidence >= _HOPELESS]


def _evidence(board: BoardView, colors: tuple[str, ...]) -> _Evidence:
    seen, printed = board.at_height(BASE_HEIGHT_MM), board.expected_at(BASE_HEIGHT_MM)
    return _Evidence(
        colors,
        _blurred(ring_likelihood(seen, colors), 0.7),
        # The print may be out by the misfit of the tiles: a wider blur.
        _blurred(ring_likelihood(printed, colors), 1.0),
        _blurred(seen, 1.2),
        _blurred(printed, 1.2),
        board.px_per_mm,
    )


def _blurred(image: Numbers, sigma_px: float) -> FloatImage:
    smooth = cv2.GaussianBlur(image, (0, 0), sigma_px)
    return np.asarray(smooth, dtype=np.float32).reshape(image.shape)


def _best_of_each_stand(
    board: BoardView, shape: BaseShape, evidence: _Evidence, chosen: Sequence[int], cells: frozenset[Cell]
) -> list[RingSighting]:
    places = list(stands(shape, cells))
    if not places:
        return []
    centers_px = board.frame_from_lattice(np.array([p.middle for p in places]))
    # In two passes: the rim is blurred enough that the best of the coarse places is beside the best of all.
    for shifts_mm in (_shifts_mm(_REACH_MM, 2 * _STEP_MM), _shifts_mm(_STEP_MM, _STEP_MM)):
        tried_px = (centers_px[:, None, :] + shifts_mm[None] * board.px_per_mm).reshape(-1, 2)
        shares = _ring_shares(tried_px, shape, evidence, chosen)
        rim, new, surround = shares
        value = ((rim + new) / 2 - _NEIGHBOR * surround).reshape(len(places), -1)
        shift, color = np.divmod(value.argmax(axis=1), len(chosen))
        at = np.arange(len(places)) * len(shifts_mm) + shift
        centers_px = tried_px[at]
    found = []
    for i, place in enumerate(places):
        center = centers_px[i]
        likeness = _print_likeness(center, shape, evidence)
        name = evidence.colors[chosen[color[i]]]
        a, b, c = (float(share[at[i], color[i]]) for share in shares)
        found.append(RingSighting(place, name, (float(center[0]), float(center[1])), a, b, c, likeness))
    return found


def _ring_shares(
    centers_px: Numbers, shape: BaseShape, evidence: _Evidence, chosen: Sequence[int]
) -> tuple[Numbers, Numbers, Numbers]:
    """Share of the rim, of the rim where the print is other, and of its surroundings in each colour.

    Returns:
        Three arrays (centers, colours).
    """
    seen, printed = evidence.seen[:, :, chosen], evidence.printed[:, :, chosen]
    scale = evidence.px_per_mm
    rim = np.max([_along(centers_px, shape, inset, seen, scale) for inset in rim_insets_mm()], axis=0)
    known = np.max([_along(centers_px, shape, inset, printed, scale) for inset in rim_insets_mm()], axis=0)
    inside = _along(centers_px, shape, _INSIDE_MM, seen, scale).mean(axis=1)
    outside = _along(centers_px, shape, _OUTSIDE_MM, seen, scale).mean(axis=1)
    return rim.mean(axis=1), (rim * (1 - known)).mean(axis=1), np.maximum(inside, outside)


def _print_likeness(center_px: Numbers, shape: BaseShape, evidence: _Evidence) -> float:
    """Correlation of photo and print under the base."""
    points = np.round(center_px + shape.area_mm * evidence.px_per_mm).astype(np.int32)
    a, b = (_at(image, points) for image in (evidence.seen_image, evidence.print_image))
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    # Four grey levels squared stand for noise, so that two plain floors are not said to differ.
    noise = a.size * 16.0
    return float((a * b).sum() + noise) / float(np.sqrt(((a * a).sum() + noise) * ((b * b).sum() + noise)))


def _at(image: FloatImage, points: Numbers) -> FloatImage:
    height, width = image.shape[:2]
    values: FloatImage = image[np.clip(points[..., 1], 0, height - 1), np.clip(points[..., 0], 0, width - 1)]
    return values


def _shifts_mm(reach_mm: float, step_mm: float) -> Numbers:
    steps = np.arange(-reach_mm, reach_mm + 1e-9, step_mm)
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)


def _along(
    centers_px: Numbers, shape: BaseShape, inset_mm: float, likelihood: FloatImage, px_per_mm: float
) -> FloatImage:
    """The likelihood at the outline points round each centre, (centers, points, colours)."""
    points = np.round(centers_px[:, None, :] + shape.outline_mm(inset_mm)[None] * px_per_mm).astype(np.int32)
    return _at(likelihood, points)
