"""Snapshots for quick starts: game and clocks after an event, and the list of its entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from assistant.match.clock import Clock
from assistant.match.system import MatchSystem
from assistant.match.timeline import Event, Timeline, with_entries
from assistant.translations.messages import Said

SNAPSHOT_VERSION = 8
"""Version of the format. Raise it when a game changes its fields or titles, to ignore older snapshots."""


class Snapshot(Struct, frozen=True, kw_only=True):
    """The parts of a timeline; ``last_hash`` ties it to the line of the event that it follows."""

    version: int
    seq: int
    last_hash: str
    clock: Clock
    done: list[tuple[int, Said]]
    notes: list[int]
    devices: list[str]
    changed_ms: int
    game: dict[str, Any]
    seed: str | None = None


def snapshot_of(timeline: Timeline, last_hash: str) -> bytes | None:
    """Return the timeline as bytes, or None while entries can be redone, or a request for an undo is open."""
    if timeline.undone is not None or timeline.asked is not None:
        return None
    done = [(entry.seq, entry.title) for entry in timeline.entries()]
    game = msgspec.to_builtins(timeline.game)
    snapshot = Snapshot(
        version=SNAPSHOT_VERSION,
        seq=timeline.seq,
        last_hash=last_hash,
        clock=timeline.clock,
        done=done,
        notes=[event.seq for event in timeline.notes],
        devices=sorted(timeline.devices),
        changed_ms=timeline.changed_ms,
        game=game,
        seed=timeline.seed,
    )
    return msgspec.json.encode(snapshot)


def restore_snapshot(
    data: bytes, system: MatchSystem[Any, Any], events: Sequence[Event], hash_after: Callable[[int], str]
) -> Timeline | None:
    """Return the timeline of a snapshot, or None if it is damaged, of another version, or of other events.

    A snapshot only saves time, so a useless one causes no error.
    """
    try:
        snapshot = msgspec.json.decode(data, type=Snapshot)
        game = system.state_from(snapshot.game)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if snapshot.version != SNAPSHOT_VERSION or snapshot.seq > len(events):
        return None
    if snapshot.last_hash != hash_after(snapshot.seq):
        return None
    done = [(events[seq - 1], title) for seq, title in snapshot.done]
    start = Timeline(
        game,
        snapshot.clock,
        snapshot.seq,
        notes=tuple(events[seq - 1] for seq in snapshot.notes),
        devices=frozenset(snapshot.devices),
        changed_ms=snapshot.changed_ms,
        seed=snapshot.seed,
    )
    return with_entries(start, done)
