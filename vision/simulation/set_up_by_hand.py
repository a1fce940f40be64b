"""The sample table with figures where somebody wants them, photographed with lines drawn over it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.errors import UnknownName
from assistant.table.board import Board
from assistant.table.lattice import Cell
from assistant.translations.messages import known, said
from calibration.arrays import BgrImage, Points
from vision.photo.decoding import decode_photo
from vision.simulation.camera_view import Around, RenderCamera
from vision.simulation.dataset import take_photo
from vision.simulation.sample import sample_scene
from vision.simulation.scene import PlacedFigure, Scene, on_table

PICTURE_WH = (1200, 675)
FREE_BGR, BLOCKED_BGR, RIM_BGR = (80, 220, 60), (40, 40, 235), (255, 255, 255)

SEEN_FROM_MM, NEARER_SHARE = 200.0, 1.4
"""From how far the camera sees a figure with two cells around it, and how much of the way between figures is added."""

LINE_HEIGHT_MM = 4.0
"""Lines are drawn a little above the tiles, as a thread over the printed corners would lie."""


@dataclass(frozen=True)
class ThreadLine:
    """A line between two lattice points, or two places on a free table in mm; ``is_main`` is drawn thicker."""

    start: tuple[float, float]
    end: tuple[float, float]
    is_free: bool
    is_main: bool


@dataclass(frozen=True)
class HandScene:
    """A simulated table that somebody set up.

    Args:
        scene: what stands where.
    """

    scene: Scene

    @property
    def board(self) -> Board:
        """The table as the rules see it."""
        return self.scene.board

    def picture(self, lines: Sequence[ThreadLine]) -> BgrImage:
        """A photo of it with lines drawn over it: green where they are free, red where something stops them."""
        jpeg, _ = take_photo(self.scene)
        image = decode_photo(jpeg)
        draw_threads(
            image, self.scene.view, lines, lambda points: np.asarray(on_table(self.scene.grid, points), np.float64)
        )
        return image


def draw_threads(
    image: BgrImage, view: RenderCamera, lines: Sequence[ThreadLine], table_from_ends: Callable[[Points], Points]
) -> None:
    """Draws threads over a photo, a little above the table.

    Args:
        image: the photo, drawn upon.
        view: the camera that took it.
        lines: the threads.
        table_from_ends: where their ends (N, 2) lie on the table, in millimetres.
    """
    for line in sorted(lines, key=lambda line: line.is_main):
        ends = table_from_ends(np.array([line.start, line.end], dtype=float))
        points = view.project(np.column_stack([ends, np.full(2, LINE_HEIGHT_MM)]))
        start, end = ((round(float(x)), round(float(y))) for x, y in points)
        width = 4 if line.is_main else 2
        cv2.line(image, start, end, RIM_BGR, width + 3, cv2.LINE_AA)
        cv2.line(image, start, end, FREE_BGR if line.is_free else BLOCKED_BGR, width, cv2.LINE_AA)


def set_up_by_hand(name: str, figures: Mapping[str, Sequence[Cell]], doors: Collection[str]) -> HandScene:
    """The sample table with these figures on these cells, and with these of its doors alone.

    Raises:
        UnknownName: the sample game has no such figure or door.
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
    return HandScene(
        replace(
            base,
            name=name,
            figures=tuple(placed),
            doors=tuple(standing[door] for door in doors),
            view=_near(base, np.array([figure.center_mm for figure in placed])),
        )
    )


def _near(base: Scene, centers_mm: Points) -> RenderCamera:
    """The table's camera brought near, so that the figures (N, 2) and two cells around them fill the picture."""
    low, high = centers_mm.min(0), centers_mm.max(0)
    distance_mm = SEEN_FROM_MM + NEARER_SHARE * float(np.hypot(*(high - low)))
    x, y = ((low + high) / 2).tolist()
    tilt_deg, azimuth_deg, roll_deg, _ = base.around
    around = Around(distance_mm, tilt_deg, azimuth_deg, roll_deg)
    return RenderCamera.looking_at(base.view.lens.scaled_to(*PICTURE_WH), (x, y), around)
