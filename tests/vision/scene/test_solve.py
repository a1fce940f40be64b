"""The likeliest table and the chances of a scene, against the enumeration of every table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from vision.scene import solve
from vision.scene.model import Hypothesis, TableScene
from vision.scene.solve import find_worlds, likeliest

AnyScene = TableScene[Any]


def every_table(scene: AnyScene) -> Iterator[tuple[list[int], float]]:
    """Yield each possible table with its score."""
    for so in product((False, True), repeat=len(scene.hypotheses)):
        chosen = [index for index, is_so in enumerate(so) if is_so]
        if scene.is_possible(chosen):
            yield chosen, scene.score(chosen)


def exact_chances(scene: AnyScene) -> list[float]:
    """Return the chance of each hypothesis by the enumeration of every table."""
    tables = list(every_table(scene))
    total = math.fsum(math.exp(score) for _, score in tables)
    return [
        math.fsum(math.exp(score) for chosen, score in tables if index in chosen) / total
        for index in range(len(scene.hypotheses))
    ]


def chances(scene: AnyScene) -> list[float]:
    found: dict[int, float] = {}
    for worlds in find_worlds(scene):
        assert math.fsum(way.chance for way in worlds.ways) < 1 + 1e-4
        assert [math.fsum(way.chance for way in part) for part in worlds.parts] == pytest.approx(
            [1] * len(worlds.parts)
        )
        found |= worlds.chances()
    return [found[index] for index in range(len(scene.hypotheses))]


def two_bases(first: dict[str, float], second: dict[str, float]) -> AnyScene:
    """Return two places, each with the picture's evidence on its kinds; the box holds one A."""
    hypotheses = []
    for place, kinds in (("first", first), ("second", second)):
        nobody = 1 - sum(kinds.values())
        hypotheses += [Hypothesis((place, k), math.log(p / nobody), frozenset({place}), k) for k, p in kinds.items()]
    return TableScene(hypotheses, {"A": 1, "B": 2})


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"A": 0.90, "B": 0.09}, {"A": 0.55, "B": 0.005}, (0.802, 0.178, 0.109, 0.010)),
        ({"A": 0.70, "B": 0.28}, {"A": 0.60, "B": 0.02}, (0.483, 0.483, 0.310, 0.034)),
    ],
)
def test_two_bases_of_which_the_box_holds_one(
    first: dict[str, float], second: dict[str, float], expected: tuple[float, ...]
) -> None:
    scene = two_bases(first, second)
    assert [round(chance, 3) for chance in chances(scene)] == pytest.approx(expected, abs=0.0011)
    assert scene.score(likeliest(scene)) == pytest.approx(max(score for _, score in every_table(scene)))


def random_scene(rng: Random) -> AnyScene:
    """Up to a dozen hypotheses on a row of cells, bases of one and two cells, with a small box and pair terms."""
    hypotheses = []
    for index in range(rng.randint(1, 11)):
        start = rng.randrange(8)
        cells = frozenset(range(start, start + rng.choice((1, 1, 1, 2))))
        hypotheses.append(Hypothesis(index, rng.gauss(-0.5, 3), cells, rng.choice(("A", "B", "C", None))))
    pairs = {}
    for one in range(len(hypotheses)):
        for other in range(one + 1, len(hypotheses)):
            if rng.random() < 0.1:
                pairs[one, other] = rng.gauss(0, 2)
    return TableScene(hypotheses, {"A": rng.randint(0, 2), "B": rng.randint(1, 3)}, pairs)


def check_random_scenes(count: int, seed: int) -> float:
    """Return the largest error of any chance; the likeliest table has the best score each time."""
    rng, worst = Random(seed), 0.0
    for _ in range(count):
        scene = random_scene(rng)
        worst = max([worst, *(abs(a - b) for a, b in zip(chances(scene), exact_chances(scene), strict=True))])
        chosen = likeliest(scene)
        assert scene.is_possible(chosen)
        assert scene.score(chosen) == pytest.approx(max(score for _, score in every_table(scene)), abs=1e-5)
    return worst


def test_small_scenes_are_counted_as_every_table_is() -> None:
    assert check_random_scenes(60, seed=3) < 0.01


@pytest.mark.slow
def test_a_thousand_small_scenes_are_counted_as_every_table_is() -> None:
    assert check_random_scenes(1_000, seed=11) < 0.01


def test_where_only_the_likeliest_tables_are_kept_chances_come_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MOST_WORLDS", 128)
    rng = Random(5)
    for _ in range(20):
        scene = random_scene(rng)
        assert chances(scene) == pytest.approx(exact_chances(scene), abs=0.01)


def test_where_the_box_is_short_other_places_still_find_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "MOST_WORLDS", 128)
    rng = Random(8)
    for _ in range(60):
        claims = [(index, rng.randrange(10), rng.choice((1, 1, 1, 2))) for index in range(rng.randint(8, 12))]
        likely = [
            Hypothesis(index, rng.gauss(2, 3), frozenset(range(start, start + size)), rng.choice("AB"))
            for index, start, size in claims
        ]
        pairs = {pair: rng.gauss(0, 1) for pair in combinations(range(len(likely)), 2) if rng.random() < 0.1}
        scene = TableScene(likely, {"A": rng.randint(0, 2), "B": rng.randint(0, 2)}, pairs)
        assert chances(scene) == pytest.approx(exact_chances(scene), abs=0.01)


def test_a_large_group_beside_others_that_empty_the_box_has_a_table() -> None:
    in_row = [Hypothesis(n, 6.0, frozenset({n}), "A") for n in range(24)]
    linked = {(n, n + 1): 0.1 for n in range(23) if n != 11}
    scene = TableScene(in_row, {"A": 12}, linked)
    assert sum(chances(scene)) == pytest.approx(12, abs=0.05)


def test_a_limit_that_is_never_reached_leaves_places_independent() -> None:
    hypotheses = [Hypothesis(n, -1.0, frozenset({n}), "A") for n in range(40)]
    assert len(find_worlds(TableScene(hypotheses, {"A": 40}))) == 40
    assert len(find_worlds(TableScene(hypotheses[:3], {"A": 1}))) == 1


def test_a_pair_term_of_nothing_changes_nothing() -> None:
    apart = [Hypothesis(n, 0.5 * n, frozenset({n})) for n in range(3)]
    assert chances(TableScene(apart, {}, {(0, 2): 0.0})) == pytest.approx(chances(TableScene(apart)))


def test_an_empty_scene_has_one_table() -> None:
    assert likeliest(TableScene([])) == []
    assert find_worlds(TableScene([])) == []
