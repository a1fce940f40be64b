"""The events on a line, against fractions; boards and lines as bits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.rules.bitboard import BitLayout, direction, lines_of
from assistant.rules.line_walks import CELL, HORIZONTAL, VERTEX, VERTICAL, walk_line
from assistant.table.lattice import Edge

small = st.integers(-6, 6)
cells = st.frozensets(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1)


def ends(dx, dy, centered):
    half = Fraction(1, 2) if centered else 0
    return (half, half), (dx + half, dy + half)


@settings(max_examples=150, deadline=None)
@given(dx=small, dy=small, centered=st.booleans())
def test_a_walk_meets_what_fractions_say(plain, dx, dy, centered):
    if dx == dy == 0:
        return
    p, q = ends(dx, dy, centered)
    steps = walk_line(dx, dy, centered)
    met = {plane: {(s.x, s.y) for s in steps if s.plane == plane} for plane in (VERTICAL, HORIZONTAL, VERTEX, CELL)}
    along = not centered and 0 in (dx, dy)
    test = plain.runs_along if along else plain.crosses
    around = list(product(range(min(0, dx) - 1, max(0, dx) + 2), range(min(0, dy) - 1, max(0, dy) + 2)))
    assert met[VERTICAL] == {(x, y) for x, y in around if test(p, q, Edge((x, y), (x, y + 1)))}
    assert met[HORIZONTAL] == {(x, y) for x, y in around if test(p, q, Edge((x, y), (x + 1, y)))}
    between = {c for c in around if plain.turn(p, q, c) == 0 and 0 < plain.share(p, q, c) < 1}
    assert met[VERTEX] == between
    if along:
        assert met[CELL] == met[VERTICAL] | met[HORIZONTAL]
    else:
        assert met[CELL] == {c for c in around if plain.enters(p, q, c)}


@given(dx=small, dy=small, centered=st.booleans())
def test_a_walk_goes_from_its_start_to_its_end(plain, dx, dy, centered):
    if dx == dy == 0:
        return
    p, q = ends(dx, dy, centered)
    shares = [plain.share(p, q, (s.x, s.y)) for s in walk_line(dx, dy, centered) if s.plane == VERTEX]
    assert shares == sorted(shares)


@given(cells)
def test_bits_give_their_places_back(places):
    frame = BitLayout.around(places)
    bits = frame.bits(places)
    assert list(frame.places(bits)) == sorted(places, key=lambda c: (c[1], c[0]))
    assert bits == frame.bits_of_few(places) == sum(frame.bit(place) for place in places)


@settings(max_examples=150, deadline=None)
@given(start=st.tuples(small, small), end=st.tuples(small, small), centered=st.booleans())
def test_a_mask_fits_the_board_wherever_the_line_starts(start, end, centered):
    if start == end:
        return
    frame = BitLayout.around([(-8, -8), (8, 8)])
    dx, dy = end[0] - start[0], end[1] - start[1]
    line = lines_of(frame.stride, centered=centered).between(dx, dy)
    top = start if line.is_down else end
    entered = [(s.x + start[0], s.y + start[1]) for s in walk_line(dx, dy, centered) if s.plane == CELL]
    assert frame.bits(entered) >> frame.cell_shift(top) == line.cells
    upright, level, points = (
        frame.bits((s.x + start[0], s.y + start[1]) for s in walk_line(dx, dy, centered) if s.plane == plane)
        for plane in (VERTICAL, HORIZONTAL, VERTEX)
    )
    assert frame.interleave(upright, level, points) >> frame.edge_shift(top) == line.edges


def test_masks_are_kept_within_a_budget(monkeypatch):
    monkeypatch.setattr("assistant.rules.bitboard._BUDGET_BYTES", 2_000)
    lines = lines_of.__wrapped__(64, centered=False)
    for dx, dy in product(range(1, 12), repeat=2):
        assert lines.between(dx, dy).is_down
    assert 0 < len(lines.known) < 121


@pytest.mark.parametrize(("dx", "dy", "towards"), [(3, 0, 0), (2, 5, 1), (0, 1, 2), (-1, 1, 3), (-4, 0, 4), (1, -1, 7)])
def test_directions_run_clockwise_on_the_page(dx, dy, towards):
    assert direction(dx, dy) == towards


@settings(max_examples=200, deadline=None)
@given(dx=st.integers(-13, 13), dy=st.integers(-13, 13), centered=st.booleans(), kept=st.integers(0, (1 << 40) - 1))
def test_hits_of_a_line_are_named_in_the_order_of_its_walk(dx, dy, centered, kept):
    if dx == dy == 0:
        return
    lines = lines_of(16, centered=centered)
    mask = lines.between(dx, dy).edges
    steps = [step for step in walk_line(dx, dy, centered) if step.plane != CELL]
    assert lines.steps_of(mask, dx, dy) == steps
    top_x, top_y = (0, 0) if lines.between(dx, dy).is_down else (dx, dy)
    indices = [lines.edge_index(s.plane, s.x - top_x, s.y - top_y) for s in steps]
    some = [n for n in range(len(steps)) if kept >> n & 1]
    hits = sum(1 << indices[n] for n in some)
    assert lines.steps_of(hits, dx, dy) == [steps[n] for n in some]
