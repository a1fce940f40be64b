"""Packs a wrong reading into one file that can be read again: the picture, the reading and the real table."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import cv2
import msgspec
import numpy as np

from assistant.app.live.game_files import FreeGame, ReadableGame
from assistant.app.live.reader import GameReader, encode_for_report, with_side
from assistant.app.live.shots import Shot
from assistant.documents.report import AnyReport, FreeReport, PhotoRefusal, ReadingReport, ReportHead, report_zip
from assistant.errors import CannotDo, PhotoError
from assistant.kept_files import map_errors, write_kept
from assistant.table.board import Board
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.table.observation import Observation
from assistant.table.tiles import TileSet
from assistant.translations.messages import said
from vision.free.reading import FreeTableReader
from vision.photo.decoding import decode_photo, decode_print
from vision.reading import TableReader, known_tiles
from vision.tiles.prints import PX_PER_CELL, Print, TilePrints, prints_from_images
from vision.views.reading import SidePhoto, read_together

_Answer = TypeVar("_Answer")


class OtherSetUp(CannotDo):
    """The picture was read with other documents than those in use."""

    http_status = 409
    sentence = said("This picture was read with another set-up. Choose that set-up again, or take the picture anew.")


MOST_REPORTS = 200
"""Most reports that people at the table keep in a data folder by a tap. The owner adds any number."""

MOST_BYTES = 2 << 30
"""Most bytes of reports in a data folder before a tap is refused. One has 1 MB to 15 MB, with its tile set."""

ADDED = "added-"
"""Beginning of the names of reports that the owner added."""

_OPEN = "open"
"""Stands in a name for the true table that a report does not have yet."""


class ReportsFull(CannotDo):
    """The data folder holds as many reports as it may."""

    http_status = 409
    sentence = said(
        "The table keeps no further reports of wrong readings. The owner makes room with “sightline report prune "
        "--keep 50”, and moves reports with a true table to another folder."
    )


@dataclass(frozen=True)
class KeptReports:
    """The reports of wrong readings in a data folder. ``sightline report score`` measures them.

    A file's name holds a hash of the pictures, of the set-up with the reading, of the true table, and of the words. So
    the same report is one file, and other words or another true table on the same picture are another file.

    Args:
        data: the data folder.
    """

    data: Path
    _changing: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)

    @property
    def folder(self) -> Path:
        """The folder of the reports."""
        return self.data / "reports"

    def keep(self, report: AnyReport) -> Path | None:
        """Keep a report from the table. Return its file, or None if a kept report says all of it.

        Raises:
            ReportsFull: there are `MOST_REPORTS` of the table's own, or `MOST_BYTES` in all.
            StoreError: it cannot be written.
        """
        with self._changing:
            name = _Name.of(report)
            content = report_zip(report)
            if not self._is_kept(name):
                self._require_room(len(content))
            return self._write(name, content, "")

    def has(self, report: AnyReport) -> bool:
        """Return whether a kept report says all of it.

        Raises:
            StoreError: the folder cannot be read.
        """
        return self._is_kept(_Name.of(report))

    def complete(self, report: AnyReport, before: Path | None) -> Path | None:
        """Keep a report with the true table, however many there are. Return its file, or None if it was kept already.

        Args:
            report: the report.
            before: the file that the caller wrote before this correction of the same picture, which it replaces.

        Raises:
            StoreError: it cannot be written.
        """
        with self._changing:
            name = _Name.of(report)
            path = self._write(name, report_zip(report), "")
            if before is not None and before not in self._same(name):
                self.remove(before)
            return path

    def add(self, report: AnyReport) -> bool:
        """Add a report to the table's own, however many there are. Return False if it says nothing new.

        Raises:
            StoreError: it cannot be written.
        """
        with self._changing:
            return self._write(_Name.of(report), report_zip(report), ADDED) is not None

    def files(self) -> list[Path]:
        """Return the files of all reports by name.

        Raises:
            StoreError: the folder cannot be read.
        """
        return self._find("")

    def remove(self, file: Path) -> None:
        """Remove a report.

        Raises:
            StoreError: it cannot be removed.
        """
        with map_errors("write"):
            file.unlink(missing_ok=True)

    def _is_kept(self, name: _Name) -> bool:
        return bool(self._same(name) or self._completed_by(name))

    def _write(self, name: _Name, content: bytes, beginning: str) -> Path | None:
        is_new = not self._same(name)
        path = self.folder / f"{beginning}{name.of_reading}-{name.right}{name.words}.zip"
        if is_new:
            write_kept(path, content)
        for other in self._completed_by(name):
            self.remove(other)
        return path if is_new else None

    def _same(self, name: _Name) -> list[Path]:
        """Return the files that say the same, or the same and more: the true table, too."""
        right = "*" if name.right == _OPEN else name.right
        return self._find(f"{name.of_reading}-{right}{name.words}")

    def _completed_by(self, name: _Name) -> list[Path]:
        """Return the files that a report says all of, and more."""
        return [] if name.right == _OPEN else self._find(f"{name.of_reading}-{_OPEN}{name.words}")

    def _find(self, name: str) -> list[Path]:
        with map_errors("read"):
            return sorted(self.folder.glob(f"*{name}.zip"))

    def _require_room(self, more: int) -> None:
        with map_errors("read"):
            sizes = {path.name: path.stat().st_size for path in self.files()}
        own_count = sum(not name.startswith(ADDED) for name in sizes)
        if own_count >= MOST_REPORTS or sum(sizes.values()) + more > MOST_BYTES:
            raise ReportsFull


class _Name(NamedTuple):
    """The parts of a report's name: hashes of what it says."""

    of_reading: str
    right: str
    words: str

    @classmethod
    def of(cls, report: AnyReport) -> _Name:
        pictures = [report.photo, *(report.sides if isinstance(report, ReadingReport) else ())]
        head = ReportHead(version="", source=report.head.source, sides_lens=report.head.sides_lens)
        bare = replace(report, head=head, right=None)
        words = report.head.words.encode()
        return cls(
            f"{_hash(*pictures)}-{_hash(report_zip(bare))}",
            _OPEN if report.right is None else _hash(report_zip(replace(report, head=head))),
            f"-{_hash(words)}" if words else "",
        )


