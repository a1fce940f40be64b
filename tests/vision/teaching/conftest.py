"""Simulated photos for teaching: one tile, one figure or one door alone between the markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from assistant.table.camera import TableMarkers
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.photo.decoding import decode_photo
from vision.simulation.compose import random_scene
from vision.simulation.dataset import take_photo
from vision.simulation.scene import Clutter, PlacedFigure, PlacedTile, Scene


@dataclass(frozen=True, eq=False)
class Shown:
    """A photo with its known facts."""

    scene: Scene
    photo: BgrImage

    @property
    def view(self) -> CameraView:
        """Return the camera's exact pose."""
        at = self.scene.view
        return CameraView(at.lens, at.rotation_vector, at.translation_mm, 0.1, ())

    @property
    def markers(self) -> TableMarkers:
        """The printed markers."""
        return self.scene.markers


def alone(seed: int, *, bucket: str = "easy") -> Scene:
    """Return the first tile of a random scene with nothing else."""
    scene = random_scene(seed, bucket)
    return replace(scene, tiles=scene.tiles[:1], figures=(), doors=(), damage_mm=(), clutter=())


def shown(scene: Scene) -> Shown:
    return Shown(scene, decode_photo(take_photo(scene)[0]))


def away(scene: Scene) -> tuple[PlacedTile, ...]:
    """Return the scene's first tile, metres away, since a scene needs one."""
    return (PlacedTile(scene.tiles[0].id, 0, (200, 200)),)


class Shows:
    """Builders of photos, each cached."""

    def __init__(self) -> None:
        self._kept: dict[object, Shown] = {}

    def _once(self, key: object, make: Callable[[], Scene]) -> Shown:
        if key not in self._kept:
            self._kept[key] = shown(make())
        return self._kept[key]

    def tile(self, seed: int, bucket: str = "easy") -> Shown:
        """Return a tile of that seed's own art."""
        return self._once((seed, bucket), lambda: alone(seed, bucket=bucket))

    def tile_of(self, seed: int, side_id: str, printed: Scene) -> Shown:
        """Return a named tile of another scene's set, on the table and under the camera of this seed."""

        def make() -> Scene:
            return replace(alone(seed), printed=printed.printed, tiles=(PlacedTile(side_id, seed % 4, (0, 0)),))

        return self._once((seed, side_id), make)

    def figure(self, seed: int, *, ring: str | None, base_size_mm: tuple[float, float] | None = None) -> Shown:
        """Return a figure on the bare table; with a size, on a slightly rotated rectangular base."""

        def make() -> Scene:
            scene = random_scene(seed, "easy")
            kinds = {figure.kind for figure in scene.roster.figures if figure.size == (1, 1)}
            chosen = next(figure for figure in scene.roster.figures if figure.kind == min(kinds))
            chosen = replace(chosen, ring=ring)
            if base_size_mm is not None:
                chosen = replace(chosen, base_shape="rectangle", base_size_mm=base_size_mm, base_mm=min(base_size_mm))
            x, y = np.mean([np.mean(m.corners_mm, axis=0) for m in scene.markers.markers], axis=0).tolist()
            placed = PlacedFigure(chosen, ((0, 0),), (x, y), 25.0, 40.0, 1)
            flat = replace(scene.printed, tile_set=replace(scene.printed.tile_set, thickness_mm=0.0))
            bare = replace(scene, printed=flat, tiles=away(scene), doors=(), damage_mm=(), clutter=())
            return replace(bare, figures=(placed,))

        return self._once((seed, ring, base_size_mm), make)

    def bare(self, seed: int) -> Shown:
        """Return the table with its markers alone."""

        def make() -> Scene:
            scene = random_scene(seed, "easy")
            bare = replace(scene, tiles=away(scene), figures=(), doors=(), damage_mm=(), clutter=())
            return replace(bare, table_top="felt")

        return self._once((seed, "bare"), make)

    def door(self, seed: int) -> Shown:
        """Return a door lying flat on the bare table."""

        def make() -> Scene:
            scene = random_scene(seed, "easy")
            x, y = np.mean([np.mean(m.corners_mm, axis=0) for m in scene.markers.markers], axis=0).tolist()
            flat = (Clutter("door token", (x, y), 25.0, 3),)
            return replace(scene, tiles=away(scene), figures=(), doors=(), damage_mm=(), clutter=flat)

        return self._once((seed, "door"), make)


@pytest.fixture(scope="session")
def shows() -> Shows:
    return Shows()
