"""Realistic drawn maps: no figure sees through a wall of the map, by an independent calculation.

`make bench-maps` measures more of them.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import drawn_maps as drawn
import pytest
from map_leaks import board_of, seen_through

import assistant
from assistant.app.map_sight import MOST_SEEN, MapSight, compare_sight, is_blocked
from assistant.cli import exchange, run
from assistant.documents.loose_walls import LooseLine, edges_along
from assistant.table.lattice import Edge

ONE_WALL = {"name": "one", "width": 600, "height": 300, "padding": 0, "grid": {"size": 100, "type": 1}, "tokens": []}
ONE_WALL |= {"walls": [{"c": [330, 0, 330, 300], "move": 20, "sight": 20, "door": 0, "ds": 0}]}


@pytest.mark.parametrize("form", ["uvtt", "foundry"])
def test_of_what_walls_part_a_hundredth_at_most_is_seen(form):
    counts = [seen_through(drawn.drawn(kind, seed), form, seed) for kind in drawn.KINDS for seed in (1000, 1001)]
    blocked, seen = (sum(part) for part in zip(*counts, strict=True))
    assert blocked > 700
    assert seen <= MOST_SEEN * blocked


def test_both_calculations_agree():
    made = drawn.drawn("angles", 3)
    walls = drawn.sight_walls(made, is_foundry=False)
    lines = [((a, b), (c, d)) for a, b, c, d in walls.tolist()]
    rng = random.Random(3)
    for _ in range(60):
        p, q = ((rng.randrange(made.width), rng.randrange(made.height)) for _ in range(2))
        assert is_blocked(p, q, lines) == drawn.is_blocked(p, q, walls)


@pytest.mark.parametrize("name", ["fvtt-Scene-one.json", "one.foundry.json", "any name.txt", "scenes.db"])
def test_foundrys_own_file_names_and_packs_are_read(tmp_path, name):
    packed = (
        [json.dumps(ONE_WALL), json.dumps({"name": "an actor"})] if name.endswith(".db") else [json.dumps(ONE_WALL)]
    )
    source, target = tmp_path / name, tmp_path / "board.json"
    source.write_text("\n".join(packed) + "\n")
    assert run(["exchange", str(source), str(target)]) == 0
    board = assistant.read_board(target)
    assert {edge for edge, kind in board.edges.items() if kind == "wall"} == {
        Edge((3, y), (3, y + 1)) for y in range(3)
    }


@pytest.mark.parametrize("reach", [0, 100, 700])
@pytest.mark.parametrize("x", [300, 330])
def test_a_wall_across_the_map_and_beyond_leaves_the_floor_on_both_sides(tmp_path, x, reach):
    wall = {**ONE_WALL["walls"][0], "c": [x, -reach, x, 300 + reach]}
    (tmp_path / "one.json").write_text(json.dumps({**ONE_WALL, "walls": [wall]}))
    assert run(["exchange", str(tmp_path / "one.json"), str(tmp_path / "board.json")]) == 0
    board = assistant.read_board(tmp_path / "board.json")
    assert len(board.cells) == 18
    assert {Edge((3, y), (3, y + 1)) for y in range(3)} == board.edges.keys()


def test_a_pack_of_several_scenes_asks_which_and_takes_the_last_form_of_each(tmp_path, capsys):
    other = {**ONE_WALL, "name": "other", "width": 400}
    source, target = tmp_path / "scenes.db", tmp_path / "board.json"
    lines = [{**ONE_WALL, "width": 900}, other, {"nothing": 1}, ONE_WALL]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["exchange", str(source), str(target)]) == 2
    assert "--scene: one, other" in capsys.readouterr().err
    assert run(["exchange", str(source), str(target), "--scene", "one"]) == 0
    assert len(assistant.read_board(target).cells) == 18
    assert run(["exchange", str(source), str(target), "--scene", "third"]) == 2


@pytest.mark.parametrize("name", ["map.json", "map", "map.txt", "map.uvtt"])
def test_universal_vtt_is_read_under_any_name(tmp_path: Path, name):
    (tmp_path / name).write_text(json.dumps(drawn.as_uvtt(drawn.drawn("halls", 1))))
    assert run(["exchange", str(tmp_path / name), str(tmp_path / "board.json")]) == 0
    assert assistant.read_board(tmp_path / "board.json").doors


def test_a_map_whose_walls_fit_no_board_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(exchange, "compare_sight", lambda board, lines: MapSight(200, 7))
    source, target = tmp_path / "map.uvtt", tmp_path / "board.json"
    source.write_text(json.dumps(drawn.as_uvtt(drawn.drawn("angles", 2))))
    assert run(["exchange", str(source), str(target)]) == 2
    assert "of 200 pairs of spaces that they part, 7 would see each other" in capsys.readouterr().err
    assert not target.exists()


def test_the_check_finds_a_board_that_lost_its_walls():
    made = drawn.drawn("angles", 4)
    brought = board_of(made, "uvtt")
    assert compare_sight(brought.board, brought.sight_lines).is_faithful
    assert not compare_sight(replace(brought.board, edges={}, doors=()), brought.sight_lines).is_faithful


def test_a_wall_that_is_moved_keeps_its_window_open_and_gives_it_jambs():
    wall, window = LooseLine((0.0, 2.6), (3.1, 2.6), "left"), LooseLine((3.1, 2.6), (4.1, 2.6), "", is_opening=True)
    found = dict(edges_along([wall, window, LooseLine((4.1, 2.6), (8.0, 2.6), "right")]))
    opening = Edge((3, 3), (4, 3))
    assert found[""] == [opening]
    assert opening not in {*found["left"], *found["right"]}
    assert Edge((3, 2), (3, 3)) in found["left"], "who stands beside the window does not look in along the wall"
    assert Edge((4, 2), (4, 3)) in found["right"]


@pytest.mark.parametrize("seed", range(6))
def test_walls_that_meet_on_the_map_meet_on_the_lattice(seed):
    """Ends that share a place, and ends on the inner part of another wall."""
    rng = random.Random(seed)
    corner = (rng.uniform(2, 8), rng.uniform(2, 8))
    far = [(rng.uniform(0, 12), rng.uniform(0, 12)) for _ in range(2)]
    on = tuple(a + 0.4 * (b - a) for a, b in zip(corner, far[0], strict=True))
    lines = [LooseLine(corner, far[0], "a"), LooseLine(corner, far[1], "b"), LooseLine(on, (on[0] + 4, on[1] - 3), "c")]
    points = {name: {end for edge in edges for end in (edge.start, edge.end)} for name, edges in edges_along(lines)}
    assert points["a"] & points["b"]
    assert points["a"] & points["c"]
