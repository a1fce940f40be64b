"""Packs a wrong reading into one file that can be read again: the picture, the reading and the real table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from assistant.app.live.game_files import FreeGame, ReadableGame
from assistant.app.live.shots import Shot
from assistant.documents.report import FreeReport, ReadingReport, ReportHead, report_zip
from assistant.errors import CannotDo
from assistant.kept_files import map_errors, write_kept
from assistant.table.board import Board
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.table.observation import Observation
from assistant.table.tiles import TileSet
from assistant.translations.messages import said
from vision.free.reading import FreeTableReader
from vision.photo.decoding import decode_photo, decode_print
from vision.reading import TableReader
from vision.tiles.prints import PX_PER_CELL, Print, TilePrints, prints_from_images


class OtherSetUp(CannotDo):
    """The picture was read with other documents than those in use."""

    http_status = 409
    sentence = said("This picture was read with another set-up. Choose that set-up again, or take the picture anew.")


MOST_REPORTS = 200
"""Most reports in a data folder. With large tile sets they take some 2 GB."""


class ReportsFull(CannotDo):
    """The data folder holds as many reports as it may."""

    http_status = 409
    sentence = said(
        "The table keeps no further reports of wrong readings. The owner moves some out of the folder “reports” in the "
        "data folder."
    )


@dataclass(frozen=True)
class KeptReports:
    """The reports of wrong readings in a data folder, one for each picture. ``sightline report score`` measures them.

    Args:
        data: the data folder.
    """

    data: Path

    @property
    def folder(self) -> Path:
        """The folder of the reports."""
        return self.data / "reports"

    def keep(self, photo: bytes, report: bytes, *, is_corrected: bool) -> None:
        """Keep the report of a picture. One without the true table replaces none.

        Raises:
            ReportsFull: there are `MOST_REPORTS`.
            StoreError: it cannot be written.
        """
        path = self.folder / f"{hashlib.sha256(photo).hexdigest()[:16]}.zip"
        with map_errors("read"):
            is_there, count = path.exists(), len([*self.folder.glob("*.zip")])
        if is_there and not is_corrected:
            return
        if not is_there and count >= MOST_REPORTS:
            raise ReportsFull
        write_kept(path, report)


def pack_shot(shot: Shot, game: ReadableGame) -> bytes:
    """Return the report of a picture at the size that the page keeps, at most 2048 pixels wide.

    Raises:
        OtherSetUp: the picture was not read with these documents.
    """
    if shot.setup != game.setup:
        raise OtherSetUp
    return pack_reading(
        shot.read.picture.jpeg, shot.read.observation, game, right=shot.corrected, is_live=shot.source == "live"
    )


def pack_reading(
    jpeg: bytes,
    observed: Observation | FreeSighting,
    game: ReadableGame | FreeGame,
    *,
    right: Board | FreeTable | None = None,
    words: str = "",
    is_live: bool = False,
) -> bytes:
    """Return the report of a picture, with the documents that it was read with.

    Args:
        jpeg: the picture, without its file's metadata on place and owner.
        observed: the reading; for a table without a grid, this and the next two are the free variants.
        game: the documents.
        right: the real table, in the reading's lattice.
        words: the sender's words.
        is_live: whether a camera watched.
    """
    source: Literal["live", "photo"] = "live" if is_live else "photo"
    parts: dict[str, Any] = {
        "head": ReportHead(version=version("sightline"), setup=game.name, source=source, words=words),
        "photo": jpeg,
        "table": game.markers,
        "camera": game.lens,
        "roster": game.roster,
        "observed": observed,
        "right": right,
    }
    if isinstance(game, FreeGame):
        return report_zip(FreeReport(box=game.box, **parts))
    tiles, pictures = _tiles(game.prints)
    return report_zip(ReadingReport(tiles=tiles, pictures=pictures, **parts))


def read_again(report: ReadingReport) -> Observation:
    """Read a report's picture again with today's reader.

    Raises:
        PhotoUnreadable: its photo or a tile's picture cannot be decoded.
        PhotoError: the table cannot be read from it.
    """
    images = [decode_print(png, side.image) for side, png in zip(report.tiles.sides, report.pictures, strict=True)]
    prints = prints_from_images(report.tiles, images)
    reader = TableReader(prints, report.roster, report.table, report.camera)
    return reader.read(decode_photo(report.photo, "photo.jpg")).observation


def read_free_again(report: FreeReport) -> FreeSighting:
    """Read a report's picture of a table without a grid again with today's reader.

    Raises:
        PhotoUnreadable: its photo cannot be decoded.
        PhotoError: the table cannot be read from it.
        BadValue: a model of the roster has no values in the box.
    """
    reader = FreeTableReader(report.box, report.roster, report.table, report.camera)
    return reader.read(decode_photo(report.photo, "photo.jpg")).sighting


def _tiles(prints: TilePrints) -> tuple[TileSet, tuple[bytes, ...]]:
    """Return the tile set with its pictures at the small size that the reader compares."""
    sides = tuple(replace(side, image=f"{n}.png") for n, side in enumerate(prints.tile_set.sides))
    return (
        replace(prints.tile_set, sides=sides, pixels_per_cell=PX_PER_CELL),
        tuple(map(_png, prints.prints)),
    )


def _png(one: Print) -> bytes:
    alpha = np.where(one.inside_mask, 255, 0).astype(np.uint8)
    return cv2.imencode(".png", np.dstack([one.image, alpha]))[1].tobytes()
