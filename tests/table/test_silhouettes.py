"""Stretches of a drawn line that bodies hide, on a picture whose geometry is known by hand."""

from __future__ import annotations

import pytest

from assistant.table.silhouettes import find_hidden, list_faces


def from_front(points, height):
    """Return a camera far in front and above: a millimetre up is a pixel up, a millimetre back half a pixel up."""
    return [(x, 200 - y / 2 - height) for x, y in points]


BOX = [(40.0, 100.0), (60.0, 100.0), (60.0, 120.0), (40.0, 120.0)]


@pytest.mark.parametrize(
    ("back", "hidden"),
    [
        (110.0, [(0.4, 0.6)]),  # under the box
        (150.0, [(0.4, 0.6)]),  # behind it, and the picture hides the line
        (200.0, []),  # far behind: seen over its top
        (90.0, []),  # in front of it
    ],
)
def test_a_line_is_hidden_under_and_behind_a_box_and_nowhere_else(back, hidden):
    faces = list(list_faces(from_front, BOX, 0.0, 20.0))
    start, end = from_front([(0.0, back), (100.0, back)], 0.0)
    found = find_hidden(start, end, faces)
    assert [pytest.approx(stretch) for stretch in hidden] == found


def test_stretches_behind_two_bodies_that_overlap_in_the_picture_are_one():
    other = [(x + 15.0, y + 5.0) for x, y in BOX]
    faces = [*list_faces(from_front, BOX, 0.0, 20.0), *list_faces(from_front, other, 0.0, 20.0)]
    start, end = from_front([(0.0, 112.0), (100.0, 112.0)], 0.0)
    assert find_hidden(start, end, faces) == [pytest.approx((0.4, 0.75))]


def test_a_dent_in_the_top_of_a_body_hides_nothing():
    dented = [
        (0.0, 0.0),
        (100.0, 0.0),
        (100.0, 50.0),
        (60.0, 50.0),
        (60.0, 20.0),
        (40.0, 20.0),
        (40.0, 50.0),
        (0.0, 50.0),
    ]
    flat = [tuple(dented)]
    assert find_hidden((-100.0, 40.0), (200.0, 40.0), flat) == [
        pytest.approx((1 / 3, 140 / 300)),
        pytest.approx((160 / 300, 200 / 300)),
    ]
