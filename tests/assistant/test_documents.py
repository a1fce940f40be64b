"""Every document: refusals name the field at fault, and written documents can be read back."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant.documents
from assistant.documents import (
    MAX_DOCUMENT_BYTES,
    board_document,
    board_from_json,
    camera_from_json,
    error_document,
    free_table_document,
    free_table_from_json,
    observation_document,
    observation_from_json,
    reach_document,
    read_bytes,
    roster_document,
    roster_from_json,
    ruling_document,
    table_from_json,
    tile_set_from_json,
    to_json,
)
from assistant.errors import BadValue, BoardError, DocumentError, InputError, MissingField, UnknownFormat
from assistant.games.doom2016.rules.reasons import RULES
from assistant.rules.ruling import Blocker, Change, End, Origin, Reach, Reason, Ruling, SightLine
from assistant.table.board import Board, BoardStatus, Door, Figure
from assistant.table.lattice import Edge

WRITTEN_BY_WINDOWS = {
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "a shell": lambda text: text.encode("utf-16"),
    "a shell, other end first": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "lines of an editor": lambda text: text.replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("written", WRITTEN_BY_WINDOWS)
def test_what_windows_shells_and_editors_write_is_read(written: str, tmp_path: Path) -> None:
    data = WRITTEN_BY_WINDOWS[written](json.dumps(BOARD, indent=1))
    (tmp_path / "board.json").write_bytes(data)
    assert (
        board_from_json(data)
        == board_from_json(read_bytes(tmp_path / "board.json"))
        == board_from_json(json.dumps(BOARD).encode())
    )
    assert assistant.documents.format_of(data) == "sightline.board/1"


def test_half_a_letter_behind_a_mark_of_windows_is_no_json() -> None:
    with pytest.raises(BadValue, match="not valid JSON"):
        board_from_json(b"\xff\xfe{")


BOARD: dict[str, Any] = {
    "format": "sightline.board/1",
    "cell_mm": 25.4,
    "cells": [[c, r] for c in range(6) for r in range(4)],
    "edges": [{"from": [3, 1], "to": [3, 2], "kind": "wall"}],
    "doors": [{"id": "d1", "edges": [{"from": [2, 1], "to": [2, 2]}], "open": False}],
    "figures": [
        {"id": "alpha", "kind": "marine", "side": "marines", "cells": [[1, 1]]},
        {"id": "imp-1", "kind": "imp", "side": "demons", "cells": [[4, 2]]},
    ],
}
TABLE: dict[str, Any] = {
    "format": "sightline.table/1",
    "marker_family": "DICT_APRILTAG_36h11",
    "cell_mm": 25.4,
    "markers": [
        {"id": i, "corners_mm": [[90 * i, 0], [90 * i + 40, 0], [90 * i + 40, 40], [90 * i, 40]]} for i in range(4)
    ],
}
CAMERA: dict[str, Any] = {
    "format": "sightline.camera/1",
    "width": 1920,
    "height": 1080,
    "matrix": [[1500, 0, 959.5], [0, 1500, 539.5], [0, 0, 1]],
    "distortion": [0.1, -0.2, 0, 0, 0.05],
}
TILES: dict[str, Any] = {
    "format": "sightline.tileset/1",
    "name": "corridors",
    "cell_mm": 25.4,
    "pixels_per_cell": 64,
    "tiles": [
        {
            "id": "07A",
            "image": "07A.png",
            "cells": [[0, 0], [1, 0]],
            "difficult": [[1, 0]],
            "edges": [{"from": [0, 0], "to": [1, 0], "kind": "wall"}],
        }
    ],
}
ROSTER: dict[str, Any] = {
    "format": "sightline.roster/1",
    "figures": [
        {"id": "a", "kind": "marine", "side": "m", "size": [1, 1], "base_mm": 22, "height_mm": 33, "ring": "#1B9E3A"}
    ],
    "doors": {"count": 8, "width_cells": 1, "height_mm": 30, "thickness_mm": 2},
}
OBSERVATION: dict[str, Any] = {
    "format": "sightline.observation/1",
    "camera": {"reprojection_px": 0.4, "markers_seen": [0, 1, 2, 3]},
    "grid": {"origin_mm": [10, 20.5], "angle_deg": 12.5, "cell_mm": 25.4},
    "tiles": [{"id": "07A", "center_mm": [100, 90], "rotation_deg": 90, "confidence": 0.98}],
    "doors": [{"from_mm": [0, 0], "to_mm": [25.4, 0], "confidence": 0.9}],
    "figures": [
        {"id": None, "kind": "imp", "ring": "#d9772b", "center_mm": [5, 5], "cells": [[4, 2]], "confidence": 0.95}
    ],
    "board": BOARD,
    "doubts": [
        {
            "about": ["imp-1"],
            "variants": [
                {"chance": 0.7, "figures": [BOARD["figures"][1]], "doors": []},
                {"chance": 0.3, "figures": [{**BOARD["figures"][1], "cells": [[3, 2]]}], "doors": []},
            ],
        },
        {
            "about": [],
            "variants": [
                {"chance": 0.9, "figures": [], "doors": []},
                {
                    "chance": 0.1,
                    "figures": [],
                    "doors": [{"id": "d2", "edges": [{"from": [4, 1], "to": [4, 2]}], "open": False}],
                },
            ],
        },
    ],
}
FREE_TABLE: dict[str, Any] = {
    "format": "sightline.free-table/1",
    "step_mm": 50,
    "size_mm": [1200, 900],
    "terrain": [{"id": "ruin", "outline_mm": [[0, 0], [100, 0], [100, 80.5]], "height_mm": 60, "kind": "wall"}],
    "figures": [
        {
            "id": name,
            "side": name,
            "center_mm": [x, 0.1],
            "base_mm": 25,
            "height_mm": 30,
            "elevation_mm": 0,
            "facing_deg": 0,
            "stats": {"mobility": 4, "toughness": 6, "spirit": 4, "combat": 4},
        }
        for name, x in (("mortar", 300), ("digger", 400))
    ],
}

READERS: dict[str, tuple[Callable[[bytes], object], dict[str, Any]]] = {
    "board": (board_from_json, BOARD),
    "table": (table_from_json, TABLE),
    "camera": (camera_from_json, CAMERA),
    "tileset": (tile_set_from_json, TILES),
    "roster": (roster_from_json, ROSTER),
    "observation": (observation_from_json, OBSERVATION),
    "free table": (free_table_from_json, FREE_TABLE),
}
DROP = object()


def look(views: list[bytes], tilt_deg: float = 20.0) -> dict[str, Any]:
    """Return the look of a figure with such points."""
    shown = [{"tilt_deg": tilt_deg, "points": b64encode(points).decode()} for points in views]
    return {"version": 1, "rim": "#1B9E3A", "views": shown, "picture": "AAAA"}


def changed(document: dict[str, Any], path: str, value: object) -> bytes:
    """Return the document with one field (``figures.0.id``) replaced, or left out for DROP."""
    copy = json.loads(json.dumps(document))
    *parents, last = path.split(".")
    place: Any = copy
    for part in parents:
        place = place[int(part)] if isinstance(place, list) else place[part]
    key: Any = int(last) if isinstance(place, list) else last
    if value is DROP:
        del place[key]
    else:
        place[key] = value
    return json.dumps(copy).encode()


@pytest.mark.parametrize("name", READERS)
def test_the_sample_of_each_document_is_read(name: str) -> None:
    read, sample = READERS[name]
    assert read(json.dumps(sample).encode())


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"{", BadValue, "not valid JSON"),
        (b"", BadValue, "not valid JSON"),
        (b"\xff\xfe", BadValue, "not valid JSON"),
        (b"[" * 100_000, BadValue, "must be an object"),
        (b'{"a":' + b"[" * 100_000, BadValue, "not valid JSON"),
        (b"[]", BadValue, "must be an object of format sightline."),
        (b"null", BadValue, "must be an object"),
        (b"{}", MissingField, "format"),
        (b'{"format": "sightline.other/9"}', UnknownFormat, "format"),
        (b'{"format": 7}', UnknownFormat, "format"),
    ],
)
def test_what_is_no_document_of_the_format_is_refused_as_such(
    name: str, data: bytes, kind: type[DocumentError], words: str
) -> None:
    with pytest.raises(kind, match=words) as caught:
        READERS[name][0](data)
    assert caught.value.document == name


@pytest.mark.parametrize("name", READERS)
def test_every_required_field_is_named_when_it_is_missing(name: str) -> None:
    read, sample = READERS[name]
    optional = {"format", "doubts"} | ({"name", "cell_mm"} if name in ("tileset", "table") else set())
    required = [field for field in sample if field not in optional]
    assert required
    for field in required:
        with pytest.raises(MissingField) as caught:
            read(changed(sample, field, DROP))
        assert caught.value.field == field


REFUSALS = [
    ("board", "cells", [[0.5, 1]], "cells[0][0]"),
    ("board", "cells", [[1.0, 1]], "cells[0][0]"),
    ("board", "cells", [["1", 1]], "cells[0][0]"),
    ("board", "cells", [[True, 1]], "cells[0][0]"),
    ("board", "cells", [[1]], "cells[0]"),
    ("board", "cells", [[1 << 15, 1]], "cells[0][0]"),
    ("board", "cells", [], "cells"),
    ("board", "cells", {"0": 1}, "cells"),
    ("board", "cell_mm", 0, "cell_mm"),
    ("board", "cell_mm", "25.4", "cell_mm"),
    ("board", "cell_mm", None, "cell_mm"),
    ("board", "edges", [{"from": [0, 0], "to": [2, 0], "kind": "wall"}], "edges[0]"),
    ("board", "edges", [{"from": [0, 0], "to": [0, 0], "kind": "wall"}], "edges[0]"),
    ("board", "edges.0.kind", "fog", "edges[0].kind"),
    ("board", "edges.0.from", DROP, "edges[0].from"),
    (
        "board",
        "edges",
        [{"from": [0, 0], "to": [1, 0], "kind": "wall"}, {"from": [1, 0], "to": [0, 0], "kind": "obstacle"}],
        "edges[1].kind",
    ),
    ("board", "doors.0.edges", [], "doors[0]"),
    ("board", "doors.0.edges.0.to", [2, 4], "doors[0].edges[0]"),
    ("board", "doors.0.edges", [{"from": [50, 50], "to": [51, 50]}], "doors[0]"),
    ("board", "doors.0.open", 0, "doors[0].open"),
    ("board", "difficult", [[99, 99]], "difficult"),
    ("board", "blocking", [[99, 99]], "blocking"),
    ("board", "figures.0.cells", [[99, 1]], "figures[0].cells"),
    ("board", "figures.0.cells", [], "figures[0].cells"),
    ("board", "figures.0.cells", [[1, 1], [2, 2]], "figures[0].cells"),
    ("board", "figures.1.cells", [[1, 1]], "figures[1].cells"),
    ("board", "figures.1.id", "alpha", "figures[1]"),
    ("board", "figures.1.id", "", "figures[1].id"),
    ("board", "figures.1.id", "x" * 201, "figures[1].id"),
    ("table", "markers", TABLE["markers"][:3], "markers"),
    ("table", "markers.3.id", 0, "markers[3].id"),
    ("table", "markers.3.id", -1, "markers[3].id"),
    ("table", "markers.3.corners_mm", [[0, 0]] * 4, "markers[3].corners_mm"),
    ("table", "markers.3.corners_mm", [[0, 0]] * 3, "markers[3].corners_mm"),
    ("table", "cell_mm", 0, "cell_mm"),
    ("camera", "width", 0, "width"),
    ("camera", "width", 1920.5, "width"),
    ("camera", "matrix", [[1, 0], [0, 1]], "matrix[0]"),
    ("camera", "matrix.0.0", 0, "matrix"),
    ("camera", "matrix.2.2", 2, "matrix"),
    ("camera", "distortion", [0, 0, 0, 0], "distortion"),
    ("tileset", "tiles", [], "tiles"),
    ("tileset", "tiles", TILES["tiles"] * 2, "tiles[1].id"),
    ("tileset", "tiles.0.cells", [], "tiles[0].cells"),
    ("tileset", "tiles.0.difficult", [[5, 5]], "tiles[0].difficult"),
    ("tileset", "tiles.0.edges.0.to", [3, 0], "tiles[0].edges[0]"),
    ("tileset", "pixels_per_cell", 0, "pixels_per_cell"),
    ("tileset", "thickness_mm", -1, "thickness_mm"),
    ("roster", "figures", ROSTER["figures"] * 2, "figures[1].id"),
    ("roster", "figures.0.base_shape", "rectangle", "figures[0].base_size_mm"),
    ("roster", "figures.0.base_shape", "oval", "figures[0].base_shape"),
    ("roster", "figures.0.ring", "green", "figures[0].ring"),
    ("roster", "figures.0.size", [0, 1], "figures[0].size[0]"),
    ("roster", "figures.0.look", 3, "figures[0].look"),
    ("roster", "figures.0.look", "no base64 é", "figures[0].look"),
    ("roster", "figures.0.look", {"version": 2}, "figures[0].look.version"),
    ("roster", "figures.0.look", {"version": 1, "rim": "green"}, "figures[0].look.rim"),
    ("roster", "figures.0.look", look([bytes(5)], tilt_deg=91), "figures[0].look.views[0].tilt_deg"),
    ("roster", "figures.0.look", look([b"cut"]), "figures[0].look.views[0].points"),
    ("roster", "figures.0.look", look([b""]), "figures[0].look.views[0].points"),
    ("roster", "figures.0.look", look([bytes(5 * 3001)]), "figures[0].look.views[0].points"),
    ("roster", "figures.0.look", look([bytes(5)] * 13), "figures[0].look.views"),
    ("roster", "figures.0.look", {"version": 1, "picture": "A" * 300_000}, "figures[0].look.picture"),
    ("roster", "figures.0.height_mm", 0, "figures[0].height_mm"),
    ("roster", "doors.count", -1, "doors.count"),
    ("observation", "board.format", "sightline.board/9", "board.format"),
    ("observation", "board.format", DROP, "board.format"),
    ("observation", "board.figures.0.cells", [[99, 1]], "board.figures[0].cells"),
    ("observation", "board.edges.0.to", [9, 9], "board.edges[0]"),
    ("observation", "board.cells", [[0.5, 1]], "board.cells[0][0]"),
    ("observation", "tiles.0.confidence", 1.5, "tiles[0].confidence"),
    ("observation", "tiles.0.rotation_deg", 360, "tiles[0].rotation_deg"),
    ("observation", "grid.angle_deg", 90, "grid.angle_deg"),
    ("observation", "figures.0.id", DROP, "figures[0].id"),
    ("observation", "doubts.0.about", ["nobody"], "doubts[0].about"),
    ("observation", "doubts.0.about", ["imp-1", "imp-1"], "doubts[0].about"),
    ("observation", "doubts.0.variants", [], "doubts[0].variants"),
    ("observation", "doubts.0.variants.1.chance", 0.2, "doubts[0].variants"),
    ("observation", "doubts.0.variants.1.chance", 0, "doubts[0].variants[1].chance"),
    ("observation", "doubts.0.variants.1.chance", "0.3", "doubts[0].variants[1].chance"),
    ("observation", "doubts.0.variants.0.figures", [], "doubts[0].variants[0]"),
    ("observation", "doubts.0.variants.1.figures.0.cells", [], "doubts[0].variants[1].figures[0].cells"),
    ("observation", "doubts.1.variants.1.doors.0.edges.0.to", [9, 9], "doubts[1].variants[1].doors[0].edges[0]"),
    ("observation", "doubts.1.variants.1.doors.0.id", "d1", "doubts[1]"),
    ("free table", "step_mm", 0, "step_mm"),
    ("free table", "size_mm", [1200], "size_mm"),
    ("free table", "size_mm", [0, 900], "size_mm[0]"),
    ("free table", "terrain.0.kind", "fog", "terrain[0].kind"),
    ("free table", "terrain.0.height_mm", -1, "terrain[0].height_mm"),
    ("free table", "terrain.0.outline_mm", [[0, 0], [1, 0]], "terrain[0].outline_mm"),
    ("free table", "terrain.0.outline_mm", [[0, 0], [9, 9], [9, 0], [0, 9]], "terrain[0].outline_mm"),
    ("free table", "terrain.0.outline_mm", [[0, 0], [9, 0], [5, 0]], "terrain[0].outline_mm"),
    ("free table", "terrain.0.outline_mm", [[0, 0], [9, 0], [9, 0], [0, 9]], "terrain[0].outline_mm"),
    ("free table", "terrain.0.outline_mm", [[i, i * i] for i in range(201)], "terrain[0].outline_mm"),
    ("free table", "terrain.0.outline_mm.1", [1e9, 0], "terrain[0].outline_mm[1][0]"),
    ("free table", "terrain", FREE_TABLE["terrain"] * 2, "terrain[1].id"),
    ("free table", "terrain", FREE_TABLE["terrain"] * 401, "terrain"),
    ("free table", "figures.1.id", "mortar", "figures[1].id"),
    ("free table", "figures", FREE_TABLE["figures"] * 201, "figures"),
    ("free table", "figures.1.base_mm", 0, "figures[1].base_mm"),
    ("free table", "figures.1.base_mm", "25", "figures[1].base_mm"),
    ("free table", "figures.1.center_mm", [1e9, 0], "figures[1].center_mm[0]"),
    ("free table", "figures.1.stats.mobility", 4.5, "figures[1].stats.mobility"),
    ("free table", "figures.1.stats.mobility", DROP, "figures[1].stats.mobility"),
    ("free table", "figures.1.wounds", -1, "figures[1].wounds"),
    ("free table", "figures.1.marks", ["sleepy"], "figures[1].marks[0]"),
]


@pytest.mark.parametrize(("name", "path", "value", "field"), REFUSALS)
def test_a_wrong_field_is_refused_and_named(name: str, path: str, value: object, field: str) -> None:
    read, sample = READERS[name]
    with pytest.raises(InputError) as caught:
        read(changed(sample, path, value))
    assert caught.value.field == field
    assert caught.value.document == name
    assert str(caught.value).startswith(f"{name}: {field}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"1e999", b"1" * 400])
def test_numbers_that_are_none_are_refused(number: bytes) -> None:
    data = json.dumps(BOARD).encode().replace(b"25.4", number)
    with pytest.raises(BadValue):
        board_from_json(data)


def test_a_board_error_keeps_all_its_flags_through_the_reader() -> None:
    with pytest.raises(BoardError) as caught:
        board_from_json(changed(BOARD, "figures.1", {"id": "alpha", "kind": "x", "side": "y", "cells": [[1, 1]]}))
    assert caught.value.flags == BoardStatus.FIGURE_TWICE | BoardStatus.FIGURES_OVERLAP


def test_a_board_of_a_million_cells_is_refused_by_its_size() -> None:
    cells = [[c, r] for c in range(1000) for r in range(1000)]
    with pytest.raises(BoardError, match="1,000,000 cells"):
        board_from_json(changed(BOARD, "cells", cells))


def test_files_are_named_when_they_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"absent\.json"):
        read_bytes(tmp_path / "absent.json")
    with pytest.raises(DocumentError, match="cannot be read"):
        read_bytes(tmp_path)
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_DOCUMENT_BYTES + 1)
    with pytest.raises(DocumentError, match="more than any document"):
        read_bytes(large)
    (tmp_path / "fine.json").write_bytes(b"{}")
    assert read_bytes(tmp_path / "fine.json") == b"{}"


def test_an_observation_is_read_back_as_it_was_written() -> None:
    observation = observation_from_json(json.dumps(OBSERVATION).encode())
    written = observation_document(observation)
    assert observation_from_json(to_json(written).encode()) == observation
    assert written["figures"] == OBSERVATION["figures"]
    assert written["doubts"] == OBSERVATION["doubts"]
    assert len(observation.doubts) == 2


def test_an_observation_keeps_its_worlds_and_an_older_one_has_none() -> None:
    older = observation_from_json(json.dumps(OBSERVATION).encode())
    assert older.worlds == ()
    assert "worlds" not in observation_document(older)
    observation = replace(older, worlds=older.doubts)
    assert observation_from_json(to_json(observation_document(observation)).encode()) == observation
    assert observation.table.independent == older.doubts


def test_an_observation_without_doubts_has_none() -> None:
    assert observation_from_json(changed(OBSERVATION, "doubts", DROP)).doubts == ()


def test_the_truth_of_every_rendered_scene_is_read_with_full_confidence(dev_scenes: Path) -> None:
    paths = sorted(dev_scenes.glob("*/*truth.json"))
    assert paths
    for path in paths:
        observation = observation_from_json(path.read_bytes(), path.name)
        assert observation.board.cells
        assert {seen.confidence for seen in (*observation.tiles, *observation.doors, *observation.figures)} == {1.0}


def test_a_free_table_holds_its_numbers_exactly_and_is_read_back_as_it_was_written() -> None:
    marked = changed(FREE_TABLE, "figures.0.marks", ["terror", "leader"])
    table = free_table_from_json(marked)
    assert table.figure("mortar").center_mm == (300, Fraction(1, 10))
    assert table.figure("mortar").marks == {"leader", "terror"}
    written = free_table_document(table)
    assert written == {
        **FREE_TABLE,
        "figures": [{**FREE_TABLE["figures"][0], "marks": ["leader", "terror"]}, FREE_TABLE["figures"][1]],
    }
    assert free_table_from_json(to_json(written).encode()) == table


def test_a_lattice_just_below_a_quarter_turn_stays_below_it_when_written() -> None:
    observation = observation_from_json(changed(OBSERVATION, "grid.angle_deg", 89.9999999))
    assert observation_document(observation)["grid"]["angle_deg"] == 89.99999


def test_optional_fields_take_the_contracts_defaults() -> None:
    assert tile_set_from_json(json.dumps(TILES).encode()).thickness_mm == 2.0
    assert table_from_json(changed(TABLE, "cell_mm", DROP)).cell_mm is None
    figure = roster_from_json(json.dumps(ROSTER).encode()).figures[0]
    assert (figure.ring, figure.base_shape, figure.base_size_mm) == ("#1b9e3a", "round", (22, 22))
    rectangle = {**ROSTER["figures"][0], "base_shape": "rectangle", "base_size_mm": [22, 45]}
    assert roster_from_json(changed(ROSTER, "figures.0", rectangle)).figures[0].base_size_mm == (22, 45)


def test_a_figures_look_is_read_back_as_it_was_written() -> None:
    roster = roster_from_json(changed(ROSTER, "figures.0.look", look([bytes(range(10)), bytes(5)])))

    taught = roster.figures[0].look
    assert taught is not None
    assert taught.rim == "#1b9e3a"
    assert [view.points for view in taught.views] == [bytes(range(10)), bytes(5)]
    assert taught.picture_png == bytes(3)
    assert roster_from_json(json.dumps(roster_document(roster)).encode()) == roster


def test_a_look_of_before_there_were_views_is_a_picture_for_people() -> None:
    taught = roster_from_json(changed(ROSTER, "figures.0.look", "AAAA")).figures[0].look

    assert taught is not None
    assert (taught.views, taught.rim, taught.picture_png) == ((), None, bytes(3))


def test_a_ruling_is_written_with_every_field_of_the_contract() -> None:
    blockers = (
        (Blocker("wall", edge=Edge((0, 0), (1, 0))), {"kind": "wall", "from": [0, 0], "to": [1, 0]}),
        (Blocker("door", id="d1"), {"kind": "door", "id": "d1"}),
        (Blocker("cell", cell=(2, 3)), {"kind": "cell", "cell": [2, 3]}),
        (None, None),
    )
    lines = tuple(SightLine((0, 0), (1.5, 2.0), "sight", blocker) for blocker, _ in blockers)
    reasons = (Reason("doom2016/line-of-sight", "it sees", {"from": "a"}),)
    ruling = Ruling("doom2016", "a", "b", 3, True, False, (0, 0), lines, reasons, {"los": "graze"})
    document = json.loads(to_json(ruling_document(ruling, RULES)))
    assert [line["blocked_by"] for line in document["lines"]] == [wire for _, wire in blockers]
    assert document["lines"][0] == {
        "from": [0, 0],
        "to": [1.5, 2],
        "purpose": "sight",
        "blocked_by": {"kind": "wall", "from": [0, 0], "to": [1, 0]},
    }
    (reason,) = document["reasons"]
    assert reason.pop("source").startswith("Learn to Play, “Attack” (p. 7)")
    assert reason == {"rule": "doom2016/line-of-sight", "text": "it sees", "arguments": {"from": "a"}}
    assert (document["format"], document["origin"], document["stability"]) == ("sightline.ruling/1", [0, 0], 1.0)
    assert "distance_mm" not in document


def test_what_a_ruling_knows_beyond_the_contract_is_written_when_it_is_there() -> None:
    origin = Origin((1, 2), True, False, ((3, 2), (3.5, 2)))
    move = Change("move", "imp-2", ((2, 3),), None, "cover", False)
    wall = Change("remove-edge", None, (), Edge((0, 0), (1, 0)), "line_of_sight", True)
    ruling = Ruling(
        "doom2016", "a", "b", 3, True, True, (1, 2), (), (Reason("r", "t", {}, "told"),),
        adjacent=False, origins=(origin,), changes=(move, wall), distance_mm=12.5,
    )  # fmt: skip
    document = ruling_document(ruling, {})
    assert (document["adjacent"], document["distance_mm"]) == (False, 12.5)
    assert document["reasons"] == [{"rule": "r", "text": "t", "arguments": {}, "phrase": "told"}]
    assert document["origins"] == [{"at": [1, 2], "line_of_sight": True, "cover": False, "targets": [[3, 2], [3.5, 2]]}]
    assert document["changes"] == [
        {"kind": "move", "flips": "cover", "becomes": False, "id": "imp-2", "cells": [[2, 3]]},
        {"kind": "remove-edge", "flips": "line_of_sight", "becomes": True, "edge": {"from": [0, 0], "to": [1, 0]}},
    ]


def test_a_reach_and_an_error_are_written_as_the_contract_says() -> None:
    reach = Reach("doom2016", "alpha", 4, (End(0, ((1, 1),)), End(2, ((3, 1),))))
    assert reach_document(reach) == {
        "format": "sightline.reach/1",
        "ruleset": "doom2016",
        "figure": "alpha",
        "points": 4,
        "ends": [{"cells": [[1, 1]], "cost": 0}, {"cells": [[3, 1]], "cost": 2}],
    }
    assert error_document(ValueError("no")) == {"format": "sightline.error/1", "error": "no"}


CELLS = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
NAMES = st.text(min_size=1, max_size=8).filter(lambda text: text.isprintable())


@st.composite
def boards(draw: st.DrawFn) -> Board:
    cells = draw(st.frozensets(CELLS, min_size=1, max_size=25))
    edges = sorted({edge for c, r in cells for edge in (Edge((c, r), (c + 1, r)), Edge((c, r), (c, r + 1)))})
    kinds = draw(st.dictionaries(st.sampled_from(edges), st.sampled_from(["wall", "obstacle", "impassable"])))
    with_doors = draw(st.lists(st.sampled_from(edges), unique=True, max_size=3))
    standing = draw(st.lists(st.sampled_from(sorted(cells)), unique=True, max_size=4))
    names = draw(st.lists(NAMES, unique=True, min_size=len(standing), max_size=len(standing)))
    return Board(
        cells=cells,
        edges=kinds,
        doors=tuple(Door(f"d{i}", (edge,), draw(st.booleans())) for i, edge in enumerate(with_doors)),
        figures=tuple(Figure(name, "k", "s", (cell,)) for name, cell in zip(names, standing, strict=True)),
        difficult=draw(st.frozensets(st.sampled_from(sorted(cells)))),
        blocking=draw(st.frozensets(st.sampled_from(sorted(cells)))),
        cell_mm=draw(st.floats(0.1, 100)),
    )


@given(boards())
def test_any_board_is_read_back_as_it_was_written(board: Board) -> None:
    assert board_from_json(to_json(board_document(board)).encode()) == board


NUMBERS = st.one_of(st.integers(), st.floats(), st.integers(-3, 3), st.just(10**400))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=8,
)


@st.composite
def broken(draw: st.DrawFn, sample: dict[str, Any]) -> bytes:
    """Return a document with wrong values in one to three fields at any depth."""
    copy = json.loads(json.dumps(sample))
    for _ in range(draw(st.integers(1, 3))):
        place: Any = copy
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
                place = place[key]
                continue
            place[key] = draw(JSON)
            break
    return json.dumps(copy).encode()


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_arbitrary_json_gives_a_value_or_an_input_error(name: str, data: st.DataObject) -> None:
    read, sample = READERS[name]
    body = data.draw(st.one_of(broken(sample), st.binary(max_size=20), JSON.map(lambda v: json.dumps(v).encode())))
    try:
        value = read(body)
    except InputError as problem:
        outcome, sentence = "refused", str(problem)
    else:
        outcome, sentence = type(value).__module__, ""
    assert outcome == "refused" or outcome.startswith("assistant.table.")
    assert "\n" not in sentence


def test_the_readme_lists_every_module_with_names_that_are_there() -> None:
    folder = Path(assistant.documents.__file__).parent
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines[lines.index("| --- | --- | --- | --- |") + 1 :] if line.startswith("| ")]
    named: dict[str, str] = {}
    for row in rows:
        named[row[2].strip(" `")] = named.get(row[2].strip(" `"), "") + row[3] + row[4]
    elsewhere = {name for name in named if "/" in name}
    assert all((folder.parents[1] / name).is_file() for name in elsewhere)
    shared = {"__init__", "reading", "exchange"}  # properties of all readers
    assert named.keys() - elsewhere == {path.stem for path in folder.glob("*.py")} - shared
    for module in named.keys() - elsewhere:
        found = import_module(f"assistant.documents.{module}")
        assert all(hasattr(found, name) for name in re.findall(r"`(\w+)`", named[module]))


def test_bytes_that_are_no_text_are_refused_wherever_they_stand() -> None:
    data = json.dumps(BOARD).encode().replace(b'"imp"', b'"\xc5mp"')
    with pytest.raises(BadValue, match="not valid JSON"):
        board_from_json(data)
