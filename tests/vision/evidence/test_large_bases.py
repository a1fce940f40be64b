"""A base of several cells, with a possible ring or without one: both networks are heard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from vision.evidence.bases import Stand, shapes_of
from vision.evidence.doors import DoorSighting
from vision.evidence.figures import FigureSighting, figure_evidence, figure_model
from vision.evidence.occupancy import Occupancy
from vision.evidence.rings import RingSighting
from vision.scene.table import calibration, scene_of, settle

HOUND = RosterFigure("hound-1", "hound", "foes", (2, 1), 20.0, 30.0, None, "rectangle", (46.0, 20.0))
ROSTER = Roster((HOUND,), DoorSpec(0, 1, 30.0, 2.0))
EMPTY, ONE, PART = (0.99, 0.005, 0.005), (0.05, 0.9, 0.05), (0.02, 0.03, 0.95)


def log_odds_of(photographed: Any, cells: tuple[Cell, ...], by_trunk: tuple[float, float, float]) -> float:
    """Return the log odds of a base on these cells. The patch network takes its last cell for a smaller base."""
    board = photographed.reading.seen.board
    likely = {cell: PART if cell in cells else EMPTY for cell in board.cells} | {cells[-1]: ONE}
    hidden = Occupancy({cell: by_trunk if cell in cells else EMPTY for cell in board.cells})
    prints = {cell: (0.2, 0.5) for cell in cells}
    found = figure_evidence(board, ROSTER, Occupancy(likely, prints, hidden=hidden), [])
    [features] = [one.features for one in found if one.cells == cells]
    return float(figure_model().weights["plain large"] @ features)


def two_cells(photographed: Any) -> tuple[Cell, Cell]:
    """Return two neighbouring cells of the board."""
    board = photographed.reading.seen.board.cells
    return next(there for c, r in sorted(board) if {*(there := ((c, r), (c + 1, r)))} <= board)


def test_the_trunk_finds_a_large_base_that_the_patches_split(photographed: Any) -> None:
    cells = two_cells(photographed)
    base, small_ones = (log_odds_of(photographed, cells, by_trunk) for by_trunk in (PART, ONE))
    assert base > small_ones + 1


def test_a_card_over_two_spaces_is_no_base_without_the_rim_that_all_bases_have(photographed: Any) -> None:
    """It was stated at .998, and 40 rulings with it."""
    board, cells = photographed.reading.seen.board, two_cells(photographed)
    surely = {cell: (0.002, 0.001, 0.997) if cell in cells else EMPTY for cell in board.cells}
    covered = Occupancy(surely, dict.fromkeys(cells, (0.2, 0.4)), hidden=Occupancy(surely))

    def of_base(ring: str | None) -> float:
        box = Roster((replace(HOUND, ring=ring),), DoorSpec(0, 1, 30.0, 2.0))
        [evidence] = [one for one in figure_evidence(board, box, covered, []) if one.cells == cells]
        return calibration().large(float(figure_model().weights[evidence.figure_class] @ evidence.features))

    assert of_base(None) > 2
    assert of_base("#402be3") < -1


def test_no_large_base_is_invented_behind_two_doors_in_a_row(photographed: Any) -> None:
    """The doors hid all print of two cells, and both networks called them empty. The door before them had some colour
    of the base's rim."""
    board, cells = photographed.reading.seen.board, two_cells(photographed)
    ringed = replace(HOUND, ring="#c49886")
    box = Roster((ringed,), DoorSpec(2, 1, 30.0, 2.0))
    faint = RingSighting(Stand(shapes_of(ringed)[0], cells[0]), "#c49886", 0.9, 1.0, (0.0, 0.0))

    def of_base(chances: tuple[float, float, float]) -> float:
        likely = {cell: chances if cell in cells else EMPTY for cell in board.cells}
        known = Occupancy(likely, dict.fromkeys(cells, (0.2, 0.1)), hidden=Occupancy(likely))
        found = figure_evidence(board, box, known, [faint])
        return float(figure_model().weights["large"] @ next(one.features for one in found if one.ring))

    doors = {Edge((c, r + 1), (c + 1, r + 1)): {(c, r): 1.0} for c, r in cells}
    hound = FigureSighting(ringed, cells, (0.0, 0.0), of_base((0.96, 0.02, 0.02)))
    table = settle(scene_of([hound], [DoorSighting(edge, 0.997) for edge in doors], box, hidden=doors))
    assert table.figures == []
    of_large = calibration().large
    assert of_large(of_base(PART)) > 1.5
    assert of_large(of_base(EMPTY)) < of_large(of_base((0.9, 0.05, 0.05))) < -1.0, "a surer empty cell lowers it"
