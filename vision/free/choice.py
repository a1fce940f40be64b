"""Where bases stand, of all places where they may: no two in one place, of a kind no more than the box holds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Numbers
from calibration.color import bgr_from_hex
from vision.free.bases import BaseKind, turned
from vision.free.rim_colors import RimColors
from vision.free.rims import RimFit

OVERLAP_MM = 1.6
"""Two bases do not lie in each other by more than what both fits may err."""

ACCEPT = 0.35
"""What is this likely by itself is taken, where nothing likelier is in its way: most rivals lie in one place."""

PAINTED = (-6.25, -2.85, 1.67, 8.43, 4.52)
GREY = (-6.76, 1.42, 2.63, 2.31, 4.67)
"""Log odds of a painted base: a constant, and what the lines, the share of the outline on edges, the colour on the rim
and the step towards it are worth."""

BARE_ROUND = (-8.8, 5.75, 7.31, -1.33, 11.51, -21.23, -0.03)
BARE_RECTANGLE = (-20.02, 6.65, 3.39, 2.32, 16.27)
"""Log odds of a bare base: a constant, and what the share of its outline on edges, that which parts the base from the
ground, and that where its top goes on inwards are worth; then of a round one the lines, the edges that run as its
outline does beside it, and its radius in millimetres, of a rectangle the share of its outline where the ground steps
to it in one way. Those of bare round bases were fitted to 1,360 places on five ray-traced and eight simulated tables
(73002 to 73018, 57003 to 57021), of which 40 were such bases: on ray-traced ones bodies cover their tops, and noise has
edges anywhere. Those of bare rectangles were fitted to places on 22 simulated tables (seeds 41000 to 41003, 44000 to
44009, and 45000 to 45007 with three of four kinds left bare), those of painted ones to places on forty (seeds 100 to
115 and 200 to 223)."""

BARE_MOST = 3.0
"""No bare base is likelier, in log odds: a painted one has the outline of a bare one, too."""

MAYBE = 0.03
"""What is less likely by itself, or stands in nobody's way, is left out altogether."""

TWIN_MM = 3.0
"""Two of one outline whose middles are nearer than this were both fitted to the same base."""

SURE_MARGIN = 2.0
SURE, UNSURE = 0.985, 0.87
"""How likely who was chosen stands there, by its margin: how likely it was by itself, or how much likelier than a twin,
whichever is less, in log odds. A rim that is not seen to be raised is never sure: a print is as likely by all else. Of
647 painted bases that were chosen on 28 tables, each by weights of other tables, 316 of 317 with that margin stood
there, and most of the others did. Stated is what is surpassed in 95 of 100 such counts. A bare base is stated as sure
as it is by itself, and never surer than a painted one without that margin."""

OFF_COLOR = 2.0
"""A rim that only steps towards its colour is less likely by so much, in log odds, and never sure."""

LEFT_OVER = 0.5
"""How likely a rim is a base of which the box holds no more, at most, where one of the chosen may be a print."""

GREY_SPREAD = 30
"""The channels of a grey rim's colour lie this near to each other."""


@dataclass(frozen=True, eq=False)
class BaseSighting:
    """A base that may stand there: its fit, the share of its rim in its colour, and what the colours beside it tell.

    ``is_raised`` tells whether a painted rim is seen to be a base's and no print (``relief.py``), ``is_in_its_color``
    whether it has the colour of the box itself, not only a step towards it (``search.py``). ``twin_log_odds`` are
    those of the likeliest kind with the same outline and another rim that was fitted to the same base; None where there
    is none. ``most`` is how likely it can be at most, because of what else was seen.
    """

    fit: RimFit
    rim_share: float
    colors: RimColors
    is_raised: bool = False
    is_in_its_color: bool = True
    twin_log_odds: float | None = None
    most: float = 1.0

    @property
    def log_odds(self) -> float:
        """The odds that a base of this kind stands there."""
        kind, fit, colors = self.fit.kind, self.fit, self.colors
        if kind.ring is None:
            told = (1.0, fit.edge_share, colors.parted, colors.goes_on)
            if kind.is_round:
                return min(_dot(BARE_ROUND, (*told, fit.evidence, colors.edges_beside, kind.reach_mm)), BARE_MOST)
            return min(_dot(BARE_RECTANGLE, (*told, colors.one_way)), BARE_MOST)
        rim = (1.0, fit.evidence, fit.edge_share, self.rim_share, colors.ring_step)
        off_color = 0.0 if self.is_in_its_color else OFF_COLOR
        return _dot(GREY if _is_grey(kind.ring) else PAINTED, rim) - off_color

    @property
    def confidence(self) -> float:
        """The same as a chance."""
        return min(_chance(self.log_odds), self.most)

    @property
    def may_be_sure(self) -> bool:
        """Whether a painted base is likely enough that all hangs on its being no print."""
        return self.fit.kind.ring is not None and self.log_odds >= SURE_MARGIN

    @property
    def is_proven(self) -> bool:
        """Whether a painted rim is seen to be that of a base of this kind, by more than its likeness."""
        return self.is_raised and self.is_in_its_color

    @property
    def chosen_confidence(self) -> float:
        """How likely a base of this kind stands there, once it was chosen."""
        if self.fit.kind.ring is None:
            return min(self.confidence, UNSURE)
        lead = math.inf if self.twin_log_odds is None else self.log_odds - self.twin_log_odds
        leads = min(self.log_odds, lead) >= SURE_MARGIN
        return SURE if leads and self.is_proven else UNSURE


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _dot(weights: Sequence[float], told: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, told, strict=True))


