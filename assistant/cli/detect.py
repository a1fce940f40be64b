"""``sightline detect``: a photo, or a list of photos, becomes observations."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import click
import msgspec

from assistant.cli.language import BadUsage
from assistant.documents import (
    camera_from_json,
    error_document,
    observation_document,
    read_bytes,
    roster_from_json,
    table_from_json,
    to_json,
)
from assistant.errors import BadValue, SightlineError
from assistant.translations.messages import said
from vision.overlays import write_overlays
from vision.photo import decode_photo, read_photo_bytes
from vision.prints import TilePrints, load_prints
from vision.reading import Reading, TableReader


class BatchEntry(msgspec.Struct):
    """One photo of a batch list; the paths are relative to the list."""

    photo: str
    table: str
    camera: str
    tiles: str
    roster: str


_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("photo", type=_FILE, required=False)
@click.option("--table", type=_FILE, help="Where the printed markers lie (sightline.table/1).")
@click.option("--camera", type=_FILE, help="The lens (sightline.camera/1).")
@click.option("--tiles", type=_FILE, help="Folder of the tile set (sightline.tileset/1).")
@click.option("--roster", type=_FILE, help="The figures that may be there (sightline.roster/1).")
@click.option("--batch", type=_FILE, help="A list of photos with their documents; one observation a line.")
@click.option("--debug", type=_FILE, help="A folder for pictures of what each stage saw.")
def detect(photo: Path | None, batch: Path | None, debug: Path | None, **documents: Path | None) -> None:
    """Read PHOTO and print what is on the table as a sightline.observation/1."""
    if batch is not None:
        if photo or any(documents.values()):
            raise BadUsage(said("--batch names the photos and documents itself; leave the others out"))
        _detect_batch(batch, debug)
        return
    given = {name: path for name, path in documents.items() if path is not None}
    if photo is None or len(given) < len(documents):
        raise BadUsage(said("give a photo with --table, --camera, --tiles and --roster, or --batch with a list"))
    reading = _read(photo, _reader(**given))
    if debug is not None:
        write_overlays(reading, debug)
    click.echo(to_json(observation_document(reading.observation)))


def _detect_batch(list_path: Path, debug: Path | None) -> None:
    for number, entry in enumerate(_batch_entries(list_path)):
        try:
            folder = list_path.parent
            documents = {name: folder / getattr(entry, name) for name in ("table", "camera", "tiles", "roster")}
            reading = _read(folder / entry.photo, _reader(**documents))
            if debug is not None:
                write_overlays(reading, debug / f"{number:03d}")
            document = observation_document(reading.observation)
        except SightlineError as problem:
            document = error_document(problem)
        click.echo(to_json(document))


def _batch_entries(list_path: Path) -> list[BatchEntry]:
    try:
        return msgspec.json.decode(read_bytes(list_path), type=list[BatchEntry])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        text = said(
            "must be a list of objects with photo, table, camera, tiles and roster ({reason})", reason=str(problem)
        )
        raise BadValue(text, document=str(list_path)) from None


def _read(photo: Path, reader: TableReader) -> Reading:
    return reader.read(decode_photo(read_photo_bytes(photo), str(photo)))


def _reader(*, table: Path, camera: Path, tiles: Path, roster: Path) -> TableReader:
    return TableReader(
        _prints(Path(os.path.abspath(tiles))),
        roster_from_json(read_bytes(roster), str(roster)),
        table_from_json(read_bytes(table), str(table)),
        camera_from_json(read_bytes(camera), str(camera)),
    )


@lru_cache(maxsize=4)
def _prints(folder: Path) -> TilePrints:
    return load_prints(folder)
