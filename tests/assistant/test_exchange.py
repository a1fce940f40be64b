"""Boards to and from Universal VTT and Foundry: a round trip changes only what the report names."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.cli import run
from assistant.documents import board_document, board_from_json, to_json
from assistant.documents.exchange import rim_of
from assistant.documents.foundry import board_from_foundry
from assistant.documents.foundry_writing import foundry_bytes
from assistant.documents.uvtt import board_from_uvtt, uvtt_bytes
from assistant.errors import InputError
from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.lattice import Edge, list_inner_edges, sides

BOARDS = Path(__file__).parents[2] / "assistant" / "data" / "boards"
KINDS: tuple[EdgeKind, ...] = ("wall", "obstacle", "impassable")


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of any shape, with holes, islands, doors on every kind of edge, and figures."""
    corner = draw(st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
    grid = [(corner[0] + x, corner[1] + y) for x in range(7) for y in range(6)]
    cells = frozenset(draw(st.sets(st.sampled_from(grid), min_size=1)))
    around = sorted({edge for cell in cells for edge in sides(cell)})
    edges = draw(st.dictionaries(st.sampled_from(around), st.sampled_from(KINDS), max_size=25))
    at = draw(st.lists(st.sampled_from(around), unique=True, max_size=5))
    doors = tuple(Door(f"d{n}", (edge,), draw(st.booleans())) for n, edge in enumerate(at))
    standing = draw(st.lists(st.sampled_from(sorted(cells)), unique=True, max_size=4))
    figures = tuple(Figure(f"f{n}", "imp", "demons", (cell,)) for n, cell in enumerate(standing))
    some = st.sets(st.sampled_from(sorted(cells)), max_size=4).map(frozenset)
    return Board(cells, edges, doors, figures, draw(some), draw(some), draw(st.sampled_from((25.4, 30.0))))


many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(boards())
def test_a_board_comes_back_from_foundry_as_it_was(board):
    data, lost = foundry_bytes(board, "table")
    back = board_from_foundry(data, 1.0, "scene")
    assert board_document(back.board) == board_document(board)
    assert back.lost == ()
    words = " ".join(str(one) for one in lost)
    at_doors = {edge for door in board.doors for edge in door.edges}
    rim = rim_of(board.cells)
    assert {name: name in words for name in ("difficult", "blocking", "sides", "door", "millimetres")} == {
        "difficult": bool(board.difficult),
        "blocking": bool(board.blocking),
        "sides": bool(board.figures),
        "door": any(e in at_doors or (e in rim and kind != "wall") for e, kind in board.edges.items()),
        "millimetres": True,
    }


def as_uvtt_can_say(board: Board, lost: Iterable[str]) -> dict[str, Any]:
    """Return the board without everything that the report names, and walls where they are walls anyway."""
    told = " ".join(lost)
    rim = rim_of(board.cells)
    at_doors = {edge for door in board.doors for edge in door.edges}
    said = [("impassable", "impassable" in told), ("difficult", "difficult" in told), ("figure", "figure" in told)]
    said += [("kind", "loses its kind" in told or "lose their kinds" in told), ("rim", "on the rim" in told)]
    edges = board.edges.items()
    assert dict(said) == {
        "kind": any(edge in at_doors and kind != "impassable" for edge, kind in edges),
        "rim": any(edge in rim - at_doors and kind == "obstacle" for edge, kind in edges),
        "impassable": "impassable" in board.edges.values(),
        "difficult": bool(board.difficult),
        "figure": bool(board.figures),
    }
    kept = {e: k for e, k in edges if k != "impassable" and e not in rim | at_doors}
    doors = sorted((door.edges, door.open) for door in board.doors)
    return {"cells": sorted(board.cells), "edges": sorted(kept.items()), "doors": doors}


@many
@given(boards())
def test_a_board_comes_back_from_uvtt_but_for_what_the_report_names(board):
    data, lost = uvtt_bytes(board)
    words = [str(one) for one in lost]
    back = board_from_uvtt(data, board.cell_mm, "map")
    expected = as_uvtt_can_say(board, words)
    courts = back.board.cells - board.cells
    assert any("enclosed" in word for word in words) == bool(courts)
    inner = set(list_inner_edges(board.cells))
    edges = {e: k for e, k in back.board.edges.items() if e in inner}
    assert set(expected["cells"]) == back.board.cells - courts
    assert sorted(edges.items()) == expected["edges"]
    assert sorted((door.edges, door.open) for door in back.board.doors) == expected["doors"]
    assert back.lost == ()


@pytest.mark.parametrize("path", sorted(BOARDS.glob("*.json")), ids=lambda path: path.stem)
def test_a_shipped_board_goes_there_and_back_on_the_command_line(path, tmp_path, capsys):
    board = board_from_json(path.read_bytes())
    for name in ("a.uvtt", "a.foundry.json", "a.json"):
        assert run(["exchange", str(path), str(tmp_path / name)]) == 0
        assert run(["exchange", str(tmp_path / name), str(tmp_path / "back.json")]) == 0
        back = board_from_json((tmp_path / "back.json").read_bytes())
        assert back.cells == board.cells
        if name != "a.uvtt":
            assert board_document(back) == board_document(board)
    assert "Written" in capsys.readouterr().out
    plan = base64.b64decode(json.loads((tmp_path / "a.uvtt").read_bytes())["image"])
    assert plan.startswith(b"\x89PNG")


def foreign_map(**more: Any) -> dict[str, Any]:
    """Return a room of four by three cells with a door, as other programs write it."""
    walls = [[{"x": x, "y": y} for x, y in ((1, 1), (5, 1), (5, 4), (1, 4), (1, 1))]]
    place = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 6, "y": 5}, "pixels_per_grid": 70}
    door = {"bounds": [{"x": 3, "y": 1.02}, {"x": 3, "y": 1.98}], "closed": True, "rotation": 0}
    return {"format": 0.3, "resolution": place, "line_of_sight": walls, "portals": [door], **more}


