"""Psychology, climbs, jumps, falls and shots: the worked examples of C7 and exact chances."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.checks import (
    CheckOdds,
    ambush,
    check_fear,
    check_rout,
    climb,
    climb_steps,
    escape,
    evades,
    fall_damage,
    is_rout_due,
    jump_down,
    jump_gap,
    pass_chance,
    passes,
    rout_spirit,
    shoot_first,
    watch,
    watch_modifier,
)


@pytest.mark.parametrize(("starting", "out", "due"), [(12, 4, True), (12, 3, False), (10, 4, True), (10, 3, False)])
def test_c7_the_rout_test_is_due_from_a_third_out(starting: int, out: int, due: bool) -> None:
    assert is_rout_due(starting, out) is due
    assert check_rout(starting, out, 4).chance == (Fraction(4, 6) if due else 1)


def test_the_rout_test_may_be_due_from_thirty_three_hundredths() -> None:
    assert not is_rout_due(100, 33)
    assert is_rout_due(100, 33, {**DEFAULTS, "rout_third": "percent_33"})


def test_the_rout_test_is_on_the_leader_or_the_best_one_standing() -> None:
    assert rout_spirit(3, [5, 4]) == 3
    assert rout_spirit(None, [2, 4]) == 4


def test_c7_climb_of_mobility_six_is_three_steps_a_turn() -> None:
    assert climb_steps(6, 5) == 3
    assert climb_steps(6, 2) == 2
    assert climb(6, 2).reasons[0].arguments == {
        "height": 2, "mobility": 6, "rise": 2, "cost": 4, "chance": "1",
    }  # fmt: skip
    assert climb_steps(6, 5, {**DEFAULTS, "climb_limit": "mobility_only"}) == 5


def test_what_is_higher_than_the_mobility_cannot_be_climbed() -> None:
    assert climb(4, 5).chance == 0
    assert climb_steps(4, 5) == 0


def test_a_failed_climb_down_is_a_fall_and_a_failed_climb_up_is_not() -> None:
    assert climb(3, 2).damage.chances == {0: 1}
    down = climb(3, 2, is_descent=True)
    assert down.damage.chance(lambda damage: damage > 0) == 1 - down.chance == Fraction(1, 2)


def test_c7_jump_down_two_steps_is_two_tests_and_a_fall_is_two_d3() -> None:
    deed = jump_down(4, 2)
    assert deed.chance == Fraction(4, 6) ** 2
    fallen = fall_damage(2)
    assert (min(fallen.chances), max(fallen.chances)) == (2, 6)
    assert fallen.chances[4] == Fraction(3, 9)
    assert deed.damage.chances[2] == (1 - deed.chance) * Fraction(1, 9)


def test_a_started_step_of_a_fall_hurts_but_needs_no_test() -> None:
    deed = jump_down(4, Fraction(3, 2))
    assert deed.chance == Fraction(4, 6)
    assert max(deed.damage.chances) == 6
    assert (
        max(jump_down(4, Fraction(3, 2), options={**DEFAULTS, "jump_height_partial": "floor_both"}).damage.chances) == 3
    )


def test_a_giant_leap_goes_further_down_than_a_jump() -> None:
    assert jump_down(5, 4, leap_steps=4).chance == Fraction(5, 6) ** 4
    with pytest.raises(BadValue, match="from 0 to 2"):
        jump_down(6, 3)


def test_a_gap_needs_movement_and_then_a_test() -> None:
    assert jump_gap(4, 1, Fraction(1, 2), 2).chance == 0
    assert jump_gap(4, 1, Fraction(1, 2), 2).damage.chances == fall_damage(2).chances
    deed = jump_gap(4, 1, 3, 2)
    assert (deed.chance, deed.damage.chances[0]) == (Fraction(4, 6), Fraction(4, 6))


@pytest.mark.parametrize("value", range(8))
def test_a_six_is_compared_unless_the_house_lets_it_fail(value: int) -> None:
    """«Если результат меньше или равен Силе духа …»: a six against six passes."""
    assert pass_chance(value) == Fraction(min(value, 6), 6)
    assert pass_chance(value, {**DEFAULTS, "natural_six": "fails"}) == Fraction(min(value, 5), 6)
    assert passes(6, 6)


@pytest.mark.parametrize(("reaction", "shot", "evaded"), [(7, 6, True), (6, 6, False), (5, 6, False)])
def test_a_reaction_must_be_better_than_the_shot(reaction: int, shot: int, evaded: bool) -> None:
    assert evades(reaction, shot) is evaded


def test_escape_and_fear() -> None:
    deed = escape("a", 4, 3)
    assert (deed.chance, deed.damage.chances[3]) == (Fraction(4, 6), Fraction(2, 6))
    assert escape("a", 5, 0).damage.chances == {0: 1}
    assert check_fear("a", 3, is_charging=True).reasons[0].phrase == "charging"
    assert check_fear("a", 3, is_charging=False).chance == Fraction(1, 2)


@given(st.integers(1, 6), st.integers(1, 6))
def test_shooting_first_is_every_pair_of_dice_with_ties_to_the_shooter(target: int, shooter: int) -> None:
    wins = sum(a + target > b + shooter for a, b in product(range(1, 7), repeat=2))
    assert shoot_first(target, shooter).chance == Fraction(wins, 36)


def test_watch_suffers_at_fleeting_targets_and_chargers_only() -> None:
    assert [watch_modifier(target) for target in ("steady", "fleeting", "charging_the_watcher")] == [0, -1, -1]
    assert watch_modifier("steady", {**DEFAULTS, "watch_minus1": "always"}) == -1
    assert [watch("a", target).phrase for target in ("steady", "fleeting")] == ["free", "told"]


def test_an_ambush_stays_hidden_if_every_witness_fails() -> None:
    assert ambush([4, 3]).chance == Fraction(2, 6) * Fraction(3, 6)
    assert ambush([]).chance == 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: is_rout_due(0, 0), "cannot be out"),
        (lambda: is_rout_due(3, 4), "cannot be out"),
        (lambda: rout_spirit(None, []), "no model of this side is standing"),
        (lambda: climb(4, 0), "above 0 steps"),
        (lambda: jump_gap(4, 2, 4, 1), "the limit is 1"),
        (lambda: jump_down(4, -1), "from 0 to 2"),
    ],
)
def test_impossible_numbers_are_named(make: Any, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        make()


STEPS = st.fractions(min_value=Fraction(1, 4), max_value=2, max_denominator=4)


@given(st.integers(0, 8), STEPS, st.sampled_from(["jump", "climb", "gap"]))
def test_chance_and_damage_belong_together(mobility: int, height: Fraction, kind: str) -> None:
    deeds: dict[str, CheckOdds] = {
        "jump": jump_down(mobility, height),
        "climb": climb(mobility, height, is_descent=True),
        "gap": jump_gap(mobility, 1, height, height),
    }
    deed = deeds[kind]
    assert sum(chance for _, chance in deed.damage) == 1
    assert deed.damage.chance(lambda damage: damage == 0) >= deed.chance
    assert deed.reasons
