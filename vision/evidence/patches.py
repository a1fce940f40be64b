"""Patches for the networks: a small picture of each possible door or base, all turned alike.

Upright things lean away from the camera. Each patch is flipped and turned by quarter turns so that they lean to the
right and up (columns grow, rows shrink), whatever side the camera is on. A patch holds the photo in print colours, the
print, the mask of the print, the likeness to a ring's colour, and the outline of the hypothetical thing.

``print_seen`` proves a place empty. A thing there would hide the print from the camera. If photo and print agree,
nothing stands there, whatever it may look like. If not, something occludes the print, shadows apart. Under 107 doors of
ray-traced tables the correlation was never above 0.7. On two of three edges without a door it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Float32, UInt8

from assistant.table.lattice import Cell, Edge
from assistant.table.roster import DoorSpec, Roster
from calibration.arrays import BgrImage, GrayImage, Levels, Numbers, Singles
from vision.evidence.bases import BASE_HEIGHT_MM, ring_kinds
from vision.evidence.ring_colors import new_ring_likelihood
from vision.tiles.board_view import BoardView

CHANNELS = 9
"""Photo (3), print (3), board mask (1), ring colours (1), outline (1)."""

_BLUR_PX = 0.7
"""Blur against aliasing. The frame has about two pixels a millimetre, a patch fewer."""

_PRINT_NOISE = (4 / 255) ** 2
"""Noise variance in squared grey levels, so that two plain floors do not count as different."""

_BESIDE_PX, _AROUND_PX = 5, 15
"""Sizes of the rings round the outline. Half of the first may be the thing itself, half of the second is compared."""

_LEAST_AREA = 1e-3
SHIFT_BITS = 4
"""Fractional bits of the corners that OpenCV fills."""

LayersImage = UInt8[Levels, "_height _width 4"]
"""Four of the patches' pictures as channels."""


@dataclass(frozen=True)
class PatchFrame:
    """A patch: its size, the pixel of the middle of the thing's foot, and its scale."""

    size_wh: tuple[int, int]
    foot_px: tuple[float, float]
    px_per_mm: float


@dataclass(frozen=True, eq=False)
class Upright:
    """A hypothetical thing.

    Args:
        middle: the middle of its foot on the lattice.
        axes: the patch's column and row direction on the lattice, as rows.
        foot_mm: the outline of its foot along the lattice axes.
        lean_mm: the apparent shift of its top along the lattice axes.
    """

    middle: Float[Numbers, " 2"]
    axes: Float[Numbers, "2 2"]
    foot_mm: Float[Numbers, "n 2"]
    lean_mm: Float[Numbers, " 2"]


DOOR_FRAME = PatchFrame((96, 72), (30.0, 52.0), 1.2)
BASE_FRAME = PatchFrame((72, 72), (25.0, 47.0), 1.1)

BODY_HEIGHT_MM = 28.0
"""Height of a body's outline. Most miniatures are 20 to 50 mm high."""


@dataclass(frozen=True, eq=False)
class PatchSource:
    """The pictures of a board from which patches are cut, made once for all patches.

    ``layers`` are photo (3), print (3), board mask (1) and ring colours (1) by fours, because OpenCV warps four at
    once.
    """

    board: BoardView
    layers: tuple[LayersImage, LayersImage]


def patch_source(board: BoardView, roster: Roster) -> PatchSource:
    """Prepare the pictures for patches of this board."""
    flat = board.at_height(0.0)
    seen, printed = (
        np.asarray(cv2.GaussianBlur(image, (0, 0), _BLUR_PX), dtype=np.uint8) for image in (flat, board.print_image)
    )
    mask = board.board_mask.astype(np.uint8) * 255
    layers = np.dstack([seen, printed, mask, _ring_image(seen, printed, roster)])
    return PatchSource(board, (np.ascontiguousarray(layers[:, :, :4]), np.ascontiguousarray(layers[:, :, 4:])))


def door_patches(source: PatchSource, edges: Sequence[Edge], spec: DoorSpec) -> Float32[Singles, "n 9 72 96"]:
    """Return a patch for each edge that allows a door. The foot of the door runs along the columns."""
    patches = np.empty((len(edges), CHANNELS, *DOOR_FRAME.size_wh[::-1]), dtype=np.float32)
    for i, thing in enumerate(doors_on(source.board, edges, spec)):
        patches[i] = _patch(source, thing, DOOR_FRAME)
    return patches


def door_outlines(board: BoardView, edges: Sequence[Edge], spec: DoorSpec) -> Iterator[Float32[Singles, "corners 2"]]:
    """For each edge the outline of a door that stands there, as corners in pixels of the board's frame."""
    for thing in doors_on(board, edges, spec):
        solid_mm = np.concatenate([thing.foot_mm, thing.foot_mm + thing.lean_mm])
        corners = board.frame_from_lattice(thing.middle + solid_mm / board.lattice.cell_mm)
        yield np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], dtype=np.float32)


def doors_on(board: BoardView, edges: Sequence[Edge], spec: DoorSpec) -> Iterator[Upright]:
    """For each edge the hypothetical door that stands there."""
    ends = np.array([(edge.start, edge.end) for edge in edges], dtype=float).reshape(-1, 2, 2)
    middles = ends.mean(axis=1)
    for i, lean_mm in enumerate(leans_mm(board, middles, spec.height_mm)):
        along = ends[i, 1] - ends[i, 0]
        half, side = along * board.lattice.cell_mm / 2, np.array([-along[1], along[0]]) * spec.thickness_mm / 2
        foot = np.array([half + side, half - side, -half + side, -half - side])
        yield Upright(middles[i], leaning_axes(along, lean_mm), foot, lean_mm)


