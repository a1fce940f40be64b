"""The public Python API: read a table, choose a game, rule, explain, map, compute odds, read a photo, play a match.

Names are imported on first use, so reading a board loads neither camera nor web code.

    import assistant

    board = assistant.read_board("corridor.json")
    ruling = assistant.cell_game(assistant.installed_games()[0].id).rule(board, "alpha", "imp-1")
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from assistant.errors import SightlineError
    from assistant.match.actor import JUDGE, TABLE, Actor, player
    from assistant.match.audience import JUDGE_VIEW, PUBLIC, Audience
    from assistant.match.games import Game as InstalledGame
    from assistant.match.session import Session
    from assistant.rules.ruleset import AnyRules, CellRules, FreeRules
    from assistant.rules.ruling import Reason, Ruling
    from assistant.table.board import Board
    from assistant.table.free_table import FreeTable
    from assistant.table.lattice import Cell
    from assistant.table.observation import Observation

    Source = str | PathLike[str] | bytes | Mapping[str, object]

_PLACES = {
    "SightlineError": "errors",
    **dict.fromkeys(("JUDGE", "TABLE", "Actor", "player"), "match.actor"),
    **dict.fromkeys(("JUDGE_VIEW", "PUBLIC", "Audience"), "match.audience"),
    "Session": "match.session",
    **dict.fromkeys(("AnyRules", "CellRules", "FreeRules"), "rules.ruleset"),
    **dict.fromkeys(("Reason", "Ruling"), "rules.ruling"),
    "Board": "table.board",
    "FreeTable": "table.free_table",
    "Cell": "table.lattice",
    "Observation": "table.observation",
}
"""Exported names and the modules that define them, imported on first use."""

__all__ = [
    "JUDGE",
    "JUDGE_VIEW",
    "PUBLIC",
    "TABLE",
    "Actor",
    "AnyRules",
    "Audience",
    "Board",
    "Cell",
    "CellRules",
    "FreeRules",
    "FreeTable",
    "Observation",
    "Reason",
    "Ruling",
    "Session",
    "SightlineError",
    "begin_match",
    "cell_game",
    "explain",
    "free_game",
    "installed_games",
    "odds",
    "player",
    "read_board",
    "read_free_table",
    "read_photo",
    "sees_from",
]

if not TYPE_CHECKING:  # lets type checkers read the imports above and flag misspelt names

    def __getattr__(name):
        """Import an exported name from its module."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


def read_board(source: Source) -> Board:
    """Read a board from a ``sightline.board/1``: a file, its bytes, or the document as plain data.

    Raises:
        DocumentError: it cannot be read or breaks its format; the field at fault is named.
        BoardError: its parts contradict each other.
    """
    from assistant.documents import board_from_json

    return board_from_json(*_read(source, "board"))


def read_free_table(source: Source) -> FreeTable:
    """Read a table without a grid from a ``sightline.free-table/1``: a file, its bytes, or plain data.

    Raises:
        DocumentError: it cannot be read or breaks its format; the field at fault is named.
        BoardError: two figures overlap.
    """
    from assistant.documents import free_table_from_json

    return free_table_from_json(*_read(source, "free table"))


def read_photo(
    photo: str | PathLike[str] | bytes,
    *,
    table: Source,
    camera: Source,
    tiles: str | PathLike[str],
    roster: Source,
) -> Observation:
    """Read a photo. The ``board`` of the reading is the table for the rules.

    Args:
        photo: the picture, a file or its bytes.
        table: the places of the printed markers (``sightline.table/1``).
        camera: the lens (``sightline.camera/1``).
        tiles: the folder of the tile set.
        roster: the figures that may be there (``sightline.roster/1``).

    Raises:
        DocumentError: a document cannot be read or breaks its format.
        PhotoError: the photo cannot be read, or the table cannot be found on it.
    """
    from pathlib import Path

    from assistant.documents import camera_from_json, roster_from_json, table_from_json
    from vision.photo.decoding import decode_photo, read_photo_bytes
    from vision.reading import TableReader
    from vision.tiles.prints import load_prints

    reader = TableReader(
        load_prints(Path(tiles)),
        roster_from_json(*_read(roster, "roster")),
        table_from_json(*_read(table, "table")),
        camera_from_json(*_read(camera, "camera")),
    )
    data = photo if isinstance(photo, bytes) else read_photo_bytes(Path(photo))
    return reader.read(decode_photo(data)).observation


def installed_games() -> tuple[InstalledGame, ...]:
    """Return every installed game: its id, its title, the kind of its table, and the questions that it answers."""
    from assistant.match.games import games

    return games()


