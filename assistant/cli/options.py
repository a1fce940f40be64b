"""Options and documents that several commands share: the data folder, the game and its options, the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
import platformdirs

from assistant.cli import language
from assistant.cli.language import BadUsage
from assistant.documents import (
    OBSERVATION_FORMAT,
    board_from_json,
    format_of,
    free_sighting_from_json,
    free_table_from_json,
    observation_from_json,
    read_bytes,
)
from assistant.errors import UnknownName
from assistant.match.games import Game, games
from assistant.profiles import ProfileKind, Profiles
from assistant.table.board import Board
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.translations.catalogue import ENGLISH, language_tags
from assistant.translations.messages import message, said

DATA = Path(platformdirs.user_data_dir("sightline"))
DEMO_DATA = Path(platformdirs.user_data_dir("sightline-demo"))
"""The demo's own data folder, because a real table may run at the same time and its matches must stay untouched."""

data_option: Callable[[Any], Any] = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=DATA,
    envvar="SIGHTLINE_DATA",
    show_default=message("the system's folder for program data"),
    help="The data folder.",
)

keep_option: Callable[[Any], Any] = click.option(
    "--keep", metavar="NAME", help="Also keep the result in the data folder, under this name."
)


PATH = click.Path(path_type=Path)
table_option = click.option("--table", type=PATH, help="Where the printed markers lie (sightline.table/1).")
tiles_option = click.option("--tiles", type=PATH, help="The folder of the tile set (sightline.tileset/1).")
roster_option = click.option("--roster", type=PATH, help="The figures that may be on the table (sightline.roster/1).")
free_table_option = click.option(
    "--free-table",
    type=PATH,
    help="Terrain and models of a table without a grid (sightline.free-table/1), instead of --tiles.",
)

ruleset_argument = click.argument("ruleset")

option_option = click.option(
    "--option",
    "settings",
    metavar="NAME=CHOICE",
    multiple=True,
    help="A house option; repeatable. “sightline rules RULESET” lists them.",
)

language_option = click.option(
    "--lang",
    type=click.Choice(language_tags()),
    default=ENGLISH,
    show_default=True,
    callback=language.chosen,
    help="The language of the reasons.",
)


def keep_document(kind: ProfileKind, name: str | None, document: str, data: Path) -> str:
    """Return the document, after saving it if a name is given."""
    if name is not None:
        Profiles(data).keep(kind, name, document.encode())
    return document


def house_options(settings: Iterable[str]) -> dict[str, str]:
    """Parse NAME=CHOICE settings by name. Raises ``UnknownName`` for another form or a contradiction."""
    options: dict[str, str] = {}
    for setting in settings:
        name, sign, choice = setting.partition("=")
        if not sign:
            raise UnknownName(said("“{setting}” is not a house option. Write NAME=CHOICE.", setting=setting))
        if options.setdefault(name, choice) != choice:
            raise UnknownName(
                said(
                    "The house option “{name}” is set to both “{before}” and “{choice}”. Set it once.",
                    name=name,
                    before=options[name],
                    choice=choice,
                )
            )
    return options


def read_doubtful(path: Path) -> DoubtfulBoard:
    """Read the board in a file. An observation also brings the camera's doubts."""
    data = read_bytes(path)
    if format_of(data) != OBSERVATION_FORMAT:
        return DoubtfulBoard(board_from_json(data, str(path)))
    return observation_from_json(data, str(path)).table


def read_board(path: Path) -> Board:
    """Read the board in a file."""
    return board_from_json(read_bytes(path), str(path))


def read_free_table(path: Path) -> FreeTable:
    """Read the table without a grid in a file."""
    return free_table_from_json(read_bytes(path), str(path))


def read_free_sighting(path: Path) -> FreeSighting:
    """Read the table without a grid in a file. A camera's document also brings its accuracy."""
    return free_sighting_from_json(read_bytes(path), str(path))


def not_known(what: str, ability: type[object]) -> BadUsage:
    """Build the refusal of ``what``, naming the games whose rules have that ability."""
    known = ids_of(game for game in games() if issubclass(game.rule_set, ability))
    if not known:
        return BadUsage(said("No installed game supports {option}. Leave it out.", option=what))
    return BadUsage(said("{option} works only with {known}. Leave it out.", option=what, known=known))


def ids_of(found: Iterable[Game]) -> str:
    """List the ids of games for a sentence."""
    return ", ".join(game.id for game in found)
