"""The ray tracer's scene matches the table's truth; without Blender and the generator of scenes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.raytraced_roads.__main__ import with_truth
from tests.raytraced_roads.tables import TREE_ROOM_MM, Job, make_job
from vision.simulation.figures import BASE_HEIGHT_MM
from vision.simulation.free_placing import inside_mm, reach_of

SEEDS = (3, 4, 5)


class _Camera:
    """The generator's camera: takes a place, and answers how large a picture is."""

    def __init__(self, *told: Any) -> None:
        self.fx, self.cx, self.cy = told[5:8]

    def render_size(self) -> tuple[int, int]:
        return int(2 * self.cx + 1), int(2 * self.cy + 1)

    def blender(self) -> list[list[float]]:
        return np.eye(4).tolist()


class _Shot:
    """The generator's scene: whatever is put on it."""


def _drawn(_seed: int) -> dict[str, Any]:
    upright, beast = ({"type": kind, "ground": "#202020"} for kind in ("humanoid", "beast"))
    bodies = [beast, upright, upright, upright, upright, beast, beast, beast, beast]
    return {"roster": [("", "", (1, 1), 30, "", [], body) for body in bodies], "tables": [{"kind": "felt"}]}


@pytest.fixture(scope="module", params=SEEDS)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    return _job(request.param, tmp_path_factory.mktemp("work"))


def _job(seed: int, work: Path) -> Job:
    generator: Any = SimpleNamespace(
        Cam=_Camera,
        Scene=_Shot,
        varied_set=_drawn,
        lights_for=lambda *_: ([], {}),
        extras=lambda *_: None,
        marker_png=lambda _work, marker: ("tag.png", marker["quiet"] / marker["size"]),
    )
    return make_job(generator, seed, work, 1)


def test_models_and_terrain_are_built_where_the_truth_has_them(job: Job) -> None:
    truth = [(*model.center_mm, model.elevation_mm, model.turn_deg) for model in job.scene.figures]
    told = job.document["figures"]
    assert [(one["x"], one["y"], one["z"], one["rot"]) for one in told] == truth
    sizes = [model.figure.base_size_mm for model in job.scene.figures]
    assert [(one["base"] * 2)[:2] for one in told] == [list(size) for size in sizes]
    assert [
        one["base"] for one in told if len(one["base"]) == 1 and one["base"][0] > 30 and one["body"]["type"] == "beast"
    ] == []
    built = {piece["id"]: (piece["height"], piece["outline"]) for piece in job.document["terrain"]}
    for piece in job.scene.terrain:
        height_mm, outline_mm = built.pop(piece.id)
        assert height_mm == float(piece.height_mm)
        assert outline_mm == [[float(x), float(y)] for x, y in piece.outline_mm]
    assert not built


def test_a_mark_lies_on_the_rim_where_the_model_looks(job: Job) -> None:
    marked = [model for model in job.scene.figures if model.figure.mark]
    assert len(marked) == len(job.document["marks"])
    for model, mark in zip(marked, job.document["marks"], strict=True):
        assert (mark["x"], mark["y"], mark["turn"]) == (*model.center_mm, model.turn_deg)
        outer, inner = np.array(mark["outer"]), np.array(mark["inner"])
        assert mark["top"] == BASE_HEIGHT_MM
        assert outer[:, 0].max() == pytest.approx(model.figure.base_size_mm[0] / 2, abs=0.06)
        assert outer[:, 1].sum() == pytest.approx(0, abs=1e-9)
        assert (np.hypot(*inner.T) < np.hypot(*outer.T)).all()


def test_trees_stand_on_difficult_ground_beside_the_models(tmp_path: Path) -> None:
    jobs = [_job(seed, tmp_path) for seed in (3, 5, 8, 11)]
    assert any(job.document["trees"] for job in jobs)
    for job in jobs:
        woods = [piece for piece in job.scene.terrain if piece.kind == "difficult"]
        for tree in job.document["trees"]:
            place = tree["x"], tree["y"]
            assert any(inside_mm(place, piece) > 0 for piece in woods)
            rooms = [math.dist(place, model.center_mm) - reach_of(model.figure) for model in job.scene.figures]
            assert min(rooms) > TREE_ROOM_MM


def test_a_seed_gives_the_same_table_again(tmp_path: Path) -> None:
    first, again = (json.dumps(_job(7, tmp_path).document) for _ in range(2))
    assert first == again


def test_the_truth_is_drawn_where_the_camera_sees_it(job: Job) -> None:
    scene = job.scene
    lens = scene.view.lens
    drawn = with_truth(np.zeros((lens.height_px, lens.width_px, 3), np.uint8), scene)
    for model in scene.figures:
        middle = scene.view.project(np.array([[*model.center_mm, model.elevation_mm + BASE_HEIGHT_MM]]))[0]
        x, y = np.round(middle).astype(int)
        if 2 <= x < lens.width_px - 2 and 2 <= y < lens.height_px - 2:
            assert drawn[y - 2 : y + 3, x - 2 : x + 3].any()
