"""``sightline profile``: the terminal twin of the last two steps of the set-up, naming it and trying it out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.app.live.reader import GameReader
from assistant.app.setup.cameras import PHOTOS
from assistant.app.setup.game_step import game_of
from assistant.app.setup.sample import sample_game
from assistant.cli.keeping import data_option
from assistant.documents import KeptSetUp, observation_document, setup_document, to_json
from assistant.profiles import READERS, ProfileKind, Profiles
from vision.photo.decoding import decode_photo, read_photo_bytes
from vision.sources.names import source_name


@click.command()
@click.argument("name", required=False)
@click.option("--table", metavar="KEPT", help="The table, by the name under which “sightline table --keep” kept it.")
@click.option("--lens", metavar="KEPT", help="The lens, by its kept name; without it the lens is estimated.")
@click.option("--tiles", metavar="KEPT", help="The tile set, by its kept name; without it the sample game's is used.")
@click.option("--roster", metavar="KEPT", help="The figures, by their kept name; without it the sample game's.")
@click.option("--camera", metavar="SOURCE", default=PHOTOS, show_default=True, help="What takes the pictures.")
@click.option("--try", "photo", type=click.Path(path_type=Path), help="Read a photo with it and print what is seen.")
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
    """Keep a whole set-up under NAME, or try a kept one out; without NAME, list everything that is kept.

    What is kept under a name is used by “sightline run --setup NAME”.
    """
    profiles = Profiles(data)
    if name is None:
        _list(profiles)
        return
    if table is not None:
        _keep(profiles, name, KeptSetUp(source=camera, table=table, camera=lens, tiles=tiles, roster=roster))
    if photo is not None:
        reader = GameReader(game_of(profiles, name, sample_game()))
        read = reader.read_image(decode_photo(read_photo_bytes(photo), str(photo)))
        click.echo(to_json(observation_document(read.observation)))
    elif table is None:
        click.echo(profiles.read("setup", name).decode())


def _list(profiles: Profiles) -> None:
    for kind in READERS:
        for kept in profiles.names(kind):
            click.echo(f"{kind} {kept}")


def _keep(profiles: Profiles, name: str, setup: KeptSetUp) -> None:
    """Keeps a set-up whose parts are all there.

    Raises:
        UnknownName: one of its parts is not kept.
        BadValue: no camera is called so.
    """
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
