"""Inference on a scene: the likeliest table, and the chances of all tables as weighted worlds.

``likeliest`` is one integer program. ``find_worlds`` lists tables group by group. Hypotheses without a common place,
pair term or reachable limit of the box are independent, so the chance of a table is the product of its groups' chances.
It lists all tables of a small group, and the likeliest of a large one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import Bounds, LinearConstraint, milp

from calibration.arrays import Integers, Numbers
from vision.scene.box_limits import Outcomes, chances_within
from vision.scene.model import TableScene

MOST_WORLDS = 1_024
"""Most tables kept of one group. The others together have a chance of less than 1 in 1,000 on the test scenes."""

_OF_EACH_NUMBER = 16
"""Tables kept besides for each number of things in a group."""

_UNREACHED = 1e-5
"""Chance of exceeding a limit of the box below which that limit does not link its kind's places."""

_FAR_BEHIND = 12.0
"""Score gap to the best table of a group beyond which tables are dropped, 6 in a million."""


class World(NamedTuple):
    """One outcome of a group: its chance, and the bit mask of true hypotheses."""

    chance: float
    so: int

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and bool(self.so >> index & 1)


class Worlds(NamedTuple):
    """The outcomes of one group, the likeliest first.

    Args:
        indices: the hypotheses of the group.
        ways: its outcomes, the likeliest ones where there are too many to list. Chances of the others are missing from
            the sum of theirs, which else is 1.
        parts: the outcomes of each part that only the box links to the others, with their chances over all outcomes of
            the group. Those of one part add up to 1.
    """

    indices: tuple[int, ...]
    ways: tuple[World, ...]
    parts: tuple[tuple[World, ...], ...]

    def chances(self) -> dict[int, float]:
        """Return the chance of each hypothesis of the group."""
        every = [way for part in self.parts for way in part]
        return {index: math.fsum(way.chance for way in every if index in way) for index in self.indices}