def test_a_map_of_another_program_is_read():
    more = {"lights": [{"range": 3}], "objects_line_of_sight": [[{"x": 0.4, "y": 2}, {"x": 3, "y": 2.5}]]}
    brought = board_from_uvtt(json.dumps(foreign_map(**more)).encode(), 25.4, "map")
    assert brought.board.cells == frozenset((x, y) for x in range(1, 5) for y in range(1, 4))
    assert [door.edges for door in brought.board.doors] == [(Edge((3, 1), (3, 2)),)]
    assert [str(one) for one in brought.lost] == [
        "1 line leaves the grid and was moved onto it, by a space at most",
        "1 light was left out",
    ]


def test_a_scene_of_an_old_version_with_padding_is_read():
    walls = [{"c": [100, 100, 300, 100], "move": 1, "sense": 1}, {"c": [200, 100, 200, 150], "door": 2, "ds": 1}]
    scene = {"width": 200, "height": 100, "grid": 50, "gridType": 1, "padding": 0.5, "walls": walls}
    scene |= {"tokens": [{"x": 100, "y": 50, "name": "Orc"}]}
    brought = board_from_foundry(json.dumps(scene).encode(), 30.0, "scene")
    board = brought.board
    assert (len(board.cells), board.cell_mm) == (8, 30.0)
    assert board.doors == (Door("door-2", (Edge((2, 1), (2, 2)),), open=True),)
    assert set(board.edges) == {Edge((x, 1), (x + 1, 1)) for x in range(4)}
    assert [(figure.kind, figure.cells) for figure in board.figures] == [("Orc", ((0, 0),))]


@pytest.mark.parametrize(
    ("move", "sense", "kind"), [(1, 1, "wall"), (1, 0, "impassable"), (0, 1, "obstacle"), (1, 2, "wall"), (0, 0, None)]
)
def test_a_window_of_a_scene_before_version_9_lets_sight_through(move, sense, kind):
    walls = [{"c": [100, 0, 100, 100], "move": move, "sense": sense, "door": 0, "ds": 0, "dir": 0}]
    scene = {"width": 200, "height": 100, "grid": 100, "gridType": 1, "padding": 0, "walls": walls}
    board = board_from_foundry(json.dumps(scene).encode(), 25.4, "scene").board
    assert board.edges == ({Edge((1, 0), (1, 1)): kind} if kind else {})


