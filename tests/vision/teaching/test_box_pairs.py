"""Tiles of a box put together from several photos and both sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.table.lattice import sides
from vision.teaching.box_pairs import mirrored, read_batch
from vision.teaching.box_tiles import BoxPhoto, FoundTile
from vision.teaching.difficult_ground import EdgeSight
from vision.teaching.tile_reading import SIDE_PX, TileReading

L_SHAPE = frozenset({(0, 0), (0, 1), (0, 2), (1, 2)})
SQUARE = frozenset({(0, 0), (1, 0), (0, 1), (1, 1)})
BAR = frozenset({(0, 0), (1, 0), (2, 0)})
HALF_L = frozenset({(0, 0), (0, 1), (0, 2)})


def found(cells, x_mm, y_mm, doubt=0.1):
    """Return a tile without print at a place."""
    kinds = np.log(np.array([0.97, 0.01, 0.01, 0.01]))
    sights = {edge: EdgeSight(kinds, np.full(2, -5.0)) for cell in cells for edge in sides(cell)}
    wide, high = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    image = np.full((high * SIDE_PX, wide * SIDE_PX, 3), 128, np.uint8)
    edges = dict.fromkeys(sights)
    reading = TileReading(
        image, cells, dict.fromkeys(cells, 1 - doubt), edges, dict.fromkeys(sights, 0.97), frozenset(), {}, sights
    )
    return FoundTile(reading, (x_mm, y_mm), 0.0, np.zeros((4, 2)), ())


def photo(*tiles, shift_mm=0.0):
    """Return a photo of tiles, of another place above the table."""
    rim = np.array([[-900.0, -900], [900, -900], [900, 900], [-900, 900]])
    return BoxPhoto(tuple(found(cells, x + shift_mm, y - shift_mm, *more) for cells, x, y, *more in tiles), (), rim)


ALL = ((L_SHAPE, 0.0, 0.0), (SQUARE, 150.0, 10.0), (BAR, 20.0, 160.0))
BACKS = tuple((mirrored(cells), x, y) for cells, x, y in ALL)


def test_a_tile_that_the_first_photo_lacks_comes_last():
    sights = read_batch([photo(*ALL[1:]), photo(*ALL, shift_mm=40.0)], []).fronts
    assert [one.reading.cells for one in sights] == [SQUARE, BAR, L_SHAPE]
    assert sights[2].seen.center_mm == pytest.approx((0.0, 0.0), abs=0.01)


def test_a_part_of_a_known_tile_is_no_further_tile():
    sights = read_batch(
        [photo(*ALL), photo(*ALL, (frozenset({(0, 0), (0, 1)}), 150.0, 30.0), shift_mm=40.0)], []
    ).fronts
    assert len(sights) == 3


def test_two_parts_of_one_outline_are_one_tile_where_another_photo_shows_it_whole():
    whole = frozenset({(c, r) for c in range(4) for r in range(2)})
    split = [(SQUARE, -25.4, 0.0), (SQUARE, 25.4, 0.0), *ALL[1:]]
    for order in (1, -1):
        fronts = [photo(*split), photo((whole, 0.0, 0.0), *ALL[1:], shift_mm=40.0)][::order]
        for backs in ([], [photo((whole, 0.0, 0.0), *BACKS[1:])]):
            sides = read_batch(fronts, backs)
            shown = sorted((pair.front.reading.cells for pair in sides.pairs), key=len)
            assert shown == [BAR, SQUARE, whole]


def test_a_tile_that_one_photo_shows_and_all_others_lack_is_none():
    cloth = (frozenset({(c, r) for c in range(5) for r in range(4)}), 300.0, 0.0)
    for fronts in ([photo(*ALL, cloth), photo(*ALL)], [photo(*ALL), photo(*ALL, cloth)]):
        assert len(read_batch(fronts, []).pairs) == 4  # a person may still find its back
        assert [pair.front.reading.cells for pair in read_batch(fronts, [photo(*BACKS)]).pairs] == [
            L_SHAPE,
            SQUARE,
            BAR,
        ]


def test_cells_that_each_photo_misses_elsewhere_are_voted_for_one_by_one():
    first, far = L_SHAPE - {(1, 2)}, L_SHAPE | {(1, 1), (2, 2)}
    fronts = [photo((far, 12.7, 0.0), *ALL[1:]), photo((first, -12.7, 0.0), *ALL[1:])]
    sides = read_batch(fronts, [photo(*BACKS), photo(*BACKS)])
    votes = sides.pairs[0].back
    assert votes.reading.cells == mirrored(L_SHAPE)
    assert len(sides.pairs) == 3
    assert not sides.pairs[0].is_sure


def test_the_back_decides_between_two_shapes_of_a_front():
    surer_but_wrong = ((HALF_L, 0.0, 0.0, 0.01), *ALL[1:])
    sides = read_batch([photo(*ALL), photo(*surer_but_wrong)], [photo(*BACKS)])
    assert sides.fronts[0].reading.cells == L_SHAPE
    assert all(pair.front is not None and pair.back is not None and pair.is_sure for pair in sides.pairs)


def test_checks_of_the_cloth_beside_one_back_leave_the_shape_of_its_tile():
    front = frozenset({(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)})
    checks = frozenset({(-1, 1), (2, 0), (2, 2), (2, 3), (3, 0)})
    back = frozenset({(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1)})
    with_checks = frozenset((column + 1, row) for column, row in back | checks)
    backs = [photo((back, 0.0, 0.0, 0.01), *BACKS[1:]), photo((with_checks, 0.0, 12.7, 0.01), *BACKS[1:])]
    for order in (1, -1):
        sides = read_batch([photo((front, 0.0, 0.0, 0.01), *ALL[1:])] * 2, backs[::order])
        pair = next(pair for pair in sides.pairs if pair.front is sides.fronts[0])
        assert len(pair.front.reading.cells) == len(pair.back.reading.cells) == 7
        assert pair.front.reading.cells == front


def test_a_sight_that_the_rim_cuts_off_has_no_say_beside_a_whole_one():
    cut = replace(found(HALF_L, 0.0, 0.0, 0.01), is_cut=True)
    for order in (1, -1):
        photos = [photo(*ALL), BoxPhoto((cut, *photo(*ALL[1:]).tiles), ())][::order]
        (first, *_) = read_batch(photos, []).fronts
        assert (first.reading.cells, first.seen.is_cut) == (L_SHAPE, False)


def test_a_tile_that_lies_alone_is_the_same_in_a_further_photo():
    cut = replace(found(HALF_L, 0.0, 0.0), is_cut=True)
    (alone,) = read_batch([BoxPhoto((cut,), ()), photo((L_SHAPE, 40.0, 30.0))], []).fronts
    assert (alone.reading.cells, alone.seen.is_cut, len(alone.photos)) == (L_SHAPE, False, 2)


def test_sides_that_never_agree_stay_doubtful():
    sides = read_batch([photo((HALF_L, 0.0, 0.0), *ALL[1:])], [photo(*BACKS)])
    odd = next(pair for pair in sides.pairs if pair.front is sides.fronts[0])
    assert odd.back is not None
    assert not odd.is_sure
