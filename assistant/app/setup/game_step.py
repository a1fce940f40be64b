"""The game of a set-up: tile sets and rosters by name, printable sheets, and the reader's documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from assistant.app.live.game_files import FreeGame, GameFiles, ReadableGame, game_from_files
from assistant.app.setup.cameras import PHOTOS
from assistant.app.setup.free_ground import free_game_of
from assistant.app.setup.sample import sample_roster, sample_tiles
from assistant.documents import KeptSetUp, roster_from_json, setup_from_json, tile_set_from_json
from assistant.profiles import Profiles
from assistant.table.roster import Roster
from assistant.table.tiles import TileSet
from calibration.lens_board import LensBoard
from calibration.paper import Paper, Translate
from calibration.sheets import (
    SheetImage,
    door_sheets,
    lens_board_sheet,
    marker_sheets,
    pictures_of,
    ring_sheets,
    tile_sheets,
)

MARKERS_PRINTED = range(8)
"""Four markers are needed. More keep the table located when some are covered."""

_Sheet = Callable[[Paper, float, Translate], bytes]


def files_of(profiles: Profiles, setup: KeptSetUp) -> GameFiles:
    """Return the paths of a stored set-up's documents.

    Raises:
        UnknownName: one of them is no longer stored.
    """
    return GameFiles(
        table=None if setup.table is None else profiles.path("table", setup.table),
        camera=None if setup.camera is None else profiles.path("camera", setup.camera),
        tiles=None if setup.tiles is None else profiles.path("tiles", setup.tiles),
        roster=None if setup.roster is None else profiles.path("roster", setup.roster),
    )


def load_kept_setup(profiles: Profiles, name: str) -> KeptSetUp:
    """Load the stored set-up of that name.

    Raises:
        UnknownName: there is none.
    """
    return setup_from_json(profiles.read("setup", name), name)


def find_live_source(profiles: Profiles, name: str | None) -> str:
    """Return the live camera of a stored set-up, or an empty string for photo files or without a set-up.

    Raises:
        UnknownName: there is no such set-up.
    """
    source = PHOTOS if name is None else load_kept_setup(profiles, name).source
    return "" if source == PHOTOS else source


def game_of(profiles: Profiles, name: str, sample: ReadableGame) -> ReadableGame:
    """Return the game with which a stored set-up reads pictures.

    Raises:
        UnknownName: there is no such set-up, or a part of it is no longer stored.
        DocumentError: a document cannot be used.
    """
    setup = load_kept_setup(profiles, name)
    game = game_from_files(files_of(profiles, setup), sample)
    if setup.table is None:
        game = replace(game.without_markers(), lens=game.lens if setup.camera else None)
    parts = {"table": setup.table, "camera": setup.camera or "—", "tiles": setup.tiles, "roster": setup.roster}
    sources = {part: kept or game.sources[part] for part, kept in parts.items()}
    return replace(game, name=name, sources=sources, is_simulated=setup.source == "virtual")


def free_game_named(profiles: Profiles, name: str) -> FreeGame | None:
    """Return the table without a grid of a stored set-up, or None if it has tiles.

    Raises:
        UnknownName: there is no such set-up, or a part of it is no longer stored.
        DocumentError: a document cannot be used.
    """
    setup = load_kept_setup(profiles, name)
    if setup.free_table is None:
        return None
    return free_game_of(profiles, setup, name, roster_of(profiles, setup.roster))


def roster_of(profiles: Profiles, roster: str | None) -> Roster:
    """Return the roster of that name. None means the sample's."""
    return sample_roster() if roster is None else roster_from_json(profiles.read("roster", roster), roster)


def sheets_of(profiles: Profiles, tiles: str | None, roster: str | None) -> Mapping[str, _Sheet]:
    """Return the printable sheets of a game. Each is a function of paper, scale and language."""
    figures = roster_of(profiles, roster)
    sheets: dict[str, _Sheet] = {
        "table-markers": lambda paper, scale, say: marker_sheets(paper, scale, MARKERS_PRINTED, say=say),
        "lens-board": lambda paper, scale, say: lens_board_sheet(paper, scale, LensBoard(), say=say),
    }
    tile_set, pictures = _tiles_of(profiles, tiles)
    sheets["tiles"] = lambda paper, scale, say: tile_sheets(paper, scale, tile_set, pictures(), say=say)
    if any(figure.ring for figure in figures.figures):
        sheets["base-rings"] = lambda paper, scale, say: ring_sheets(paper, scale, figures, say=say)
    if figures.doors.count:
        sheets["door-labels"] = lambda paper, scale, say: door_sheets(paper, scale, figures, tile_set.cell_mm, say=say)
    return sheets


def _tiles_of(profiles: Profiles, tiles: str | None) -> tuple[TileSet, Callable[[], Mapping[str, SheetImage]]]:
    """Return a tile set, and a function that loads its pictures for printing."""
    if tiles is None:
        printed = sample_tiles()
        return printed.tile_set, lambda: printed.images
    folder = profiles.path("tiles", tiles)
    tile_set = tile_set_from_json(profiles.read("tiles", tiles), tiles)
    return tile_set, lambda: pictures_of(tile_set, folder)
