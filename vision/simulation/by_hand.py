"""Tables set up by hand, with or without a grid, photographed with a ruling's lines over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from assistant.errors import UnknownName
from assistant.table.board import Board
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.lattice import Cell
from assistant.table.roster import RosterFigure
from assistant.table.silhouettes import Face, Point, find_hidden, list_faces, list_pillar, point_at
from assistant.translations.messages import known, said
from calibration.arrays import BgrImage, Points
from vision.photo.decoding import decode_photo
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.dataset import take_photo
from vision.simulation.free_compose import random_free_scene
from vision.simulation.free_scene import PAINTS, FreeScene, place_models_of
from vision.simulation.sample import sample_scene
from vision.simulation.scene import PlacedFigure, Scene, on_table

PICTURE_WH = (1200, 675)
FREE_BGR, BLOCKED_BGR, RIM_BGR = (80, 220, 60), (40, 40, 235), (255, 255, 255)

SEEN_FROM_MM, NEARER_SHARE = 200.0, 1.4
"""Camera distance for one figure with two cells round it, and its increase per millimetre between figures."""

DASH_PX = 12
"""Length of the dashes and gaps of a line hidden in the picture."""

LINE_HEIGHT_MM = 4.0
"""Height of drawn lines over the table, where a thread over the printed corners would lie."""

FREE_SEED = 8002
"""Seed of the free table that provides cloth, light and bodies: a soft light on 700 x 600 mm."""

RINGS = ("#3b6fd4", "#d13a34", "#e0b03a")
"""Rim colour of each side, in the order of their names."""

FREE_SEEN_FROM_MM, FREE_NEARER_SHARE, FREE_TILT_DEG, FREE_AZIMUTH_DEG = 180.0, 1.0, 46.0, 78.0
"""The camera over a free table: nearly across the line of fire, and low enough to show heights."""


@dataclass(frozen=True)
class ThreadLine:
    """A line between two lattice points, or two places on a free table in mm. ``is_main`` is drawn thicker."""

    start: tuple[float, float]
    end: tuple[float, float]
    is_free: bool
    is_main: bool


@dataclass(frozen=True)
class HandScene:
    """A simulated table with a grid, set up by hand."""

    scene: Scene

    @property
    def board(self) -> Board:
        return self.scene.board

    def picture(self, lines: Sequence[ThreadLine]) -> BgrImage:
        """Photograph the table and draw lines between lattice points: green if free, red if blocked."""
        return _picture(self.scene, lines, lambda points: np.asarray(on_table(self.scene.grid, points), np.float64))


@dataclass(frozen=True)
class FreeHandScene:
    """A simulated table without a grid, set up by hand.

    Args:
        name: its name.
        board: the table in the rules' terms. The borrowed cloth limits the picture.
    """

    name: str
    board: FreeTable

    @cached_property
    def scene(self) -> FreeScene:
        """The table prepared for the camera."""
        base, figures = random_free_scene(FREE_SEED), self.board.figures
        sides = sorted({figure.side for figure in figures})
        rings = dict(zip(sides, RINGS, strict=False))
        kinds = dict(zip(sides, base.looks, strict=False))
        in_box = tuple(_in_box(figure, kinds[figure.side], rings[figure.side]) for figure in figures)
        roster = replace(base.roster, figures=in_box)
        placed = place_models_of(self.board, roster)
        around = Around(0.0, FREE_TILT_DEG, FREE_AZIMUTH_DEG)
        centers = np.array([model.center_mm for model in placed])
        return replace(
            base,
            name=self.name,
            size_mm=(float(self.board.size_mm[0]), float(self.board.size_mm[1])),
            step_mm=float(self.board.step_mm),
            terrain=self.board.terrain,
            paints={piece.id: PAINTS[piece.kind] for piece in self.board.terrain},
            roster=roster,
            stats={kinds[figure.side]: figure.stats for figure in figures},
            figures=placed,
            view=_near(base.view, centers, around, FREE_SEEN_FROM_MM, FREE_NEARER_SHARE),
        )

    def picture(self, lines: Sequence[ThreadLine]) -> BgrImage:
        """Photograph the table and draw lines between places in mm: green if free, red if blocked."""
        return _picture(self.scene, lines, lambda points: points)


def set_up_by_hand(name: str, figures: Mapping[str, Sequence[Cell]], doors: Collection[str]) -> HandScene:
    """Set up the sample table with these figures on these cells, and with only these doors.

    Raises: UnknownName: the sample game has no such figure or door.
    """
    base = sample_scene()
    box = {figure.id: figure for figure in base.roster.figures}
    standing = {door.id: door for door in base.doors}
    for wanted, there in ((figures, box), (doors, standing)):
        for one in wanted:
            if one not in there:
                text = said("the sample game has no “{name}”; it has: {known}", name=one, known=known(there))
                raise UnknownName(text)
    placed = []
    for number, (figure_id, cells) in enumerate(figures.items()):
        x, y = on_table(base.grid, np.array(cells) + 0.5).mean(0).tolist()
        turn = base.grid.angle_deg
        placed.append(PlacedFigure(box[figure_id], tuple(cells), (x, y), turn, turn + 40.0 * number, number))
    tilt_deg, azimuth_deg, roll_deg, _ = base.around
    centers, around = np.array([figure.center_mm for figure in placed]), Around(0.0, tilt_deg, azimuth_deg, roll_deg)
    return HandScene(
        replace(
            base,
            name=name,
            figures=tuple(placed),
            doors=tuple(standing[door] for door in doors),
            view=_near(base.view, centers, around, SEEN_FROM_MM, NEARER_SHARE),
        )
    )


def _picture(
    scene: Scene | FreeScene, lines: Sequence[ThreadLine], table_from_ends: Callable[[Points], Points]
) -> BgrImage:
    """Photograph a table and draw threads slightly above it. ``table_from_ends`` gives their ends (N, 2) in mm."""
    image = decode_photo(take_photo(scene)[0])
    photo = image.copy()
    for line in sorted(lines, key=lambda line: line.is_main):
        ends = table_from_ends(np.array([line.start, line.end], dtype=float))
        points = scene.view.project(np.column_stack([ends, np.full(2, LINE_HEIGHT_MM)]))
        start, end = ((round(float(x)), round(float(y))) for x, y in points)
        width = 4 if line.is_main else 2
        cv2.line(image, start, end, RIM_BGR, width + 3, cv2.LINE_AA)
        cv2.line(image, start, end, FREE_BGR if line.is_free else BLOCKED_BGR, width, cv2.LINE_AA)
        for stretch in find_hidden(points[0].tolist(), points[1].tolist(), _list_faces(scene, ends)):
            _dash(image, photo, [point_at(points[0].tolist(), points[1].tolist(), share) for share in stretch], width)
    return image


def _dash(image: BgrImage, photo: BgrImage, ends: Sequence[Point], width: int) -> None:
    """Break a drawn line where it is hidden: the photo shows through its gaps."""
    gaps = np.zeros(image.shape[:2], np.uint8)
    count = max(1, round(math.dist(*ends) / (2 * DASH_PX)))
    for n in range(count):
        (x, y), (u, v) = (point_at(ends[0], ends[1], (n + part) / count) for part in (0.38, 0.62))
        cv2.line(gaps, (round(x), round(y)), (round(u), round(v)), 255, width + 6)
    image[gaps > 0] = photo[gaps > 0]


def _list_faces(scene: Scene | FreeScene, line_mm: Points) -> list[Face]:
    """Return the sides and tops of things higher than the table, except the two figures at a line's ends."""

    def project(places_mm: Sequence[Point], height_mm: float) -> list[Point]:
        points = np.column_stack([np.array(places_mm), np.full(len(places_mm), height_mm)])
        return [(x, y) for x, y in scene.view.project(points).tolist()]

    faces: list[Face] = []
    for piece in scene.terrain if isinstance(scene, FreeScene) else ():
        outline = [(float(x), float(y)) for x, y in piece.outline_mm]
        faces += list_faces(project, outline, 0.0, float(piece.height_mm))
    for placed in scene.figures:
        base_mm, at = placed.figure.base_mm, placed.center_mm
        if all(math.dist(at, end) > base_mm for end in line_mm.tolist()):
            faces += list_pillar(project, at, base_mm, 0.0, placed.figure.height_mm)
    return faces


def _near(view: RenderCamera, centers_mm: Points, around: Around, from_mm: float, nearer_share: float) -> RenderCamera:
    """Move a camera so close that the figures (N, 2) fill the picture."""
    low, high = centers_mm.min(0), centers_mm.max(0)
    distance_mm = from_mm + nearer_share * float(np.hypot(*(high - low)))
    x, y = ((low + high) / 2).tolist()
    return RenderCamera.looking_at(view.lens.scaled_to(*PICTURE_WH), (x, y), around._replace(distance_mm=distance_mm))


def _in_box(figure: FreeFigure, kind: str, ring: str) -> RosterFigure:
    return RosterFigure(figure.id, kind, figure.side, (1, 1), float(figure.base_mm), float(figure.height_mm), ring)
