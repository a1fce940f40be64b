"""Where an attack of DOOM 2004 is aimed: a space, who stands there, and what the table says of it (rules B1, B2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as with_parts
from math import floor
from typing import Any, NamedTuple

from assistant.documents import ruling_document
from assistant.games.doom2004.match.setup import CellPair
from assistant.games.doom2004.match.state import Match2004
from assistant.games.doom2004.rules.areas import blast
from assistant.match.game import MARINES
from assistant.match.ground import board_of, require_on_board
from assistant.rules.ruling import Ruling
from assistant.table.board import Board, Figure

EMPTY_SPACE = "empty-space"
"""What a ruling calls the target where nobody stands."""


class Aim(NamedTuple):
    """The ruling on a space that is attacked, and whom the attack would hit there, who stands there first."""

    ruling: dict[str, Any]
    targets: tuple[str, ...]


def aim_at(game: Match2004, attacker: str, target: str | None, space: CellPair | None, radius: int) -> Aim:
    """What the table of this moment says of an attack on a space, or on whichever space of a figure is seen best.

    “Tenga en cuenta que el jugador atacante designa un espacio para atacar, y no necesariamente otra figura” (seed
    002): nobody need stand there.

    Args:
        game: the match, with a table.
        attacker: who attacks.
        target: the figure, where no space is named.
        space: the space that is named.
        radius: how far an explosion reaches, 0 for none.

    Raises:
        IllegalStep: the board has no such space.
        UnknownName: there is no such figure on the board.
    """
    board = board_of(game)
    if space is not None:
        require_on_board(game, (space,))
        there = board.figure_at.get(space)
        target = None if there is None else there.id
    ruling = ruling_document(_rule(game, board, attacker, target, space), game.rules.rules)
    own = () if target is None else (target,)
    if not radius:
        return Aim(ruling, own)
    hit = find_hit(game, space or find_space(game, ruling), radius)
    return Aim(ruling, (*own, *(name for name in hit if name not in own)))


def find_space(game: Match2004, ruling: Mapping[str, Any]) -> CellPair:
    """The space that a ruling's sight line leads to; for a target out of sight its first."""
    ends = [line["to"] for line in ruling["lines"] if line["blocked_by"] is None]
    return (floor(ends[0][0]), floor(ends[0][1])) if ends else game.piece(ruling["defender"]).cells[0]


def find_hit(game: Match2004, center: CellPair, radius: int) -> tuple[str, ...]:
    """Who is hit by an explosion on a space, each figure once (B5)."""
    return blast(game.rules.on(board_of(game)), center, radius).figures


def _rule(game: Match2004, board: Board, attacker: str, target: str | None, space: CellPair | None) -> Ruling:
    if target is not None:
        asked = game.rules if space is None else game.rules.into_space(space)
        return asked.rule(board, attacker, target)
    assert space is not None, "who names no figure names a space"
    nobody = Figure(EMPTY_SPACE, EMPTY_SPACE, MARINES, (space,))
    return game.rules.rule(with_parts(board, figures=(*board.figures, nobody)), attacker, EMPTY_SPACE)
