"""Teaching over the API, with the real reader on a ray-traced photo."""

from __future__ import annotations

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.app.teaching.teacher import Teacher
from assistant.app.teaching.values import ConfirmedFigure, FigureBase
from assistant.documents import camera_from_json, roster_from_json, table_from_json
from assistant.table.lattice import Edge
from assistant.table.roster import DoorSpec, LookView
from vision.photo.decoding import decode_print
from vision.teaching.door_sighting import NewDoorSighting
from vision.teaching.figure_sighting import NewFigureSighting
from vision.teaching.tile_reading import SIDE_PX
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def place(build):
    return build.SCENES / "dev" / "easy-03"


@pytest.fixture
def desk(build, state, place, tmp_path):
    """The teaching desk on the table of a development scene."""
    markers = table_from_json((place / "table.json").read_bytes())
    lens = camera_from_json((place / "camera.json").read_bytes())
    build.put(state, teaching=Teacher(TaughtGames(tmp_path), lambda: TeachingTable(markers, lens)))
    return state.teaching


@pytest.fixture
def owner(state, client):
    """A client that joined as the owner."""
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    return client


READ = TeachingTable.tile


@pytest.fixture(scope="module")
def read_once():
    """The reader of tiles: seconds for the photo's first reading, nothing for the same photo again."""
    known = []

    def tile(table, photo):
        if not (known and np.array_equal(known[0][0], photo)):
            known[:] = [(photo, READ(table, photo))]
        return known[0][1]

    return tile


@pytest.fixture
def draft(desk, owner, place, read_once, monkeypatch):
    """The board of the photo, read as one large tile."""
    monkeypatch.setattr(TeachingTable, "tile", read_once)
    answer = owner.post("/api/v1/teach/tiles", data=(place / "photo.jpg").read_bytes(), headers=CHANGE)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def wish_of(draft, **more):
    """Return the page's request without corrections."""
    return {
        "set": "home",
        "id": "07A",
        "cells": [one["cell"] for one in draft["cells"]],
        "edges": [{k: one[k] for k in ("from", "to", "kind")} for one in draft["edges"] if one["kind"]],
        "difficult": [one["cell"] for one in draft["cells"] if one["difficult"]],
        **more,
    }


def test_a_tile_is_read_kept_exported_and_brought_in_again(owner, draft, tmp_path):
    assert min(draft["size_cells"]) >= 2
    assert all(0 <= one["confidence"] <= 1 for one in draft["edges"] + draft["cells"])
    picture = owner.get(f"/api/v1/teach/drafts/{draft['draft']}/picture")
    assert picture.data.startswith(b"\x89PNG")

    kept = owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=wish_of(draft), headers=CHANGE)
    assert kept.get_json() == {"name": "home", "sides": ["07A"]}
    other = owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=wish_of(draft, id="07B"), headers=CHANGE)
    assert other.get_json()["sides"] == ["07A", "07B"]
    again = owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=wish_of(draft), headers=CHANGE)
    assert again.get_json()["error"]["kind"] == "WouldReplace"
    sure = {**wish_of(draft), "replace": True}
    assert owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=sure, headers=CHANGE).status_code == 200

    exported = owner.get("/api/v1/teach/sets/home")
    with zipfile.ZipFile(io.BytesIO(exported.data)) as archive:
        assert sorted(archive.namelist()) == ["07A.png", "07B.png", "tileset.json"]
        document = json.loads(archive.read("tileset.json"))
        assert len(document["tiles"][0]["edges"]) == len(wish_of(draft)["edges"])
    brought = owner.post("/api/v1/teach/sets", data=exported.data, headers=CHANGE)
    assert (brought.status_code, brought.get_json()["sides"]) == (201, ["07A", "07B"])
    taught = owner.get("/api/v1/teach").get_json()
    assert taught["sets"] == [{"name": "home", "sides": ["07A", "07B"]}]
    assert {"kind": "imp", "side": "invader"} in taught["known_figures"]

    # What is corrected by hand is kept so, and a tile may be cut down to some of its cells.
    one = next(one["cell"] for one in draft["cells"])
    line = {"from": one, "to": [one[0] + 1, one[1]], "kind": "obstacle"}
    small = {**wish_of(draft, id="S"), "cells": [one], "edges": [line], "difficult": [one]}
    owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=small, headers=CHANGE)
    side = TaughtGames(tmp_path).tile_set("home").side("S")
    assert (side.cells, side.difficult) == (frozenset({(0, 0)}), frozenset({(0, 0)}))
    assert list(side.edges.values()) == ["obstacle"]
    assert (tmp_path / "profiles" / "tiles" / "home").is_dir()


