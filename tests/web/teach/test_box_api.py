"""Teaching a box over the API, with the real reader on simulated phone photos."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from loose_box import lay_out_loosely, loose_scene, random_box

from assistant.app.teaching.box import BoxTeacher
from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.table.camera import NO_MARKERS
from vision.simulation.dataset import take_photo
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
BOX = "/api/v1/teach/box"


@pytest.fixture(scope="module")
def photo():
    """Two tiles and a door on felt."""
    box = random_box(11, 2)
    layout = lay_out_loosely(np.random.default_rng(5), box, box.tiles, ("door token",))
    return take_photo(loose_scene(41, box, layout, "A", "felt", photo_wh=(1280, 960)))[0]


@pytest.fixture
def owner(build, state, client, tmp_path):
    """A client that joined as the owner, at a desk for boxes."""
    build.put(state, box=BoxTeacher(TaughtGames(tmp_path), lambda: TeachingTable(NO_MARKERS, None)))
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    return client


def test_a_box_is_read_corrected_and_saved(owner, state, photo):
    begun = owner.post(f"{BOX}/photos?turned=0", data=photo, headers=CHANGE).get_json()
    assert begun["batches"] == [{"fronts": 1, "backs": 0}]
    assert begun["reading"] is not None
    assert state.box.wait(timeout_s=280)

    box = owner.get(BOX).get_json()
    assert (box["reading"], box["problem"]) == (None, None)
    assert [side["id"] for side in box["sides"]] == ["01A", "02A"]
    assert [thing["kind"] for thing in box["others"]] == ["door"]
    assert {one["tiles"] for one in box["boxes"]} >= {24, 58}

    key = box["sides"][0]["key"]
    assert owner.get(f"{BOX}/pictures/{key}").data.startswith(b"\x89PNG")
    tile = owner.get(f"{BOX}/sides/{key}").get_json()
    cells = [one["cell"] for one in tile["cells"]]
    line = {"from": cells[0], "to": [cells[0][0] + 1, cells[0][1]], "kind": "obstacle"}
    owner.post(f"{BOX}/sides/{key}", json={"cells": cells, "edges": [line]}, headers=CHANGE)
    renamed = owner.post(f"{BOX}/sides/{key}/name", json={"id": "07A"}, headers=CHANGE).get_json()
    assert [(side["id"], side["doubts"]) for side in renamed["sides"] if side["key"] == key] == [("07A", 0)]

    kept = owner.post(f"{BOX}/keep", json={"set": "home"}, headers=CHANGE)
    assert kept.get_json() == {"name": "home", "sides": ["07A", "02A"]}
    again = owner.post(f"{BOX}/keep", json={"set": "home"}, headers=CHANGE)
    assert again.get_json()["error"]["kind"] == "WouldReplace"
    assert owner.post(f"{BOX}/keep", json={"set": "home", "replace": True}, headers=CHANGE).status_code == 200
    door = box["others"][0]["key"]
    doors = owner.post(f"{BOX}/doors/{door}", json={"roster": "home", "count": 8}, headers=CHANGE)
    assert doors.get_json()["doors"] == 8

    left = owner.post(f"{BOX}/drop/{key}", headers=CHANGE).get_json()
    assert [side["key"] for side in left["sides"]] != [key]
    assert owner.post(f"{BOX}/clear", headers=CHANGE).get_json()["sides"] == []


def test_a_photo_without_tiles_is_told(owner, state):
    _, bare = cv2.imencode(".jpg", np.full((900, 1200, 3), 120, np.uint8))
    owner.post(f"{BOX}/photos", data=bytes(bare), headers=CHANGE)
    assert state.box.wait(timeout_s=280)
    assert "No tile was found" in owner.get(BOX).get_json()["problem"]
