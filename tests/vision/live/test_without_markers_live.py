"""A watched table without markers: a camera that was bumped finds itself by the tiles."""

from __future__ import annotations

import numpy as np

from assistant.errors import PhotoError
from assistant.table.camera import NO_MARKERS
from calibration.arrays import BgrImage
from vision.live.frames import Frame
from vision.live.incremental import FrameReading, LiveReader
from vision.reading import TableReader
from vision.simulation.compose import random_scene
from vision.simulation.faults import Fault
from vision.simulation.virtual_camera import VirtualCamera
from vision.tiles.prints import prints_from_images

STEP_S = 0.4


def test_a_camera_that_shows_no_table_any_more_says_why_and_comes_back() -> None:
    """Without markers nothing else notices it. The page went on to say that something was moving."""
    scene = random_scene(2007, "normal")
    tiles = scene.printed.tile_set
    prints = prints_from_images(tiles, [scene.printed.images[side.id] for side in tiles.sides])
    lens, now_s, count = scene.view.lens, [0.0], iter(range(100))
    camera = VirtualCamera(scene, lambda: now_s[0], size_wh=(lens.width_px, lens.height_px))
    table = TableReader(prints, scene.roster, NO_MARKERS, lens)
    tried_s = []
    read = table.read
    table.read = lambda *photo: tried_s.append(now_s[0]) or read(*photo)  # type: ignore[method-assign]
    reader = LiveReader(table, prints, scene.roster)

    def look(picture: BgrImage) -> FrameReading:
        now_s[0] += STEP_S
        return reader.look(Frame(picture, next(count), now_s[0], "virtual"))

    def say(picture: BgrImage) -> str:
        try:
            look(picture)
        except PhotoError as problem:
            return str(problem)
        return ""

    photo = camera.frame()
    before = look(photo)
    while not before.is_current:
        before = look(photo)
    tried_s.clear()
    wall = np.full_like(photo, 90)
    said = [say(wall) for _ in range(60)]
    assert not any(said[:5])
    assert all("tile" in sentence for sentence in said[17:])  # a wall looks like a lens that seeks its focus
    assert 4 <= len(tried_s) <= 8
    after = look(photo)
    assert after.view == before.view
    assert after.look.observation.figures == before.look.observation.figures


def test_a_bumped_camera_finds_itself_by_the_tiles() -> None:
    """After a bump nothing on the table has moved: tiles keep their places to a millimetre, figures their cells."""
    scene = random_scene(2007, "normal")
    tiles = scene.printed.tile_set
    prints = prints_from_images(tiles, [scene.printed.images[side.id] for side in tiles.sides])
    lens = scene.view.lens
    now_s = [0.0]
    camera = VirtualCamera(scene, lambda: now_s[0], size_wh=(lens.width_px, lens.height_px))
    reader = LiveReader(TableReader(prints, scene.roster, NO_MARKERS, lens), prints, scene.roster)
    count = iter(range(100))

    def look() -> FrameReading:
        now_s[0] += STEP_S
        return reader.look(Frame(camera.frame(), next(count), now_s[0], "virtual"))

    before = look()
    assert look().view == before.view
    camera.switch(Fault.CAMERA_BUMPED, on=True)
    after = look()
    assert after.view == before.view
    assert not after.is_current
    for _ in range(7):
        if after.view != before.view:
            break
        after = look()
    assert after.view != before.view
    seen, then = after.look.observation, before.look.observation
    there = {tile.id: tile.center_mm for tile in then.tiles}
    assert {tile.id for tile in seen.tiles} == set(there)
    for tile in seen.tiles:
        assert abs(complex(*tile.center_mm) - complex(*there[tile.id])) < 1.0
    kinds = [{(figure.kind, figure.cells) for figure in one.figures} for one in (seen, then)]
    assert len(kinds[0] ^ kinds[1]) <= 1