def likeliest(scene: TableScene[Any]) -> list[int]:
    """Return the hypotheses of the highest-scoring table, by an integer program.

    A pair term has a variable of its own. It is at most each of the two linked variables, and at least their sum minus
    1.
    """
    count, pairs = len(scene.hypotheses), list(scene.pairs.items())
    if not count:
        return []
    rows: list[tuple[dict[int, float], float]] = [
        (dict.fromkeys(there, 1.0), 1.0) for there in scene.by_place.values() if len(there) > 1
    ]
    rows += [(dict.fromkeys(there, 1.0), float(scene.box[kind])) for kind, there in scene.by_kind.items()]
    for both, ((one, other), _) in enumerate(pairs, start=count):
        rows += [({both: 1.0, one: -1.0}, 0.0), ({both: 1.0, other: -1.0}, 0.0)]
        rows.append(({one: 1.0, other: 1.0, both: -1.0}, 1.0))
    worth = [hypothesis.log_odds for hypothesis in scene.hypotheses] + [worth for _, worth in pairs]
    solved = milp(
        -np.array(worth),
        integrality=np.ones(len(worth), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=list(_constraints(rows, len(worth))),
    )
    assert solved.x is not None, "an empty table is always possible"
    return [index for index in range(count) if solved.x[index] > 1 / 2]


def _constraints(rows: Sequence[tuple[dict[int, float], float]], columns: int) -> Iterator[LinearConstraint]:
    if rows:
        matrix = np.zeros((len(rows), columns))
        for row, (entries, _) in enumerate(rows):
            for column, value in entries.items():
                matrix[row, column] = value
        yield LinearConstraint(matrix, ub=np.array([most for _, most in rows]))


def find_worlds(scene: TableScene[Any]) -> list[Worlds]:
    """Return the tables of a scene, group by group. Groups are independent."""
    groups = [_list_ways(scene, group) for group in scene.groups()]
    return [_worlds_of(scene, linked) for linked in _linked_by_box(scene, groups)]


def _worlds_of(scene: TableScene[Any], linked: Sequence[_Group]) -> Worlds:
    indices = tuple(sorted(index for group in linked for index in group.indices))
    if len(linked) == 1:
        ways = _normalize(linked[0].ways)
        return Worlds(indices, ways, (ways,))
    limits = scene.limits.values()
    uses = [np.array([[(so & of_kind).bit_count() for of_kind, _ in limits] for _, so in g.ways]) for g in linked]
    places = [Outcomes(np.array([s for s, _ in g.ways]), used) for g, used in zip(linked, uses, strict=True)]
    log_total, chances = chances_within(places, np.array([most for _, most in limits]))
    parts = tuple(
        tuple(World(chance, way.so) for chance, way in zip(own.tolist(), group.ways, strict=True))
        for own, group in zip(chances, linked, strict=True)
    )
    joint = sorted(_join_groups(scene, linked), reverse=True)
    return Worlds(indices, tuple(World(math.exp(way.score - log_total), way.so) for way in joint), parts)


class _Way(NamedTuple):
    """One outcome of a group: its score, and its true hypotheses."""

    score: float
    so: int


class _Group(NamedTuple):
    indices: tuple[int, ...]
    ways: list[_Way]


def _list_ways(scene: TableScene[Any], group: Sequence[int]) -> _Group:
    """List all outcomes of linked hypotheses: each in turn is added or left out.

    Likely ones come first. Once only unlikely ones remain, outcomes far behind cannot catch up.
    """
    order = sorted(group, key=lambda index: -scene.hypotheses[index].log_odds)
    met = {index: number for number, index in enumerate(order)}
    pairs: dict[int, list[tuple[int, float]]] = {}
    for pair, worth in scene.pairs.items():
        if pair[0] in met:
            first, then = sorted(pair, key=met.__getitem__)
            pairs.setdefault(then, []).append((1 << first, worth))
    gain = {index: scene.hypotheses[index].log_odds for index in order}
    for index, linked in pairs.items():
        gain[index] += sum(worth for _, worth in linked if worth > 0)
    last_gain = max((number for number, index in enumerate(order) if gain[index] > 0), default=-1)
    ways = [_Way(0.0, 0)]
    for number, index in enumerate(order):
        of_kind, most = scene.limits.get(scene.hypotheses[index].kind, (0, 0))
        alone, rivals, bit = scene.hypotheses[index].log_odds, scene.rivals[index], 1 << index
        least = max(way.score for way in ways) - _FAR_BEHIND if number > last_gain else -math.inf
        more = [
            _Way(score + alone + sum(worth for other, worth in pairs.get(index, ()) if so & other), so | bit)
            for score, so in ways
            if not so & rivals and score + alone > least and ((so | bit) & of_kind).bit_count() <= most
        ]
        ways = _likely([*ways, *more])
    return _Group(tuple(group), ways)


def _likely(ways: list[_Way]) -> list[_Way]:
    """Return the likeliest outcomes, and the likeliest of each number of things."""
    if len(ways) <= MOST_WORLDS:
        return ways
    numbers = np.array([way.so.bit_count() for way in ways])
    return [ways[index] for index in _likely_of(np.array([way.score for way in ways]), numbers)]


def _likely_of(scores: Float[Numbers, " n"], numbers: Int[Integers, " n"]) -> Int[Integers, " kept"]:
    """Return the places of the highest scores, and of the highest ones of each number of things.

    Where the box is short, other groups may leave few things to this one. The empty outcome always stays.
    """
    order = np.argsort(-scores, kind="stable")
    of_each = [order[numbers[order] == number][:_OF_EACH_NUMBER] for number in np.unique(numbers)]
    return np.asarray(np.unique(np.concatenate([order[:MOST_WORLDS], *of_each])))


def _linked_by_box(scene: TableScene[Any], groups: Sequence[_Group]) -> list[list[_Group]]:
    """Return the groups, joined if together they may exceed the box in some kind."""
    bundles: list[tuple[set[Hashable], list[_Group]]] = []
    short: set[Hashable] = set()
    while more := {kind for kind in scene.by_kind.keys() - short if _may_exceed(scene, kind, groups, short)}:
        short |= more
    for group in groups:
        kinds = {scene.hypotheses[index].kind for index in group.indices} & short
        joined = [bundle for bundle in bundles if bundle[0] & kinds]
        bundles = [bundle for bundle in bundles if not bundle[0] & kinds]
        bundles.append((kinds.union(*(k for k, _ in joined)), [g for _, old in joined for g in old] + [group]))
    return [linked for _, linked in bundles]


def _may_exceed(scene: TableScene[Any], kind: Hashable, groups: Sequence[_Group], short: Iterable[Hashable]) -> bool:
    """Return whether independent groups may need more of a kind than the box holds.

    Any group may have to do without a ``short`` kind, and then needs other kinds more.
    """
    of_kind, most = scene.limits[kind]
    lacking = sum(scene.limits[other][0] for other in short)
    if of_kind.bit_count() <= most:
        return False
    counts = np.array([1.0])
    for group in groups:
        if of_kind & sum(1 << index for index in group.indices):
            own = np.zeros(of_kind.bit_count() + 1)
            for ways in (group.ways, [way for way in group.ways if not way.so & lacking]):
                shares = np.zeros(len(own))
                for chance, so in _normalize(ways):
                    shares[(so & of_kind).bit_count()] += chance
                own = np.maximum(own, shares)
            counts = np.convolve(counts, np.trim_zeros(own, "b"))
    return bool(counts[most + 1 :].sum() > _UNREACHED)


def _join_groups(scene: TableScene[Any], groups: Sequence[_Group]) -> list[_Way]:
    """Return the joint outcomes of several groups that the box allows."""
    kinds = {scene.hypotheses[index].kind for group in groups for index in group.indices}
    limits = [limit for kind, limit in scene.limits.items() if kind in kinds]
    ways = [_Way(0.0, 0)]
    for group in sorted(groups, key=lambda group: len(group.ways)):
        ways = _pairs_of(ways, group.ways, limits)
    return ways


def _pairs_of(ways: Sequence[_Way], own: Sequence[_Way], limits: Sequence[tuple[int, int]]) -> list[_Way]:
    """Return the likely pairs of outcomes that the box allows, none far behind the best."""
    scores = np.add.outer([way.score for way in ways], [way.score for way in own])
    fits = np.ones(scores.shape, dtype=bool)
    for of_kind, most in limits:
        counts = [[(way.so & of_kind).bit_count() for way in both] for both in (ways, own)]
        fits &= np.add.outer(*counts) <= most
    one, other = np.nonzero(fits & (scores >= scores[fits].max() - _FAR_BEHIND))
    numbers = np.add.outer(*([way.so.bit_count() for way in both] for both in (ways, own)))
    kept = _likely_of(scores[one, other], numbers[one, other])
    return [
        _Way(ways[i].score + own[j].score, ways[i].so | own[j].so)
        for i, j in zip(one[kept].tolist(), other[kept].tolist(), strict=True)
    ]


def _normalize(ways: Sequence[_Way]) -> tuple[World, ...]:
    """Return the outcomes with their chances, the likeliest first."""
    ordered = sorted(ways, reverse=True)
    weights = [math.exp(way.score - ordered[0].score) for way in ordered]
    total = math.fsum(weights)
    return tuple(World(weight / total, way.so) for weight, way in zip(weights, ordered, strict=True))
