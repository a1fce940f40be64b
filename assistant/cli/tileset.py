"""``sightline tileset``: whole tile sets to and from files."""

from __future__ import annotations

from pathlib import Path

import click

from assistant.app.teaching.library import ImportWay, TaughtGames
from assistant.cli.language import say
from assistant.cli.options import data_option
from assistant.kept_files import write_file
from assistant.translations.messages import counted, said
from vision.photo.decoding import read_photo_bytes

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def tileset() -> None:
    """List, export and import the tile sets of the data folder."""


@tileset.command("list")
@data_option
def list_sets(*, data: Path) -> None:
    """List the tile sets with their number of tile sides."""
    games = TaughtGames(data)
    for name in games.profiles.names("tiles"):
        tile_set = games.tile_set(name)
        click.echo(f"{name}\t{0 if tile_set is None else len(tile_set.sides)}")


@tileset.command("export")
@click.argument("name")
@click.argument("file", type=_FILE)
@click.option("--roster", metavar="NAME", help="Put this roster in too: figures and doors with their looks.")
@click.option("--by", "made_by", default="", help="Who made the set.")
@data_option
def export_set(*, name: str, file: Path, roster: str | None, made_by: str, data: Path) -> None:
    """Write the tile set NAME into FILE, a zip."""
    content = TaughtGames(data).exported(name, roster, made_by)
    write_file(file, content)
    click.echo(file)


@tileset.command("import")
@click.argument("file", type=_FILE)
@click.option("--name", help="Save it under this name. Default: the set's own name.")
@click.option(
    "--way",
    type=click.Choice(["whole", "ask", "add", "replace"]),
    default="whole",
    show_default=True,
    help="If there is such a set: take its place, refuse if sides differ, add only new sides, or replace sides too.",
)
@data_option
def import_set(*, file: Path, name: str | None, way: ImportWay, data: Path) -> None:
    """Save the tile set in FILE, a zip, with its roster. A set of the same name gets a new version."""
    content = read_photo_bytes(file)
    games = TaughtGames(data)
    about = games.about(content)
    if about is not None and about.made_by:
        say(said("made by {name}, version {version}", name=about.made_by, version=about.version), err=True)
    kept, tile_set = games.imported(name, content, way)
    say(counted("{name}: {n} tile side", "{name}: {n} tile sides", len(tile_set.sides), name=kept))
