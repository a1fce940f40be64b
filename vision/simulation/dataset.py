"""Scenes on disk: photo, documents and truth of each, and the list that a batch and the scorer read."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from assistant.errors import StoreError
from vision.simulation.arrays import Image
from vision.simulation.camera_effects import encoded, photograph
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles
from vision.simulation.truth import (
    camera_document,
    meta_document,
    roster_document,
    table_document,
    tile_set_document,
    truth_document,
)

BucketChoice = Literal["easy", "normal", "hard", "mixed"]
BUCKET_ORDER: tuple[Bucket, ...] = ("easy", "normal", "hard")
SAMPLES_EACH_WAY = 2
"""Samples of a pixel across and down: four in all, softened by the lens blur."""


def take_photo(scene: Scene) -> tuple[bytes, dict[str, float]]:
    """The JPEG of a scene, and how much of each body is in sight."""
    lens = scene.view.lens
    renderer = Renderer(build_stage(scene), scene.view)
    light = renderer.picture(Region(0, 0, lens.width_px, lens.height_px, SAMPLES_EACH_WAY))
    image = photograph(light, scene.camera, np.random.default_rng([scene.seed, 5]))
    shares = renderer.visible_shares(Region(0, 0, lens.width_px, lens.height_px))
    return encoded(image, scene.camera.jpeg_quality), dict(shares)


def write_scenes(folder: Path, *, seed: int, count: int, bucket: BucketChoice) -> Iterator[str]:
    """Writes scenes of consecutive seeds, and ``list.json`` at the end; yields each scene's name when it is there.

    Raises:
        StoreError: the folder cannot be written.
    """
    entries = []
    order = itertools.cycle(BUCKET_ORDER) if bucket == "mixed" else itertools.repeat(bucket)
    for number, chosen in zip(range(count), order, strict=False):
        scene = random_scene(seed + number, chosen, name=f"{chosen}-{seed + number}")
        entries.append(write_scene(folder, scene))
        yield scene.name
    _write(folder / "list.json", _list_text(entries))


def write_scene(folder: Path, scene: Scene) -> dict[str, str]:
    """Writes one scene into a folder of its name, its tile set beside; returns its entry for the list.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    photo, shares = take_photo(scene)
    _write(place / "photo.jpg", photo)
    _write_documents(place, scene)
    _write(place / "truth.json", _text(truth_document(scene)))
    _write(place / "meta.json", _text(meta_document(scene, shares)))
    write_tiles(place / "tiles", scene.printed)
    return {
        "photo": f"{scene.name}/photo.jpg",
        "table": f"{scene.name}/table.json",
        "camera": f"{scene.name}/camera.json",
        "tiles": f"{scene.name}/tiles",
        "roster": f"{scene.name}/roster.json",
        "truth": f"{scene.name}/truth.json",
        "bucket": scene.bucket,
        "name": scene.name,
    }


def _write_documents(place: Path, scene: Scene) -> None:
    _write(place / "table.json", _text(table_document(scene.markers)))
    _write(place / "camera.json", _text(camera_document(scene.view.lens)))
    _write(place / "roster.json", _text(roster_document(scene.roster)))


def write_tiles(folder: Path, printed: PrintedTiles) -> None:
    """Writes a tile set: its document, a PNG for each side, and the door's face.

    Raises:
        StoreError: the folder cannot be written.
    """
    _write(folder / "tileset.json", _text(tile_set_document(printed.tile_set)))
    for side in printed.tile_set.sides:
        _write(folder / side.image, _png(printed.images[side.id]))
    _write(folder / "door.png", _png(printed.door_face))


def _png(image: Image) -> bytes:
    _, data = cv2.imencode(".png", image)
    return bytes(data)


def _text(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=1) + "\n").encode()


def _list_text(entries: list[dict[str, str]]) -> bytes:
    return ("[\n" + ",\n".join(f" {json.dumps(entry)}" for entry in entries) + "\n]\n").encode()


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as problem:
        text = f"{path} cannot be written ({problem.strerror or problem}); choose a folder that you may write to"
        raise StoreError(text) from None
