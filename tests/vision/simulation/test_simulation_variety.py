"""Tables of every look: the same for the same seed, and as varied as intended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.color import light_from_hex
from vision.simulation.camera_effects import photograph, sharpened
from vision.simulation.camera_view import Region
from vision.simulation.finish import Misprint
from vision.simulation.render import Renderer
from vision.simulation.scene import Scene
from vision.simulation.stage_setup import build_stage
from vision.simulation.table_tops import CLOTHS
from vision.simulation.tile_art import PrintedTiles, random_tiles
from vision.training.variety import recolored, varied_scene

SEEDS = range(40)


@pytest.fixture(scope="module")
def tiles() -> PrintedTiles:
    return random_tiles(np.random.default_rng(3), "set", count=10)


@pytest.fixture(scope="module")
def scenes(tiles: PrintedTiles) -> list[Scene]:
    return [varied_scene(seed, "normal", tiles, doors=(3, 7)) for seed in SEEDS]


def test_the_same_seed_gives_the_same_table(tiles: PrintedTiles, scenes: list[Scene]) -> None:
    again = varied_scene(7, "normal", tiles, doors=(3, 7))
    assert (again.roster, again.doors, again.figures) == (scenes[7].roster, scenes[7].doors, scenes[7].figures)
    assert (again.camera, again.lighting, again.finish.misprint) == (
        scenes[7].camera,
        scenes[7].lighting,
        scenes[7].finish.misprint,
    )


def test_every_varied_table_is_a_table_of_the_rules(scenes: list[Scene]) -> None:
    for scene in scenes:
        assert len(scene.board.doors) == len(scene.doors)
        assert {figure.figure.kind for figure in scene.figures} <= scene.looks.keys()


def test_a_third_of_the_cameras_look_straight_down(scenes: list[Scene]) -> None:
    assert 0.15 < np.mean([scene.around[0] <= 7 for scene in scenes]) < 0.5


def test_oblique_pieces_have_no_rims_and_lean_far(tiles: PrintedTiles) -> None:
    for seed in range(6):
        scene = varied_scene(seed, "easy", tiles, doors=(0, 4), oblique_pieces=True)
        assert {figure.ring for figure in scene.roster.figures} == {None}
        assert {look.paints for look in scene.looks.values()} == {()}
        assert 25 <= scene.around[0] <= 55
        assert scene.view.lens.width_px >= 1920


def test_many_doors_stand_end_to_end_and_where_tiles_meet(scenes: list[Scene]) -> None:
    met, at_seams, count = 0, 0, 0
    for scene in scenes:
        parts = [tile.lattice_cells(scene.printed.tile_set.side(tile.id).cells) for tile in scene.tiles]
        for door in scene.doors:
            count += 1
            at_seams += not any(set(door.edge.cells) <= part for part in parts)
            met += any({*door.edge} & {*other.edge} for other in scene.doors if other is not door)
    assert 0.2 < met / count < 0.7
    assert at_seams / count > 0.15  # few seams of these tiles have no printed line


def test_rings_reach_from_pale_to_dark_and_share_hues(scenes: list[Scene]) -> None:
    values = np.array([light_from_hex(f.ring) for scene in scenes for f in scene.roster.figures if f.ring])
    brightest, spread = values.max(axis=1), values.max(axis=1) - values.min(axis=1)
    assert (brightest < 0.12).mean() > 0.03
    assert (spread / brightest < 0.5).mean() > 0.05
    rims = [look.rim_mm for scene in scenes for look in scene.looks.values()]
    assert min(rims) < 1.1
    assert max(rims) > 2.0


def test_a_misprint_changes_colors_and_keeps_the_picture() -> None:
    picture = np.random.default_rng(0).integers(0, 255, (40, 40, 3)).astype(np.uint8)
    printed = Misprint(1.2, (0.9, 1.0, 1.1), 0.2, 0.05, 0.0).of(picture, 40)
    assert np.abs(printed.astype(int) - picture).mean() > 4
    assert np.corrcoef(printed.ravel(), picture.ravel())[0, 1] > 0.95
    assert np.array_equal(Misprint(1.0, (1.0, 1.0, 1.0), 0.0, 0.0, 0.0).of(picture, 40), picture)


def test_other_colors_leave_the_outline_of_a_tile(tiles: PrintedTiles) -> None:
    changed = recolored(np.random.default_rng(1), tiles)
    for name, image in tiles.images.items():
        assert np.array_equal(changed.images[name][..., 3], image[..., 3])
        assert (changed.images[name][..., :3][image[..., 3] == 0] == 0).all()
    assert any((changed.images[name] != image).any() for name, image in tiles.images.items())


@pytest.mark.parametrize("name", sorted(CLOTHS))
def test_cloths_are_light_that_a_cloth_can_give_back(name: str) -> None:
    cloth = CLOTHS[name](np.random.default_rng(2))
    assert cloth.shape[2] == 3
    assert 0 <= cloth.min() < cloth.max() <= 1
    assert cloth.std() > 0.01


def test_sharpening_steepens_edges_and_leaves_what_is_even() -> None:
    step = np.full((20, 20, 3), 80, np.uint8)
    step[:, 10:] = 160
    drawn = sharpened(step, 0.8)
    assert (drawn[:, :5] == 80).all()
    assert drawn[:, 9].max() < 80
    assert drawn[:, 10].min() > 160


def test_an_overexposed_photo_is_cut_off_at_white(
    small_scene: Scene, small_photo: tuple[Renderer, NDArray[np.uint8]]
) -> None:
    renderer, before = small_photo
    lens = small_scene.view.lens
    light = renderer.picture(Region(0, 0, lens.width_px, lens.height_px, 2))
    look = replace(small_scene.camera, overexposure=1.5)
    after = photograph(light, look, np.random.default_rng(1))
    assert np.array_equal(after, np.minimum(before * np.float32(1.5) + 0.5, 255).astype(np.uint8))


def test_gloss_veil_and_bounce_only_add_light_to_the_board(scene_of: Callable[..., Scene]) -> None:
    scene = scene_of(5, "normal")
    region = Region(880, 480, 160, 120)
    pictures = []
    for finish in (
        replace(scene.finish, gloss=(0.0, 30.0)),
        replace(scene.finish, gloss=(0.6, 20.0), veil=0.06, bounce=0.4),
    ):
        changed = replace(scene, finish=finish)
        pictures.append(Renderer(build_stage(changed), changed.view).picture(region))
    assert (pictures[1] >= pictures[0] - 1e-6).all()
    assert (pictures[1] - pictures[0]).mean() > 1e-3
