"""Scenes, skirmishes and sequences on disk: photos, documents, truth, and the lists for batch and benches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from jaxtyping import Float, UInt8

from assistant.documents import free_table_document, roster_document, tile_set_document
from assistant.kept_files import write_file
from calibration.arrays import Floats, Levels, Mask
from vision.simulation.camera_effects import encode_jpeg, take_jpeg
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.evening import evening_scene
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_scene import FreeScene
from vision.simulation.free_stage import build_free_stage
from vision.simulation.raster import covered_samples
from vision.simulation.reaches import endless_moves
from vision.simulation.render import Renderer
from vision.simulation.scene import Bucket, Scene
from vision.simulation.stage_setup import build_stage
from vision.simulation.tile_art import PrintedTiles
from vision.simulation.truth import Document, camera_document, meta_document, table_document, truth_document
from vision.simulation.virtual_camera import VirtualCamera

BucketChoice = Literal["easy", "normal", "hard", "mixed", "evening"]
BUCKET_ORDER: tuple[Bucket, ...] = ("easy", "normal", "hard")

SAMPLES_EACH_WAY = 2
"""Samples of a pixel across and down, four in all, softened by the lens blur."""

MOVE_EVERY_S = 5.0
"""Time between reaches in a sequence. A reach takes 3 s, which leaves quiet frames in between."""


def take_photo(scene: Scene | FreeScene) -> tuple[bytes, Mapping[str, float]]:
    """Take the JPEG of a scene, and measure the visible share of each body."""
    lens = scene.view.lens
    stage = build_free_stage(scene) if isinstance(scene, FreeScene) else build_stage(scene)
    renderer = Renderer(stage, scene.view)
    light = renderer.picture(Region(0, 0, lens.width_px, lens.height_px, SAMPLES_EACH_WAY))
    photo = take_jpeg(light, scene.camera, np.random.default_rng([scene.seed, 5]))
    return photo, renderer.visible_shares(Region(0, 0, lens.width_px, lens.height_px))


def bucket_of(choice: BucketChoice, number: int) -> Bucket:
    """Return the bucket of the scene of that number. Mixed and evening cycle through the buckets."""
    match choice:
        case "mixed" | "evening":
            return BUCKET_ORDER[number % len(BUCKET_ORDER)]
        case _:
            return choice


def write_scenes(folder: Path, *, seed: int, count: int, bucket: BucketChoice) -> Iterator[str]:
    """Write scenes of consecutive seeds, then ``list.json``. Yield the name of each written scene.

    Raises:
        StoreError: the folder cannot be written.
    """
    entries = []
    for number in range(count):
        chosen = bucket_of(bucket, number)
        compose = evening_scene if bucket == "evening" else random_scene
        scene = compose(seed + number, chosen, name=f"{chosen}-{seed + number}")
        entries.append(write_scene(folder, scene))
        yield scene.name
    write_file(folder / "list.json", list_text(entries))


def write_scene(folder: Path, scene: Scene) -> dict[str, str]:
    """Write one scene with its tile set into a folder of its name. Return its list entry.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    photo, shares = take_photo(scene)
    write_file(place / "photo.jpg", photo)
    write_file(place / "truth.json", text_of(truth_document(scene)))
    _write_table(place, scene, shares)
    return _entry(scene, "photo.jpg", "truth.json") | {"bucket": scene.bucket, "name": scene.name}


