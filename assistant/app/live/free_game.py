"""What a table without a grid is read by, and the rules that are asked about it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.app.live.game_files import GameFiles
from assistant.documents import camera_from_json, free_table_from_json, read_bytes, roster_from_json, table_from_json
from assistant.errors import BadValue, UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.ruleset import FreeRules
from assistant.table.camera import CameraLens, TableMarkers
from assistant.table.free_table import FreeTable
from assistant.table.roster import Roster
from assistant.translations.messages import said


@dataclass(frozen=True)
class FreeGame:
    """What a table without a grid is read by.

    ``name`` is what the set-up is called; empty where nobody named it.
    """

    box: FreeTable
    roster: Roster
    markers: TableMarkers
    lens: CameraLens | None
    name: str = ""


def free_game_from(files: GameFiles) -> FreeGame | None:
    """What a table without a grid is read by, from the documents that a person named; None where none of them is one.

    Raises:
        DocumentError: a document cannot be read or breaks its format.
        BadValue: where the markers lie or who may be there was not named with it.
    """
    if files.free_table is None:
        return None
    if files.table is None or files.roster is None:
        raise BadValue(said("a table without a grid needs --table and --roster, too"), field="free_table")
    lens = None if files.camera is None else camera_from_json(read_bytes(files.camera), str(files.camera))
    return FreeGame(
        free_table_from_json(read_bytes(files.free_table), str(files.free_table)),
        roster_from_json(read_bytes(files.roster), str(files.roster)),
        table_from_json(read_bytes(files.table), str(files.table)),
        lens,
        files.free_table.stem,
    )


def first_free_rules() -> FreeRules:
    """The rules of the first installed game that is played without a grid, as they are without a house's choices.

    Raises:
        UnknownName: no such game is installed.
    """
    for game in games():
        rules = rule_set(game.id, {}) if game.table == "free" else None
        if isinstance(rules, FreeRules):
            return rules
    raise UnknownName(said("no installed game is played on a table without a grid; install one"))
