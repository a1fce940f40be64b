"""Scenes on disk: photo, documents and truth of each, and the list that a batch and the scorer read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from jaxtyping import UInt8

from assistant.documents import roster_document, tile_set_document
from assistant.kept_files import write_file
from calibration.arrays import Levels
from vision.simulation.camera_effects import encode_jpeg, photograph
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles
from vision.simulation.truth import (
    camera_document,
    meta_document,
    table_document,
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
    return encode_jpeg(image, scene.camera.jpeg_quality), dict(shares)


def write_scenes(folder: Path, *, seed: int, count: int, bucket: BucketChoice) -> Iterator[str]:
    """Writes scenes of consecutive seeds, and ``list.json`` at the end; yields each scene's name when it is there.

    Raises:
        StoreError: the folder cannot be written.
    """
    entries = []
    for number in range(count):
        chosen = bucket_of(bucket, number)
        scene = random_scene(seed + number, chosen, name=f"{chosen}-{seed + number}")
        entries.append(write_scene(folder, scene))
        yield scene.name
    write_file(folder / "list.json", list_text(entries))


def bucket_of(choice: BucketChoice, number: int) -> Bucket:
    """The bucket of the scene of that number: mixed goes through them in turn."""
    return BUCKET_ORDER[number % len(BUCKET_ORDER)] if choice == "mixed" else choice


def write_scene(folder: Path, scene: Scene) -> dict[str, str]:
    """Writes one scene into a folder of its name, its tile set beside; returns its entry for the list.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    write_documents(place, scene)
    photo, shares = take_photo(scene)
    write_file(place / "photo.jpg", photo)
    write_file(place / "truth.json", text_of(truth_document(scene)))
    write_file(place / "meta.json", text_of(meta_document(scene, shares)))
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


def write_documents(place: Path, scene: Scene) -> None:
    """Writes table, camera and roster of a scene.

    Raises:
        StoreError: the folder cannot be written.
    """
    write_file(place / "table.json", text_of(table_document(scene.markers)))
    write_file(place / "camera.json", text_of(camera_document(scene.view.lens)))
    write_file(place / "roster.json", text_of(roster_document(scene.roster)))


def write_tiles(folder: Path, printed: PrintedTiles) -> None:
    """Writes a tile set: its document, a PNG for each side, and the door's face.

    Raises:
        StoreError: the folder cannot be written.
    """
    write_file(folder / "tileset.json", text_of(tile_set_document(printed.tile_set)))
    for side in printed.tile_set.sides:
        write_file(folder / side.image, _png(printed.images[side.id]))
    write_file(folder / "door.png", _png(printed.door.face))


def _png(image: UInt8[Levels, "height width channels"]) -> bytes:
    _, data = cv2.imencode(".png", image)
    return bytes(data)


def text_of(document: dict[str, Any]) -> bytes:
    """A document as it stands in a file."""
    return (json.dumps(document, indent=1) + "\n").encode()


def list_text(entries: list[dict[str, str]]) -> bytes:
    """A batch list as it stands in a file, an entry a line."""
    return ("[\n" + ",\n".join(f" {json.dumps(entry)}" for entry in entries) + "\n]\n").encode()
