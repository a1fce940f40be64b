"""Tiles of a box in one light, whatever the light of their photos."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.color import gamma_from_light, light_from_gamma
from vision.teaching.box_light import in_common_light, lights_of_pictures
from vision.teaching.tile_reading import SIDE_PX, TileReading

CELLS = frozenset({(0, 0), (1, 0), (0, 1), (1, 1)})
PLACES = ((60, 60), (600, 60), (60, 500), (600, 500))
WARM, DIM_AND_COLD = (0.55, 0.8, 1.1), (0.42, 0.35, 0.28)


def floor(number):
    """Return a print of two by two cells in linear light, grey, brown or green, with its own pattern."""
    rng = np.random.default_rng(number)
    color = ((0.3, 0.3, 0.3), (0.18, 0.25, 0.36), (0.22, 0.36, 0.24), (0.3, 0.3, 0.3))[number]
    spots = np.kron(rng.uniform(0.6, 1.4, (8, 8, 1)), np.ones((SIDE_PX // 4, SIDE_PX // 4, 1)))
    return np.clip(np.array(color) * spots, 0, 1)


def photo_of(light_bgr, falls_to, numbers=range(4)):
    """Return a table of 1000 by 750 pixels with tiles, darker towards its right side, and a reader's tiles."""
    linear = np.full((750, 1000, 3), 0.3)
    tiles = []
    for number in numbers:
        x, y = PLACES[number]
        linear[y : y + 2 * SIDE_PX, x : x + 2 * SIDE_PX] = floor(number)
    fall = np.exp(np.linspace(0, np.log(falls_to), 1000))[None, :, None]
    photo = gamma_from_light((linear * fall * light_bgr).astype(np.float32))
    for number in numbers:
        x, y = PLACES[number]
        side = 2 * SIDE_PX
        reading = TileReading(photo[y : y + side, x : x + side], CELLS, {}, {}, {}, frozenset(), {}, {})
        tiles.append((reading, np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], float)))
    outlines = [corners for _, corners in tiles]
    lights = lights_of_pictures(photo, outlines, tiles)
    return [(reading, light) for (reading, _), light in zip(tiles, lights, strict=True)]


def light_on(reading, number):
    """Photo by print, as a mean over the tile."""
    return light_from_gamma(reading.image).mean(axis=(0, 1)) / floor(number).mean(axis=(0, 1))


def test_taught_prints_have_one_light_though_their_photos_had_two():
    both = [*photo_of(WARM, 0.4), *photo_of(DIM_AND_COLD, 0.8)]
    before, after = (
        np.log([light_on(reading, index % 4) for index, reading in enumerate(readings)]).std(axis=0).max()
        for readings in ([reading for reading, _ in both], in_common_light(both))
    )
    assert before > 0.4
    assert after < before / 4


def test_light_that_falls_off_within_a_tile_is_even_after():
    (reading, light), *others = photo_of(WARM, 0.2, (1, 2, 3))
    lit = in_common_light([(reading, light), *others])[0]
    left, right = (light_from_gamma(lit.image)[:, part] for part in (np.s_[:SIDE_PX], np.s_[SIDE_PX:]))
    printed_left, printed_right = (floor(1)[:, part] for part in (np.s_[:SIDE_PX], np.s_[SIDE_PX:]))
    ratio = (left.mean() / printed_left.mean()) / (right.mean() / printed_right.mean())
    assert ratio == pytest.approx(1.0, abs=0.05)


def test_a_tile_alone_in_its_photo_keeps_half_of_its_own_color():
    alone = photo_of((1.0, 1.0, 1.0), 1.0, (2,))
    others = photo_of((1.0, 1.0, 1.0), 1.0, (0, 1, 3))
    before, after = (
        light_from_gamma(r.image).mean(axis=(0, 1)) for r in (alone[0][0], in_common_light([*alone, *others])[0])
    )
    green_before, green_after = (np.log(color[1] / color[2]) for color in (before, after))
    assert 0.2 * green_before < green_after < 0.9 * green_before


def test_a_reading_on_fewer_cells_keeps_the_light_of_its_place():
    (_, light), *_ = photo_of(WARM, 0.2)
    places = np.array([[0.5, 0.5], [2.0, 1.0]])
    assert light.moved((1, 2)).fall_at(places) == pytest.approx(light.fall_at(places + np.array([1, 2])))


def test_tiles_of_unknown_light_stay_as_they_are():
    (reading, _), *_ = photo_of(WARM, 1.0)
    assert in_common_light([(reading, None)]) == [reading]
    assert lights_of_pictures(np.zeros((75, 100, 3), np.uint8), [], []) == []
