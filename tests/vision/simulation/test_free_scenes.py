"""Simulated tables without a grid: the files beside the tests equal the seed's results."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.photo.decoding import decode_photo
from vision.simulation.dataset import write_free_scene
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_placing import card_picture, inside_mm, reach_of

SMALL_WH = (480, 270)


@pytest.fixture(scope="module")
def scene():
    return random_free_scene(8002)


@pytest.fixture(scope="module")
def written(scene, tmp_path_factory):
    """The same table through a camera with few pixels."""
    base = tmp_path_factory.mktemp("free")
    small = replace(scene, view=replace(scene.view, lens=scene.view.lens.scaled_to(*SMALL_WH)))
    entry = write_free_scene(base, small)
    return {field: base / name for field, name in entry.items()}


@pytest.mark.parametrize("name", ["table", "roster", "free_table", "truth"])
def test_the_documents_are_those_of_the_seed(written, golden, name):
    kept = golden / "scenes" / "free-8002" / written[name].name
    assert json.loads(written[name].read_bytes()) == json.loads(kept.read_bytes())


def test_the_photo_is_the_one_of_the_seed(written, golden):
    kept = decode_photo((golden / "scenes" / "free-8002" / "photo.jpg").read_bytes())
    small = decode_photo(written["photo"].read_bytes())
    shrunk = cv2.resize(kept, SMALL_WH, interpolation=cv2.INTER_AREA)
    assert np.median(np.abs(small.astype(int) - shrunk)) < 8
    assert (
        np.corrcoef(cv2.GaussianBlur(small, (0, 0), 2).ravel(), cv2.GaussianBlur(shrunk, (0, 0), 2).ravel())[0, 1]
        > 0.97
    )


@pytest.fixture(scope="module")
def scenes():
    return [random_free_scene(seed) for seed in range(53_000, 53_010)]


def test_cards_lie_on_half_of_the_tables_and_under_nobody(scenes):
    with_cards = [scene for scene in scenes if scene.cards]
    assert 2 <= len(with_cards) <= 8
    for scene in with_cards:
        for card in scene.cards:
            reach = math.hypot(*card.size_mm) / 2
            assert all(math.dist(card.center_mm, m.center_mm) > reach + reach_of(m.figure) for m in scene.figures)


def test_printed_rings_are_as_wide_and_as_coloured_as_rims_of_the_box(scenes):
    card = next(card for scene in scenes for card in scene.cards if card.rings)
    ring = card.rings[0]
    picture = card_picture(card, 3.0)
    height, width = picture.shape[:2]
    on_ring = picture[height // 2, round(width / 2 + 3 * (ring.radius_mm - ring.width_mm / 2)), :3]
    assert on_ring == pytest.approx(ring.color, abs=0.05)
    assert picture[3, 3, :3] == pytest.approx(card.paper, abs=0.01)


def test_nobody_stands_in_the_air(scenes):
    for scene in scenes:
        tops = [piece for piece in scene.terrain if piece.kind == "wall"]
        for model in (model for model in scene.figures if model.elevation_mm > 0):
            assert any(
                float(piece.height_mm) == model.elevation_mm and inside_mm(model.center_mm, piece) > 0 for piece in tops
            )
