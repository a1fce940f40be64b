"""Melee: the worked examples of C7, every modifier, and odds against plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.melee import (
    Duel,
    Fighter,
    MeleeRoll,
    assign_hits,
    count_dice,
    count_outnumbering,
    current_toughness,
    fight,
)
from assistant.games.roads.rules.melee_odds import mean_hits, melee_odds


def fighter(name: str = "a", *conditions: Any, **numbers: Any) -> Fighter:
    values = {"mobility": 4, "toughness": 4, "combat": 4} | numbers
    return Fighter(name, conditions=frozenset(conditions), **values)


RATNIK = fighter("ratnik")
DIGGER = fighter("digger", "charged", toughness=3, combat=3)


def duel(first: Fighter, second: Fighter, dice: tuple[int, ...], others: tuple[int, ...], **options: str) -> Duel:
    return fight(first, second, (MeleeRoll(dice), MeleeRoll(others)), {**DEFAULTS, **options})


def test_c7_current_toughness_is_toughness_less_wounds() -> None:
    assert current_toughness(fighter(toughness=6, wounds=2)) == 4
    assert current_toughness(fighter("a", "painless", toughness=6, wounds=2)) == 6
    assert current_toughness(fighter("a", "frenzied", toughness=6, wounds=2)) == 6
    assert current_toughness(fighter(toughness=2, wounds=5)) == 0


def test_c7_ratnik_and_digger_by_the_formula_though_the_source_prints_another_sum() -> None:
    """The source prints 2 + 4 + 4 as 11. By its own formula that is 10, and 12:11 needs a roll of 3."""
    with_three = duel(DIGGER, RATNIK, (5,), (3,))
    assert (with_three.results, with_three.winner, with_three.hits) == ((12, 11), "digger", 1)
    with_two = duel(DIGGER, RATNIK, (5,), (2,))
    assert (with_two.results, with_two.winner, with_two.hits) == ((12, 10), "digger", 2)


def test_c7_the_printed_sum_of_the_example_can_be_had_as_a_house_option() -> None:
    printed = duel(DIGGER, RATNIK, (5,), (2,), seed_example_fix="printed")
    assert (printed.results, printed.hits) == ((12, 11), 1)
    assert duel(DIGGER, RATNIK, (5,), (3,), seed_example_fix="printed").results == (12, 11)


def test_c7_three_against_one_get_two_more_dice_and_two_more_on_the_result() -> None:
    excess = count_outnumbering(3, 1, 2, DEFAULTS)
    assert excess == 2
    majority = fighter("many", excess=excess)
    assert count_dice(majority, DEFAULTS) == 3
    assert duel(majority, RATNIK, (1, 2, 3), (6,)).results[0] == 3 + 4 + 4 + 2
    assert count_outnumbering(1, 3, 0, DEFAULTS) == 0
    assert count_outnumbering(3, 2, 2, DEFAULTS) == 1
    assert count_outnumbering(3, 2, 2, {**DEFAULTS, "outnumber_excess": "others_in_contact"}) == 2


@pytest.mark.parametrize(
    ("dice", "weapons", "count"), [(1, ("axe",), 2), (1, ("axe", "mace"), 3), (2, ("axe",), 4), (2, ("a", "b"), 5)]
)
def test_c7_frenzy_doubles_the_dice_of_the_profile_only(dice: int, weapons: tuple[str, ...], count: int) -> None:
    assert count_dice(fighter("a", "frenzied", dice=dice, weapons=weapons), DEFAULTS) == count


def test_frenzy_may_double_the_dice_for_numbers_as_a_house_option() -> None:
    many = fighter("a", "frenzied", weapons=("axe", "mace"), excess=1)
    assert count_dice(many, DEFAULTS) == 2 + 1 + 1
    assert count_dice(many, {**DEFAULTS, "frenzy_outnumber_dice": "all_but_second_weapon"}) == 4 + 1


def test_c7_criticals_count_every_six_after_the_first() -> None:
    three, two = fighter(dice=3), fighter(dice=2)
    assert duel(three, RATNIK, (6, 6, 6), (3,)).results[0] == 6 + 2 + 8
    assert duel(two, RATNIK, (6, 3), (3,)).results[0] == 6 + 8


def test_c7_confusion_adds_one_for_every_one_of_the_enemy() -> None:
    assert duel(RATNIK, fighter("b", dice=3), (3,), (1, 1, 4)).results == (3 + 8 + 2, 4 + 8)


def test_c7_two_hits_with_axe_and_mace_go_axe_then_mace() -> None:
    armed = fighter(weapons=("axe", "mace"))
    assert assign_hits(armed, 2) == ("axe", "mace")
    assert assign_hits(armed, 3, odd_hit=1) == ("mace", "axe", "mace")


def test_c7_of_ten_to_ten_the_faster_wins_with_one_hit_and_the_equally_fast_draw() -> None:
    fast, slow = fighter("fast", mobility=5), fighter("slow", mobility=4)
    tie = duel(fast, slow, (2,), (2,))
    assert (tie.results, tie.winner, tie.hits) == ((10, 10), "fast", 1)
    draw = duel(fighter("other"), slow, (2,), (2,))
    assert (draw.winner, draw.hits) == (None, 0)
    spiked = fighter("fast", mobility=5, tie_extra_hits=2)
    assert duel(spiked, slow, (2,), (2,), tie_hits="one_plus_weapon").hits == 3


@pytest.mark.parametrize(
    ("condition", "change"), [("charged", 1), ("higher", 1), ("across_cover", -1), ("shield", 0), ("painless", 0)]
)
def test_each_condition_changes_the_result_as_its_rule_says(condition: str, change: int) -> None:
    assert duel(fighter("a", condition), RATNIK, (3,), (3,)).results[0] == 11 + change


def test_a_jump_attack_adds_a_die_and_one() -> None:
    assert duel(fighter("a", "jumping"), RATNIK, (3, 2), (3,)).results[0] == 12


def test_fear_halves_the_die_rounding_as_the_house_says() -> None:
    afraid = fighter("a", "afraid", dice=2)
    assert duel(afraid, RATNIK, (5, 2), (3,)).results[0] == 3 + 8
    assert duel(afraid, RATNIK, (5, 2), (3,), fear_halving_round="down").results[0] == 2 + 8
    assert duel(afraid, RATNIK, (6, 6), (3,)).results[0] == 3 + 1 + 8
    assert duel(afraid, RATNIK, (6, 6), (3,), fear_halving_target="each_die").results[0] == 3 + 8
    assert duel(fighter("a", "afraid", "frenzied"), RATNIK, (5, 2), (3,)).results[0] == 5 + 8


def test_terror_takes_away_the_combat_skill() -> None:
    assert duel(fighter("a", "terrified"), RATNIK, (3,), (3,)).results[0] == 3 + 4


def test_a_downed_model_takes_every_attack_and_strikes_no_blow() -> None:
    down = fight(fighter(dice=3), fighter("b", "down"), (MeleeRoll(()), MeleeRoll(())))
    assert (down.winner, down.hits) == ("a", 3)
    assert fight(fighter("a", "down"), fighter("b", "dulled"), (MeleeRoll(()), MeleeRoll(()))).hits == 0
    assert fight(fighter("a", "down"), fighter("b", "down"), (MeleeRoll(()), MeleeRoll(()))).winner is None


def test_a_stupid_winner_deals_no_hits() -> None:
    result = duel(fighter("a", "dulled"), RATNIK, (6,), (1,))
    assert (result.winner, result.hits) == ("a", 0)


def test_options_on_confusion_and_criticals() -> None:
    enemy = fighter("b", dice=2)
    replaced = (MeleeRoll((3,)), MeleeRoll((4, 5), replaced=(1,)))
    assert fight(RATNIK, enemy, replaced).results[0] == 11
    assert fight(RATNIK, enemy, replaced, {**DEFAULTS, "confusion_counts": "ever_rolled"}).results[0] == 12
    assert duel(RATNIK, enemy, (3,), (1, 5), confusion_all_dice="chosen_die").results[0] == 11
    assert duel(RATNIK, enemy, (3,), (1, 1), confusion_all_dice="chosen_die").results[0] == 12
    two_weapons = fighter(weapons=("axe", "mace"))
    assert duel(two_weapons, enemy, (6, 6), (3, 3)).results[0] == 6 + 1 + 8
    assert duel(two_weapons, enemy, (6, 6), (3, 3), crit_scope="two_base_dice").results[0] == 6 + 8


def test_every_step_names_its_rule() -> None:
    told = duel(DIGGER, fighter("b", "shield", wounds=1), (5,), (3,))
    assert [reason.rule for reason in told.steps] == [
        "roads/attack-dice",
        "roads/charge",
        "roads/melee-result",
        "roads/attack-dice",
        "roads/current-toughness",
        "roads/melee-result",
        "roads/melee-outcome",
    ]
    assert told.steps[2].text == "digger: 5 + 3 + 3 +1 = 12."
    blocked = fight(DIGGER, fighter("b", "shield"), (MeleeRoll((2,), replaced=(6,)), MeleeRoll((3,))))
    assert "roads/block" in {reason.rule for reason in blocked.steps}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: fighter(toughness=-1), "must not be negative"),
        (lambda: fighter(dice=0), "at least one attack die"),
        (lambda: fighter(weapons=()), "at least one attack die"),
        (lambda: duel(RATNIK, DIGGER, (1, 2), (3,)), "rolls 1 attack dice, not 2"),
        (lambda: duel(RATNIK, DIGGER, (7,), (3,)), "show 1 to 6"),
        (lambda: melee_odds(fighter(dice=9), fighter("b")), "up to 8 attack dice"),
    ],
)
def test_impossible_numbers_are_named(make: Any, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        make()


CONDITIONS = st.frozensets(
    st.sampled_from(["charged", "higher", "across_cover", "jumping", "afraid", "terrified", "frenzied", "painless"])
)
FIGHTERS = st.builds(
    lambda name, mobility, toughness, combat, dice, conditions: Fighter(
        name, mobility, toughness, combat, dice=dice, conditions=conditions
    ),
    st.just("x"), st.integers(1, 6), st.integers(1, 6), st.integers(0, 6), st.integers(1, 2), CONDITIONS,
)  # fmt: skip


@settings(max_examples=25)
@given(FIGHTERS, FIGHTERS)
def test_odds_add_up_and_agree_with_every_roll_there_is(first: Fighter, second: Fighter) -> None:
    second = Fighter(**{**vars(second), "name": "y", "dice": 1, "conditions": second.conditions - {"frenzied"}})
    counts = count_dice(first, DEFAULTS), count_dice(second, DEFAULTS)
    assume(sum(counts) <= 4)
    seen: dict[tuple[str | None, int], int] = {}
    for roll in product(range(1, 7), repeat=sum(counts)):
        result = fight(first, second, (MeleeRoll(roll[: counts[0]]), MeleeRoll(roll[counts[0] :])))
        seen[result.winner, result.hits] = seen.get((result.winner, result.hits), 0) + 1
    odds = melee_odds(first, second)
    assert sum(chance for _, chance in odds) == 1
    assert odds.chances == {outcome: Fraction(many, 6 ** sum(counts)) for outcome, many in seen.items()}


def test_a_shield_forces_the_best_die_again_only_where_that_helps() -> None:
    """One die against a shield: 1 and 2 stay, since a new die has a mean margin of 3.5 less 1/6; 4 to 6 go again."""
    plain, shield = fighter("a", mobility=9), fighter("b", "shield")
    seen: dict[tuple[str | None, int], Fraction] = {}
    for roll, again, other in product(range(1, 7), repeat=3):
        margin = roll - (roll == 1)
        final = again if margin > Fraction(21, 6) - Fraction(1, 6) else roll
        result = fight(plain, shield, (MeleeRoll((final,)), MeleeRoll((other,))))
        key = (result.winner, result.hits)
        seen[key] = seen.get(key, Fraction(0)) + Fraction(1, 216)
    assert melee_odds(plain, shield).chances == seen
    both = fighter("a", "shield", mobility=9)
    assert melee_odds(both, shield).chances == melee_odds(plain, fighter("b")).chances


def test_hatred_rolls_again_exactly_the_dice_below_the_mean_of_a_new_one() -> None:
    hateful, enemy = fighter("a", "hateful", mobility=9), fighter("b")
    seen: dict[tuple[str | None, int], Fraction] = {}
    for roll, again, other in product(range(1, 7), repeat=3):
        margin = roll - (roll == 1)
        final = again if margin < Fraction(20, 6) else roll
        result = fight(hateful, enemy, (MeleeRoll((final,)), MeleeRoll((other,))))
        key = (result.winner, result.hits)
        seen[key] = seen.get(key, Fraction(0)) + Fraction(1, 216)
    assert melee_odds(hateful, enemy).chances == seen


def test_hatred_never_hurts_and_a_shield_never_helps_the_enemy() -> None:
    plain, enemy = fighter("a", dice=2), fighter("b")
    hateful, shielded = fighter("a", "hateful", dice=2), fighter("b", "shield")
    usual = mean_hits(melee_odds(plain, enemy), "a")
    assert mean_hits(melee_odds(hateful, enemy), "a") > usual > mean_hits(melee_odds(plain, shielded), "a")


def test_the_odds_against_a_downed_model_are_certain() -> None:
    assert melee_odds(fighter(dice=2), fighter("b", "down")).chances == {("a", 2): 1}
