"""A table from a camera: figures that nearly touch are in contact, exactly, and no others move."""

import math
from fractions import Fraction

import pytest

from assistant.rules.free_distance import is_in_contact
from assistant.table.free_sighting import CONTACT_MM, settled_table
from tests.rules.free_tables import figure, table

SHOWN = table(figure("a", 100, 100), figure("b", 125, 100, "raiders"), figure("c", 300, 300))


def _seen(gap_mm: float) -> dict[str, tuple[float, float]]:
    angle = 0.7
    apart = 25 + gap_mm
    return {"a": (100.0, 100.0), "b": (100 + apart * math.cos(angle), 100 + apart * math.sin(angle)), "c": (300, 301)}


@pytest.mark.parametrize("gap_mm", [-0.6, -0.1, 0.0, 0.2, CONTACT_MM - 0.01])
def test_bases_that_nearly_touch_touch_exactly(gap_mm):
    settled = settled_table(SHOWN, _seen(gap_mm))
    a, b = settled.figure("a"), settled.figure("b")
    assert is_in_contact(a, b)
    apart = math.dist([float(v) for v in a.center_mm], [float(v) for v in b.center_mm])
    assert apart == pytest.approx(25, abs=0.05)
    middle = [float(p + q) / 2 for p, q in zip(a.center_mm, b.center_mm, strict=True)]
    wanted = [sum(v) / 2 for v in zip(*(_seen(gap_mm)[name] for name in "ab"), strict=True)]
    assert middle == pytest.approx(wanted, abs=0.03)


@pytest.mark.parametrize("gap_mm", [CONTACT_MM + 0.02, 1.5, 4.0])
def test_bases_further_apart_stay_where_they_were_seen(gap_mm):
    settled = settled_table(SHOWN, _seen(gap_mm))
    assert not is_in_contact(settled.figure("a"), settled.figure("b"))
    assert settled.figure("c").center_mm == (Fraction(300), Fraction(301))


def test_who_stands_above_another_is_not_drawn_to_him():
    high = table(figure("a", 100, 100), figure("b", 125, 100, "raiders", elevation=60))
    settled = settled_table(high, {"a": (100.0, 100.0), "b": (125.3, 100.0)})
    assert float(settled.figure("b").center_mm[0]) == pytest.approx(125.3)


def test_three_in_a_row_all_touch():
    row = table(figure("a", 0, 0), figure("b", 25, 0, "raiders"), figure("c", 50, 0))
    settled = settled_table(row, {"a": (0.3, 0.2), "b": (25.1, -0.2), "c": (50.5, 0.1)})
    a, b, c = (settled.figure(name) for name in "abc")
    assert is_in_contact(a, b)
    assert is_in_contact(b, c)
    assert not is_in_contact(a, c)
