"""Colours of rims, measured: how well each candidate ring fits the colour that the photo shows round a base.

The ring network rates each colour by itself and forgives other light, since paint and lamps vary. So it confuses
neighbours in colour. But all rims of one photo share its lamp, haze and tone curve. Here the sure ones show how this
photo bends colours (darker ones brighter, all of them duller), and every other rim is compared with each candidate
under that bend. It is a linear model of logarithms with a normal prior on the bend (Bayesian linear regression: Bishop,
Pattern Recognition and Machine Learning, 2006, 3.3). Its prior and the weights of its evidence beside the network's
were fitted on simulated tables (``vision.training.rim_fit``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8

from calibration.arrays import Integers, Levels, Numbers
from calibration.color import bgr_from_hex, light_from_gamma
from vision.evidence.ring_strips import ANGLES, INSETS, INSETS_MM, directions, side_normals
from vision.learned import learned_document

FLOOR = 0.05
"""Linear light added before logarithms. Below it, haze and noise hide the colour of a rim."""

AXES = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, -1.0], [1.0, -2.0, 1.0]]) / np.sqrt([[3.0], [2.0], [6.0]])
"""Brightness, and two axes of colour, of blue, green and red as logarithms."""

_BRIGHTNESS, _COLOR = slice(0, 1), slice(1, 3)
"""The axes that bend together."""

_SPREAD = np.array([0.5, 0.25, 0.25])
"""Standard deviations along the axes of a rim's pixel from the usual look of its colour, in any photo. A narrower one
fitted to its own measures would shrink with every round: far pixels would no longer count."""

_ELSE = np.exp(-2.5)
"""Likelihood of a pixel that is no rim, relative to one of exactly the expected colour."""

_RIM_INSET_MM = 0.75
"""Inset of the middle of a rim."""

_BESIDE = 3
"""Rows from the rim to what lies inside and outside, 2.2 mm."""

_REACH_MM, _STEP_MM = 3.7, 0.9
"""Range and step of the search for a base that stands off the middle."""

_TAILS = 4.0
"""Degrees of freedom of a rim's error: gloss and shade sometimes err far more than noise."""

_LEAST_SHOWN = 0.05
"""Least share of a circumference, two of its pixels."""

_ROUNDS = 3
"""Rounds of reweighting. Later ones change nothing that is stated."""


class ColorBend(NamedTuple):
    """What photos do to colours along some axes: normal prior on the factors of ``bend_terms``.

    Args:
        mean: the usual factors.
        covariance: how they vary from photo to photo.
        noise: variance of one whole rim under its photo's factors. A part of a rim has more, as its pixels are fewer.
    """

    mean: Float[Numbers, " factors"]
    covariance: Float[Numbers, "factors factors"]
    noise: float


@dataclass(frozen=True, eq=False)
class RimModel:
    """The learned numbers.

    Args:
        brightness: the bend of brightness.
        color: the bend of both axes of colour.
        weights: weights of the network's log odds and of ``rim_evidence``.
    """

    brightness: ColorBend
    color: ColorBend
    weights: Float[Numbers, " 4"]


@cache
def rim_model() -> RimModel:
    """Return the shipped numbers, from ``vision/data/rims.json``."""
    return rim_model_of(learned_document("rims.json"))


def rim_model_of(document: dict[str, Any]) -> RimModel:
    """Return the numbers of a document in the form of ``vision/data/rims.json``."""

    def bend(name: str) -> ColorBend:
        part = document[name]
        return ColorBend(np.array(part["mean"]), np.array(part["covariance"]), float(part["noise"]))

    return RimModel(bend("brightness"), bend("color"), np.array(document["weights"]))


class RimPlace(NamedTuple):
    """The candidate rings of one place.

    Args:
        strips: the photo's strip for each candidate, by the size of its base.
        is_round: whether each candidate's base is round.
        colors: the colour of each candidate.
        log_odds: the network's log odds of each against no ring.
    """

    strips: Sequence[UInt8[Levels, "16 48 3"]]
    is_round: Sequence[bool]
    colors: Sequence[str]
    log_odds: Float[Numbers, " n"]