@pytest.mark.parametrize("offset", [0, 100])
def test_a_scene_that_names_no_padding_has_the_usual_one_where_its_walls_need_it(offset):
    walls = [{"c": [offset + x, offset, offset + x, offset + 400]} for x in (0, 200, 400)]
    scene = {"width": 400, "height": 400, "grid": 100, "gridType": 1, "walls": walls}
    board = board_from_foundry(json.dumps(scene).encode(), 25.4, "scene").board
    assert board.cells == frozenset((x, y) for x in range(4) for y in range(4))
    assert set(board.edges) == {Edge((2, y), (2, y + 1)) for y in range(4)}


def test_a_map_of_another_program_tells_all_that_is_left_out():
    door = {"bounds": [{"x": 3, "y": 1}, {"x": 3, "y": 2}], "freestanding": True}
    more = {
        "image": "iVBORw0KGgo=",
        "environment": {"baked_lighting": True, "ambient_light": "ff223344"},
        "portals": [door],
        "objects_line_of_sight": [[{"x": 1, "y": 1}, {"x": 1, "y": 2}]],
    }
    document = foreign_map(**more)
    document["line_of_sight"].append([{"x": 0, "y": 5}, {"x": 2, "y": 5}])
    assert [str(one) for one in board_from_uvtt(json.dumps(document).encode(), 25.4, "map").lost] == [
        "1 wall off the floor was left out",
        "the picture of the map was left out",
        "the light of the surroundings was left out",
        "1 freestanding door is read as one in a wall",
    ]


def two_floors() -> bytes:
    """Return a scene of version 14 with a hall and a gallery, a wall on both, and one on each."""
    ground, above = "defaultLevel0000", "gallery000000001"
    walls = [
        foreign_wall(100, 0, 100, 100),
        {**foreign_wall(200, 0, 200, 100), "levels": [ground]},
        {**foreign_wall(300, 0, 300, 100), "levels": [above]},
        {**foreign_wall(300, 100, 300, 200), "levels": [above]},
    ]
    levels = [
        {"_id": ground, "name": "Hall", "elevation": {"bottom": 0, "top": 4}, "background": {"src": "hall.webp"}},
        {"_id": above, "name": "Gallery", "elevation": {"bottom": 4, "top": 8}, "background": {"src": None}},
    ]
    tokens = [{"x": 0, "y": 0, "name": "Orc", "level": ground}, {"x": 100, "y": 100, "name": "Bat", "level": above}]
    return json.dumps({**SCENE, "walls": walls, "tokens": tokens, "levels": levels, "initialLevel": ground}).encode()


@pytest.mark.parametrize(
    ("level", "columns", "kind", "lost"),
    [
        ("", {1, 2}, "Orc", ["“Hall” was imported; 1 other", "2 walls of other", "1 token of other", "the picture of"]),
        ("Gallery", {1, 3}, "Bat", ["“Gallery” was imported; 1 other", "1 wall of other", "1 token of other"]),
    ],
)
def test_a_scene_with_levels_gives_one_and_reports_the_others(level, columns, kind, lost):
    brought = board_from_foundry(two_floors(), 25.4, "scene", level)
    assert {edge.start[0] for edge in brought.board.edges} == columns
    assert [figure.kind for figure in brought.board.figures] == [kind]
    told = [str(one) for one in brought.lost]
    assert len(told) == len(lost)
    assert all(part in sentence for part, sentence in zip(lost, told, strict=True))


def test_the_level_of_a_scene_is_chosen_on_the_command_line(tmp_path, capsys):
    source, target = tmp_path / "a.foundry.json", tmp_path / "b.json"
    source.write_bytes(two_floors())
    assert run(["exchange", str(source), str(target), "--level", "Gallery"]) == 0
    assert [one["kind"] for one in json.loads(target.read_bytes())["figures"]] == ["Bat"]
    assert run(["exchange", str(source), str(target), "--level", "Attic"]) == 2
    assert "The scene has no level “Attic”. Choose one of: Hall, Gallery." in capsys.readouterr().err


