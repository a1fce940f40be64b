"""What the rules say on the table of a match: sight, the cost of moves, who stands beside a door."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from assistant.documents import ruling_document
from assistant.errors import IllegalStep
from assistant.match.game import Cells, Game, Piece
from assistant.match.ground import door_of, table_of
from assistant.rules.rulesets import RuleSet, rule_set
from assistant.rules.ruling import Ruling
from assistant.translations.messages import counted


def sight_ruling(game: Game, attacker: str, defender: str) -> Ruling:
    """The ruling on an attack on the table of this moment.

    Raises:
        IllegalStep: the match has not seen the table.
        UnknownName: a figure is not on it.
    """
    for name in (attacker, defender):
        game.piece(name)
    return rules_of(game).rule(table_of(game), attacker, defender)


def sight_document(game: Game, attacker: str, defender: str) -> dict[str, Any]:
    """The same as a ``sightline.ruling/1`` document.

    Raises:
        IllegalStep: the match has not seen the table.
        UnknownName: a figure is not on it.
    """
    return ruling_document(sight_ruling(game, attacker, defender))


def cost_of_move(game: Game, figure: str, cells: Cells, points: int) -> int:
    """The least number of points that takes a figure to these cells.

    Raises:
        IllegalStep: they cannot be reached with so many points.
    """
    wanted = tuple(sorted(cells))
    for end in rules_of(game).reach(table_of(game), figure, points).ends:
        if tuple(sorted(end.cells)) == wanted:
            return end.cost
    raise IllegalStep(
        counted(
            "{figure} cannot end there with {n} point; choose one of the cells that are shown",
            "{figure} cannot end there with {n} points; choose one of the cells that are shown",
            points,
            figure=figure,
        )
    )


def stands_at_door(game: Game, piece: Piece, door_id: str) -> bool:
    """Whether a figure is where the house has a door opened and closed from (rules A9 door_reach, B8 door_cells).

    Raises:
        IllegalStep: the table has no such door.
    """
    door_of(game, door_id)
    shut = replace(game, doors_open=tuple(name for name in game.doors_open if name != door_id))
    rules: Any = rules_of(game)  # both DOOM games have doors, `roads` has none
    return any(not cells.isdisjoint(piece.cells) for name, cells in rules.door_cells(table_of(shut)) if name == door_id)


def rules_of(game: Game) -> RuleSet[Any]:
    """The rules of the match under its house options; options of the match alone are left out."""
    known = _option_names(game.ruleset)
    return _rules(game.ruleset, tuple(sorted((k, v) for k, v in game.options.items() if k in known)))


@lru_cache(maxsize=16)
def _rules(name: str, options: tuple[tuple[str, str], ...]) -> RuleSet[Any]:
    chosen: Mapping[str, str] = dict(options)
    return rule_set(name, chosen)


@lru_cache(maxsize=4)
def _option_names(name: str) -> frozenset[str]:
    return frozenset(option.name for option in rule_set(name).option_table)