class RimMeasure(NamedTuple):
    """The rim of one place as each of its candidates would explain it.

    Args:
        seen: the colour of the rim along the axes, (N, 3).
        shown: the share of the circumference in that colour, (N,).
        fit: mean log likelihood round the rim, (N,).
        beside: the same inside or outside, whichever is more, (N,).
    """

    seen: Float[Numbers, "n 3"]
    shown: Float[Numbers, " n"]
    fit: Float[Numbers, " n"]
    beside: Float[Numbers, " n"]


def weigh_rims(
    places: Sequence[RimPlace], model: RimModel | None = None, *, color_evidence: float = 1.0
) -> list[Float[Numbers, " n"]]:
    """Return the log odds of every candidate against no ring, with the colours of all rims of the photo weighed.

    The chance of any ring at a place stays the network's. Only the candidates' shares of it change.

    Args:
        places: the places of one photo.
        model: the learned numbers, the shipped ones by default.
        color_evidence: share of the evidence of colours that the photo leaves, 0 to 1. With 0 all rings are equally
            likely.
    """
    model = model or rim_model()
    weighed: list[Float[Numbers, " n"]] = []
    for place, evidence in zip(places, rim_evidence(places, model), strict=True):
        shares = color_evidence * (np.column_stack([place.log_odds, evidence]) @ model.weights)
        weighed.append(shares + np.logaddexp.reduce(place.log_odds) - np.logaddexp.reduce(shares))
    return weighed


def rim_evidence(places: Sequence[RimPlace], model: RimModel) -> list[Float[Numbers, "n 3"]]:
    """Return three factors of each candidate: log density of its colour under the photo's bend, fit, and lead.

    The lead over what lies beside distinguishes a rim from the paint of the base's top or of the floor. The bend comes
    from all other places, each weighed by the chance of its likeliest ring.
    """
    measures = [measure_rim(place, model) for place in places]
    known = [colors_along_axes(place.colors) for place in places]
    best = [int(place.log_odds.argmax()) for place in places]
    chance = [float(np.exp(p.log_odds[i] - np.logaddexp.reduce([0.0, *p.log_odds])) * m.shown[i])
              for p, m, i in zip(places, measures, best, strict=True)]  # fmt: skip
    rings = np.array([colors[i] for colors, i in zip(known, best, strict=True)]).reshape(-1, 3)
    seen = np.array([measure.seen[i] for measure, i in zip(measures, best, strict=True)]).reshape(-1, 3)
    found = []
    for index, (colors, measure) in enumerate(zip(known, measures, strict=True)):
        others = np.array(chance)
        others[index] = 0.0
        density = np.zeros(len(colors))
        for bend, axes in ((model.brightness, _BRIGHTNESS), (model.color, _COLOR)):
            of_photo = bend_of_photo(bend, bend_terms(rings[:, axes]), seen[:, axes], others)
            noise = bend.noise / np.maximum(measure.shown, _LEAST_SHOWN)
            density += _log_density(bend_terms(colors[:, axes]), measure.seen[:, axes], of_photo, noise)
        found.append(np.column_stack([density, measure.fit, -measure.beside]))
    return found


def _log_density(
    terms: Float[Numbers, "n axes factors"],
    seen: Float[Numbers, "n axes"],
    of_photo: tuple[Float[Numbers, " factors"], Float[Numbers, "factors factors"]],
    noise: Float[Numbers, " n"],
) -> Float[Numbers, " n"]:
    """Return the log density of each seen colour if it is the candidate's."""
    factors, covariance = of_photo
    spread = noise[:, None, None] * np.eye(terms.shape[1]) + terms @ covariance @ terms.transpose(0, 2, 1)
    off = seen - terms @ factors
    squared = np.einsum("ni,nij,nj->n", off, np.linalg.inv(spread), off)
    tails = (_TAILS + terms.shape[1]) / 2 * np.log1p(squared / _TAILS)
    return np.asarray(-0.5 * np.linalg.slogdet(spread)[1] - tails)