def test_a_board_goes_out_on_one_level_that_walls_and_tokens_are_on():
    board = board_from_json(next(BOARDS.glob("*.json")).read_bytes())
    scene = json.loads(foundry_bytes(board, "Corridor")[0])
    (level,) = scene["levels"]
    assert (level["name"], scene["initialLevel"]) == ("Corridor", level["_id"])
    assert {tuple(wall["levels"]) for wall in scene["walls"]} == {()}
    assert {token["level"] for token in scene["tokens"]} == {level["_id"]}
    assert not {"background", "foreground", "templates"} & scene.keys()


def test_another_edge_on_the_rim_of_a_map_is_reported_as_a_wall():
    document = foreign_map(objects_line_of_sight=[[{"x": 0, "y": 0}, {"x": 2, "y": 0}]], line_of_sight=[], portals=[])
    brought = board_from_uvtt(json.dumps(document).encode(), 25.4, "map")
    assert [str(one) for one in brought.lost] == ["2 edges on the rim become walls"]


def foreign_wall(*c: int, **more: int) -> dict[str, Any]:
    return {"c": c, "move": 20, "sight": 20, "light": 20, "sound": 20, "dir": 0, "door": 0, "ds": 0, **more}


def test_a_scene_tells_all_that_is_left_out():
    walls = [
        foreign_wall(100, 0, 100, 100, door=2),
        foreign_wall(200, 0, 200, 100, door=1, ds=2),
        foreign_wall(300, 0, 300, 100, dir=1),
        foreign_wall(100, 100, 100, 200, sight=10),
        foreign_wall(200, 100, 200, 200, move=0, sight=0, sound=0),
        foreign_wall(800, 0, 900, 0),
    ]
    things: dict[str, Any] = {name: [{}] for name in ("notes", "sounds", "tiles", "regions", "lights", "drawings")}
    tokens = [{"x": 40, "y": 0}, {"x": 200, "y": 200, "width": 0.5, "height": 0.5}, {"x": 300, "y": 200}]
    scene = {**SCENE, **things, "background": {"src": "cave.webp"}, "walls": walls, "tokens": tokens}
    assert [str(one) for one in board_from_foundry(json.dumps(scene).encode(), 25.4, "scene").lost] == [
        "1 wall off the floor was left out",
        "2 secret or locked doors become ordinary ones",
        "1 one-way wall becomes one for both sides",
        "1 wall stops only in part; that was left out",
        "1 wall that stops only light or sound was left out",
        "2 tokens were moved to whole cells",
        "1 light was left out",
        "the picture of the map was left out",
        "1 drawing was left out",
        "4 notes, sounds, tiles or regions were left out",
    ]


def place(**more: Any) -> dict[str, Any]:
    return foreign_map(resolution={**foreign_map()["resolution"], **more})


