"""Sequences on disk: the frames of one fixed camera while figures are moved, with the truth of every frame."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from jaxtyping import Float

from assistant.kept_files import write_file
from calibration.arrays import Floats, Mask
from vision.simulation.camera_effects import encode_jpeg
from vision.simulation.camera_view import Region
from vision.simulation.compose import random_scene
from vision.simulation.dataset import (
    BucketChoice,
    bucket_of,
    list_text,
    text_of,
    write_documents,
    write_tiles,
)
from vision.simulation.raster import covered_samples
from vision.simulation.reaches import endless_moves
from vision.simulation.scene import Scene
from vision.simulation.truth import Document, meta_document, truth_document
from vision.simulation.virtual_camera import VirtualCamera

MOVE_EVERY_S = 5.0
"""From one reach to the next; a reach takes 3 s, so that there are quiet frames in between."""


def write_sequences(
    folder: Path, *, seed: int, count: int, bucket: BucketChoice, frames: int, frames_per_s: float
) -> Iterator[str]:
    """Writes sequences of consecutive seeds and a list for each; yields the name of each when it is there.

    Raises:
        StoreError: the folder cannot be written.
    """
    for number in range(count):
        scene = random_scene(seed + number, bucket_of(bucket, number), name=f"sequence-{seed + number}")
        entries = write_sequence(folder, scene, frames=frames, frames_per_s=frames_per_s)
        write_file(folder / f"{scene.name}.json", list_text(entries))
        yield scene.name


def write_sequence(folder: Path, scene: Scene, *, frames: int, frames_per_s: float) -> list[dict[str, str]]:
    """Writes the frames of one table with figures being moved; returns the entries for a list.

    Raises:
        StoreError: the folder cannot be written.
    """
    place = folder / scene.name
    write_documents(place, scene)
    write_tiles(place / "tiles", scene.printed)
    write_file(place / "meta.json", text_of(meta_document(scene, {})))
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
        entries.append(_entry(scene.name, name))
    return entries


def frame_truth(camera: VirtualCamera) -> Document:
    """The truth of the camera's last frame: what is under the hand stays, markers under it are not seen."""
    scene = camera.standing
    truth = truth_document(scene)
    hidden = markers_under_hand(camera)
    truth["camera"]["markers_seen"] = [m for m in truth["camera"]["markers_seen"] if m not in hidden]
    truth["hand"] = bool(_hand_mask(camera).any())
    return truth


def markers_under_hand(camera: VirtualCamera) -> frozenset[int]:
    """The ids of the markers of which the hand covers some part in the last frame."""
    mask = _hand_mask(camera)
    return frozenset(m.id for m in camera.scene.markers.markers if _is_touched(camera, np.array(m.corners_mm), mask))


def _hand_mask(camera: VirtualCamera) -> Mask:
    """The pixels (H, W) that show the hand in the last frame."""
    lens = camera.view.lens
    covered = np.zeros(lens.width_px * lens.height_px, bool)
    if camera.hand is not None:
        covered[covered_samples(camera.view, camera.hand.mesh, Region(0, 0, lens.width_px, lens.height_px))] = True
    return covered.reshape(lens.height_px, lens.width_px)


def _is_touched(camera: VirtualCamera, corners_mm: Float[Floats, "4 2"], mask: Mask) -> bool:
    outline = camera.view.project(np.column_stack([corners_mm, np.zeros(4)]))
    area = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(area, np.round(outline).astype(np.int32), 1)
    return bool((mask & (area > 0)).any())


def _entry(sequence: str, name: str) -> dict[str, str]:
    return {
        "photo": f"{sequence}/{name}.jpg",
        "table": f"{sequence}/table.json",
        "camera": f"{sequence}/camera.json",
        "tiles": f"{sequence}/tiles",
        "roster": f"{sequence}/roster.json",
        "truth": f"{sequence}/{name}.truth.json",
        "bucket": "sequence",
        "name": f"{sequence}-{name}",
    }
