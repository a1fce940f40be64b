"""Occlusion of the print: a pretrained network compares photo and print, small networks judge each cell and each edge.

Pixels of photo and print differ by light, wear and blur as much as by a pale figure on a pale floor. The features of a
network trained on a million real photographs respond far less to light, and far more to things. Its first blocks
(``trunk.onnx``; see NOTICE) turn both pictures into maps of four by four places a cell. The features depend on the
direction of a picture, and a lattice may begin at any corner of a board. So the pictures are turned until bodies stand
upright in them, as in the photographs that the network knows. Each cell is then judged by a window of three by three
cells about it, turned so that upright things lean right and up (``vision.evidence.patches``). The window shows a body
that leans over from the next cell, and the reach of this cell's own body. Edges are judged by windows that reach two
cells up and one down (``vision.evidence.doors``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float32, Int

from assistant.table.lattice import Cell
from assistant.table.roster import Roster
from calibration.arrays import BgrImage, Integers, Mask, Numbers, Singles
from vision.evidence.bases import share_with_rings
from vision.evidence.patches import BODY_HEIGHT_MM, PatchSource, leaning_axes, leans_mm
from vision.learned import PlaceNetwork, run_network
from vision.tiles.board_view import BoardView
from vision.tiles.placements import span_of
from vision.tiles.prints import PX_PER_CELL

PLACES = 4
"""Places of a map along a cell."""

WINDOW = 3 * PLACES
"""Places of a window along each side: the cell itself and one more on each side of it."""

CHANNELS = 176
"""Features of the trunk at a place: 24 of its second block, 40 of its fourth, 112 of its tenth."""

GEOMETRY, HINTS = 7, 5
"""Numbers of ``geometry_of`` and of ``cell_hints``."""

_HALF_COVERED = 127

_QUIET = 0.25
"""Share of the board's places whose features differ least. It measures the difference of photo and print at empty
places."""

_UP_IN_PHOTO, _STEP_PX = 0.05, 1.0
"""Weight of the photo's own up against the lean relative to a body's height, and a step up in the photo. Up decides
where bodies lean by less than some 3 degrees."""

_LEAST_CHANCE = 0.005
"""Floor of the base network's chances. Below it the network is wrong more often, on figures of one pale colour."""


QuietDifference = Float32[Singles, " channels"]
"""The difference of photo and print, feature by feature, at the quiet places of a whole board."""


class BoardPictures(NamedTuple):
    """A board's pictures for the trunk, with one cell round it, turned until bodies stand upright.

    Args:
        seen: the photo in print colours.
        printed: the prints, and off the board the photo, so that a body leaning over the edge shows and the bare table
            does not differ.
        mask: the area with a print.
    """

    seen: BgrImage
    printed: BgrImage
    mask: Mask


class CellViews(NamedTuple):
    """Places and geometry of the cells of a board.

    Args:
        windows: for each cell the places of its window, as indices into a map's places, row by row.
        geometry: each cell's ``geometry_of``.
    """

    windows: Int[Integers, "n side side"]
    geometry: Float32[Singles, "n numbers"]


class PrintMaps(NamedTuple):
    """Photo and print of a board in the trunk's features, turned as in ``BoardPictures``.

    Args:
        compared: of each place the features' difference, the photo's features, and the quiet difference.
        covered: the share of each place with a print.
        quiet: the features' difference at the board's quiet places.
    """

    compared: Float32[Singles, "numbers rows columns"]
    covered: Float32[Singles, "rows columns"]
    quiet: QuietDifference

    def windows(
        self, network: PlaceNetwork, places: Int[Integers, "n side side"]
    ) -> Float32[Singles, "n planes side side"]:
        """Return a network's numbers of each window's places, and their share with a print."""
        found = run_network(network, self.compared[None])[0]
        planes: Singles = np.concatenate([found, self.covered[None]]).reshape(len(found) + 1, -1)
        return planes[:, places].transpose(1, 0, 2, 3)


