"""Forms: sculpts of one colour told apart by their shape, from other sides and in other light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.color import gamma_from_light, light_from_gamma
from vision.evidence.figure_views import ViewPoints, is_on_figure, points_of, view_of
from vision.evidence.forms import form_likeness, form_of, form_picture
from vision.training.form_views import random_view
from vision.training.sculpts import random_sculpt

SCULPTS, TAUGHT, ASKED = range(70_000, 70_012), 3, 3
"""Sculpts that no fit has seen."""


@pytest.fixture(scope="module")
def views() -> list[list[ViewPoints]]:
    """Six views of each sculpt, beside nobody in particular and in paints of their own."""
    bodies = [random_sculpt(seed) for seed in SCULPTS]
    rng = np.random.default_rng(5)
    return [[random_view(rng, body, bodies[:1]) for _ in range(TAUGHT + ASKED)] for body in bodies]


def test_a_figure_is_more_like_its_own_kind_than_like_others_whatever_its_paint(views: list[list[ViewPoints]]) -> None:
    taught = [np.stack([form_of(view) for view in seen[:TAUGHT]]) for seen in views]
    more = []
    for number, seen in enumerate(views):
        for view in seen[TAUGHT:]:
            form = form_of(view)
            likeness = [form_likeness(form, one) for one in taught]
            more += [likeness[number] > other for kind, other in enumerate(likeness) if kind != number]
    assert np.mean(more) > 0.7, "one half by chance; many views are out of focus or have another figure before them"


def test_a_form_hardly_changes_in_light_that_is_off_by_a_quarter(views: list[list[ViewPoints]]) -> None:
    for seen in views:
        light = light_from_gamma(seen[0].bgr) * np.array([0.8, 1.0, 1.25])
        tinted = replace(seen[0], bgr=gamma_from_light(np.asarray(light[None], np.float32))[0])
        apart = [float(form_of(seen[0]) @ form_of(other[0])) for other in views if other is not seen]
        assert float(form_of(seen[0]) @ form_of(tinted)) > max(apart)


def test_a_stored_view_has_the_form_of_the_whole_cut(views: list[list[ViewPoints]]) -> None:
    likeness = [float(form_of(seen[0]) @ form_of(points_of(view_of(seen[0])))) for seen in views]
    assert np.median(likeness) > 0.8


def test_a_low_view_is_as_sharp_as_a_high_one() -> None:
    across, up = (axis.ravel() for axis in np.meshgrid(np.arange(-1.2, 1.2, 1 / 14), np.arange(-1.3, 6, 1 / 14)))
    checks = ((np.floor(across / 0.3) + np.floor(up / 0.3)) % 2 * 255).astype(np.uint8)
    contrast = []
    for tilt_deg in (10.0, 50.0):
        points = ViewPoints(across, up, np.repeat(checks[:, None], 3, axis=1), tilt_deg)
        picture = np.abs(form_picture(points.chosen(is_on_figure(across, up, tilt_deg, 5.5))))
        contrast.append(float(np.median(picture[picture > 0]) / picture.max()))
    assert contrast[0] > 0.85 * contrast[1], "a whole cut from above once counted as sparse, and was blurred"


def test_a_view_without_points_has_an_empty_picture(views: list[list[ViewPoints]]) -> None:
    nothing = views[0][0].chosen(np.zeros(len(views[0][0].across), bool))
    assert not form_picture(nothing).any()
    assert np.linalg.norm(form_of(nothing)) == pytest.approx(1)
