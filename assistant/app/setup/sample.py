"""The shipped sample game, as the simulated table shows it."""

from __future__ import annotations

from assistant.app.live.game_files import FreeGame, ReadableGame
from assistant.match.games import DemoTable
from assistant.table.free_table import FreeTable
from assistant.table.roster import Roster
from vision.simulation import sample
from vision.simulation.free_sample import free_sample_scene
from vision.simulation.tile_art import PrintedTiles
from vision.sources.virtual import VirtualTable
from vision.tiles.prints import prints_from_images


def sample_game(demo: DemoTable | None = None, *, is_still: bool = False) -> ReadableGame:
    """Return the sample game, with which pictures are read until a person names other documents.

    Args:
        demo: the demo whose tiles and figures replace the sample's own.
        is_still: whether the demo's figures stay still until somebody lets them move.
    """
    cast = sample.SAMPLE if demo is None or demo.seed is None else sample.Cast(demo.seed, demo.names)
    scene = sample.sample_scene(cast)
    tile_set = scene.printed.tile_set
    sources = dict.fromkeys(("table", "camera", "tiles", "roster"), "sample")
    return ReadableGame(
        name="sample",
        markers=scene.markers,
        lens=scene.view.lens,
        prints=prints_from_images(tile_set, [scene.printed.images[side.id] for side in tile_set.sides]),
        roster=scene.roster,
        sources=sources,
        is_simulated=True,
        shown=None if demo is None else VirtualTable(cast=cast, is_still=is_still),
    )


def sample_roster() -> Roster:
    """Return the sample game's figures and doors."""
    return sample.sample_roster()[0]


def sample_tiles() -> PrintedTiles:
    """Return the sample game's tiles with their pictures."""
    return sample.sample_tiles()


def free_sample_game(table: FreeTable) -> FreeGame:
    """Return the documents for the simulated camera over that table, with its models' stats."""
    scene = free_sample_scene(table)
    return FreeGame(table, scene.roster, scene.markers, scene.view.lens)