def board_pictures(source: PatchSource) -> BoardPictures:
    """Cut the pictures of a board with one cell round it."""
    board = source.board
    first, last = span_of(board.cells, 1)
    left, top = np.subtract(first, board.first) * PX_PER_CELL
    right, bottom = np.subtract(last, board.first) * PX_PER_CELL
    one, two = (layers[top:bottom, left:right] for layers in source.layers)
    mask = two[:, :, 2] > _HALF_COVERED
    printed = np.where(mask[:, :, None], np.dstack([one[:, :, 3], two[:, :, :2]]), one[:, :, :3])
    turns = quarter_turns(board)
    return BoardPictures(*(np.ascontiguousarray(np.rot90(image, turns)) for image in (one[:, :, :3], printed, mask)))


def quarter_turns(board: BoardView) -> int:
    """Return how many quarter turns anticlockwise bring bodies upright in a picture along the lattice, 0 to 3.

    From nearly above bodies hardly lean, and a little more or less of it would turn the board from one photo to the
    next. There the side that is up in the photo decides.
    """
    middle = np.mean(list(board.cells), axis=0, keepdims=True) + 0.5
    middle_px = board.view.image_from_table(board.lattice.table_from_lattice(middle), board.thickness_mm)
    above_mm = board.view.table_from_image(middle_px - np.array([0.0, _STEP_PX]), board.thickness_mm)
    above = (board.lattice.lattice_from_table(above_mm) - middle)[0]
    lean = leans_mm(board, middle, BODY_HEIGHT_MM)[0] / BODY_HEIGHT_MM
    right, down = (lean + _UP_IN_PHOTO * above / np.linalg.norm(above)).tolist()
    if abs(down) >= abs(right):
        return 2 if down > 0 else 0
    return 1 if right > 0 else 3


def cell_views(board: BoardView, roster: Roster, cells: Sequence[Cell]) -> CellViews:
    """Return the windows and the geometry of these cells."""
    middles = np.array(cells, dtype=float).reshape(-1, 2) + 0.5
    leans = leans_mm(board, middles, BODY_HEIGHT_MM)
    axes = np.array([_axes(lean) for lean in leans]).reshape(-1, 2, 2)
    return CellViews(windows_on(board, middles, axes), geometry_of(leans, axes, roster, board.lattice.cell_mm))


def _axes(lean_mm: Float[Numbers, " 2"]) -> Float[Numbers, "2 2"]:
    # Choose the columns along the axis along which a body leans less.
    along = np.array([1.0, 0.0]) if abs(lean_mm[0]) <= abs(lean_mm[1]) else np.array([0.0, 1.0])
    return leaning_axes(along, lean_mm)


def windows_on(
    board: BoardView, middles: Float[Numbers, "n 2"], axes: Float[Numbers, "n 2 2"]
) -> Int[Integers, "n side side"]:
    """Return the places of each window on a board's maps, from their middles on the lattice."""
    first, last = span_of(board.cells, 1)
    wide, high = np.subtract(last, first).tolist()
    middles = middles - np.array(first)
    for _ in range(quarter_turns(board)):
        middles = np.column_stack([middles[:, 1], wide - middles[:, 0]])
        axes = np.stack([axes[..., 1], -axes[..., 0]], axis=-1)
        wide, high = high, wide
    return windows_of(middles, axes, wide * PLACES)


def windows_of(
    middles: Float[Numbers, "n 2"], axes: Float[Numbers, "n 2 2"], columns: int
) -> Int[Integers, "n side side"]:
    """Return the places of each window, from the middles of its cells in cells of the frame."""
    steps = (np.arange(WINDOW) - (WINDOW - 1) / 2) / PLACES
    across, down = (
        axes[:, None, None, 0] * steps[None, None, :, None],
        axes[:, None, None, 1] * steps[None, :, None, None],
    )
    places = np.floor((middles[:, None, None] + across + down) * PLACES).astype(np.int64)
    indices: Integers = places[..., 1] * columns + places[..., 0]
    return indices


