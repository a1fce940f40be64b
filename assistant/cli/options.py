"""What the commands that ask the rules share: the rule set, its options, the table document, the language."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from assistant.documents import (
    OBSERVATION_FORMAT,
    board_from_json,
    format_of,
    free_table_from_json,
    observation_from_json,
    read_bytes,
)
from assistant.errors import UnknownName
from assistant.table.doubt import DoubtfulBoard
from assistant.translations.catalogue import ENGLISH, language_tags

FREE_TABLE_RULE_SETS = ("roads",)
"""Those that are asked with a free table instead of a board."""

GRID_RULE_SETS = ("doom2016", "doom2004")
"""Those that draw maps of a board and tell what would flip a ruling."""

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
            raise UnknownName(f"“{setting}” is no option; write it as NAME=CHOICE")
        if options.setdefault(name, choice) != choice:
            raise UnknownName(f"the option “{name}” is set to “{options[name]}” and to “{choice}”; set it once")
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
    return DoubtfulBoard(seen.board, seen.doubts)


def read_table(ruleset: str, path: Path) -> Any:
    """The table document that a rule set is asked with: a board, or a free table.

    Raises:
        DocumentError: the file cannot be read or breaks its format.
        BoardError: the parts of the board contradict each other.
    """
    reader = free_table_from_json if ruleset in FREE_TABLE_RULE_SETS else board_from_json
    return reader(read_bytes(path), str(path))