def base_patches(source: PatchSource, cells: Sequence[Cell]) -> Float32[Singles, "n 9 72 72"]:
    """Return a patch for each cell that allows a miniature."""
    board = source.board
    patches = np.empty((len(cells), CHANNELS, *BASE_FRAME.size_wh[::-1]), dtype=np.float32)
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    foot = 0.43 * board.lattice.cell_mm * np.column_stack([np.cos(angle), np.sin(angle)])
    middles = np.array(cells, dtype=float).reshape(-1, 2) + 0.5
    body_leans = leans_mm(board, middles, BODY_HEIGHT_MM)
    for i, lean_mm in enumerate(leans_mm(board, middles, BASE_HEIGHT_MM)):
        # Choose the columns along the axis along which a body leans less.
        along = np.array([1.0, 0.0]) if abs(body_leans[i, 0]) <= abs(body_leans[i, 1]) else np.array([0.0, 1.0])
        thing = Upright(middles[i], leaning_axes(along, body_leans[i]), foot, lean_mm)
        patches[i] = _patch(source, thing, BASE_FRAME)
    return patches


def _ring_image(seen_image: BgrImage, print_image: BgrImage, roster: Roster) -> GrayImage:
    """Return where the photo, unlike the print, has the colour of one of the roster's rings, 0 to 255."""
    colors = tuple(dict.fromkeys(color for _, color in ring_kinds(roster)))
    if not colors:
        return np.zeros(seen_image.shape[:2], dtype=np.uint8)
    new = new_ring_likelihood(seen_image, print_image, colors)
    return np.asarray(np.round(np.clip(new, 0, 1) * 255), dtype=np.uint8)


def leans_mm(board: BoardView, middles: Float[Numbers, "n 2"], height_mm: float) -> Float[Numbers, "n 2"]:
    """Return the apparent shift, along the lattice axes, of points at that height above the print."""
    points_mm = board.lattice.table_from_lattice(middles)
    pixels = board.view.image_from_table(points_mm, board.thickness_mm + height_mm)
    behind = board.view.table_from_image(pixels, board.thickness_mm)
    leans: Numbers = (board.lattice.lattice_from_table(behind) - middles) * board.lattice.cell_mm
    return leans


def leaning_axes(along: Float[Numbers, " 2"], lean_mm: Float[Numbers, " 2"]) -> Float[Numbers, "2 2"]:
    """Return the patch's column and row direction on the lattice, as rows. Things lean to the right and up."""
    across = np.array([-along[1], along[0]])
    column = along if lean_mm @ along >= 0 else -along
    row = across if lean_mm @ across <= 0 else -across
    return np.stack([column, row])


def _patch(source: PatchSource, thing: Upright, frame: PatchFrame) -> Float32[Singles, "9 height width"]:
    patch_from_frame = _patch_from_frame(source.board, thing.middle, thing.axes, frame)
    moved = (cv2.warpAffine(four, patch_from_frame, frame.size_wh, flags=cv2.INTER_LINEAR) for four in source.layers)
    solid_mm = np.concatenate([thing.foot_mm, thing.foot_mm + thing.lean_mm])
    solid_px = solid_mm @ thing.axes.T * frame.px_per_mm + np.array(frame.foot_px)
    outline = np.zeros(frame.size_wh[::-1], dtype=np.uint8)
    hull = cv2.convexHull(np.round(solid_px * (1 << SHIFT_BITS)).astype(np.int32))
    cv2.fillConvexPoly(outline, hull, 255, cv2.LINE_AA, SHIFT_BITS)
    planes = [*(plane for four in moved for plane in cv2.split(four)), outline]
    return np.asarray(np.stack(planes, dtype=np.float32) / np.float32(255))


def _patch_from_frame(
    board: BoardView, middle: Float[Numbers, " 2"], axes: Float[Numbers, "2 2"], frame: PatchFrame
) -> Float[Numbers, "2 3"]:
    """Return the affine map from pixels of the board's frame to pixels of the patch."""
    middle_px = board.frame_from_lattice(middle[None])[0]
    turn = axes * frame.px_per_mm / board.px_per_mm
    return np.column_stack([turn, np.array(frame.foot_px) - turn @ middle_px])


def print_seen(patches: Float32[Singles, "n 9 rows columns"]) -> Float[Numbers, "n 2"]:
    """Return the correlation of photo and print, -1 to 1, in the outline of the possible thing and close round it.

    It is 1 off the board, where no print can contradict the photo.
    """
    if not len(patches):
        return np.empty((0, 2))
    mask, outlines = patches[:, 6], patches[:, 8]
    beside, around = (np.ones((side, side), dtype=np.uint8) for side in (_BESIDE_PX, _AROUND_PX))
    rims = np.stack([cv2.dilate(one, around) - cv2.dilate(one, beside) for one in outlines])
    weights = np.stack([outlines * mask, rims * mask], axis=-1).reshape(len(patches), -1, 2)
    areas = weights.sum(axis=1) + _LEAST_AREA
    seen, printed = (patches[:, i : i + 3].reshape(len(patches), 3, -1) for i in (0, 3))

    def mean(values: Float32[Singles, "n 3 pixels"]) -> Float32[Singles, "n 3 2"]:
        weighed: Singles = np.matmul(values, weights) / areas[:, None]
        return weighed

    mean_seen, mean_printed = mean(seen), mean(printed)
    noise = 3 * _PRINT_NOISE
    both = (mean(seen * printed) - mean_seen * mean_printed).sum(axis=1) + noise
    spread_seen, spread_printed = (
        (mean(values * values) - middle**2).sum(axis=1) + noise
        for values, middle in ((seen, mean_seen), (printed, mean_printed))
    )
    return np.asarray(np.clip(both / np.sqrt(spread_seen * spread_printed), -1, 1), dtype=float)
