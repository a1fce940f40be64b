"""Melee of ``roads``: the result of given dice, step by step.

Source: the section on the close-combat phase of the fragment (seed 003), facts C2 and C3. The fragment does not define
the effect of a hit, so the result ends with the number of hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS, reasons
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import said

Condition = Literal[
    "charged", "higher", "across_cover", "jumping", "shield", "afraid", "terrified",
    "frenzied", "painless", "hateful", "dulled", "down",
]  # fmt: skip
"""Conditions of a fighter in this round, in order: charged this turn, stands higher, strikes at an enemy in cover or
across an obstacle, attacks out of a jump, carries a shield, failed its fear test, was drawn in while in terror, is in
frenzy, feels no pain, hates this enemy in the first round, failed its stupidity test, is knocked down."""

Options = Mapping[str, str]
"""House options: their choices by name."""


@dataclass(frozen=True)
class Fighter:
    """One side of a duel.

    ``dice`` counts the attack dice of the profile, without those for weapons, numbers and jumps. ``excess`` is its
    side's majority. ``adds`` is the bonus of abilities to its result. ``tie_extra_hits`` counts the hits that its
    weapon adds to a won tie (option ``tie_hits``).

    Raises:
        BadValue: a number is out of its range.
    """

    name: str
    mobility: int
    toughness: int
    combat: int
    wounds: int = 0
    dice: int = 1
    weapons: tuple[str, ...] = ("fists",)
    excess: int = 0
    adds: int = 0
    conditions: frozenset[Condition] = frozenset()
    tie_extra_hits: int = 0

    def __post_init__(self) -> None:
        numbers = (self.mobility, self.toughness, self.combat, self.wounds, self.excess, self.tie_extra_hits)
        if min(numbers) < 0:
            raise BadValue(said("the numbers of “{name}” must not be negative", name=self.name), field="wounds")
        if self.dice < 1 or not self.weapons:
            raise BadValue(
                said("“{name}” needs at least one attack die and one weapon, fists count", name=self.name),
                field="weapons",
            )

    def has(self, condition: Condition) -> bool:
        return condition in self.conditions


class MeleeRoll(NamedTuple):
    """The final dice, and the faces that re-rolls replaced."""

    final: tuple[int, ...]
    replaced: tuple[int, ...] = ()


@dataclass(frozen=True)
class Duel:
    """The result of a duel; ``winner`` is None for a draw."""

    results: tuple[int, int]
    winner: str | None
    hits: int
    steps: tuple[Reason, ...] = ()


def current_toughness(fighter: Fighter) -> int:
    """Return the toughness less the wounds, or the whole toughness of a painless or frenzied fighter."""
    if fighter.has("painless") or _is_frenzied(fighter):
        return fighter.toughness
    return max(0, fighter.toughness - fighter.wounds)


def count_outnumbering(own_count: int, enemy_count: int, others_in_contact: int, options: Options) -> int:
    """Return the majority of a fighter's side, as the house counts it."""
    if own_count <= enemy_count:
        return 0
    return others_in_contact if options["outnumber_excess"] == "others_in_contact" else own_count - enemy_count


def count_dice(fighter: Fighter, options: Options) -> int:
    """Return the number of attack dice of a fighter."""
    base, extra_weapons = fighter.dice, len(fighter.weapons) - 1
    bonus = fighter.excess + fighter.has("jumping")
    if not _is_frenzied(fighter):
        return base + extra_weapons + bonus
    if options["frenzy_outnumber_dice"] == "base_only":
        return 2 * base + extra_weapons + bonus
    return 2 * (base + bonus) + extra_weapons


def list_modifiers(fighter: Fighter) -> list[tuple[Rule, int]]:
    """List the result's modifiers that do not depend on dice, each with its rule."""
    found = [
        (reasons.CHARGE, 1 if fighter.has("charged") else 0),
        (reasons.HIGHER, 1 if fighter.has("higher") else 0),
        (reasons.ACROSS, -1 if fighter.has("across_cover") else 0),
        (reasons.JUMP_ATTACK, 1 if fighter.has("jumping") else 0),
        (reasons.OUTNUMBER, fighter.excess),
        (reasons.ABILITY, fighter.adds),
    ]
    return [(rule, change) for rule, change in found if change]


