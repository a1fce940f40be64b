"""Names newcomers: at once if sure, else after the hand is gone, with a question if necessary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.tracking.association import (
    ActiveFigure,
    Association,
    AssociationCandidate,
    Newcomer,
    StepDistances,
    associate,
    is_in_place,
)
from assistant.tracking.changes import list_likely_touched
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import IdentityQuestion, IllegalMove, NoteKind, Sighting, Track

WAIT_S = 4.0
"""Longest time in seconds that a newcomer waits for hidden cells, because an arm resting on the table must not block
play."""

MOST_NAMES = 6
"""Largest number of names in a question. Beyond it, people name the figure by a correction."""

KEPT_NOTES = 20
"""Number of notes to keep. Nobody reads more."""


def identify(table: TrackedTable, turn: ActiveFigure, time_s: float) -> TrackedTable:
    """Name all newcomers about whom nothing more can be learnt."""
    ready = [newcomer for newcomer in sorted(table.newcomers) if _is_ready(table, newcomer, time_s)]
    if not ready:
        return table
    paths = StepDistances(table.board())
    waiting = [Newcomer(newcomer, table.newcomers[newcomer]) for newcomer in ready]
    candidates = table.candidates(len(ready))
    for match in associate(waiting, candidates, paths, turn):
        others = _find_exchangeable(table, match, candidates)
        table = _name_newcomer(table, match, (paths, turn), others, time_s)
    newcomers = {each: came for each, came in table.newcomers.items() if each not in ready}
    return replace(table, newcomers=newcomers)


def _is_ready(table: TrackedTable, newcomer: Sighting, time_s: float) -> bool:
    """Return whether no further look could tell more about a newcomer's identity."""
    if time_s - table.newcomers[newcomer].before_s > WAIT_S:
        return True
    if any(not d.is_there and _could_be(d.thing, newcomer) for d in table.suspicions):
        return False  # a figure of that kind is about to be missed
    if any(_could_be(sighting, newcomer) for sighting in table.doubted):
        return False  # or it turns out to be another kind
    if not table.hidden:
        return True
    if any(track.is_lifted and track.cells == newcomer.cells for track in table.tracks.values()):
        return False  # put back or exchanged, which shows once all is in view
    missing = sum(
        track.is_lifted and not track.is_away and newcomer.kind in ("", track.kind) for track in table.tracks.values()
    )
    waiting = sum(each.kind in ("", newcomer.kind) for each in table.newcomers)
    return newcomer.kind != "" and missing == waiting


def _could_be(thing: object, newcomer: Sighting) -> bool:
    return isinstance(thing, Sighting) and (newcomer.kind in ("", thing.kind) or thing.cells == newcomer.cells)


def _find_exchangeable(
    table: TrackedTable, match: Association, candidates: Sequence[AssociationCandidate]
) -> list[str]:
    """Return other names for a figure touched in the same reach as look-alikes, distinguished only by their pose.

    ``match`` is the assignment of the newcomer, out of these ``candidates``.
    """
    newcomer, taken_for = match.newcomer, match.candidate
    if taken_for is None:
        return []
    stood = next((c for c in candidates if is_in_place(newcomer, c)), None)
    if stood is None:
        is_back = taken_for.left is not None and taken_for.cells == newcomer.sighting.cells
        return _find_altered_alike(table, taken_for) if is_back else []
    if stood.id != taken_for.id:
        is_told_by_ring = newcomer.sighting.kind == taken_for.kind != stood.kind
        return [] if is_told_by_ring else [stood.id]
    lifted = [c.id for c in candidates if c.left is not None and c.cells and c.id != stood.id]
    moved = [name for name, came in table.moved.items() if newcomer.came.after_s < came.before_s and name not in lifted]
    tracks = (table.tracks[name] for name in (*lifted, *moved) if name in table.tracks and name != stood.id)
    return [track.id for track in tracks if _are_look_alikes(track, stood)]


def _find_altered_alike(table: TrackedTable, back: AssociationCandidate) -> list[str]:
    """Return look-alikes altered in the reach in which this figure was lifted and returned."""
    tracks = [table.shown_by(sighting) for sighting in list_likely_touched(table.altered)]
    return [track.id for track in tracks if track is not None and _are_look_alikes(track, back)]


def _are_look_alikes(one: Track, other: AssociationCandidate) -> bool:
    return one.kind == other.kind and len(one.cells) == len(other.cells)