def test_a_shared_box_brings_its_doors_along_whoever_made_it(owner, draft, tmp_path):
    owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=wish_of(draft), headers=CHANGE)
    TaughtGames(tmp_path).keep_doors("home", DoorSpec(8, 1, 30.0, 2.0), None)
    shared = owner.get("/api/v1/teach/sets/home").data
    friend = TaughtGames(tmp_path / "friend")
    friend.imported(None, shared, "ask")
    assert friend.roster("home").doors.count == 8


def test_a_cell_that_the_reading_missed_is_added_by_hand(owner, draft, tmp_path):
    """The picture includes some of the table round the tile, with apparent print."""
    cells = {tuple(one["cell"]) for one in draft["cells"]}
    columns, rows = draft["size_cells"]
    beside = min((column - 1, row) for column, row in cells if (column - 1, row) not in cells and 0 < column < columns)
    assert draft["around"]
    assert {(tuple(one["from"]), tuple(one["to"])) for one in draft["around"]}.isdisjoint(
        {(tuple(one["from"]), tuple(one["to"])) for one in draft["edges"]}
    )
    line = {"from": beside, "to": [beside[0], beside[1] + 1], "kind": "wall"}
    wish = {**wish_of(draft, id="W"), "cells": [*map(list, cells), beside]}
    wish["edges"] = [*wish["edges"], line]

    kept = owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=wish, headers=CHANGE)

    assert kept.status_code == 200, kept.text
    games = TaughtGames(tmp_path)
    side = games.tile_set("home").side("W")
    assert len(side.cells) == len(cells) + 1
    left, top = min(c for c, _ in cells | {beside}), min(r for _, r in cells | {beside})
    place = (beside[0] - left, beside[1] - top)
    assert side.edges[Edge(place, (place[0], place[1] + 1))] == "wall"
    picture = decode_print((games.profiles.path("tiles", "home") / side.image).read_bytes())
    x, y = (int((value + 0.5) * SIDE_PX) for value in place)
    assert picture[y, x, 3] == 255
    outside = {**wish, "cells": [*wish["cells"], [columns, rows]]}
    refused = owner.post(f"/api/v1/teach/drafts/{draft['draft']}/tile", json=outside, headers=CHANGE)
    assert refused.status_code == 400


WRONG = (
    {"cells": [[60, 60]]},
    {"cells": []},
    {"edges": [{"from": [0, 0], "to": [2, 0], "kind": "wall"}]},
    {"edges": [{"from": [0, 0], "to": [1, 0], "kind": "door"}]},
    {"set": ""},
    {"id": "///"},
    {"set": "../up"},
    {"more": 1},
)


def test_a_wrong_wish_is_refused_in_a_sentence(owner, desk, draft):
    for change in WRONG:
        answer = owner.post(
            f"/api/v1/teach/drafts/{draft['draft']}/tile", json={**wish_of(draft), **change}, headers=CHANGE
        )

        assert answer.status_code == 400, change
        assert answer.get_json()["error"]["message"]
    assert desk.sets() == []


def test_what_is_no_photo_or_no_zip_is_refused(owner, desk):
    for path in ("tiles", "figures", "doors", "sets"):
        for data in (b"", b"nothing of ours"):
            answer = owner.post(f"/api/v1/teach/{path}", data=data, headers=CHANGE)
            assert answer.status_code == 400, (path, answer.text)
    assert owner.get("/api/v1/teach/drafts/none/picture").status_code == 400
    assert owner.get("/api/v1/teach/sets/none").status_code == 400