def _is_grey(ring: str) -> bool:
    channels = bgr_from_hex(ring)
    return max(channels) - min(channels) < GREY_SPREAD


def choose_bases(sightings: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Those that stand there, the surest first."""
    left: Counter[int] = Counter()
    chosen: list[BaseSighting] = []
    for sighting in sorted(sightings, key=lambda s: (-s.log_odds, -s.fit.evidence)):
        kind = sighting.fit.kind
        if sighting.confidence < ACCEPT or left[id(kind)] >= len(kind.figures):
            continue
        if not any(overlap(sighting.fit, other.fit) for other in chosen):
            left[id(kind)] += 1
            chosen.append(sighting)
    return [_beside_its_twins(base, sightings) for base in _without_prints(chosen, sightings)]


def _without_prints(chosen: Sequence[BaseSighting], sightings: Sequence[BaseSighting]) -> list[BaseSighting]:
    """The chosen, with bases that are seen to be no prints in the stead of rims that are not, where the box is used up.

    A print is as round and as coloured as a rim can be; by its likeness alone it would keep a model from being told.
    """
    held = Counter(id(base.fit.kind) for base in chosen)
    kept = list(chosen)
    for base in sorted(sightings, key=lambda s: -s.log_odds):
        kind = base.fit.kind
        if not base.is_proven or any(base is other for other in chosen) or held[id(kind)] < len(kind.figures):
            continue
        doubtful = [other for other in kept if other.fit.kind is kind and not other.is_proven]
        in_its_way = [other for other in kept if overlap(base.fit, other.fit)]
        if doubtful and all(other.log_odds < base.log_odds for other in in_its_way):
            gone = {id(other) for other in (*in_its_way, min(doubtful, key=lambda s: s.log_odds))}
            kept = [*(other for other in kept if id(other) not in gone), base]
    return kept


def _beside_its_twins(base: BaseSighting, sightings: Sequence[BaseSighting]) -> BaseSighting:
    twins = (other.log_odds for other in sightings if _are_twins(base.fit, other.fit))
    return replace(base, twin_log_odds=max(twins, default=None))


def choose_maybes(sightings: Sequence[BaseSighting], chosen: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Those beside the chosen that may stand there all the same, the likeliest first; no two in one place.

    Of a box that is used up nobody does, but where one of the chosen may be a print and this one the base.
    """
    held = Counter(id(sighting.fit.kind) for sighting in chosen)
    may_be_prints = {id(base.fit.kind) for base in chosen if base.may_be_sure and not base.is_proven}
    maybes: list[BaseSighting] = []
    for sighting in sorted(sightings, key=lambda s: -s.log_odds):
        kind = sighting.fit.kind
        is_one_of_them = sighting.may_be_sure and id(kind) in may_be_prints
        if sighting.confidence < MAYBE or (held[id(kind)] >= len(kind.figures) and not is_one_of_them):
            continue
        if not any(overlap(sighting.fit, other.fit) for other in (*chosen, *maybes)):
            is_left_over = held[id(kind)] >= len(kind.figures)
            maybes.append(replace(sighting, most=LEFT_OVER) if is_left_over else sighting)
    return maybes


def _are_twins(a: RimFit, b: RimFit) -> bool:
    """Whether two kinds that differ by their rims alone were fitted to one base, or one base on two heights."""
    if a.pose.elevation_mm != b.pose.elevation_mm:
        return _on_same_pixels(a, b)
    same_outline = (a.kind.is_round, a.kind.size_mm) == (b.kind.is_round, b.kind.size_mm)
    is_near = math.dist(a.pose.center_mm, b.pose.center_mm) < TWIN_MM
    return same_outline and a.kind.ring != b.kind.ring and is_near


def overlap(a: RimFit, b: RimFit) -> bool:
    """Whether two bases would lie in each other, or on different heights be the same in the photo."""
    if a.pose.elevation_mm != b.pose.elevation_mm:
        return _on_same_pixels(a, b)
    apart = math.dist(a.pose.center_mm, b.pose.center_mm)
    if apart > a.kind.reach_mm + b.kind.reach_mm - OVERLAP_MM:
        return False
    if a.kind.is_round and b.kind.is_round:
        return True
    return _reaches_into(a, b) or _reaches_into(b, a)


def _on_same_pixels(a: RimFit, b: RimFit) -> bool:
    """Whether the middle of one is within the other in the photo: what is behind a wall looks as what stands on it."""
    return math.dist(a.image_px, b.image_px) < max(a.image_reach_px, b.image_reach_px)


def _reaches_into(a: RimFit, b: RimFit) -> bool:
    """Whether a point of one outline, or its middle, lies deep in the other."""
    points = np.vstack([outline_of(a), a.pose.center_mm])
    around = np.asarray(outline_of(b), dtype=np.float32)
    return any(cv2.pointPolygonTest(around, (float(x), float(y)), True) > OVERLAP_MM for x, y in points)


def outline_of(fit: RimFit) -> Float[Numbers, "n 2"]:
    """The outline of a base on the table, corner by corner of a rectangle, (N, 2)."""
    kind: BaseKind = fit.kind
    if kind.is_round:
        points = kind.outline_mm
    else:
        points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(kind.size_mm) / 2
    moved: Numbers = turned(points, fit.pose.turn_rad) + fit.pose.center_mm
    return moved
