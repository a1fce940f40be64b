"""What in a frame is worth reading: hands, whatever moves, and what differs from the picture that was read last.

All of it happens on a small copy of the part of the picture that holds the board. A hand or an arm reaches in from
outside, so it is known by its shape: a patch that differs from what was read and either touches the rim of that part or
is larger than anything that stands on a board. A frame that is blurred, dark or damaged differs everywhere, which looks
the same: nothing is read under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Float32

from assistant.table.lattice import Cell, corners
from calibration.arrays import BgrImage, FloatImage, GrayImage, Numbers, Singles
from calibration.color import gray_from_bgr
from calibration.pose import CameraView
from vision.live.still import StillPicture
from vision.photo.rectify import PlaneFrame
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import lattice_frame

Spots = npt.NDArray[np.uint8]
"""Pixels of the small copy, 1 or 0."""

CELL_PX = 12
"""Pixels a cell in the small copy, about: a base is ten of them wide."""

PLAN_PX = 8
"""Pixels a cell in the plans, which tell the cells that a patch of the picture covers."""

MARGIN_CELLS = 4
"""How much of the table round the board is watched: a figure at the rim, its lean and its shadow end within."""

DIFFERS, MOVES = 20, 12
"""Steps of the strongest channel that make a difference to what was read, and to the frame before: a small copy
averages some sixteen pixels, so noise of 6 steps is left with 1.5."""

BODY_MM = 25.0
"""Most of a miniature stands below that: where the picture is covered at this height, a figure is."""

LARGEST_CELLS = 7.0
"""The largest figure with its lean and shadow covers that much of the picture; a fist alone covers more."""

RIM_CELLS = 2.0
"""Smaller patches that touch the rim are no arm: something lies there that was not there before."""

SMALLEST_CELLS = 0.05
"""Smaller patches than this are noise, or the misfit of a pixel."""

COVERED_SHARE, CHANGED_SHARE = 0.12, 0.06
"""Shares of a cell that make it covered by a hand, and changed."""

SHARP_RATIO = 1.1
"""The sharpness of the watched part changes by 4 % at most while a hand or a figure moves in it, or the light does; a
lens that hunts for its focus takes a fifth to a third of it."""

PATCH_PX, SHOWING_SHARE = 1.5, 0.6
"""What patches of the small copy are compared: their spread, and the share of them with the steepest slopes."""

SAME_PICTURE = 0.97
"""Likeness of most cells of the board: a lamp that is switched changes the shadows of everything."""

FLAT_SLOPE = 30.0
"""Squared slopes that noise makes on an even floor."""

BOARD_SHARE = 0.6
"""A hand never covers that much of a board: then light, camera or table are others than they were."""


@dataclass(frozen=True)
class Gate:
    """What a frame allows.

    Args:
        hidden: the cells that a hand covers or on which something moves.
        changed: the other cells that do not look as they did when they were read.
        is_still: whether nothing moves at all.
        is_upset: whether most of the board looks otherwise: light, camera or table have changed, or the frame is bad,
            or it is sharper than what was read.
        is_blurred: whether it is less sharp than what was read.
        covered_mask: the pixels of the small copy under hands and motion.
    """

    hidden: frozenset[Cell]
    changed: frozenset[Cell]
    is_still: bool
    is_upset: bool
    is_blurred: bool
    covered_mask: GrayImage


class _Window(NamedTuple):
    """A part of the picture, and by how much it is scaled down."""

    left: int
    top: int
    width: int
    height: int
    step: int


class FrameGate:
    """Compares frame after frame with the picture that was read.

    Args:
        view: the camera.
        lattice: the board's lattice.
        cells: the board's cells.
        height_mm: of the print above the table.
        photo: the picture that was read.
    """

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
        """The small copy of the part of a picture that is watched."""
        left, top, width, height, step = self._window
        part = photo[top : top + height, left : left + width]
        return np.asarray(cv2.resize(part, (width // step, height // step), interpolation=cv2.INTER_AREA), np.uint8)

    def judge(self, photo: BgrImage) -> Gate:
        """What the next frame allows; nothing, as long as it is of another size than the picture that was read."""
        is_of_same_size, self._last_shape = photo.shape == self._last_shape, photo.shape
        if photo.shape != self._shape:
            return self._nothing(is_still=is_of_same_size)
        small = self.small(photo)
        moving = _differs(small, self._before, MOVES)
        self._before = small
        self._still.add(small, is_still=not moving.any())
        differing = _differs(small, self._read, DIFFERS)
        hands, things = self._told_apart(differing)
        covered = np.asarray(cv2.dilate(hands | moving, np.ones((3, 3), np.uint8)), np.uint8)
        hidden_shares = np.maximum(self._shares(covered, self._ground), self._shares(covered, self._bodies))
        changed_shares = self._shares(things, self._ground)
        hidden = frozenset(c for c, share in zip(self._cells, hidden_shares, strict=True) if share > COVERED_SHARE)
        changed = frozenset(c for c, share in zip(self._cells, changed_shares, strict=True) if share > CHANGED_SHARE)
        on_board = float((self._shares(differing, self._ground) > CHANGED_SHARE).mean())
        sharper = self._sharper(small, covered) if things.any() or hands.any() else 1.0
        return Gate(
            hidden,
            changed - hidden,
            is_still=is_of_same_size and not moving.any(),
            is_upset=on_board > BOARD_SHARE or sharper > SHARP_RATIO,
            is_blurred=sharper < 1 / SHARP_RATIO,
            covered_mask=covered,
        )

    def _nothing(self, *, is_still: bool) -> Gate:
        """Nothing can be compared; everything is to be read anew."""
        hidden, covered = frozenset(self._cells), np.ones(self._read.shape[:2], np.uint8)
        return Gate(hidden, frozenset(), is_still, is_upset=True, is_blurred=False, covered_mask=covered)

    def accept(self, gate: Gate) -> None:
        """Takes the last frames, as far as nothing covers them, for the picture that was read."""
        self._read = np.where(gate.covered_mask[:, :, None] > 0, self._read, self._still.image())

    def likeness(self, photo: BgrImage, places: Sequence[tuple[Cell, ...]]) -> dict[tuple[Cell, ...], float]:
        """How much each place, with what stands there, looks in a photo as it did when it was read, from -1 to 1.

        Slopes of the brightness are compared in patches of a quarter of a cell, and the middle one of the patches
        that show any counts: a figure in front that came or went, or a shadow, changes fewer. Where most of the board
        looks otherwise, by other light or another view, nothing can be said of any.
        """
        if not places or photo.shape != self._shape:
            return {}
        alike, strength = _compared(_slopes(self._read), _slopes(self.small(photo)))

        def likeness_of(cells: Sequence[Cell]) -> float:
            box = self._box_px(cells)
            return _middle(alike[box], strength[box])

        # The bare table round the board shows little but noise, and the less light the more of it.
        if float(np.median([likeness_of((cell,)) for cell in self._cells])) < SAME_PICTURE:
            return {}
        return {place: likeness_of(place) for place in places}

    def _box_px(self, cells: Sequence[Cell]) -> tuple[slice, slice]:
        """Rows and columns of the small copy that show what stands on some cells."""
        points = self._lattice.table_from_lattice(np.array([p for cell in cells for p in corners(cell)], dtype=float))
        heights = (self._height_mm, self._height_mm + BODY_MM)
        seen_px = np.concatenate([self._view.image_from_table(points, height_mm) for height_mm in heights])
        left, top, width, height, step = self._window
        low = np.clip((seen_px.min(axis=0) - (left, top)) // step, 0, None).astype(int)
        high = np.ceil((seen_px.max(axis=0) - (left, top)) / step).astype(int)
        size = np.array([width // step, height // step])
        low, high = np.minimum(low, size - 1), np.clip(high, 1, size)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _sharper(self, small: BgrImage, covered: GrayImage) -> float:
        """How much sharper than what was read a frame is, where nothing covers it."""
        clear = 1 - covered
        return _sharpness(small, clear) / max(_sharpness(self._read, clear), 1e-6)

    def _told_apart(self, differing: GrayImage) -> tuple[GrayImage, GrayImage]:
        """Hands and arms, and things that may stand on the board; what is too small for either is left out."""
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
        """The share of each cell, in the order of the cells, that a mask of the small copy covers."""
        plan = cv2.remap(mask, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
        rows, columns = plan.shape[0] // PLAN_PX, plan.shape[1] // PLAN_PX
        shares = (plan.reshape(rows, PLAN_PX, columns, PLAN_PX) > 0).mean(axis=(1, 3), dtype=np.float32)
        found: Singles = shares[self._index]
        return found


def _differs(one: BgrImage, other: BgrImage, steps: int) -> GrayImage:
    """Where two small copies differ by so much in any channel, 1 or 0, with single pixels left out."""
    difference = cv2.absdiff(one, other)
    strongest = cv2.max(cv2.max(difference[:, :, 0], difference[:, :, 1]), difference[:, :, 2])
    _, mask = cv2.threshold(strongest, steps, 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.medianBlur(mask, 3), np.uint8)


def _slopes(small: BgrImage) -> Float32[Singles, "height width 2"]:
    """The slopes of the brightness along columns and rows, (H, W, 2)."""
    gray = gray_from_bgr(small)
    return np.dstack([cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)])


def _compared(
    one: Float32[Singles, "height width 2"], other: Float32[Singles, "height width 2"]
) -> tuple[FloatImage, FloatImage]:
    """The correlation of two fields of slopes round each pixel, and how steep they are there, (H, W) each."""
    products = ((a * b).sum(axis=2) for a, b in ((one, other), (one, one), (other, other)))
    both, first, second = (cv2.GaussianBlur(product, (0, 0), PATCH_PX) for product in products)
    alike = both / np.sqrt((first + FLAT_SLOPE) * (second + FLAT_SLOPE))
    return np.asarray(alike, np.float32), np.asarray(np.sqrt(first * second), np.float32)


def _middle(alike: FloatImage, strength: FloatImage) -> float:
    """The middle of the correlations where anything shows."""
    return float(np.median(alike[strength >= np.quantile(strength, 1 - SHOWING_SHARE)]))


def _sharpness(small: BgrImage, clear: GrayImage) -> float:
    """Bends by slopes of the brightness: a blur takes more of the bends, dusk and dull prints as much of both."""
    gray = gray_from_bgr(small)
    bends = np.abs(cv2.Laplacian(gray, cv2.CV_16S))
    slopes = np.abs(cv2.Sobel(gray, cv2.CV_16S, 1, 0)) + np.abs(cv2.Sobel(gray, cv2.CV_16S, 0, 1))
    return float(cv2.mean(bends, clear)[0] / max(cv2.mean(slopes, clear)[0], 1e-6))


def _window(
    view: CameraView, lattice: Lattice, cells: Sequence[Cell], height_mm: float, size_wh: tuple[int, int]
) -> _Window:
    """The part of the picture round the board that is watched."""
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
    """For each pixel of a plan of the board at that height, its pixel in the small copy."""
    columns, rows = plan.maps(view, height_mm)
    small = ((v - first + 0.5) / window.step - 0.5 for v, first in ((columns, window.left), (rows, window.top)))
    x, y = (np.asarray(each, np.float32) for each in small)
    return x, y


def _cell_area_px(maps: tuple[Float[Numbers, "height width"], Float[Numbers, "height width"]]) -> float:
    """The mean area of a cell in the small copy."""
    x, y = maps
    across = np.hypot(np.diff(x, axis=1), np.diff(y, axis=1)).mean()
    down = np.hypot(np.diff(x, axis=0), np.diff(y, axis=0)).mean()
    return float(across * down) * PLAN_PX**2
