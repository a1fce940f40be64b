"""Anything except the bare table is recognised; shadows and parts outside the photo are not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tiles.print_patches import PER_SIDE, SeenPatches, other_than_table

COLUMNS, ROWS = 9, 7
THING = slice(2, 4), slice(4, 6)
"""Rows and columns of cells under a thing."""


@pytest.fixture
def log_colors() -> np.ndarray:
    """A brown table that grows darker to the right, with something green on four cells, (rows, columns, 3)."""
    rng = np.random.default_rng(5)
    colors = np.array([-2.6, -1.9, -1.3]) + rng.normal(0, 0.03, (ROWS * PER_SIDE, COLUMNS * PER_SIDE, 3))
    colors -= np.linspace(0, 0.8, COLUMNS * PER_SIDE)[None, :, None]
    colors[tuple(slice(part.start * PER_SIDE, part.stop * PER_SIDE) for part in THING)] = (-2.2, -1.2, -2.4)
    return colors


def told(log_colors: np.ndarray, in_view: np.ndarray | None = None, known: int | None = None) -> np.ndarray:
    """Return the result for each cell when the first patches, or all, were taken for table."""
    count = log_colors.shape[0] * log_colors.shape[1]
    seen = SeenPatches(
        first=(0, 0),
        size_cells=(COLUMNS, ROWS),
        shifts=((0.0, 0.0),),
        coarse=np.array([0]),
        vectors=np.zeros((1, count, 48), dtype=np.float32),
        log_colors=log_colors.reshape(-1, 3).astype(np.float32),
        in_view=np.ones(count, dtype=bool) if in_view is None else in_view.ravel(),
    )
    return other_than_table(seen, np.arange(count) < (count if known is None else known))


def test_what_lies_on_the_table_is_distinguished_from_it_where_the_light_falls_off(log_colors: np.ndarray) -> None:
    log_odds = told(log_colors)
    on_it = np.zeros((ROWS, COLUMNS), dtype=bool)
    on_it[THING] = True
    assert (log_odds[on_it] > 1.5).all()
    assert (log_odds[~on_it] < -1).all()


def test_a_shadow_on_the_table_is_table(log_colors: np.ndarray) -> None:
    log_colors[: 2 * PER_SIDE] -= 1.0
    assert (told(log_colors)[:2] < 0).all()


def test_nothing_is_stated_about_a_barely_visible_table(log_colors: np.ndarray) -> None:
    assert not told(log_colors, known=40).any()


def test_nothing_is_stated_about_parts_outside_the_photo(log_colors: np.ndarray) -> None:
    in_view = np.ones(log_colors.shape[:2], dtype=bool)
    in_view[:, -PER_SIDE:] = False
    log_odds = told(log_colors, in_view)
    assert not log_odds[:, -1].any()
    assert log_odds[:, -2].all()