def test_a_figure_is_read_together_with_its_other_sides(owner, desk, place, monkeypatch):
    look = np.full((32, 32, 3), 120, np.uint8)
    spot = NewFigureSighting((0.0, 0.0), "round", (30.0, 30.0), None, 0.9, look, (LookView(20.0, b"a" * 5),))
    base = replace(spot, base_size_mm=(22.0, 22.0), sides=(LookView(25.0, b"b" * 5),))
    further = replace(base, sides=(LookView(25.0, b"c" * 5),))
    shown = iter([[spot, replace(base, lead=0.5)], [further], [further]])
    monkeypatch.setattr(TeachingTable, "bases", lambda *_: next(shown))
    photo, path = (place / "photo.jpg").read_bytes(), "/api/v1/teach/figures"

    one = owner.post(path, data=photo, headers=CHANGE).get_json()
    assert (one["base"]["size_mm"], one["sides"], one["photos"]) == ([30.0, 30.0], 1, 1)
    both = owner.post(f"{path}?draft={one['draft']}", data=photo, headers=CHANGE).get_json()
    assert (both["base"]["size_mm"], both["sides"], both["photos"]) == ([22.0, 22.0], 2, 2)
    door = desk._put(NewDoorSighting(25.6, 30.2, 0.95, look))
    for stray in ("none", door):
        assert owner.post(f"{path}?draft={stray}", data=photo, headers=CHANGE).status_code == 400


def test_figures_that_two_tablets_keep_at_once_are_both_there(desk, place, monkeypatch):
    seen = NewFigureSighting((0.0, 0.0), "round", (22.0, 22.0), None, 0.9, np.full((32, 32, 3), 120, np.uint8))
    base = FigureBase("round", (22.0, 22.0), (1, 1))
    monkeypatch.setattr(TeachingTable, "bases", lambda *_: [seen])
    draft = desk.read_figure((place / "photo.jpg").read_bytes(), None, None).id
    figure = ConfirmedFigure("box", "", "imp", "demons", 30.0, None, base)
    with ThreadPoolExecutor(8) as tablets:
        list(tablets.map(lambda _: desk.keep_figure(draft, figure), range(24)))

    assert len(desk.rosters()[0].figures) == 24


def test_without_a_desk_nothing_can_be_taught(owner):
    assert owner.get("/api/v1/teach").status_code == 404


def test_a_figure_and_doors_go_into_a_roster(owner, desk, place, tmp_path, monkeypatch):
    """tests/vision/teaching covers the photos of figures and doors; this is about a draft's result."""
    look = np.full((32, 32, 3), 120, np.uint8)
    seen = NewFigureSighting((0.0, 0.0), "rectangle", (47.5, 22.0), "#cc3322", 0.9, look)
    monkeypatch.setattr(TeachingTable, "bases", lambda *_: [seen])
    figure = desk.read_figure((place / "photo.jpg").read_bytes(), None, None).id
    door = desk._put(NewDoorSighting(25.6, 30.2, 0.95, look))
    long = {"shape": "rectangle", "size_mm": [47.5, 22], "size_cells": [2, 1]}
    round_one = {"shape": "round", "size_mm": [44, 12], "size_cells": [2, 2]}
    base = {"roster": "box", "kind": "imp", "side": "demons", "ring": "#cc3322", "base": long}

    for _ in range(2):
        kept = owner.post(f"/api/v1/teach/drafts/{figure}/figure", json=base, headers=CHANGE)
        assert kept.status_code == 200, kept.text
    owner.post(
        f"/api/v1/teach/drafts/{figure}/figure",
        json={**base, "id": "boss", "ring": None, "base": round_one},
        headers=CHANGE,
    )
    kept = owner.post(f"/api/v1/teach/drafts/{door}/door", json={"roster": "box", "count": 8}, headers=CHANGE)

    assert [one["id"] for one in kept.get_json()["figures"]] == ["imp", "imp-2", "boss"]
    document = TaughtGames(tmp_path).profiles.read("roster", "box")
    roster = roster_from_json(document)
    brute, _, boss = roster.figures
    assert (brute.base_shape, brute.base_mm, brute.base_size_mm, brute.size) == (
        "rectangle",
        22.0,
        (47.5, 22.0),
        (2, 1),
    )
    assert (boss.base_shape, boss.base_mm, boss.base_size_mm, boss.size) == ("round", 44.0, (44.0, 44.0), (2, 2))
    assert boss.ring is None
    assert (roster.doors.count, roster.doors.width_cells, roster.doors.height_mm) == (8, 1, 30.2)
    raw = json.loads(document)
    assert raw["doors"]["look"]
    assert all(one["look"] for one in raw["figures"])
    wrong = owner.post(f"/api/v1/teach/drafts/{door}/figure", json=base, headers=CHANGE)
    assert wrong.status_code == 400
