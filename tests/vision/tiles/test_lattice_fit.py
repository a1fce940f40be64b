"""Angles, names and origins of the lattice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.tiles.lattice_fit import Lattice, normalize_lattice, relabel
from vision.tiles.placements import cells_of, moved_to, pose_of

CELLS = st.frozensets(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=12)


@given(CELLS, st.floats(-360, 720, allow_nan=False), st.floats(-500, 500), st.floats(-500, 500))
def test_a_normalised_lattice_leaves_every_cell_where_it_is(
    cells: frozenset[tuple[int, int]], angle_deg: float, x_mm: float, y_mm: float
) -> None:
    lattice = Lattice((x_mm, y_mm), angle_deg, 25.4)
    other, change = normalize_lattice(lattice, cells)
    assert 0 <= other.angle_deg < 90 or other.angle_deg == pytest.approx(90)
    renamed = [relabel(cell, change) for cell in sorted(cells)]
    before = lattice.table_from_lattice(np.array(sorted(cells)) + 0.5)
    assert other.table_from_lattice(np.array(renamed) + 0.5) == pytest.approx(before, abs=1e-6)
    assert min(c for c, _ in renamed) == 0
    assert min(r for _, r in renamed) == 0


def test_lattice_and_table_are_inverse() -> None:
    lattice = Lattice((10.0, 20.0), 61.0, 25.4)
    points = np.array([[3.0, 4.0], [-1.5, 0.25]])
    assert lattice.lattice_from_table(lattice.table_from_lattice(points)) == pytest.approx(points)


def test_a_tile_is_the_same_on_a_lattice_that_is_counted_otherwise(photographed: Any) -> None:
    seen, prints = photographed.reading.seen, photographed.prints
    lattice, change = normalize_lattice(seen.board.lattice, seen.board.cells)
    turned = Lattice(lattice.shifted((3, -2)).origin_mm, lattice.angle_deg - 90, lattice.cell_mm)
    for placement in seen.placements:
        for other in (lattice, turned):
            there = moved_to(other, placement, seen.board.lattice, prints)
            assert moved_to(seen.board.lattice, there, other, prints).key == placement.key
            by_lattice = replace(placement, candidate=None)
            pose = pose_of(by_lattice, seen.board.lattice, prints)
            moved = pose_of(replace(there, candidate=None), other, prints)
            assert moved.center_mm == pytest.approx(pose.center_mm, abs=0.01)
            assert (moved.rotation_deg - pose.rotation_deg + 180) % 360 - 180 == pytest.approx(0, abs=0.01)
        on_board = moved_to(lattice, placement, seen.board.lattice, prints)
        assert cells_of(on_board, prints) == {relabel(cell, change) for cell in cells_of(placement, prints)}
