"""Rules applied to the table of a match: sight, the cost of moves, figures beside a door."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from assistant.documents import ruling_document
from assistant.errors import IllegalStep
from assistant.match.game import Cells, GameState, Piece
from assistant.match.ground import board_of, door_of, free_table_of
from assistant.rules.capabilities import FindsReach, HasDoors
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Ruling
from assistant.translations.messages import Said, counted


def asked_on_table(game: GameState) -> Callable[[str, str], Ruling]:
    """Return a function that rules on two figures, attacker first, on the table of this moment.

    Raises:
        IllegalStep: the match has not seen the table.
    """
    rules = game.rules
    if isinstance(rules, CellRules):
        return partial(rules.rule, board_of(game))
    return partial(rules.rule, free_table_of(game))


def rule_sight(game: GameState, attacker: str, defender: str) -> Ruling:
    """Return the ruling on an attack on the table of this moment.

    Raises:
        IllegalStep: the match has not seen the table.
        UnknownName: a figure is not on it.
    """
    for name in (attacker, defender):
        game.piece(name)
    return asked_on_table(game)(attacker, defender)


def sight_document(game: GameState, attacker: str, defender: str) -> dict[str, Any]:
    """Return the same ruling as a ``sightline.ruling/1`` document.

    Raises:
        IllegalStep: the match has not seen the table.
        UnknownName: a figure is not on it.
    """
    return ruling_document(rule_sight(game, attacker, defender), game.rules.rules)


def find_move_cost(rules: FindsReach, game: GameState, figure: str, cells: Cells, points: int) -> int:
    """Return the least number of points that takes a figure to these cells.

    Raises:
        IllegalStep: the points do not suffice.
    """
    wanted = tuple(sorted(cells))
    for end in rules.reach(board_of(game), figure, points).ends:
        if tuple(sorted(end.cells)) == wanted:
            return end.cost
    raise IllegalStep(explain_unreached(figure, points))


def explain_unreached(figure: str, points: int) -> Said:
    """Explain the refusal of a move whose end is too far away or not allowed."""
    return counted(
        "{figure} cannot end there with {n} point; choose one of the cells that are shown",
        "{figure} cannot end there with {n} points; choose one of the cells that are shown",
        points,
        figure=figure,
    )


def stands_at_door(rules: HasDoors, game: GameState, piece: Piece, door_id: str) -> bool:
    """Return whether a figure stands where the house option lets it open and close a door.

    Raises:
        IllegalStep: the table has no such door.
    """
    door_of(game, door_id)
    shut = replace(game, doors_open=tuple(name for name in game.doors_open if name != door_id))
    return any(not cells.isdisjoint(piece.cells) for name, cells in rules.door_cells(board_of(shut)) if name == door_id)
