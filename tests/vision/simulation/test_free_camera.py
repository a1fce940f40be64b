"""The simulated camera over a table without a grid: hands move models, and the picture is really read."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assistant.app.matches.archive import load_shipped_mission
from assistant.documents import free_table_from_json, to_json
from vision.free.reading import FreeTableReader
from vision.simulation.free_camera import REACH_S, ModelPlace, VirtualFreeCamera
from vision.simulation.free_sample import free_sample_scene

WALKED_MM = (287.5, 131.0)


@pytest.fixture(scope="module")
def table():
    return free_table_from_json(to_json(load_shipped_mission("roads_first_skirmish").table).encode(), "mission")


@pytest.fixture(scope="module")
def scene(table):
    return free_sample_scene(table)


@pytest.fixture(scope="module")
def pictures(table, scene):
    """The table at first, with a hand over it, after a model has walked, and after one has gone."""
    now = [0.0]
    camera = VirtualFreeCamera(scene, lambda: now[0])
    taken = {"first": camera.frame()}
    stand = {
        figure.id: ModelPlace(
            figure.id, (float(figure.center_mm[0]), float(figure.center_mm[1])), 0.0, float(figure.facing_deg)
        )
        for figure in table.figures
    }
    camera.put(tuple(stand.values()))
    taken["same"] = camera.frame()
    camera.put([replace(place, center_mm=(place.center_mm[0] + 20, 250.0)) for place in stand.values()])  # overtaken
    stand["squire"] = ModelPlace("squire", WALKED_MM, 0.0, 0.0)
    del stand["crossbow"]
    camera.put(tuple(stand.values()))
    taken["hand"] = camera.frame()
    now[0] += REACH_S
    taken["walked"] = camera.frame()
    return taken


def changed(before, after):
    return int((np.abs(before.astype(int) - after) > 40).sum())


def test_a_hand_is_seen_only_when_somebody_is_moved(pictures):
    assert changed(pictures["first"], pictures["same"]) < 100
    assert changed(pictures["same"], pictures["hand"]) > 10_000


def test_the_reader_finds_everybody_to_the_millimetre_before_and_after_a_move(table, scene, pictures):
    reader = FreeTableReader(table, scene.roster, scene.markers, scene.view.lens)
    first, walked = (reader.read(pictures[name]).sighting for name in ("first", "walked"))
    truth = {f.id: (float(f.center_mm[0]), float(f.center_mm[1])) for f in table.figures}
    assert set(first.seen_mm) == set(truth)
    assert max(math.dist(first.seen_mm[name], place) for name, place in truth.items()) < 1
    assert set(walked.seen_mm) == set(truth) - {"crossbow"}
    assert math.dist(walked.seen_mm["squire"], WALKED_MM) < 1
