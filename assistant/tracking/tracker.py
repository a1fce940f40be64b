"""The table over time: a pure function from what was known and one more look to what is known now.

    followed(table, look, turn) -> table

Differences between what the camera shows and what it showed before are believed once agreed (``agreement``). Figures
that are gone from their cells are *lifted*, figures that appeared are *newcomers*, and the two are put together by the
likeliest assignment (``matching``). While a hand hides cells from which a newcomer may have come, nobody is named.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from assistant.table.board import Board
from assistant.table.lattice import grow
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
"""So long after a hand was seen, what differs is still put down to it: reading what it left takes some frames."""

NOTE_S = 120.0
"""Who moved too far is talked about at once or not at all."""

LOST_GROUND_S = 8.0
"""Tiles are laid while people play and hardly ever taken away; glare and dusk hide them for longer than a hand does."""

LIMBO_S = 60.0
"""A figure that was lifted and not seen again is off the table; so long it is remembered who it was."""


def begin_tracking(
    look: FrameObservation, roster: Roster, known: Mapping[str, Cells] | None = None, turn: ActiveFigure = NOBODYS_TURN
) -> TrackedTable:
    """The table at the first look.

    Args:
        look: the first look; its lattice names the cells from now on.
        roster: the figures that there are.
        known: where figures stand by the match, so that they get their names there.
        turn: whose turn it is.
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
        # At the beginning everything may still change: nothing has been read twice.
        touched=board.cells,
        touched_s=look.time_s,
        last=(look.observation, board),
        tracks=MappingProxyType(tracks),
        offsets=MappingProxyType(measure_offsets(look, SAME)),
        newcomers=_collect_newcomers(things, look.time_s),
        lifted=MappingProxyType(dict.fromkeys(tracks, Span(-math.inf, look.time_s - SETTLED_S))),
        hidden=look.hidden,
    )
    return identify(table.with_doors_named(), turn, look.time_s)


def update_tracking(table: TrackedTable, look: FrameObservation, turn: ActiveFigure = NOBODYS_TURN) -> TrackedTable:
    """The table after one more look."""
    change = SAME if look.observation is table.reference else find_renaming(table.reference, look.observation)
    if change is None:
        return _change_ground(table, look, turn)
    table = _take_in(table, look, change)
    board = table.last[1]
    if _strip_board(board) != table.ground:
        return _update_ground(table, _strip_board(board), look)
    table = _update_suspicions(replace(table, next_ground=None), look, change)
    return _tidy(identify(table, turn, look.time_s), look)


def _take_in(table: TrackedTable, look: FrameObservation, change: Renaming) -> TrackedTable:
    """The table with what is hidden and touched now."""
    hidden = frozenset(map(change.cell, look.hidden)) if change != SAME else look.hidden
    if look.observation is not table.last[0]:
        table = replace(table, last=(look.observation, change.board(look.observation.board)))
    if not hidden:
        return replace(table, hidden=hidden)
    return replace(table, hidden=hidden, touched=table.touched | grow(hidden), touched_s=look.time_s)


def _update_suspicions(table: TrackedTable, look: FrameObservation, change: Renaming) -> TrackedTable:
    """The table with what differs suspected, and what is agreed believed."""
    things = _collect_things(look, change)
    found = [Difference(thing, False) for thing in table.accepted - things]
    found += [Difference(thing, True) for thing in things - table.accepted]
    offsets = measure_offsets(look, change)
    moved = find_moved_bases(table.offsets, offsets)
    shifted = {s for s in moved if s in table.accepted and not table.touched.isdisjoint(s.cells)}
    found += [Difference(Shift(sighting), True) for sighting in shifted]
    in_view = [each for each in found if table.hidden.isdisjoint(each.thing.cells)]
    suspicions = update_suspicions(table.suspicions, in_view, table.hidden, (look.reading, look.time_s))
    agreed = [each for each in in_view if is_agreed(each, suspicions[each], table.touched, look.time_s)]
    first_s = {each: suspicions.pop(each).since_s for each in agreed}
    denied = _find_denied(table, agreed)
    table = replace(table, suspicions=MappingProxyType(suspicions))
    for each in sorted(agreed, key=lambda each: each.is_there):
        if each.is_there and isinstance(each.thing, Sighting) and each.thing.cells in denied:
            table = replace(table, accepted=table.accepted | {each.thing})
        else:
            table = _accept(table, each, first_s[each], look.reading)
    table = _mark_altered(table, look, change)
    known = {s: offset for s, offset in {**offsets, **table.offsets}.items() if s in table.accepted}
    known |= {d.thing.sighting: offsets[d.thing.sighting] for d in agreed if isinstance(d.thing, Shift)}
    table = replace(table, offsets=MappingProxyType(known))
    open_ones = {sighting for sighting, each in table.altered.items() if not each.is_told}
    if table.hidden or table.suspicions or table.newcomers or open_ones:
        as_before = things - shifted - open_ones
        chronicle = table.chronicle.seen(as_before, table.ground.cells - table.hidden, look.time_s)
    else:
        chronicle = table.chronicle.calm(look.time_s)
    return replace(table, chronicle=chronicle)


