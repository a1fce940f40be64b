"""The shots that the page can still show: the last few of each source, the rest forgotten."""

from __future__ import annotations

import threading
from collections import OrderedDict

from assistant.errors import InputError
from web.ports import Shot, ShotSource

CAPACITY: dict[ShotSource, int] = {"photo": 24, "live": 8}
"""A shot is about 1 MB; a live one is needed for as long as a tablet may still be drawing it."""


class ShotGone(InputError):
    """The shot was never there or has been forgotten."""

    http_status = 404


class ShotShelf:
    """Keeps shots by their names, safe to use from every thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shots: dict[ShotSource, OrderedDict[str, Shot]] = {"photo": OrderedDict(), "live": OrderedDict()}

    def put(self, shot: Shot) -> None:
        """Keeps a shot and forgets the oldest of its source beyond the capacity."""
        with self._lock:
            row = self._shots[shot.source]
            row[shot.id] = shot
            while len(row) > CAPACITY[shot.source]:
                row.popitem(last=False)

    def get(self, shot_id: str) -> Shot:
        """The shot of that name.

        Raises:
            ShotGone: it is not there any more.
        """
        with self._lock:
            for row in self._shots.values():
                if shot_id in row:
                    return row[shot_id]
        raise ShotGone("this picture is no longer kept; take or choose a new one")

    def keep(self, shot: Shot) -> None:
        """Keeps a shot of the camera as long as a photo, because somebody asked about it."""
        with self._lock:
            row = self._shots["photo"]
            row[shot.id] = shot
            row.move_to_end(shot.id)
            while len(row) > CAPACITY["photo"]:
                row.popitem(last=False)

    def latest_live(self) -> Shot | None:
        """The newest shot of the camera, or None before the first."""
        with self._lock:
            row = self._shots["live"]
            return next(reversed(row.values()), None)
