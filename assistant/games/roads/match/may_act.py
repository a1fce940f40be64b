"""Whether anybody of the side that plays could still do a thing in its phase, so that nothing is offered in vain."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.games.roads.match.jump_steps import Manoeuvre
from assistant.games.roads.match.melee_steps import Fight
from assistant.games.roads.match.model_steps import Charge, Hide, MoveModel, Watch
from assistant.games.roads.match.psychology import find_bound_to_charge, find_charge_targets
from assistant.games.roads.match.shot_steps import UNNAMED, Shoot
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.match.weapons import carried
from assistant.match.chance import Chance


def may_act(game: MatchRoads, deed: str) -> bool:
    """Whether a model of the side that plays may still do that; where only people can tell, it may.

    Args:
        game: the game.
        deed: the type of a step; of a move, how.
    """
    return any(_TRIALS[deed](game, piece.id) for piece in game.standing(game.active))


def _may_charge(game: MatchRoads, name: str) -> bool:
    if find_charge_targets(game, name) == ():
        return False
    return any(Charge(figure=name, target=enemy).is_allowed(game) for enemy in _list_enemies(game))


def _may_manoeuvre(game: MatchRoads, name: str) -> bool:
    """The smallest of them stands for all; a model that must charge may do so out of a jump."""
    return name in find_bound_to_charge(game) or Manoeuvre(figure=name, kind="gap").is_allowed(game)


def _may_shoot(game: MatchRoads, name: str) -> bool:
    """At anybody who may be shot at, with anything it has; whom it sees is asked when it shoots."""
    shown = next((enemy for enemy in _list_enemies(game) if Mark.HIDDEN not in game.piece(enemy).marks), None)
    if shown is None:
        return False
    shots = (Shoot(figure=name, target=shown, weapon=weapon) for weapon in (UNNAMED, *carried(game, name)))
    return any(shot.is_allowed(game) for shot in shots)


def _may_fight(game: MatchRoads, name: str) -> bool:
    enemies = game.opponents_of(name) if game.ground else _list_enemies(game)
    fights = (Fight(fighters=(name, enemy)).settle(game, Chance("what if")) for enemy in enemies)
    return any(fight.is_allowed(game) for fight in fights)


def _list_enemies(game: MatchRoads) -> tuple[str, ...]:
    return tuple(piece.id for piece in game.standing() if piece.side != game.active)


_TRIALS: Mapping[str, Callable[[MatchRoads, str], bool]] = {
    "watch": lambda game, name: Watch(figure=name).is_allowed(game),
    "walk": lambda game, name: MoveModel(figure=name).is_allowed(game),
    "run": lambda game, name: MoveModel(figure=name, how="run").is_allowed(game),
    "charge": _may_charge,
    "manoeuvre": _may_manoeuvre,
    "hide": lambda game, name: Hide(figure=name).is_allowed(game),
    "shoot": _may_shoot,
    "react": _may_shoot,
    "fight": _may_fight,
}
