"""Free tables for the tests of ``roads``: built by hand, drawn at random, turned, mirrored and moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from assistant.table.free_table import FreeFigure, FreeTable, Stats, Terrain

SIZE_MM = (Fraction(1200), Fraction(900))


def figure(
    name, x, y, side="knights", *, base=25, height=30, elevation=0, mobility=4, spirit=4, marks=(), size=None, facing=0
):
    """Return a figure by its name and place in millimetres; a size makes its base a rectangle."""
    return FreeFigure(
        id=name,
        side=side,
        center_mm=(Fraction(x), Fraction(y)),
        base_mm=Fraction(base),
        height_mm=Fraction(height),
        elevation_mm=Fraction(elevation),
        facing_deg=Fraction(facing),
        stats=Stats(mobility, 4, spirit, 4),
        marks=frozenset(marks),
        base_size_mm=None if size is None else (Fraction(size[0]), Fraction(size[1])),
    )


def box(name, left, top, right, bottom, *, height=60, kind="wall"):
    """Return a rectangular piece of terrain."""
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return outline(name, corners, height=height, kind=kind)


def outline(name, corners, *, height=60, kind="wall"):
    """Return a piece of terrain by its corners."""
    return Terrain(name, kind, tuple((Fraction(x), Fraction(y)) for x, y in corners), Fraction(height))


def table(*parts, step_mm=50):
    """Return a table with these figures and pieces of terrain."""
    figures = tuple(part for part in parts if isinstance(part, FreeFigure))
    terrain = tuple(part for part in parts if isinstance(part, Terrain))
    return FreeTable(Fraction(step_mm), SIZE_MM, terrain, figures)


def moved(shown, change: Callable[[tuple[Fraction, Fraction]], tuple[Fraction, Fraction]]):
    """Return the table with every place changed alike."""
    return replace(
        shown,
        terrain=tuple(replace(t, outline_mm=tuple(change(p) for p in t.outline_mm)) for t in shown.terrain),
        figures=tuple(replace(f, center_mm=change(f.center_mm)) for f in shown.figures),
    )


SYMMETRIES = {
    "quarter turn": lambda p: (-p[1], p[0]),
    "mirrored": lambda p: (-p[0], p[1]),
    "turned by 3-4-5": lambda p: ((3 * p[0] - 4 * p[1]) / 5, (4 * p[0] + 3 * p[1]) / 5),
    "moved": lambda p: (p[0] + Fraction(31, 7), p[1] - 12),
}

PLACES = st.integers(0, 12).map(lambda v: v * 10)
HEIGHTS = st.sampled_from([0, 15, 30, 45, 60])


@st.composite
def boxes(draw, name):
    """Return a box on a coarse raster, so that lines often touch corners and run along sides."""
    left, top = draw(PLACES), draw(PLACES)
    width, depth = draw(st.sampled_from([10, 20, 40])), draw(st.sampled_from([10, 20, 40]))
    kind = draw(st.sampled_from(["wall", "wall", "wall", "cover", "difficult"]))
    return box(name, left, top, left + width, top + depth, height=draw(HEIGHTS), kind=kind)


@st.composite
def tables(draw):
    """Return two to four figures on two sides and up to four boxes."""
    count = draw(st.integers(2, 4))
    figures = [
        figure(
            f"f{i}", draw(PLACES), draw(PLACES), "knights" if i % 2 else "diggers",
            base=draw(st.sampled_from([20, 25])), height=draw(st.sampled_from([20, 30])), elevation=draw(HEIGHTS),
        )
        for i in range(count)
    ]  # fmt: skip
    terrain = [draw(boxes(f"t{i}")) for i in range(draw(st.integers(0, 4)))]
    return table(*figures, *terrain)
