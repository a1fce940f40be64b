"""Doubts of a camera that would flip a ruling, each taken alone: another piece, or other ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.rules.pairing import outcome_of
from assistant.rules.reasons import DIRECTIONS, doubt_rule, reason
from assistant.rules.ruling import Flip, FlipKind, Reason, Ruling, Verdict
from assistant.rules.stability import Ask, answer_on
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import (
    Doubt,
    DoubtChoice,
    DoubtfulBoard,
    GroundDoubt,
    GroundVariant,
    Variant,
    apply_choices,
)
from assistant.table.lattice import Cell, Edge, grow

MOST_NAMED = 6
"""Limit of flips in a ruling, the likeliest first. With more of them, a person should look at the table."""


def add_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Ruling:
    """Return the ruling with its likeliest flips, at most ``MOST_NAMED``, as data and in words.

    The arguments are those of ``judge_stability``.
    """
    found = sorted(_find_flips(ask, table, ruling), key=lambda pair: -pair[0].chance)[:MOST_NAMED]
    return replace(
        ruling, flips=tuple(flip for flip, _ in found), reasons=(*ruling.reasons, *(worded for _, worded in found))
    )


def _find_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Iterator[tuple[Flip, Reason]]:
    now = ruling.verdict
    for doubt in table.doubts:
        for variant in doubt.variants[1:]:
            board = apply_choices(table.board, [DoubtChoice(doubt, variant)])
            if board is None:
                continue
            then = answer_on(ask, board, ruling)
            if then != now:
                flip = _flip(doubt, variant, then)
                yield flip, _word_flip(doubt, variant, flip, ruling, now, then)
    yield from _find_ground_flips(ask, table, ruling)


class DoubtChange(NamedTuple):
    """A variant's difference from the board: kind, figures or doors, and cells, as in a `Flip`."""

    kind: FlipKind
    subjects: tuple[str, ...]
    cells: tuple[Cell, ...]


def change_of(doubt: Doubt, variant: Variant) -> DoubtChange:
    """Return how the board would differ if a variant of the doubt were true."""
    changes = [*_figure_changes(doubt.variants[0], variant), *_door_changes(doubt.variants[0], variant)]
    if len(changes) == 1:
        return changes[0]
    return DoubtChange("several", tuple(sorted(doubt.about or doubt.names)), ())


def _flip(doubt: Doubt, variant: Variant, then: Verdict | None) -> Flip:
    kind, subjects, cells = change_of(doubt, variant)
    if then is None:
        return Flip(kind, subjects, cells, variant.chance, None, None, None)
    return Flip(kind, subjects, cells, variant.chance, *then)


def _figure_changes(first: Variant, other: Variant) -> Iterator[DoubtChange]:
    before, after = ({figure.id: figure for figure in v.figures} for v in (first, other))
    for name in sorted(before.keys() | after.keys()):
        was, is_now = before.get(name), after.get(name)
        if was == is_now:
            continue
        if is_now is None:
            yield DoubtChange("remove", (name,), ())
        elif was is None:
            yield DoubtChange("add", (name,), is_now.cells)
        elif was.cells == is_now.cells:
            yield DoubtChange("kind", (name,), is_now.cells)
        else:
            yield DoubtChange("move", (name,), is_now.cells)


def _door_changes(first: Variant, other: Variant) -> Iterator[DoubtChange]:
    before, after = (dict(_list_closed(v.doors)) for v in (first, other))
    ways: tuple[tuple[FlipKind, dict[Edge, str], dict[Edge, str]], ...]
    ways = (("no-door", before, after), ("door", after, before))
    for kind, lost, kept in ways:
        edges = sorted(lost.keys() - kept.keys())
        if edges:
            cells = tuple(cell for edge in edges for cell in edge.cells)
            yield DoubtChange(kind, tuple(sorted({lost[e] for e in edges})), cells)


def _list_closed(doors: tuple[Door, ...]) -> Iterator[tuple[Edge, str]]:
    return ((edge, door.id) for door in doors if not door.open for edge in door.edges)