def best_die(fighter: Fighter, roll: MeleeRoll, options: Options) -> int:
    """Return the value of the highest attack die, halved after a failed fear test."""
    best = max(roll.final)
    if not _is_afraid(fighter):
        return best
    return (best + 1) // 2 if options["fear_halving_round"] == "up" else best // 2


def find_print_fix(fighter: Fighter, best: int, options: Options) -> int:
    """Return the 1 by which the rule's printed example 2 + 4 + 4 is too high, if the house follows the print."""
    numbers = (best, current_toughness(fighter), fighter.combat)
    return 1 if options["seed_example_fix"] == "printed" and numbers == (2, 4, 4) else 0


def count_criticals(fighter: Fighter, roll: MeleeRoll, options: Options) -> int:
    """Return 1 for every six after the first."""
    if options["crit_scope"] == "two_base_dice" and fighter.dice < 2:
        return 0
    if _is_afraid(fighter) and options["fear_halving_target"] == "each_die":
        return 0
    return max(0, roll.final.count(6) - 1)


def count_confusion(enemy_roll: MeleeRoll, options: Options) -> int:
    """Return 1 for every one on the enemy's dice."""
    if options["confusion_all_dice"] == "chosen_die":
        return 1 if max(enemy_roll.final) == 1 else 0
    counted = enemy_roll.final
    if options["confusion_counts"] == "ever_rolled":
        counted += enemy_roll.replaced
    return counted.count(1)


def fight(
    attacker: Fighter, defender: Fighter, rolls: tuple[MeleeRoll, MeleeRoll], options: Options = DEFAULTS
) -> Duel:
    """Return the result of a duel for given dice, with every step.

    Raises:
        BadValue: the dice do not fit the fighters.
    """
    pair = (attacker, defender)
    if attacker.has("down") or defender.has("down"):
        return strike_down(pair, options)
    for fighter, roll in zip(pair, rolls, strict=True):
        _check_dice(fighter, roll, options)
    results: list[int] = []
    steps: list[Reason] = []
    for fighter, other, own, enemy in ((*pair, *rolls), (*pair[::-1], *rolls[::-1])):
        result, why = _sum_result(fighter, own, enemy, options)
        if own.replaced and other.has("shield"):
            steps.append(reason(reasons.BLOCK, "told", fighter=fighter.name, enemy=other.name, die=own.replaced[-1]))
        results.append(result)
        steps += why
    duel = compare_results(pair, (results[0], results[1]), options)
    return Duel(duel.results, duel.winner, duel.hits, (*steps, *duel.steps))


def assign_hits(fighter: Fighter, hits: int, odd_hit: int = 0) -> tuple[str, ...]:
    """Return the weapon of each hit: weapons take turns, and the player chooses which one begins."""
    count = len(fighter.weapons)
    return tuple(fighter.weapons[(odd_hit + i) % count] for i in range(hits))


def _sum_result(fighter: Fighter, own: MeleeRoll, enemy: MeleeRoll, options: Options) -> tuple[int, list[Reason]]:
    """Return one fighter's result, with its reasons."""
    best = best_die(fighter, own, options)
    changes = [
        *list_modifiers(fighter),
        (reasons.CRITICAL, count_criticals(fighter, own, options)),
        (reasons.CONFUSION, count_confusion(enemy, options)),
        (reasons.PRINTED, find_print_fix(fighter, best, options)),
    ]
    modifiers = [reason(rule, "told", fighter=fighter.name, change=f"{each:+d}") for rule, each in changes if each]
    toughness, combat, change = current_toughness(fighter), _combat(fighter), sum(each for _, each in changes)
    result = best + toughness + combat + change
    summed = reason(
        reasons.RESULT, "told", fighter=fighter.name, die=best, toughness=toughness, combat=combat,
        change=f"{change:+d}", result=result,
    )  # fmt: skip
    return result, [*_explain_profile(fighter, max(own.final), best, options), *modifiers, summed]


