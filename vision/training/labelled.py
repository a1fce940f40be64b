"""Read boards for training: photos with truth from lists, and simulated scenes.

The pose comes from the markers, as in the reader. Lattice and tiles come from the truth. They are fitted to the photo
as in the reader, or moved by more than its usual error. Labels come from the truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from assistant import documents
from assistant.errors import PhotoError
from assistant.table.camera import TableMarkers
from assistant.table.lattice import Cell, Edge
from assistant.table.roster import Roster
from calibration.arrays import BgrImage
from calibration.pose import CameraView
from vision.photo.decoding import decode_photo
from vision.photo.paper_light import PaperLight, paper_light
from vision.reading import TableReader
from vision.simulation.camera_effects import encode_jpeg, sharpened
from vision.simulation.scene import Scene
from vision.simulation.stage_setup import FLAT_SIZES_MM
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.candidates import TileCandidate
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import Pose, TilePlacement, pose_of
from vision.tiles.prints import TilePrints, load_prints

_MISS_MM, _MISS_DEG = 0.45, 0.15
"""Standard deviations of a moved lattice or tile, twice the reader's error."""

_MOVED_SHARE = 0.5
_VOTES = 100.0

_THING_MM, _SMALL_THING_MM = {"card": FLAT_SIZES_MM["card"], "pen": (140.0, 9.0), "key": (46.0, 16.0)}, (16.0, 16.0)
"""Length and width of things of unknown size: those that cover more than one cell, and dice, coins and counters."""

_SENT_QUALITY, _SMALL_WIDTH_PX = 60, 1280
"""JPEG quality of a photo that a messenger has sent, and width of one by a small camera."""

_NEARLY_UNDER_MM = 6.0
"""Distance of a cell's middle from a thing within which the cell counts as under it."""


@dataclass(frozen=True, eq=False)
class KnownBoard:
    """A board as read, with its doors and figures.

    Args:
        name: the photo's name.
        board: print and photo.
        roster: its figures and doors.
        doors: the edges with a door.
        figures: the kind on each sorted group of cells.
        things: the cells with a thing that is no figure.
        lain_across: the cells that a fallen figure lies across.
    """

    name: str
    board: BoardView
    roster: Roster
    doors: frozenset[Edge]
    figures: Mapping[tuple[Cell, ...], str]
    things: frozenset[Cell] = frozenset()
    lain_across: frozenset[Cell] = frozenset()

    @property
    def rings(self) -> Mapping[tuple[Cell, ...], str | None]:
        """The ring of each figure's base."""
        ring_of = {figure.kind: figure.ring for figure in self.roster.figures}
        return {cells: ring_of[kind] for cells, kind in self.figures.items()}


@dataclass(frozen=True, eq=False)
class KnownPhoto:
    """A photo with its truth, before reading."""

    name: str
    photo: BgrImage
    view: CameraView
    paper: PaperLight
    lattice: Lattice
    placements: tuple[TilePlacement, ...]
    prints: TilePrints
    roster: Roster
    doors: frozenset[Edge]
    figures: Mapping[tuple[Cell, ...], str]
    things: frozenset[Cell]
    lain_across: frozenset[Cell]

    def seen(self, rng: Generator | None = None) -> KnownBoard:
        """Read the board in the photo, unchanged, or randomly worn and moved."""
        photo, lattice, poses = self.photo, self.lattice, None
        if rng is not None:
            photo = worn(photo, rng)
            if rng.random() < _MOVED_SHARE:
                lattice, poses = self._moved(rng)
        board = board_view(photo, self.view, lattice, self.placements, self.prints, poses=poses, paper=self.paper)
        return KnownBoard(self.name, board, self.roster, self.doors, self.figures, self.things, self.lain_across)

    def _moved(self, rng: Generator) -> tuple[Lattice, list[Pose]]:
        x, y = (np.array(self.lattice.origin_mm) + rng.normal(0, _MISS_MM, 2)).tolist()
        poses = []
        for placement in self.placements:
            pose = pose_of(placement, self.lattice, self.prints)
            dx, dy = rng.normal(0, _MISS_MM, 2).tolist()
            turned = pose.rotation_deg + float(rng.normal(0, _MISS_DEG))
            poses.append(Pose(turned, (pose.center_mm[0] + dx, pose.center_mm[1] + dy)))
        return Lattice((x, y), self.lattice.angle_deg, self.lattice.cell_mm), poses


@dataclass(frozen=True, eq=False)
class ListEntry:
    """The loaded files of one entry of a list. ``name`` begins with the list's folder."""

    name: str
    photo: BgrImage
    prints: TilePrints
    roster: Roster
    markers: TableMarkers
    reader: TableReader
    truth: dict[str, Any]

    @property
    def lattice(self) -> Lattice:
        """The true lattice."""
        grid = self.truth["grid"]
        return Lattice((grid["origin_mm"][0], grid["origin_mm"][1]), grid["angle_deg"], grid["cell_mm"])


