"""Choose the bases among the candidates: no two in one place, no more of a kind than the box holds.

A greedy choice by log odds, then three corrections that it cannot make:

1. ``_prefer_proven``. A print is as round and as coloured as a rim. If the box is used up, a rim proven to be a base's
   (``relief``) replaces a chosen rim without proof.
2. ``_are_twins``. Kinds that differ by their rims alone often fit the same base. Such twins do not compete in the
   choice, since they overlap, but a close twin makes the chosen kind unsure.
3. ``choose_maybes``. A remaining candidate that is likely enough becomes a doubt.

Log odds are logistic models. Each names its weights and their origin.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import Numbers
from vision.free.bases import BaseKind, turned
from vision.free.rim_colors import RimColors
from vision.free.rims import RimFit
from vision.free.search import is_grey

OVERLAP_MM = 1.6
"""Largest overlap of two bases, the errors of both fits."""

ACCEPT = 0.35
"""Least chance of a chosen base by itself. Most rivals share one place, so the likeliest there is enough."""

PAINTED = (-6.25, -2.85, 1.67, 8.43, 4.52)
GREY = (-6.76, 1.42, 2.63, 2.31, 4.67)
"""Weights of a painted base: a constant, the evidence of its lines, the share of the outline on edges, the colour on
the rim, and the step towards it."""

BARE_ROUND = (-8.8, 5.75, 7.31, -1.33, 11.51, -21.23, -0.03)
BARE_RECTANGLE = (-20.02, 6.65, 3.39, 2.32, 16.27)
"""Weights of a bare base: a constant, the share of its outline on edges, the share that separates the base from the
ground, and the share where its top continues inwards. A round base adds the lines, the edges beside it along the same
outline, and its radius in millimetres. A rectangle adds the share of its outline where the ground steps to it in one
way.

Bare round bases were fitted to 1,360 places on five ray-traced and eight simulated tables (73002 to 73018, 57003 to
57021), 40 of them such bases: on ray-traced tables bodies cover the tops, and noise has edges anywhere. Bare rectangles
were fitted to places on 22 simulated tables (seeds 41000 to 41003, 44000 to 44009, and 45000 to 45007 with three of
four kinds left bare), painted ones to places on forty (seeds 100 to 115 and 200 to 223)."""

BARE_MOST = 3.0
"""Cap on the log odds of a bare base. A painted one has the same outline."""

MAYBE = 0.03
"""Least chance of a maybe by itself."""

TWIN_MM = 3.0
"""Distance of two middles within which two kinds of one outline count as fits to the same base."""

SURE_MARGIN = 2.0
SURE, UNSURE = 0.985, 0.87
"""Stated confidence of a chosen base with the margin and without. The margin is its log odds, or its lead over a twin
if that is less. A rim without proof of relief is never sure, since a print looks the same otherwise. Of 647 painted
bases chosen on 28 tables, each by weights of other tables, 316 of 317 with the margin were real, and most of the
others. The confidence is the bound that 95 of 100 such counts exceed. A bare base keeps its own chance, and is never
surer than a painted one without margin."""

OFF_COLOR = 2.0
"""Penalty in log odds for a rim that only steps towards its colour. Such a rim is never sure."""

LEFT_OVER = 0.5
"""Cap on the chance of a base of a used-up kind, if one of the chosen may be a print."""


@dataclass(frozen=True, eq=False)
class BaseSighting:
    """A possible base with its fit and the colours along its outline.

    Args:
        fit: the fit of its outline.
        rim_share: the share of its rim in its colour.
        colors: the colours beside the outline.
        is_raised: whether ``relief`` proves that a painted rim is a base's and not a print.
        is_in_its_color: whether the rim has the box's colour itself, not just a step towards it (``search``).
        twin_log_odds: log odds of the likeliest twin, a kind with the same outline and another rim on the same base.
        most: another cap on its chance.
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
        kind, fit, colors = self.fit.kind, self.fit, self.colors
        if kind.ring is None:
            shares = (1.0, fit.edge_share, colors.parted, colors.goes_on)
            if kind.is_round:
                return min(_dot(BARE_ROUND, (*shares, fit.evidence, colors.edges_beside, kind.reach_mm)), BARE_MOST)
            return min(_dot(BARE_RECTANGLE, (*shares, colors.one_way)), BARE_MOST)
        rim = (1.0, fit.evidence, fit.edge_share, self.rim_share, colors.ring_step)
        off_color = 0.0 if self.is_in_its_color else OFF_COLOR
        weights = GREY if is_grey(kind.ring) else PAINTED
        return _dot(weights, rim) - off_color

    @property
    def confidence(self) -> float:
        return min(1 / (1 + math.exp(-self.log_odds)), self.most)

    @property
    def may_be_sure(self) -> bool:
        """Whether a painted base is so likely that only a print could still resemble it."""
        return self.fit.kind.ring is not None and self.log_odds >= SURE_MARGIN

    @property
    def is_proven(self) -> bool:
        """Whether a painted rim is proven to be that of a base of this kind, beyond its likeness."""
        return self.is_raised and self.is_in_its_color

    @property
    def chosen_confidence(self) -> float:
        """The confidence of a base of this kind, once chosen."""
        if self.fit.kind.ring is None:
            return min(self.confidence, UNSURE)
        lead = math.inf if self.twin_log_odds is None else self.log_odds - self.twin_log_odds
        leads = min(self.log_odds, lead) >= SURE_MARGIN
        return SURE if leads and self.is_proven else UNSURE


