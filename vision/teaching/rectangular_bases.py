"""Rectangular bases: two pairs of opposite parallel edges.

For each turn the edges along the two axes are drawn into four small maps, one for each side of a rectangle. The share
of a rectangle's outline on edges is then a sum of four lines in these maps, for all places at once. Bodies and shadows
hide up to two of the sides, so only the sum counts, no single corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Int

from calibration.arrays import Numbers
from vision.teaching.base_outlines import BaseOutline, GroundEdges
from vision.teaching.novelty import Novelty
from vision.teaching.things import PX_PER_MM

_HALVES_MM = np.arange(9.0, 41.0, 2.0)
"""Half sides from the narrowest base on sale. Legs and arms have straight edges within a base."""

_TURNS_DEG = np.arange(0.0, 90.0, 6.0)
_FINE_MM = np.arange(-1.5, 2.76, 0.25)
"""Changes of half a side in the second search, up to the outer edge if the inner edge of a ring was found."""

_FINE_DEG = np.arange(-4.0, 4.01, 1.0)

_ALONG = math.cos(math.radians(14))
"""Cosine of the largest angle between a gradient and a side's normal: half a step of the turns, plus noise."""

_LEAST_OF_PAIR = 0.2
"""Least share of either pair of sides on edges. Two parallel lines alone are no base."""


@dataclass(frozen=True, eq=False)
class _Maps:
    """The edges of each side (left, right, top, bottom) in a turned frame of its own scale.

    ``origin_mm`` is the turned frame's first pixel in its own millimetres.
    """

    sides: tuple[
        Float[Numbers, "height width"],
        Float[Numbers, "height width"],
        Float[Numbers, "height width"],
        Float[Numbers, "height width"],
    ]
    origin_mm: Float[Numbers, " 2"]
    px_per_mm: float
    turn_deg: float


def rectangles(
    edges: GroundEdges,
    novelty: Novelty,
    may_be: Callable[[BaseOutline], bool] = lambda _: True,
    suits: Callable[[BaseOutline], float] = lambda _: 1.0,
) -> list[BaseOutline]:
    """Return the best rectangle of base and table for either sign of contrast.

    ``may_be`` filters by a person's statement. ``suits`` rates an outline by other evidence, 0 to 1.
    """
    found = []
    for sign in (1.0, -1.0):
        outlines = (one for turn in _TURNS_DEG for one in _at_turn(_maps(edges, turn, sign, 1.0)))
        rough = _best(filter(may_be, outlines), lambda one: one.evidence * novelty.of(one), suits)
        if rough is not None:
            fine = _best(filter(may_be, _refine(edges, rough)), lambda one: one.evidence, suits)
            found.append(rough if fine is None else fine)
    return found


def _best(
    outlines: Iterable[BaseOutline],
    evidence_for: Callable[[BaseOutline], float],
    suits: Callable[[BaseOutline], float],
) -> BaseOutline | None:
    """Return the suitable outline with most evidence, or None without any."""
    best, best_evidence = None, 0.0
    for outline in outlines:
        # ``suits`` comes last and seldom, since it is the slowest.
        if outline.evidence > best_evidence and evidence_for(outline) > best_evidence:
            evidence = evidence_for(outline) * suits(outline)
            if evidence > best_evidence:
                best, best_evidence = outline, evidence
    return best


def _refine(edges: GroundEdges, rough: BaseOutline) -> Iterator[BaseOutline]:
    """Yield the same to half a millimetre.

    Both signs of contrast count, since a table's pattern may change the sign along a side.
    """
    reach_px = (math.hypot(*rough.size_mm) / 2 + 4) * PX_PER_MM
    near = edges.within(np.array(rough.center_px) - reach_px, np.array(rough.center_px) + reach_px)
    wide, high = (side / 2 + _FINE_MM for side in rough.size_mm)
    for turn in _FINE_DEG:
        yield from _at_turn(_maps(near, float(rough.turn_deg + turn), None, PX_PER_MM), wide, high)