def cell_game(name: str, **options: str) -> CellRules:
    """Return the rules of a game on cells, under house options.

    ``rule(board, attacker, defender)`` rules on one pair. ``pairs(board)`` rules on all of them.

    Raises:
        UnknownName: there is no such game, option or choice, or the game is played without cells.
    """
    from assistant.errors import UnknownName
    from assistant.match.games import rule_set
    from assistant.rules.ruleset import CellRules
    from assistant.translations.messages import said

    rules = rule_set(name, options)
    if not isinstance(rules, CellRules):
        raise UnknownName(said("“{game}” is played without cells. Call free_game for it.", game=name))
    return rules


def free_game(name: str, **options: str) -> FreeRules:
    """Return the rules of a game without cells, under house options.

    Raises:
        UnknownName: there is no such game, option or choice, or the game is played on cells.
    """
    from assistant.errors import UnknownName
    from assistant.match.games import rule_set
    from assistant.rules.ruleset import FreeRules
    from assistant.translations.messages import said

    rules = rule_set(name, options)
    if not isinstance(rules, FreeRules):
        raise UnknownName(said("“{game}” is played on cells. Call cell_game for it.", game=name))
    return rules


def explain(rules: CellRules, board: Board, ruling: Ruling, language: str = "en") -> tuple[str, ...]:
    """Return the reasons of a ruling and the smallest changes of the board that flip it, sentence by sentence.

    Raises:
        UnknownName: there are no sentences in that language.
    """
    from assistant.rules.reasons import word_ruling

    return tuple(reason.text for reason in word_ruling(rules.explained(board, ruling), rules.rules, language).reasons)


def sees_from(rules: CellRules, board: Board, figure: str, target: str) -> frozenset[Cell]:
    """Return the cells from which a figure would see another. A large figure's place is its smallest cell.

    Raises:
        UnknownName: the board holds no such figure, or both are the same one.
    """
    from assistant.rules.whatif import sight_map

    return sight_map(rules, board, "sees", figure, target).holds


def odds(  # noqa: PLR0913 - each is a part of the question, given by its name
    tables: str | PathLike[str] | bytes,
    *,
    attack: str,
    target: str,
    range_spaces: int | None = None,
    deck: str | None = None,
    attack_is: Iterable[str] = (),
    target_is: Iterable[str] = (),
    **options: str,
) -> Mapping[str, object]:
    """Compute the exact odds of an attack as a ``sightline.odds/1``, from tables that users fill in.

    Args:
        tables: the ``sightline.tables/1``, a file or its bytes; it names its game.
        attack: the row of the attack, or of the attacking fighter.
        target: the row of the target.
        range_spaces: the range, if the game's dice depend on it.
        deck: the row of the defence deck, if the game has decks.
        attack_is: states of the attack, such as ``stunned``.
        target_is: states of the target, such as ``cover``.
        options: house options.

    Raises:
        DocumentError: the tables cannot be read or break their format.
        UnknownName: there is no such row, state, option or choice.
    """
    from assistant.documents.tables import OddsQuestion
    from assistant.match.games import rule_set, tables_from_toml

    game, read = tables_from_toml(*_read(tables, "tables"))
    held = rule_set(game, options).options
    question = OddsQuestion(attack, target, frozenset(attack_is), frozenset(target_is), held, range_spaces, deck)
    read.check_words(question)
    return read.odds(question)


def begin_match(mission: str | PathLike[str] | bytes, **options: str) -> Session:
    """Begin a match of a mission, in memory only.

    ``command(fields, actor)`` plays a step, ``view(audience)`` returns what that audience may know of the match, and
    ``subscribe`` delivers every event. ``assistant.app.matches.archive.KeptMatches`` saves matches in a folder.

    Args:
        mission: the name of a shipped mission, or a TOML file, or its bytes.
        options: house options.

    Raises:
        DocumentError: the mission cannot be read, or does not fit its game.
    """
    from assistant.app.matches.archive import list_shipped_missions, load_shipped_mission
    from assistant.match.chance import new_seed
    from assistant.match.missions import mission_from_toml, new_header
    from assistant.match.session import Session
    from assistant.run_clock import now_ms

    is_shipped = isinstance(mission, str) and mission in list_shipped_missions()
    read = load_shipped_mission(str(mission)) if is_shipped else mission_from_toml(*_read(mission, "mission"))
    header = new_header(read, match_id="match", seed=new_seed(), created_t=now_ms(), options=options)
    return Session(header, journal=None, clock_ms=now_ms)


def _read(source: Source, noun: str) -> tuple[bytes, str]:
    """Return a document's bytes, and its name for error messages."""
    from pathlib import Path

    from assistant.documents import read_bytes, to_json

    if isinstance(source, bytes):
        return source, noun
    if isinstance(source, str | os.PathLike):
        return read_bytes(Path(source)), os.fspath(source)
    return to_json(dict(source)).encode(), noun