HOSTILE = {
    "no JSON": b"\x00\x01",
    "deep nesting": b'{"resolution": ' + b"[" * 200_000,
    "deep light": json.dumps(foreign_map()).replace('"portals"', '"lights": ' + "[" * 100_000 + ', "portals"').encode(),
    "no number": json.dumps(foreign_map()).replace("1.02", "NaN").encode(),
    "beyond floats": json.dumps(foreign_map()).replace("1.02", "1e999").encode(),
    "far away": json.dumps(foreign_map()).replace("1.02", "1e300").encode(),
    "a billion pixels": json.dumps(place(pixels_per_grid=1_000_000_000)).encode(),
    "an endless map": json.dumps(place(map_size={"x": 1e9, "y": 1e9})).encode(),
    "no map": json.dumps(place(map_size={"x": 0, "y": 0})).encode(),
    "a minus map": json.dumps(place(map_size={"x": -4, "y": -4})).encode(),
    "words for numbers": json.dumps(place(pixels_per_grid="many")).encode(),
    "too many lines": json.dumps(foreign_map(line_of_sight=[[]] * 200_001)).encode(),
    "lines across it all": json.dumps(
        foreign_map(line_of_sight=[[{"x": 0, "y": 0}, {"x": 4000, "y": 0}] * 80])
    ).encode(),
    "doors across it all": json.dumps(
        foreign_map(portals=[{"bounds": [{"x": 0, "y": 0}, {"x": 4000, "y": 0}]}] * 150)
    ).encode(),
    "a list": b"[]",
    "cut": json.dumps(foreign_map()).encode()[:-40],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_map_is_refused_by_name(name, tmp_path, capsys):
    with pytest.raises(InputError):
        board_from_uvtt(HOSTILE[name], 25.4, "map")
    (tmp_path / "evil.uvtt").write_bytes(HOSTILE[name])
    assert run(["exchange", str(tmp_path / "evil.uvtt"), str(tmp_path / "b.json")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"sightline: {tmp_path / 'evil.uvtt'}: ")
    assert told.count("\n") == 1
    assert not (tmp_path / "b.json").exists()


SCENE = {"width": 400, "height": 300, "grid": {"size": 100, "type": 1}, "padding": 0, "walls": []}


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": 1e12},
        {"width": 0},
        {"grid": {"size": 0}},
        {"grid": {"size": 1e-9}},
        {"grid": {"size": 100, "type": 2}},
        {"padding": 1e9},
        {"padding": -1},
        {"walls": [{"c": [0, 0, 1e300, 0]}]},
        {"walls": [{"c": [0, 0]}]},
        {"walls": [{}] * 3},
        {"tokens": [{"x": 1e300, "y": 0}]},
        {"flags": {"sightline": {"cells": [], "origin": [0, 0], "cell_mm": 25}}},
    ],
)
def test_a_hostile_scene_is_refused(wrong):
    with pytest.raises(InputError):
        board_from_foundry(json.dumps({**SCENE, **wrong}).encode(), 25.4, "scene")


def scene_with(**wrong: Any) -> bytes:
    return json.dumps({**SCENE, **wrong}).encode()


HOSTILE_SCENES = {
    "a width that is no number": scene_with(width=math.nan),
    "an endless width": scene_with().replace(b'"width": 400', b'"width": 1e999'),
    "a wall that is no number": scene_with(walls=[{"c": [0, 0, math.nan, 0]}]),
    "an endless wall": scene_with(walls=[{"c": [0, 0, 1, 0]}]).replace(b"[0, 0, 1, 0]", b"[0, 0, -1e999, 0]"),
    "a token that is no number": scene_with(tokens=[{"x": math.inf, "y": 0}]),
    "deep nesting": b'{"flags": ' + b"[" * 200_000,
    "a deep light": scene_with().replace(b'"walls"', b'"lights": ' + b"[" * 100_000 + b', "walls"'),
    "a deep picture": scene_with().replace(b'"walls"', b'"img": ' + b"[" * 100_000 + b"]" * 100_000 + b', "walls"'),
    "walls across it all": scene_with(walls=[{"c": [0, 0, 400_000, 0]}] * 150),
    "doors across it all": scene_with(walls=[{"c": [0, 0, 400_000, 0], "door": 1}] * 150),
}


