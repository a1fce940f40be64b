"""An evening's additions to a table: foreign objects, chipped rims, leaning and fallen figures."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assistant.table.roster import RosterFigure
from vision.simulation import props
from vision.simulation.compose import random_scene
from vision.simulation.evening import THING_SHARES, evening_scene, lattice_cell, things_on_cells
from vision.simulation.figures import BASE_HEIGHT_MM, BodyLook, figure_mesh
from vision.simulation.scene import on_table
from vision.simulation.stage_setup import build_stage, fallen_body, figure_body
from vision.simulation.truth import truth_document


def test_things_lie_on_cells_where_nothing_stands() -> None:
    for seed in range(6):
        scene = evening_scene(seed, "normal")
        middles = {cell: on_table(scene.grid, np.array([cell]) + 0.5)[0] for cell in scene.cells}
        taken = {cell for placed in scene.figures for cell in placed.cells}
        lying = [thing for thing in scene.clutter if thing.on_board and thing.kind in THING_SHARES]
        nearest = [min(middles, key=lambda cell: math.dist(middles[cell], thing.center_mm)) for thing in lying]
        assert lying
        assert len(set(nearest)) == len(nearest)
        assert taken.isdisjoint(nearest)


def test_the_same_seed_gives_the_same_evening() -> None:
    first, second = (evening_scene(5, "hard") for _ in range(2))
    assert (first.clutter, first.figures, first.camera) == (second.clutter, second.figures, second.camera)


def test_a_stage_has_a_body_for_each_solid_thing() -> None:
    scene = evening_scene(3, "normal")
    solid = [thing for thing in scene.clutter if thing.kind == "die" or thing.kind in props.SOLIDS]
    assert sum(body.name.startswith("clutter:") for body in build_stage(scene).bodies) == len(solid)


@pytest.mark.parametrize("kind", sorted(props.SOLIDS))
def test_things_rest_on_the_table(kind: str) -> None:
    for seed in range(5):
        mesh = props.SOLIDS[kind](np.random.default_rng(seed), None)
        assert -0.3 < float(mesh.vertices[:, 2].min()) < 1.0
        assert 0 <= float(mesh.colors_bgr.min()) <= float(mesh.colors_bgr.max()) <= 1


def test_a_portrait_is_as_wide_as_a_small_base_and_has_no_body() -> None:
    for seed in range(20):
        mesh = props.portrait(np.random.default_rng(seed), (0.1, 0.6, 0.1))
        assert 17 < float(np.ptp(mesh.vertices[:, 0])) < 27.1
        assert mesh.height_mm < BASE_HEIGHT_MM + 0.3


def test_round_things_come_in_the_colours_of_rims() -> None:
    scene = random_scene(1, "hard")
    things = [thing for seed in range(60) for thing in things_on_cells(np.random.default_rng(seed), scene, 12)]
    painted = [thing.color is not None for thing in things if thing.kind in ("counter", "chip", "cap", "portrait")]
    assert 0.6 < np.mean(painted) < 0.8


def test_a_figure_that_leans_keeps_its_base_in_place() -> None:
    scene = evening_scene(4, "normal")
    leaning = next(placed for placed in scene.figures if placed.leaning != (0.0, 0.0))
    body = figure_body(scene, leaning).mesh.vertices
    base = body[np.abs(body[:, 2] - scene.printed.tile_set.thickness_mm - BASE_HEIGHT_MM) < 0.01]
    middle = (base[:, :2].max(0) + base[:, :2].min(0)) / 2
    assert np.abs(middle - leaning.center_mm).max() < 0.7


def test_a_fallen_figure_lies_on_the_board_and_no_longer_stands_there() -> None:
    scenes = [evening_scene(seed, "normal") for seed in range(40)]
    scene = next(scene for scene in scenes if scene.fallen)
    (lying, *_), truth = scene.fallen, truth_document(scene)
    body = fallen_body(scene, lying).mesh.vertices
    ground = scene.printed.tile_set.thickness_mm
    assert abs(float(body[:, 2].min()) - ground) < 0.01
    low = body[body[:, 2] < ground + 0.5]
    assert np.ptp(low[:, :2], axis=0).max() > lying.figure.height_mm / 4  # on its rim and on its body
    (said,) = [each for each in truth["fallen"] if each["id"] == lying.figure.id]
    middle = lattice_cell(scene, body[:, :2].mean(axis=0))
    assert list(middle) in said["across"]
    assert all(tuple(cell) in scene.cells for cell in said["across"])
    assert lying.figure.id not in {figure["id"] for figure in truth["figures"]}
    assert lying.figure.id not in scene.board.figure_by_id


def test_chips_bare_some_of_the_rim() -> None:
    figure = RosterFigure("imp", "imp", "monsters", (1, 1), 22.0, 30.0, "#ff0000")
    look = BodyLook("blob", (0.2, 0.2, 0.2))
    whole, chipped = (figure_mesh(figure, look._replace(chipped=share), 1).colors_bgr for share in (0.0, 0.5))
    bare = (whole != chipped).any(1)
    assert 0.05 < bare[(whole[:, 2] > 0.9) & (whole[:, 0] < 0.1)].mean() < 0.9
