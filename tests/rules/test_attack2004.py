"""Attacks of DOOM (2004): the arithmetic examples of B9, re-rolls, and odds against enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.games.doom2004.rules.attack import (
    DEFAULTS,
    Face,
    Outcome,
    Target,
    WeaponProfile,
    attack,
    attack_odds,
    count_wounds,
    hit_chance,
    kill_chance,
)

PISTOL = WeaponProfile("pistol", {"yellow": 1, "green": 1}, ammo=2)
DEMON = Target("demon", armour=3, wounds=4)
MISS = Face(miss=True)
DICE = {
    "yellow": (Face(1, 2), Face(2, 1), Face(2, 2, ammo=True), MISS),
    "green": (Face(2, 1), Face(3, 1), Face(4, 0, ammo=True)),
}


@pytest.mark.parametrize(("dealt", "armour", "count"), [(4, 2, 2), (7, 2, 3), (1, 2, 0), (3, 3, 1), (5, 0, 5)])
def test_b9_wounds_are_the_full_armour_values_in_the_damage(dealt: int, armour: int, count: int) -> None:
    assert count_wounds(dealt, armour) == count


def test_b9_yellow_two_and_green_one_are_one_wound_to_a_demon() -> None:
    shot = attack(PISTOL, [Face(2, 2), Face(2, 1)], 4, DEMON)
    assert shot.outcome == Outcome(True, 1, False)
    assert [reason.rule for reason in shot.reasons] == ["doom2004/hit", "doom2004/wounds"]


def test_a_face_shows_only_its_own_fields() -> None:
    assert Face() == (0, 0, False, False)
    assert attack(WeaponProfile("claw", {"red": 2}), [Face(1, 3), Face(1)], 1, DEMON).outcome.wounds == 1


@pytest.mark.parametrize(("reached", "hits"), [(4, True), (3, False)])
def test_b9_range_four_needs_a_sum_of_four(reached: int, hits: bool) -> None:
    assert attack(PISTOL, [Face(reached - 1, 3), Face(1, 0)], 4, DEMON).outcome.hits is hits


def test_b9_accuracy_twice_makes_a_three_a_five_and_deadly_twice_a_three_a_five() -> None:
    accurate = WeaponProfile("rifle", {"green": 2}, accuracy=2)
    assert attack(accurate, [Face(2, 1), Face(1, 2)], 5, DEMON).outcome.hits
    assert not attack(accurate, [Face(2, 1), Face(1, 2)], 6, DEMON).outcome.hits
    deadly = attack(WeaponProfile("axe", {"green": 2}, deadly=2), [Face(2, 1), Face(1, 2)], 3, Target("x", 5, 3))
    assert deadly.outcome.wounds == 1
    assert [r.rule for r in deadly.reasons] == ["doom2004/hit", "doom2004/deadly", "doom2004/wounds"]


def test_b9_with_aim_a_yellow_miss_may_be_rolled_again_once_and_the_second_result_stands() -> None:
    """One yellow die at range 1: it hits at once with 3 in 4, and aimed misses only twice in a row."""
    yellow = WeaponProfile("pistol", {"yellow": 1})
    weak = Target("zombie", 1, 1)
    assert hit_chance(attack_odds(yellow, DICE, 1, weak)) == Fraction(3, 4)
    aimed = WeaponProfile("pistol", {"yellow": 1}, is_aimed=True)
    assert hit_chance(attack_odds(aimed, DICE, 1, weak)) == 1 - Fraction(1, 4) ** 2


def test_a_miss_face_misses_whatever_the_range() -> None:
    shot = attack(PISTOL, [MISS, Face(9, 9, ammo=True)], 1, DEMON)
    assert shot.outcome == Outcome(False, 0, True)
    assert [reason.phrase for reason in shot.reasons] == ["miss", "spent"]


def test_ammo_is_spent_once_and_without_any_there_is_no_attack() -> None:
    bullets = [Face(2, 1, ammo=True), Face(2, 1, ammo=True)]
    assert attack(PISTOL, bullets, 3, DEMON).outcome.spends_ammo
    assert not attack(WeaponProfile("claws", {"yellow": 1, "green": 1}), bullets, 3, DEMON).outcome.spends_ammo
    empty = WeaponProfile("pistol", {"yellow": 1, "green": 1}, ammo=0)
    assert [reason.phrase for reason in attack(empty, bullets, 3, DEMON).reasons] == ["none"]
    assert attack_odds(empty, DICE, 3, DEMON).chances == {Outcome(False, 0, False): 1}


def test_melee_needs_range_one_unless_the_house_checks_none() -> None:
    claws = WeaponProfile("claws", {"red": 1}, is_melee=True)
    assert not attack(claws, [Face(0, 4)], 1, DEMON).outcome.hits
    assert attack(claws, [Face(0, 4)], 1, DEMON, {**DEFAULTS, "melee_range_roll": "no_check"}).outcome.hits


def test_a_target_without_wounds_left_is_killed() -> None:
    shot = attack(PISTOL, [Face(2, 6), Face(2, 6)], 4, DEMON)
    assert (shot.outcome.wounds, shot.is_killed, shot.reasons[-1].phrase) == (4, True, "killed")


def test_aim_and_dodge_cancel_out() -> None:
    both = attack_odds(WeaponProfile("a", {"yellow": 2}, is_aimed=True), DICE, 2, Target("t", 1, 1, dodges=True))
    assert both.chances == attack_odds(WeaponProfile("a", {"yellow": 2}), DICE, 2, Target("t", 1, 1)).chances
    told = attack(WeaponProfile("a", {"yellow": 1}, is_aimed=True), [Face(2, 2)], 2, Target("t", 1, 1, dodges=True))
    assert told.reasons[0].phrase == "cancel"


def test_a_dodge_hurts_the_attacker_unless_he_picks_the_dice() -> None:
    shot, plain, dodging = WeaponProfile("a", {"yellow": 2}), Target("t", 1, 9), Target("t", 1, 9, dodges=True)
    usual = attack_odds(shot, DICE, 2, plain).mean(lambda outcome: outcome.wounds)
    dodged = attack_odds(shot, DICE, 2, dodging).mean(lambda outcome: outcome.wounds)
    chosen = attack_odds(shot, DICE, 2, dodging, {**DEFAULTS, "dodge_choice": "attacker"})
    assert dodged < usual < chosen.mean(lambda outcome: outcome.wounds)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: attack(PISTOL, [Face()], 1, DEMON), "rolls 2 dice, not 1"),
        (lambda: WeaponProfile("x", {}), "1 to 6 dice"),
        (lambda: WeaponProfile("x", {"red": 7}), "1 to 6 dice"),
        (lambda: WeaponProfile("x", {"red": 1}, ammo=-1), "must not be negative"),
        (lambda: Target("x", -1, 1), "armour of 0 or more"),
        (lambda: Target("x", 1, 0), "a wound left"),
        (lambda: attack_odds(WeaponProfile("x", {"pink": 1}), DICE, 1, DEMON), "no pink die"),
    ],
)
def test_impossible_numbers_are_named(make: Any, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        make()


FACES = st.builds(Face, st.integers(0, 3), st.integers(0, 3), st.booleans(), st.booleans())
TABLES = st.fixed_dictionaries({color: st.lists(FACES, min_size=1, max_size=3) for color in ("red", "blue")})


@settings(max_examples=60)
@given(
    dice=TABLES,
    pool=st.fixed_dictionaries({"red": st.integers(0, 2), "blue": st.integers(1, 1)}),
    spaces=st.integers(1, 4),
    armour=st.integers(0, 3),
    reroll=st.sampled_from(["none", "aimed", "dodged", "attacker picks"]),
)
def test_odds_add_up_and_agree_with_every_roll_and_every_choice(
    dice: dict[str, list[Face]], pool: dict[str, int], spaces: int, armour: int, reroll: str
) -> None:
    """The plain way: every roll, every set of dice by index, every re-roll of those; the best mean counts."""
    faces = {color: tuple(each) for color, each in dice.items()}
    shot = WeaponProfile("shot", pool, ammo=1, is_aimed=reroll == "aimed")
    target = Target("t", armour, 2, dodges=reroll in ("dodged", "attacker picks"))
    options = {**DEFAULTS, "dodge_choice": "attacker" if reroll == "attacker picks" else "dodger"}
    colors = [color for color, count in pool.items() for _ in range(count)]
    rolls = list(product(*(faces[color] for color in colors)))
    sets = sorted(product((False, True), repeat=len(colors)), key=sum)
    allowed = {"none": sets[:1], "attacker picks": sets[1:]}.get(reroll, sets)

    def outcomes(roll: tuple[Face, ...], picked: tuple[bool, ...]) -> list[Outcome]:
        again = [faces[c] if go else (face,) for c, face, go in zip(colors, roll, picked, strict=True)]
        return [attack(shot, final, spaces, target, options).outcome for final in product(*again)]

    def mean(results: list[Outcome]) -> Fraction:
        return Fraction(sum(min(result.wounds, target.wounds) for result in results), len(results))

    best = min if reroll == "dodged" else max
    expected = sum(best(mean(outcomes(roll, picked)) for picked in allowed) for roll in rolls) / len(rolls)
    odds = attack_odds(shot, faces, spaces, target, options)
    assert sum(chance for _, chance in odds) == 1
    assert odds.mean(lambda outcome: min(outcome.wounds, target.wounds)) == expected
    if reroll == "none":
        assert hit_chance(odds) == Fraction(sum(outcomes(roll, sets[0])[0].hits for roll in rolls), len(rolls))
    assert kill_chance(odds, target) <= hit_chance(odds)


def test_as_many_wounds_as_are_left_kill() -> None:
    imp = Target("imp", armour=3, wounds=1)
    odds = attack_odds(PISTOL, DICE, 2, imp)
    assert kill_chance(odds, imp) == odds.chance(lambda outcome: outcome.wounds > 0) > 0
