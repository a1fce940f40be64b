"""Damaging obstacles on the way of a move (rules B3)."""

from __future__ import annotations

from assistant.games.doom2004.match.state import Match2004
from assistant.games.doom2004.rules.areas import count_obstacle_wounds, find_fewest_wounds
from assistant.match.game import Cells
from assistant.match.ground import board_of


def count_move_wounds(game: Match2004, figure: str, cells: Cells, cost: int) -> int:
    """The fewest wounds that a figure takes from damaging obstacles when it moves there for so many points."""
    damaging = game.damaging
    if not damaging:
        return 0
    board = board_of(game)
    ground = game.rules.move_ground(board, figure)
    start = game.piece(figure).cells
    found = find_fewest_wounds(ground, start, cells, cost, damaging)
    return count_obstacle_wounds((start, cells), damaging) if found is None else found