def write_free_scenes(folder: Path, *, seed: int, count: int) -> Iterator[str]:
    """Write skirmishes of consecutive seeds, then ``list.json``. Yield the name of each written one.

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
    """Write one skirmish into a folder of its name. Return its list entry.

    Raises:
        StoreError: the folder cannot be written.
    """
    photo, shares = take_photo(scene)
    visible = {name.partition(":")[2]: round(s, 3) for name, s in shares.items() if name.startswith("figure:")}
    meta = {"name": scene.name, "light": scene.lighting.name, "tabletop": scene.table_top, "figures_visible": visible}
    write_file(folder / scene.name / "meta.json", text_of(meta))
    return write_with_truth(folder, scene, photo)


def write_with_truth(folder: Path, scene: FreeScene, photo: bytes) -> dict[str, str]:
    """Write a photo of a skirmish, its documents and its truth. Return its list entry.

    Raises:
        StoreError: the folder cannot be written.
    """
    files = {
        "photo": ("photo.jpg", photo),
        "table": ("table.json", text_of(table_document(scene.markers))),
        "camera": ("camera.json", text_of(camera_document(scene.view.lens))),
        "roster": ("roster.json", text_of(roster_document(scene.roster))),
        "free_table": ("free-table.json", text_of(free_table_document(scene.box))),
        "truth": ("truth.json", text_of(free_table_document(scene.table))),
    }
    for name, content in files.values():
        write_file(folder / scene.name / name, content)
    return {field: f"{scene.name}/{name}" for field, (name, _) in files.items()}


def write_sequences(
    folder: Path, *, seed: int, count: int, bucket: BucketChoice, frames: int, frames_per_s: float
) -> Iterator[str]:
    """Write sequences of consecutive seeds and a list for each. Yield the name of each written one.

    Raises:
        StoreError: the folder cannot be written.
    """
    for number in range(count):
        scene = random_scene(seed + number, bucket_of(bucket, number), name=f"sequence-{seed + number}")
        entries = write_sequence(folder, scene, frames=frames, frames_per_s=frames_per_s)
        write_file(folder / f"{scene.name}.json", list_text(entries))
        yield scene.name


def write_sequence(folder: Path, scene: Scene, *, frames: int, frames_per_s: float) -> list[dict[str, str]]:
    """Write the frames of one fixed camera while hands move figures. Return the list entries.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    _write_table(place, scene, {})
    lens = scene.view.lens
    time_s = [0.0]
    moves = endless_moves(scene, scene.seed, first_s=1.0, every_s=MOVE_EVERY_S)
    camera = VirtualCamera(scene, lambda: time_s[0], moves=moves, size_wh=(lens.width_px, lens.height_px))
    entries = []
    for index in range(frames):
        time_s[0] = index / frames_per_s
        image = camera.frame()
        name = f"frame-{index:03d}"
        write_file(place / f"{name}.jpg", encode_jpeg(image, scene.camera.jpeg_quality))
        write_file(place / f"{name}.truth.json", text_of(frame_truth(camera)))
        names = {"bucket": "sequence", "name": f"{scene.name}-{name}"}
        entries.append(_entry(scene, f"{name}.jpg", f"{name}.truth.json") | names)
    return entries


def frame_truth(camera: VirtualCamera) -> Document:
    """Return the truth of the camera's last frame. Figures under the hand stay, markers under it count as unseen."""
    truth = truth_document(camera.standing)
    lens = camera.view.lens
    covered = np.zeros(lens.width_px * lens.height_px, bool)
    if camera.hand is not None:
        covered[covered_samples(camera.view, camera.hand.mesh, Region(0, 0, lens.width_px, lens.height_px))] = True
    hand = covered.reshape(lens.height_px, lens.width_px)
    hidden = {m.id for m in camera.scene.markers.markers if _is_touched(camera, np.array(m.corners_mm), hand)}
    truth["camera"]["markers_seen"] = [m for m in truth["camera"]["markers_seen"] if m not in hidden]
    truth["hand"] = bool(hand.any())
    return truth


def _is_touched(camera: VirtualCamera, corners_mm: Float[Floats, "4 2"], mask: Mask) -> bool:
    outline = camera.view.project(np.column_stack([corners_mm, np.zeros(4)]))
    area = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(area, np.round(outline).astype(np.int32), 1)
    return bool((mask & (area > 0)).any())


def _entry(scene: Scene, photo: str, truth: str) -> dict[str, str]:
    names = {"photo": photo, "table": "table.json", "camera": "camera.json", "tiles": "tiles",
             "roster": "roster.json", "truth": truth}  # fmt: skip
    return {field: f"{scene.name}/{name}" for field, name in names.items()}


def _write_table(place: Path, scene: Scene, shares: Mapping[str, float]) -> None:
    """Write the constant parts of all photos: markers, lens, roster, tile set and notes."""
    write_file(place / "table.json", text_of(table_document(scene.markers)))
    write_file(place / "camera.json", text_of(camera_document(scene.view.lens)))
    write_file(place / "roster.json", text_of(roster_document(scene.roster)))
    write_file(place / "meta.json", text_of(meta_document(scene, shares)))
    write_tiles(place / "tiles", scene.printed)


def write_tiles(folder: Path, printed: PrintedTiles) -> None:
    """Write a tile set: its document, a PNG for each side, and the door's face.

    Raises:
        StoreError: the folder cannot be written.
    """
    write_file(folder / "tileset.json", text_of(tile_set_document(printed.tile_set)))
    for side in printed.tile_set.sides:
        write_file(folder / side.image, _png(printed.images[side.id]))
    write_file(folder / "door.png", _png(printed.door.face))


def _png(image: UInt8[Levels, "height width channels"]) -> bytes:
    return bytes(cv2.imencode(".png", image)[1])


def text_of(document: dict[str, Any]) -> bytes:
    """Return the bytes of a document in a file."""
    return (json.dumps(document, indent=1) + "\n").encode()


def list_text(entries: list[dict[str, str]]) -> bytes:
    """Return the bytes of a list in a file, one entry a line."""
    return ("[\n" + ",\n".join(f" {json.dumps(entry)}" for entry in entries) + "\n]\n").encode()
