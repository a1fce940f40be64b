"""A picture of a table without a grid that was read, and what was asked about it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.live.free_names import SeenMove
from assistant.app.live.free_plan import TablePlan
from assistant.app.live.reader import PageView
from assistant.app.live.shots import Picture, ShotSource
from assistant.table.camera import TableMarkers
from assistant.table.free_sighting import FreeSighting


@dataclass(frozen=True, eq=False)
class FreeShot:
    """A picture of a table without a grid with what was read from it.

    Args:
        id: its name.
        source: a camera that watches, or a photo that was handed in.
        picture: as the page shows it.
        sighting: what it shows.
        view: where points of the table are in it.
        taken_at_s: seconds since 1970, for people; nothing is ordered by it.
        moves: what moved since the picture before.
        markers: the printed markers, where they are known.
        plan: the same from straight above, where it was drawn.
    """

    id: str
    source: ShotSource
    picture: Picture
    sighting: FreeSighting
    view: PageView
    taken_at_s: float
    moves: tuple[SeenMove, ...] = ()
    markers: TableMarkers | None = None
    plan: TablePlan | None = None


@dataclass(frozen=True)
class AskedFree:
    """A ruling that somebody asked for on such a picture."""

    shot: FreeShot
    attacker: str
    defender: str
    asked_at_s: float
