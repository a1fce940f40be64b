"""A call with a small frozen table, and its evidence. The pictures are placeholders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from assistant.app.live.free_shots import FreeShot
from assistant.app.live.shots import Picture, PointPx, ReadPicture, SetUp, Shot
from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.freezing import AskedShot, TableNow
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.steps import GiveRuling
from assistant.app.tournament.table_key import TableKey
from assistant.documents import board_from_json
from assistant.documents.table_event import Person
from assistant.store import Store
from assistant.table.board import Board
from assistant.table.camera import NO_MARKERS, Calibration, CameraLens, PointMm
from assistant.table.doubt import Doubt, Variant
from assistant.table.free_sighting import FreeSighting, FreeSpot
from assistant.table.observation import CameraSighting, LatticePose, Observation
from assistant.table.roster import DoorSpec, Roster
from assistant.table.tiles import TileSet
from calibration.lens_model import PlacedCamera
from tests.rules.free_tables import box
from tests.rules.free_tables import figure as free_figure
from tests.rules.free_tables import table as free_table

ANN = Person(role="player", name="Ann")
BEA = Person(role="judge", name="Bea")
NOW_MS = 1_700_000_000_000


class Flat:
    """A camera that looks straight down from a metre, two pixels a millimetre."""

    placed = PlacedCamera(
        CameraLens(800, 600, ((2000, 0, 0), (0, 2000, 0), (0, 0, 1)), (0, 0, 0, 0, 0)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        (0, 0, 1000),
    )

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        return [(x, y) for x, y in self.placed.image_from_table(list(points_mm), height_mm).tolist()]


def corridor() -> Board:
    data = resources.files("assistant").joinpath("data/boards/corridor.json").read_bytes()
    return board_from_json(data)


def corridor_shot(name: str = "live-1", taken_at_s: float = 1_000.0) -> Shot:
    """Return the shipped corridor as a camera would have seen it, with a doubt about its first demon."""
    board = corridor()
    imp = board.figure("imp-1")
    doubt = Doubt((imp.id,), (Variant(0.9, (imp,)), Variant(0.1)))
    observation = Observation(
        CameraSighting(0.4, (0, 1, 2, 3)), LatticePose((10.0, 20.0), 0.0, 25.4), (), (), (), board, (doubt,)
    )
    jpeg = b"\xff\xd8" + name.encode() * 100 + b"\xff\xd9"
    read = ReadPicture(Picture(jpeg, 800, 600), observation, Flat(), Calibration(NO_MARKERS, None))
    setup = SetUp("corridor", Roster((), DoorSpec(1, 1, 20, 2)), TileSet("none", 25.4, 50, 2.0, ()), {})
    return Shot(name, "live", read, setup, taken_at_s)


def moved(shot: Shot, figure_id: str, column: int, name: str, taken_at_s: float) -> Shot:
    """Return the same table with one figure set by hand onto another column."""
    board = shot.board
    figure = board.figure(figure_id)
    step = column - figure.cells[0][0]
    cells = tuple((x + step, y) for x, y in figure.cells)
    others = tuple(replace(one, cells=cells) if one.id == figure_id else one for one in board.figures)
    return replace(shot, id=name, corrected=replace(board, figures=others), source="photo", taken_at_s=taken_at_s)


def table_now() -> TableNow:
    """Return two pictures, a ruling on each, and a match of which everybody knows two steps."""
    before = corridor_shot("live-1", 1_000.0)
    after = moved(before, "bravo", before.board.figure("bravo").cells[0][0] + 1, "photo-2", 1_030.0)
    asked = [
        AskedShot(before, "doom2016", {}, "alpha", "imp-1", 1_010.0),
        AskedShot(after, "doom2004", {}, "bravo", "imp-2", 1_035.0),
    ]
    history = [{"seq": 1, "title": "New round", "by": "", "done": True}]
    match = {"match": {"title": "Evening", "options": {"house": "yes"}}, "seq": 1, "history": history, "hand": "secret"}
    return TableNow("table-7", NOW_MS, "now", match, (before, after), asked, {"es": {1: "Ronda nueva"}})


@dataclass
class Court:
    """A table with one call that was ruled on."""

    referee: Referee
    store: Store
    call_id: str

    def evidence(self) -> bytes:
        return self.referee.evidence(self.call_id)


def free_shot(name: str, taken_at_s: float, **moved: tuple[float, float]) -> FreeShot:
    """Return a table without a grid as a camera sees it: two diggers, a raider behind a wall, one in the open."""
    places = {
        "digger_1": (100.0, 100.0),
        "digger_2": (100.0, 300.0),
        "ratnik_1": (350.0, 100.0),
        "ratnik_2": (300.0, 320.0),
    }
    figures = [
        free_figure(each.replace("_", "~"), *place, "raiders" if each[0] == "r" else "knights")
        for each, place in {**places, **moved}.items()
    ]
    shown = free_table(*figures, box("wall-1", 200, 50, 220, 150))
    where = {one.id: (float(one.center_mm[0]), float(one.center_mm[1])) for one in figures}
    seen = FreeSighting(shown, {one.id: FreeSpot(0.3) for one in figures}, where, 0.4, (0, 1, 2, 3))
    jpeg = b"\xff\xd8" + name.encode() * 100 + b"\xff\xd9"
    return FreeShot(name, "live", Picture(jpeg, 800, 600), seen, Flat(), taken_at_s)


def free_table_now() -> TableNow:
    """Return the same for a table without a grid: a move between two pictures, and a ruling on each."""
    before, after = free_shot("free-1", 1_000.0), free_shot("free-2", 1_030.0, digger_1=(250.0, 100.0))
    asked = [
        AskedShot(before, "roads", {}, "digger~1", "ratnik~1", 1_010.0),
        AskedShot(after, "roads", {}, "digger~2", "ratnik~2", 1_035.0),
    ]
    return TableNow("table-7", NOW_MS, "now", None, (before, after), asked)


def court(folder: Path, now: TableNow | None = None) -> Court:
    store = Store(folder)
    referee = Referee(CallBook(store, "table-7", lambda: NOW_MS), TableKey(folder), lambda: None)
    call = referee.call_judge("Does Alpha see it?", ANN, now or table_now(), "call-1")
    ruling = GiveRuling(ruling="Yes", disputed="The door", reason="Line 2 is free", penalty="None", extension_s=90)
    referee.take_step(call.id, ruling, BEA, "step-1")
    return Court(referee, store, call.id)
