"""Tile sets as files: insert taught sides, and pack a set as one flat zip of ``tileset.json`` and its pictures."""

from __future__ import annotations

import io
import re
import stat
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from jaxtyping import UInt8

from assistant.documents import read_bytes, roster_from_json, tile_set_from_json, to_json
from assistant.documents.tiles import (
    SharedAbout,
    shared_about_document,
    shared_about_from_json,
    tile_set_document,
)
from assistant.errors import NoTileArchive, Unteachable
from assistant.kept_files import map_errors, opened_zip
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import said
from calibration.arrays import BgrImage, Numbers
from vision.photo.decoding import MAX_PRINT_PIXELS, decode_print, read_photo_bytes
from vision.teaching.sighting import CELL_MM, THICKNESS_MM, bounds
from vision.teaching.tile_reading import SIDE_PX

DOCUMENT = "tileset.json"
ROSTER = "roster.json"
ABOUT = "about.json"
"""Optional file of a shared set: figures and doors with their looks, and its maker."""

MAX_ARCHIVE_BYTES = 64 << 20
"""Limit packed and unpacked. A set of 48 sides with 64 pixels a cell has about 10 MB."""

MAX_PICTURE_BYTES = 16 << 20
MAX_FILES = 400

_FILE_NAME = re.compile(r"\w[\w .-]{0,99}")
_NOT_OURS = said("choose a zip that “sightline tileset export” or the page has made")
_Used = TypeVar("_Used")


@dataclass(frozen=True, eq=False)
class SharedSet:
    """A tile set from a zip, laid out in a folder, with its roster and its maker if included."""

    tile_set: TileSet
    folder: Path
    roster: bytes | None = None
    about: SharedAbout | None = None


def pack_tile_set(folder: Path, *, roster: bytes | None = None, about: SharedAbout | None = None) -> bytes:
    """Pack the tile set in a folder as a zip. The same folder gives the same bytes.

    A roster document and a note about the maker are included if given.

    Raises:
        DocumentError: ``tileset.json`` is missing or breaks its format.
        PhotoUnreadable: a picture cannot be read.
    """
    document = read_bytes(folder / DOCUMENT)
    tile_set = tile_set_from_json(document, str(folder / DOCUMENT))
    files = {DOCUMENT: document}
    if roster is not None:
        files[ROSTER] = roster
    if about is not None:
        files[ABOUT] = to_json(shared_about_document(about)).encode()
    for image in sorted({side.image for side in tile_set.sides}):
        _check_name(image)
        files[image] = read_photo_bytes(folder / image)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed date, so that archives differ only by their content.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def unpack_tile_set(data: bytes, use: Callable[[SharedSet], _Used]) -> _Used:
    """Return the result of ``use`` for the tile set in a zip, laid out in a temporary folder.

    All checks come before the call of ``use``, so that nothing of a faulty file is kept.

    Raises:
        NoTileArchive: not a zip, damaged, too large, or with files that do not belong there.
        DocumentError: ``tileset.json`` breaks its format.
        PhotoUnreadable: a picture is damaged.
    """
    files = _files(data)
    tile_set = tile_set_from_json(files.get(DOCUMENT, b""), DOCUMENT) if DOCUMENT in files else None
    if tile_set is None:
        raise NoTileArchive(said("the zip holds no {document}; {advice}", document=DOCUMENT, advice=_NOT_OURS))
    named = {side.image for side in tile_set.sides}
    roster, about = files.pop(ROSTER, None), files.pop(ABOUT, None)
    if roster is not None:
        roster_from_json(roster, ROSTER)
    made = None if about is None else shared_about_from_json(about, ABOUT)
    stray = sorted(files.keys() - named - {DOCUMENT})
    if stray:
        text = said("the zip holds “{name}”, which the tile set does not name; take it out of the zip", name=stray[0])
        raise NoTileArchive(text)
    for side in tile_set.sides:
        if side.image not in files:
            text = said(
                "the zip lacks the picture “{picture}” of tile “{tile}”; export the set again",
                picture=side.image,
                tile=side.id,
            )
            raise NoTileArchive(text)
        _check_picture(files[side.image], side.image, side.bounds[2:], tile_set.pixels_per_cell)
    with tempfile.TemporaryDirectory() as scratch:
        with map_errors("write"):
            for name, content in files.items():
                (Path(scratch) / name).write_bytes(content)
        return use(SharedSet(tile_set, Path(scratch), roster, made))


