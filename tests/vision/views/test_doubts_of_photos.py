"""Doubts of one photo that a second photo must settle, or keep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.scene.test_occupants import SEEDS, on_small_bases, two_large, two_on_one
from vision.evidence.occupancy import Occupancy
from vision.scene.occupants import Standing, choose_standing, judge_places
from vision.simulation.scene import Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import board_of, table_of
from vision.training.view_weight_fit import from_another_side
from vision.views.occupants import SeenPlaces, join_places
from vision.views.reading import _seen_places


def both_sides(scene: Scene, board: BoardView, seed: int) -> list[BoardView]:
    """Return the board, and the same one from another side."""
    rng = np.random.default_rng(5)
    return [board, board_of(from_another_side(scene, 140.0, rng), seed, rng)]


def standing_on(seen: list[SeenPlaces], scene: Scene) -> Standing:
    return choose_standing(join_places(seen, scene.roster), scene.roster, seen[0].board)


def somebody_at(standing: Standing, cells: tuple[tuple[int, int], ...]) -> float:
    """Return the stated chance of any figure that touches the cells."""
    maybe = [one for figure in standing.maybe_figures for one in (figure, *figure.rivals)]
    there = [figure for figure in (*standing.figures, *maybe) if not set(cells).isdisjoint(figure.cells)]
    return sum(figure.confidence for figure in there)


def without_hint(one: SeenPlaces, cells: tuple[tuple[int, int], ...], empty: float) -> SeenPlaces:
    """Return the photo's evidence with that chance of empty cells, behind a body that leans over them."""
    by_trunk = one.places.occupancy.by_trunk
    odds = {cell: (empty, (1 - empty) / 2, (1 - empty) / 2) for cell in cells}
    hidden = Occupancy(
        {**by_trunk.chance_of, **odds}, by_trunk.print_of, {**by_trunk.leaned_over, **dict.fromkeys(cells, 0.9)}
    )
    prints = {**one.places.occupancy.print_of, **dict.fromkeys(cells, (0.1, 0.1))}
    occupancy = replace(one.places.occupancy, print_of=prints, hidden=hidden)
    return one._replace(places=replace(one.places, occupancy=occupancy))


def test_a_second_photo_keeps_the_doubt_of_a_space_that_two_figures_share() -> None:
    scene, board = table_of(SEEDS[1], crowded=False, change=two_on_one)
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    seen = _seen_places(both_sides(scene, board, SEEDS[1]), scene.roster)
    alone = standing_on(seen[:1], scene)
    assert somebody_at(alone, (cell,)) > 0.3
    together = standing_on(seen, scene)
    assert somebody_at(together, (cell,)) > 0.3
    assert cell in together.occupancy.covered([])
    behind_a_body = standing_on([seen[0], without_hint(seen[1], (cell,), 0.5)], scene)
    assert somebody_at(behind_a_body, (cell,)) > 0.3
    assert cell in behind_a_body.occupancy.covered([])


def test_a_second_photo_that_shows_the_print_settles_that_doubt() -> None:
    scene, board = table_of(SEEDS[1], crowded=False, change=two_on_one)
    (cell,) = {cell for placed in scene.figures for cell in placed.cells}
    nobody = replace(scene, figures=())
    boards = [board, both_sides(nobody, board, SEEDS[1])[1]]
    seen = [SeenPlaces(one, judge_places(one, scene.roster)) for one in boards]
    together = standing_on(seen, scene)
    assert somebody_at(together, (cell,)) < 0.3


def test_a_second_photo_keeps_the_doubt_of_large_bases_without_a_rim() -> None:
    scene, board = table_of(SEEDS[0], crowded=False, change=two_large)
    seen = _seen_places(both_sides(scene, board, SEEDS[0]), scene.roster)
    for together in (standing_on(seen, scene), standing_on(seen[::-1], scene)):
        assert all(somebody_at(together, placed.cells) > 0.4 for placed in scene.figures)


def test_sizes_of_bases_that_one_photo_shows_hold_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, board = table_of(SEEDS[2], crowded=False, change=on_small_bases)
    boards = both_sides(scene, board, SEEDS[2])
    alone = judge_places(board, scene.roster)
    assert alone.sizes != scene.roster

    def judge(one: BoardView, roster: object) -> object:
        return replace(alone, sizes=alone.sizes if one is board else roster)

    monkeypatch.setattr("vision.views.reading.judge_places", judge)
    seen = _seen_places(boards[::-1], scene.roster)
    assert [one.places.sizes for one in seen] == [alone.sizes, alone.sizes]
    assert join_places(seen, scene.roster).sizes == alone.sizes
