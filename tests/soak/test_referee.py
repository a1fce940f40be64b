"""The referee of a soak: the true table decides, and figures that look alike may stand for one another."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from assistant.table.board import Board, Door, Figure
from assistant.table.lattice import Edge
from tests.soak.__main__ import crashes_in, growth_mb
from tests.soak.referee import Referee
from tests.soak.room import Moment

CELLS = frozenset((x, y) for x in range(6) for y in range(3))
DOOR = Door("d", (Edge((3, 0), (3, 1)), Edge((3, 1), (3, 2)), Edge((3, 2), (3, 3))))
KINDS = {"ranger-1": "ranger", "ranger-2": "ranger", "crawler-1": "crawler"}


def board(*, closed: bool) -> Board:
    places = (("ranger-1", "rangers", (0, 1)), ("ranger-2", "rangers", (0, 0)), ("crawler-1", "swarm", (5, 1)))
    figures = tuple(Figure(name, KINDS[name], side, (cell,)) for name, side, cell in places)
    return Board(CELLS, {}, (DOOR,) if closed else (), figures)


class Page:
    """A page with one answer about one picture, on a lattice with another origin."""

    def __init__(self, *, sight: bool, cells: dict[str, tuple[int, int]], **unsure: Any) -> None:
        self.answer = {
            "ruleset": "doom2016",
            "range": 5 if sight else None,
            "line_of_sight": sight,
            "cover": False if sight else None,
        }
        self.card = {"doubts": [], "open_points": [], "stability": {"share": 1.0}, "ruleset": "doom2016", **unsure}
        self.cells = cells
        self.read = CELLS

    def ask(self, path: str, command: Any = None, *, timeout_s: float = 0) -> Any:
        if path == "/now":
            return {"live": {"shot": "s", "holding": "now", "taken_at_s": time.time()}}
        if path == "/shots/s":
            sides = {"ranger": "rangers", "crawler": "swarm"}
            figures = [
                {"id": name, "kind": KINDS[name], "side": sides[KINDS[name]], "cells": [[x + 10, y + 7]]}
                for name, (x, y) in self.cells.items()
            ]
            return {"cells": [{"cell": [x + 10, y + 7]} for x, y in self.read], "figures": figures, "doors": []}
        ruling = {**self.answer, "attacker": command["attacker"], "defender": command["defender"]}
        return {**self.card, "ruling": ruling | {"ruleset": "doom2016"}}


class Room:
    """The true table at two moments."""

    def __init__(self, *closed: bool) -> None:
        self._moments = [
            Moment(time.time() - 1 + n, board(closed=is_closed), KINDS, b"%d" % n) for n, is_closed in enumerate(closed)
        ]

    def moments(self, since_s: float) -> list[Moment]:
        assert since_s < time.time()
        return self._moments


def judged(page: Page, room: Room) -> Any:
    referee = Referee(page, room)  # type: ignore[arg-type]
    referee._ask()
    return referee.found


PAIR = {"ranger-1": (0, 1), "crawler-1": (5, 1)}


@pytest.mark.parametrize("sight", [True, False])
@pytest.mark.parametrize("closed", [True, False])
def test_a_sure_answer_is_wrong_if_it_was_so_at_no_moment(*, closed: bool, sight: bool) -> None:
    found = judged(Page(sight=sight, cells=PAIR), Room(closed, closed))
    assert (found.sure, bool(found.wrong)) == (1, sight == closed)


def test_what_was_so_a_moment_ago_is_right() -> None:
    assert judged(Page(sight=False, cells=PAIR), Room(True, False)).wrong == []


def test_twins_may_be_taken_for_each_other_but_nobody_stands_where_nobody_is() -> None:
    twin = {"ranger-2": (0, 1), "crawler-1": (5, 1)}
    assert judged(Page(sight=True, cells=twin), Room(False)).wrong == []
    (words,) = judged(Page(sight=True, cells={"ranger-1": (1, 1), "crawler-1": (5, 1)}), Room(False)).wrong
    assert "ranger-1 is stated on [(1, 1)]" in words or "crawler-1" in words


def test_what_a_wrong_answer_was_made_of_is_kept(tmp_path: Path) -> None:
    room = Room(True, True)
    referee = Referee(Page(sight=True, cells=PAIR), room, tmp_path)  # type: ignore[arg-type]
    referee._ask()
    assert len(referee.found.wrong) == 1
    kept = json.loads((tmp_path / "wrong-1" / "what.json").read_text())
    assert kept["card"]["ruling"]["line_of_sight"] is True
    assert [moment["doors"] for moment in kept["truth"]] == [["d"], ["d"]]
    assert all(moment["shift"] == [-10, -7] for moment in kept["truth"])
    assert sorted(path.read_bytes() for path in (tmp_path / "wrong-1").glob("*.jpg")) == [b"0", b"1"]


def test_a_board_of_which_a_side_was_not_read_is_still_the_same_board() -> None:
    page = Page(sight=True, cells=PAIR)
    page.read = frozenset(cell for cell in CELLS if cell[0] > 0) | {(0, 1)}
    assert judged(page, Room(False)).wrong == []
    page.read = frozenset(cell for cell in CELLS if cell[0] > 0)
    page.cells = {"ranger-1": (1, 1), "crawler-1": (5, 1)}
    assert len(judged(page, Room(False)).wrong) == 1


@pytest.mark.parametrize("unsure", [{"doubts": ["moving"]}, {"open_points": [{}]}, {"stability": {"share": 0.5}}])
def test_what_is_reported_as_unsure_is_never_wrong(unsure: dict[str, Any]) -> None:
    found = judged(Page(sight=True, cells=PAIR, **unsure), Room(True))
    assert (found.unsure, found.sure, found.wrong) == (1, 0, [])


def test_the_last_line_of_every_traceback_is_a_crash() -> None:
    log = "up\nTraceback (most recent call last):\n  File x\n    y\nValueError: no\nwell\n"
    assert crashes_in(log) == ["ValueError: no"]
    assert crashes_in("all is well\n") == []
    tracker = 'Traceback (most recent call last):\n  File "/lib/multiprocessing/resource_tracker.py"\nKeyError: 1\n'
    assert crashes_in(tracker + log) == ["ValueError: no"]


def test_growth_is_what_is_kept_more_at_the_end_of_the_last_half() -> None:
    def held(at_s: int) -> float:
        shelves = 400.0 if at_s >= 600 else at_s / 2
        leak = 3.0 * (at_s // 60)
        reading = 100.0 * (at_s % 60 in range(20, 30))
        return shelves + leak + reading

    assert growth_mb([(s, held(s)) for s in range(1200)], 1200.0) == pytest.approx(3.0 * 7)
    assert growth_mb([], 1200.0) == 0.0
