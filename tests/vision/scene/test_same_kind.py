"""Identity by similar figures: ambiguous rings, with and without a link between looks and kinds."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest

from assistant.table.roster import FigureLook, LookView, Roster
from vision.evidence.figures import FigureSighting
from vision.learned import log_odds_of
from vision.scene.same_kind import apply_same_kind
from vision.simulation.figures import BUILDS, BodyLook
from vision.simulation.meshes import Color
from vision.simulation.scene import PlacedFigure, Scene
from vision.tiles.board_view import BoardView
from vision.training.samples import table_of

SEED = 810_009

Sightings = list[FigureSighting]


def painted(scene: Scene) -> Scene:
    """Return the scene with every kind painted in colours of its own."""
    hues = np.arange(len(scene.looks)) / len(scene.looks)
    paints = [tuple(colorsys.hsv_to_rgb(h, 0.9, v) for h, v in ((hue, 0.6), (hue + 0.35, 0.2))) for hue in hues]
    looks = {
        kind: look._replace(paints=own, top=own[1])
        for (kind, look), own in zip(scene.looks.items(), paints, strict=True)
    }
    return replace(scene, looks=looks)


def unpainted(scene: Scene) -> Scene:
    """Return the scene with all figures of one build and plastic, on bare bases."""
    looks = {kind: BodyLook("humanoid", (0.3, 0.3, 0.3), 1) for kind in scene.looks}
    bare = tuple(replace(placed, figure=replace(placed.figure, ring=None)) for placed in scene.figures)
    return replace(scene, looks=looks, figures=bare)


def in_paints_of_one_scheme(scene: Scene) -> Scene:
    """Return the scene with each kind a build of its own, all in the same paints, on bare bases."""
    paints: tuple[Color, ...] = ((0.5, 0.1, 0.1), (0.15, 0.15, 0.4))
    looks = {kind: BodyLook(build, paints[0], 5, paints) for kind, build in zip(scene.looks, cycle(BUILDS))}
    bare = tuple(replace(placed, figure=replace(placed.figure, ring=None)) for placed in scene.figures)
    return replace(scene, looks=looks, figures=bare)


def small(scene: Scene) -> list[PlacedFigure]:
    return [placed for placed in scene.figures if len(placed.cells) == 1]


def sightings_with(
    scene: Scene, board: BoardView, doubtful: PlacedFigure, shares: dict[str | None, float]
) -> Sightings:
    """Return all figures of one cell with equal confidence, except one."""
    found = []
    for placed in small(scene):
        of_kind = shares if placed is doubtful else {placed.figure.kind: 0.995}
        center_px = board.frame.frame_from_table(np.array([placed.center_mm]))[0]
        for kind, share in of_kind.items():
            model = next((figure for figure in scene.roster.figures if figure.kind == kind), None)
            at = (float(center_px[0]), float(center_px[1]))
            found.append(FigureSighting(model, tuple(sorted(placed.cells)), at, log_odds_of(share)))
    return found


def likeliest(sightings: Sightings, placed: PlacedFigure) -> FigureSighting:
    return max((one for one in sightings if one.cells == tuple(sorted(placed.cells))), key=lambda one: one.log_odds)


def one_of_two(scene: Scene) -> tuple[PlacedFigure, str]:
    """Return a figure with another of its kind on the table, and a second kind on the table."""
    kinds = [placed.figure.kind for placed in small(scene)]
    placed = next(placed for placed in small(scene) if kinds.count(placed.figure.kind) > 1)
    return placed, next(kind for kind in kinds if kind != placed.figure.kind)


def looked_at(change: Callable[[Scene], Scene]) -> tuple[Scene, BoardView]:
    return table_of(SEED, crowded=False, change=change)


@pytest.fixture(scope="module")
def table() -> tuple[Scene, BoardView]:
    return looked_at(painted)


def test_a_ring_that_may_be_another_is_recognised_by_a_fellow_who_looks_like_its_figure(
    table: tuple[Scene, BoardView],
) -> None:
    scene, board = table
    placed, other = one_of_two(scene)
    found = sightings_with(scene, board, placed, {other: 0.55, placed.figure.kind: 0.35, None: 0.1})
    seen = likeliest(apply_same_kind(found, board, scene.roster), placed)
    assert seen.model is not None
    assert seen.model.kind == placed.figure.kind
    assert 0.5 < seen.confidence < 0.91, "like figures do not change the chance of a stranger"


def test_who_looks_like_nobody_of_a_kind_is_less_likely_of_it(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    kinds = [placed.figure.kind for placed in small(scene)]
    placed = next(one for one in small(scene) if kinds.count(one.figure.kind) == 1)
    other = next(kind for kind in kinds if kind != placed.figure.kind)
    found = sightings_with(scene, board, placed, {other: 0.55, placed.figure.kind: 0.4})
    seen = likeliest(apply_same_kind(found, board, scene.roster), placed)
    assert seen.model is not None
    assert seen.model.kind == placed.figure.kind


def test_where_all_look_alike_no_look_tells() -> None:
    scene, board = looked_at(unpainted)
    placed, other = one_of_two(scene)
    found = sightings_with(scene, board, placed, {other: 0.7, placed.figure.kind: 0.28})
    seen = likeliest(apply_same_kind(found, board, scene.roster), placed)
    assert seen.model is not None
    assert seen.model.kind == other
    assert seen.confidence == pytest.approx(0.7, abs=0.12)


@pytest.mark.parametrize("seed", [810_007, 810_008])
def test_figures_in_the_same_paints_are_told_apart_by_their_form(seed: int) -> None:
    scene, board = table_of(seed, crowded=False, change=in_paints_of_one_scheme)
    placed, other = one_of_two(scene)
    found = sightings_with(scene, board, placed, {other: 0.55, placed.figure.kind: 0.44})
    seen = likeliest(apply_same_kind(found, board, scene.roster), placed)
    assert seen.kind == placed.figure.kind


@pytest.mark.parametrize("seed", [810_005, 810_007, 810_031])
def test_a_single_figure_among_many_of_the_same_plastic_keeps_its_ring(seed: int) -> None:
    """All pairs look alike, so that the others of one kind look alike proves nothing."""
    scene, board = table_of(seed, crowded=False, change=unpainted)
    kinds = Counter(placed.figure.kind for placed in small(scene))
    many = {placed.figure.base_size_mm: placed.figure.kind for placed in small(scene) if kinds[placed.figure.kind] > 2}
    placed = next(one for one in small(scene) if kinds[one.figure.kind] == 1 and one.figure.base_size_mm in many)
    found = sightings_with(scene, board, placed, {placed.figure.kind: 0.7, many[placed.figure.base_size_mm]: 0.28})
    seen = likeliest(apply_same_kind(found, board, scene.roster), placed)
    assert seen.model is not None
    assert seen.confidence < 0.9


def test_whose_ring_it_is_of_one_kind_is_left_to_the_rings(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    placed, other = one_of_two(scene)
    cells = tuple(sorted(placed.cells))
    found = sightings_with(scene, board, placed, {other: 0.5, placed.figure.kind: 0.3})
    own = next(one for one in found if one.cells == cells and one.model and one.model.kind == placed.figure.kind)
    assert own.model is not None
    mate = replace(own, model=replace(own.model, id="mate", ring="#123456"), log_odds=log_odds_of(0.15))
    after = apply_same_kind([*found, mate], board, scene.roster)
    chances = {one.model.id: one.confidence for one in after if one.cells == cells and one.model}
    assert chances[own.model.id] > chances["mate"]
    assert chances["mate"] / chances[own.model.id] == pytest.approx(0.5, abs=0.02)
    assert likeliest(after, placed).model == own.model


def test_who_is_sure_a_stranger_and_nobody_stay_as_they_were(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    placed, other = one_of_two(scene)
    found = sightings_with(scene, board, placed, {None: 0.6, other: 0.3, placed.figure.kind: 0.05})
    after = apply_same_kind(found, board, scene.roster)
    assert likeliest(after, placed) == likeliest(found, placed)
    cells = tuple(sorted(placed.cells))
    assert [one for one in after if one.cells != cells] == [one for one in found if one.cells != cells]
    known = [sum(one.confidence for one in some if one.cells == cells and one.model) for some in (found, after)]
    assert known[1] == pytest.approx(known[0], abs=1e-6)
    assert apply_same_kind([], board, scene.roster) == []


def test_looks_that_were_taught_say_more_and_are_not_asked_twice(table: tuple[Scene, BoardView]) -> None:
    scene, board = table
    placed, other = one_of_two(scene)
    look = FigureLook((LookView(30.0, bytes(5)),))
    known = Roster(tuple(replace(one, look=look) for one in scene.roster.figures), scene.roster.doors)
    found = sightings_with(scene, board, placed, {other: 0.55, placed.figure.kind: 0.4})
    assert apply_same_kind(found, board, known) == found