def _find_denied(table: TrackedTable, agreed: Iterable[Difference]) -> frozenset[Cells]:
    """Cells on which the camera sees somebody of whom a person said that he is not there, and sees another one now.

    Nobody was there with a hand: it misreads in another way what it misread before, and what the person said holds.
    """
    gone = (each.thing for each in agreed if not each.is_there and isinstance(each.thing, Sighting))
    nobodys = (thing for thing in gone if table.shown_by(thing) is None and thing not in table.newcomers)
    return frozenset(thing.cells for thing in nobodys if table.touched.isdisjoint(thing.cells))


def _mark_altered(table: TrackedTable, look: FrameObservation, change: Renaming) -> TrackedTable:
    """The table with figures taken for touched that look otherwise than before a hand came, once all is in view."""
    there = frozenset(
        thing
        for thing in table.accepted
        if isinstance(thing, Sighting)
        and not table.touched.isdisjoint(thing.cells)
        and table.hidden.isdisjoint(thing.cells)
        and thing not in table.newcomers
    )
    left = {s: each for s, each in table.altered.items() if s in table.accepted and s not in there}
    found = left | update_altered(table.altered, look, change, there, table.chronicle)
    if table.hidden or table.suspicions:
        return replace(table, altered=MappingProxyType(found))
    missing = {track.kind for track in table.tracks.values() if track.is_lifted and not track.is_away}
    busy = frozenset(missing | {newcomer.kind for newcomer in table.newcomers})
    for sighting, span in sorted(find_touched(found, busy).items()):
        table = _shift(table, sighting, span)
    told = {s: replace(each, is_told=each.is_told or each.count >= AGREEING) for s, each in found.items()}
    return replace(table, altered=MappingProxyType(told))


def _accept(table: TrackedTable, difference: Difference, time_s: float, reading: int) -> TrackedTable:
    """The table with a difference believed that was first seen at that time."""
    thing = difference.thing
    if isinstance(thing, Shift):
        span = table.chronicle.left(thing.sighting, time_s)
        moved = Altered(AGREEING, MOVED, span, reading)
        return replace(table, altered=MappingProxyType({**table.altered, thing.sighting: moved}))
    return (_add if difference.is_there else _remove)(table, thing, time_s)


def _shift(table: TrackedTable, sighting: Sighting, span: Span) -> TrackedTable:
    """The table after somebody left these cells and somebody came there, within the same time."""
    left = table.shown_by(sighting)
    table = _add(_remove(table, sighting, span.before_s), sighting, span.before_s)
    if sighting not in table.newcomers or left is None:
        return table
    newcomers = MappingProxyType({**table.newcomers, sighting: span})
    return replace(table, newcomers=newcomers, lifted=MappingProxyType({**table.lifted, left.id: span}))


def _remove(table: TrackedTable, thing: Sighting | StandingDoor, time_s: float) -> TrackedTable:
    table = replace(table, accepted=table.accepted - {thing})
    was_touched = not table.touched.isdisjoint(thing.cells)
    if isinstance(thing, StandingDoor):
        told = table.told.forgetting_door(thing.edges) if was_touched else table.told
        return replace(table, open_by_hand=table.open_by_hand - {thing}, told=told)
    if was_touched:
        table = replace(table, told=table.told.forgetting(thing.cells))
    newcomers = {each: came for each, came in table.newcomers.items() if each != thing}
    table = replace(table, newcomers=MappingProxyType(newcomers))
    track = table.shown_by(thing)
    if track is None:
        return table
    return _lift(table, track, table.chronicle.left(thing, time_s))