def geometry_of(
    leans_mm: Float[Numbers, "n 2"], axes: Float[Numbers, "n 2 2"], roster: Roster, cell_mm: float
) -> Float32[Singles, "n 7"]:
    """Return what the network knows beside the pictures.

    A body's lean along a window's axes (2), the range of base and height of small figures (4), and the share of figures
    with a ring: in a box where most have one, a body without is a thing. In other boxes its form must tell.
    """
    small = [figure for figure in roster.figures if figure.size == (1, 1)] or roster.figures
    bases, heights = [figure.base_mm for figure in small] or [22.0], [figure.height_mm for figure in small] or [30.0]
    sizes = np.array([min(bases), max(bases), min(heights), max(heights)]) / cell_mm
    leans = np.einsum("nij,nj->ni", axes, leans_mm) / cell_mm
    of_box = np.append(sizes, share_with_rings(roster))
    return np.column_stack([leans, np.broadcast_to(of_box, (len(leans), len(of_box)))]).astype(np.float32)


def cell_hints(likely: Float32[Singles, "n 3"], seen: Float[Numbers, "n 2"]) -> Float32[Singles, "n 5"]:
    """Return the evidence about cells that needs no trunk.

    Args:
        likely: the base network's chances of the three classes.
        seen: the visible share of the print, inside and around (``print_seen``).
    """
    return np.column_stack([np.log(np.clip(likely, _LEAST_CHANCE, 1.0)), seen]).astype(np.float32)


def trunk_map(image: BgrImage) -> Float32[Singles, "channels rows columns"]:
    """Return the features of a picture of whole cells, four by four places a cell."""
    blob = np.ascontiguousarray(image.transpose(2, 0, 1)[None], dtype=np.float32)
    features: Singles = run_network("trunk", blob)[0]
    return features


@lru_cache(maxsize=2)
def _kept_map(data: bytes, size_hw: tuple[int, int]) -> Float32[Singles, "channels rows columns"]:
    """Cache ``trunk_map`` of a board's prints, which change only with its tiles."""
    return trunk_map(np.frombuffer(data, np.uint8).reshape(*size_hw, 3))


def print_maps(source: PatchSource, quiet: QuietDifference | None = None) -> PrintMaps:
    """Compare a board's photo and print in the trunk's features.

    ``quiet`` is that of the whole board if this is a part: figures may cover all of a few cells.
    """
    pictures = board_pictures(source)
    seen = trunk_map(pictures.seen)
    printed = _kept_map(pictures.printed.tobytes(), pictures.printed.shape[:2])
    rows, columns = seen.shape[1:]
    covered = cv2.resize(pictures.mask.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    differing = np.log1p(np.abs(seen - printed))
    if quiet is None:
        quiet = np.quantile(differing[:, covered > 0.5], _QUIET, axis=1).astype(np.float32)
    compared = np.concatenate([differing, seen, np.broadcast_to(quiet[:, None, None], seen.shape)])
    return PrintMaps(compared, np.asarray(covered, np.float32), quiet)


def cell_inputs(
    maps: PrintMaps, views: CellViews, hints: Float32[Singles, "n hints"]
) -> Float32[Singles, "n planes side side"]:
    """Return what both networks for cells see of each cell: its window, and its numbers as planes.

    Args:
        maps: the board.
        views: the cells.
        hints: ``cell_hints`` of each.
    """
    numbers = np.concatenate([views.geometry, hints], axis=1)
    return np.concatenate([maps.windows("pair", views.windows), spread(numbers)], axis=1)


def cell_logits(inputs: Float32[Singles, "n planes side side"]) -> Float32[Singles, "n 4"]:
    """Return logits of four classes: empty, one-cell base, part of a larger base, and a die, counter or other thing."""
    return run_network("cells", inputs).reshape(-1, 4)


def lying_chances(inputs: Float32[Singles, "n planes side side"]) -> Float32[Singles, " n"]:
    """Return the chance that a fallen figure lies across each cell."""
    if len(inputs) == 0:
        return np.zeros(0, dtype=np.float32)
    return np.asarray(1 / (1 + np.exp(-run_network("fallen", inputs).reshape(-1))), dtype=np.float32)


def spread(numbers: Float32[Singles, "n numbers"]) -> Float32[Singles, "n numbers side side"]:
    """Return numbers as planes of a window."""
    return np.broadcast_to(numbers[:, :, None, None], (*numbers.shape, WINDOW, WINDOW))
