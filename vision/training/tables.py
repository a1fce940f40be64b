"""Write varied simulated tables for training, as photos with truth and a list like ``sightline simulate``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from assistant.documents import roster_document
from assistant.kept_files import write_file
from vision.simulation.arrays import LightImage
from vision.simulation.camera_effects import take_jpeg
from vision.simulation.camera_view import Region
from vision.simulation.dataset import (
    bucket_of,
    list_text,
    text_of,
    write_tiles,
)
from vision.simulation.evening import tip_over
from vision.simulation.render import Renderer
from vision.simulation.scene import Scene
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles, random_tiles
from vision.simulation.truth import camera_document, table_document, truth_document
from vision.training.other_art import square_tiles, varied_tiles
from vision.training.variety import THINGS_OF_A_GAME, recolored, varied_scene, with_odd_builds

_TABLES_A_SET = 3
"""Consecutive tables that share a tile set."""

_TILES = 10
_OTHER_ART, _SQUARES, _SQUARES_UNDER_PIECES = 0.4, 0.25, 0.75
_SHADOW_PX_PER_MM = 1.5
_DOORS_OF_A_GAME, _DOORS_OF_A_CROWD = (0, 4), (3, 9)
_THINGS_OF_CLUTTER = (3, 5, 8, 12)


def write_tables(  # noqa: PLR0913 - one option each
    out: Path,
    *,
    seed: int,
    count: int,
    crowded: bool,
    cluttered: bool = False,
    oblique_pieces: bool = False,
    fallen: float = 0.0,
) -> Iterator[str]:
    """Write varied tables of consecutive seeds, then ``list.json``. Yield the name of each written table.

    Args:
        out: the folder.
        seed: seed of the first table.
        count: number of tables.
        crowded: whether there are more doors than in a game.
        cluttered: whether there are more things than in a game, and figures as standees and on pegs.
        oblique_pieces: whether all figures are game pieces in oblique photos, mostly on boards of squares.
        fallen: share of small figures that have fallen over.

    Raises:
        StoreError: the folder cannot be written.
    """
    entries = []
    for number in range(seed, seed + count):
        first = number - number % _TABLES_A_SET
        printed = _tiles_of(first, _SQUARES_UNDER_PIECES if oblique_pieces else _SQUARES)
        tiles = out / f"tiles-{first}"
        if not tiles.exists():
            write_tiles(tiles, printed)
        doors = _DOORS_OF_A_CROWD if crowded else _DOORS_OF_A_GAME
        things = _THINGS_OF_CLUTTER if cluttered else THINGS_OF_A_GAME
        bucket = bucket_of("mixed", number)
        scene = varied_scene(number, bucket, printed, doors=doors, things=things, oblique_pieces=oblique_pieces)
        scene = with_odd_builds(scene) if cluttered and not oblique_pieces else scene
        if fallen:
            scene = tip_over(np.random.default_rng([number, 89]), scene, fallen)
        entries.append(_write(out, scene, tiles.name))
        yield scene.name
    write_file(out / "list.json", list_text(entries))


def _tiles_of(seed: int, squares: float) -> PrintedTiles:
    rng = np.random.default_rng([seed, 42])
    chance, name = rng.random(), f"set-{seed}"
    if chance < squares:
        return square_tiles(rng, name)
    other = chance < squares + _OTHER_ART
    printed = varied_tiles(rng, name, _TILES) if other else random_tiles(rng, name, count=_TILES)
    return recolored(rng, printed) if rng.random() < 0.7 else printed


def _write(out: Path, scene: Scene, tiles: str) -> dict[str, str]:
    documents = {
        "table": table_document(scene.markers),
        "camera": camera_document(scene.view.lens),
        "roster": roster_document(scene.roster),
        "truth": truth_document(scene),
    }
    for name, document in documents.items():
        write_file(out / scene.name / f"{name}.json", text_of(document))
    write_file(out / scene.name / "photo.jpg", _photo(scene))
    files = {name: f"{scene.name}/{name}.json" for name in documents}
    return {
        **files,
        "photo": f"{scene.name}/photo.jpg",
        "tiles": tiles,
        "bucket": scene.bucket,
        "name": scene.name,
    }


def _photo(scene: Scene) -> bytes:
    """Take the JPEG of a scene with one sample per pixel, in a fifth of the time of a full photo."""
    light = _light(scene)
    clear = max((look.clear for look in scene.looks.values()), default=0.0)
    if clear:
        solid = tuple(placed for placed in scene.figures if not scene.looks[placed.figure.kind].clear)
        light = light + np.float32(clear) * (_light(replace(scene, figures=solid)) - light)
    return take_jpeg(light, scene.camera, np.random.default_rng([scene.seed, 5]))


def _light(scene: Scene) -> LightImage:
    lens = scene.view.lens
    renderer = Renderer(build_stage(scene), scene.view, shadow_pixels_per_mm=_SHADOW_PX_PER_MM)
    return renderer.picture(Region(0, 0, lens.width_px, lens.height_px))
