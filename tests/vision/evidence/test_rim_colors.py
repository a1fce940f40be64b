"""Rims of one photo share its light: sure ones decide between neighbours in colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.color import gamma_from_light
from vision.evidence.rim_colors import (
    AXES,
    FLOOR,
    ColorBend,
    RimModel,
    RimPlace,
    bend_of_photo,
    bend_terms,
    colors_along_axes,
    rim_evidence,
    rim_model,
    weigh_rims,
)
from vision.evidence.ring_strips import ANGLES, INSETS

SURE = ("#33b27a", "#3f7fd0", "#d9c23a", "#e21453")
NEIGHBORS = (("#575f5b", "#4e4512"), ("#818091", "#aa629b"), ("#5f3074", "#7b7af6"))
"""Pairs of rings of one box that the network mistook on ray-traced tables, the true one first."""

ROSTER = (*NEIGHBORS[0], *SURE)
RIM_ROWS = slice(7, 9)


def strip_of(color: str, *, brighter: float = 0.0) -> np.ndarray:
    """Return a strip of a grey floor with a rim as photos usually show its colour, or brighter, as a logarithm."""
    strip = np.full((INSETS, ANGLES, 3), 110, dtype=np.uint8)
    known, model = colors_along_axes([color]), rim_model()
    seen = np.hstack(
        [bend_terms(known[:, :1]) @ model.brightness.mean + brighter, bend_terms(known[:, 1:]) @ model.color.mean]
    )
    strip[RIM_ROWS] = gamma_from_light((np.exp(seen @ AXES) - FLOOR)[None])[0]
    return strip


def place(color: str, colors: Sequence[str], log_odds: Sequence[float], *, brighter: float = 0.0) -> RimPlace:
    count = len(log_odds)
    return RimPlace([strip_of(color, brighter=brighter)] * count, [True] * count, colors[:count], np.array(log_odds))


def sure(color: str, *, brighter: float = 0.0) -> RimPlace:
    return place(color, ROSTER, [9.0 if one == color else -3.0 for one in ROSTER], brighter=brighter)


@pytest.mark.parametrize("brighter", [-0.2, 0.0, 0.2])
@pytest.mark.parametrize(("true", "neighbor"), NEIGHBORS)
def test_a_ring_is_not_taken_for_its_neighbor_in_color(true: str, neighbor: str, brighter: float) -> None:
    """The network slightly prefers the neighbour, beside sure rims in the same light."""
    doubtful = place(true, (true, neighbor, *SURE), [3.0, 3.5, -6.0, -6.0, -6.0, -6.0], brighter=brighter)
    weighed = weigh_rims([doubtful, *(sure(color, brighter=brighter) for color in SURE)])[0]
    assert weighed.argmax() == 0


def test_a_rim_that_hardly_shows_tells_colors_apart_less() -> None:
    def lead(columns: int) -> float:
        strip = np.full((INSETS, ANGLES, 3), 110, dtype=np.uint8)
        strip[:, :columns] = strip_of(SURE[0])[:, :columns]
        density = rim_evidence([RimPlace([strip] * 2, [True] * 2, SURE[:2], np.zeros(2))], rim_model())[0][:, 0]
        return float(density[0] - density[1])

    assert 0 < lead(ANGLES // 6) < lead(ANGLES)


def test_the_chance_of_any_ring_stays_the_networks() -> None:
    places = [sure(SURE[0]), place(ROSTER[0], ROSTER, [1.0, 4.6, -2.0, -3.0, -1.0])]
    for one, weighed in zip(places, weigh_rims(places), strict=True):
        assert np.logaddexp.reduce(weighed) == pytest.approx(np.logaddexp.reduce(one.log_odds))


def test_a_lone_candidate_keeps_its_odds() -> None:
    [weighed] = weigh_rims([place(SURE[0], ROSTER, [2.5])])
    assert weighed.tolist() == pytest.approx([2.5])


def test_no_place_gives_no_odds() -> None:
    assert weigh_rims([]) == []


def test_a_photo_without_rims_has_the_usual_bend() -> None:
    bend = rim_model().color
    mean, covariance = bend_of_photo(bend, bend_terms(np.zeros((0, 2))), np.zeros((0, 2)), np.zeros(0))
    assert mean == pytest.approx(bend.mean)
    assert covariance == pytest.approx(bend.covariance)


def test_one_rim_far_from_all_others_hardly_bends_the_photo() -> None:
    bend = ColorBend(np.array([0.0, 1.0]), np.diag([0.1, 0.01]), 0.01)
    colors = np.linspace(-2, 0, 7)[:, None]
    seen = colors + 0.3
    plain, _ = bend_of_photo(bend, bend_terms(colors), seen, np.ones(7))
    seen[3] += 2.0
    off, _ = bend_of_photo(bend, bend_terms(colors), seen, np.ones(7))
    assert plain[0] == pytest.approx(0.3, abs=0.05)
    assert off == pytest.approx(plain, abs=0.1)


def test_weights_of_the_network_alone_change_nothing() -> None:
    model = RimModel(rim_model().brightness, rim_model().color, np.array([1.0, 0.0, 0.0, 0.0]))
    doubtful = place(ROSTER[0], ROSTER, [1.0, 4.6, -2.0, -3.0, -1.0])
    [weighed] = weigh_rims([doubtful], model)
    assert weighed == pytest.approx(doubtful.log_odds)


def test_rings_are_equally_likely_where_a_photo_shows_no_colors() -> None:
    places = [sure(SURE[0]), place(ROSTER[0], ROSTER, [1.0, 4.6, -2.0, -3.0, -1.0])]
    for one, weighed in zip(places, weigh_rims(places, color_evidence=0.0), strict=True):
        assert weighed == pytest.approx(np.full(len(weighed), weighed[0]))
        assert np.logaddexp.reduce(weighed) == pytest.approx(np.logaddexp.reduce(one.log_odds))