def _explain_profile(fighter: Fighter, highest: int, counted: int, options: Options) -> Iterator[Reason]:
    """Yield a fighter's dice, and unusual values of its toughness and combat skill this round."""
    name, toughness = fighter.name, current_toughness(fighter)
    yield reason(reasons.DICE, "told", fighter=name, count=count_dice(fighter, options))
    if fighter.has("hateful"):
        yield reason(reasons.HATRED, "told", fighter=name)
    if counted != highest:
        yield reason(reasons.FEAR_HALVES, "told", fighter=name, die=highest, halved=counted)
    if toughness < fighter.toughness:
        yield reason(
            reasons.TOUGHNESS, "told", fighter=name, full=fighter.toughness, wounds=fighter.wounds, toughness=toughness
        )
    elif fighter.wounds:
        yield reason(reasons.UNFELT, "told", fighter=name, toughness=toughness)
    if _combat(fighter) < fighter.combat:
        yield reason(reasons.TERROR_COMBAT, "told", fighter=name)


def compare_results(pair: tuple[Fighter, Fighter], results: tuple[int, int], options: Options) -> Duel:
    """Return the winner and its hits. Equal results go to the higher Mobility, then to nobody."""
    first, second = pair
    margin, speed = results[0] - results[1], first.mobility - second.mobility
    numbers = {"result": max(results), "other": min(results)}
    if margin == 0 and speed == 0:
        return Duel(results, None, 0, (reason(reasons.OUTCOME, "draw", **numbers),))
    winner = first if (margin or speed) > 0 else second
    hits, phrase = abs(margin), "hits"
    if margin == 0:
        hits, phrase = 1 + (winner.tie_extra_hits if options["tie_hits"] == "one_plus_weapon" else 0), "tie"
    steps = [reason(reasons.OUTCOME, phrase, fighter=winner.name, hits=hits, **numbers)]
    if winner.has("dulled"):
        hits = 0
        steps.append(reason(reasons.NO_BLOWS, "told", fighter=winner.name))
    return Duel(results, winner.name, hits, tuple(steps))


def strike_down(pair: tuple[Fighter, Fighter], options: Options) -> Duel:
    """Return the result against a downed fighter: it strikes no blow, and every attack on it hits."""
    first, second = pair
    if first.has("down") and second.has("down"):
        return Duel((0, 0), None, 0, (reason(reasons.OUTCOME, "draw", result=0, other=0),))
    standing, fallen = (second, first) if first.has("down") else (first, second)
    if standing.has("dulled"):
        return Duel((0, 0), standing.name, 0, (reason(reasons.NO_BLOWS, "told", fighter=standing.name),))
    hits = count_dice(standing, options)
    why = reason(reasons.STRIKE_DOWN, "told", fighter=standing.name, enemy=fallen.name, hits=hits)
    return Duel((0, 0), standing.name, hits, (why,))


def _check_dice(fighter: Fighter, roll: MeleeRoll, options: Options) -> None:
    needed = count_dice(fighter, options)
    if len(roll.final) != needed:
        raise BadValue(
            said(
                "“{name}” rolls {needed} attack dice, not {count}",
                name=fighter.name,
                needed=needed,
                count=len(roll.final),
            )
        )
    if any(not 1 <= each <= 6 for each in roll.final + roll.replaced):
        raise BadValue(said("the attack dice of “{name}” show 1 to 6", name=fighter.name))


def _is_frenzied(fighter: Fighter) -> bool:
    """Return whether frenzy counts. A downed fighter has lost it."""
    return fighter.has("frenzied") and not fighter.has("down")


def _is_afraid(fighter: Fighter) -> bool:
    """Return whether fear counts. Frenzy ignores other psychology."""
    return fighter.has("afraid") and not _is_frenzied(fighter)


def _combat(fighter: Fighter) -> int:
    """Return the combat skill, or 0 for a fighter drawn into melee in terror."""
    return 0 if fighter.has("terrified") and not _is_frenzied(fighter) else fighter.combat


def sum_fixed_part(fighter: Fighter) -> int:
    """Return a fighter's result without its dice."""
    return current_toughness(fighter) + _combat(fighter) + sum(change for _, change in list_modifiers(fighter))
