"""Shots of the development scenes through their truth, and a page state around them.

The truth stands in for the reader of photos here, so that the page is tested for what it shows and not for how well
a photo was read; ``tests/browser`` goes through the real reader.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from assistant.app.live.game_files import ReadableGame
from assistant.app.live.shots import Picture, PointPx, ReadPicture, SetUp, Shot
from assistant.app.tournament.call_book import CallBook
from assistant.app.tournament.referee import Referee
from assistant.app.tournament.table_key import TableKey
from assistant.documents import (
    camera_from_json,
    observation_from_json,
    roster_from_json,
    table_from_json,
    tile_set_from_json,
)
from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.store import Store
from assistant.table.camera import Calibration, CameraLens, PointMm
from assistant.table.lattice import Cell
from assistant.table.observation import Observation, SeenFrom, SettledDoubt, table_from_lattice
from calibration.lens_model import PlacedCamera
from vision.tiles.prints import load_prints
from web.parts import Parts, new_parts, with_referee
from web.people.devices import DeviceList
from web.people.keeping import AttemptLog
from web.serving.events import EventHub
from web.serving.roles import Role

SCENES = Path(__file__).parents[1] / "data" / "scenes"


@dataclass(frozen=True)
class TrueView:
    """The true camera of a scene."""

    lens: CameraLens
    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]

    def image_from_table(self, points_mm: Sequence[PointMm], height_mm: float = 0.0) -> list[PointPx]:
        points = np.array([(x, y, -height_mm) for x, y in points_mm], float)
        image, _ = cv2.projectPoints(
            points,
            np.array(self.rotation),
            np.array(self.translation),
            np.array(self.lens.matrix),
            np.array(self.lens.distortion),
        )
        return [(float(x), float(y)) for x, y in image.reshape(-1, 2)]

    @property
    def placed(self) -> PlacedCamera:
        first, second, third = ((x, y, z) for x, y, z in cv2.Rodrigues(np.array(self.rotation))[0].tolist())
        return PlacedCamera(self.lens, (first, second, third), self.translation)


def true_setup(name: str) -> SetUp:
    folder = SCENES / "dev" / name
    return SetUp(
        name=name,
        roster=roster_from_json((folder / "roster.json").read_bytes()),
        tiles=tile_set_from_json((SCENES / "tiles-dev" / "tileset.json").read_bytes()),
        sources={"table": "table.json", "camera": "camera.json", "tiles": "tiles-dev", "roster": "roster.json"},
    )


@cache
def true_game(name: str) -> ReadableGame:
    """Return the documents of one scene, with the pictures of its tiles."""
    folder, setup = SCENES / "dev" / name, true_setup(name)
    return ReadableGame(
        name=setup.name,
        markers=table_from_json((folder / "table.json").read_bytes()),
        lens=camera_from_json((folder / "camera.json").read_bytes()),
        prints=load_prints(SCENES / "tiles-dev"),
        roster=setup.roster,
        sources=setup.sources,
    )


def true_picture(name: str) -> ReadPicture:
    folder = SCENES / "dev" / name
    meta = json.loads((folder / "meta.json").read_text())
    lens = camera_from_json((folder / "camera.json").read_bytes())
    return ReadPicture(
        Picture((folder / "photo.jpg").read_bytes(), lens.width_px, lens.height_px),
        true_observation(folder / "truth.json"),
        TrueView(lens, tuple(meta["rvec"]), tuple(meta["tvec"])),
        Calibration(table_from_json((folder / "table.json").read_bytes()), lens),
    )


def true_observation(path: Path) -> Observation:
    return as_seen(json.loads(path.read_text()))


def as_seen(truth: dict[str, Any]) -> Observation:
    """Return the truth as a sighting, which has confidences."""
    for part in ("tiles", "doors", "figures"):
        for item in truth[part]:
            item["confidence"] = 1.0
    return observation_from_json(json.dumps(truth).encode())


def true_shot(name: str) -> Shot:
    return Shot(f"photo-{name}", "photo", true_picture(name), true_setup(name), 1_000_000.0)


def live_copy(shot: Shot, shot_id: str) -> Shot:
    """Return the same shot as if the camera had taken it."""
    return replace(shot, id=shot_id, source="live")


def moved_shot(shot: Shot, figure_id: str, cell: Cell, taken_at_s: float) -> Shot:
    """Return the camera's next picture, with a one-cell figure elsewhere, and its reading."""
    seen, view = shot.read.observation, shot.read.view
    figures = [replace(one, cells=(cell,)) if one.id == figure_id else one for one in seen.board.figures]
    (x, y), (column, row) = shot.board.figure(figure_id).cells[0], cell
    middles = [(x + 0.5, y + 0.5), (column + 0.5, row + 0.5), (x + 1.5, y + 0.5)]
    points = [table_from_lattice(seen.grid, middle) for middle in middles]
    *places, beside = view.image_from_table(points, shot.setup.tiles.thickness_mm)
    image = cv2.imdecode(np.frombuffer(shot.read.picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
    scale = image.shape[1] / shot.read.picture.width_px
    (x0, y0), (x1, y1) = ((round(x * scale), round(y * scale)) for x, y in places)
    half = round(0.35 * scale * math.dist(places[0], beside))
    piece = image[y0 - half : y0 + half, x0 - half : x0 + half].copy()
    image[y0 - half : y0 + half, x0 - half : x0 + half] = np.median(piece, axis=(0, 1))
    image[y1 - half : y1 + half, x1 - half : x1 + half] = piece
    jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    read = replace(
        shot.read,
        picture=replace(shot.read.picture, jpeg=jpeg),
        observation=replace(seen, board=replace(seen.board, figures=tuple(figures))),
    )
    return replace(shot, id=f"{shot.id}-moved", read=read, taken_at_s=taken_at_s)


@dataclass
class TrueReader:
    """Answers every upload with the truth of one scene, or with the error that the test sets."""

    name: str
    error: Exception | None = None
    seen: list[bytes] = field(default_factory=list)
    of_same_camera: bool | None = None

    @property
    def setup(self) -> SetUp:
        return true_setup(self.name)

    @property
    def game(self) -> ReadableGame:
        return true_game(self.name)

    def read(self, photo: bytes) -> ReadPicture:
        self.seen.append(photo)
        if self.error is not None:
            raise self.error
        return true_picture(self.name)

    def read_side(self, photo: bytes, seen: ReadPicture, *, by_same_camera: bool) -> ReadPicture:
        """Return the other side's evidence: one figure and one door are there, another door and figure are not."""
        self.seen.append(photo)
        self.of_same_camera = by_same_camera
        if self.error is not None:
            raise self.error
        observation = seen.observation
        figure = observation.board.figures[0]
        settled = (
            SettledDoubt(figure.cells, is_door=False, stands=(figure.id,)),
            SettledDoubt(((0, 0), (1, 0)), is_door=True, stands=("door-1",)),
            SettledDoubt(((0, 0), (1, 0)), is_door=True, stands=()),
            SettledDoubt(((0, 0),), is_door=False, stands=()),
        )
        views = (SeenFrom(observation.camera), SeenFrom(observation.camera, settled))
        return replace(seen, observation=replace(observation, views=views, doubts=()), sides=(*seen.sides, photo))


def sample_session() -> Session:
    """Return a match of the shipped sample mission in its first round, on any seen table; stored nowhere."""
    made = new_session("doom2016", "doom2016_sample_table", is_on_any_table=True)
    made.command({"type": "status"}, TABLE)
    return made


def new_session(game: str, name: str, *, is_on_any_table: bool = False) -> Session:
    """Return a match of a mission that comes with a game, before its first step, kept nowhere."""
    folder = resources.files(f"assistant.games.{game}") / "missions"
    mission = mission_from_toml((folder / f"{name}.toml").read_bytes())
    if is_on_any_table:
        mission = msgspec.structs.replace(mission, table=None)
    header = new_header(mission, match_id="m", seed="seed", created_t=0, options={})
    return Session(header, journal=None, clock_ms=lambda: 0)


stores: list[Store] = []
"""Stores opened for referees; the fixture that made one closes it."""


def referee(state: Parts, folder: Path) -> Referee:
    """Return the calls of a table in that folder."""
    stores.append(Store(folder))
    return Referee(CallBook(stores[-1], "table-7"), TableKey(folder), lambda: state.match.session)


def page_state(
    scene: str = "easy-03",
    guest_role: Role = Role.PLAYER,
    *,
    boot: str = "test",
    max_streams: int = 4,
    **changes: object,
) -> Parts:
    hub = EventHub(boot=boot, max_streams=max_streams)
    devices = DeviceList(guest_role, AttemptLog(), time.time)
    reader: Any = TrueReader(scene)
    now_s: Any = changes.pop("now_s", time.time)
    return replace(new_parts(reader, hub, devices, now_s=now_s), **changes)  # type: ignore[arg-type]


def put(state: Parts, **others: object) -> None:
    """Give a page other parts after it was made: a test may, a program never does."""
    for name, part in others.items():
        object.__setattr__(state, name, part)


def judge(state: Parts, referee: Referee) -> None:
    """Let judges be called at a page that is made already."""
    put(state, referee=with_referee(state, referee).referee)
