"""Skirmishes on disk: photo, documents and truth of each, and the list that a batch and the bench read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assistant.documents import free_table_document, roster_document
from assistant.kept_files import write_file
from vision.simulation.camera_effects import encode_jpeg, photograph
from vision.simulation.camera_view import Region
from vision.simulation.dataset import SAMPLES_EACH_WAY, list_text, text_of
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_scene import FreeScene
from vision.simulation.free_stage import build_free_stage
from vision.simulation.render import Renderer
from vision.simulation.truth import camera_document, table_document


def take_free_photo(scene: FreeScene) -> tuple[bytes, dict[str, float]]:
    """The JPEG of a skirmish, and how much of each body is in sight."""
    lens = scene.view.lens
    renderer = Renderer(build_free_stage(scene), scene.view)
    light = renderer.picture(Region(0, 0, lens.width_px, lens.height_px, SAMPLES_EACH_WAY))
    image = photograph(light, scene.camera, np.random.default_rng([scene.seed, 5]))
    shares = renderer.visible_shares(Region(0, 0, lens.width_px, lens.height_px))
    return encode_jpeg(image, scene.camera.jpeg_quality), dict(shares)


def write_free_scenes(folder: Path, *, seed: int, count: int) -> Iterator[str]:
    """Writes skirmishes of consecutive seeds, and ``list.json`` at the end; yields each one's name when it is there.

    Raises:
        StoreError: the folder cannot be written.
    """
    entries = []
    for number in range(count):
        scene = random_free_scene(seed + number)
        entries.append(write_free_scene(folder, scene))
        yield scene.name
    write_file(folder / "list.json", list_text(entries))


def write_free_scene(folder: Path, scene: FreeScene) -> dict[str, str]:
    """Writes one skirmish into a folder of its name; returns its entry for the list.

    Raises:
        StoreError: the folder cannot be written.
    """
    photo, shares = take_free_photo(scene)
    visible = {name.partition(":")[2]: round(s, 3) for name, s in shares.items() if name.startswith("figure:")}
    meta = {"name": scene.name, "light": scene.lighting.name, "tabletop": scene.table_top, "figures_visible": visible}
    write_file(folder / scene.name / "meta.json", text_of(meta))
    return write_with_truth(folder, scene, photo)


def write_with_truth(folder: Path, scene: FreeScene, photo: bytes) -> dict[str, str]:
    """Writes a photo of a skirmish, its documents and its truth; returns the entry for the list.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    write_file(place / "photo.jpg", photo)
    write_file(place / "table.json", text_of(table_document(scene.markers)))
    write_file(place / "camera.json", text_of(camera_document(scene.view.lens)))
    write_file(place / "roster.json", text_of(roster_document(scene.roster)))
    write_file(place / "free-table.json", text_of(free_table_document(scene.box)))
    write_file(place / "truth.json", text_of(free_table_document(scene.table)))
    names = {"photo": "photo.jpg", "table": "table.json", "camera": "camera.json", "roster": "roster.json",
             "free_table": "free-table.json", "truth": "truth.json"}  # fmt: skip
    return {field: f"{scene.name}/{name}" for field, name in names.items()}
