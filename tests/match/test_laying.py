"""The difference between a mission's table and its plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.match.ground import board_of, free_table_of
from assistant.match.laying import Placement, compare_laying, is_same_table
from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Edge
from assistant.table.roster import kind_of


@pytest.fixture(params=["doom2016_sample_table", "doom2004_sample_table"])
def laid(request, build):
    """The match as its mission wants the table, and that table."""
    wanted = build.begun(build.mission(request.param)).session.wanted()
    return wanted, board_of(wanted)


def test_a_board_is_another_one_where_not_two_thirds_of_all_are_on_both(laid, build):
    wanted, table = laid
    assert is_same_table(wanted.ground, table)
    place = Placement(1, 7, -3)
    cells, edges = frozenset(map(place.cell, table.cells)), {place.edge(e): kind for e, kind in table.edges.items()}
    assert is_same_table(wanted.ground, Board(cells, edges))
    last = max(column for column, _ in table.cells)
    less = Board(frozenset(cell for cell in table.cells if cell[0] < last - 1), table.edges)
    assert is_same_table(wanted.ground, less)
    beside = frozenset((last + 1 + column, row) for column in range(10) for row in range(20))
    grown = Board(table.cells | beside, table.edges)
    assert not is_same_table(wanted.ground, grown)
    assert is_same_table(wanted.ground, grown, may_have_grown=True)
    names = ("doom2004_knee_deep_sample", "doom2016_first_fight", "doom2016_tutorial_sample")
    for name in names:
        other = build.begun(build.mission(name)).session.wanted()
        assert not is_same_table(wanted.ground, board_of(other))
        assert not is_same_table(other.ground, table)
    free = build.begun(build.mission("roads_first_skirmish")).session.wanted()
    assert not is_same_table(wanted.ground, free_table_of(free))
    assert not is_same_table(free.ground, table)
    assert is_same_table(free.ground, free_table_of(free))


def told(faults):
    return {(fault.kind, fault.what) for fault in faults}


def test_the_table_of_the_mission_itself_is_right(laid):
    wanted, table = laid
    assert compare_laying(wanted, table).faults == ()


def test_a_missing_door_and_a_missing_figure_are_listed_with_their_places(laid):
    wanted, table = laid
    gone, door = table.figures[0], table.doors[0]
    faults = compare_laying(wanted, replace(table, doors=table.doors[1:], figures=table.figures[1:])).faults
    assert told(faults) == {("missing", "door"), ("missing", "figure")}
    assert faults[0].edges == tuple(sorted(door.edges))
    assert (faults[1].figure, faults[1].cells) == (gone.id, gone.cells)


def test_invaders_of_one_kind_stand_for_each_other_and_so_do_figures_without_a_name(laid):
    wanted, table = laid
    alike = (f for f in table.figures if any(kind_of(o.id) == kind_of(f.id) for o in table.figures if o != f))
    first, second = sorted(alike, key=lambda figure: figure.id)[:2]
    others = tuple(f for f in table.figures if f not in (first, second))
    swapped = (*others, replace(first, cells=second.cells), replace(second, cells=first.cells))
    nameless = (*others, *(replace(f, id=f"{kind_of(f.id)}~{n}") for n, f in enumerate((first, second))))
    is_invader = wanted.piece(first.id).side == "invader"
    assert (compare_laying(wanted, replace(table, figures=swapped)).faults == ()) == is_invader
    assert compare_laying(wanted, replace(table, figures=nameless)).faults == ()


def test_extra_tiles_and_misplaced_figures_are_listed(laid):
    wanted, table = laid
    taken = {cell for figure in table.figures for cell in figure.cells}
    free = sorted(table.cells - taken - table.blocking)
    first, *rest = (figure for figure in table.figures if len(figure.cells) == 1)
    moved = [replace(first, cells=(free[0],)), *rest, *(f for f in table.figures if len(f.cells) > 1)]
    edges = {edge for edge in (Edge((x, y), (x + 1, y)) for x, y in free) if set(edge.cells) <= table.cells}
    edge = min(edges - {edge for door in table.doors for edge in door.edges})
    stranger = Figure("cat", "cat", "pets", (free[1],))
    doors = (*table.doors, Door("another", (edge,)))
    faults = compare_laying(wanted, replace(table, doors=doors, figures=(*moved, stranger))).faults
    assert told(faults) == {("extra", "door"), ("wrong", "figure"), ("extra", "figure")}
    wrong = next(fault for fault in faults if fault.kind == "wrong")
    assert (wrong.figure, wrong.cells, wrong.seen_at) == (first.id, first.cells, (free[0],))


def test_a_missing_tile_is_listed_by_its_spaces_from_any_corner(laid):
    wanted, table = laid
    left = min(column for column, _ in table.cells)
    lost = {cell for cell in table.cells if cell[0] <= left + 1}

    def shift(cell):
        return cell[0] - left - 2, cell[1]

    seen = replace(
        table,
        cells=frozenset(shift(cell) for cell in table.cells - lost),
        edges={},
        doors=(),
        figures=tuple(
            replace(one, cells=tuple(map(shift, one.cells))) for one in table.figures if not lost & set(one.cells)
        ),
        difficult=frozenset(),
        blocking=frozenset(),
    )
    faults, placement = compare_laying(wanted, seen)
    assert {placement.back().cell(cell) for cell in table.cells - lost} == seen.cells
    missing = {cell for fault in faults if (fault.kind, fault.what) == ("missing", "tile") for cell in fault.cells}
    assert missing == lost
    assert not [fault for fault in faults if fault.what == "turned"]


def test_a_turned_table_is_one_fault_not_one_for_each_space(laid):
    wanted, table = laid

    def turn(point):
        return -point[1], point[0]

    def turn_cell(cell):
        return -cell[1] - 1, cell[0]

    seen = replace(
        table,
        cells=frozenset(map(turn_cell, table.cells)),
        edges={Edge.between(turn(edge.start), turn(edge.end)): kind for edge, kind in table.edges.items()},
        doors=tuple(
            replace(door, edges=tuple(Edge.between(turn(e.start), turn(e.end)) for e in door.edges))
            for door in table.doors
        ),
        figures=tuple(replace(f, cells=tuple(sorted(map(turn_cell, f.cells)))) for f in table.figures),
        difficult=frozenset(map(turn_cell, table.difficult)),
        blocking=frozenset(map(turn_cell, table.blocking)),
    )
    (fault,), placement = compare_laying(wanted, seen)
    assert (fault.what, fault.turns) == ("turned", 3)
    assert frozenset(map(placement.back().cell, table.cells)) == seen.cells
    assert {placement.back().edge(edge) for edge in table.edges} == set(seen.edges)


def test_other_lines_than_the_missions_are_a_tile_on_its_other_side(laid):
    wanted, table = laid
    edge = next(edge for edge in sorted(table.edges) if table.cells.issuperset(edge.cells))
    lines = {other: kind for other, kind in table.edges.items() if other != edge}
    (fault,) = compare_laying(wanted, replace(table, edges=lines)).faults
    assert (fault.kind, fault.what) == ("wrong", "lines")
    assert set(fault.cells) >= set(edge.cells)


def test_models_of_roads_are_compared_by_their_places_in_steps(build):
    wanted = build.begun(build.mission("roads_first_skirmish")).session.wanted()
    table = free_table_of(wanted)
    assert compare_laying(wanted, table).faults == ()
    first, second, *rest = table.figures
    far = replace(first, center_mm=(first.center_mm[0], first.center_mm[1] + 3 * table.step_mm))
    stranger = replace(second, id="stranger")
    faults = compare_laying(wanted, replace(table, figures=(far, stranger, *rest))).faults
    assert [(f.kind, f.figure, f.steps) for f in faults] == [
        ("wrong", first.id, 3.0),
        ("missing", second.id, None),
        ("extra", "stranger", None),
    ]