def _files(data: bytes) -> dict[str, bytes]:
    if len(data) > MAX_ARCHIVE_BYTES:
        mb = MAX_ARCHIVE_BYTES >> 20
        raise NoTileArchive(said("the zip has over {mb} MB, more than any tile set; {advice}", mb=mb, advice=_NOT_OURS))
    damaged = said("this is not a zip file, or it is damaged; {advice}", advice=_NOT_OURS)
    with opened_zip(data, NoTileArchive(damaged)) as archive:
        entries = archive.infolist()
        _check_entries(entries)
        return {entry.filename: archive.read(entry) for entry in entries}


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    """Refuse bad entries by the zip's directory, before unpacking a byte."""
    if len(entries) > MAX_FILES:
        count = len(entries)
        text = said("the zip holds {count} files, more than any tile set; {advice}", count=count, advice=_NOT_OURS)
        raise NoTileArchive(text)
    names = [entry.filename for entry in entries]
    for entry in entries:
        _check_name(entry.filename)
        if stat.S_ISLNK(entry.external_attr >> 16):
            text = said("“{name}” in the zip is a link, not a file; {advice}", name=entry.filename, advice=_NOT_OURS)
            raise NoTileArchive(text)
        if entry.file_size > MAX_PICTURE_BYTES:
            mb = MAX_PICTURE_BYTES >> 20
            raise NoTileArchive(
                said("“{name}” in the zip has over {mb} MB; make it smaller", name=entry.filename, mb=mb)
            )
    if len({name.casefold() for name in names}) < len(names):
        raise NoTileArchive(said("the zip holds two files of one name; {advice}", advice=_NOT_OURS))
    if sum(entry.file_size for entry in entries) > MAX_ARCHIVE_BYTES:
        mb = MAX_ARCHIVE_BYTES >> 20
        text = said("unpacked, the zip has over {mb} MB, more than any tile set; {advice}", mb=mb, advice=_NOT_OURS)
        raise NoTileArchive(text)


def _check_name(name: str) -> None:
    if not _FILE_NAME.fullmatch(name) or not (name in (DOCUMENT, ROSTER, ABOUT) or name.lower().endswith(".png")):
        text = said(
            "“{name}” cannot be in a tile set; a set holds only {document} and PNG pictures",
            name=name[:100],
            document=DOCUMENT,
        )
        raise NoTileArchive(text)


def _check_picture(data: bytes, name: str, size_cells: tuple[int, ...], pixels_per_cell: int) -> None:
    wanted = (size_cells[0] * pixels_per_cell, size_cells[1] * pixels_per_cell)
    if wanted[0] * wanted[1] > MAX_PRINT_PIXELS:
        count = MAX_PRINT_PIXELS // 1_000_000
        text = said("the picture “{name}” has over {count} megapixels; export it smaller", name=name, count=count)
        raise NoTileArchive(text)
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise NoTileArchive(said("“{name}” is not a PNG picture; export the set again", name=name))
    image = decode_print(data, name)
    if (image.shape[1], image.shape[0]) != wanted:
        text = said(
            "“{name}” has {width}x{height} pixels, its cells need {columns}x{rows}; export the set again",
            name=name,
            width=image.shape[1],
            height=image.shape[0],
            columns=wanted[0],
            rows=wanted[1],
        )
        raise NoTileArchive(text)


def merged_sets(
    mine: TileSet, mine_at: Path, shared: SharedSet, *, theirs_win: bool
) -> tuple[TileSet, dict[str, Path]]:
    """Merge both sets, and return the path of each side's picture. Of two sides of one name, one wins.

    Raises:
        Unteachable: the sets' scales differ, or two names give one picture file.
    """
    theirs = shared.tile_set
    if (theirs.pixels_per_cell, theirs.cell_mm) != (mine.pixels_per_cell, mine.cell_mm):
        raise Unteachable("scale", mine.name)
    sides = {side.id: (side, mine_at) for side in mine.sides}
    for side in theirs.sides:
        if side.id not in sides or theirs_win:
            sides[side.id] = (side, shared.folder)
    pictures = [side.image.casefold() for side, _ in sides.values()]
    for side, _ in sides.values():
        if pictures.count(side.image.casefold()) > 1:
            raise Unteachable("alike", side.id, field="id")
    in_white_light = mine.in_white_light and theirs.in_white_light
    whole = replace(mine, sides=tuple(side for side, _ in sides.values()), in_white_light=in_white_light)
    return whole, {side.image: folder / side.image for side, folder in sides.values()}