def _maps(edges: GroundEdges, turn_deg: float, sign: float | None, px_per_mm: float) -> _Maps:
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    axes = np.array([[c, -s], [s, c]])
    places_mm = edges.places_px @ axes / PX_PER_MM
    # On the left side of a bright base, brightness rises to the right.
    slopes = (sign or 1.0) * edges.directions @ axes
    origin_mm = places_mm.min(axis=0) - 2 if len(places_mm) else np.zeros(2)
    cells = np.rint((places_mm - origin_mm) * px_per_mm).astype(int)
    shape = tuple((cells.max(axis=0, initial=0) + round(3 * px_per_mm))[::-1])
    normal = slopes if sign is not None else np.abs(slopes)
    ways = (1.0, -1.0, 1.0, -1.0) if sign is not None else (1.0,) * 4
    axis = (0, 0, 1, 1)
    left, right, top, bottom = (
        _map(cells[way * normal[:, i] > _ALONG], shape) for i, way in zip(axis, ways, strict=True)
    )
    return _Maps((left, right, top, bottom), origin_mm, px_per_mm, turn_deg)


def _map(cells: Int[Numbers, "n 2"], shape: tuple[int, ...]) -> Float[Numbers, "height width"]:
    drawn = np.zeros(shape, np.uint8)
    drawn[cells[:, 1], cells[:, 0]] = 1
    # Widen by one pixel on each side, for outlines between two steps.
    return np.asarray(cv2.dilate(drawn, np.ones((3, 3), np.uint8)), dtype=np.float32)


def _at_turn(
    maps: _Maps,
    halves_wide_mm: Float[Numbers, " wide"] = _HALVES_MM,
    halves_high_mm: Float[Numbers, " high"] = _HALVES_MM,
) -> Iterator[BaseOutline]:
    """Yield the best place for each size that fits the maps. A running sum turns each line into one difference."""
    left, right, top, bottom = maps.sides
    rows, columns = left.shape
    wide_px = sorted({round(half * maps.px_per_mm) for half in halves_wide_mm.tolist()})
    high_px = sorted({round(half * maps.px_per_mm) for half in halves_high_mm.tolist()})
    across = {a: _summed(left[:, : columns - 2 * a] + right[:, 2 * a :], 0) for a in wide_px if 2 * a < columns - 1}
    along = {b: _summed(top[: rows - 2 * b] + bottom[2 * b :], 1) for b in high_px if 2 * b < rows - 1}
    for a, upright in across.items():
        for b, lying in along.items():
            uprights = (upright[2 * b :] - upright[: -2 * b]) / (4 * b)
            lyings = (lying[:, 2 * a :] - lying[:, : -2 * a]) / (4 * a)
            share = (uprights * b + lyings * a) / (a + b)
            share[np.minimum(uprights, lyings) < _LEAST_OF_PAIR] = 0
            row, column = np.unravel_index(int(share.argmax()), share.shape)
            yield _outline(maps, (a, b), (column + a, row + b), float(share[row, column]))


def _summed(image: Float[Numbers, "height width"], axis: int) -> Float[Numbers, "height width"]:
    return np.asarray(image.cumsum(axis=axis, dtype=np.float32))


def _outline(maps: _Maps, half_px: tuple[int, int], middle_px: tuple[int, int], share: float) -> BaseOutline:
    c, s = math.cos(math.radians(maps.turn_deg)), math.sin(math.radians(maps.turn_deg))
    middle_mm = np.array(middle_px) / maps.px_per_mm + maps.origin_mm
    x, y = (np.array([[c, -s], [s, c]]) @ middle_mm * PX_PER_MM).tolist()
    size_mm = (2 * half_px[0] / maps.px_per_mm, 2 * half_px[1] / maps.px_per_mm)
    return BaseOutline("rectangle", (x, y), size_mm, maps.turn_deg, min(1.0, share))
