"""Doubts that survive while only some cells of a watched table are read anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import DoorSpec
from tests.vision.scene.test_occupants import SEEDS, two_large, two_on_one
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting
from vision.evidence.occupancy import Occupancy
from vision.learned import log_odds_of
from vision.live import partial
from vision.live.partial import ReadingScope, read_again
from vision.live.renewal import keep_covered_figures
from vision.scene.observation import StageResults
from vision.scene.occupants import Standing, find_standing
from vision.scene.table import TableWay
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of


def results(board: BoardView, standing: Standing) -> StageResults:
    maybe = standing.maybe_doors, standing.maybe_figures
    chosen, quiet = (standing.doors, standing.figures), standing.occupancy.by_trunk.quiet
    return StageResults(board, (), *chosen, *maybe, worlds=standing.worlds, quiet=quiet)


def chance_at(seen: StageResults, cells: tuple[tuple[int, int], ...]) -> float:
    """Return the stated chance of any figure that touches the cells."""
    maybe = [one for figure in seen.maybe_figures for one in (figure, *figure.rivals)]
    there = [figure for figure in (*seen.figures, *maybe) if not set(cells).isdisjoint(figure.cells)]
    return sum(figure.confidence for figure in there)


@pytest.fixture(scope="module")
def shared() -> tuple[Scene, BoardView, StageResults]:
    scene, board = table_of(SEEDS[1], crowded=False, change=two_on_one)
    return scene, board, results(board, find_standing(board, scene.roster))


def test_a_shared_space_stays_a_doubt_wherever_the_table_is_read_again(
    shared: tuple[Scene, BoardView, StageResults],
) -> None:
    scene, board, before = shared
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    column, row = cell
    for cells in ([cell], [(column + 1, row)], [(column - 1, row), cell], [(column + 3, row)]):
        again = read_again(before, board.photo, ReadingScope(frozenset(cells), frozenset(), 0), scene.roster)
        assert chance_at(again, (cell,)) > 0.4, cells


def test_a_large_base_stays_a_doubt_when_one_of_its_cells_is_read_again() -> None:
    scene, board = table_of(SEEDS[0], crowded=False, change=two_large)
    before = results(board, find_standing(board, scene.roster))
    for placed in scene.figures:
        assert chance_at(before, placed.cells) > 0.4
        for cell in (placed.cells[0], placed.cells[-1]):
            scope = ReadingScope(frozenset([cell]), frozenset(), len(before.figures))
            again = read_again(before, board.photo, scope, scene.roster)
            assert all(chance_at(again, one.cells) > 0.4 for one in scene.figures), cell


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[frozenset[Cell], Standing]]:
    """The parts of boards that are read again from now on: their cells, and what was found there."""
    read: list[tuple[frozenset[Cell], Standing]] = []

    def find(part: BoardView, *others: Any) -> Standing:
        read.append((part.cells, find_standing(part, *others)))
        return read[-1][1]

    monkeypatch.setattr(partial, "find_standing", find)
    return read


def test_a_space_alone_is_judged_as_on_the_whole_board(
    shared: tuple[Scene, BoardView, StageResults], parts: list[tuple[frozenset[Cell], Standing]]
) -> None:
    """Two figures hide most of the few spaces. What of them agrees least with the print passed for its usual wear."""
    scene, board, before = shared
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    scope = ReadingScope(frozenset([cell]), frozenset(), 0)
    read_again(before, board.photo, scope, scene.roster)
    read_again(replace(before, quiet=None), board.photo, scope, scene.roster)
    whole = find_standing(board, scene.roster)
    empty, so_far, alone = (one.occupancy.by_trunk.chance_of[cell][0] for one in (whole, *(one for _, one in parts)))
    assert abs(log_odds_of(so_far) - log_odds_of(empty)) < 0.1 < abs(log_odds_of(alone) - log_odds_of(empty))


def test_a_large_base_beside_a_judged_space_is_in_view_as_a_whole(
    parts: list[tuple[frozenset[Cell], Standing]],
) -> None:
    """Half of a warden passed for another base, which took a space of the hound beside it. The hound was gone."""
    scene, board = table_of(SEEDS[0], crowded=False, change=two_large)
    first, beside = (FigureSighting(None, placed.cells, (0.0, 0.0), 3.0) for placed in scene.figures)
    seen = StageResults(board, (), (), (first, beside))
    read_again(seen, board.photo, ReadingScope(frozenset(first.cells), frozenset(), 2), scene.roster)
    ((cells, _),) = parts
    assert cells.issuperset(beside.cells)


def test_a_missing_figure_is_no_longer_assumed_somewhere_once_it_is_found(
    shared: tuple[Scene, BoardView, StageResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stayed at both places, and the watched table said that it showed the real one."""
    scene, board, before = shared
    left, taken = min(board.cells), max(board.cells)
    empty = replace(find_standing(board, scene.roster), figures=(), maybe_figures=(), worlds=())
    gone = replace(empty, occupancy=Occupancy({left: (0.4, 0.6, 0.0)}))
    here = FigureSighting(None, (taken,), (0.0, 0.0), 3.0)
    come = replace(empty, occupancy=Occupancy({taken: (0.01, 0.99, 0.0)}), figures=(here,))
    seen = replace(before, figures=(), maybe_figures=(), worlds=())

    monkeypatch.setattr(partial, "find_standing", lambda *_: gone)
    lifted = read_again(seen, board.photo, ReadingScope(frozenset([left]), frozenset(), 1), scene.roster)
    monkeypatch.setattr(partial, "find_standing", lambda *_: come)
    scope = ReadingScope(frozenset([taken]), frozenset(), 1)
    found = read_again(lifted, board.photo, scope, scene.roster)
    another = read_again(replace(lifted, assumed=frozenset()), board.photo, scope, scene.roster)

    assert [figure.cells for figure in lifted.figures] == [(left,)]
    assert [figure.cells for figure in found.figures] == [(taken,)]
    assert [figure.cells for figure in another.figures] == [(left,), (taken,)], "it stood there for a while"


