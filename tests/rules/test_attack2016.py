"""Attacks of DOOM (2016): the arithmetic examples of A10, every rule of defence, odds against enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import BadValue
from assistant.games.doom2016.rules.attack import (
    DEFAULTS,
    Attack,
    DefenceCard,
    DefenceDeck,
    Defender,
    attack,
    count_damage,
    damage_odds,
    frag_chance,
)

SHOT = Attack("shot", {"red": 2})
IMP = Defender("imp", health=3)
ALPHA = Defender("alpha", health=10)
SHIELD, DODGE, SPECIAL, BLANK = DefenceCard(1), DefenceCard(dodge=True), DefenceCard(special=True), DefenceCard()
DICE = {"red": (0, 1, 1, 2, 2, 3), "black": (0, 0, 0, 1, 1, 3)}


def test_a10_three_icons_less_one_shield_are_two_damage() -> None:
    result = attack(SHOT, (1, 2), ALPHA, [SHIELD])
    assert (result.damage, result.is_fragged) == (2, False)
    assert [reason.rule for reason in result.reasons] == ["doom2016/roll", "doom2016/defence-card", "doom2016/damage"]
    assert result.reasons[-1].text == "Icons: 3, shields: 1. Damage for alpha: 2."


def test_shields_never_heal_and_a_dodge_cancels_all() -> None:
    assert attack(SHOT, (1, 0), ALPHA, [DefenceCard(3)]).damage == 0
    assert attack(SHOT, (3, 3), ALPHA, [DODGE]).damage == 0
    assert attack(SHOT, (3, 3), ALPHA, []).damage == 6


def test_the_special_icon_sets_off_the_demons_own_defence() -> None:
    guarded = Defender("brute", 6, special=DefenceCard(2))
    nimble = Defender("imp", 3, special=DODGE)
    assert attack(SHOT, (3, 2), guarded, [SPECIAL]).damage == 3
    assert attack(SHOT, (3, 2), guarded, [SHIELD]).damage == 4
    assert attack(SHOT, (3, 2), nimble, [SPECIAL]).damage == 0
    assert attack(SHOT, (3, 2), IMP, [SPECIAL]).damage == 5


def test_thick_skin_is_always_one_shield_more() -> None:
    thick = Defender("brute", 6, has_thick_skin=True)
    assert attack(SHOT, (3, 2), thick, [SHIELD]).damage == 3
    stunned = Defender("brute", 6, has_thick_skin=True, is_stunned=True)
    assert attack(SHOT, (3, 2), stunned).damage == 4
    lost = attack(SHOT, (3, 2), stunned, options={**DEFAULTS, "stun_thick_skin": "lost"})
    assert lost.damage == 5
    assert [r.phrase for r in lost.reasons if r.rule == "doom2016/thick-skin"] == ["lost"]


def test_with_cover_the_second_card_counts() -> None:
    hidden = Defender("imp", 3, has_cover=True)
    result = attack(SHOT, (1, 1), hidden, [BLANK, DODGE])
    assert result.damage == 0
    assert "doom2016/cover-second-card" in {reason.rule for reason in result.reasons}


def test_frag_and_stagger_follow_from_the_health_that_is_left() -> None:
    hurt = Defender("imp", health=5, damage_taken=2, stagger=1)
    assert attack(SHOT, (1, 0), hurt).is_staggered is False
    staggered = attack(SHOT, (1, 1), hurt)
    assert staggered.is_staggered is True
    assert staggered.reasons[-1].rule == "doom2016/stagger"
    last = attack(SHOT, (2, 1), hurt)
    assert (last.is_fragged, last.is_staggered) == (True, False)
    assert last.reasons[-1].rule == "doom2016/frag"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: attack(SHOT, (1, 1), IMP, [BLANK, BLANK]), "may reveal 1 cards here, not 2"),
        (lambda: attack(SHOT, (1,), Defender("imp", 3, is_stunned=True), [BLANK]), "may reveal 0"),
        (
            lambda: attack(Attack("x", {}, ignores_cover=True), (), Defender("i", 3, has_cover=True), [BLANK, BLANK]),
            "may reveal 1",
        ),
        (lambda: attack(SHOT, (-1,), IMP), "fewer than 0 icons"),
        (lambda: Attack("x", {"red": -1}), "0 to 12 dice"),
        (lambda: Attack("x", {"red": 13}), "0 to 12 dice"),
        (lambda: Defender("imp", 0), "health above 0"),
        (lambda: damage_odds(Attack("x", {"pink": 1}), DICE, IMP), "no pink die"),
    ],
)
def test_impossible_numbers_are_named(make: Any, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        make()


def test_without_cards_the_odds_are_those_of_the_dice() -> None:
    odds = damage_odds(SHOT, DICE, IMP)
    counted = Counter(a + b for a, b in product(DICE["red"], repeat=2))
    assert odds.chances == {icons: Fraction(many, 36) for icons, many in counted.items()}
    assert frag_chance(odds, IMP) == Fraction(sum(many for icons, many in counted.items() if icons >= 3), 36)


def test_an_empty_deck_is_made_anew_of_its_discards() -> None:
    deck = DefenceDeck({SHIELD: 0}, {DODGE: 2})
    assert damage_odds(SHOT, DICE, IMP, deck).chances == {0: 1}
    assert [card for card, _, _ in DefenceDeck({}, {}).draws()] == [None]


def test_a_revealed_card_lies_once_among_the_discards() -> None:
    after = {card: deck for card, _, deck in DefenceDeck({SHIELD: 2, BLANK: 1}, {SHIELD: 3}).draws()}
    assert after == {
        SHIELD: DefenceDeck({SHIELD: 1, BLANK: 1}, {SHIELD: 4}),
        BLANK: DefenceDeck({SHIELD: 2, BLANK: 0}, {SHIELD: 3, BLANK: 1}),
    }


def test_a_stunned_defender_reveals_no_card_and_ignored_cover_gives_no_second() -> None:
    deck = DefenceDeck({SHIELD: 1, BLANK: 1})
    plain = damage_odds(SHOT, DICE, IMP)
    assert damage_odds(SHOT, DICE, Defender("imp", 3, is_stunned=True, has_cover=True), deck).chances == plain.chances
    hidden = Defender("imp", 3, has_cover=True)
    ignoring = Attack("shot", {"red": 2}, ignores_cover=True)
    assert damage_odds(ignoring, DICE, hidden, deck).chances == damage_odds(SHOT, DICE, IMP, deck).chances


@pytest.mark.parametrize(("choice", "left"), [("controller", "red"), ("weakest", "red"), ("strongest", "black")])
def test_a_stunned_attacker_leaves_out_the_die_that_the_house_says(choice: str, left: str) -> None:
    stunned = Attack("shot", {"red": 1, "black": 1}, is_stunned=True)
    odds = damage_odds(stunned, DICE, IMP, options={**DEFAULTS, "stun_drop_die": choice})
    assert odds.chances == damage_odds(Attack("one", {left: 1}), DICE, IMP).chances
    assert damage_odds(Attack("none", {}, is_stunned=True), DICE, IMP).chances == {0: 1}


CARDS = st.builds(DefenceCard, st.integers(0, 2), st.booleans(), st.booleans())
DECKS = st.dictionaries(CARDS, st.integers(0, 3), max_size=4)
DEFENDERS = st.builds(
    lambda thick, cover, stunned, special: Defender(
        "d", 4, has_thick_skin=thick, has_cover=cover, is_stunned=stunned, special=special
    ),
    st.booleans(), st.booleans(), st.booleans(), st.sampled_from([BLANK, SHIELD, DODGE]),
)  # fmt: skip


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(["red", "black"]), st.integers(0, 2)), DEFENDERS, DECKS)
def test_odds_add_up_and_agree_with_every_roll_and_every_order_of_the_deck(
    pool: dict[str, int], defender: Defender, cards: dict[DefenceCard, int]
) -> None:
    """The plain way: every roll, then every ordered pair of cards; the first stays if the second's mean is no less."""
    shot = Attack("shot", pool)
    deck = [card for card, many in cards.items() for _ in range(many)]
    colors = [color for color, count in pool.items() for _ in range(count)]
    expected: dict[int, Fraction] = {}
    rolls = list(product(*(DICE[color] for color in colors)))
    for roll in rolls:
        icons = sum(roll)
        for first, chance in _draws(deck if not defender.is_stunned else []):
            dealt = count_damage(icons, defender, first)
            results = [(dealt, Fraction(1))]
            if defender.has_cover and first is not None:
                rest = list(deck)
                rest.remove(first)
                seconds = [(count_damage(icons, defender, card), part) for card, part in _draws(rest or [first])]
                if sum(value * part for value, part in seconds) < dealt:
                    results = seconds
            for value, part in results:
                expected[value] = expected.get(value, Fraction(0)) + chance * part / len(rolls)
    odds = damage_odds(shot, DICE, defender, DefenceDeck(cards))
    assert sum(chance for _, chance in odds) == 1
    assert odds.chances == expected


def _draws(deck: list[DefenceCard]) -> list[tuple[DefenceCard | None, Fraction]]:
    return [(card, Fraction(1, len(deck))) for card in deck] or [(None, Fraction(1))]


def test_cover_never_hurts_the_defender() -> None:
    deck = DefenceDeck({SHIELD: 3, DODGE: 1, BLANK: 4})
    for many in range(1, 4):
        shot = Attack("shot", {"red": many})
        open_mean = damage_odds(shot, DICE, IMP, deck).mean(int)
        assert damage_odds(shot, DICE, Defender("imp", 3, has_cover=True), deck).mean(int) < open_mean
