"""A tile set as one file to pass on: a flat zip of ``tileset.json`` and the pictures that it names."""

from __future__ import annotations

import io
import re
import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from assistant.documents import read_bytes, tile_set_from_json
from assistant.errors import NoTileArchive
from assistant.kept_files import ZIP_FAULTS, mapped
from assistant.table.tiles import TileSet
from vision.photo import decode_print, read_photo_bytes

DOCUMENT = "tileset.json"

MAX_ARCHIVE_BYTES = 64 << 20
"""Packed and unpacked: a set of 48 sides with 64 pixels a cell has about 10 MB."""

MAX_PICTURE_BYTES = 16 << 20
MAX_PICTURE_PIXELS = 16_000_000
"""A tile of 12 by 12 cells at 256 pixels a cell has nine million."""

MAX_FILES = 400

_FILE_NAME = re.compile(r"\w[\w .-]{0,99}")
_NOT_OURS = "choose a zip that “sightline tileset export” or the page has made"
_Used = TypeVar("_Used")


def pack_tile_set(folder: Path) -> bytes:
    """The tile set in a folder as a zip; the same folder gives the same bytes.

    Raises:
        DocumentError: ``tileset.json`` is missing or breaks its format.
        PhotoUnreadable: a picture cannot be read.
    """
    document = read_bytes(folder / DOCUMENT)
    tile_set = tile_set_from_json(document, str(folder / DOCUMENT))
    files = {DOCUMENT: document}
    for image in sorted({side.image for side in tile_set.sides}):
        _check_name(image)
        files[image] = read_photo_bytes(folder / image)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed date: what is inside tells one archive from another, not when it was made.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def unpack_tile_set(data: bytes, use: Callable[[TileSet, Path], _Used]) -> _Used:
    """What ``use`` makes of the tile set in a zip, laid out in a folder that is gone afterwards.

    Everything is checked before ``use`` is called, so that nothing is kept of a faulty file.

    Raises:
        NoTileArchive: no zip, damaged, too large, or with files that do not belong there.
        DocumentError: ``tileset.json`` breaks its format.
        PhotoUnreadable: a picture is damaged.
    """
    files = _files(data)
    tile_set = tile_set_from_json(files.get(DOCUMENT, b""), DOCUMENT) if DOCUMENT in files else None
    if tile_set is None:
        raise NoTileArchive(f"the zip holds no {DOCUMENT}; {_NOT_OURS}")
    named = {side.image for side in tile_set.sides}
    stray = sorted(files.keys() - named - {DOCUMENT})
    if stray:
        raise NoTileArchive(f"the zip holds “{stray[0]}”, which the tile set does not name; take it out of the zip")
    for side in tile_set.sides:
        if side.image not in files:
            raise NoTileArchive(f"the zip lacks the picture “{side.image}” of tile “{side.id}”; export the set again")
        _check_picture(files[side.image], side.image, side.bounds[2:], tile_set.pixels_per_cell)
    with tempfile.TemporaryDirectory() as scratch:
        with mapped("write"):
            for name, content in files.items():
                (Path(scratch) / name).write_bytes(content)
        return use(tile_set, Path(scratch))


def _files(data: bytes) -> dict[str, bytes]:
    if len(data) > MAX_ARCHIVE_BYTES:
        raise NoTileArchive(f"the zip has over {MAX_ARCHIVE_BYTES >> 20} MB, more than any tile set; {_NOT_OURS}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            _check_entries(entries)
            return {entry.filename: archive.read(entry) for entry in entries}
    except ZIP_FAULTS:
        raise NoTileArchive(f"this is no zip file, or it is damaged; {_NOT_OURS}") from None


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    """Refuses what must not be unpacked, by what the zip's directory says, before a byte of it is."""
    if len(entries) > MAX_FILES:
        raise NoTileArchive(f"the zip holds {len(entries)} files, more than any tile set; {_NOT_OURS}")
    names = [entry.filename for entry in entries]
    for entry in entries:
        _check_name(entry.filename)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise NoTileArchive(f"“{entry.filename}” in the zip is a link, no file; {_NOT_OURS}")
        if entry.file_size > MAX_PICTURE_BYTES:
            raise NoTileArchive(f"“{entry.filename}” in the zip has over {MAX_PICTURE_BYTES >> 20} MB; make it smaller")
    if len({name.casefold() for name in names}) < len(names):
        raise NoTileArchive(f"the zip holds two files of one name; {_NOT_OURS}")
    if sum(entry.file_size for entry in entries) > MAX_ARCHIVE_BYTES:
        size = f"{MAX_ARCHIVE_BYTES >> 20} MB"
        raise NoTileArchive(f"unpacked the zip has over {size}, more than any tile set; {_NOT_OURS}")


def _check_name(name: str) -> None:
    if not _FILE_NAME.fullmatch(name) or not (name == DOCUMENT or name.lower().endswith(".png")):
        text = f"“{name[:100]}” cannot be in a tile set"
        raise NoTileArchive(f"{text}; it holds {DOCUMENT} and PNG pictures beside it only")


def _check_picture(data: bytes, name: str, size_cells: tuple[int, ...], pixels_per_cell: int) -> None:
    wanted = (size_cells[0] * pixels_per_cell, size_cells[1] * pixels_per_cell)
    if wanted[0] * wanted[1] > MAX_PICTURE_PIXELS:
        size = f"{MAX_PICTURE_PIXELS // 1_000_000} megapixels"
        raise NoTileArchive(f"the picture “{name}” has over {size}; export it smaller")
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise NoTileArchive(f"“{name}” is no PNG picture; export the set again")
    image = decode_print(data, name)
    if (image.shape[1], image.shape[0]) != wanted:
        text = f"“{name}” has {image.shape[1]}x{image.shape[0]} pixels, its cells need {wanted[0]}x{wanted[1]}"
        raise NoTileArchive(f"{text}; export the set again")
