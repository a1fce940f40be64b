"""The table over time: a pure function from the known table and one more frame to the new table.

    update_tracking(table, look, turn) -> table

Five layers, from the camera to the names:

1. **Cells.** Every reading numbers its cells anew. ``alignment`` gives them the names of ``table.reference``. A reading
that shares no tile with it shows another board, which starts afresh once readings agree (`_change_ground`). 2.
**Belief.** ``accepted`` holds the figures and doors that the camera shows for sure. A difference is a suspicion first,
and believed only when readings agree (`changes.is_agreed`). Cells under a hand are not judged at all: what was there
stays. Invariant: every accepted figure is shown by a track, or is a newcomer, or is denied by people. `_add` and
`_remove` keep it. 3. **Identity.** A sighting that goes *lifts* its track. A sighting that comes is a *newcomer*.
``naming`` puts all lifted figures and all newcomers together at once by the likeliest assignment (``association``).
Greedy naming, one newcomer at a time, would give the first of two look-alikes the name of the second. 4. **Time.** A
hand hides when things happened, so every event is a span between two looks (`values.Chronicle`). Spans rank what was
lifted first and what was put down first. 5. **People.** ``statements`` and names given by hand outrank the camera. They
end only where a hand was afterwards (``touched``), because only a hand changes the world.

Traps, each of which has cost wrong names:

- A half-hidden figure is read as another kind. So nobody is named while a hand hides a cell from which a newcomer may
  have come (`naming`), for at most `naming.WAIT_S`.
- A figure lifted and put back on its cells leaves ``accepted`` unchanged. A shifted base or another picture shows it
  (`changes`). `_shift` then plays both halves, lifted and come, within the same span.
- The camera may flip between two misreadings on untouched cells. A person's word must outlast that (`_find_denied`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from assistant.table.board import Board
from assistant.table.lattice import Cell, connected_groups, grow
from assistant.table.observation import FrameObservation
from assistant.table.roster import Roster
from assistant.tracking.alignment import SAME, Renaming, find_renaming
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure
from assistant.tracking.changes import (
    AGREEING,
    MOVED,
    Altered,
    Difference,
    Suspicion,
    find_moved_bases,
    find_touched,
    is_agreed,
    measure_offsets,
    update_altered,
    update_suspicions,
)
from assistant.tracking.naming import identify
from assistant.tracking.state import TrackedTable
from assistant.tracking.values import Cells, Shift, Sighting, Span, StandingDoor, Track

SETTLED_S = 2.0
"""Seconds after a hand in which differences still count as its work, since reading its result takes some frames."""

_LYING_CELLS = 4
"""Cells that a lying figure covers beyond as many as it stood on. A forearm covers ten."""

NOTE_S = 120.0
"""Lifetime in seconds of a note on an illegal move: people discuss it at once or not at all."""

LOST_GROUND_S = 8.0
"""Seconds before missing tiles count as gone. People hardly ever remove tiles, and glare and dusk outlast a hand."""

LIMBO_S = 60.0
"""Seconds for which an unseen lifted figure keeps its name in reserve."""


def begin_tracking(
    look: FrameObservation, roster: Roster, known: Mapping[str, Cells] | None = None, turn: ActiveFigure = NOBODYS_TURN
) -> TrackedTable:
    """Start the table from the first look, whose lattice names the cells from now on.

    ``known`` gives figures their names by their places in the match.
    """
    board = look.observation.board
    things = _collect_things(look, SAME)
    kinds = {figure.id: figure for figure in roster.figures}
    tracks = {
        name: Track(name, kinds[name].kind, kinds[name].side, tuple(sorted(cells)), is_lifted=True)
        for name, cells in (known or {}).items()
        if name in kinds and cells
    }
    table = TrackedTable(
        roster=roster,
        reference=look.observation,
        ground=_strip_board(board),
        accepted=things,
        # Nothing has been read twice yet, so anything may still change. Count everything as touched.
        touched=board.cells,
        touched_s=look.time_s,
        last=(look.observation, board),
        tracks=tracks,
        offsets=measure_offsets(look, SAME),
        newcomers={thing: Span(-math.inf, look.time_s) for thing in things if isinstance(thing, Sighting)},
        lifted=dict.fromkeys(tracks, Span(-math.inf, look.time_s - SETTLED_S)),
        hidden=look.hidden,
        covered=frozenset(look.observation.covered).difference(*(track.cells for track in tracks.values())),
        occupied=frozenset(cell for track in tracks.values() for cell in track.cells),
    )
    return identify(table.with_doors_named(), turn, look.time_s)


def update_tracking(table: TrackedTable, look: FrameObservation, turn: ActiveFigure = NOBODYS_TURN) -> TrackedTable:
    """Update the table with one more look."""
    renaming = SAME if look.observation is table.reference else find_renaming(table.reference, look.observation)
    if renaming is None:
        return _change_ground(table, look, turn)
    hidden = frozenset(map(renaming.cell, look.hidden)) if renaming != SAME else look.hidden
    if look.observation is not table.last[0]:
        table = replace(table, last=(look.observation, renaming.board(look.observation.board)))
    table = replace(table, hidden=hidden)
    if hidden:
        table = replace(table, touched=table.touched | grow(hidden), touched_s=look.time_s)
    ground = _strip_board(table.last[1])
    if ground != table.ground:
        return _update_ground(table, ground, look)
    table = _update_belief(replace(table, next_ground=None), look, renaming)
    return _expire(_find_fallen(identify(table, turn, look.time_s), look, renaming), look)


def _update_belief(table: TrackedTable, look: FrameObservation, renaming: Renaming) -> TrackedTable:
    """Suspect new differences, and accept agreed ones."""
    things = _collect_things(look, renaming)
    found = [Difference(thing, False) for thing in table.accepted - things]
    found += [Difference(thing, True) for thing in things - table.accepted]
    offsets = measure_offsets(look, renaming)
    moved = find_moved_bases(table.offsets, offsets)
    shifted = {s for s in moved if s in table.accepted and not table.touched.isdisjoint(s.cells)}
    found += [Difference(Shift(sighting), True) for sighting in shifted]
    in_view = [each for each in found if table.hidden.isdisjoint(each.thing.cells)]
    suspicions = update_suspicions(table.suspicions, in_view, table.hidden, (look.reading, look.time_s))
    agreed = [each for each in in_view if is_agreed(each, suspicions[each], table.touched, look.time_s)]
    first_s = {each: suspicions.pop(each).since_s for each in agreed}
    denied, before = _find_denied(table, agreed), table
    table = replace(table, suspicions=suspicions)
    # Removals come first, so that their cells and names are free for arrivals.
    for each in sorted(agreed, key=lambda each: each.is_there):
        thing, time_s = each.thing, first_s[each]
        if isinstance(thing, Shift):
            span = table.chronicle.find_departure(thing.sighting, time_s)
            altered = {**table.altered, thing.sighting: Altered(AGREEING, MOVED, span, look.reading)}
            table = replace(table, altered=altered)
        elif each.is_there and isinstance(thing, Sighting) and thing.cells in denied:
            table = replace(table, accepted=table.accepted | {thing})
        else:
            table = (_add if each.is_there else _remove)(table, thing, time_s)
    table = _join_spans(table, agreed, before)
    table = _update_alterations(table, look, renaming)
    known = {s: offset for s, offset in {**offsets, **table.offsets}.items() if s in table.accepted}
    known |= {d.thing.sighting: offsets[d.thing.sighting] for d in agreed if isinstance(d.thing, Shift)}
    table = replace(table, offsets=known)
    unsettled = {sighting for sighting, each in table.altered.items() if not each.is_settled}
    if table.hidden or table.suspicions or table.newcomers or unsettled:
        as_before = things - shifted - unsettled
        chronicle = table.chronicle.after_look(as_before, table.ground.cells - table.hidden, look.time_s)
    else:
        chronicle = table.chronicle.after_calm(look.time_s)
    return replace(table, chronicle=chronicle)


def _join_spans(table: TrackedTable, agreed: Iterable[Difference], before: TrackedTable) -> TrackedTable:
    """Let a touched figure that is now read as another kind leave and come within one span, from the touch on.

    Else it would have left after the hand had gone, and no look-alike could have come there.
    """
    gone = {each.thing.cells: each.thing for each in agreed if isinstance(each.thing, Sighting) and not each.is_there}
    for newcomer, came in table.newcomers.items():
        thing = gone.get(newcomer.cells)
        altered = None if thing is None else before.altered.get(thing)
        track = None if thing is None else before.shown_by(thing)
        if altered is not None and track is not None and altered.count >= AGREEING:
            # A hand may have been there again since, so the span ends where the camera tells.
            span = Span(altered.span.after_s, came.before_s)
            newcomers = {**table.newcomers, newcomer: span}
            table = replace(table, newcomers=newcomers, lifted={**table.lifted, track.id: span})
    return table


def _find_denied(table: TrackedTable, agreed: Iterable[Difference]) -> frozenset[Cells]:
    """Return untouched cells where a figure that people denied disappears and another one appears.

    No hand was there, so the camera only misreads the same thing differently, and people's statement holds.
    """
    gone = (each.thing for each in agreed if not each.is_there and isinstance(each.thing, Sighting))
    nobodys = (thing for thing in gone if table.shown_by(thing) is None and thing not in table.newcomers)
    return frozenset(thing.cells for thing in nobodys if table.touched.isdisjoint(thing.cells))


def _update_alterations(table: TrackedTable, look: FrameObservation, renaming: Renaming) -> TrackedTable:
    """Update the figures that a hand altered in place. They count as touched once all is in view."""
    there = frozenset(
        thing
        for thing in table.accepted
        if isinstance(thing, Sighting)
        and not table.touched.isdisjoint(thing.cells)
        and table.hidden.isdisjoint(thing.cells)
        and thing not in table.newcomers
    )
    left = {s: each for s, each in table.altered.items() if s in table.accepted and s not in there}
    found = left | update_altered(table.altered, look, renaming, there, table.chronicle)
    if table.hidden or table.suspicions:
        return replace(table, altered=found)
    missing = {track.kind for track in table.tracks.values() if track.is_lifted and not track.is_away}
    busy = frozenset(missing | {newcomer.kind for newcomer in table.newcomers})
    for sighting, span in sorted(find_touched(found, busy, table.restless).items()):
        table = _shift(table, sighting, span)
    settled = {s: replace(each, is_settled=each.is_settled or each.count >= AGREEING) for s, each in found.items()}
    return replace(table, altered=settled)


def _shift(table: TrackedTable, sighting: Sighting, span: Span) -> TrackedTable:
    """Within that span, let a figure leave these cells and one arrive there, the same or another."""
    left = table.shown_by(sighting)
    table = _add(_remove(table, sighting, span.before_s), sighting, span.before_s)
    if sighting not in table.newcomers or left is None:
        return table
    return replace(table, newcomers={**table.newcomers, sighting: span}, lifted={**table.lifted, left.id: span})


def _remove(table: TrackedTable, thing: Sighting | StandingDoor, time_s: float) -> TrackedTable:
    """Remove a figure or door from the camera's view, and end statements about touched cells."""
    table = replace(table, accepted=table.accepted - {thing})
    was_touched = not table.touched.isdisjoint(thing.cells)
    if isinstance(thing, StandingDoor):
        statements = table.statements.forgetting_door(thing.edges) if was_touched else table.statements
        return replace(table, open_by_hand=table.open_by_hand - {thing}, statements=statements)
    if was_touched:
        table = replace(table, statements=table.statements.forgetting(thing.cells))
    table = replace(table, newcomers={each: came for each, came in table.newcomers.items() if each != thing})
    track = table.shown_by(thing)
    return table if track is None else _lift(table, track, table.chronicle.find_departure(thing, time_s))


