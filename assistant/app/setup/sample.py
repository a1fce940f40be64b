"""The shipped sample game, as the simulated table shows it."""

from __future__ import annotations

from assistant.app.live.game_files import ReadableGame
from assistant.table.roster import Roster
from vision.prints import prints_from_images
from vision.simulation import sample
from vision.simulation.tile_art import PrintedTiles


def sample_game() -> ReadableGame:
    """The sample game: what pictures are read by until a person names other documents."""
    scene = sample.sample_scene()
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
    )


def sample_roster() -> Roster:
    """The sample game's figures and doors."""
    return sample.sample_roster()[0]


def sample_tiles() -> PrintedTiles:
    """The sample game's tiles with their pictures."""
    return sample.sample_tiles()
