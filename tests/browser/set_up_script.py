"""A scripted set-up and teaching desk: tests cover the page, and nothing is read."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from assistant.app.live.shots import Picture
from assistant.app.setup.values import (
    STEPS,
    GameStepState,
    LensFound,
    LensState,
    SetUpPreview,
    SetUpState,
    SheetSettings,
    TableState,
)
from assistant.app.side_process import WorkHere
from assistant.app.teaching.values import TaughtSet, TileDraft
from assistant.app.turns import ReadingTurns
from assistant.table.lattice import Edge
from web.setup.view import SHEET_TITLES

GRAY = np.full((120, 160, 3), 90, np.uint8)


def set_up_state(**changes: Any) -> SetUpState:
    """Return a set-up with the simulated camera in its table step, with whatever else is named."""
    values = {
        "step": "table", "statuses": dict.fromkeys(STEPS, "open"), "source": "virtual",
        "cameras": ("photos", "usb:0", "virtual"), "sheets": SheetSettings("a4", None, False, tuple(SHEET_TITLES)),
        "lens": LensState(5, None, True, False, None), "table": TableState(((1, 2, 3, 4),), None),
        "game": GameStepState(("home", "kitchen"), ("box",), None, None),
        "name": None, "names": ("attic",), "look": None,
    }  # fmt: skip
    return SetUpState(**{**values, **changes})


@dataclass
class ScriptedDesk:
    """A set-up that takes a new picture at each look and follows its script, without reading anything."""

    now: SetUpState = field(default_factory=set_up_state)
    looks: int = 0
    refuses: dict[str, Exception] = field(default_factory=dict)
    turn: Any = field(default_factory=threading.RLock)

    def state(self) -> SetUpState:
        return self.now

    def look(self, *, is_wanted: bool) -> None:
        self._refuse("look")
        self.looks += 1
        self.now = replace(self.now, look=SetUpPreview(self.looks, (160, 120)))

    def photo(self) -> bytes:
        self._refuse("photo")
        return cv2.imencode(".jpg", GRAY)[1].tobytes()

    def preview(self) -> Picture:
        return Picture(cv2.imencode(".jpg", GRAY)[1].tobytes(), 160, 120)

    def go_to(self, step: Any) -> None:
        self.now = replace(self.now, step=step, look=None)

    def _refuse(self, what: str) -> None:
        if what in self.refuses:
            raise self.refuses[what]

    def choose_camera(self, source: str) -> None:
        self._refuse("camera")
        statuses = {**self.now.statuses, "camera": "done"}
        self.now = replace(self.now, source=source, statuses=statuses)

    def choose_game(self, tiles: str | None, roster: str | None, step_mm: float | None) -> None:
        self.now = replace(self.now, game=replace(self.now.game, tiles=tiles, roster=roster, step_mm=step_mm))

    def skip_lens(self) -> None:
        self.now = replace(self.now, statuses={**self.now.statuses, "lens": "skipped"})

    def skip_table(self) -> None:
        self.now = replace(self.now, statuses={**self.now.statuses, "table": "skipped"})

    def solve_table(self) -> None:
        raise NotImplementedError

    def take_print_scale(self) -> None:
        raise NotImplementedError

    def solve_lens(self) -> None:
        found = LensFound(1000.0, 2.0, 0.3, (0.3, 0.4), (160, 120))
        self.now = replace(self.now, lens=replace(self.now.lens, found=found))


def tile_draft() -> TileDraft:
    cells = tuple((x, y) for x in range(2) for y in range(2))
    edges = {Edge.between((x, y), (x + 1, y)): (None, 1.0) for x in range(2) for y in range(3)}
    edges |= {Edge.between((x, y), (x, y + 1)): ("wall", 1.0) for x in range(3) for y in range(2)}
    return TileDraft("draft", (2, 2), cells, edges, dict.fromkeys(cells, (False, 1.0)), {}, 1)


@dataclass
class ScriptedTeaching:
    """Reads every photo as the same tile, and holds the caller for as long as a test wants."""

    held: threading.Event = field(default_factory=threading.Event)
    kept: list[Any] = field(default_factory=list)
    turns: ReadingTurns = field(default_factory=ReadingTurns)
    apart: WorkHere = field(default_factory=WorkHere)

    def __post_init__(self) -> None:
        self.held.set()

    @property
    def photo(self) -> bytes:
        """A photo to hand in."""
        return cv2.imencode(".jpg", GRAY)[1].tobytes()

    def sets(self) -> list[TaughtSet]:
        return [TaughtSet(one.set_name, (one.side_id,)) for one in self.kept]

    def rosters(self) -> list[Any]:
        return []

    def read_tile(self, photo: bytes, together_with: str | None) -> TileDraft:
        self.held.wait(20)
        return tile_draft()

    def picture(self, draft_id: str) -> bytes:
        return cv2.imencode(".png", GRAY)[1].tobytes()

    def keep_tile(self, draft_id: str, tile: Any, *, may_replace: bool) -> TaughtSet:
        self.held.wait(20)
        self.kept.append(tile)
        return TaughtSet(tile.set_name, (tile.side_id,))