def test_a_faint_doubt_beside_judged_cells_displaces_none_of_them(
    shared: tuple[Scene, BoardView, StageResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, board, before = shared
    cells = sorted(board.cells)
    cell = next(c for c in cells if (c[0] + 1, c[1]) in board.cells)
    beside = (cell[0] + 1, cell[1])
    faint, likely = (
        FigureSighting(None, (beside,), (0.0, 0.0), -5.0),
        FigureSighting(None, (cell, beside), (0, 0), -0.2),
    )
    now = replace(find_standing(board, scene.roster), figures=(), maybe_figures=(likely,))
    monkeypatch.setattr(partial, "find_standing", lambda *_: now)
    seen = replace(before, figures=(), maybe_figures=(faint,))
    again = read_again(seen, board.photo, ReadingScope(frozenset([cell]), frozenset(), 0), scene.roster)
    assert chance_at(again, (cell,)) == pytest.approx(likely.confidence, abs=0.01)


def test_a_door_beyond_the_box_stays_a_doubt(
    shared: tuple[Scene, BoardView, StageResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, board, before = shared
    cell = min(board.cells)
    here, far = Edge(cell, (cell[0] + 1, cell[1])), Edge((90, 90), (91, 90))
    now = replace(find_standing(board, scene.roster), doors=(DoorSighting(here, 0.7),), maybe_doors=())
    monkeypatch.setattr(partial, "find_standing", lambda *_: now)
    one = replace(scene.roster, doors=DoorSpec(1, 1, 30.0, 2.0))
    seen = replace(before, doors=(DoorSighting(far, 0.9),), maybe_doors=())
    again = read_again(seen, board.photo, ReadingScope(frozenset([cell]), frozenset(), 0), one)
    assert [door.edge for door in again.doors] == [far]
    assert [(door.edge, door.confidence) for door in again.maybe_doors] == [(here, 0.5)]


def test_a_door_beyond_the_box_takes_the_place_of_one_that_is_gone(
    shared: tuple[Scene, BoardView, StageResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stayed a doubt until the next reading of the whole picture."""
    scene, board, before = shared
    cell = min(board.cells)
    here, far = Edge(cell, (cell[0] + 1, cell[1])), Edge((90, 90), (91, 90))
    monkeypatch.setattr(partial, "find_standing", lambda *_: replace(gone, doors=(), maybe_doors=()))
    gone = find_standing(board, scene.roster)
    one = replace(scene.roster, doors=DoorSpec(1, 1, 30.0, 2.0))
    seen = replace(before, doors=(DoorSighting(here, 0.9),), maybe_doors=(DoorSighting(far, 0.5),))
    again = read_again(seen, board.photo, ReadingScope(frozenset([cell]), frozenset(), 0), one)
    assert ([door.edge for door in again.doors], again.maybe_doors) == ([far], [])


def test_a_possible_figure_under_a_cover_stays_possible(shared: tuple[Scene, BoardView, StageResults]) -> None:
    scene, _, before = shared
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    now = replace(before, maybe_figures=(), worlds=())
    kept = keep_covered_figures(before, now, frozenset([cell]))
    assert chance_at(kept, (cell,)) == pytest.approx(chance_at(before, (cell,)))
    assert keep_covered_figures(before, now, frozenset()) is now


def test_dependent_places_stay_so_where_the_table_is_read_again(
    shared: tuple[Scene, BoardView, StageResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watched table lost them with its first change, and counted each place as if it knew nothing of the other."""
    scene, board, before = shared
    cells = sorted(board.cells)
    one = next(c for c in cells if {(c[0] + 1, c[1]), (c[0] + 2, c[1])} <= board.cells)
    beside, far = (one[0] + 1, one[1]), cells[-1]

    def ways(cell: Cell, other: Cell) -> tuple[TableWay, ...]:
        here, there = (FigureSighting(None, (at,), (0.0, 0.0), 0.0) for at in (cell, other))
        return TableWay(0.6, (here,), ()), TableWay(0.4, (there,), ())

    group = ways(one, beside)
    read = replace(find_standing(board, scene.roster), figures=group[0].figures, maybe_figures=(), worlds=(group,))
    monkeypatch.setattr(partial, "find_standing", lambda *_: read)
    seen = replace(before, figures=group[0].figures, maybe_figures=(), worlds=(group,))

    def worlds_after(judged: set[Cell], hidden: set[Cell] = frozenset(), figures: int = 1) -> list[list[float]]:
        scope = ReadingScope(frozenset(judged), frozenset(hidden), figures)
        return [[way.chance for way in each] for each in read_again(seen, board.photo, scope, scene.roster).worlds]

    assert worlds_after({one, beside}) == [[0.6, 0.4]], "judged whole: the new worlds"
    assert worlds_after({far}) == [[0.6, 0.4]], "not judged: the old ones"
    assert worlds_after({one}) == [], "judged in part: unknown"
    assert worlds_after({one, beside}, {beside}) == [], "a hidden cell was not judged"
