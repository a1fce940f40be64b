"""Chances of places that share one box: each place takes one outcome, and the box limits what all of them take.

Where many kinds are in doubt, joint outcomes are too many to list, and the likeliest thousand agree on things that are
in doubt. But such places meet in the box alone. So they are summed up one after another, and all joint outcomes that
leave the same pieces in the box are one state, whatever they are made of (the forward-backward algorithm).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from calibration.arrays import Flags, Integers, Numbers

_MOST_STATES, _HOPELESS = 8_192, 1e-6
"""Most states kept, and the least weight of a kept one, relative to the greatest. Each counts with its chance that the
rest of the box is enough. On full sets of chessmen in doubt (12 kinds, up to 32 places) no chance is off by more than
.005, and the sums take up to .25 s."""

_LEAST_SCORE = -300.0
"""Least log weight of an outcome relative to the place's likeliest: smaller weights would vanish in the sums."""


class Outcomes(NamedTuple):
    """The outcomes of one place.

    Args:
        scores: the log weight of each.
        uses: how many pieces of each kind each takes.
    """

    scores: Float[Numbers, " n"]
    uses: Int[Integers, "n kinds"]


class _Alike(NamedTuple):
    """The outcomes of one place, those that take the same merged.

    Args:
        uses: what each group of outcomes takes.
        weights: the weight of each group.
        own: the weight of each outcome.
        group: the group of each outcome.
    """

    uses: Int[Integers, "groups kinds"]
    weights: Float[Numbers, " groups"]
    own: Float[Numbers, " n"]
    group: Int[Integers, " n"]

    @classmethod
    def of(cls, scores: Float[Numbers, " n"], uses: Int[Integers, "n kinds"]) -> _Alike:
        taken, group = np.unique(uses, axis=0, return_inverse=True)
        own: Float[Numbers, " n"] = np.exp(np.maximum(scores - scores.max(), _LEAST_SCORE))
        return cls(taken, np.bincount(group, own), own, group)


class _Step(NamedTuple):
    """The ways from the states before a place to those after it, and the weights of the states before.

    Args:
        weights: the weight of each state before.
        before: for each way, its state before.
        taken: for each way, what the place takes.
        after: for each way, its state after.
    """

    weights: Float[Numbers, " states"]
    before: Int[Integers, " n"]
    taken: Int[Integers, " n"]
    after: Int[Integers, " n"]


def chances_within(
    places: Sequence[Outcomes], most: Int[Integers, " kinds"]
) -> tuple[float, list[Float[Numbers, " n"]]]:
    """Return the log weight of all joint outcomes within the box, and each outcome's chance among them, place by place.

    Args:
        places: the outcomes of each place. One of each takes nothing.
        most: the number of each kind in the box.
    """
    wants = np.array([place.uses.max(axis=0) for place in places])
    is_short = wants.sum(axis=0) > most
    order = _order_of(wants[:, is_short] > 0)
    need = np.vstack([np.cumsum(wants[order[::-1]][:, is_short], axis=0)[::-1], np.zeros_like(most[is_short])])
    ordered = [_Alike.of(places[place].scores, places[place].uses[:, is_short]) for place in order]
    log_total, steps = _forward(ordered, np.minimum(most[is_short], need[0]), need)
    chances: dict[int, Float[Numbers, " n"]] = {}
    onward: Numbers = np.ones(1)
    for place, alike, step in zip(order[::-1], ordered[::-1], steps[::-1], strict=True):
        flow = alike.weights[step.taken] * onward[step.after]
        shares = np.bincount(step.taken, step.weights[step.before] * flow, len(alike.weights))
        chances[place] = alike.own * (shares / shares.sum() / alike.weights)[alike.group]
        reached = np.bincount(step.before, flow, len(step.weights))
        onward = reached / reached.max()
    return log_total + math.fsum(float(place.scores.max()) for place in places), [
        chances[place] for place in range(len(places))
    ]


def _order_of(wants: Bool[Flags, "places kinds"]) -> list[int]:
    """Return the places in an order that keeps few kinds in question at a time."""
    left, order = [*range(len(wants))], []
    in_question = np.zeros(wants.shape[1], dtype=np.bool_)
    while left:
        place = min(left, key=lambda one: ((in_question | wants[one]).sum(), -wants[one].sum()))
        in_question |= wants[place]
        left.remove(place)
        order.append(place)
    return order


def _forward(
    places: Sequence[_Alike], left: Int[Integers, " kinds"], need: Int[Integers, "places+1 kinds"]
) -> tuple[float, list[_Step]]:
    """Return the log weight of all joint outcomes, and the steps from place to place.

    Args:
        places: the outcomes of each place, by what they take.
        left: the full box, as far as places may need it.
        need: the most pieces that each place and those after it take, and after the last one none.
    """
    enough = [*_chances_of_enough(places)][::-1]
    # One number for the rest of the box: a product with random numbers, which overflow as in any hash.
    signs = np.random.default_rng(0).integers(2**62, size=len(left))
    states, weights, log_total, steps = left[None], np.ones(1), 0.0, []
    for place, still, chances in zip(places, need[1:], enough[1:], strict=True):
        rest = states[:, None] - place.uses
        before, taken = np.nonzero((rest >= 0).all(axis=2))
        # More pieces than all further places can take make no difference.
        rest = np.minimum(rest[before, taken], still)
        _, first, after = np.unique(rest @ signs, return_index=True, return_inverse=True)
        sums, states = np.bincount(after, weights[before] * place.weights[taken]), rest[first]
        hopes = sums * np.prod([chance[states[:, kind]] for kind, chance in enumerate(chances)], axis=0)
        kept = hopes >= max(_HOPELESS * hopes.max(), np.sort(hopes)[-_MOST_STATES:][0])
        goes, number = kept[after], np.cumsum(kept) - 1
        steps.append(_Step(weights, before[goes], taken[goes], number[after[goes]]))
        whole = float(sums[kept].sum())
        states, weights, log_total = states[kept], sums[kept] / whole, log_total + math.log(whole)
    return log_total, steps


def _chances_of_enough(places: Sequence[_Alike]) -> Iterator[list[Float[Numbers, " _counts"]]]:
    """Yield from behind, for each kind, the chance that 0, 1 and more pieces are enough for all places from here on."""
    shares = [np.ones(1) for _ in places[0].uses.T]
    yield shares
    for place in reversed(places):
        here = [np.bincount(of_kind, place.weights) / place.weights.sum() for of_kind in place.uses.T]
        shares = [np.convolve(one, other) for one, other in zip(shares, here, strict=True)]
        yield [np.cumsum(one) for one in shares]
