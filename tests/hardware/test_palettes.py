"""People who see fewer colours can distinguish the sides."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assistant.table.tracker import PALETTES, SIDE_COLOR_COUNT

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency,
# IEEE TVCG 15(6), 2009; severity 1.0, applied to linear RGB.
SEEN_BY = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
SERVES = {
    "everyone": ("normal", "protan", "deutan", "tritan"),
    "red-green": ("normal", "protan", "deutan"),
    "blue-yellow": ("normal", "tritan"),
}
XYZ_FROM_RGB = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(rgb, seen_by):
    linear = np.clip((np.array(rgb) / 255) ** 2.2 @ SEEN_BY[seen_by].T, 0, 1)
    xyz = linear @ XYZ_FROM_RGB.T / XYZ_FROM_RGB.sum(1)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(a, b, seen_by):
    # Lightness counts half: the strip uses it for whose turn it is.
    return float(np.linalg.norm((lab(a, seen_by) - lab(b, seen_by)) * (0.5, 1, 1)))


@pytest.mark.parametrize(("name", "seen_by"), [(n, s) for n, all_ in SERVES.items() for s in all_])
def test_any_two_side_colors_differ_by_ten_times_what_is_just_noticeable(name, seen_by):
    # A difference of 2.3 in CIELAB is just noticeable (Mahy 1994).
    for a, b in combinations(PALETTES[name], 2):
        assert difference(a, b, seen_by) > 23


@pytest.mark.parametrize(("name", "seen_by"), [(n, s) for n, all_ in SERVES.items() for s in all_])
def test_the_first_two_sides_are_farthest_apart(name, seen_by):
    assert difference(*PALETTES[name][:2], seen_by) > 80


def test_every_palette_has_a_color_for_each_slot():
    assert set(PALETTES) == set(SERVES)
    assert all(len(set(colors)) == SIDE_COLOR_COUNT for colors in PALETTES.values())
