"""The server's data for a phone held over the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.table.camera import NO_MARKERS, Calibration
from assistant.table.observation import table_from_lattice
from calibration.markers import cells_of


@pytest.fixture
def shown(state, build):
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    return shot


def test_the_plan_leads_back_onto_the_table(client, shown):
    document = client.get("/api/v1/lens/scene").json

    origin, right, down = np.array(document["mm_from_plan"])
    for drawn in document["scene"]["cells"]:
        (x, y), cell = drawn["outline"][0], drawn["cell"]
        there_mm = origin + x * (right - origin) + y * (down - origin)
        assert there_mm == pytest.approx(table_from_lattice(shown.read.observation.grid, cell), abs=0.05)


def test_each_marker_comes_with_its_print_and_its_place(client, shown):
    markers = client.get("/api/v1/lens/scene").json["markers"]

    table = shown.read.calibration.markers
    assert [m["corners_mm"] for m in markers] == [[list(c) for c in m.corners_mm] for m in table.markers]
    for marker, known in zip(markers, table.markers, strict=True):
        cells, side = cells_of(table.marker_family, known.id)
        inner = np.frombuffer(cells, np.int8).reshape(side, side)[1:-1, 1:-1]
        assert marker["bits"] == "".join(map(str, inner.ravel()))


def test_the_last_ruling_is_answered_for_the_table_as_it_is_now(client, state, build, shown):
    assert client.get("/api/v1/lens/scene").json["card"] is None
    question = {"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2016"}
    client.post(f"/api/v1/shots/{shown.id}/rulings", json=question, headers={"X-Sightline": "1"})
    assert client.get("/api/v1/lens/scene").json["card"]["verdict"]

    board = shown.board
    without = replace(board, figures=tuple(figure for figure in board.figures if figure.id != "imp-1"))
    state.shelf.put(replace(shown, id="photo-later", corrected=without))
    assert client.get("/api/v1/lens/scene").json["card"] is None


def test_a_table_that_nobody_read_yet_is_refused_in_a_sentence(client):
    answer = client.get("/api/v1/lens/scene")
    assert answer.status_code == 409
    assert answer.json["error"]["message"].startswith("No table was read yet.")


def test_a_table_without_markers_is_refused_in_a_sentence(client, state, build):
    shot = build.true_shot("easy-03")
    state.shelf.put(replace(shot, read=replace(shot.read, calibration=Calibration(NO_MARKERS, None))))
    answer = client.get("/api/v1/lens/scene")
    assert answer.status_code == 409
    assert "printed markers" in answer.json["error"]["message"]
