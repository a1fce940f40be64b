"""The smallest single changes of the table that flip a ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from assistant.rules.moves import lies_across, open_doors
from assistant.rules.paths import EIGHT_DIRECTIONS, chebyshev
from assistant.rules.reasons import Rule, reason
from assistant.rules.ruling import Blocker, Change, Ruling, Verdict
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Cell, Edge

Aspect = Literal["line_of_sight", "cover"]

Ask = Callable[[Board, Figure, Figure], Verdict]
"""The bare answer for an attacker and a defender in any places on a board."""

NEAR_CELLS = 1
"""Figures within this distance of the pair's bounding rectangle are also tried in other places."""

_WALLS = frozenset({"wall"})


class _Trial(NamedTuple):
    """A table with one change, and the two figures on it."""

    kind: Literal["open-door", "close-door", "move", "remove", "clear-cell", "remove-edge"]
    subject: str | None
    cells: tuple[Cell, ...]
    edge: Edge | None
    board: Board
    attacker: Figure
    defender: Figure


def explain_ruling(ask: Ask, phrases: Rule, board: Board, ruling: Ruling, *, doors_close: bool) -> Ruling:
    """Return the ruling with the smallest changes that flip it, as data and in words.

    Line of sight and cover each get the first flipping change of each kind, in this order: a door, a step of the
    attacker, of the defender or of another figure, a removed figure, a cleared cell, a removed printed line.

    Args:
        ask: the question of the ruling, with the same named corner or space, if any.
        phrases: the rule that words changes.
        board: the table of the ruling.
        ruling: the ruling.
        doors_close: whether this game can close open doors again.
    """
    attacker, defender = board.figure(ruling.attacker), board.figure(ruling.defender)
    now = ruling.verdict
    found: dict[tuple[Aspect, str, str | None], Change] = {}
    for trial in _make_trials(board, attacker, defender, ruling, doors_close=doors_close):
        then = ask(trial.board, trial.attacker, trial.defender)
        for aspect, becomes in _list_flips(now, then):
            # A step of the attacker is a different kind of change from a step of somebody else.
            who = trial.subject if trial.subject in (attacker.id, defender.id) else None
            change = Change(trial.kind, trial.subject, trial.cells, trial.edge, aspect, becomes)
            found.setdefault((aspect, trial.kind, who), change)
    changes = tuple(found.values())
    worded = tuple(reason(phrases, change.kind, **_arguments(board, change)) for change in changes)
    return replace(ruling, changes=changes, reasons=(*ruling.reasons, *worded))


def _list_flips(now: Verdict, then: Verdict) -> Iterator[tuple[Aspect, bool]]:
    if now.line_of_sight != then.line_of_sight:
        yield "line_of_sight", then.line_of_sight
    elif now.cover is not None and then.cover is not None and now.cover != then.cover:
        yield "cover", then.cover


def _arguments(board: Board, change: Change) -> dict[str, object]:
    outcome = ("sight" if change.flips == "line_of_sight" else "cover") + ("-yes" if change.becomes else "-no")
    place: object = change.cells[0] if change.cells else ""
    edge: object = "" if change.edge is None else Blocker(board.edges[change.edge], edge=change.edge)
    return {"subject": change.subject or "", "cell": place, "edge": edge, "outcome": {"term": outcome}}


def _make_trials(
    board: Board, attacker: Figure, defender: Figure, ruling: Ruling, *, doors_close: bool
) -> Iterator[_Trial]:
    for door in board.doors:
        if not door.open:
            opened = open_doors(board, frozenset({door.id}))
            yield _Trial("open-door", door.id, (), None, opened, attacker, defender)
        elif doors_close and not _is_blocked(board, door):
            yield _Trial("close-door", door.id, (), None, _close_edges(board, door), attacker, defender)
    for moved in _step_aside(board, attacker):
        yield _Trial("move", attacker.id, moved.cells, None, board, moved, defender)
    for moved in _step_aside(board, defender):
        yield _Trial("move", defender.id, moved.cells, None, board, attacker, moved)
    yield from _make_trials_with_others(board, attacker, defender)
    yield from _make_trials_without_terrain(board, attacker, defender, ruling)


def _make_trials_with_others(board: Board, attacker: Figure, defender: Figure) -> Iterator[_Trial]:
    between = _span_cells(attacker, defender)
    near = [f for f in board.figures if f not in (attacker, defender) and chebyshev(f.cells, between) <= NEAR_CELLS]
    for other in near:
        for moved in _step_aside(board, other):
            figures = tuple(moved if f is other else f for f in board.figures)
            yield _Trial(
                "move", other.id, moved.cells, None, _replace_parts(board, figures=figures), attacker, defender
            )
    for other in near:
        figures = tuple(f for f in board.figures if f is not other)
        yield _Trial("remove", other.id, (), None, _replace_parts(board, figures=figures), attacker, defender)


def _make_trials_without_terrain(board: Board, attacker: Figure, defender: Figure, ruling: Ruling) -> Iterator[_Trial]:
    """Yield changes of the terrain. Terrain can only matter if it stopped one of the lines."""
    blockers = [line.blocked_by for line in ruling.lines if line.blocked_by is not None]
    for cell in sorted({b.cell for b in blockers if b.cell is not None}):
        cleared = _replace_parts(board, difficult=board.difficult - {cell}, blocking=board.blocking - {cell})
        yield _Trial("clear-cell", None, (cell,), None, cleared, attacker, defender)
    for edge in sorted({b.edge for b in blockers if b.edge is not None and b.edge in board.edges}):
        edges = {e: kind for e, kind in board.edges.items() if e != edge}
        yield _Trial("remove-edge", None, (), edge, _replace_parts(board, edges=edges), attacker, defender)


def _span_cells(a: Figure, b: Figure) -> tuple[Cell, ...]:
    """Return the bounding rectangle of both figures."""
    columns = [x for x, _ in (*a.cells, *b.cells)]
    rows = [y for _, y in (*a.cells, *b.cells)]
    return tuple((x, y) for x in range(min(columns), max(columns) + 1) for y in range(min(rows), max(rows) + 1))


def _step_aside(board: Board, figure: Figure) -> Iterator[Figure]:
    """Yield the figure one cell away in each direction with enough room, whatever a move would cost."""
    for dx, dy in EIGHT_DIRECTIONS:
        cells = tuple((x + dx, y + dy) for x, y in figure.cells)
        is_free = all(c in board.cells - board.blocking and board.figure_at.get(c, figure) is figure for c in cells)
        if is_free and not lies_across(board, cells, _WALLS):
            yield replace(figure, cells=cells)


def _is_blocked(board: Board, door: Door) -> bool:
    """Return whether a large figure stands across the door and keeps it open."""
    return any({*edge.cells} <= {*figure.cells} for edge in door.edges for figure in board.figures if figure.is_large)


def _close_edges(board: Board, closed: Door) -> Board:
    return _replace_parts(board, doors=tuple(replace(d, open=False) if d.id == closed.id else d for d in board.doors))


def _replace_parts(board: Board, **changes: object) -> Board:
    """Return the board with some of its parts replaced, validated again."""
    return replace(board, **changes)  # type: ignore[arg-type] # dataclasses.replace is typed by field only at the call
