"""The ruler on a picture: the distance, and the error of a finger that is one pixel off."""

import math

import numpy as np
import pytest

from assistant.app.live.free_measures import measure_between
from assistant.errors import BadValue


class FromTheSide:
    """A camera with pixels half a millimetre wide and two deep. There is no table beyond row 1000."""

    def table_from_image(self, pixels):
        places = np.asarray(pixels, dtype=float) * (0.5, 2.0)
        return np.where(places[:, 1:] > 2000, np.inf, places)


def test_what_it_may_be_out_by_is_along_the_way_that_is_measured():
    across = measure_between(FromTheSide(), (100, 100), (300, 100), 50.0)
    along = measure_between(FromTheSide(), (100, 100), (100, 150), 50.0)
    assert (across.length_mm, along.length_mm, across.steps) == (100, 100, 2)
    assert across.error_mm == pytest.approx(math.hypot(0.5, 0.5))
    assert along.error_mm == pytest.approx(math.hypot(2, 2))


def test_no_length_at_all_may_be_out_by_the_longest_pixel():
    nothing = measure_between(FromTheSide(), (100, 100), (100, 100), 50.0)
    assert (nothing.length_mm, nothing.error_mm) == (0, pytest.approx(math.hypot(2, 2)))


def test_a_point_beside_the_table_is_refused():
    with pytest.raises(BadValue, match="tap on the table"):
        measure_between(FromTheSide(), (100, 100), (100, 1500), 50.0)
