"""The exact odds of a melee round in ``roads``, with the players' choices.

Both fighters' dice are independent. Only two numbers of each hand matter: its gain for its owner and, by confusion, for
the enemy (`_Score`). So each hand is solved alone, and the two distributions are combined by their margin. Choices are
solved from the last to the first. The enemy's shield decides after hatred. Hatred keeps the part of the hand with the
best mean over all re-rolls and the shield's answer. Unordered handfuls keep this small: 8 dice have 1,287 of them
instead of 1,679,616 sequences.

More than ``MAX_DICE`` dice have no odds here. The fight itself has no such limit.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS
from assistant.games.roads.rules.melee import (
    Fighter,
    MeleeRoll,
    Options,
    best_die,
    compare_results,
    count_confusion,
    count_criticals,
    count_dice,
    find_print_fix,
    strike_down,
    sum_fixed_part,
)
from assistant.rules.odds import Odds, count_each, die, handfuls
from assistant.translations.messages import said

MAX_DICE = 8
"""Limit of attack dice for odds. More would take longer than anybody waits."""


def has_odds(pair: tuple[Fighter, Fighter], options: Options = DEFAULTS) -> bool:
    """Return whether both fighters stay within the dice limit for odds."""
    return max(count_dice(fighter, options) for fighter in pair) <= MAX_DICE


def melee_odds(attacker: Fighter, defender: Fighter, options: Options = DEFAULTS) -> Odds[tuple[str | None, int]]:
    """Return the exact odds of each winner and number of hits; ``(None, 0)`` is a draw.

    A player who may re-roll chooses the best mean margin of the results. First hatred re-rolls any of the fighter's own
    dice. Then a shield forces the re-roll of the highest die, unless that would help the enemy. Ties go to fewer
    re-rolled dice.

    Raises:
        BadValue: a fighter has more than ``MAX_DICE`` attack dice.
    """
    pair = (attacker, defender)
    if attacker.has("down") or defender.has("down"):
        duel = strike_down(pair, options)
        return Odds.certain((duel.winner, duel.hits))
    if not has_odds(pair, options):
        raise BadValue(said("the odds are worked out for up to {most} attack dice a fighter", most=MAX_DICE))
    blocks = attacker.has("shield") != defender.has("shield")
    mine = _hand_odds(attacker, blocks and defender.has("shield"), options)
    yours = _hand_odds(defender, blocks and attacker.has("shield"), options)

    def margin(a: tuple[int, int], b: tuple[int, int]) -> int:
        return sum_fixed_part(attacker) + a[0] + b[1] - sum_fixed_part(defender) - b[0] - a[1]

    def outcome(difference: int) -> tuple[str | None, int]:
        duel = compare_results(pair, (difference, 0), options)
        return duel.winner, duel.hits

    return mine.combine(yours, margin).map(outcome)


def mean_hits(odds: Odds[tuple[str | None, int]], winner: str) -> Fraction:
    """Return the mean number of hits that one fighter deals."""
    return odds.mean(lambda outcome: outcome[1] if outcome[0] == winner else 0)


def _hand_odds(fighter: Fighter, is_blocked: bool, options: Options) -> Odds[tuple[int, int]]:
    """Return the odds of a fighter's score."""
    hands = _Hands(fighter, is_blocked, options)
    rolled = _list_throws(count_dice(fighter, options))
    return rolled.then(hands.after_hatred)


_Score = tuple[int, int]
"""A hand's gain for its owner and, by confusion, for the enemy."""


