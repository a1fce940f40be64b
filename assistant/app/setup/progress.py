"""The progress of a set-up: one frozen value, written to the data folder after every change.

A restarted program continues from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace

from assistant.app.setup.values import PaperName, SetUpStep
from assistant.kept_files import read_kept, write_kept
from calibration.lens_board import BoardSighting
from calibration.markers import MarkerSighting

FILE = "setup.json"

PlanePoint = tuple[float, float]


class KeptSighting(Struct, frozen=True):
    """A view of the lens board, with the fields of ``BoardSighting``."""

    corners_px: tuple[PlanePoint, ...]
    board_mm: tuple[PlanePoint, ...]
    corner_count: int
    is_inverted: bool

    @classmethod
    def of(cls, sighting: BoardSighting) -> KeptSighting:
        corners_px, board_mm = _points(sighting.corners_px), _points(sighting.board_mm)
        return cls(corners_px, board_mm, sighting.corner_count, sighting.is_inverted)

    def sighting(self) -> BoardSighting:
        return BoardSighting(np.array(self.corners_px), np.array(self.board_mm), self.corner_count, self.is_inverted)


class SeenMarker(Struct, frozen=True):
    """A marker in a photo of the table."""

    id: int
    corners_px: tuple[PlanePoint, ...]

    @classmethod
    def of(cls, sighting: MarkerSighting) -> SeenMarker:
        return cls(sighting.id, _points(sighting.corners_px))

    def sighting(self) -> MarkerSighting:
        return MarkerSighting(self.id, np.array(self.corners_px))


class TablePhoto(Struct, frozen=True):
    """The markers in one photo of the table, and the ids of markers that were readable only mirrored."""

    markers: tuple[SeenMarker, ...]
    mirrored: tuple[int, ...] = ()


class LensOutcome(Struct, frozen=True):
    """A lens as its ``sightline.camera/1`` document, and its uncertainty."""

    camera: dict[str, Any]
    rms_px: float
    focal_uncertainty: float
    view_rms_px: tuple[float | None, ...]


class TableOutcome(Struct, frozen=True):
    """The table as its ``sightline.table/1`` document, its uncertainty, and faulty markers by id and kind of fault."""

    table: dict[str, Any]
    reprojection_px: float
    sigma_mm: float
    focal_uncertainty: float
    faults: tuple[tuple[int, str], ...]


class OfCamera(Struct, frozen=True, kw_only=True):
    """Everything that a person showed to one camera, with its results."""

    source: str | None = None
    image_wh: tuple[int, int] | None = None
    views: tuple[KeptSighting, ...] = ()
    lens: LensOutcome | None = None
    is_lens_skipped: bool = False
    photos: tuple[TablePhoto, ...] = ()
    is_table_skipped: bool = False
    table: TableOutcome | None = None


class Progress(OfCamera, frozen=True, kw_only=True):
    """All choices and pictures so far."""

    format: Literal["sightline.setup-progress/1"] = "sightline.setup-progress/1"
    step: SetUpStep = "camera"
    paper: PaperName = "a4"
    measured_mm: float | None = None
    is_reprinted: bool = False
    has_sheets: bool = False
    tiles: str | None = None
    roster: str | None = None
    has_game: bool = False
    step_mm: float | None = None
    """Length of a step in mm on a table without a grid, or None for a table with tiles."""
    name: str | None = None
    is_read: bool = False
    print_scale: float | None = None
    """Size of the printed markers relative to the table document, if the tiles in the first reading contradict it."""
    before: OfCamera | None = None
    """The pictures of the previous camera: a tap on the wrong camera must not cost fifteen of them."""

    def with_camera(self, source: str) -> Progress:
        """Return the progress with another camera. The previous one's lens and photos are kept until it is back."""
        if source == self.source:
            return self
        shown = OfCamera(**{name: getattr(self, name) for name in OfCamera.__struct_fields__})
        is_worth_it = shown != OfCamera(source=self.source)
        known = self.before if self.before is not None and self.before.source == source else OfCamera(source=source)
        # A name stands for a whole set-up, and may by now stand for one with the other camera.
        before = shown if is_worth_it else self.before
        return replace(self, before=before, name=None, is_read=False, print_scale=None, **asdict(known))

    def without_lens(self) -> Progress:
        """Return the progress without views, lens and photos. Photos must come from the lens's own pictures."""
        return replace(self.without_table(), image_wh=None, views=(), lens=None)

    def without_table(self) -> Progress:
        """Return the progress without photos of the table, and with the set-up's name free again."""
        return replace(self, photos=(), table=None, name=None, is_read=False)


def _points(values: Any) -> tuple[PlanePoint, ...]:
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in values)


class ProgressFile:
    """The progress in a data folder.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def read(self) -> Progress:
        """Read the last written progress, or the initial one if there is none of this version.

        Raises:
            StoreError: the file exists but cannot be read.
        """
        data = read_kept(self._path)
        if data is None:
            return Progress()
        try:
            return msgspec.json.decode(data, type=Progress)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return Progress()  # Of another version, or damaged. The steps are repeated; nothing else depends on it.

    def write(self, progress: Progress) -> None:
        """Save the progress."""
        write_kept(self._path, msgspec.json.encode(progress))
