"""The documents that pictures are read with: the shipped sample game's or a person's, with a grid or without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.app.live.shots import SetUp
from assistant.documents import camera_from_json, free_table_from_json, read_bytes, roster_from_json, table_from_json
from assistant.errors import BadValue, UnknownName
from assistant.match.games import games, rule_set
from assistant.rules.ruleset import FreeRules
from assistant.table.camera import NO_MARKERS, CameraLens, TableMarkers
from assistant.table.free_table import FreeTable
from assistant.table.roster import Roster
from assistant.translations.messages import said
from vision.sources.virtual import VirtualTable
from vision.tiles.prints import TilePrints, load_prints


@dataclass(frozen=True)
class GameFiles:
    """The paths of a person's documents. None means the sample game's.

    ``free_table`` describes a table without a grid, which is read in addition to the one with tiles.
    """

    table: Path | None = None
    camera: Path | None = None
    tiles: Path | None = None
    roster: Path | None = None
    free_table: Path | None = None

    @property
    def named(self) -> Mapping[str, Path]:
        """The documents that a person named."""
        paths = {"table": self.table, "camera": self.camera, "tiles": self.tiles, "roster": self.roster}
        return {name: path for name, path in paths.items() if path is not None}


@dataclass(frozen=True)
class ReadableGame:
    """A game that pictures can be read with: markers, lens, printed tiles and figures.

    ``lens`` is None if no camera was calibrated. The reader then estimates one from the markers or the tiles. ``shown``
    is the table under the simulated camera, or None for the sample game's own table.
    """

    name: str
    markers: TableMarkers
    lens: CameraLens | None
    prints: TilePrints
    roster: Roster
    sources: Mapping[str, str]
    is_simulated: bool = False
    shown: VirtualTable | None = None

    @property
    def setup(self) -> SetUp:
        return SetUp(self.name, self.roster, self.prints.tile_set, self.sources, self.is_simulated)

    def without_markers(self) -> ReadableGame:
        """Return the same game on a table without printed markers, where the tiles give the camera pose."""
        return replace(self, markers=NO_MARKERS, sources={**self.sources, "table": "—"})


def game_from_files(files: GameFiles, sample: ReadableGame) -> ReadableGame:
    """Return the sample game with a person's documents replacing the sample's.

    A photo of another game comes from another camera. So if a table or tiles are named but no camera, the lens is
    estimated. Tiles without a table are located by their own prints.

    Raises:
        DocumentError: a document cannot be read or breaks its format.
        PhotoUnreadable: a tile's picture cannot be read.
    """
    if not files.named:
        return sample
    lens = sample.lens if files.table is None and files.tiles is None else None
    game = ReadableGame(
        name=" + ".join(path.stem for path in files.named.values()),
        markers=sample.markers if files.table is None else table_from_json(read_bytes(files.table), str(files.table)),
        lens=lens if files.camera is None else camera_from_json(read_bytes(files.camera), str(files.camera)),
        prints=sample.prints if files.tiles is None else load_prints(files.tiles),
        roster=sample.roster if files.roster is None else roster_from_json(read_bytes(files.roster), str(files.roster)),
        sources={**sample.sources, "camera": "—", **{name: str(path) for name, path in files.named.items()}},
    )
    return game.without_markers() if files.table is None and files.tiles is not None else game


@dataclass(frozen=True)
class FreeGame:
    """The documents of a table without a grid.

    ``name`` is the name of the set-up, or empty.
    """

    box: FreeTable
    roster: Roster
    markers: TableMarkers
    lens: CameraLens | None
    name: str = ""


def free_game_from(files: GameFiles) -> FreeGame | None:
    """Read the documents of a table without a grid, or return None if a person named none.

    Raises:
        DocumentError: a document cannot be read or breaks its format.
        BadValue: its table of markers or its roster was not named.
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
    """Return the rules of the first installed game without a grid, with default house options.

    Raises:
        UnknownName: no such game is installed.
    """
    for game in games():
        rules = rule_set(game.id, {}) if game.table == "free" else None
        if isinstance(rules, FreeRules):
            return rules
    raise UnknownName(said("no installed game is played on a table without a grid; install one"))
