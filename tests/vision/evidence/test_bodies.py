"""Bodies: upright figures on their cells, nobody on empty ones, and what that weighs beside the other evidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from vision.evidence.bodies import body_maps, body_weights, likely_places, weigh_bodies
from vision.evidence.figures import FigureSighting
from vision.evidence.occupancy import Occupancy
from vision.learned import MOST_LOG_ODDS, run_in_batches
from vision.tiles.board_view import BoardView
from vision.training.labelled import KnownBoard, labelled_scene
from vision.training.samples import table_of

SHOWN = Occupancy({})
"""A board where no body hides another place, and nothing has fallen."""


@pytest.fixture(scope="module")
def known() -> KnownBoard:
    """A simulated table that no fit has seen."""
    return labelled_scene(*table_of(810_601, crowded=False))


@pytest.fixture(scope="module")
def board(known: KnownBoard) -> BoardView:
    return known.board


@pytest.fixture(scope="module")
def roster(known: KnownBoard) -> Roster:
    return known.roster


@pytest.fixture(scope="module")
def standing(known: KnownBoard) -> list[Cell]:
    """The cells of the figures on one cell each."""
    return sorted(cells[0] for cells in known.figures if len(cells) == 1)


@pytest.fixture(scope="module")
def empty(known: KnownBoard) -> list[Cell]:
    return sorted(known.board.cells - {cell for cells in known.figures for cell in cells})


def _sighting(board: BoardView, cell: Cell, log_odds: float, roster: Roster, kind: int = 0) -> FigureSighting:
    x, y = board.frame_from_lattice(np.array([cell]) + 0.5)[0].tolist()
    return FigureSighting(roster.figures[kind], (cell,), (x, y), log_odds)


def _bodies(board: BoardView, roster: Roster, cells: list[Cell]) -> list[float]:
    places = likely_places([_sighting(board, cell, 0.0, roster) for cell in cells])
    odds: list[float] = run_in_batches("bodies", body_maps(places, board, roster))[:, 0].tolist()
    return odds


def test_a_body_is_seen_where_a_figure_stands_and_not_on_empty_cells(
    board: BoardView, roster: Roster, standing: list[Cell], empty: list[Cell]
) -> None:
    there, nobody = _bodies(board, roster, standing), _bodies(board, roster, empty)
    assert len(there) >= 3
    assert np.median(there) > 1
    assert np.mean(np.array(nobody) < 0) > 0.9
    assert min(there) > np.median(nobody)


def test_a_body_makes_a_figure_likelier_and_no_body_less_likely(
    board: BoardView, roster: Roster, standing: list[Cell], empty: list[Cell]
) -> None:
    unsure = [_sighting(board, cell, 0.3, roster) for cell in (standing[0], empty[0])]
    figure, nobody = weigh_bodies(unsure, board, roster, SHOWN)
    assert figure.confidence > 0.6
    assert nobody.confidence < 0.4


def test_kinds_keep_their_shares_and_large_bases_their_chances(
    board: BoardView, roster: Roster, standing: list[Cell]
) -> None:
    cell = standing[0]
    likelier, other = _sighting(board, cell, 0.0, roster), _sighting(board, cell, -1.5, roster, kind=-1)
    large = FigureSighting(None, (cell, (cell[0] + 1, cell[1])), likelier.center_px, 1.0)
    weighed = weigh_bodies([likelier, other, large], board, roster, SHOWN)
    assert [one for one in weighed if len(one.cells) > 1] == [large]
    first, second = (one for one in weighed if len(one.cells) == 1)
    assert first.confidence / second.confidence == pytest.approx(likelier.confidence / other.confidence, rel=1e-6)


def test_where_another_body_hides_a_place_its_own_body_counts_nothing(
    board: BoardView, roster: Roster, standing: list[Cell]
) -> None:
    found = [_sighting(board, standing[0], 0.4, roster)]
    (hidden,) = weigh_bodies(found, board, roster, replace(SHOWN, leaned_over={standing[0]: 1.0}))
    assert hidden.log_odds == pytest.approx(float(body_weights() @ [1.0, 0.4, 0.0]), abs=1e-6)


def test_bodies_say_nothing_where_coins_stand_for_figures(
    board: BoardView, roster: Roster, standing: list[Cell]
) -> None:
    coin = next(replace(figure, height_mm=2.0) for figure in roster.figures if figure.size == (1, 1))
    found = [_sighting(board, standing[0], 0.4, roster)]
    assert weigh_bodies(found, board, replace(roster, figures=(*roster.figures, coin)), SHOWN) == found


def test_the_surest_figure_is_not_stated_beyond_the_cap(board: BoardView, roster: Roster, standing: list[Cell]) -> None:
    (sure,) = weigh_bodies([_sighting(board, standing[0], 20.0, roster)], board, roster, SHOWN)
    assert sure.log_odds <= MOST_LOG_ODDS + 1e-6


def test_a_ring_beyond_the_cap_does_not_outvote_a_missing_body(
    board: BoardView, roster: Roster, standing: list[Cell], empty: list[Cell]
) -> None:
    sure, chip = (replace(_sighting(board, cell, 10.0, roster), beyond=4.0) for cell in (standing[0], empty[0]))
    figure, nobody = weigh_bodies([sure, chip], board, roster, SHOWN)
    assert figure.beyond > nobody.beyond == 0


def test_what_lies_on_a_space_does_not_stand_there(board: BoardView, roster: Roster, standing: list[Cell]) -> None:
    found = [_sighting(board, standing[0], 0.4, roster)]
    (upright,) = weigh_bodies(found, board, roster, SHOWN)
    (fallen,) = weigh_bodies(found, board, roster, replace(SHOWN, lying={standing[0]: 0.9}))
    assert fallen.confidence < upright.confidence
    assert fallen.log_odds == pytest.approx(upright.log_odds + np.log(0.1), abs=1e-6)
