"""The board as expected beside the board as seen: print and photo in one frame, in one light."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Bool, Float, Num

from assistant.table.lattice import Cell, Edge, list_inner_edges
from calibration.arrays import BgrImage, ColorImage, Flags, FloatImage, Mask, Numbers, Singles
from calibration.color import gamma_from_light, gray_from_bgr, light_from_gamma
from calibration.pose import CameraView
from vision.photo.paper_light import DARKEST_LIGHT, PaperLight, light_of_prints
from vision.photo.rectify import PlaneFrame, fill_gaps, rectify
from vision.tiles.cells import CLEAR_PRINT, COMPARED_PX, NOISE
from vision.tiles.lattice_fit import Lattice
from vision.tiles.placements import PRINT_BY_PAPER, Pose, TilePlacement, cells_of, lattice_frame, span_of
from vision.tiles.pose import fit_tile_poses, lattice_through
from vision.tiles.prints import PX_PER_CELL, Print, TilePrints

RIM_CELLS = 2
"""Cells shown round a board or a part of it, over which figures and doors at the rim lean."""

_SHEETS = 2
"""Fewest markers whose paper alone determines the colour of the light."""

_ANYWHERE = 0.5
"""Weight as an opening of every edge without a line on a board of one tile, which has no seams."""


_PRIOR_LOG_ODDS = (-5.1, -0.7, -2.5)
"""Log odds of a door within a tile and on an opening (see ``Openings``), and what a printed line adds."""

_STEPS_SEEN, _LEAST_IN_SIGHT = 5, 0.7
"""Points along a cell's side, and the least share of its points that the photo must show."""

_DARK_PRINT, _LEAST_DARK, _WHITE, _BURNT_OUT = 150, 0.05, 245, 0.6
"""Grey level below which print stays darker than white in too bright a photo, the least share of it in a cell, the grey
level of white, and the least share of dark print that is white under a lamp's reflection."""


_FINE_PX, _LEAST_CLARITY = 3.0, 0.01
"""Blur that takes away print finer than 1.6 mm, and the clarity of a photo that shows none of it."""


@dataclass(frozen=True)
class Openings:
    """Edges with another prior for a door than an edge within a tile.

    A door closes an opening, and most openings are seams between two tiles without a line printed on them. One in three
    such edges has a door, one in 160 within a tile, and none with a printed line.

    Args:
        seams: edges on which two tiles meet.
        lines: edges with a printed line.
    """

    seams: frozenset[Edge]
    lines: frozenset[Edge]

    def features(self, edges: Sequence[Edge]) -> Float[Numbers, "n 2"]:
        """Return each edge's weight as an opening (a seam without a line), and whether it has a line."""

        def features_of(edge: Edge) -> tuple[float, float]:
            if edge in self.lines:
                return 0.0, 1.0
            return (float(edge in self.seams) if self.seams else _ANYWHERE), 0.0

        return np.array([features_of(edge) for edge in edges], dtype=float).reshape(-1, 2)

    def prior_log_odds(self, edges: Sequence[Edge]) -> Float[Numbers, " n"]:
        """Return the log odds of a door on each edge before any photo."""
        within, opening, line = _PRIOR_LOG_ODDS
        log_odds: Numbers = within + self.features(edges) @ np.array([opening - within, line])
        return log_odds


