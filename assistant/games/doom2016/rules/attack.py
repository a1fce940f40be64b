"""The arithmetic of an attack in DOOM (2016): damage of given dice and cards, and its exact odds.

Source: Learn to Play, “Атака” and its quick reference (seed 001), facts A2 and A5. Users supply the faces of the dice
and the values of cards and figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.errors import BadValue
from assistant.games.doom2016.rules import DEFAULTS, reasons
from assistant.rules.odds import Odds, total
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import said

Options = Mapping[str, str]
DamageByColor = Mapping[str, tuple[int, ...]]
"""The damage icons on each face of the die of each colour."""

MAX_DICE = 12
"""Greatest number of dice in an attack: twice those in the box. More would only slow down the exact odds."""


class DefenceCard(NamedTuple):
    """The face of a defence card: shields, a dodge, the icon of the demon's special defence."""

    shields: int = 0
    dodge: bool = False
    special: bool = False


NOTHING_SHOWN = DefenceCard()


@dataclass(frozen=True)
class DefenceDeck:
    """The number of each card in the deck, and in the discards."""

    cards: Mapping[DefenceCard, int] = field(default_factory=dict)
    discards: Mapping[DefenceCard, int] = field(default_factory=dict)

    def draws(self) -> Iterator[tuple[DefenceCard | None, Fraction, DefenceDeck]]:
        """Yield each card that may come up, with its chance and the deck afterwards; a None card if there is none.

        The discards first refill an empty deck. The card that comes up goes to the discards.
        """
        cards, discards = (self.cards, self.discards) if any(self.cards.values()) else (self.discards, {})
        count = sum(cards.values())
        if count == 0:
            yield None, Fraction(1), self
        for card, many in cards.items():
            if many:
                left = {**cards, card: many - 1}
                yield card, Fraction(many, count), DefenceDeck(left, {**discards, card: discards.get(card, 0) + 1})


@dataclass(frozen=True)
class Attack:
    """An attack: its dice by colour, and the state of the attacker.

    Raises:
        BadValue: a count is negative, or there are more than ``MAX_DICE``.
    """

    name: str
    dice: Mapping[str, int]
    is_stunned: bool = False
    ignores_cover: bool = False

    def __post_init__(self) -> None:
        if min(self.dice.values(), default=0) < 0 or sum(self.dice.values()) > MAX_DICE:
            raise BadValue(
                said("“{name}” must roll 0 to {most} dice", name=self.name, most=MAX_DICE),
                field="dice",
            )


@dataclass(frozen=True)
class Defender:
    """A figure under attack. ``special`` is its special defence.

    Raises:
        BadValue: health is not above 0, or another number is negative.
    """

    name: str
    health: int
    damage_taken: int = 0
    stagger: int = 0
    has_thick_skin: bool = False
    has_cover: bool = False
    is_stunned: bool = False
    special: DefenceCard = NOTHING_SHOWN

    def __post_init__(self) -> None:
        if self.health <= 0 or min(self.damage_taken, self.stagger, self.special.shields) < 0:
            raise BadValue(
                said("“{name}” needs health above 0 and no negative numbers", name=self.name), field="health"
            )


@dataclass(frozen=True)
class DamageResult:
    """The result of an attack: the damage, and the defender's state afterwards."""

    damage: int
    is_fragged: bool
    is_staggered: bool
    reasons: tuple[Reason, ...]


def attack(
    attacking: Attack,
    icons: Sequence[int],
    defender: Defender,
    cards: Sequence[DefenceCard] = (),
    options: Options = DEFAULTS,
) -> DamageResult:
    """Return the damage of given dice and cards, with the reasons step by step.

    Args:
        attacking: the attack.
        icons: the damage icons on each rolled die.
        defender: the defender.
        cards: the revealed defence cards in order; the last one counts.
        options: the house options.

    Raises:
        BadValue: more cards than may be revealed, or a negative number of icons.
    """
    _check(attacking, icons, defender, cards)
    found = [reason(reasons.ROLLED, "told", attacker=attacking.name, icons=sum(icons), count=len(icons))]
    if attacking.is_stunned:
        found.append(reason(reasons.STUN, "attacker", figure=attacking.name))
    if defender.is_stunned:
        found.append(reason(reasons.STUN, "defender", figure=defender.name))
    if len(cards) == 2:
        found.append(reason(reasons.SECOND_CARD, "told", defender=defender.name))
    card = cards[-1] if cards else None
    found += _explain_defence(defender, card, options)
    dealt = count_damage(sum(icons), defender, card, options)
    shields, dodges = _defence(defender, card, options)
    numbers = {"icons": sum(icons), "shields": shields, "damage": dealt, "defender": defender.name}
    found.append(reason(reasons.DAMAGE, "dodged" if dodges else "told", **numbers))
    left = defender.health - defender.damage_taken - dealt
    found += _explain_health(defender, left)
    return DamageResult(dealt, left <= 0, 0 < left <= defender.stagger, tuple(found))


def count_damage(icons: int, defender: Defender, card: DefenceCard | None, options: Options = DEFAULTS) -> int:
    """Return the damage of ``icons`` icons against a revealed card, or None for no card."""
    shields, dodges = _defence(defender, card, options)
    return 0 if dodges else max(0, icons - shields)


