"""What the teaching page needs of the desk behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assistant.app.teaching.values import (
    ConfirmedFigure,
    ConfirmedTile,
    DoorDraft,
    FigureDraft,
    TaughtRoster,
    TaughtSet,
    TileDraft,
)
from assistant.table.roster import BaseShape


class TeachingDesk(Protocol):
    """Reads photos of tiles, figures and doors, and keeps what was confirmed."""

    def sets(self) -> Sequence[TaughtSet]:
        """The tile sets that are there."""

    def rosters(self) -> Sequence[TaughtRoster]:
        """The rosters that are there."""

    def read_tile(self, photo: bytes, together_with: str | None) -> TileDraft:
        """The tile in a photo, read together with those of a draft before."""

    def read_figure(self, photo: bytes, base_shape: BaseShape | None, together_with: str | None) -> FigureDraft:
        """The figure in a photo; the shape of its base is told from the photo unless it is said."""

    def read_door(self, photo: bytes) -> DoorDraft:
        """The door in a photo."""

    def picture(self, draft_id: str) -> bytes:
        """What a draft looks like, squared, as PNG."""

    def keep_tile(self, draft_id: str, tile: ConfirmedTile) -> TaughtSet:
        """Puts a confirmed tile side into its set."""

    def keep_figure(self, draft_id: str, figure: ConfirmedFigure) -> TaughtRoster:
        """Puts a confirmed figure into its roster."""

    def keep_door(self, draft_id: str, roster: str, count: int, thickness_mm: float) -> TaughtRoster:
        """Puts the doors into a roster."""

    def exported(self, set_name: str) -> bytes:
        """A tile set as a zip."""

    def imported(self, data: bytes) -> TaughtSet:
        """Keeps the tile set in a zip."""
