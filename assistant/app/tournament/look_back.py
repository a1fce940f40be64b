"""The last minutes of pictures in memory, which show where a figure was before a move.

Pictures are kept as the page's JPEGs. Nothing is written to disk unless a judge is called.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from assistant.app.live.free_names import measured_moves
from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import Shot

AnyShot = Shot | FreeShot
"""A picture of the table, with a grid or without one."""

LOOK_BACK_S = 300.0
"""Age in seconds up to which pictures are kept. A judge who comes later has to ask the players."""

STILL_EVERY_S = 10.0
"""Seconds between two kept pictures of an unchanged table."""

MOST_BYTES = 40 << 20
"""Memory limit in bytes: about a hundred camera pictures. A small machine has 1 GB for everything."""

MOST_KEPT = 100


@dataclass
class LookBack:
    """A thread-safe store of the last pictures.

    Args:
        most_bytes: their memory limit in bytes, as JPEGs.
    """

    most_bytes: int = MOST_BYTES
    _kept: deque[AnyShot] = field(default_factory=deque)
    _newest: AnyShot | None = None
    _bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, shot: AnyShot) -> None:
        """Keep a picture if its table changed, or if none was kept for `STILL_EVERY_S`."""
        with self._lock:
            self._newest = shot
            last = self._kept[-1] if self._kept else None
            if last is not None and _is_same(last, shot) and shot.taken_at_s - last.taken_at_s < STILL_EVERY_S:
                return
            self._kept.append(shot)
            self._bytes += _size(shot)
            while self._is_beyond(shot.taken_at_s):
                self._forget_one(shot.taken_at_s)

    def begin_anew(self) -> None:
        """Forget every picture but the newest, because another match begins with the present table."""
        with self._lock:
            newest = self._newest
            self._kept.clear()
            self._bytes = 0
            if newest is not None:
                self._kept.append(newest)
                self._bytes = _size(newest)

    def shots(self) -> tuple[AnyShot, ...]:
        """Return the kept pictures, the oldest first, and the newest picture at the end."""
        with self._lock:
            kept = tuple(self._kept)
            if self._newest is None or self._newest is kept[-1]:
                return kept
            return (*kept, self._newest)

    def _forget_one(self, now_s: float) -> None:
        """Forget the oldest picture, or the oldest upload if uploads are the majority: nobody can flush the rest."""
        kept = self._kept
        by_hand = [shot for shot in kept if shot.source == "photo"]
        is_aged = now_s - kept[0].taken_at_s > LOOK_BACK_S
        gone = by_hand[0] if not is_aged and 2 * len(by_hand) > len(kept) else kept[0]
        kept.remove(gone)
        self._bytes -= _size(gone)

    def _is_beyond(self, now_s: float) -> bool:
        kept = self._kept
        if len(kept) < 2:
            return False
        return self._bytes > self.most_bytes or len(kept) > MOST_KEPT or now_s - kept[0].taken_at_s > LOOK_BACK_S


def _size(shot: AnyShot) -> int:
    return len((shot.picture if isinstance(shot, FreeShot) else shot.read.picture).jpeg)


def _is_same(last: AnyShot, shot: AnyShot) -> bool:
    """Return whether the table is unchanged. Without a grid, a still figure's measured place varies slightly."""
    if isinstance(last, FreeShot) and isinstance(shot, FreeShot):
        before, after = last.sighting.table, shot.sighting.table
        names = before.figure_by_id.keys() == after.figure_by_id.keys()
        return names and before.terrain == after.terrain and not measured_moves(last.sighting, shot.sighting)
    return isinstance(last, Shot) and isinstance(shot, Shot) and last.board == shot.board
