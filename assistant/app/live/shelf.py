"""The pictures that the page can still show: the last few from each source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from assistant.app.fair_shares import NOBODY, FairList, SenderShare
from assistant.app.live.shots import Shot, ShotSource
from assistant.errors import InputError
from assistant.translations.messages import said

ShelfRow = ShotSource | Literal["asked", "looked", "left"]

CAPACITY: dict[ShelfRow, int] = {"photo": 24, "live": 8, "asked": 24, "looked": 40, "left": 2}
"""Number of kept pictures by source, about 1 MB each. A tablet may still be drawing an old live picture."""


class ShotGone(InputError):
    """The picture never existed or is no longer kept."""

    http_status = 404
    sentence = said("This picture is no longer stored. Take or choose a new one.")


class ShotShelf:
    """A thread-safe store of pictures by name. It calls ``tell`` with each new one."""

    def __init__(self) -> None:
        self.tell: Callable[[Shot], None] = lambda shot: None
        self._shots: dict[ShelfRow, FairList[Shot]] = {row: FairList(most) for row, most in CAPACITY.items()}

    def put(self, shot: Shot, share: SenderShare = NOBODY) -> None:
        """Keep a picture. Beyond the capacity of its source, the largest share loses its oldest one."""
        self._shots[shot.source].add(shot.id, shot, share)
        self.tell(shot)

    def keep(self, shot: Shot, share: SenderShare = NOBODY) -> None:
        """Keep a picture longer, because a ruling on it may be shown later."""
        self._shots["asked"].add(shot.id, shot, share)

    def keep_looked(self, shots: Iterable[Shot]) -> None:
        """Keep exactly these pictures as the figures' last looks, beside all others."""
        self._shots["looked"].clear()
        for shot in shots:
            self._shots["looked"].add(shot.id, shot)

    def get(self, shot_id: str) -> Shot:
        """Return the picture of that name.

        Raises:
            ShotGone: it is no longer kept.
        """
        for row in self._shots.values():
            if (shot := row.get(shot_id)) is not None:
                return shot
        raise ShotGone

    def latest_live(self) -> Shot | None:
        """Return the newest picture of the camera, or None before the first."""
        return self._shots["live"].newest

    def latest(self) -> Shot | None:
        """Return the camera's newest picture, else the newest photo, or None before the first."""
        return self._shots["live"].newest or self._shots["photo"].newest

    def forget_live(self) -> None:
        """Forget the camera's pictures, because it now looks at another table.

        The newest pictures are still served by name, since tablets may be fetching them.
        """
        self._shots["left"].clear()
        for shot in [*self._shots["live"]][-CAPACITY["left"] :]:
            self._shots["left"].add(shot.id, shot)
        self._shots["live"].clear()
