"""``sightline.report/1``: a wrong reading in one file, with everything needed to read its picture again.

A zip of documents of the contract: ``report.json`` (format, version of the program, source, the sender's words),
``photo.jpg``, ``roster.json``, ``table.json`` if markers lay there, ``camera.json`` if the lens was known, and
``side-1.jpg`` and so on for the photos from other sides that were read together with it. Then either ``tiles/``,
``observation.json`` (the reading) and ``board.json`` (the corrected board, in the same lattice). Or, for a table
without a grid, ``box.json`` (terrain and models), ``sighting.json`` (the reading) and ``right.json``. If the table
could not be read from the photo, ``refusal.json`` takes the place of the reading. The corrected board then has any
lattice.
For example::

    {"format": "sightline.report/1", "version": "0.1.0", "source": "photo", "words": "a door too many"}
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict, TypeVar

import msgspec
from msgspec import Meta, Struct

from assistant.documents.board import board_document, board_from_json
from assistant.documents.camera import camera_document, camera_from_json, table_document, table_from_json
from assistant.documents.free_table import (
    free_sighting_document,
    free_sighting_from_json,
    free_table_document,
    free_table_from_json,
)
from assistant.documents.observation import observation_document, observation_from_json
from assistant.documents.reading import decode
from assistant.documents.tiles import roster_document, roster_from_json, tile_set_document, tile_set_from_json
from assistant.errors import BadValue, MissingField
from assistant.kept_files import opened_zip
from assistant.table.board import Board
from assistant.table.camera import NO_MARKERS, CameraLens, TableMarkers
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.table.tiles import TileSet
from assistant.translations.messages import said

REPORT_FORMAT = "sightline.report/1"

HEAD, PHOTO = "report.json", "photo.jpg"

BOX = "box.json"
"""File that only a report of a table without a grid contains."""

REFUSAL_FORMAT = "sightline.refusal/1"

REFUSAL = "refusal.json"
"""File in place of the reading where the table could not be read from the photo."""

MAX_REPORT_BYTES = 256 << 20
"""Size cap in bytes. A large tile set has 100 MB. A larger file is meant to fill the memory."""

MOST_FILES = 2_000
MOST_WORDS = 2_000
MOST_REFUSAL = 4_000

_FILE = re.compile(
    r"(report|table|camera|roster|observation|board|box|sighting|refusal|right)\.json|photo\.jpg|side-\d\.jpg"
    r"|tiles/tileset\.json|tiles/\d{1,4}\.png"
)

_Part = TypeVar("_Part")


class ReportHead(Struct, frozen=True, kw_only=True, tag_field="format", tag=REPORT_FORMAT):
    """The head of a report: the program version that read the picture, and the sender's words.

    ``sides_lens`` is whose lens took the photos from other sides: the picture's own camera, or one to be estimated.
    ``setup`` is empty: an owner's name for a set-up measures nothing. Only earlier versions wrote it.
    """

    version: Annotated[str, Meta(max_length=80)]
    source: Literal["photo", "live"]
    setup: Annotated[str, Meta(max_length=400)] = ""
    words: Annotated[str, Meta(max_length=MOST_WORDS)] = ""
    sides_lens: Literal["camera", "estimated"] = "camera"


class PhotoRefusal(Struct, frozen=True, kw_only=True, tag_field="format", tag=REFUSAL_FORMAT):
    """Why the table could not be read from a photo: the name of the error, and its sentence in English."""

    kind: Annotated[str, Meta(max_length=80)]
    message: Annotated[str, Meta(max_length=MOST_REFUSAL)]


@dataclass(frozen=True, kw_only=True)
class _PictureReport:
    """The common parts of every report: the picture as JPEG, markers, lens (None if estimated) and box."""

    head: ReportHead
    photo: bytes
    table: TableMarkers
    camera: CameraLens | None
    roster: Roster


@dataclass(frozen=True, kw_only=True)
class ReadingReport(_PictureReport):
    """A wrong reading of a table with tiles.

    Args:
        tiles: the tile set; its pictures are named ``0.png``, ``1.png`` and so on.
        pictures: the PNG of each of its sides, in their order.
        observed: the reading, or why there is none.
        right: the corrected board, in the reading's lattice, or None. Without a reading its lattice is free.
        sides: JPEGs of the same table from other sides that were read together with the picture.
    """

    tiles: TileSet
    pictures: tuple[bytes, ...]
    observed: Observation | PhotoRefusal
    right: Board | None = None
    sides: tuple[bytes, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FreeReport(_PictureReport):
    """A wrong reading of a table without a grid.

    Args:
        box: terrain and models.
        observed: the reading, or why there is none.
        right: the corrected table, or None.
    """

    box: FreeTable
    observed: FreeSighting | PhotoRefusal
    right: FreeTable | None = None

    @property
    def best_table(self) -> FreeTable | None:
        """The corrected table, else the one that was read, or None if there is neither."""
        return self.right or (None if isinstance(self.observed, PhotoRefusal) else self.observed.table)


AnyReport = ReadingReport | FreeReport


def report_zip(report: AnyReport) -> bytes:
    """Return the file of a report: the same bytes for the same report, without a time."""
    parts: dict[str, object] = {
        HEAD: report.head,
        "roster.json": roster_document(report.roster),
    }
    if report.table.markers:
        parts["table.json"] = table_document(report.table)
    if report.camera is not None:
        parts["camera.json"] = camera_document(report.camera)
    pictures = {PHOTO: report.photo}
    if isinstance(report, FreeReport):
        parts |= {BOX: free_table_document(report.box), **_answer_part(report.observed)}
        if report.right is not None:
            parts["right.json"] = free_table_document(report.right)
    else:
        parts |= {"tiles/tileset.json": tile_set_document(report.tiles), **_answer_part(report.observed)}
        if report.right is not None:
            parts["board.json"] = board_document(report.right)
        names = (f"tiles/{side.image}" for side in report.tiles.sides)
        pictures |= dict(zip(names, report.pictures, strict=True))
        pictures |= {f"side-{number}.jpg": jpeg for number, jpeg in enumerate(report.sides, 1)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, document in parts.items():
            file.writestr(zipfile.ZipInfo(name), msgspec.json.encode(document), zipfile.ZIP_DEFLATED)
        for name, picture in pictures.items():
            file.writestr(zipfile.ZipInfo(name), picture, zipfile.ZIP_STORED)
    return packed.getvalue()


def _answer_part(observed: Observation | FreeSighting | PhotoRefusal) -> dict[str, object]:
    """Return the document of a reading or of a refusal by the name of its file."""
    if isinstance(observed, PhotoRefusal):
        return {REFUSAL: observed}
    if isinstance(observed, FreeSighting):
        return {"sighting.json": free_sighting_document(observed)}
    return {"observation.json": observation_document(observed)}


def report_from_zip(data: bytes, document: str = "report") -> AnyReport:
    """Read a report file.

    Raises:
        DocumentError: it is not a zip or not a report, or a document in it breaks its format.
        BoardError: a board in it contradicts itself.
    """
    files = _Parts(_unpack(data, document), document)
    is_bare = BOX not in files.contents and "table.json" not in files.contents
    shared: _Shared = {
        "head": files.part(HEAD, lambda content, where: decode(content, REPORT_FORMAT, ReportHead, where)),
        "photo": files.part(PHOTO, _as_bytes),
        "table": NO_MARKERS if is_bare else files.part("table.json", table_from_json),
        "camera": files.further("camera.json", camera_from_json),
        "roster": files.part("roster.json", roster_from_json),
    }
    if BOX in files.contents:
        return FreeReport(
            **shared,
            box=files.part(BOX, free_table_from_json),
            observed=files.answer("sighting.json", free_sighting_from_json),
            right=files.further("right.json", free_table_from_json),
        )
    tiles = files.part("tiles/tileset.json", tile_set_from_json)
    return ReadingReport(
        **shared,
        tiles=tiles,
        pictures=tuple(files.part(f"tiles/{side.image}", _as_bytes) for side in tiles.sides),
        observed=files.answer("observation.json", observation_from_json),
        right=files.further("board.json", board_from_json),
        sides=tuple(content for name, content in sorted(files.contents.items()) if name.startswith("side-")),
    )


class _Shared(TypedDict):
    head: ReportHead
    photo: bytes
    table: TableMarkers
    camera: CameraLens | None
    roster: Roster


@dataclass(frozen=True)
class _Parts:
    """The files of a report by their names."""

    contents: Mapping[str, bytes]
    document: str

    def part(self, name: str, read: Callable[[bytes, str], _Part]) -> _Part:
        """Read the document in a file.

        Raises:
            MissingField: there is no such file.
        """
        if name not in self.contents:
            raise MissingField(said("The report lacks {part}. Ask for it again.", part=name), document=self.document)
        return read(self.contents[name], f"{self.document}: {name}")

    def further(self, name: str, read: Callable[[bytes, str], _Part]) -> _Part | None:
        return self.part(name, read) if name in self.contents else None

    def answer(self, name: str, read: Callable[[bytes, str], _Part]) -> _Part | PhotoRefusal:
        """Read the reading in a file, or the refusal in its place.

        Raises:
            MissingField: there is neither.
        """
        if name not in self.contents and REFUSAL in self.contents:
            return self.part(REFUSAL, lambda content, where: decode(content, REFUSAL_FORMAT, PhotoRefusal, where))
        return self.part(name, read)


def _as_bytes(content: bytes, _where: str) -> bytes:
    return content


def _unpack(data: bytes, document: str) -> Mapping[str, bytes]:
    """Unpack an untrusted zip, after checking all names and sizes."""
    damaged = said("This is not a report, or it is damaged. Choose a file made by “sightline report” or the page.")
    with opened_zip(data, BadValue(damaged, document=document)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MAX_REPORT_BYTES:
            raise BadValue(said("The report is far too large. Check that it is the right file."), document=document)
        strange = next((entry.filename for entry in entries if not _FILE.fullmatch(entry.filename)), None)
        if strange is not None:
            text = said("The report holds “{path}”, which does not belong there. Ask for it again.", path=strange)
            raise BadValue(text, document=document)
        return {entry.filename: archive.read(entry) for entry in entries}