def differing_sides(mine: TileSet, mine_at: Path, shared: SharedSet) -> tuple[str, ...]:
    """Return the names of sides whose prints differ between the sets."""
    own = {side.id: side for side in mine.sides}
    found = []
    for side in shared.tile_set.sides:
        other = own.get(side.id)
        if other is None:
            continue
        is_same = replace(side, image=other.image) == other
        if not is_same or read_photo_bytes(shared.folder / side.image) != read_photo_bytes(mine_at / other.image):
            found.append(side.id)
    return tuple(sorted(found))


@dataclass(frozen=True, eq=False)
class TaughtSide:
    """A taught and confirmed tile side. ``image`` is its rectified picture at ``SIDE_PX`` a cell."""

    side: TileSide
    image: BgrImage


def new_tile_set(name: str, *, cell_mm: float = CELL_MM, thickness_mm: float = THICKNESS_MM) -> TileSet:
    """Return an empty tile set for teaching."""
    return TileSet(name, cell_mm, SIDE_PX, thickness_mm, ())


def with_sides(tile_set: TileSet, taught: Sequence[TaughtSide]) -> TileSet:
    """Return the set with these sides, each replacing any of the same name.

    Raises:
        Unteachable: the set's scale differs, or two names give one picture file.
    """
    if tile_set.pixels_per_cell != SIDE_PX:
        raise Unteachable("scale", tile_set.name)
    sides = {side.id: side for side in tile_set.sides}
    sides.update({one.side.id: one.side for one in taught})
    pictures = [side.image.casefold() for side in sides.values()]
    new = {one.side.id for one in taught}
    for side in sorted(sides.values(), key=lambda side: side.id not in new):  # a new side is named first
        if pictures.count(side.image.casefold()) > 1:
            raise Unteachable("alike", side.id, field="id")
    return replace(tile_set, sides=tuple(sides.values()))


def lay_out(
    tile_set: TileSet, taught: Sequence[TaughtSide], source: Path | None, use: Callable[[Path], _Used]
) -> _Used:
    """Return the result of ``use`` for a temporary folder with the set and its pictures.

    ``taught`` are the sides with new pictures. ``source`` is the folder with the other pictures, or None.

    Raises:
        PhotoUnreadable: a picture of an older side cannot be read.
        StoreError: the folder cannot be written.
    """
    pictures = {one.side.image: png_of(with_alpha(one.image, one.side)) for one in taught}
    if source is not None:
        older = {side.image for side in tile_set.sides} - pictures.keys()
        pictures |= {image: read_photo_bytes(source / image) for image in older}
    return _laid_out(tile_set, pictures, use)


def lay_out_merged(tile_set: TileSet, pictures: Mapping[str, Path], use: Callable[[Path], _Used]) -> _Used:
    """Return the result of ``use`` for a temporary folder with the set and the pictures at those paths."""
    return _laid_out(tile_set, {image: read_photo_bytes(place) for image, place in pictures.items()}, use)


def _laid_out(tile_set: TileSet, pictures: Mapping[str, bytes], use: Callable[[Path], _Used]) -> _Used:
    with tempfile.TemporaryDirectory() as scratch:
        with map_errors("write"):
            (Path(scratch) / DOCUMENT).write_text(to_json(tile_set_document(tile_set)), encoding="utf-8")
            for image, content in pictures.items():
                (Path(scratch) / image).write_bytes(content)
        return use(Path(scratch))


def with_alpha(image: BgrImage, side: TileSide) -> UInt8[Numbers, "height width 4"]:
    """Return the picture with a fourth channel. Outside the side's cells it is transparent and black."""
    left, top, columns, rows = bounds(side.cells)
    inside = np.zeros((rows, columns), dtype=np.uint8)
    for column, row in side.cells:
        inside[row - top, column - left] = 255
    alpha = cv2.resize(inside, (columns * SIDE_PX, rows * SIDE_PX), interpolation=cv2.INTER_NEAREST)
    return np.dstack([np.where(alpha[:, :, None] > 0, image, 0).astype(np.uint8), alpha])


def png_of(image: UInt8[Numbers, "height width 4"]) -> bytes:
    """Return the picture as a PNG file."""
    _, data = cv2.imencode(".png", image)
    return bytes(data)
