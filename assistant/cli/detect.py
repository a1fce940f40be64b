"""``sightline detect``: observations from a photo, several photos of one table, or a list of photos."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
import msgspec

from assistant.cli.language import BadUsage, say
from assistant.cli.options import PATH, free_table_option, roster_option, table_option, tiles_option
from assistant.documents import (
    camera_from_json,
    error_document,
    free_sighting_document,
    free_table_from_json,
    observation_document,
    read_bytes,
    roster_from_json,
    table_from_json,
    to_json,
)
from assistant.errors import BadValue, CannotDo, SightlineError
from assistant.table.camera import NO_MARKERS
from assistant.translations.messages import said
from vision.free.reading import FreeTableReader
from vision.overlays import write_overlays
from vision.photo.decoding import decode_photo, read_photo_bytes
from vision.reading import Reading, TableReader
from vision.tiles.prints import TilePrints, load_prints
from vision.views.reading import SidePhoto, read_together


class FurtherPhoto(msgspec.Struct):
    """A photo of the same table from another side. Without a camera of its own it uses the first photo's."""

    photo: str
    camera: str | None = None


class BatchEntry(msgspec.Struct):
    """One table of a batch list, with one photo or several. Paths are relative to the list.

    ``tiles`` means a board of tiles, ``free_table`` a table without a grid. If ``table`` or ``camera`` is missing, the
    tiles' own prints replace it.
    """

    photo: str
    roster: str
    table: str | None = None
    camera: str | None = None
    tiles: str = ""
    free_table: str = ""
    also: list[FurtherPhoto] = []


@click.command()
@click.argument("photo", type=PATH, required=False)
@click.option("--also", type=PATH, multiple=True, help="Another photo of the same table from another side; repeatable.")
@table_option
@click.option(
    "--camera", type=PATH, multiple=True, help="The lens (sightline.camera/1), once for all photos or once for each."
)
@tiles_option
@roster_option
@free_table_option
@click.option("--batch", type=PATH, help="A JSON list of photos with their documents. Prints one observation a line.")
@click.option("--debug", type=PATH, help="A folder for pictures of each stage of the reading.")
def detect(
    photo: Path | None,
    also: tuple[Path, ...],
    camera: tuple[Path, ...],
    free_table: Path | None,
    batch: Path | None,
    debug: Path | None,
    **documents: Path | None,
) -> None:
    """Read PHOTO and print what is on the table as a sightline.observation/1.

    Without --table, the printed tiles themselves give the camera's place; without --camera, its lens is estimated.

    With --free-table instead of --tiles, read a table without a grid and print a sightline.free-table/1 with the
    accuracy of every position.
    """
    if batch is not None:
        if photo or also or camera or free_table or any(documents.values()):
            raise BadUsage(said("The list of --batch names photos and documents. Leave out the other options."))
        _detect_batch(batch, debug)
        return
    given = {name: path for name, path in documents.items() if path is not None}
    if free_table is not None:
        if photo is None or also or debug or len(camera) != 1 or given.keys() != {"table", "roster"}:
            raise BadUsage(said("Give one photo with --table, --camera, --roster and --free-table, without --tiles."))
        click.echo(to_json(_read_free(photo, camera[0], free_table=free_table, **given)))
        return
    if photo is None or not {"tiles", "roster"} <= given.keys():
        raise BadUsage(said("Give a photo with --tiles and --roster, or a list with --batch."))
    photos = (photo, *also)
    if len(camera) not in (0, 1, len(photos)):
        raise BadUsage(said("Give --camera once for all photos, or once for each photo in their order."))
    cameras = (camera or (None,)) * len(photos) if len(camera) < 2 else camera
    reading = _read(photos, cameras, **given)
    click.echo(to_json(observation_document(reading.observation)))
    scale = reading.observation.camera.marker_scale
    if scale != 1:
        say(
            said(
                "The markers seem to be printed at {percent} % of their size. This reading allows for it. Print them "
                "again at 100 %, without “fit to page”.",
                percent=round(100 * scale, 1),
            ),
            err=True,
        )
    if reading.observation.board.has_strangers_alone:
        say(
            said(
                "No figure here is of a kind in the roster. Check that --roster is that of this box, and that the "
                "photo shows colours."
            ),
            err=True,
        )
    if debug is not None:
        write_overlays(reading, debug)


def _detect_batch(list_path: Path, debug: Path | None) -> None:
    unwritten: CannotDo | None = None
    for number, entry in enumerate(_batch_entries(list_path)):
        try:
            folder = list_path.parent
            if entry.free_table:
                named = {name: folder / getattr(entry, name) for name in ("table", "roster", "free_table")}
                click.echo(to_json(_read_free(folder / entry.photo, folder / str(entry.camera), **named)))
                continue
            photos = [folder / entry.photo, *(folder / further.photo for further in entry.also)]
            names = [entry.camera, *(further.camera or entry.camera for further in entry.also)]
            cameras = [None if name is None else folder / name for name in names]
            table = None if entry.table is None else folder / entry.table
            reading = _read(photos, cameras, table=table, tiles=folder / entry.tiles, roster=folder / entry.roster)
        except SightlineError as problem:
            click.echo(to_json(error_document(problem)))
            continue
        click.echo(to_json(observation_document(reading.observation)))
        try:
            if debug is not None:
                write_overlays(reading, debug / f"{number:03d}")
        except CannotDo as problem:
            unwritten = problem
    if unwritten is not None:
        raise unwritten


def _batch_entries(list_path: Path) -> list[BatchEntry]:
    try:
        entries = msgspec.json.decode(read_bytes(list_path), type=list[BatchEntry])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _no_list(str(problem), list_path) from None
    for number, entry in enumerate(entries):
        needed = ("table", "camera") if entry.free_table else ("tiles",)
        missing = [name for name in needed if not getattr(entry, name)]
        if missing:
            raise _no_list(f"Object missing required field `{missing[0]}` - at `$[{number}]`", list_path)
    return entries


def _no_list(reason: str, list_path: Path) -> BadValue:
    text = said("must be a list of objects with photo, tiles and roster ({reason})", reason=reason)
    return BadValue(text, document=str(list_path))


def _read_free(photo: Path, camera: Path, *, table: Path, roster: Path, free_table: Path) -> dict[str, Any]:
    picture = read_photo_bytes(photo)
    reader = FreeTableReader(
        free_table_from_json(read_bytes(free_table), str(free_table)),
        roster_from_json(read_bytes(roster), str(roster)),
        table_from_json(read_bytes(table), str(table)),
        camera_from_json(read_bytes(camera), str(camera)),
    )
    return free_sighting_document(reader.read(decode_photo(picture, str(photo))).sighting)


def _read(
    photos: Sequence[Path], cameras: Sequence[Path | None], *, tiles: Path, roster: Path, table: Path | None = None
) -> Reading:
    pictures = [read_photo_bytes(photo) for photo in photos]  # before the documents, because people mistype the photo
    prints = _prints(Path(os.path.abspath(tiles)))
    figures = roster_from_json(read_bytes(roster), str(roster))
    markers = NO_MARKERS if table is None else table_from_json(read_bytes(table), str(table))
    lenses = [None if camera is None else camera_from_json(read_bytes(camera), str(camera)) for camera in cameras]
    return read_together(
        [
            SidePhoto(TableReader(prints, figures, markers, lens), decode_photo(picture, str(photo)), str(photo))
            for photo, picture, lens in zip(photos, pictures, lenses, strict=True)
        ]
    )


@lru_cache(maxsize=4)
def _prints(folder: Path) -> TilePrints:
    return load_prints(folder)
