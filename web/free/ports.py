"""What the page of a table without a grid needs of whoever reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from assistant.app.live.free_measures import Measure
from assistant.app.live.free_shots import AskedFree, FreeShot
from assistant.app.live.game_files import FreeGame
from assistant.app.live.shots import PointPx
from assistant.rules.free_flips import FreeFlip
from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Reason, Ruling
from assistant.table.free_table import TerrainKind


class FreeTableDesk(Protocol):
    """Reads pictures of a table without a grid and answers about them."""

    def tell_to(self, listener: Callable[[FreeShot], None]) -> None:
        """Gives every picture that is read from now on to the listener."""

    @property
    def game(self) -> FreeGame:
        """What the table is read by."""

    @property
    def rules(self) -> FreeRules:
        """The rules that are asked."""

    @property
    def latest(self) -> FreeShot | None:
        """The newest picture."""

    @property
    def asked(self) -> Sequence[AskedFree]:
        """The last rulings that were asked for, the oldest first."""

    def shot(self, shot_id: str) -> FreeShot:
        """The picture of that name.

        Raises:
            UnknownName: it is no longer kept.
        """

    def read_upload(self, photo: bytes) -> FreeShot:
        """The uploaded photo, read.

        Raises:
            PhotoError: the table cannot be read from it.
        """

    def as_read(self, shot_id: str) -> tuple[FreeGame, bytes]:
        """By what a picture was read, and the picture itself, to be read once more.

        Raises:
            UnknownName: there is no such picture.
        """

    def rule(self, shot_id: str, attacker: str, defender: str) -> Ruling:
        """The ruling on an attack, with how sure it is.

        Raises:
            UnknownName: there is no such picture or figure.
        """

    def say_who_stands(self, shot_id: str, name: str, *, is_there: bool) -> FreeShot:
        """Takes what somebody says of a figure, or of a place where one may stand; the newest picture, told with it.

        Raises:
            UnknownName: there is no such picture, or nobody stands or may stand there by now.
        """

    def flips(self, shot_id: str, ruling: Ruling) -> Sequence[FreeFlip]:
        """Those besides the two asked about on whom a ruling hangs, the most doubtful first.

        Raises:
            UnknownName: there is no such picture.
        """

    def about(self, shot_id: str, figure: str) -> tuple[Reason, ...]:
        """What the table means for one figure.

        Raises:
            UnknownName: there is no such picture or figure.
        """

    def measure(self, shot_id: str, start_px: PointPx, end_px: PointPx) -> Measure:
        """The distance between two points of a picture.

        Raises:
            UnknownName: there is no such picture.
            BadValue: a point does not lie on the table.
        """

    def draw_terrain(
        self, shot_id: str, stroke_px: Sequence[PointPx], kind: TerrainKind, height_mm: float
    ) -> tuple[FreeShot, float]:
        """Takes a piece of terrain that was drawn; the picture read with it, and the share of sides on an edge.

        Raises:
            UnknownName: there is no such picture.
            BadValue: the line is no outline.
        """

    def find_terrain(self, shot_id: str, terrain_id: str) -> FreeShot:
        """Looks where a piece of terrain lies now; the picture read with it there.

        Raises:
            UnknownName: there is no such picture or piece.
            CannotDo: the picture does not tell where it lies.
        """

    def remove_terrain(self, shot_id: str, terrain_id: str) -> FreeShot:
        """Takes a piece of terrain away; the picture read without it.

        Raises:
            UnknownName: there is no such picture or piece.
        """