def _word_flip(
    doubt: Doubt, variant: Variant, flip: Flip, ruling: Ruling, now: Verdict, then: Verdict | None
) -> Reason:
    rule = doubt_rule(ruling.ruleset)
    shared: dict[str, Any] = {
        "percent": max(1, round(100 * flip.chance)),
        "outcome": {"term": "nobody"} if then is None else outcome_of(now, then),
    }
    if flip.kind in ("door", "no-door"):
        return reason(rule, flip.kind, cell=flip.cells[::2], cells=flip.cells[1::2], **shared)
    subject: Any = flip.subjects[0] if len(flip.subjects) == 1 else flip.subjects
    if not doubt.about:
        subject = {"term": "another"}  # its name is on no board
    if flip.kind in ("remove", "several"):
        return reason(rule, flip.kind, subject=subject, **shared)
    if flip.kind == "kind":
        return reason(rule, "kind", subject=subject, kind=_find_figure(variant, flip.subjects[0]).kind, **shared)
    step = _step(doubt.variants[0], flip)
    if step is None:
        return reason(rule, "stand", subject=subject, cells=flip.cells, **shared)
    return reason(rule, "step", subject=subject, direction={"term": step}, cell=flip.cells[0], **shared)


def _step(first: Variant, flip: Flip) -> str | None:
    """Return the direction of a step of one cell, or None for another move."""
    if flip.kind != "move":
        return None
    was = _find_figure(first, flip.subjects[0]).cells
    moves = {(x - x0, y - y0) for (x0, y0), (x, y) in zip(sorted(was), sorted(flip.cells), strict=False)}
    return DIRECTIONS.get(moves.pop()) if len(moves) == 1 and len(was) == len(flip.cells) else None


def _find_figure(variant: Variant, name: str) -> Figure:
    return next(figure for figure in variant.figures if figure.id == name)


def _find_ground_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Iterator[tuple[Flip, Reason]]:
    now = ruling.verdict
    for doubt, grounds in zip(table.ground_doubts, table.other_grounds, strict=True):
        for variant, ground in zip(doubt.variants, grounds, strict=True):
            then = None if ground.board is None else answer_on(ask, ground.board, ruling)
            if then != now:
                answer = (None, None, None) if then is None else then
                named = tuple(name for name in (doubt.tile, variant.tile) if name is not None)
                flip = Flip("ground", named, tuple(sorted(doubt.cells)), variant.chance, *answer)
                yield (
                    flip,
                    _word_ground_flip(doubt, variant, _shown_cell(doubt, table.board, ruling), ruling, now, then),
                )


def _shown_cell(doubt: GroundDoubt, board: Board, ruling: Ruling) -> Cell:
    """Return a cell that identifies the tile for people: one under attacker or defender, else its first."""
    on_board = doubt.cells & board.cells or grow(doubt.cells) & board.cells or doubt.cells
    stood_on = {cell for name in (ruling.attacker, ruling.defender) for cell in board.figure(name).cells}
    return min(on_board & stood_on or on_board)


def _word_ground_flip(
    doubt: GroundDoubt, variant: GroundVariant, cell: Cell, ruling: Ruling, now: Verdict, then: Verdict | None
) -> Reason:
    shared: dict[str, Any] = {
        "cell": cell,
        "percent": max(1, round(100 * variant.chance)),
        "outcome": {"term": "nobody"} if then is None else outcome_of(now, then),
    }
    rule = doubt_rule(ruling.ruleset)
    if doubt.tile is not None and variant.tile is not None:
        return reason(rule, "tile", tile=doubt.tile, other=variant.tile, **shared)
    if doubt.tile is not None:
        return reason(rule, "no-tile", tile=doubt.tile, **shared)
    if variant.tile is not None:
        return reason(rule, "more-tile", other=variant.tile, **shared)
    return reason(rule, "strange-tile", **shared)