def _lift(table: TrackedTable, track: Track, left: Span) -> TrackedTable:
    """The table with a figure gone from its cells."""
    table = replace(table, lifted=MappingProxyType({**table.lifted, track.id: left}))
    return table.with_track(replace(track, shown_by=None, is_lifted=True))


def _add(table: TrackedTable, thing: Sighting | StandingDoor, time_s: float) -> TrackedTable:
    table = replace(table, accepted=table.accepted | {thing})
    if isinstance(thing, StandingDoor):
        return table.with_doors_named()
    if not table.touched.isdisjoint(thing.cells):
        table = replace(table, told=table.told.forgetting(thing.cells))
    elif not table.told.nobody.isdisjoint(thing.cells):
        return table  # nobody was there with a hand: the camera misreads what a person has told it
    told = next((t for t in table.tracks.values() if _is_told_there(t, thing)), None)
    if told is not None:
        return table.with_track(replace(told, shown_by=thing))
    came = table.chronicle.came(thing, time_s)
    return replace(table, newcomers=MappingProxyType({**table.newcomers, thing: came}))


def _is_told_there(track: Track, sighting: Sighting) -> bool:
    """Whether the camera now sees a figure where so far only a person had told that it stands."""
    told_only = track.shown_by is None and not track.is_lifted
    return told_only and track.cells == sighting.cells and sighting.kind in ("", track.kind)


def _tidy(table: TrackedTable, look: FrameObservation) -> TrackedTable:
    """The table without what is over: touched cells after a while, figures that were taken off it, old notes."""
    if table.notes and look.time_s - table.notes[0].time_s > NOTE_S:
        table = replace(table, notes=table.notes[1:])
    if table.hidden or table.suspicions or table.newcomers:
        return table
    if look.time_s - table.touched_s > SETTLED_S and table.touched:
        nothing = MappingProxyType[Any, Any]({})
        table = replace(table, touched=frozenset(), altered=nothing, moved=nothing)
    for track in [t for t in table.tracks.values() if t.is_lifted]:
        gone_s = look.time_s - table.lifted[track.id].before_s
        is_stranger = all(figure.id != track.id for figure in table.roster.figures)
        if gone_s > (SETTLED_S if is_stranger else LIMBO_S):
            table = table.without_track(track.id)
        elif gone_s > SETTLED_S and not track.is_away:
            table = table.with_track(replace(track, is_away=True))
    return table


def _update_ground(table: TrackedTable, ground: Board, look: FrameObservation) -> TrackedTable:
    """The table with another board suspected, or laid once two readings agree on it."""
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
    """The table while no tile of it is seen any more: once agreed, it begins anew, with the names that there were."""
    ground = _strip_board(look.observation.board)
    suspected_one = _update_ground(table, ground, look)
    if suspected_one.next_ground is not None:
        return suspected_one
    known = {track.id: track.cells for track in table.tracks.values()}
    fresh = begin_tracking(look, table.roster, known, turn)
    return replace(fresh, count=table.count, notes=table.notes)


def _collect_things(look: FrameObservation, change: Renaming) -> frozenset[Sighting | StandingDoor]:
    """The figures and doors of a look, under the names of cells that the table has."""
    figures = [Sighting(change.cells(f.cells), f.kind or "") for f in look.observation.figures if f.cells]
    doors = [StandingDoor(tuple(sorted(map(change.edge, door.edges)))) for door in look.observation.board.doors]
    return frozenset[Sighting | StandingDoor]((*figures, *doors))


def _collect_newcomers(things: Iterable[Sighting | StandingDoor], time_s: float) -> Mapping[Sighting, Span]:
    return MappingProxyType({thing: Span(-math.inf, time_s) for thing in things if isinstance(thing, Sighting)})


def _strip_board(board: Board) -> Board:
    return replace(board, figures=(), doors=())
