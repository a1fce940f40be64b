"""The pictures that the page can still show: the last few of each source."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Literal

from assistant.app.live.shots import Shot, ShotSource
from assistant.errors import InputError
from assistant.translations.messages import said

ShelfRow = ShotSource | Literal["asked", "looked", "left"]

CAPACITY: dict[ShelfRow, int] = {"photo": 24, "live": 8, "asked": 24, "looked": 40, "left": 2}
"""Kept pictures by source, about 1 MB each; a tablet may still be drawing an old live one."""


class ShotGone(InputError):
    """The picture was never there or has been forgotten."""

    http_status = 404
    sentence = said("This picture is no longer stored. Take or choose a new one.")


class ShotShelf:
    """Keeps pictures by name, safe in every thread; ``tell`` is called with each new one."""

    def __init__(self) -> None:
        self.tell: Callable[[Shot], None] = lambda shot: None
        self._lock = threading.Lock()
        self._shots: dict[ShelfRow, OrderedDict[str, Shot]] = {row: OrderedDict() for row in CAPACITY}

    def put(self, shot: Shot) -> None:
        """Keeps a picture and forgets the oldest of its source beyond the capacity."""
        self._keep(shot, shot.source)
        self.tell(shot)

    def keep(self, shot: Shot) -> None:
        """Keeps a picture longer because somebody asked about it; its ruling is shown on it later."""
        self._keep(shot, "asked")

    def keep_looked(self, shots: Iterable[Shot]) -> None:
        """Keeps just these pictures for the last looks of figures, beside all others."""
        with self._lock:
            self._shots["looked"].clear()
        for shot in shots:
            self._keep(shot, "looked")

    def get(self, shot_id: str) -> Shot:
        """The picture of that name.

        Raises:
            ShotGone: it is not there any more.
        """
        with self._lock:
            for row in self._shots.values():
                if shot_id in row:
                    return row[shot_id]
        raise ShotGone

    def latest_live(self) -> Shot | None:
        """The newest picture of the camera, or None before the first."""
        with self._lock:
            row = self._shots["live"]
            return next(reversed(row.values()), None)

    def latest(self) -> Shot | None:
        """The newest picture of the camera, else the newest photo; None before the first."""
        with self._lock:
            rows = (self._shots["live"], self._shots["photo"])
            return next((row[next(reversed(row))] for row in rows if row), None)

    def forget_live(self) -> None:
        """Forgets the camera's pictures: it looks at another table from now on.

        The newest pictures are still served by name: tablets may be fetching them just now.
        """
        with self._lock:
            live = self._shots["live"]
            self._shots["left"] = OrderedDict(list(live.items())[-CAPACITY["left"] :])
            live.clear()

    def _keep(self, shot: Shot, row_name: ShelfRow) -> None:
        with self._lock:
            row = self._shots[row_name]
            row[shot.id] = shot
            row.move_to_end(shot.id)
            while len(row) > CAPACITY[row_name]:
                row.popitem(last=False)
