"""Tiles of one photo never lie on one another."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from vision.teaching import box_tiles
from vision.teaching.box_outlines import LooseThing
from vision.teaching.box_plane import LaidThing
from vision.teaching.sighting import EdgeLook
from vision.tiles.lattice_fit import Lattice

LEFT = frozenset({(0, 0), (1, 0), (0, 1), (1, 1)})


def followed(lattice, cells, odds):
    """Return a tile by its lattice and the log odds of its cells."""
    odds = dict(zip(sorted(cells), odds, strict=True))
    thing = SimpleNamespace(thing=None)
    return box_tiles._Followed(thing, None, SimpleNamespace(lattice=lattice, cell_odds=odds), odds, frozenset(cells))


def test_a_tile_that_grew_over_its_neighbour_gives_its_cells_back(monkeypatch):
    sure = followed(Lattice((0.0, 0.0), 2.0, 25.4), LEFT, [12.0] * 4)
    right = Lattice((62.0, 9.0), 9.0, 25.4)
    grown = followed(right, {(-1, 0), (0, 0), (1, 0), (0, 1), (1, 1)}, [1.0, 9.0, 9.0, 9.0, 9.0])
    monkeypatch.setattr(box_tiles, "_rest", lambda thing, tile: [thing])
    monkeypatch.setattr(box_tiles, "_find_tile", lambda *_: grown)
    for order in (1, -1):
        apart = box_tiles._apart(None, SimpleNamespace(lay=lambda part: part), [sure, grown][::order])
        assert {tile.cells for tile in apart} == {LEFT, grown.cells - {(-1, 0)}}
        assert all(tile.odds[-1, 0] < 0 for tile in apart if tile.look.lattice is right)


def test_parts_of_one_tile_have_one_lattice_and_neighbours_have_two():
    first = followed(Lattice((0.0, 0.0), 2.0, 25.4), LEFT, [9.0] * 4)
    for turn, off_mm, is_one in ((2.0, 0.0, True), (2.0, 6.0, False), (9.0, 0.0, False)):
        origin = np.array([0.0, off_mm]) + first.look.lattice.table_from_lattice(np.array([[4, 1]]))[0]
        part = followed(Lattice(tuple(origin.tolist()), turn + 90, 25.4), {(0, 0), (0, 1), (1, 1)}, [9.0] * 3)
        assert box_tiles._is_one_lattice(first, part) == is_one


def test_a_check_beside_a_tile_is_not_its_cell_because_the_tile_once_grew_over_it(monkeypatch):
    lattice = Lattice((0.0, 0.0), 0.0, 25.4)
    outline = np.array([[0.0, 0.0], [50.8, 0.0], [50.8, 50.8], [0.0, 50.8]])
    thing = LaidThing(LooseThing(outline, is_cut=False), outline, lattice, 0.01, 1.0)
    view = SimpleNamespace(table_from_image=lambda points: points, image_from_table=lambda points: points)
    plane = SimpleNamespace(view=view, settled=lambda tiles: (plane, [lattice]))
    looks = iter([(6.0, -9.0), (4.0, 6.0), *[(4.0, 4.0)] * 9])

    def look_at(*_, **__):
        odds = dict.fromkeys(LEFT, 12.0) | dict(zip([(2, 0), (3, 0)], next(looks), strict=True))
        return EdgeLook(lattice, (), None, odds)

    scene = SimpleNamespace(view=view, cell_odds=lambda look: look.cell_odds, look_closer=look_at)
    monkeypatch.setattr(box_tiles, "_scene", lambda *_: scene)
    monkeypatch.setattr(box_tiles, "_settle", look_at)
    monkeypatch.setattr(box_tiles._Followed, "lines", lambda tile: None)
    grown = box_tiles._follow(None, plane, thing)
    assert grown.cells > LEFT
    assert box_tiles._settle_together(None, plane, [grown])[1][0].cells == LEFT
