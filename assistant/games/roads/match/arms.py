"""Which weapons a model has in its hands, and what they can do in melee and at a distance."""

from __future__ import annotations

from fractions import Fraction

from assistant.games.roads.match.marks import SHOT
from assistant.games.roads.match.setup import WeaponSetup
from assistant.games.roads.match.state import MatchRoads

FISTS = "fists"
HANDS = 2


def weapon(game: MatchRoads, name: str) -> WeaponSetup | None:
    """What the set-up knows of a weapon."""
    return game.setup.arms.get(name)


def is_of_kind(game: MatchRoads, name: str, kind: str) -> bool:
    """Whether a weapon is known to be of that kind."""
    known = weapon(game, name)
    return known is not None and known.kind == kind


def in_hand(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The weapons that a model holds now."""
    return game.wielded.get(figure, game.fighter(figure).weapons)


def carried(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Everything that a model could hold, in the order of its sheet."""
    fighter = game.fighter(figure)
    return (*fighter.weapons, *fighter.carries)


def count_hands(game: MatchRoads, figure: str) -> int:
    """How many weapons a model holds at once: two, or as many as its sheet shows in its hands."""
    return max(HANDS, len(game.fighter(figure).weapons))


def melee_weapons(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The weapons that a model strikes with (“Оружие”): no bulky ones, whose bearer has but one hand left.

    Thrown ones that were used up are gone; who is left with nothing uses his fists.
    """
    held = [name for name in in_hand(game, figure) if name not in game.spent.get(figure, ()) or _is_blade(game, name)]
    useful = [name for name in held if not is_of_kind(game, name, "bulky")]
    if len(useful) < len(held):
        useful = useful[: HANDS - 1]
    return tuple(useful) or (FISTS,)


def list_unfired(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The weapons that a model is known to carry and could still shoot with in this turn."""
    gone = {*game.spent.get(figure, ()), *game.fired.get(figure, ())}
    return tuple(name for name in carried(game, figure) if may_shoot_with(game, name) and name not in gone)


def may_shoot_with(game: MatchRoads, name: str) -> bool:
    """Whether a weapon is known to shoot, or to be thrown."""
    known = weapon(game, name)
    return known is not None and known.kind != "melee"


def has_shot_left(game: MatchRoads, figure: str) -> bool:
    """Whether a model has “еще … не стрелявшее в этом ходу оружие” (“Стрельба на опережение”).

    Whose weapons the set-up does not describe has one, until it has shot.
    """
    if list_unfired(game, figure):
        return True
    unknown = any(weapon(game, name) is None for name in carried(game, figure))
    return unknown and SHOT not in game.piece(figure).marks


def is_out_of_range(game: MatchRoads, figure: str, target: str, name: str) -> bool:
    """Whether a target is known to be farther than a weapon reaches."""
    known, distances = weapon(game, name), game.distances()
    if known is None or known.range_steps is None or distances is None:
        return False
    figures = distances.table.figure_by_id
    if figure not in figures or target not in figures:
        return False
    return not distances.is_within(figures[figure], figures[target], Fraction(str(known.range_steps)))


def _is_blade(game: MatchRoads, name: str) -> bool:
    known = weapon(game, name)
    return known is None or known.kind == "melee"
