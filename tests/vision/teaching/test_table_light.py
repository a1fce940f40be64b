"""The falloff of light over a table, measured on the table."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.color import gamma_from_light
from calibration.pose import pinhole, view_at
from vision.photo.paper_light import PaperLight
from vision.teaching.table_light import fall_on_table, with_fall

LAMP_AT_THE_LEFT = np.exp(np.linspace(0.5, -1.0, 800))[None, :, None]
THING = np.array([[300.0, 200.0], [420.0, 200.0], [420.0, 330.0], [300.0, 330.0]])


def test_light_of_a_tile_at_the_rim_holds_for_figures_in_the_lamp():
    checks = np.kron(np.indices((15, 20)).sum(axis=0) % 2, np.ones((40, 40)))
    linear = (0.15 + 0.1 * checks)[:, :, None] * LAMP_AT_THE_LEFT * (0.9, 1.0, 1.1)
    linear[200:330, 300:420] = 0.01
    photo = gamma_from_light(linear.astype(np.float32))
    view = view_at(pinhole((800, 600), 0.8), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 640.0]))
    tile_px, figures_px = np.array([[720.0, 300.0]]), np.array([[100.0, 150.0], [360.0, 265.0], [500.0, 450.0]])
    (tile,), figures = view.table_from_image(tile_px), view.table_from_image(figures_px)
    at_tile = 0.4 * float(LAMP_AT_THE_LEFT[0, 720, 0])
    even = PaperLight(np.ones(3), np.array([np.log(at_tile), 0.0, 0.0]), 0)

    fall = fall_on_table(photo, [THING])
    assert fall is not None
    light = with_fall(even, fall, view, tuple(tile.tolist()), figures)
    assert light.brightness_at(tile[None])[0] == pytest.approx(at_tile)
    expected = 0.4 * LAMP_AT_THE_LEFT[0, figures_px[:, 0].astype(int), 0]
    assert light.brightness_at(figures) == pytest.approx(expected, rel=0.12)
    assert even.brightness_at(figures) != pytest.approx(expected, rel=0.4)


def test_where_no_table_is_in_sight_nothing_falls_off():
    whole = np.array([[-9.0, -9.0], [110.0, -9.0], [110.0, 90.0], [-9.0, 90.0]])
    assert fall_on_table(np.zeros((80, 100, 3), np.uint8), [whole]) is None