def _lift(table: TrackedTable, track: Track, left: Span) -> TrackedTable:
    """Lift a figure from its cells."""
    table = replace(table, lifted={**table.lifted, track.id: left})
    return table.with_track(replace(track, shown_by=None, is_lifted=True))


def _add(table: TrackedTable, thing: Sighting | StandingDoor, time_s: float) -> TrackedTable:
    """Add a figure or door in the camera's view. A figure is a newcomer unless people placed it there."""
    table = replace(table, accepted=table.accepted | {thing})
    if isinstance(thing, StandingDoor):
        return table.with_doors_named()
    if not table.touched.isdisjoint(thing.cells):
        table = replace(table, statements=table.statements.forgetting(thing.cells))
    elif not table.statements.nobody.isdisjoint(thing.cells):
        return table  # no hand was there, so the camera misreads cells that a person called empty
    placed = next((track for track in table.tracks.values() if _is_placed_there(track, thing)), None)
    if placed is not None:
        return table.with_track(replace(placed, shown_by=thing))
    return replace(table, newcomers={**table.newcomers, thing: table.chronicle.find_arrival(thing, time_s)})


def _is_placed_there(track: Track, sighting: Sighting) -> bool:
    """Return whether a sighting confirms a figure that only a person has placed there so far."""
    is_unseen = track.shown_by is None and not track.is_lifted
    return is_unseen and track.cells == sighting.cells and sighting.kind in ("", track.kind)


