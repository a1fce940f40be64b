"""Things of an evening lie where a person would let them lie; without Blender and the generator of scenes."""

from __future__ import annotations

import ast
import math
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.raytraced_evenings.phone import phone_jpeg
from tests.raytraced_evenings.things import FAMILIAR, MADE_UP, ODD, bare_rims, lay_things, tip_over, wear_figures
from vision.photo.decoding import decode_photo

CELL_MM = 25.4


def _shot() -> Any:
    cells = [(column, row) for column in range(6) for row in range(4)]
    tile = {"id": "a", "x": 3 * CELL_MM, "y": 2 * CELL_MM, "cells": cells, "cell": CELL_MM, "th": 2.0}
    figures = [
        {"x": 1.5 * CELL_MM, "y": 1.5 * CELL_MM, "base": [22]},
        {"x": 4.0 * CELL_MM, "y": 1.5 * CELL_MM, "base": [47.4, 22]},
    ]
    doors = [{"x": 3 * CELL_MM, "y": 3.5 * CELL_MM, "w": CELL_MM}]
    roster = [("ghoul", "swarm", (1, 1), 30, "#aa2030", [], {})]
    return SimpleNamespace(cells=set(cells), tiles=[tile], figures=figures, doors=doors, roster_rows=roster)


@pytest.mark.parametrize("seed", range(5))
def test_things_keep_off_bases_and_doors_and_leave_most_of_a_tile(seed: int) -> None:
    shot = _shot()
    things = lay_things(np.random.default_rng(seed), FAMILIAR + ODD, 12, shot, lambda place: place * CELL_MM)
    assert things
    hidden_mm2 = sum(math.prod(thing["size"]) for thing in things)
    assert hidden_mm2 <= 0.2 * len(shot.cells) * CELL_MM**2
    for thing in things:
        for figure in shot.figures:
            away_mm = math.hypot(figure["x"] - thing["x"], figure["y"] - thing["y"])
            assert away_mm > (min(figure["base"]) + min(thing["size"])) / 2
        for door in shot.doors:
            assert math.hypot(door["x"] - thing["x"], door["y"] - thing["y"]) > CELL_MM / 2


def test_every_thing_is_of_a_kind_that_blender_can_make() -> None:
    side = ast.parse(Path(__file__).with_name("blender_side.py").read_text(encoding="utf-8"))
    evening = next(node for node in side.body if isinstance(node, ast.ClassDef))
    made = {node.name for node in evening.body if isinstance(node, ast.FunctionDef)}
    assert set(FAMILIAR + ODD + MADE_UP) <= made


def test_some_rims_are_scratched_and_some_bodies_lean_a_little() -> None:
    figures: list[dict[str, Any]] = [{} for _ in range(200)]
    wear_figures(np.random.default_rng(3), figures)
    leaning = [figure["lean"][0] for figure in figures if "lean" in figure]
    assert 20 < len(leaning) < 60
    assert all(3 <= tilt_deg <= 9 for tilt_deg in leaning)
    assert 40 < sum("chips" in figure for figure in figures) < 80


def test_most_unpainted_rims_of_a_box_are_of_one_plastic() -> None:
    kinds = [f"kind-{number}" for number in range(40)]
    rims = bare_rims(np.random.default_rng(5), kinds)
    counts = Counter(rims.values()).most_common()
    assert sorted(rims) == sorted(kinds)
    assert counts[0][1] > 25
    assert len(counts) > 1


def test_a_phones_picture_lifts_the_dark_and_keeps_its_size() -> None:
    photo = np.full((120, 160, 3), 30, np.uint8)
    photo[:, 80:] = 200
    taken = decode_photo(phone_jpeg(photo, np.random.default_rng(1)))
    assert taken.shape == photo.shape
    assert taken[:, :40].mean() > photo[:, :40].mean()


def test_a_figure_falls_only_where_nothing_is_in_its_way() -> None:
    shot = _shot()
    for figure in shot.figures:
        figure["height"] = 30
    tip_over(np.random.default_rng(2), shot, lambda place: place * CELL_MM, share=1.0)
    small, large = shot.figures
    assert "fallen" not in large
    turn = math.radians(small["fallen"]["towards_deg"])
    head = (small["x"] + 41 * math.cos(turn), small["y"] + 41 * math.sin(turn))
    assert 0 < head[0] < 6 * CELL_MM
    assert 0 < head[1] < 4 * CELL_MM
    assert math.hypot(head[0] - large["x"], head[1] - large["y"]) > 22
    body = np.array([small["x"] + 26 * math.cos(turn), small["y"] + 26 * math.sin(turn)])
    assert min(np.abs((np.array(cell) + 0.5) * CELL_MM - body).max() for cell in small["fallen"]["across"]) < CELL_MM