def bend_of_photo(
    bend: ColorBend,
    terms: Float[Numbers, "n axes factors"],
    seen: Float[Numbers, "n axes"],
    weights: Float[Numbers, " n"],
) -> tuple[Float[Numbers, " factors"], Float[Numbers, "factors factors"]]:
    """Return mean and covariance of a photo's factors, by rims of known colours. Far ones count less."""
    prior = np.linalg.inv(bend.covariance)
    each = np.repeat(weights[:, None], terms.shape[1], axis=1)
    now = each
    for _ in range(_ROUNDS):
        precision = prior + np.einsum("na,naf,nag->fg", now, terms, terms) / bend.noise
        covariance = np.linalg.inv(precision)
        factors = covariance @ (prior @ bend.mean + np.einsum("na,naf,na->f", now, terms, seen) / bend.noise)
        now = each * robust_weight(each * (seen - terms @ factors) ** 2 / bend.noise)
    return factors, covariance


def robust_weight(squared: Float[Numbers, "*n"]) -> Float[Numbers, "*n"]:
    """Return the weight of squared errors, in variances, under a distribution with tails (Student's t)."""
    return (_TAILS + 1) / (_TAILS + squared)


def bend_terms(colors: Float[Numbers, "n axes"]) -> Float[Numbers, "n axes factors"]:
    """Return what the factors multiply: a shift of each axis, then one gain of all of them."""
    count, axes = colors.shape
    shifts = np.broadcast_to(np.eye(axes), (count, axes, axes))
    return np.concatenate([shifts, colors[:, :, None]], axis=2)


def colors_along_axes(colors: Sequence[str]) -> Float[Numbers, "n 3"]:
    """Return ring colours as brightness and two axes of colour."""
    return colors_of_levels(np.array([bgr_from_hex(color) for color in colors], dtype=np.uint8))


def colors_of_levels(levels: UInt8[Levels, "*n 3"]) -> Float[Numbers, "*n 3"]:
    """Return display values as brightness and two axes of colour."""
    return np.asarray(np.log(light_from_gamma(levels) + FLOOR) @ AXES.T)


def measure_rim(place: RimPlace, model: RimModel) -> RimMeasure:
    """Measure the rim of one place as each candidate would explain it.

    The stripe is where most of the circumference has the usual look of the candidate's colour. Hidden parts count
    little, so the measure is that of the visible ones.
    """
    expected = _usual_look(place.colors, model)
    size = len(place.colors)
    seen, shown, fit, beside = np.empty((size, 3)), np.empty(size), np.empty(size), np.empty(size)
    columns = np.arange(ANGLES)
    for i, (strip, is_round) in enumerate(zip(place.strips, place.is_round, strict=True)):
        off = colors_of_levels(strip) - expected[i]
        likelihood = np.exp(-0.5 * ((off / _SPREAD) ** 2).sum(axis=-1))
        logs = np.log(likelihood + _ELSE)
        stripes = _stripes(is_round)
        values = logs[stripes, columns].mean(axis=1)
        rows = stripes[values.argmax()]
        is_rim = likelihood[rows, columns] / (likelihood[rows, columns] + _ELSE)
        seen[i] = expected[i] + is_rim @ off[rows, columns] / max(is_rim.sum(), _ELSE)
        shown[i], fit[i] = is_rim.mean(), values.max()
        sides = (np.clip(rows + step, 0, INSETS - 1) for step in (-_BESIDE, _BESIDE))
        beside[i] = max(logs[side, columns].mean() for side in sides)
    return RimMeasure(seen, shown, fit, beside)


def _usual_look(colors: Sequence[str], model: RimModel) -> Float[Numbers, "n 3"]:
    """Return colours as photos usually show them."""
    known = colors_along_axes(colors)
    parts = ((model.brightness, _BRIGHTNESS), (model.color, _COLOR))
    return np.hstack([bend_terms(known[:, axes]) @ bend.mean for bend, axes in parts])


@cache
def _stripes(is_round: bool) -> Int[Integers, "places 48"]:
    """Return the row of a rim in each column of a strip, for bases up to ``_REACH_MM`` off the middle."""
    steps = np.arange(-_REACH_MM // _STEP_MM + 1, _REACH_MM // _STEP_MM + 1) * _STEP_MM
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shifts = shifts[np.hypot(*shifts.T) <= _REACH_MM]
    normals = directions() if is_round else side_normals()
    inset_mm = _RIM_INSET_MM - shifts @ normals.T
    rows = np.round((inset_mm - INSETS_MM[0]) / (INSETS_MM[1] - INSETS_MM[0])).astype(int)
    return np.asarray(np.clip(rows, 0, INSETS - 1))
