"""``sightline profile``: the last two steps of the set-up in the terminal, saving and testing."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.app.live.reader import GameReader
from assistant.app.setup.cameras import PHOTOS
from assistant.app.setup.game_step import game_of
from assistant.app.setup.sample import sample_game
from assistant.cli.options import data_option
from assistant.documents import KeptSetUp, observation_document, setup_document, to_json
from assistant.profiles import READERS, ProfileKind, Profiles
from vision.photo.decoding import decode_photo, read_photo_bytes
from vision.sources.names import source_name


@click.command()
@click.argument("name", required=False)
@click.option("--table", metavar="KEPT", help="A table saved by “sightline table --keep”.")
@click.option(
    "--lens", metavar="KEPT", help="A lens saved by “sightline lens --keep”. Default: an estimate from the markers."
)
@click.option("--tiles", metavar="KEPT", help="A saved tile set. Default: the sample game's.")
@click.option("--roster", metavar="KEPT", help="A saved roster. Default: the sample game's.")
@click.option(
    "--camera", metavar="SOURCE", default=PHOTOS, show_default=True, help="The camera, or photos from the page."
)
@click.option(
    "--try", "photo", type=click.Path(path_type=Path), help="Read this photo with the set-up and print the observation."
)
@data_option
def profile(  # noqa: PLR0913 - click hands over every option by its name
    *,
    name: str | None,
    table: str | None,
    lens: str | None,
    tiles: str | None,
    roster: str | None,
    camera: str,
    photo: Path | None,
    data: Path,
) -> None:
    """Save a whole set-up under NAME, or try it out. Without NAME, list everything saved.

    “sightline run --setup NAME” uses it.
    """
    profiles = Profiles(data)
    if name is None:
        _list(profiles)
        return
    is_new = any(part is not None for part in (table, lens, tiles, roster))
    if is_new:
        _keep(profiles, name, KeptSetUp(source=camera, table=table, camera=lens, tiles=tiles, roster=roster))
    if photo is not None:
        reader = GameReader(game_of(profiles, name, sample_game()))
        read = reader.read_image(decode_photo(read_photo_bytes(photo), str(photo)))
        click.echo(to_json(observation_document(read.observation)))
    elif not is_new:
        click.echo(profiles.read("setup", name).decode())


def _list(profiles: Profiles) -> None:
    for kind in READERS:
        for kept in profiles.names(kind):
            click.echo(f"{kind} {kept}")


def _keep(profiles: Profiles, name: str, setup: KeptSetUp) -> None:
    """Save a set-up. Raises ``UnknownName`` or ``BadValue`` if a part or the camera does not exist."""
    if setup.source != PHOTOS:
        source_name(setup.source)
    parts: dict[ProfileKind, str | None] = {
        "table": setup.table,
        "camera": setup.camera,
        "tiles": setup.tiles,
        "roster": setup.roster,
    }
    for kind, part in parts.items():
        if part is not None:
            profiles.path(kind, part)
    profiles.keep("setup", name, to_json(setup_document(setup)).encode())
