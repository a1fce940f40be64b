"""Which doubts about the ground would make an answer another one, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.rules.pairing import outcome_of
from assistant.rules.phrases_doubt import doubt_rule
from assistant.rules.reasons import reason
from assistant.rules.ruling import Flip, Reason, Ruling, Verdict
from assistant.rules.stability import Ask, answer_on
from assistant.table.board import Board
from assistant.table.doubt import DoubtfulBoard, GroundDoubt, GroundVariant
from assistant.table.lattice import Cell, grow


def ground_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Iterator[tuple[Flip, Reason]]:
    """The grounds that the camera left open, each taken alone, on which the answer would be another one.

    Args:
        ask: what ruled.
        table: what it ruled on, with its doubts.
        ruling: the ruling on the board.
    """
    now = Verdict(ruling.range, ruling.line_of_sight, ruling.cover)
    for doubt, grounds in zip(table.ground_doubts, table.other_grounds, strict=True):
        for variant, ground in zip(doubt.variants, grounds, strict=True):
            then = None if ground.board is None else answer_on(ask, ground.board, ruling)
            if then != now:
                told = (None, None, None) if then is None else then
                named = tuple(name for name in (doubt.tile, variant.tile) if name is not None)
                flip = Flip("ground", named, tuple(sorted(doubt.cells)), variant.chance, *told)
                yield flip, _worded(doubt, variant, _shown_cell(doubt, table.board, ruling), ruling, now, then)


def _shown_cell(doubt: GroundDoubt, board: Board, ruling: Ruling) -> Cell:
    """A cell of the board by which people find the tile: its first, rather one that attacker or defender stands on."""
    on_board = doubt.cells & board.cells or grow(doubt.cells) & board.cells or doubt.cells
    stood_on = {cell for name in (ruling.attacker, ruling.defender) for cell in board.figure(name).cells}
    return min(on_board & stood_on or on_board)


def _worded(
    doubt: GroundDoubt, variant: GroundVariant, cell: Cell, ruling: Ruling, now: Verdict, then: Verdict | None
) -> Reason:
    told: dict[str, Any] = {
        "cell": cell,
        "percent": max(1, round(100 * variant.chance)),
        "outcome": {"term": "nobody"} if then is None else outcome_of(now, then),
    }
    rule = doubt_rule(ruling.ruleset)
    if doubt.tile is not None and variant.tile is not None:
        return reason(rule, "tile", tile=doubt.tile, other=variant.tile, **told)
    if doubt.tile is not None:
        return reason(rule, "no-tile", tile=doubt.tile, **told)
    if variant.tile is not None:
        return reason(rule, "more-tile", other=variant.tile, **told)
    return reason(rule, "strange-tile", **told)
