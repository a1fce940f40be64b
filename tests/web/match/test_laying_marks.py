"""Faults of a table during set-up, outlined on the camera's own picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from assistant.match.laying import LayingFault, Placement
from assistant.table.board import Door
from assistant.table.lattice import Edge, sides
from web.match.laying_marks import LayingMarks
from web.scene.drawing import ShotDrawing


@pytest.fixture
def shot(build):
    return build.true_shot("easy-03")


def test_a_door_that_is_missing_is_outlined_where_the_scene_draws_one(shot):
    left, right = next(
        (x, y) for x, y in pairwise(sorted(shot.board.cells, key=lambda cell: cell[::-1])) if x[1] == y[1]
    )
    (edge,) = set(sides(left)) & set(sides(right))
    door = Door("door-1", (edge,))
    (drawn,) = ShotDrawing(replace(shot, corrected=replace(shot.board, doors=(door,)))).document()["doors"]
    bare = replace(shot, corrected=replace(shot.board, doors=()))
    fault = LayingFault(kind="missing", what="door", edges=door.edges)
    assert LayingMarks(bare, Placement()).marks(fault)["areas"] == drawn["panels"]


def test_a_figure_elsewhere_is_outlined_where_it_belongs_and_where_it_stands(shot):
    drawn = {one["id"]: one["base"] for one in ShotDrawing(shot).document()["figures"]}
    figure = next(one for one in shot.board.figures if len(one.cells) == 1)
    taken = {cell for one in shot.board.figures for cell in one.cells}
    place = min(shot.board.cells - taken)
    fault = LayingFault(kind="wrong", what="figure", figure=figure.id, cells=(place,), seen_at=figure.cells)
    marks = LayingMarks(shot, Placement()).marks(fault)
    assert marks["from"] == drawn[figure.id]
    (belongs,) = marks["areas"]
    (x0, x1), (y0, y1) = ((min(v), max(v)) for v in zip(*ShotDrawing(shot).cell_px(place), strict=True))
    assert all(x0 < x < x1 and y0 < y < y1 for x, y in belongs)
    assert marks["at"][1] == min(y for _, y in belongs)


@pytest.mark.parametrize("placement", [Placement(), Placement(1, 7, -3), Placement(2, 0, 4), Placement(3, -2, 9)])
def test_a_tile_is_outlined_in_the_picture_however_the_mission_counts_its_spaces(shot, placement):
    seen = sorted(shot.board.cells)[:2]
    fault = LayingFault(kind="missing", what="tile", cells=tuple(sorted(map(placement.cell, seen))))
    marks = LayingMarks(shot, placement).marks(fault)
    drawing = ShotDrawing(shot)
    assert marks["areas"] == [drawing.cell_px(cell) for cell in seen]
    around = set(sides(seen[0])) ^ set(sides(seen[1]))
    assert sorted(marks["rim"]) == sorted(drawing.edge_px(edge) for edge in around)
    door = Edge.between((0, 0), (1, 0))
    at = LayingFault(kind="extra", what="door", edges=(placement.edge(door),))
    assert LayingMarks(shot, placement).marks(at)["areas"] == [drawing.panel_px(door)]


def test_what_has_no_place_is_not_marked(shot):
    fault = LayingFault(kind="wrong", what="turned", turns=2)
    assert LayingMarks(shot, Placement()).marks(fault) == {"areas": [], "rim": [], "from": [], "at": None}