def _find_fallen(table: TrackedTable, look: FrameObservation, renaming: Renaming) -> TrackedTable:
    """Find out which missing figures have fallen over: something new lies across their cells or the next ones.

    Deep shadows cover cells, too, so only those count that were open while every figure stood. What is laid down later
    is no fallen figure, neither is an arm that rests there, nor the shadow of a figure that came.
    """
    if table.hidden or table.suspicions or table.newcomers:
        return table
    covered = frozenset(map(renaming.cell, look.observation.covered))
    occupied = frozenset(cell for track in table.tracks.values() if not track.is_lifted for cell in track.cells)
    new = covered - table.covered - grow(occupied - table.occupied)
    groups = list(connected_groups(new))
    lifted = [track for track in table.tracks.values() if track.is_lifted]
    gone = {t.id for t in lifted if not t.is_away and look.time_s - table.lifted[t.id].before_s > SETTLED_S}
    fallen = {
        track.id: tuple(sorted(across))
        for track in lifted
        if track.id in table.fallen or track.id in gone
        if (across := _lying_across(track, groups))
    }
    is_undecided = any(not track.is_away for track in lifted)
    if fallen or is_undecided:
        return replace(table, fallen=fallen)
    return replace(table, fallen=fallen, covered=covered, occupied=occupied)


