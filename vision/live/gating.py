"""Gate frames for reading: detect hands, motion, and changes since the last picture read.

All comparisons use a small copy of the board's part of the picture. A hand or an arm reaches in from outside, so its
shape identifies it: a changed patch that touches the rim of that part, or is larger than anything on a board. A
blurred, dark or damaged frame differs everywhere, so it counts as a hand and is not read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float32

from assistant.table.lattice import Cell, corners
from calibration.arrays import BgrImage, FloatImage, GrayImage, Numbers, Singles
from calibration.color import gray_from_bgr
from calibration.pose import CameraView
from vision.photo.rectify import PlaneFrame
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import lattice_frame

MOST_FRAMES = 4
"""Frames in the mean. Twice as many would remove another third of the noise, but delay a change of light."""


class StillPicture:
    """The frames since the last motion, as one picture."""

    def __init__(self, image: BgrImage | None = None) -> None:
        self._images: deque[BgrImage] = deque([] if image is None else [image], maxlen=MOST_FRAMES)
        self._mean = image

    def add(self, image: BgrImage, *, is_still: bool) -> None:
        """Add the next frame. ``is_still`` means that nothing has moved since the previous frame."""
        if not is_still:
            self._images.clear()
        self._images.append(image)
        self._mean = None

    def image(self) -> BgrImage:
        """Return the mean of the frames.

        Raises:
            ValueError: there is none yet.
        """
        if not self._images:
            raise ValueError("a picture is made of one frame at least")
        if self._mean is None:
            self._mean = self._images[0] if len(self._images) == 1 else _mean(list(self._images))
        return self._mean


def _mean(images: list[BgrImage]) -> BgrImage:
    total = np.zeros(images[0].shape, np.float32)
    for image in images:
        cv2.accumulate(image, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(images)), np.uint8)


CELL_PX = 12
"""Approximate pixels of a cell in the small copy: a base is ten of them wide."""

PLAN_PX = 8
"""Pixels of a cell in the plans, which map a patch of the picture to the cells under it."""

MARGIN_CELLS = 4
"""Watched margin round the board. It holds the lean and shadow of a figure at the rim."""

DIFFERS, MOVES = 20, 12
"""Change of the strongest channel from the picture read, and from the previous frame. A small copy averages some
sixteen pixels, so noise of 6 steps shrinks to 1.5."""

BODY_MM = 25.0
"""Height below which most of a miniature is. A picture covered at this height covers the figure."""

LARGEST_CELLS = 7.0
"""Area of the largest figure with lean and shadow. A fist alone covers more."""

RIM_CELLS = 2.0
"""Least area of an arm at the rim. Smaller patches there are new things."""

SMALLEST_CELLS = 0.05
"""Least area of a change. Less is noise, or the misfit of a pixel."""

COVERED_SHARE, CHANGED_SHARE = 0.12, 0.06
"""Shares of a cell from which it is covered by a hand, and changed."""

SHARP_RATIO = 1.1
"""Change of sharpness that matters. Moving hands, moving figures and other light change it by 4 % at most. A lens that
hunts for focus changes it by a fifth to a third."""

PATCH_PX, SHOWING_SHARE = 1.5, 0.6
"""Size of the compared patches in the small copy, and the share of the steepest ones that counts."""

SAME_PICTURE = 0.97
"""Least similarity of most cells in unchanged light. A switched lamp changes all shadows."""

COVERED_LIKENESS = 0.5
"""Similarity below which something hides a cell. In a patch of light half or a third brighter, and at the edge of a
shadow, all cells have .98 and more; under the hands of the ray-traced film the least have .00 and less."""

FLAT_SLOPE = 30.0
"""Squared slopes of noise on an even floor."""

BOARD_SHARE = 0.6
"""Share of the board above which a change is no hand but other light, another camera pose or another table."""


@dataclass(frozen=True)
class Gate:
    """The readable parts of a frame.

    Args:
        hidden: the cells under a hand or motion.
        changed: the other cells that differ from the picture read.
        is_still: whether nothing moves at all.
        is_upset: whether most of the board differs (light, camera or table changed, or the frame is bad), or the frame
            is sharper than the picture read.
        is_blurred: whether it is less sharp than the picture read.
        differing_cells: the area that differs from the picture read, on the board and beside it, in cells.
        covered_mask: the pixels of the small copy under hands and motion.
    """

    hidden: frozenset[Cell]
    changed: frozenset[Cell]
    is_still: bool
    is_upset: bool
    is_blurred: bool
    differing_cells: float
    covered_mask: GrayImage


class _Window(NamedTuple):
    """A part of the picture, and its scale down."""

    left: int
    top: int
    width: int
    height: int
    step: int


class FrameGate:
    """Compares each frame with the picture read. ``height_mm`` is the height of the print above the table."""

    def __init__(
        self, view: CameraView, lattice: Lattice, cells: frozenset[Cell], height_mm: float, photo: BgrImage
    ) -> None:
        self._cells = sorted(cells)
        self._view, self._lattice, self._height_mm = view, lattice, height_mm
        self._window = _window(view, lattice, self._cells, height_mm, photo.shape[1::-1])
        columns, rows = [c for c, _ in self._cells], [r for _, r in self._cells]
        self._first = (min(columns), min(rows))
        last = (max(columns) + 1, max(rows) + 1)
        plan = lattice_frame(lattice, self._first, last, PLAN_PX / lattice.cell_mm)
        self._ground = _plan_maps(plan, view, height_mm, self._window)
        self._bodies = _plan_maps(plan, view, height_mm + BODY_MM, self._window)
        self._index = tuple(np.array([(r - self._first[1], c - self._first[0]) for c, r in self._cells]).T)
        self._read = self._before = self.small(photo)
        self._still = StillPicture(self._read)
        self._cell_px = _cell_area_px(self._ground)
        self._shape = self._last_shape = photo.shape

    def small(self, photo: BgrImage) -> BgrImage:
        """Return the small copy of the watched part of a picture."""
        left, top, width, height, step = self._window
        part = photo[top : top + height, left : left + width]
        return np.asarray(cv2.resize(part, (width // step, height // step), interpolation=cv2.INTER_AREA), np.uint8)

    def judge(self, photo: BgrImage) -> Gate:
        """Judge the next frame. A frame of another size allows nothing."""
        is_of_same_size, self._last_shape = photo.shape == self._last_shape, photo.shape
        if photo.shape != self._shape:
            hidden, covered = frozenset(self._cells), np.ones(self._read.shape[:2], np.uint8)
            return Gate(
                hidden,
                frozenset(),
                is_of_same_size,
                is_upset=True,
                is_blurred=False,
                differing_cells=len(hidden),
                covered_mask=covered,
            )
        small = self.small(photo)
        moving = _differs(small, self._before, MOVES)
        self._before = small
        self._still.add(small, is_still=not moving.any())
        differing = _differs(small, self._read, DIFFERS)
        hands, things = self._split(differing)
        covered = np.asarray(cv2.dilate(hands | moving, np.ones((3, 3), np.uint8)), np.uint8)
        hidden_shares = np.maximum(self._shares(covered, self._ground), self._shares(covered, self._bodies))
        changed_shares = self._shares(things, self._ground)
        hidden = frozenset(c for c, share in zip(self._cells, hidden_shares, strict=True) if share > COVERED_SHARE)
        changed = frozenset(c for c, share in zip(self._cells, changed_shares, strict=True) if share > CHANGED_SHARE)
        on_board = float((self._shares(differing, self._ground) > CHANGED_SHARE).mean())
        sharper, clear = 1.0, 1 - covered
        if things.any() or hands.any():
            sharper = _sharpness(small, clear) / max(_sharpness(self._read, clear), 1e-6)
        return Gate(
            hidden,
            changed - hidden,
            is_still=is_of_same_size and not moving.any(),
            is_upset=on_board > BOARD_SHARE or sharper > SHARP_RATIO,
            is_blurred=sharper < 1 / SHARP_RATIO,
            differing_cells=float(differing.sum()) / self._cell_px,
            covered_mask=covered,
        )

    def accept(self, gate: Gate) -> None:
        """Take the last frames as the picture read, except under covers and on hidden cells.

        A part of a hidden cell may be in view, but the cell was not read. Its change must still show later.
        """
        unread = gate.covered_mask | self._mask_of(gate.hidden)
        self._read = np.where(unread[:, :, None] > 0, self._read, self._still.image())

    def likeness(self, photo: BgrImage, places: Sequence[tuple[Cell, ...]]) -> dict[tuple[Cell, ...], float]:
        """Return the similarity of each place, with its occupant, to the picture read, from -1 to 1.

        Patches of a quarter of a cell compare the gradients of brightness. The median over patches with some gradient
        counts, since a shadow, or a figure in front that came or went, changes fewer. The result is empty if most of
        the board differs, by other light or another view.
        """
        if not places or photo.shape != self._shape:
            return {}
        alike, strength = _compare(_slopes(self._read), _slopes(self.small(photo)))

        def likeness_of(cells: Sequence[Cell]) -> float:
            box = self._box_px(cells)
            steep = strength[box] >= np.quantile(strength[box], 1 - SHOWING_SHARE)
            return float(np.median(alike[box][steep]))

        # Use the board only. The bare table round it shows little but noise, more so at dusk.
        if float(np.median([likeness_of((cell,)) for cell in self._cells])) < SAME_PICTURE:
            return {}
        return {place: likeness_of(place) for place in places}

    def is_covered(self, photo: BgrImage, cells: Iterable[Cell]) -> bool:
        """Return whether something hides any of these cells, rather than that other light falls on them."""
        alike, _ = _compare(_slopes(self._read), _slopes(self.small(photo)), flat=FLAT_SLOPE)
        return any(float(np.median(alike[self._box_px((cell,))])) < COVERED_LIKENESS for cell in cells)

    def _mask_of(self, cells: frozenset[Cell]) -> GrayImage:
        """Return 1 at the pixels of the small copy that show the ground of those cells, else 0."""
        mask = np.zeros(self._read.shape[:2], np.uint8)
        left, top, _, _, step = self._window
        for cell in cells:
            corners_mm = self._lattice.table_from_lattice(np.array(corners(cell), dtype=float))
            outline_px = (self._view.image_from_table(corners_mm, self._height_mm) - (left, top) + 0.5) / step - 0.5
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(outline_px).astype(np.int32)), 1)
        return mask

    def _box_px(self, cells: Sequence[Cell]) -> tuple[slice, slice]:
        """Return rows and columns of the small copy that show the occupant of some cells."""
        points = self._lattice.table_from_lattice(np.array([p for cell in cells for p in corners(cell)], dtype=float))
        heights = (self._height_mm, self._height_mm + BODY_MM)
        seen_px = np.concatenate([self._view.image_from_table(points, height_mm) for height_mm in heights])
        left, top, width, height, step = self._window
        low = np.clip((seen_px.min(axis=0) - (left, top)) // step, 0, None).astype(int)
        high = np.ceil((seen_px.max(axis=0) - (left, top)) / step).astype(int)
        size = np.array([width // step, height // step])
        low, high = np.minimum(low, size - 1), np.clip(high, 1, size)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _split(self, differing: GrayImage) -> tuple[GrayImage, GrayImage]:
        """Split changes into hands or arms, and possible things on the board. Drop tiny ones."""
        joined = cv2.morphologyEx(differing, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        height, width = joined.shape
        left, top, right, bottom = stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]
        cells = stats[:, cv2.CC_STAT_AREA] / self._cell_px
        at_rim = (left <= 0) | (top <= 0) | (right >= width) | (bottom >= height)
        is_hand = (cells > LARGEST_CELLS) | (at_rim & (cells > RIM_CELLS))
        is_thing = ~is_hand & (cells > SMALLEST_CELLS)
        is_hand[0] = is_thing[0] = False
        return is_hand[labels].astype(np.uint8), is_thing[labels].astype(np.uint8)

    def _shares(
        self, mask: GrayImage, maps: tuple[Float[Numbers, "height width"], Float[Numbers, "height width"]]
    ) -> Float32[Singles, " n"]:
        """Return the share of each cell, in the order of the cells, under a mask of the small copy."""
        plan = cv2.remap(mask, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
        rows, columns = plan.shape[0] // PLAN_PX, plan.shape[1] // PLAN_PX
        shares = (plan.reshape(rows, PLAN_PX, columns, PLAN_PX) > 0).mean(axis=(1, 3), dtype=np.float32)
        found: Singles = shares[self._index]
        return found


def _differs(one: BgrImage, other: BgrImage, steps: int) -> GrayImage:
    """Return 1 where two small copies differ by more than ``steps`` in any channel, else 0. Drop single pixels."""
    difference = cv2.absdiff(one, other)
    strongest = cv2.max(cv2.max(difference[:, :, 0], difference[:, :, 1]), difference[:, :, 2])
    _, mask = cv2.threshold(strongest, steps, 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.medianBlur(mask, 3), np.uint8)


def _slopes(small: BgrImage) -> Float32[Singles, "height width 2"]:
    """Return the gradients of brightness along columns and rows."""
    gray = gray_from_bgr(small)
    return np.dstack([cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)])


def _compare(
    one: Float32[Singles, "height width 2"], other: Float32[Singles, "height width 2"], flat: float = 0.0
) -> tuple[FloatImage, FloatImage]:
    """Return the correlation of two gradient fields round each pixel, and their steepness there.

    With ``flat`` as large as ``FLAT_SLOPE`` two flat places are alike.
    """
    products = ((a * b).sum(axis=2) for a, b in ((one, other), (one, one), (other, other)))
    both, first, second = (cv2.GaussianBlur(product, (0, 0), PATCH_PX) for product in products)
    alike = (both + flat) / np.sqrt((first + FLAT_SLOPE) * (second + FLAT_SLOPE))
    return np.asarray(alike, np.float32), np.asarray(np.sqrt(first * second), np.float32)


def _sharpness(small: BgrImage, clear: GrayImage) -> float:
    """Return curvature over gradient of the brightness.

    Blur lowers it. Dusk and dull prints lower both equally.
    """
    gray = gray_from_bgr(small)
    bends = np.abs(cv2.Laplacian(gray, cv2.CV_16S))
    slopes = np.abs(cv2.Sobel(gray, cv2.CV_16S, 1, 0)) + np.abs(cv2.Sobel(gray, cv2.CV_16S, 0, 1))
    return float(cv2.mean(bends, clear)[0] / max(cv2.mean(slopes, clear)[0], 1e-6))


def _window(
    view: CameraView, lattice: Lattice, cells: Sequence[Cell], height_mm: float, size_wh: tuple[int, int]
) -> _Window:
    """Return the watched part of the picture round the board."""
    points = np.array([point for cell in cells for point in corners(cell)], dtype=float)
    low, high = points.min(axis=0) - MARGIN_CELLS, points.max(axis=0) + MARGIN_CELLS
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    ground = view.image_from_table(lattice.table_from_lattice(box), height_mm)
    board = view.image_from_table(lattice.table_from_lattice(points), height_mm)
    cell_px = float(np.sqrt(np.prod(np.ptp(board, axis=0)) / max(1.0, np.prod(np.ptp(points, axis=0)))))
    step = max(1, round(cell_px / CELL_PX))
    left, top = np.clip(np.floor(ground.min(axis=0)), 0, size_wh).astype(int)
    right, bottom = np.clip(np.ceil(ground.max(axis=0)), 0, size_wh).astype(int)
    width, height = (int(side) // step * step for side in (right - left, bottom - top))
    return _Window(int(left), int(top), width, height, step)


def _plan_maps(
    plan: PlaneFrame, view: CameraView, height_mm: float, window: _Window
) -> tuple[Float[Numbers, "height width"], Float[Numbers, "height width"]]:
    """Return the pixel in the small copy of each pixel of a plan of the board at that height."""
    columns, rows = plan.maps(view, height_mm)
    small = ((v - first + 0.5) / window.step - 0.5 for v, first in ((columns, window.left), (rows, window.top)))
    x, y = (np.asarray(each, np.float32) for each in small)
    return x, y


def _cell_area_px(maps: tuple[Float[Numbers, "height width"], Float[Numbers, "height width"]]) -> float:
    """Return the mean area of a cell in the small copy."""
    x, y = maps
    across = np.hypot(np.diff(x, axis=1), np.diff(y, axis=1)).mean()
    down = np.hypot(np.diff(x, axis=0), np.diff(y, axis=0)).mean()
    return float(across * down) * PLAN_PX**2
