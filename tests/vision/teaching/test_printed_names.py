"""Reading the names printed on tiles from their close-ups."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.teaching.printed_names import CLOSE_PX, CharacterBox, close_up, find_regions, overlaps, read_texts, turned
from vision.training.character_samples import ART_PX, Ink, draw_text

SQUARE = frozenset({(0, 0), (1, 0), (0, 1), (1, 1)})
CELL_MM = 25.4
WHITE = Ink(None, 4.5, (235, 240, 240), None, None)
"""White digits of Pillow's own font, which is in no fit."""


def art(level=70):
    """Return a floor of boards with grain."""
    rng = np.random.default_rng(3)
    floor = np.full((2 * ART_PX, 2 * ART_PX, 3), level, np.uint8)
    floor[:: ART_PX // 4] = level // 2
    return np.clip(floor + cv2.GaussianBlur(rng.normal(0, 30, floor.shape), (0, 0), 4), 0, 255).astype(np.uint8)


def photo_of(picture, px=110):
    """Return a photo of a tile on a table, and its corners there."""
    side = 2 * px
    photo = np.full((side + 80, side + 80, 3), 140, np.uint8)
    photo[40:-40, 40:-40] = cv2.resize(
        cv2.GaussianBlur(picture, (0, 0), 1.0), (side, side), interpolation=cv2.INTER_AREA
    )
    low, high = 39.5, side + 39.5
    return photo, np.array([[low, low], [high, low], [high, high], [low, high]])


def read(picture, px=110):
    photo, corners = photo_of(picture, px)
    return max(read_texts(photo, corners, SQUARE), key=lambda one: one.chance, default=None)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("name", ["12A", "03B", "47"])
def test_a_name_is_read_in_every_quarter_turn(turns, name):
    picture = np.ascontiguousarray(np.rot90(art(), -turns))
    draw_text(picture, name, WHITE, (9.0, 46.0), 0, CELL_MM)
    found = read(np.rot90(picture, turns))
    assert found.text == name
    assert not found.is_dark
    assert found.height_cells * CELL_MM == pytest.approx(4.5, abs=0.7)
    assert np.array(found.place) * CELL_MM == pytest.approx([9.0, 46.0 - CELL_MM], abs=1.2)


def test_a_dark_name_on_a_light_floor_is_read():
    picture = art(200)
    draw_text(picture, "28", Ink(None, 5.0, (20, 20, 20), None, None), (40.0, 8.0), 0, CELL_MM)
    found = read(picture)
    assert (found.text, found.is_dark) == ("28", True)


def test_a_word_and_a_long_number_are_no_names():
    picture = art()
    draw_text(picture, "EXTRA", WHITE, (14.0, 46.0), 0, CELL_MM)
    draw_text(picture, "482057", WHITE, (16.0, 5.0), 0, CELL_MM)
    found = read(picture)
    assert found is None or found.chance < 0.3


def test_a_photo_from_afar_shows_no_name():
    picture = art()
    draw_text(picture, "12A", WHITE, (9.0, 46.0), 0, CELL_MM)
    assert read(picture, px=50) is None


def test_a_bare_floor_holds_no_name():
    found = read(art())
    assert found is None or found.chance < 0.3


def test_regions_far_from_the_outline_are_left_out():
    cells = frozenset((column, row) for column in range(5) for row in range(5))
    image = np.full((5 * CLOSE_PX, 5 * CLOSE_PX), 60, np.uint8)
    for middle in (2.5, 0.3):
        at = round(middle * CLOSE_PX)
        image[at - 12 : at + 12, at - 6 : at + 6] = 220
    assert [(one.left, one.top) for one in find_regions(image, cells)] == [(37, 31)]


def test_a_turned_region_lies_where_it_is_in_the_turned_picture():
    image = np.zeros((40, 60), np.uint8)
    image[5:15, 20:26] = 1
    region = CharacterBox(20, 5, 6, 10, is_dark=False)
    for turns in range(4):
        rows, columns = np.nonzero(np.rot90(image, turns))
        box = turned(region, (60, 40), turns)
        assert box[:4] == (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)


def test_the_overlap_of_boxes_is_a_share_of_both():
    boxes = np.array([[0, 0, 10, 10, 0], [5, 0, 10, 10, 0], [20, 0, 10, 10, 0]], float)
    assert overlaps(CharacterBox(0, 0, 10, 10, is_dark=False), boxes) == pytest.approx([1, 1 / 3, 0])


def test_a_close_up_shows_each_cell_at_one_scale():
    photo, corners = photo_of(art())
    assert close_up(photo, corners, (2, 2)).shape == (2 * CLOSE_PX, 2 * CLOSE_PX)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_blank_or_blown_out_tile_has_no_regions(level):
    blank = np.full((2 * CLOSE_PX, 2 * CLOSE_PX), level, np.uint8)
    assert find_regions(blank, SQUARE) == []