def _dot(weights: Sequence[float], factors: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, factors, strict=True))


def choose_bases(sightings: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Choose the standing bases, the surest first."""
    left: Counter[int] = Counter()
    chosen: list[BaseSighting] = []
    for sighting in sorted(sightings, key=lambda s: (-s.log_odds, -s.fit.evidence)):
        kind = sighting.fit.kind
        if sighting.confidence < ACCEPT or left[id(kind)] >= len(kind.figures):
            continue
        if not any(overlap(sighting.fit, other.fit) for other in chosen):
            left[id(kind)] += 1
            chosen.append(sighting)
    found = []
    for base in _prefer_proven(chosen, sightings):
        twins = (other.log_odds for other in sightings if _are_twins(base.fit, other.fit))
        found.append(replace(base, twin_log_odds=max(twins, default=None)))
    return found


def _prefer_proven(chosen: Sequence[BaseSighting], sightings: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Replace unproven rims with proven bases of their kind if the box is used up."""
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


def choose_maybes(sightings: Sequence[BaseSighting], chosen: Sequence[BaseSighting]) -> list[BaseSighting]:
    """Return possible bases besides the chosen ones, the likeliest first, no two in one place.

    A used-up kind has none, unless one of the chosen may be a print and this one the base.
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
    """Return whether two kinds that differ by their rims alone fit one base, or one base fits at two heights."""
    if a.pose.elevation_mm != b.pose.elevation_mm:
        return _on_same_pixels(a, b)
    same_outline = (a.kind.is_round, a.kind.size_mm) == (b.kind.is_round, b.kind.size_mm)
    is_near = math.dist(a.pose.center_mm, b.pose.center_mm) < TWIN_MM
    return same_outline and a.kind.ring != b.kind.ring and is_near


def overlap(a: RimFit, b: RimFit) -> bool:
    """Return whether two bases overlap or, at different heights, cover the same part of the photo."""
    if a.pose.elevation_mm != b.pose.elevation_mm:
        return _on_same_pixels(a, b)
    apart = math.dist(a.pose.center_mm, b.pose.center_mm)
    if apart > a.kind.reach_mm + b.kind.reach_mm - OVERLAP_MM:
        return False
    if a.kind.is_round and b.kind.is_round:
        return True
    return _reaches_into(a, b) or _reaches_into(b, a)


def _on_same_pixels(a: RimFit, b: RimFit) -> bool:
    """Return whether either middle lies within the other base in the photo: a wall's top hides the table behind."""
    return math.dist(a.image_px, b.image_px) < max(a.image_reach_px, b.image_reach_px)


def _reaches_into(a: RimFit, b: RimFit) -> bool:
    """Return whether a point of one outline, or its middle, lies deep in the other."""
    points = np.vstack([outline_of(a), a.pose.center_mm])
    around = np.asarray(outline_of(b), dtype=np.float32)
    return any(cv2.pointPolygonTest(around, (float(x), float(y)), True) > OVERLAP_MM for x, y in points)


def outline_of(fit: RimFit) -> Float[Numbers, "n 2"]:
    """Return the outline of a base on the table, corner by corner of a rectangle."""
    kind: BaseKind = fit.kind
    if kind.is_round:
        points = kind.outline_mm
    else:
        points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(kind.size_mm) / 2
    moved: Numbers = turned(points, fit.pose.turn_rad) + fit.pose.center_mm
    return moved
