"""Dice and shuffles: the same for everyone who has the seed, and fair."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.match.chance import Chance, chance_of_event, commit_to, new_seed


def test_an_event_draws_the_same_for_everybody_at_any_time() -> None:
    assert [chance_of_event("s", 7).die() for _ in range(3)] == [chance_of_event("s", 7).die()] * 3
    assert Chance("a").shuffled(range(20)) == Chance("a").shuffled(range(20))
    assert Chance("golden").shuffled("abcdef") == tuple("fdbeca"), "saved matches rely on this order"


def test_a_shuffle_keeps_every_card() -> None:
    assert sorted(Chance("x").shuffled(range(30))) == list(range(30))


def test_a_die_shows_each_face_about_as_often_as_the_others() -> None:
    chance, count = Chance("fair"), 6_000
    faces = Counter(chance.die() for _ in range(count))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    # chi-square with 5 degrees of freedom: 20.5 is passed by chance once in a thousand
    assert sum((seen - count / 6) ** 2 / (count / 6) for seen in faces.values()) < 20.5


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10**9])
def test_a_draw_stays_below_its_limit(limit: int) -> None:
    chance = Chance("limits")
    assert all(0 <= chance.below(limit) < limit for _ in range(50))


def test_a_commitment_tells_seeds_apart_without_telling_them() -> None:
    first, second = new_seed(), new_seed()
    assert commit_to(first) != commit_to(second)
    assert first not in commit_to(first)
