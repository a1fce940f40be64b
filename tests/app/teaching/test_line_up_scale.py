"""A taught tile beside a line-up gives the figures' sizes, and is not one of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from loose_box import lay_out_loosely, loose_scene, random_box

from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.app.teaching.line_ups import read_line_up
from assistant.errors import NoTiles
from assistant.table.camera import NO_MARKERS
from tests.line_ups import BASES_MM, LOOKS, line_up
from vision.photo.decoding import decode_photo
from vision.simulation.camera_view import Around, RenderCamera, lens_of_width
from vision.simulation.dataset import take_photo
from vision.simulation.scene import PlacedFigure, PlacedTile
from vision.teaching.tile_sets import TaughtSide
from vision.tiles import print_view
from vision.tiles.prints import prints_from_images

TILE = "02A"
VIEW = RenderCamera.looking_at(lens_of_width(1600, 1200, 1232.0, -0.02, 0.0), (50.0, 50.0), Around(430.0, 30.0, 96.0))
PLACES_MM = [(-70.0, -40.0), (-10.0, -40.0), (50.0, -40.0), (110.0, -40.0), (170.0, -40.0), (-70.0, 140.0)]


@pytest.fixture(scope="module")
def box():
    return random_box(7, 3)


@pytest.fixture(scope="module")
def photo(box):
    """A tile of four by four cells on felt, and six figures round it."""
    layout = lay_out_loosely(np.random.default_rng(3), box, box.tiles, ("token",))
    figures = tuple(
        PlacedFigure(figure, ((40, 40),), place, 0.0, 40.0 * number, number)
        for number, (figure, place) in enumerate(zip(line_up().roster.figures, PLACES_MM, strict=True))
    )
    scene = loose_scene(33, box, layout, "A", "felt", photo_wh=(1600, 1200))
    scene = replace(scene, tiles=(PlacedTile(TILE, 0, (0, 0)),), figures=figures, looks=LOOKS, view=VIEW)
    return take_photo(replace(scene, clutter=(replace(layout.flats[0], center_mm=(900.0, 0.0)),)))[0]


def test_a_taught_tile_beside_the_figures_gives_their_sizes(box, photo, tmp_path):
    games, table = TaughtGames(tmp_path), TeachingTable(NO_MARKERS, None)
    sides = [box.printed.tile_set.side(name) for name in ("01A", TILE, "03B")]
    taught = [TaughtSide(side, np.ascontiguousarray(box.printed.images[side.id][:, :, :3])) for side in sides]
    games.keep_sides("home", taught, table, may_replace=False)

    seen = read_line_up(photo, table, (games.profiles.path("tiles", "home"),))

    assert seen.is_scaled
    assert [thing.kind for thing in seen.things].count("figure") == 6
    widths = sorted(thing.bases[0].base_mm for thing in seen.things if thing.kind == "figure")
    assert widths == pytest.approx(sorted(3 * list(BASES_MM.values())), abs=3.0)


def test_without_a_taught_tile_one_base_has_to_be_known(photo):
    assert not read_line_up(photo, TeachingTable(NO_MARKERS, None)).is_scaled


def prints_of(box, *names):
    sides = tuple(box.printed.tile_set.side(name) for name in names)
    return prints_from_images(replace(box.printed.tile_set, sides=sides), [box.printed.images[name] for name in names])


def test_a_lone_tile_with_few_votes_counts_by_its_whole_picture_and_gives_the_right_pose(box, photo, monkeypatch):
    monkeypatch.setattr(print_view, "LONE_VOTES", math.inf)
    image = decode_photo(photo)

    found = print_view.view_by_prints(image, prints_of(box, "01A", TILE, "03B"), None).view

    assert found.tiles_seen == (TILE,)
    pixels = VIEW.project(np.array([[*place, 4.0] for place in PLACES_MM]))
    seen = found.table_from_image(pixels, 4.0)
    apart, true = (np.linalg.norm(np.diff(points, axis=0), axis=1) for points in (seen, np.array(PLACES_MM)))
    assert apart == pytest.approx(true, rel=0.03)


def test_a_lone_tile_with_few_votes_of_another_picture_is_refused(box, photo, monkeypatch):
    monkeypatch.setattr(print_view, "LONE_VOTES", math.inf)
    with pytest.raises(NoTiles):
        print_view.view_by_prints(decode_photo(photo), prints_of(box, "01A", "01B", "03A", "03B"), None)
