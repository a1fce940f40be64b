"""Rulings on what a camera showed: how sure they are, and which of its doubts would make the answer another one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.rules.ground_flips import ground_flips
from assistant.rules.pairing import outcome_of
from assistant.rules.phrases_doubt import DIRECTIONS, doubt_rule
from assistant.rules.reasons import reason
from assistant.rules.ruling import Flip, FlipKind, Reason, Ruling, Verdict
from assistant.rules.stability import Ask, answer_on, measure_stability
from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, DoubtChoice, DoubtfulBoard, Variant, apply_choices
from assistant.table.lattice import Cell, Edge

MOST_NAMED = 6
"""Flips that are told, the likeliest first; with more of them a person looks at the table."""


def judge_stability(ask: Ask, table: DoubtfulBoard, ruling: Ruling, *, only_hinders: bool) -> Ruling:
    """The ruling with its stability.

    Args:
        ask: what ruled, about the same corner or space where one was named.
        table: what it ruled on, with its doubts.
        ruling: the ruling on the board.
        only_hinders: under these rules no further figure or door makes an answer better for the attacker.
    """
    if not table.doubts and not table.ground_doubts:
        return ruling
    by_pieces = measure_stability(ask, table, ruling, only_hinders=only_hinders) if table.doubts else 1.0
    return replace(ruling, stability=by_pieces * _share_of_grounds(ask, table, ruling))


def _share_of_grounds(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> float:
    """The share of the grounds that may be on which the answer is that of the ruling, each doubt taken alone.

    A ground on which the attacker or the defender cannot stand counts among the others.
    """
    now = Verdict(ruling.range, ruling.line_of_sight, ruling.cover)

    def is_other(board: Board | None) -> bool:
        return board is None or answer_on(ask, board, ruling) != now

    shares = (1 - math.fsum(o.chance for o in others if is_other(o.board)) for others in table.other_grounds)
    return max(0.0, math.prod(shares))


def add_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Ruling:
    """The ruling with the doubts that, each taken alone, would make the answer another one: as data and in words.

    Arguments as for ``judge_stability``; the likeliest come first, at most ``MOST_NAMED``.
    """
    found = sorted(_find_flips(ask, table, ruling), key=lambda told: -told[0].chance)[:MOST_NAMED]
    return replace(
        ruling, flips=tuple(flip for flip, _ in found), reasons=(*ruling.reasons, *(worded for _, worded in found))
    )


def _find_flips(ask: Ask, table: DoubtfulBoard, ruling: Ruling) -> Iterator[tuple[Flip, Reason]]:
    now = Verdict(ruling.range, ruling.line_of_sight, ruling.cover)
    for doubt in table.doubts:
        for variant in doubt.variants[1:]:
            board = apply_choices(table.board, [DoubtChoice(doubt, variant)])
            if board is None:
                continue
            then = answer_on(ask, board, ruling)
            if then != now:
                flip = _flip(doubt, variant, then)
                yield flip, _word_flip(doubt, variant, flip, ruling, now, then)
    yield from ground_flips(ask, table, ruling)


class DoubtChange(NamedTuple):
    """What would be otherwise: its kind, figures or doors and cells, as a `Flip` has them."""

    kind: FlipKind
    subjects: tuple[str, ...]
    cells: tuple[Cell, ...]


def change_of(doubt: Doubt, variant: Variant) -> DoubtChange:
    """What of the board would be otherwise if a variant of the doubt were so."""
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
    told: dict[str, Any] = {
        "percent": max(1, round(100 * flip.chance)),
        "outcome": {"term": "nobody"} if then is None else outcome_of(now, then),
    }
    if flip.kind in ("door", "no-door"):
        return reason(rule, flip.kind, cell=flip.cells[::2], cells=flip.cells[1::2], **told)
    subject: Any = flip.subjects[0] if len(flip.subjects) == 1 else flip.subjects
    if not doubt.about:
        subject = {"term": "another"}  # nobody has seen its name on the board
    if flip.kind in ("remove", "several"):
        return reason(rule, flip.kind, subject=subject, **told)
    if flip.kind == "kind":
        return reason(rule, "kind", subject=subject, kind=_find_figure(variant, flip.subjects[0]).kind, **told)
    step = _step(doubt.variants[0], flip)
    if step is None:
        return reason(rule, "stand", subject=subject, cells=flip.cells, **told)
    return reason(rule, "step", subject=subject, direction={"term": step}, cell=flip.cells[0], **told)


def _step(first: Variant, flip: Flip) -> str | None:
    """The direction of a step of one cell; None if it is another move."""
    if flip.kind != "move":
        return None
    was = _find_figure(first, flip.subjects[0]).cells
    moves = {(x - x0, y - y0) for (x0, y0), (x, y) in zip(sorted(was), sorted(flip.cells), strict=False)}
    return DIRECTIONS.get(moves.pop()) if len(moves) == 1 and len(was) == len(flip.cells) else None


def _find_figure(variant: Variant, name: str) -> Figure:
    return next(figure for figure in variant.figures if figure.id == name)