class _Hands:
    """The players' choices over one fighter's dice, solved from the last to the first."""

    def __init__(self, fighter: Fighter, is_blocked: bool, options: Options) -> None:
        self.fighter = fighter
        self.is_blocked = is_blocked
        self.options = options
        self.after_block = lru_cache(maxsize=None)(self._after_block)
        self.mean_after_block = lru_cache(maxsize=None)(lambda roll: self.after_block(roll).mean(_margin))
        self.after_keeping = lru_cache(maxsize=None)(self._after_keeping)
        self.mean_after_keeping = lru_cache(maxsize=None)(self._mean_after_keeping)

    def score(self, roll: MeleeRoll) -> _Score:
        best = best_die(self.fighter, roll, self.options)
        own = (
            best + count_criticals(self.fighter, roll, self.options) + find_print_fix(self.fighter, best, self.options)
        )
        return own, count_confusion(roll, self.options)

    def after_hatred(self, hand: tuple[int, ...]) -> Odds[_Score]:
        """Return the odds of a rolled hand after the best re-roll by hatred."""
        if not self.fighter.has("hateful"):
            return self.after_block(MeleeRoll(hand))
        choices = [(kept, len(hand) - len(kept), self._list_lost(hand, kept)) for kept in _list_kept_parts(hand)]
        means = [self.mean_after_keeping(*choice) for choice in choices]
        return self.after_keeping(*choices[means.index(max(means))])

    def _list_lost(self, hand: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...]:
        """Return re-rolled faces that still count: the ones, if the house counts them once rolled."""
        if self.options["confusion_counts"] == "final_dice":
            return ()
        return (1,) * (hand.count(1) - kept.count(1))

    def _after_block(self, roll: MeleeRoll) -> Odds[_Score]:
        """Return the odds of a roll after the enemy's shield, which re-rolls only if that lowers the mean margin."""
        score = self.score(roll)
        if not self.is_blocked:
            return Odds.certain(score)
        highest = max(roll.final)
        count = roll.final.count(highest) if self.options["block_reroll_all_equal"] == "all" else 1
        taken = (highest,) * count
        kept = _remove_dice(roll.final, taken)
        replaced = roll.replaced + self._list_lost(taken, ())
        again = _list_throws(count).map(lambda new: self.score(_join_hand(kept, new, replaced)))
        return again if again.mean(_margin) < _margin(score) else Odds.certain(score)

    def _after_keeping(self, kept: tuple[int, ...], count: int, replaced: tuple[int, ...]) -> Odds[_Score]:
        return _list_throws(count).then(lambda new: self.after_block(_join_hand(kept, new, replaced)))

    def _mean_after_keeping(self, kept: tuple[int, ...], count: int, replaced: tuple[int, ...]) -> Fraction:
        return _mean(count, lambda new: self.mean_after_block(_join_hand(kept, new, replaced)))


def _margin(score: _Score) -> int:
    """Return the contribution of dice to the margin of the results."""
    return score[0] - score[1]


@lru_cache(maxsize=MAX_DICE + 1)
def _list_throws(count: int) -> Odds[tuple[int, ...]]:
    """Return the odds of each handful of that many dice."""
    return handfuls(die(6), count)


@lru_cache(maxsize=MAX_DICE + 1)
def _count_ways(count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the handfuls of that many dice, each with the number of its sequences."""
    return tuple((hand, int(chance * 6**count)) for hand, chance in _list_throws(count))


def _mean(count: int, measure: Callable[[tuple[int, ...]], int | Fraction]) -> Fraction:
    """Return the mean of a measure over all throws, in sums of integers for speed: hatred calls this very often."""
    return Fraction(sum(ways * measure(hand) for hand, ways in _count_ways(count)), 6**count)


def _join_hand(kept: tuple[int, ...], new: tuple[int, ...], replaced: tuple[int, ...]) -> MeleeRoll:
    return MeleeRoll(tuple(sorted(kept + new)), replaced)


def _list_kept_parts(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every part of a hand that a player can keep, the largest first."""
    counts = count_each(hand)
    choices = product(*(range(many + 1) for many in counts.values()))
    parts = [tuple(value for value, many in zip(counts, kept, strict=True) for _ in range(many)) for kept in choices]
    return sorted(parts, key=len, reverse=True)


def _remove_dice(hand: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    left = list(hand)
    for value in taken:
        left.remove(value)
    return tuple(left)
