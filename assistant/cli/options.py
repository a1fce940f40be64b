"""What the commands that ask the rules share: the game, its options, the table document, the language."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

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
from assistant.table.board import Board
from assistant.table.doubt import DoubtfulBoard
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeTable
from assistant.translations.catalogue import ENGLISH, language_tags
from assistant.translations.messages import said

ruleset_argument = click.argument("ruleset")

option_option = click.option(
    "--option",
    "settings",
    metavar="NAME=CHOICE",
    multiple=True,
    help="A house option, as often as needed; see: sightline rules RULESET.",
)

language_option = click.option(
    "--lang",
    type=click.Choice(language_tags()),
    default=ENGLISH,
    show_default=True,
    callback=language.chosen,
    help="The language of the reasons.",
)


def house_options(settings: Iterable[str]) -> dict[str, str]:
    """The options of a command line by their names.

    Raises:
        UnknownName: a setting is not written as NAME=CHOICE, or an option is set to two choices.
    """
    options: dict[str, str] = {}
    for setting in settings:
        name, sign, choice = setting.partition("=")
        if not sign:
            raise UnknownName(said("“{setting}” is no option; write it as NAME=CHOICE", setting=setting))
        if options.setdefault(name, choice) != choice:
            raise UnknownName(
                said(
                    "the option “{name}” is set to “{before}” and to “{choice}”; set it once",
                    name=name,
                    before=options[name],
                    choice=choice,
                )
            )
    return options


def read_doubtful(path: Path) -> DoubtfulBoard:
    """The board of a file, with what a camera left open about it where the file is an observation.

    Raises:
        DocumentError: the file cannot be read or breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    data = read_bytes(path)
    if format_of(data) != OBSERVATION_FORMAT:
        return DoubtfulBoard(board_from_json(data, str(path)))
    seen = observation_from_json(data, str(path))
    return DoubtfulBoard(seen.board, seen.doubts, seen.ground_doubts)


def read_board(path: Path) -> Board:
    """The board of a file.

    Raises:
        DocumentError: the file cannot be read or breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    return board_from_json(read_bytes(path), str(path))


def read_free_table(path: Path) -> FreeTable:
    """The free table of a file.

    Raises:
        DocumentError: the file cannot be read or breaks its format.
        BoardError: two figures stand in each other.
    """
    return free_table_from_json(read_bytes(path), str(path))


def read_free_sighting(path: Path) -> FreeSighting:
    """The free table of a file, with how well a camera saw it where one did.

    Raises:
        DocumentError: the file cannot be read or breaks its format.
        BoardError: two figures stand in each other.
    """
    return free_sighting_from_json(read_bytes(path), str(path))


def not_known(what: str, ability: type[object]) -> BadUsage:
    """The refusal of what the asked game does not know; the games that do are named.

    Args:
        what: the option that was given.
        ability: what the rules of a game that knows it derive from.
    """
    known = ids_of(game for game in games() if issubclass(game.rule_set, ability))
    if not known:
        return BadUsage(said("{option} is for no game that is installed; leave it out", option=what))
    return BadUsage(said("{option} is for {known}; leave it out", option=what, known=known))


def ids_of(found: Iterable[Game]) -> str:
    """The ids of games as a sentence lists them."""
    return ", ".join(game.id for game in found)
