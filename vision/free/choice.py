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
from vision.free.rims import RimFit

OVERLAP_MM = 1.6
"""Two bases do not lie in each other by more than what both fits may err."""

ACCEPT = 0.35
"""What is this likely by itself is taken, where nothing likelier is in its way: most rivals lie in one place."""

PAINTED = (-6.4, 0.6, 10.4, 3.0)
GREY = (-6.9, 3.6, 3.2, 2.8)
BARE = (-8.0, -4.0, 0.0, 9.3)
"""Log odds: a constant, and what the lines, the colour on the rim and the share of the outline on edges are worth.
Fitted to 1,900 places on sixteen simulated tables (seeds 100 to 115), of which 400 were bases."""

TWIN_MM = 3.0
"""Two of one outline whose middles are nearer than this were both fitted to the same base."""

ALONE, WITH_TWIN = 0.98, 0.87
"""How often who was chosen stands there, with one more of each outcome for what was not seen. Of 171 chosen bases on
those sixteen tables 169 did; of 85 where a kind with the same outline and another rim, or none, had been fitted to the
same base 75 did. How likely it was by itself told no more: a logistic on the odds, each table told by the other
fifteen, was worse (log loss 0.192) than one on the twin alone (0.180)."""

GREY_SPREAD = 30
"""The channels of a grey rim's colour lie this near to each other."""


@dataclass(frozen=True, eq=False)
class BaseSighting:
    """A base that may stand there: its fit, the share of its rim in its colour, and how likely it is there.

    ``has_twin`` says that a kind with the same outline and another rim was fitted to the same base.
    """

    fit: RimFit
    rim_share: float
    has_twin: bool = False

    @property
    def log_odds(self) -> float:
        """The odds that a base of this kind stands there."""
        constant, lines, rim, edges = _weights(self.fit.kind.ring)
        return constant + lines * self.fit.evidence + rim * self.rim_share + edges * self.fit.edge_share

    @property
    def confidence(self) -> float:
        """The same as a chance."""
        return 1 / (1 + math.exp(-self.log_odds))

    @property
    def chosen_confidence(self) -> float:
        """How likely a base of this kind stands there, once it was chosen."""
        return WITH_TWIN if self.has_twin else ALONE


def _weights(ring: str | None) -> tuple[float, float, float, float]:
    if ring is None:
        return BARE
    channels = bgr_from_hex(ring)
    return GREY if max(channels) - min(channels) < GREY_SPREAD else PAINTED


def choose_bases(sightings: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Those that stand there, the surest first."""
    left: Counter[int] = Counter()
    chosen: list[BaseSighting] = []
    for sighting in sorted(sightings, key=lambda s: -s.log_odds):
        kind = sighting.fit.kind
        if sighting.confidence < ACCEPT or left[id(kind)] >= len(kind.figures):
            continue
        if not any(overlap(sighting.fit, other.fit) for other in chosen):
            left[id(kind)] += 1
            chosen.append(replace(sighting, has_twin=any(_are_twins(sighting.fit, other.fit) for other in sightings)))
    return chosen


def _are_twins(a: RimFit, b: RimFit) -> bool:
    """Whether two kinds that differ by their rims alone were fitted to one base."""
    same_outline = (a.kind.is_round, a.kind.size_mm) == (b.kind.is_round, b.kind.size_mm)
    is_near = math.dist(a.pose.center_mm, b.pose.center_mm) < TWIN_MM
    return same_outline and a.kind.ring != b.kind.ring and is_near


def overlap(a: RimFit, b: RimFit) -> bool:
    """Whether two bases would lie in each other; those on different heights do not."""
    if a.pose.elevation_mm != b.pose.elevation_mm:
        return False
    apart = math.dist(a.pose.center_mm, b.pose.center_mm)
    if apart > a.kind.reach_mm + b.kind.reach_mm - OVERLAP_MM:
        return False
    if a.kind.is_round and b.kind.is_round:
        return True
    return _reaches_into(a, b) or _reaches_into(b, a)


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
