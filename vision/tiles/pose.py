"""Fit the pose of each placed tile: move its print until it covers the photo best (Lucas and Kanade 1981).

Joined tiles miss the lattice by a few tenths of a millimetre. Things on a tile do not bias the fit: it skips cells
unlike the print, and large differences in the others count less (Huber).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Shaped

from calibration.arrays import BgrImage, FloatImage, Mask, Numbers
from calibration.color import gray_from_bgr
from vision.photo.rectify import PlaneFrame
from vision.tiles.cells import CLEAR_PRINT
from vision.tiles.keypoints import even_contrast
from vision.tiles.lattice_fit import Lattice, bent_through, box_corners_mm, lattice_through_boxes, lattice_under
from vision.tiles.placements import Pose, TilePlacement, pose_of
from vision.tiles.prints import PX_PER_CELL, TilePrints

_ROUNDS = 4
_FARTHEST_MM, _FARTHEST_DEG = 3.5, 2.5
"""Largest motion of a fit. Tiles laid by hand are never off by more, so a print that moves further follows something
else."""

_COARSE = 4
"""Pixel size of the first fit of loose tiles, for their larger offset."""

_RIM_PX = 3
_OUTLIER = 30.0
"""Difference in levels of evened contrast from which a pixel counts less."""

_LEAST_CELLS = 1.0
_STIFFNESS = 0.02
"""Share of the mean square gradient that ties the fit to the first guess where the print is nearly plain."""


@dataclass(frozen=True, eq=False)
class FittedTile:
    """A placement with its pose and the number of clear cells behind it, 0 if the first guess stayed."""

    placement: TilePlacement
    pose: Pose
    clear_cells: float


def fit_tile_poses(
    ground_image: BgrImage, frame: PlaneFrame, placements: Sequence[TilePlacement], lattice: Lattice, prints: TilePrints
) -> list[FittedTile]:
    """Fit the poses of the placed tiles.

    Args:
        ground_image: the photo on the plane of the print, at the prints' scale.
        frame: its mapping to the table.
        placements: the tiles on the lattice.
        lattice: the lattice.
        prints: the tile set.
    """
    even = even_contrast(gray_from_bgr(ground_image), frame.px_per_mm)
    seen = cv2.GaussianBlur(even, (0, 0), 1.0).astype(np.float32)
    photos = {1: seen}
    if lattice.bend is not None:
        photos = {_COARSE: cv2.GaussianBlur(seen, (0, 0), _COARSE / 2).astype(np.float32), **photos}
    return [
        _fit_tile(photos, frame, placement, pose_of(placement, lattice, prints), prints) for placement in placements
    ]


def lattice_through(tiles: Sequence[FittedTile], lattice: Lattice, prints: TilePrints) -> Lattice:
    """Fit the lattice to the corners of the tiles, bent through them if it was bent."""
    known = [tile for tile in tiles if tile.clear_cells >= _LEAST_CELLS]
    if not known:
        return lattice
    sides = [prints.prints[tile.placement.print_index].side for tile in known]
    cell_mm = prints.tile_set.cell_mm
    corners_mm = [
        box_corners_mm(side, tile.pose.rotation_deg, tile.pose.center_mm, cell_mm)
        for side, tile in zip(sides, known, strict=True)
    ]
    weight = np.array([tile.clear_cells for tile in known])
    if lattice.bend is None:
        return lattice_under(np.concatenate(corners_mm), np.repeat(weight, 4), lattice)
    even = lattice_through_boxes(np.stack(corners_mm), weight, lattice) if len(known) > 1 else lattice.even
    poses = ((side, t.pose.rotation_deg, t.pose.center_mm) for side, t in zip(sides, known, strict=True))
    return bent_through(poses, even, lattice, cell_mm)


def _fit_tile(
    photos: Mapping[int, FloatImage], frame: PlaneFrame, placement: TilePlacement, first: Pose, prints: TilePrints
) -> FittedTile:
    """Fit a tile to the photo at one or more scales, from coarse to fine.

    Each scale's key is its coarseness.
    """
    tile_print = prints.prints[placement.print_index]
    gray = even_contrast(gray_from_bgr(tile_print.image), prints.px_per_mm)
    whole = cv2.GaussianBlur(gray, (0, 0), 1.0).astype(np.float32)
    own = cv2.erode(tile_print.inside_mask.astype(np.uint8), np.ones((2 * _RIM_PX + 1,) * 2, np.uint8)) > 0
    pose, clear_cells = first, 0.0
    for every, seen in photos.items():
        printed, inside = _shrink(whole, every), _shrink(own.astype(np.float32), every) > 0.9
        px_per_mm, side = prints.px_per_mm / every, PX_PER_CELL // every
        for _ in range(_ROUNDS):
            frame_from_print = frame_from_print_at(frame, printed, pose, px_per_mm)
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            moved = cv2.warpAffine(seen, frame_from_print, printed.shape[::-1], flags=flags)
            warped = np.asarray(moved, dtype=np.float32)
            clear = inside & _clear_mask(warped, printed, side // 2)
            clear_cells = float(clear.sum()) / side**2
            if clear_cells < _LEAST_CELLS:
                return FittedTile(placement, first, 0.0)
            pose = _move(pose, _step(warped, printed, clear), px_per_mm)
    off_mm = math.dist(pose.center_mm, first.center_mm)
    off_deg = abs((pose.rotation_deg - first.rotation_deg + 180) % 360 - 180)
    if off_mm > _FARTHEST_MM or off_deg > _FARTHEST_DEG:
        return FittedTile(placement, first, 0.0)
    return FittedTile(placement, pose, clear_cells)


def _shrink(image: FloatImage, every: int) -> FloatImage:
    height, width = image.shape
    smaller = cv2.resize(image, (width // every, height // every), interpolation=cv2.INTER_AREA)
    return image if every == 1 else np.asarray(smaller, dtype=np.float32)


def frame_from_print_at(
    frame: PlaneFrame, image: Shaped[Numbers, "_height _width *_channels"], pose: Pose, px_per_mm: float
) -> Float[Numbers, "2 3"]:
    """Return the affine map from pixels of a print's picture, lying at that pose, to pixels of the frame."""
    center_px = frame.frame_from_table(np.array([pose.center_mm]))[0]
    radians = math.radians(pose.rotation_deg - frame.angle_deg)
    scale = frame.px_per_mm / px_per_mm
    c, s = scale * math.cos(radians), scale * math.sin(radians)
    turn = np.array([[c, -s], [s, c]])
    middle = (np.array(image.shape[1::-1]) - 1) / 2
    return np.column_stack([turn, center_px - turn @ middle])