def damage_odds(
    attacking: Attack,
    dice: DamageByColor,
    defender: Defender,
    deck: DefenceDeck | None = None,
    options: Options = DEFAULTS,
) -> Odds[int]:
    """Return the exact odds of the damage.

    Players choose by the mean damage. A stunned attacker chooses the die to leave out (option ``stun_drop_die``). A
    defender in cover may discard the first card, and must then use the second. A choice without effect is not
    made.

    Raises:
        BadValue: the dice table lacks a colour.
    """
    deck = deck or DefenceDeck()
    pools = _list_pools(attacking, dice, options)
    odds = [
        _icons(pool, dice).then(lambda icons: _apply_defence(icons, attacking, defender, deck, options))
        for pool in pools
    ]
    return max(odds, key=lambda each: each.mean(int))


def frag_chance(odds: Odds[int], defender: Defender) -> Fraction:
    """Return the chance that the damage frags the defender."""
    return odds.chance(lambda dealt: dealt >= defender.health - defender.damage_taken)


def _apply_defence(icons: int, attacking: Attack, defender: Defender, deck: DefenceDeck, options: Options) -> Odds[int]:
    """Return the odds of the damage after the roll."""
    if defender.is_stunned:
        return Odds.certain(count_damage(icons, defender, None, options))
    may_discard = defender.has_cover and not attacking.ignores_cover
    parts = []
    for card, chance, after in deck.draws():
        odds = Odds.certain(count_damage(icons, defender, card, options))
        if may_discard and card is not None:
            second = Odds.mixed(
                (share, Odds.certain(count_damage(icons, defender, c, options))) for c, share, _ in after.draws()
            )
            odds = second if second.mean(int) < odds.mean(int) else odds
        parts.append((chance, odds))
    return Odds.mixed(parts)


def _list_pools(attacking: Attack, dice: DamageByColor, options: Options) -> list[dict[str, int]]:
    """Return the pools to choose from: all dice, or one pool for each colour that a stun may take a die from."""
    pool = {color: count for color, count in attacking.dice.items() if count}
    unknown = sorted(set(pool) - set(dice))
    if unknown:
        raise BadValue(
            said("the dice table has no {unknown} die; fill in its faces", unknown=unknown[0]),
            field=f"dice.{unknown[0]}",
        )
    if not attacking.is_stunned or not pool:
        return [pool]
    by_strength = sorted(pool, key=lambda color: Odds.uniform(dice[color]).mean(int))
    dropped = {"weakest": by_strength[:1], "strongest": by_strength[-1:]}.get(options["stun_drop_die"], by_strength)
    return [{color: count - (color == left_out) for color, count in pool.items()} for left_out in dropped]


def _icons(pool: Mapping[str, int], dice: DamageByColor) -> Odds[int]:
    return total(Odds.uniform(dice[color]) for color, count in pool.items() for _ in range(count))


def has_skin(defender: Defender, options: Options = DEFAULTS) -> bool:
    """Return whether thick skin now absorbs one damage."""
    return defender.has_thick_skin and not (defender.is_stunned and options["stun_thick_skin"] == "lost")


def _defence(defender: Defender, card: DefenceCard | None, options: Options) -> tuple[int, bool]:
    """Return the shields and whether the defender dodges: by the card, the special defence and thick skin."""
    revealed = card or NOTHING_SHOWN
    special = defender.special if revealed.special else NOTHING_SHOWN
    skin = has_skin(defender, options)
    return revealed.shields + special.shields + skin, revealed.dodge or special.dodge


def _explain_defence(defender: Defender, card: DefenceCard | None, options: Options) -> Iterator[Reason]:
    if card is not None:
        yield reason(reasons.CARD, "told", defender=defender.name, shields=card.shields)
        if card.special:
            yield reason(reasons.SPECIAL, "told", defender=defender.name, shields=defender.special.shields)
    if defender.has_thick_skin:
        lost = defender.is_stunned and options["stun_thick_skin"] == "lost"
        yield reason(reasons.THICK_SKIN, "lost" if lost else "told", defender=defender.name)


def _explain_health(defender: Defender, left: int) -> Iterator[Reason]:
    if left <= 0:
        yield reason(reasons.FRAG, "told", defender=defender.name, health=defender.health)
    elif left <= defender.stagger:
        yield reason(reasons.STAGGER, "told", defender=defender.name, left=left, stagger=defender.stagger)


def _check(attacking: Attack, icons: Sequence[int], defender: Defender, cards: Sequence[DefenceCard]) -> None:
    if min(icons, default=0) < 0:
        raise BadValue(said("a die cannot show fewer than 0 icons"), field="icons")
    allowed = 2 if defender.has_cover and not attacking.ignores_cover else 1
    if defender.is_stunned:
        allowed = 0
    if len(cards) > allowed:
        raise BadValue(
            said(
                "“{name}” may reveal {allowed} cards here, not {count}",
                name=defender.name,
                allowed=allowed,
                count=len(cards),
            ),
            field="cards",
        )