def _lying_across(track: Track, groups: Iterable[frozenset[Cell]]) -> frozenset[Cell]:
    """Return the cells that a missing figure may lie across: its own and the next ones, of groups of its size."""
    small = (group for group in groups if len(group) <= len(track.cells) + _LYING_CELLS)
    return grow(track.cells) & frozenset(cell for group in small for cell in group)


def _expire(table: TrackedTable, look: FrameObservation) -> TrackedTable:
    """Drop old notes and, once all is calm, touched cells and figures removed long ago."""
    if table.notes and look.time_s - table.notes[0].time_s > NOTE_S:
        table = replace(table, notes=table.notes[1:])
    if table.hidden or table.suspicions or table.newcomers:
        return table
    if look.time_s - table.touched_s > SETTLED_S and (table.touched or table.moved):
        table = replace(table, touched=frozenset(), altered={}, moved={}, restless=frozenset())
    for track in [t for t in table.tracks.values() if t.is_lifted]:
        gone_s = look.time_s - table.lifted[track.id].before_s
        is_stranger = all(figure.id != track.id for figure in table.roster.figures)
        if gone_s > (SETTLED_S if is_stranger else LIMBO_S) and track.id not in table.fallen:
            table = table.without_track(track.id)
        elif gone_s > SETTLED_S and not track.is_away:
            table = table.with_track(replace(track, is_away=True))
    return table


def _update_ground(table: TrackedTable, ground: Board, look: FrameObservation) -> TrackedTable:
    """Suspect another board, or accept it once readings agree.

    A smaller board must also last, because tiles seem to vanish in glare and dusk.
    """
    before = table.next_ground
    if before is None or before[0] != ground:
        return replace(table, next_ground=(ground, Suspicion(1, look.time_s, look.reading)))
    count = before[1].count + (look.reading > before[1].reading)
    is_smaller = not ground.cells >= table.ground.cells
    if count < AGREEING or (is_smaller and look.time_s - before[1].since_s < LOST_GROUND_S):
        return replace(table, next_ground=(ground, replace(before[1], count=count, reading=look.reading)))
    everywhere = ground.cells | table.ground.cells
    table = replace(table, ground=ground, next_ground=None, touched=everywhere, touched_s=look.time_s)
    for thing in table.accepted:
        if not ground.cells.issuperset(thing.cells):
            table = _remove(table, thing, look.time_s)
    for track in [t for t in table.tracks.values() if not t.is_lifted and not ground.cells.issuperset(t.cells)]:
        table = _lift(table, track, Span(-math.inf, look.time_s))
    return table


def _change_ground(table: TrackedTable, look: FrameObservation, turn: ActiveFigure) -> TrackedTable:
    """Keep the table while none of its tiles is in view. An agreed new board starts afresh with the old names."""
    suspected = _update_ground(table, _strip_board(look.observation.board), look)
    if suspected.next_ground is not None:
        return suspected
    known = {track.id: track.cells for track in table.tracks.values()}
    fresh = begin_tracking(look, table.roster, known, turn)
    return replace(fresh, count=table.count, notes=table.notes)


def _collect_things(look: FrameObservation, renaming: Renaming) -> frozenset[Sighting | StandingDoor]:
    """Return the figures and doors of a look, on the table's own cells."""
    figures = [Sighting(renaming.cells(f.cells), f.kind or "") for f in look.observation.figures if f.cells]
    doors = [StandingDoor(tuple(sorted(map(renaming.edge, door.edges)))) for door in look.observation.board.doors]
    return frozenset[Sighting | StandingDoor]((*figures, *doors))


def _strip_board(board: Board) -> Board:
    return replace(board, figures=(), doors=())
