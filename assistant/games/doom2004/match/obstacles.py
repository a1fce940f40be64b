"""Damaging obstacles on the way of a move (rules B3)."""

from __future__ import annotations

from assistant.games.doom2004.match.state import Doom2004
from assistant.games.doom2004.rules.areas import fewest_obstacle_wounds, obstacle_wounds
from assistant.games.doom2004.rules.moves import Spaces
from assistant.games.doom2004.rules.ruleset import Doom2004 as Rules
from assistant.match.game import Cells
from assistant.match.ground import table_of
from assistant.match.rulings import rules_of
from assistant.rules.grid import Grid
from assistant.table.board import Board


def wounds_of_move(game: Doom2004, figure: str, cells: Cells, cost: int) -> int:
    """The fewest wounds that a figure takes from damaging obstacles when it moves there for so many points."""
    damaging = frozenset(game.setup.damaging)
    if not damaging:
        return 0
    board, rules = table_of(game), rules_of(game)
    assert isinstance(board, Board), "DOOM 2004 is played on a board"
    assert isinstance(rules, Rules), "the rules are those of the match"
    ground = Spaces(Grid(board), board.figure(figure), rules.move_rules(), frozenset())
    start = game.piece(figure).cells
    found = fewest_obstacle_wounds(ground, start, cells, cost, damaging)
    return obstacle_wounds((start, cells), damaging) if found is None else found
