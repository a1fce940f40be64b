"""The arithmetic of an attack in DOOM (2004): hit, wounds and ammunition of given dice, and their exact odds.

Source: the attack steps of the rulebook (seeds 002 and 004), facts B2 and B5. Users supply the faces of the dice and
the values of weapons and invaders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from assistant.errors import BadValue
from assistant.games.doom2004.rules import DEFAULTS, reasons
from assistant.rules.odds import Odds, count_each, handfuls
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import said

Options = Mapping[str, str]

MAX_DICE = 6
"""Greatest number of dice in an attack: the box holds no more."""


class Face(NamedTuple):
    """One face of a die: a range number, damage icons, a bullet, or a miss."""

    range: int = 0
    damage: int = 0
    ammo: bool = False
    miss: bool = False


FacesByColor = Mapping[str, tuple[Face, ...]]
"""The faces of a die by its colour."""


class Shown(NamedTuple):
    """The sum of several faces."""

    range: int = 0
    damage: int = 0
    ammo: bool = False
    miss: bool = False

    def __or__(self, other: Shown | Face) -> Shown:
        return Shown(
            self.range + other.range, self.damage + other.damage, self.ammo or other.ammo, self.miss or other.miss
        )


@dataclass(frozen=True)
class WeaponProfile:
    """A weapon or an invader's attack. ``ammo`` is None for an attack that needs no ammunition.

    Raises:
        BadValue: a number is negative, or there are more than ``MAX_DICE`` dice.
    """

    name: str
    dice: Mapping[str, int]
    accuracy: int = 0
    deadly: int = 0
    is_melee: bool = False
    is_aimed: bool = False
    ammo: int | None = None

    def __post_init__(self) -> None:
        if min(self.dice.values(), default=0) < 0 or not 0 < sum(self.dice.values()) <= MAX_DICE:
            raise BadValue(
                said("“{name}” must roll 1 to {most} dice", name=self.name, most=MAX_DICE),
                field="dice",
            )
        if min(self.accuracy, self.deadly, self.ammo or 0) < 0:
            raise BadValue(said("the numbers of “{name}” must not be negative", name=self.name), field="ammo")


@dataclass(frozen=True)
class Target:
    """The figure under attack. ``wounds`` is the number of wounds that it can still take.

    Raises:
        BadValue: armour is negative, or no wound is left.
    """

    name: str
    armour: int
    wounds: int
    dodges: bool = False

    def __post_init__(self) -> None:
        if self.armour < 0 or self.wounds < 1:
            raise BadValue(
                said("“{name}” needs armour of 0 or more and a wound left to lose", name=self.name),
                field="armour",
            )


class Outcome(NamedTuple):
    """The result of an attack."""

    hits: bool
    wounds: int
    spends_ammo: bool


@dataclass(frozen=True)
class AttackResult:
    """The outcome of given dice, and the reasons step by step."""

    outcome: Outcome
    is_killed: bool
    reasons: tuple[Reason, ...]


def attack(
    attacking: WeaponProfile, faces: Sequence[Face], range_spaces: int, target: Target, options: Options = DEFAULTS
) -> AttackResult:
    """Resolve given dice, after any re-roll.

    Raises:
        BadValue: there are more or fewer faces than the attack has dice.
    """
    needed = sum(attacking.dice.values())
    if len(faces) != needed:
        raise BadValue(
            said("“{name}” rolls {needed} dice, not {count}", name=attacking.name, needed=needed, count=len(faces)),
            field="faces",
        )
    if attacking.ammo == 0:
        return AttackResult(Outcome(False, 0, False), False, (reason(reasons.AMMO, "none", attacker=attacking.name),))
    shown = _sum_faces(faces)
    outcome = _settle(shown, attacking, range_spaces, target, options)
    found = [*_explain_rerolls(attacking, target), *_explain_hit(shown, outcome, attacking, range_spaces)]
    if outcome.spends_ammo:
        found.append(reason(reasons.AMMO, "spent", attacker=attacking.name))
    if outcome.hits:
        if attacking.deadly:
            found.append(reason(reasons.DEADLY, "told", change=attacking.deadly))
        dealt = shown.damage + attacking.deadly
        numbers = {"damage": dealt, "armour": target.armour, "wounds": outcome.wounds}
        found.append(reason(reasons.WOUNDS, "told", target=target.name, **numbers))
    is_killed = outcome.wounds >= target.wounds
    if is_killed:
        found.append(reason(reasons.WOUNDS, "killed", target=target.name, health=target.wounds))
    return AttackResult(outcome, is_killed, tuple(found))


def count_wounds(damage: int, armour: int) -> int:
    """Return the wounds from some damage against an armour.

    Both choices of ``zero_armour`` give one wound for each damage at armour 0.
    """
    return damage // max(1, armour)


def attack_odds(
    attacking: WeaponProfile, dice: FacesByColor, range_spaces: int, target: Target, options: Options = DEFAULTS
) -> Odds[Outcome]:
    """Return the exact odds of hit, wounds and spent ammunition, re-rolls included.

    The re-rolling player optimizes the mean number of wounds, capped at the target's remaining ones. The attacker of an
    aimed attack maximizes it, a dodging target minimizes it. With ``dodge_choice`` at ``attacker``, the attacker
    answers a dodge and must pick at least one die. The fewest dice decide a tie. Aim and dodge cancel out.

    Raises:
        BadValue: the dice table lacks a colour.
    """
    unknown = sorted(color for color, count in attacking.dice.items() if count and color not in dice)
    if unknown:
        raise BadValue(
            said("the dice table has no {unknown} die; fill in its faces", unknown=unknown[0]),
            field=f"dice.{unknown[0]}",
        )
    if attacking.ammo == 0:
        return Odds.certain(Outcome(False, 0, False))
    return _Rerolls(attacking, dice, range_spaces, target, options).odds()


def hit_chance(odds: Odds[Outcome]) -> Fraction:
    """Return the chance that the attack hits."""
    return odds.chance(lambda outcome: outcome.hits)


def kill_chance(odds: Odds[Outcome], target: Target) -> Fraction:
    """Return the chance that the target loses its last wound."""
    return odds.chance(lambda outcome: outcome.wounds >= target.wounds)


def _settle(shown: Shown, attacking: WeaponProfile, range_spaces: int, target: Target, options: Options) -> Outcome:
    reaches = shown.range + attacking.accuracy >= range_spaces
    if attacking.is_melee and options["melee_range_roll"] == "no_check":
        reaches = True
    hits = reaches and not shown.miss
    dealt = count_wounds(shown.damage + attacking.deadly, target.armour) if hits else 0
    return Outcome(hits, dealt, shown.ammo and attacking.ammo is not None)


def _explain_rerolls(attacking: WeaponProfile, target: Target) -> Iterator[Reason]:
    if attacking.is_aimed and target.dodges:
        yield reason(reasons.REROLL, "cancel")
    elif attacking.is_aimed:
        yield reason(reasons.REROLL, "aimed")
    elif target.dodges:
        yield reason(reasons.REROLL, "dodged", target=target.name)


def _explain_hit(shown: Shown, outcome: Outcome, attacking: WeaponProfile, range_spaces: int) -> Iterator[Reason]:
    if attacking.accuracy:
        yield reason(reasons.ACCURACY, "told", change=attacking.accuracy)
    if shown.miss:
        yield reason(reasons.HIT, "miss", attacker=attacking.name)
        return
    reached = shown.range + attacking.accuracy
    phrase = "hit" if outcome.hits else "short"
    yield reason(reasons.HIT, phrase, attacker=attacking.name, reached=reached, range=range_spaces)


_Colored = tuple[str, Face]
_Pool = tuple[tuple[str, int], ...]


class _Rerolls:
    """The odds of one attack with a choice of dice to roll again.

    There are far too many hands of six dice to enumerate. So equal hands count once (`handfuls`). A choice consists of
    the kept faces and the colours to roll again. The caches hold the odds of each such pair.
    """

    def __init__(
        self, attacking: WeaponProfile, dice: FacesByColor, range_spaces: int, target: Target, options: Options
    ) -> None:
        self.attacking, self.range_spaces, self.target, self.options = attacking, range_spaces, target, options
        self.dice = dice
        self.pool: _Pool = tuple(sorted((color, count) for color, count in attacking.dice.items() if count))
        aims, dodges = attacking.is_aimed and not target.dodges, target.dodges and not attacking.is_aimed
        self.has_choice = aims or dodges
        self.attacker_chooses = aims or options["dodge_choice"] == "attacker"
        self.must_choose = dodges and self.attacker_chooses
        self.pool_odds = lru_cache(maxsize=None)(self._pool_odds)
        self.outcomes = lru_cache(maxsize=None)(self._outcomes)
        self.mean_wounds = lru_cache(maxsize=None)(self._mean_wounds)

    def odds(self) -> Odds[Outcome]:
        """Return the odds of the outcome under the best choice."""
        if not self.has_choice:
            return self.pool_odds(self.pool).map(self.outcome)
        return self._hands().then(self._after_choice)

    def outcome(self, shown: Shown) -> Outcome:
        """Return the outcome of the final dice."""
        return _settle(shown, self.attacking, self.range_spaces, self.target, self.options)

    def _hands(self) -> Odds[tuple[_Colored, ...]]:
        hands: Odds[tuple[_Colored, ...]] = Odds.certain(())
        for color, count in self.pool:
            colored = Odds.uniform([(color, face) for face in self.dice[color]])
            hands = hands.combine(handfuls(colored, count), lambda a, b: a + b)
        return hands

    def _after_choice(self, hand: tuple[_Colored, ...]) -> Odds[Outcome]:
        best: tuple[Shown, _Pool] | None = None
        for choice in self._choices(hand):
            if best is None or self._is_better(self.mean_wounds(*choice), self.mean_wounds(*best)):
                best = choice
        return self.outcomes(*best) if best else Odds.certain(self.outcome(_sum_faces(face for _, face in hand)))

    def _choices(self, hand: tuple[_Colored, ...]) -> list[tuple[Shown, _Pool]]:
        """Return each choice as the sum of the kept dice and the colours to roll again, fewest re-rolls first."""
        counts = count_each(hand)
        choices: list[tuple[int, Shown, _Pool]] = []
        for taken in product(*(range(many + 1) for many in counts.values())):
            if self.must_choose and not any(taken):
                continue
            again: dict[str, int] = {}
            kept = Shown()
            for ((color, face), many), away in zip(counts.items(), taken, strict=True):
                if away:
                    again[color] = again.get(color, 0) + away
                for _ in range(many - away):
                    kept |= face
            choices.append((sum(taken), kept, tuple(sorted(again.items()))))
        choices.sort(key=lambda choice: choice[0])
        return [(kept, again_pool) for _, kept, again_pool in choices]

    def _is_better(self, mean: Fraction, than: Fraction) -> bool:
        return mean > than if self.attacker_chooses else mean < than

    def _mean_wounds(self, kept: Shown, again: _Pool) -> Fraction:
        return self.outcomes(kept, again).mean(lambda outcome: min(outcome.wounds, self.target.wounds))

    def _outcomes(self, kept: Shown, again: _Pool) -> Odds[Outcome]:
        return self.pool_odds(again).map(lambda shown: self.outcome(kept | shown))

    def _pool_odds(self, pool: _Pool) -> Odds[Shown]:
        """Return the odds of the sum of dice of these colours."""
        odds: Odds[Shown] = Odds.certain(Shown())
        for color, count in pool:
            one = Odds.uniform(self.dice[color])
            for _ in range(count):
                odds = odds.combine(one, lambda shown, face: shown | face)
        return odds


def _sum_faces(faces: Iterable[Face]) -> Shown:
    shown = Shown()
    for face in faces:
        shown |= face
    return shown
