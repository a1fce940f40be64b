"""The referee of a soak: it has the true table and checks every sure ruling against it."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.match.games import rule_set
from assistant.rules.ruleset import CellRules
from assistant.rules.ruling import Verdict
from assistant.table.board import Board
from assistant.table.lattice import Cell
from tests.soak.program import NoAnswer, Program
from tests.soak.room import Moment, Room

GAMES = ("doom2016", "doom2004")
SURE = 0.9
"""Stability from which the page calls an answer sure; the same as in ``tests/bench_sure.py``."""

SLACK_S = 2.0
"""Tolerance for the age of a picture: its transfer and its reading."""

EVERY_S = 0.5

BEFORE_S = 15.0
"""History saved with a wrong answer: a reach, and a reading of the whole picture."""

UNKNOWN = "figure"
"""The name of a figure of unknown kind."""

MISSING = 6
"""Greatest number of unread rows or columns of a board; a tile has no more."""


@dataclass
class Verdicts:
    """The results of the questions."""

    sure: int = 0
    unsure: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    answer_ms: list[float] = field(default_factory=list)


class Referee(threading.Thread):
    """Asks for rulings on the newest picture, as players do, and judges them by the truth.

    Args:
        program: the program under test.
        room: the room with the truth.
        out: a folder for each wrong answer with what was said, read, true and to be seen; None keeps nothing.
    """

    def __init__(self, program: Program, room: Room, out: Path | None = None) -> None:
        super().__init__(daemon=True)
        self.found = Verdicts()
        self._program, self._room, self._out = program, room, out
        self._chance = random.Random(3)
        self._ended = threading.Event()
        self._rules = {name: rule_set(name) for name in GAMES}

    def end(self) -> None:
        """End the asking."""
        self._ended.set()

    def run(self) -> None:
        """Ask until it is ended."""
        while not self._ended.wait(EVERY_S):
            try:
                self._ask()
            except NoAnswer as problem:
                self.found.refused += 1
                self.found.refusals[str(problem.args[0])] += 1

    def _ask(self) -> None:
        news = self._program.ask("/now")["live"]
        if news is None:
            return
        scene = self._program.ask(f"/shots/{news['shot']}")
        figures = {figure["id"]: figure for figure in scene["figures"]}
        pairs = [(a, d) for a in figures for d in figures if figures[a]["side"] != figures[d]["side"]]
        if not pairs:
            return
        attacker, defender = self._chance.choice(pairs)
        game = self._chance.choice(GAMES)
        begun_s = time.time()
        question = {"attacker": attacker, "defender": defender, "ruleset": game}
        card = self._program.ask(f"/shots/{news['shot']}/rulings", question)
        self.found.answer_ms.append((time.time() - begun_s) * 1000)
        newest = self._program.ask("/now")["live"]
        is_current = newest is not None and newest["shot"] == news["shot"] and newest["holding"] == "now"
        if not is_current or card["doubts"] or card["open_points"] or card["stability"]["share"] < SURE:
            self.found.unsure += 1
            return
        self.found.sure += 1
        # The server's clocks are this machine's. A sure answer must have been true at its last sighting.
        self._judge(card, [figures[attacker], figures[defender]], scene, min(newest["taken_at_s"], begun_s))

    def _judge(self, card: dict[str, Any], pair: list[dict[str, Any]], scene: dict[str, Any], seen_at_s: float) -> None:
        moments = self._room.moments(seen_at_s - SLACK_S)
        faults = [self._fault(card["ruling"], pair, scene, moment) for moment in moments]
        if faults and all(faults):
            self.found.wrong.append(f"{time.strftime('%H:%M:%S')} {card['ruleset']} {faults[-1]}")
            self._keep(card, scene, seen_at_s)

    def _keep(self, card: dict[str, Any], scene: dict[str, Any], seen_at_s: float) -> None:
        """Save the basis of a wrong answer: nobody can reproduce the same moment."""
        if self._out is None:
            return
        folder = self._out / f"wrong-{len(self.found.wrong)}"
        folder.mkdir(parents=True)
        moments = self._room.moments(seen_at_s - BEFORE_S)
        truth = [
            {
                "after_s": round(moment.at_s - seen_at_s, 2),
                "shift": _shift(moment.board, scene["cells"]),
                "figures": {figure.id: figure.cells for figure in moment.board.figures},
                "doors": [door.id for door in moment.board.doors],
            }
            for moment in moments
        ]
        found = {"seen_at_s": seen_at_s, "card": card, "scene": scene, "truth": truth}
        (folder / "what.json").write_text(json.dumps(found, indent=1))
        for moment in moments:
            (folder / f"{moment.at_s - seen_at_s:+07.2f}.jpg").write_bytes(moment.jpeg)

    def _fault(
        self, ruling: dict[str, Any], pair: list[dict[str, Any]], scene: dict[str, Any], moment: Moment
    ) -> str | None:
        """Return the error of an answer at a moment, or None for a right one.

        Which of several like figures is which does not matter here: the answer is compared with the figures that truly
        stand at its two places. A figure of an open kind cannot be wrong.
        """
        dx, dy = _shift(moment.board, scene["cells"])
        found = []
        for figure in pair:
            places = tuple(sorted((x + dx, y + dy) for x, y in figure["cells"]))
            there = next((f for f in moment.board.figures if f.cells == places), None)
            if there is None or figure["kind"] not in (UNKNOWN, moment.kinds[there.id]):
                truly = "nobody" if there is None else moment.kinds[there.id]
                return f"{figure['kind']} {figure['id']} is stated on {list(places)}, where {truly} stands"
            found.append(there)
        rules = self._rules[ruling["ruleset"]]
        assert isinstance(rules, CellRules)
        truth = rules.verdict(moment.board, found[0], found[1])
        told = Verdict(ruling["range"], ruling["line_of_sight"], ruling["cover"])
        if told == truth:
            return None
        seen = {tuple(sorted((x + dx, y + dy) for x, y in figure["cells"])) for figure in scene["figures"]}
        stand = {figure.cells for figure in moment.board.figures}
        missed, invented = sorted(stand - seen), sorted(seen - stand)
        doors = f"{len(scene['doors'])} doors for {len(moment.board.doors)}"
        differs = f"missed {missed}, invented {invented}, {doors}"
        return f"{pair[0]['id']} → {pair[1]['id']}: said {told}, is {truth}; {differs}"


def _shift(board: Board, cells: list[Any]) -> Cell:
    """Return the shift from a reading's lattice to the truth's with the most cells in common.

    A corner alone does not tell: a tile under glare is not read, and all that was would seem to stand beside its place.
    """
    seen = {tuple(cell["cell"]) if isinstance(cell, dict) else tuple(cell) for cell in cells}
    dx = min(x for x, _ in board.cells) - min(x for x, _ in seen)
    dy = min(y for _, y in board.cells) - min(y for _, y in seen)
    near = [(dx + x, dy + y) for x in range(-MISSING, MISSING + 1) for y in range(-MISSING, MISSING + 1)]
    near.sort(key=lambda shift: abs(shift[0] - dx) + abs(shift[1] - dy))
    return max(near, key=lambda shift: sum((x + shift[0], y + shift[1]) in board.cells for x, y in seen))