@dataclass(frozen=True, eq=False)
class BoardView:
    """Print and photo of the board in one frame along the lattice, ``PX_PER_CELL`` pixels a cell.

    Args:
        lattice: the lattice of the tiles.
        frame: the frame; pixel rows and columns run along the lattice.
        first: the lattice cell in the frame's top left corner.
        poses: the true pose of each tile, in the order of the placements.
        thickness_mm: height of the printed surface above the table.
        photo: the photo itself.
        ground_image: the photo on the plane of the print.
        print_image: the prints at their places, black outside.
        gain: light on each pixel of the frame, photo over print in linear light.
        paper: the light on white paper, if measured.
    """

    view: CameraView
    lattice: Lattice
    frame: PlaneFrame
    first: Cell
    poses: tuple[Pose, ...]
    cells: frozenset[Cell]
    openings: Openings
    thickness_mm: float
    photo: BgrImage
    ground_image: BgrImage
    print_image: BgrImage
    board_mask: Mask
    gain: ColorImage
    paper: PaperLight | None = None

    def at_height(self, above_tile_mm: float) -> BgrImage:
        """Return the photo on the plane at that height above the print, in print colours (light removed)."""
        seen = rectify(self.photo, self.view, self.frame, self.thickness_mm + above_tile_mm).image
        return gamma_from_light(light_from_gamma(seen) / self.gain)

    def expected_at(self, above_tile_mm: float) -> BgrImage:
        """Return the prints as the picture of ``at_height`` shows them on an empty board."""
        corners = _corners_px(self.frame.size_wh)
        pixels = self.view.image_from_table(self.frame.table_from_frame(corners), self.thickness_mm + above_tile_mm)
        behind = self.frame.frame_from_table(self.view.table_from_image(pixels, self.thickness_mm))
        # Seen from one point, a plane maps to a plane by a homography. Four corners determine it.
        high_from_print = cv2.getPerspectiveTransform(behind.astype(np.float32), corners.astype(np.float32))
        moved = cv2.warpPerspective(self.print_image, high_from_print, self.frame.size_wh, flags=cv2.INTER_LINEAR)
        return np.asarray(moved, dtype=np.uint8)

    @cached_property
    def expected_image(self) -> BgrImage:
        """The prints in the light of the photo: the look of an empty board."""
        return gamma_from_light(light_from_gamma(self.print_image) * self.gain)

    @cached_property
    def likeness(self) -> Mapping[Cell, float]:
        """Correlation of print and photo in each cell of the board, from -1 to 1."""
        return {c: _likeness(self.print_image, self.ground_image, self.box_px(c)) for c in sorted(self.cells)}

    @cached_property
    def clear_cells(self) -> Sequence[Cell]:
        """The cells with clear print, or all if there is none."""
        return [cell for cell, likeness in self.likeness.items() if likeness >= CLEAR_PRINT] or sorted(self.cells)

    @cached_property
    def clarity(self) -> float:
        """How clearly the photo shows fine print: their correlation without all that is coarse.

        It is about 0.75 in sharp photos and 0.1 in blurred ones. Distance, blur and noise all count.
        """
        fine = [
            image - cv2.GaussianBlur(image, (0, 0), _FINE_PX)
            for image in (gray_from_bgr(one).astype(np.float32) for one in (self.expected_image, self.ground_image))
        ]
        printed, seen = (np.concatenate([image[self.box_px(cell)] for cell in self.clear_cells]) for image in fine)
        norm = math.sqrt(float((printed**2).sum()) * float((seen**2).sum()))
        return max(float((printed * seen).sum()) / max(norm, 1.0), _LEAST_CLARITY)

    @cached_property
    def unseen(self) -> frozenset[Cell]:
        """The cells that the photo does not show: beyond its edge, or burnt out."""
        cells = sorted(self.cells)
        steps = (np.arange(_STEPS_SEEN) + 0.5) / _STEPS_SEEN
        points = np.array(cells)[:, None] + np.dstack(np.meshgrid(steps, steps)).reshape(1, -1, 2)
        places_mm = self.lattice.table_from_lattice(points.reshape(-1, 2))
        pixels = self.view.image_from_table(places_mm, self.thickness_mm).reshape(*points.shape)
        beyond = self.in_photo(pixels).mean(axis=1) < _LEAST_IN_SIGHT
        return frozenset(cell for cell, away in zip(cells, beyond, strict=True) if away or self._is_burnt_out(cell))

    def in_photo(self, pixels: Float[Numbers, "*n 2"]) -> Bool[Flags, "*n"]:
        """Return for each pixel (…, 2) whether it lies in the photo."""
        return np.asarray(((pixels > -0.5) & (pixels < np.array(self.photo.shape[1::-1]) - 0.5)).all(axis=-1))

    def _is_burnt_out(self, cell: Cell) -> bool:
        """Return whether white hides even the dark parts of a cell's print."""
        box = self.box_px(cell)
        is_dark = self.print_image[box].max(axis=2) < _DARK_PRINT
        is_white = self.ground_image[box].min(axis=2) >= _WHITE
        return float(is_dark.mean()) >= _LEAST_DARK and float(is_white[is_dark].mean()) >= _BURNT_OUT

    def box_px(self, cell: Cell) -> tuple[slice, slice]:
        return _box_px(cell, self.first)

    def frame_from_lattice(self, points: Num[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return pixels of lattice coordinates."""
        pixels: Numbers = (np.asarray(points) - np.asarray(self.first)) * PX_PER_CELL - 0.5
        return pixels

    @property
    def px_per_mm(self) -> float:
        return self.frame.px_per_mm


def board_view(  # noqa: PLR0913 - all that a board is seen by
    photo: BgrImage,
    view: CameraView,
    lattice: Lattice,
    placements: Sequence[TilePlacement],
    prints: TilePrints,
    *,
    poses: Sequence[Pose] | None = None,
    paper: PaperLight | None = None,
) -> BoardView:
    """Build print and photo of the board of the placed tiles.

    Args:
        photo: the photo.
        view: the camera.
        lattice: the lattice from recognition.
        placements: the tiles on it.
        prints: the tile set.
        poses: the true pose of each tile with the matching lattice. None fits both to the photo.
        paper: the light on the markers' paper.
    """
    cells = frozenset[Cell]().union(*(cells_of(p, prints) for p in placements))
    first, last = span_of(cells, RIM_CELLS)
    thickness_mm = prints.tile_set.thickness_mm
    if poses is None:
        # Tiles are fitted in a frame without a bend, since a print moves as one piece.
        even_frame = lattice_frame(lattice.even, first, last, PX_PER_CELL / lattice.cell_mm)
        even_image = rectify(photo, view, even_frame, thickness_mm).image
        tiles = fit_tile_poses(even_image, even_frame, placements, lattice, prints)
        lattice = lattice_through(tiles, lattice, prints)
        poses = [tile.pose for tile in tiles]
    frame = lattice_frame(lattice, first, last, PX_PER_CELL / lattice.cell_mm)
    ground_image = rectify(photo, view, frame, thickness_mm).image
    print_image, board_mask = _compose(frame, placements, poses, prints)
    gain = _gain(ground_image, print_image, sorted(cells), first, paper)
    return BoardView(
        view,
        lattice,
        frame,
        first,
        tuple(poses),
        cells,
        openings_of(placements, prints),
        thickness_mm,
        photo,
        ground_image,
        print_image,
        board_mask,
        gain,
        paper,
    )


def light_by_prints(board: BoardView) -> PaperLight:
    """Return the light on white paper by cells with clear print, for photos without any paper."""
    gains = np.array([board.gain[board.box_px(cell)].mean(axis=(0, 1)) for cell in board.clear_cells])
    middles = board.lattice.table_from_lattice(np.array(board.clear_cells) + 0.5)
    return light_of_prints(middles, gains, PRINT_BY_PAPER)


def openings_of(placements: Iterable[TilePlacement], prints: TilePrints) -> Openings:
    """Return the seams and printed lines of the tiles of a board."""
    tile_of: dict[Cell, int] = {}
    lines: set[Edge] = set()
    for number, placement in enumerate(placements):
        side = prints.prints[placement.print_index].side
        tile_of.update(dict.fromkeys(cells_of(placement, prints), number))
        lines.update(placement.edge_of(side, edge) for edge in side.edges)
    inner = list_inner_edges(frozenset(tile_of))
    return Openings(frozenset(e for e in inner if len({tile_of[c] for c in e.cells}) > 1), frozenset(lines))


def _compose(
    frame: PlaneFrame, placements: Sequence[TilePlacement], poses: Sequence[Pose], prints: TilePrints
) -> tuple[BgrImage, Mask]:
    """Return the prints of all tiles at their places, and the mask of these places."""
    width, height = frame.size_wh
    image = np.zeros((height, width, 3), dtype=np.uint8)
    mask = np.zeros((height, width), dtype=bool)
    for placement, pose in zip(placements, poses, strict=True):
        tile_print = prints.prints[placement.print_index]
        box, maps = _map_print(frame, tile_print, pose, prints.px_per_mm)
        warped = cv2.remap(tile_print.image, *maps, cv2.INTER_LINEAR)
        inside = cv2.remap(tile_print.inside_mask.astype(np.uint8), *maps, cv2.INTER_LINEAR) > 0
        image[box][inside] = warped[inside]
        mask[box] |= inside
    return image, mask


def _map_print(
    frame: PlaneFrame, tile_print: Print, pose: Pose, px_per_mm: float
) -> tuple[tuple[slice, slice], tuple[FloatImage, FloatImage]]:
    """Return the rows and columns of the frame under a print, and each one's pixel in the print's picture."""
    size_mm = np.array(tile_print.image.shape[1::-1]) / px_per_mm
    print_frame = PlaneFrame((0.0, 0.0), pose.rotation_deg, px_per_mm, tile_print.image.shape[1::-1])
    x, y = np.asarray(pose.center_mm) - print_frame.turn @ (size_mm / 2)
    print_frame = replace(print_frame, origin_mm=(float(x), float(y)))
    corners_px = frame.frame_from_table(print_frame.table_from_frame(_corners_px(print_frame.size_wh)))
    limits = np.array(frame.size_wh)
    low = np.clip(np.floor(corners_px.min(axis=0)) - 1, 0, limits).astype(int)
    high = np.clip(np.ceil(corners_px.max(axis=0)) + 2, 0, limits).astype(int)
    part = frame.cut(int(low[0]), int(low[1]), (int(high[0] - low[0]), int(high[1] - low[1])))
    return (slice(low[1], high[1]), slice(low[0], high[0])), part.maps_into(print_frame.frame_from_table)


def _corners_px(size_wh: tuple[int, int]) -> Float[Numbers, "4 2"]:
    return np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (np.array(size_wh) - 1.0)


def _box_px(cell: Cell, first: Cell) -> tuple[slice, slice]:
    left, top = (cell[0] - first[0]) * PX_PER_CELL, (cell[1] - first[1]) * PX_PER_CELL
    return slice(top, top + PX_PER_CELL), slice(left, left + PX_PER_CELL)


def _likeness(print_image: BgrImage, ground_image: BgrImage, box: tuple[slice, slice]) -> float:
    a, b = (
        cv2.resize(image[box], (COMPARED_PX, COMPARED_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        for image in (print_image, ground_image)
    )
    a, b = a - a.mean(axis=(0, 1)), b - b.mean(axis=(0, 1))
    # With the noise two plain cells do not count as different.
    noise = a.size * NOISE**2
    return float((a * b).sum() + noise) / float(np.sqrt(((a * a).sum() + noise) * ((b * b).sum() + noise)))


def _gain(
    ground_image: BgrImage, print_image: BgrImage, cells: Sequence[Cell], first: Cell, paper: PaperLight | None
) -> ColorImage:
    """Return the light on the board: one colour for all, brightness that changes slowly from cell to cell.

    White paper gives the colour of the light. Print does so only without paper, since it fades and shines.
    """
    ratios = np.array([_ratio(ground_image, print_image, _box_px(c, first)) for c in cells])
    likeness = np.array([_likeness(print_image, ground_image, _box_px(c, first)) for c in cells])
    clear = likeness >= min(CLEAR_PRINT, float(np.quantile(likeness, 0.7)))
    tints = ratios[clear] / ratios[clear].mean(axis=1, keepdims=True)
    tint = paper.tint if paper is not None and paper.sheets >= _SHEETS else np.median(tints, axis=0)
    brightness = ratios.mean(axis=1)
    height, width = (side // PX_PER_CELL for side in ground_image.shape[:2])
    weighted, weight = np.zeros((2, height, width), dtype=np.float32)
    for (column, row), value, is_clear in zip(cells, brightness, clear, strict=True):
        weight[row - first[1], column - first[0]] = 1.0 if is_clear else 0.02
        weighted[row - first[1], column - first[0]] = value * weight[row - first[1], column - first[0]]
    field = fill_gaps(weighted, weight, least=1e-6)
    fine = cv2.resize(field, ground_image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    gain: Singles = np.maximum(fine[:, :, None] * tint.astype(np.float32), DARKEST_LIGHT)
    return gain


def _ratio(ground_image: BgrImage, print_image: BgrImage, box: tuple[slice, slice]) -> Float[Numbers, " 3"]:
    seen = light_from_gamma(ground_image[box]).mean(axis=(0, 1))
    printed = light_from_gamma(print_image[box]).mean(axis=(0, 1))
    return np.asarray((seen + DARKEST_LIGHT) / (printed + DARKEST_LIGHT))