def _hash(*parts: bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.hexdigest()[:12]


def report_of_shot(shot: Shot, game: ReadableGame) -> ReadingReport:
    """Return the report of a picture at the size that the page keeps, at most 2048 pixels wide.

    Raises:
        OtherSetUp: the picture was not read with these documents.
    """
    if shot.setup != game.setup:
        raise OtherSetUp
    read, is_live = shot.read, shot.source == "live"
    observed = read.as_read or read.observation
    game = replace(game, markers=read.calibration.markers, lens=read.calibration.lens)
    report = report_of_board(read.picture.jpeg, observed, game, right=shot.corrected, is_live=is_live)
    lens: Literal["camera", "estimated"] = "camera" if read.has_one_camera else "estimated"
    return replace(report, sides=read.sides, head=msgspec.structs.replace(report.head, sides_lens=lens))


def report_of_photo(jpeg: bytes, game: ReadableGame, *, right: Board | None = None, words: str = "") -> ReadingReport:
    """Read a photo of a table with tiles and return its report. A refusal stands in it in place of the reading.

    The arguments are those of `report_of_board`.
    """
    observed = read_or_refusal(lambda: GameReader(game).read(jpeg).observation)
    return report_of_board(jpeg, observed, game, right=right, words=words)


def report_of_upload(photo: bytes, game: ReadableGame) -> ReadingReport:
    """Read an uploaded photo at the size that a report keeps, and return its report.

    Raises:
        PhotoUnreadable: the bytes are not a picture, or exceed the limits.
    """
    return report_of_photo(encode_for_report(decode_photo(photo)), game)


def report_of_side(photo: bytes, shot: Shot, game: ReadableGame) -> ReadingReport:
    """Read a picture together with an uploaded photo from another side, and return their report.

    Raises:
        OtherSetUp: the picture was not read with these documents.
        PhotoUnreadable: the bytes are not a picture, or exceed the limits.
    """
    read = with_side(photo, shot.read, by_same_camera=shot.source == "photo")
    report = report_of_shot(replace(shot, read=read, corrected=None), game)
    return replace(report, observed=read_or_refusal(lambda: read_again(report)))


def report_of_free_upload(photo: bytes, game: FreeGame) -> FreeReport:
    """Read an uploaded photo of a table without a grid, and return its report, as `report_of_upload` does.

    Raises:
        PhotoUnreadable: the bytes are not a picture, or exceed the limits.
    """
    jpeg = encode_for_report(decode_photo(photo))
    reader = FreeTableReader(game.box, game.roster, game.markers, game.lens)
    return report_of_free(jpeg, read_or_refusal(lambda: reader.read(decode_photo(jpeg)).sighting), game)


def read_or_refusal(read: Callable[[], _Answer]) -> _Answer | PhotoRefusal:
    """Return what a reading returns, or why the table cannot be read from its photo."""
    try:
        return read()
    except PhotoError as problem:
        return PhotoRefusal(kind=type(problem).__name__, message=str(problem))


def report_of_board(
    jpeg: bytes,
    observed: Observation | PhotoRefusal,
    game: ReadableGame,
    *,
    right: Board | None = None,
    words: str = "",
    is_live: bool = False,
) -> ReadingReport:
    """Return the report of a picture of a table with tiles, with the documents that it was read with.

    Args:
        jpeg: the picture, without its file's metadata on place and owner.
        observed: the reading, or why there is none.
        game: the documents.
        right: the real table, in the reading's lattice. Without a reading its lattice is free.
        words: the sender's words.
        is_live: whether a camera watched.
    """
    tiles, pictures = encoded_tiles(game.prints)  # one copy for all open reports
    parts = _shared(jpeg, game, words, is_live=is_live)
    return ReadingReport(**parts, tiles=tiles, pictures=pictures, observed=observed, right=right)


def report_of_free(
    jpeg: bytes,
    observed: FreeSighting | PhotoRefusal,
    game: FreeGame,
    *,
    right: FreeTable | None = None,
    words: str = "",
    is_live: bool = False,
) -> FreeReport:
    """Return the report of a picture of a table without a grid, as `report_of_board` does."""
    return FreeReport(**_shared(jpeg, game, words, is_live=is_live), box=game.box, observed=observed, right=right)


def _shared(jpeg: bytes, game: ReadableGame | FreeGame, words: str, *, is_live: bool) -> dict[str, Any]:
    source: Literal["live", "photo"] = "live" if is_live else "photo"
    head = ReportHead(version=version("sightline"), source=source, words=words)
    return {"head": head, "photo": jpeg, "table": game.markers, "camera": game.lens, "roster": game.roster}


def read_again(report: ReadingReport) -> Observation:
    """Read a report's picture again with today's reader, together with its photos from other sides.

    A crowded picture may have been read by the tiles of the last one, so those of its own reading count as known.

    Raises:
        PhotoUnreadable: a photo or a tile's picture cannot be decoded.
        PhotoError: the table cannot be read from them.
    """
    images = [decode_print(png, side.image) for side, png in zip(report.tiles.sides, report.pictures, strict=True)]
    prints = prints_from_images(report.tiles, images)
    lens_of_sides = report.camera if report.head.sides_lens == "camera" else None
    jpegs = [("photo.jpg", report.photo, report.camera)]
    jpegs += [(f"side-{n}.jpg", jpeg, lens_of_sides) for n, jpeg in enumerate(report.sides, 1)]
    tiles = known_tiles(report.observed, prints) if isinstance(report.observed, Observation) else ()
    photos = [
        SidePhoto(TableReader(prints, report.roster, report.table, lens), decode_photo(jpeg, name), earlier=tiles)
        for name, jpeg, lens in jpegs
    ]
    return read_together(photos).observation


def read_free_again(report: FreeReport) -> FreeSighting:
    """Read a report's picture of a table without a grid again with today's reader.

    Raises:
        PhotoUnreadable: its photo cannot be decoded.
        PhotoError: the table cannot be read from it.
        BadValue: a model of the roster has no values in the box.
    """
    reader = FreeTableReader(report.box, report.roster, report.table, report.camera)
    return reader.read(decode_photo(report.photo, "photo.jpg")).sighting


@lru_cache(maxsize=2)
def encoded_tiles(prints: TilePrints) -> tuple[TileSet, tuple[bytes, ...]]:
    """Return the tile set, without its owner's name for it, with its pictures at the size that the reader compares."""
    sides = tuple(replace(side, image=f"{n}.png") for n, side in enumerate(prints.tile_set.sides))
    return (
        replace(prints.tile_set, name="tiles", sides=sides, pixels_per_cell=PX_PER_CELL),
        tuple(map(_png, prints.prints)),
    )


def _png(one: Print) -> bytes:
    alpha = np.where(one.inside_mask, 255, 0).astype(np.uint8)
    return cv2.imencode(".png", np.dstack([one.image, alpha]))[1].tobytes()
