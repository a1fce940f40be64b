"""Tests, psychology, climbs, jumps, falls and shots of ``roads``: the rolls and their exact chances.

Sources: the headings of seed 003 in each rule of ``reasons``, facts C1 and C3 to C5. The known fragment lacks the roll
of a shot, ranges, the value of cover and the effect of a hit. This module covers nothing beyond the fragment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, prod
from typing import Literal

from assistant.errors import BadValue
from assistant.games.roads.rules import DEFAULTS, reasons
from assistant.rules.odds import Odds, die, total
from assistant.rules.reasons import reason
from assistant.rules.ruling import Reason
from assistant.translations.messages import said

Options = Mapping[str, str]
StepCount = Fraction | int

GAP_LIMIT_STEPS = 1
JUMP_DOWN_LIMIT_STEPS = 2


@dataclass(frozen=True)
class CheckOdds:
    """An attempt: its chance, its possible damage, and the reasons.

    ``damage`` is the distribution over all outcomes, with 0 for a success.
    """

    chance: Fraction
    damage: Odds[int]
    reasons: tuple[Reason, ...]


def passes(value: int, rolled: int, options: Options = DEFAULTS) -> bool:
    """Return whether a D6 passes a test on a characteristic: up to its value, and no 6 by that house option."""
    if rolled == 6 and options["natural_six"] == "fails":
        return False
    return rolled <= value


def pass_chance(value: int, options: Options = DEFAULTS) -> Fraction:
    """Return the chance of such a test."""
    return die(6).chance(lambda rolled: passes(value, rolled, options))


def is_rout_due(starting: int, out: int, options: Options = DEFAULTS) -> bool:
    """Return whether a side with these losses must take a rout test at the start of its turn.

    Raises:
        BadValue: more models are out than the side had, or it had none.
    """
    if not 0 <= out <= starting or starting == 0:
        raise BadValue(said("{out} of {starting} models cannot be out", out=out, starting=starting))
    if options["rout_third"] == "percent_33":
        return 100 * out >= 33 * starting
    return 3 * out >= starting


def rout_spirit(leader_spirit: int | None, others: Iterable[int]) -> int:
    """Return the Spirit of a rout test: the leader's or, with the leader out or down (None), the best standing one.

    Raises:
        BadValue: no model stands.
    """
    spirit = max(others, default=None) if leader_spirit is None else leader_spirit
    if spirit is None:
        raise BadValue(said("no model of this side is standing, so none can take the test"))
    return spirit


def check_rout(starting: int, out: int, spirit: int, options: Options = DEFAULTS) -> CheckOdds:
    """Return the chance of a side's rout test."""
    due = is_rout_due(starting, out, options)
    chance = pass_chance(spirit, options) if due else Fraction(1)
    phrase = "due" if due else "not_due"
    why = reason(reasons.ROUT, phrase, out=out, starting=starting, spirit=spirit, chance=str(chance))
    return CheckOdds(chance, Odds.certain(0), (why,))


def escape(name: str, spirit: int, opponents: int, options: Options = DEFAULTS) -> CheckOdds:
    """Return the test of a model alone against two or more; ``damage`` counts the automatic hits if it breaks."""
    chance = pass_chance(spirit, options)
    hits = Odds({0: chance, opponents: 1 - chance}) if opponents else Odds.certain(0)
    why = reason(reasons.ESCAPE, "told", figure=name, spirit=spirit, chance=str(chance), hits=opponents)
    return CheckOdds(chance, hits, (why,))


def check_fear(name: str, spirit: int, *, is_charging: bool, options: Options = DEFAULTS) -> CheckOdds:
    """Return the fear test of a charging or a charged model."""
    chance = pass_chance(spirit, options)
    why = reason(reasons.FEAR, "charging" if is_charging else "charged", figure=name, spirit=spirit, chance=str(chance))
    return CheckOdds(chance, Odds.certain(0), (why,))


def climb(
    mobility: int, height_steps: StepCount, *, is_descent: bool = False, options: Options = DEFAULTS
) -> CheckOdds:
    """Return the chance of this turn's part of a climb up or down.

    Raises:
        BadValue: the height is not above 0.
    """
    if height_steps <= 0:
        raise BadValue(said("a climb needs a height above 0 steps"))
    numbers = {"height": float(height_steps), "mobility": mobility}
    if height_steps > mobility:
        return CheckOdds(Fraction(0), Odds.certain(0), (reason(reasons.CLIMB, "too_high", **numbers),))
    rise = climb_steps(mobility, height_steps, options)
    chance = pass_chance(mobility, options)
    damage = _on_failure(chance, fall_damage(height_steps, options)) if is_descent else Odds.certain(0)
    why = reason(
        reasons.CLIMB,
        "down" if is_descent else "up",
        rise=float(rise),
        cost=float(2 * rise),
        chance=str(chance),
        **numbers,
    )
    return CheckOdds(chance, damage, (why,))


def climb_steps(mobility: int, height_steps: StepCount, options: Options = DEFAULTS) -> Fraction:
    """Return the part of a height climbed in one movement phase. Each step up costs two of the movement."""
    if height_steps > mobility:
        return Fraction(0)
    limit = Fraction(mobility) if options["climb_limit"] == "mobility_only" else Fraction(mobility, 2)
    return min(limit, Fraction(height_steps))