def _clear_mask(warped: FloatImage, printed: FloatImage, side: int) -> Mask:
    """Return the pixels round which photo and print agree, in a square of that side."""
    size = (side, side)

    def mean(image: Float[Numbers, "height width"]) -> Float[Numbers, "height width"]:
        return np.asarray(cv2.boxFilter(image, cv2.CV_32F, size))

    a, b = mean(warped), mean(printed)
    covariance = mean(warped * printed) - a * b
    spread = np.maximum(mean(warped * warped) - a * a, 1.0) * np.maximum(mean(printed * printed) - b * b, 1.0)
    return np.asarray(covariance > CLEAR_PRINT * np.sqrt(spread))


def _step(warped: FloatImage, printed: FloatImage, clear: Mask) -> Float[Numbers, " 3"]:
    """Return the shift in pixels along the print's axes and the turn in radians that align print and photo."""
    down, right = np.gradient(printed)
    height, width = printed.shape
    rows, columns = np.nonzero(clear)
    gx, gy = (np.asarray(slope, dtype=np.float32)[clear] for slope in (right, down))
    turn = (gy * (columns - (width - 1) / 2) - gx * (rows - (height - 1) / 2)) / PX_PER_CELL
    slopes = np.column_stack([gx, gy, turn])
    differences = printed[clear] - warped[clear]
    weight = np.minimum(1.0, _OUTLIER / np.maximum(np.abs(differences), 1e-3))
    normal = slopes.T @ (slopes * weight[:, None])
    normal += _STIFFNESS * np.trace(normal) / 3 * np.eye(3)
    step = np.linalg.solve(normal, slopes.T @ (differences * weight))
    return np.array([step[0], step[1], step[2] / PX_PER_CELL])


def _move(pose: Pose, step: Float[Numbers, " 3"], px_per_mm: float) -> Pose:
    # What the photo shows a pixel further right lies a pixel further right.
    c, s = math.cos(math.radians(pose.rotation_deg)), math.sin(math.radians(pose.rotation_deg))
    shift_mm = (step[None, :2] / px_per_mm @ np.array([[c, -s], [s, c]]).T)[0]
    center_mm = (pose.center_mm[0] + float(shift_mm[0]), pose.center_mm[1] + float(shift_mm[1]))
    return Pose((pose.rotation_deg + math.degrees(float(step[2]))) % 360, center_mm)
