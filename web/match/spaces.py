"""What the spaces among the answers to a question are called: as they stand along the board, like the picture's."""

from __future__ import annotations

from typing import Any

from assistant.match.game import GameState
from assistant.match.ground import table_of
from assistant.table.board import Board
from assistant.table.cell_names import CellNames


def name_spaces(ask: dict[str, Any], game: GameState) -> dict[str, Any]:
    """The question with a name for every answer that is a space and has none."""
    if ask["kind"] != "spaces" or not ask["picks"]:
        return ask
    board = table_of(game)
    if not isinstance(board, Board):
        return ask
    names = CellNames.of(board)
    picks = [{**pick, "text": pick["text"] or names.short(tuple(pick["cells"][0]))} for pick in ask["picks"]]
    return {**ask, "picks": picks}