def jump_gap(
    mobility: int,
    width_steps: StepCount,
    movement_left_steps: StepCount,
    depth_steps: StepCount,
    options: Options = DEFAULTS,
) -> CheckOdds:
    """Return the chance of a jump across a gap. A failure, or too little movement, is a fall to the bottom.

    Raises:
        BadValue: the gap is too wide to try.
    """
    if width_steps > GAP_LIMIT_STEPS:
        raise BadValue(
            said(
                "a gap of {width_steps} steps is too wide; the limit is {most}",
                width_steps=float(width_steps),
                most=GAP_LIMIT_STEPS,
            )
        )
    fallen = fall_damage(depth_steps, options)
    numbers = {"width": float(width_steps), "left": float(movement_left_steps)}
    if movement_left_steps < width_steps:
        return CheckOdds(Fraction(0), fallen, (reason(reasons.GAP, "short", **numbers),))
    chance = pass_chance(mobility, options)
    why = reason(reasons.GAP, "test", chance=str(chance), **numbers)
    return CheckOdds(chance, _on_failure(chance, fallen), (why,))


def jump_down(
    mobility: int, height_steps: StepCount, *, leap_steps: StepCount | None = None, options: Options = DEFAULTS
) -> CheckOdds:
    """Return the chance of a jump down: one test for each full step, and a fall from the start after any failure.

    ``leap_steps`` is the X of a giant leap, whose height counts from its highest point.

    Raises:
        BadValue: the jump is too high.
    """
    limit = JUMP_DOWN_LIMIT_STEPS if leap_steps is None else leap_steps
    if not 0 <= height_steps <= limit:
        raise BadValue(
            said(
                "a jump down goes from 0 to {limit} steps, not {height_steps}",
                limit=float(limit),
                height_steps=float(height_steps),
            )
        )
    tests = count_jump_tests(height_steps)
    chance = pass_chance(mobility, options) ** tests
    why = reason(reasons.JUMP_DOWN, "told", height=float(height_steps), tests=tests, chance=str(chance))
    return CheckOdds(chance, _on_failure(chance, fall_damage(height_steps, options)), (why,))


def fall_damage(height_steps: StepCount, options: Options = DEFAULTS) -> Odds[int]:
    """Return the damage of a fall: D3 a step, without armour or criticals."""
    return total(die(3) for _ in range(count_fall_dice(height_steps, options)))


def count_fall_dice(height_steps: StepCount, options: Options = DEFAULTS) -> int:
    """Return the number of D3 for a fall."""
    return floor(height_steps) if options["jump_height_partial"] == "floor_both" else ceil(height_steps)


def count_jump_tests(height_steps: StepCount) -> int:
    """Return the number of tests for a jump down: one for each full step (“Прыжок вниз”)."""
    return floor(height_steps)


def evades(reaction: int, shot: int) -> bool:
    """Return whether a target's reaction beats the shot; a tie goes to the shooter.

    Source: “Стрельба” (seed 003) for shooting first; inferred for ducking and taking cover.
    """
    return reaction > shot


def shoot_first(target_mobility: int, shooter_mobility: int) -> CheckOdds:
    """Return the chance to shoot first. Ties go to the announced shooter."""
    wins = die(6).combine(die(6), lambda own, theirs: evades(own + target_mobility, theirs + shooter_mobility))
    chance = wins.chance(bool)
    numbers = {"target": target_mobility, "shooter": shooter_mobility}
    return CheckOdds(chance, Odds.certain(0), (reason(reasons.SHOOT_FIRST, "told", chance=str(chance), **numbers),))


WatchTarget = Literal["steady", "fleeting", "charging_the_watcher"]


def watch_modifier(target: WatchTarget, options: Options = DEFAULTS) -> int:
    """Return the modifier to hit on overwatch: -1 at a target that appears, disappears or charges the shooter."""
    return 0 if target == "steady" and options["watch_minus1"] == "named_cases" else -1


def watch(name: str, target: WatchTarget, options: Options = DEFAULTS) -> Reason:
    """Return the modifier on overwatch, with its reason."""
    change = watch_modifier(target, options)
    return reason(reasons.WATCH, "told" if change else "free", figure=name, change=change)


def ambush(witness_mobilities: Iterable[int], options: Options = DEFAULTS) -> CheckOdds:
    """Return the chance that a silent, deadly shot stays hidden: every witness fails its Mobility test."""
    witnesses = tuple(witness_mobilities)
    chance = prod((1 - pass_chance(mobility, options) for mobility in witnesses), start=Fraction(1))
    return CheckOdds(
        chance, Odds.certain(0), (reason(reasons.AMBUSH, "told", count=len(witnesses), chance=str(chance)),)
    )


def _on_failure(chance: Fraction, damage: Odds[int]) -> Odds[int]:
    """Return this damage after a failure, none after a success."""
    return Odds.mixed(((chance, Odds.certain(0)), (1 - chance, damage)))