def read_list(list_path: Path) -> Iterator[ListEntry]:
    """Read the entries of a list one by one, in its order.

    Raises:
        InputError: a file of the list is missing or breaks its format.
    """
    for entry in json.loads(list_path.read_text(encoding="utf-8")):
        path = {key: list_path.parent / entry[key] for key in ("photo", "table", "camera", "tiles", "roster", "truth")}
        prints = _prints(path["tiles"])
        roster = documents.roster_from_json(path["roster"].read_bytes())
        markers = documents.table_from_json(path["table"].read_bytes())
        lens = documents.camera_from_json(path["camera"].read_bytes())
        yield ListEntry(
            name=f"{list_path.parent.name}/{entry['name']}",
            photo=decode_photo(path["photo"].read_bytes()),
            prints=prints,
            roster=roster,
            markers=markers,
            reader=TableReader(prints, roster, markers, lens),
            truth=json.loads(path["truth"].read_text(encoding="utf-8")),
        )


def labelled_photos(list_path: Path, sent: Callable[[BgrImage], BgrImage] | None = None) -> Iterator[KnownPhoto]:
    """Read the photos of a list in its order, except those with unreadable markers.

    Args:
        list_path: the list.
        sent: what happened to each photo on its way, by default nothing.

    Raises:
        InputError: a file of the list is missing or breaks its format.
    """
    for entry in read_list(list_path):
        image = sent(entry.photo) if sent else entry.photo
        try:
            view = entry.reader.find_view(image)
        except PhotoError:
            continue
        board = documents.board_from_json(json.dumps(entry.truth["board"]).encode())
        yield KnownPhoto(
            name=entry.name,
            photo=image,
            view=view,
            paper=paper_light(image, view, entry.markers),
            lattice=entry.lattice,
            placements=tuple(_placement(tile, entry.lattice, entry.prints) for tile in entry.truth["tiles"]),
            prints=entry.prints,
            roster=entry.roster,
            doors=frozenset(edge for door in board.doors for edge in door.edges),
            figures={tuple(sorted(figure.cells)): figure.kind for figure in board.figures},
            things=_cells_under(entry.truth.get("things", []), entry.lattice, board.cells),
            lain_across=frozenset(
                (column, row) for lying in entry.truth.get("fallen", []) for column, row in lying["across"]
            ),
        )


def _cells_under(things: list[dict[str, Any]], lattice: Lattice, cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return the cells with their middle under or nearly under a thing."""
    there = sorted(cells)
    middles_mm = lattice.table_from_lattice(np.array(there) + 0.5)
    under: set[Cell] = set()
    for thing in things:
        angle = np.deg2rad(thing["turn_deg"])
        turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        along_mm = np.abs((middles_mm - thing["center_mm"]) @ turned)
        size_mm = thing.get("size_mm", _THING_MM.get(thing["kind"], _SMALL_THING_MM))
        reach_mm = np.array(size_mm) / 2 + _NEARLY_UNDER_MM
        under.update(cell for cell, is_under in zip(there, (along_mm < reach_mm).all(axis=1), strict=True) if is_under)
    return frozenset(under)


def labelled_scene(scene: Scene, board: BoardView) -> KnownBoard:
    """Label the board of a simulated scene."""
    return KnownBoard(
        scene.name,
        board,
        scene.roster,
        frozenset(door.edge for door in scene.doors),
        {tuple(sorted(placed.cells)): placed.figure.kind for placed in scene.figures},
    )


def worn(photo: BgrImage, rng: Generator) -> BgrImage:
    """Wear a photo as other cameras and messengers do: brighten, clip, sharpen, compress."""
    image = photo
    if rng.random() < 0.4:
        factor = np.float32(rng.uniform(0.75, 1.5))
        image = np.asarray(np.clip(image * factor + 0.5, 0, 255), np.uint8)
    if rng.random() < 0.4:
        image = sharpened(image, float(rng.uniform(0.1, 1.0)))
    if rng.random() < 0.6:
        image = decode_photo(encode_jpeg(image, int(rng.integers(40, 90))))
    return image


@lru_cache(maxsize=2)
def _prints(folder: Path) -> TilePrints:
    return load_prints(folder)


def compressed(photo: BgrImage) -> BgrImage:
    """Compress a photo as messengers do."""
    return decode_photo(encode_jpeg(photo, _SENT_QUALITY))


def shrunk(photo: BgrImage) -> BgrImage:
    """Shrink a photo to the width of a small camera."""
    height = round(photo.shape[0] * _SMALL_WIDTH_PX / photo.shape[1])
    return np.asarray(cv2.resize(photo, (_SMALL_WIDTH_PX, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _placement(tile: dict[str, Any], lattice: Lattice, prints: TilePrints) -> TilePlacement:
    """Return the placement that recognition would give a true tile."""
    index = next(i for i, p in enumerate(prints.prints) if p.side.id == tile["id"])
    quarters = round((tile["rotation_deg"] - lattice.angle_deg) / 90) % 4
    size = TilePlacement(index, quarters, (0, 0), 0.0, None).size_cells(prints.prints[index].side)
    middle = lattice.lattice_from_table(np.array([tile["center_mm"]]))[0]
    column, row = np.round(middle - np.array(size) / 2).astype(int).tolist()
    x, y = tile["center_mm"]
    candidate = TileCandidate(index, tile["rotation_deg"] % 360, (x, y), _VOTES)
    return TilePlacement(index, quarters, (column, row), 10.0, candidate)