@pytest.mark.parametrize("name", HOSTILE_SCENES)
def test_a_hostile_scene_is_refused_by_name(name, tmp_path, capsys):
    source = tmp_path / "evil.foundry.json"
    source.write_bytes(HOSTILE_SCENES[name])
    assert run(["exchange", str(source), str(tmp_path / "b.json")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"sightline: {source}: ")
    assert told.count("\n") == 1
    assert ("lines cover more than" in told) == ("across it all" in name)
    assert not (tmp_path / "b.json").exists()


def test_an_ending_that_means_nothing_is_refused(tmp_path, capsys):
    source = sorted(BOARDS.glob("*.json"))[0]
    assert run(["exchange", str(source), str(tmp_path / "a.png")]) == 2
    assert "Use .uvtt" in capsys.readouterr().err


def test_no_map_is_written_over_itself(tmp_path, monkeypatch, capsys):
    source = tmp_path / "cave.foundry.json"
    source.write_bytes(scene_with(sounds=[{}]))
    monkeypatch.chdir(tmp_path)
    assert run(["exchange", str(source), "cave.foundry.json"]) == 2
    assert "SOURCE and TARGET are the same file" in capsys.readouterr().err
    assert source.read_bytes() == scene_with(sounds=[{}])


def test_tokens_that_wait_beside_the_floor_are_left_out_and_reported():
    tokens = [{"x": -200, "y": 0}, {"x": 0, "y": 0, "width": 9}, {"x": 0, "y": 0, "name": "imp"}]
    brought = board_from_foundry(scene_with(tokens=tokens), 25.4, "scene")
    assert [figure.id for figure in brought.board.figures] == ["imp-3"]
    assert [str(one) for one in brought.lost] == ["2 tokens beside the floor were left out"]


def test_the_first_of_several_tokens_on_a_cell_counts_and_the_others_are_reported():
    places = [(0, 0, 2), (100, 100, 1), (200, 0, 1), (200, 20, 1)]
    tokens = [{"x": x, "y": y, "width": wide, "height": wide, "name": "Orc"} for x, y, wide in places]
    brought = board_from_foundry(scene_with(tokens=tokens), 25.4, "scene")
    assert [figure.id for figure in brought.board.figures] == ["Orc-1", "Orc-3"]
    assert [str(one) for one in brought.lost] == ["2 tokens on cells of others were left out"]


def test_a_token_that_was_copied_in_foundry_gets_a_name_of_its_own():
    own = {"sightline": {"id": "imp-2", "kind": "imp", "side": "demons"}}
    tokens = [{"x": 100 * n, "y": 0, "name": "imp", "flags": own} for n in range(3)]
    brought = board_from_foundry(scene_with(tokens=tokens), 25.4, "scene")
    figures = brought.board.figures
    assert [(one.id, one.kind, one.side) for one in figures] == [(f"imp-{n}", "imp", "demons") for n in (2, 3, 4)]
    assert [str(one) for one in brought.lost] == ["2 tokens with names of others got new ones"]


def test_a_board_of_a_scene_with_a_long_name_can_be_read_again():
    brought = board_from_foundry(scene_with(tokens=[{"x": 0, "y": 0, "name": "x" * 5_000}]), 25.4, "scene")
    again = board_from_json(to_json(board_document(brought.board)).encode())
    assert again.figures == brought.board.figures
    own = {"sightline": {"id": "x" * 5_000, "kind": "imp", "side": "demons"}}
    with pytest.raises(InputError, match=r"tokens\[0\]\.flags\.sightline\.id"):
        board_from_foundry(scene_with(tokens=[{"x": 0, "y": 0, "flags": own}]), 25.4, "scene")


def test_what_an_export_loses_is_counted():
    edges: dict[Edge, EdgeKind] = {Edge((1, 0), (1, 1)): "wall", Edge((0, 0), (1, 0)): "obstacle"}
    doors = (Door("d", (Edge((1, 0), (1, 1)),)),)
    board = Board(frozenset({(0, 0), (1, 0)}), edges, doors, difficult=frozenset({(0, 0)}))
    assert [str(one) for one in foundry_bytes(board, "t")[1]] == [
        "only Sightline will read the kinds of 2 edges under doors or on the rim",
        "only Sightline will read 1 difficult cell",
        "only Sightline will read the size of a cell in millimetres",
    ]
    assert [str(one) for one in uvtt_bytes(board)[1]][:2] == [
        "1 edge under a door loses its kind",
        "1 edge on the rim becomes a wall",
    ]


def test_walls_that_meet_a_door_leave_it_its_place():
    board = Board(
        frozenset({(0, 0), (1, 0)}), {Edge((1, 0), (1, 1)): "obstacle"}, (Door("d", (Edge((1, 0), (1, 1)),)),)
    )
    back = board_from_foundry(foundry_bytes(board, "t")[0], 1.0, "scene").board
    assert back == board
    shut = replace(board, edges={})
    assert board_from_uvtt(uvtt_bytes(shut)[0], shut.cell_mm, "map").board.doors[0].edges == shut.doors[0].edges
    assert to_json(board_document(back)) == to_json(board_document(board))