def _name_newcomer(
    table: TrackedTable,
    match: Association,
    prior: tuple[StepDistances, ActiveFigure],
    others: Sequence[str],
    time_s: float,
) -> TrackedTable:
    """Name one newcomer, adding a note or a question if necessary."""
    newcomer, candidate = match.newcomer.sighting, match.candidate
    if candidate is None:
        stranger = _make_stranger(table, newcomer)
        table = _clear_cells(table, newcomer).with_track(stranger)
        return table if newcomer.kind else _ask(table, stranger.id, _list_box(table, len(newcomer.cells)))
    track = _make_track(table, newcomer, candidate)
    name = track.id
    if candidate.cells not in ((), newcomer.cells):
        if name in table.moved:
            table = replace(table, restless=table.restless | {track.kind})
        table = replace(table, moved={**table.moved, name: match.newcomer.came})
    table = _clear_cells(table if name == candidate.id else table.without_track(candidate.id), newcomer).with_track(
        track
    )
    note = _check_move(track, candidate.cells, prior)
    if note is not None:
        kind, steps = note
        illegal = IllegalMove(f"note-{table.count + 1}", kind, name, steps, prior[1].points, time_s)
        table = replace(table, notes=(*table.notes, illegal)[-KEPT_NOTES:], count=table.count + 1)
    rivals = [rival.id for rival in match.rivals]
    return _ask(table, name, [*rivals, *(other for other in others if other not in (name, *rivals))])


def _list_box(table: TrackedTable, size: int) -> list[str]:
    """Return one figure off the table per kind with that base size, or none if there are too many kinds."""
    free = [f for f in table.roster.figures if f.id not in table.tracks and f.size[0] * f.size[1] == size]
    names = list({figure.kind: figure.id for figure in reversed(free)}.values())[::-1]
    return names if len(names) <= MOST_NAMES else []


def _make_track(table: TrackedTable, newcomer: Sighting, candidate: AssociationCandidate) -> Track:
    """Return the figure's track in its new place. When its true kind is first seen, it takes a name of that kind."""
    is_kind_seen = newcomer.kind != "" or (candidate.is_kind_seen and candidate.cells != ())
    if newcomer.kind not in ("", candidate.kind) and not candidate.is_kind_seen:
        fresh = (f for f in table.roster.figures if f.kind == newcomer.kind and f.id not in table.tracks)
        model = next(fresh, None)
        if model is not None:
            return Track(model.id, model.kind, model.side, newcomer.cells, newcomer)
    name, kind, side = candidate.id, candidate.kind, candidate.side
    return Track(name, kind, side, newcomer.cells, newcomer, is_kind_seen=is_kind_seen)


def _clear_cells(table: TrackedTable, newcomer: Sighting) -> TrackedTable:
    """Lift all figures believed on the newcomer's cells."""
    for track in list(table.tracks.values()):
        if not track.is_lifted and not set(track.cells).isdisjoint(newcomer.cells):
            table = table.with_track(replace(track, shown_by=None, is_lifted=True))
            table = replace(table, lifted={**table.lifted, track.id: table.newcomers[newcomer]})
    return table


def _make_stranger(table: TrackedTable, newcomer: Sighting) -> Track:
    """Return a new track for a figure outside the roster or of unknown kind."""
    shown = next((f for f in table.last[1].figures if f.cells == newcomer.cells), None)
    kind, side = (shown.kind, shown.side) if shown is not None else (newcomer.kind or "figure", "unknown")
    taken = {*table.tracks, *(figure.id for figure in table.roster.figures)}
    number = next(n for n in range(1, len(taken) + 2) if f"{kind}~{n}" not in taken)
    return Track(f"{kind}~{number}", kind, side, newcomer.cells, newcomer, is_kind_seen=newcomer.kind != "")


def _check_move(
    track: Track, start: tuple[tuple[int, int], ...], prior: tuple[StepDistances, ActiveFigure]
) -> tuple[NoteKind, int | None] | None:
    """Return the rule that a move breaks, with its steps, or None if it breaks none."""
    paths, turn = prior
    if not start or start == track.cells or turn.is_laid:
        return None
    steps = paths.steps(start, track.cells)
    if steps is None:
        return "no_way", None
    if track.id == turn.figure and turn.points is not None and steps > turn.points:
        return "too_far", steps
    return None


def _ask(table: TrackedTable, name: str, rivals: Sequence[str]) -> TrackedTable:
    """Add a question, unless an open one already covers it."""
    if not rivals or any({name, *rivals} <= set(question.candidates) for question in table.questions):
        return table
    question = IdentityQuestion(f"question-{table.count + 1}", name, (name, *rivals))
    return replace(table, questions=(*table.questions, question), count=table.count + 1)
