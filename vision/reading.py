"""One photo, read: markers, pose, tiles on one lattice, doors, figures, and the board they make."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assistant.errors import NoTiles, PhotoError
from assistant.table.camera import CameraLens, TableMarkers
from assistant.table.lattice import Cell
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from calibration.arrays import BgrImage, GrayImage
from calibration.color import gray_from_bgr
from calibration.marker_tracking import MarkerTracker
from calibration.pose import CameraView, solve_view
from vision.photo.paper_light import PaperLight, paper_light
from vision.photo.rectify import PlaneFrame, Rectified, rectify
from vision.scene.observation import StageResults, observation_of
from vision.scene.occupants import Standing, find_standing
from vision.tiles.board_view import BoardView, board_view
from vision.tiles.candidates import find_candidates
from vision.tiles.choice import place_tiles
from vision.tiles.covered import covered_tiles
from vision.tiles.keypoints import PX_PER_MM, Keypoints, find_keypoints
from vision.tiles.lattice_fit import Lattice, fit_lattice
from vision.tiles.marker_cells import cells_under_markers
from vision.tiles.placements import TilePlacement, cells_of, moved_to
from vision.tiles.prints import TilePrints
from vision.tiles.sought import SoughtTiles, sought_tiles
from vision.tiles.unknown import printed_chances, unknown_tiles
from vision.tiles.unmoved import KeptTiles, keep_tiles

_MARGIN_MM = 40.0
"""The markers lie round the board; it may reach this far beyond them."""

_WIDER_MM = 400.0
"""Where nothing was found between the markers, the search goes on this far round them."""

_MAX_SIDE_PX = 3000
_KEYPOINT_LIMIT = 16_000


@dataclass(frozen=True, eq=False)
class Reading:
    """An observation with the view that it was made from and what the stages saw."""

    observation: Observation
    view: CameraView
    seen: StageResults


class Lain(NamedTuple):
    """How a tile lay on a lattice."""

    lattice: Lattice
    placement: TilePlacement


class LaidTiles(NamedTuple):
    """The board of one photo, its tiles, where others lie that are not in the set, and what may lie beside them."""

    board: BoardView
    placements: Sequence[TilePlacement]
    unknown: Sequence[frozenset[Cell]]
    possible: Sequence[TilePlacement] = ()


class TableReader:
    """Reads photos of one table with one tile set and one roster.

    What does not change from photo to photo is kept: markers are looked for where they were, and tiles that still
    lie as they were are not searched again. A photo of another place or another board is read from scratch.

    Args:
        prints: the tile set, loaded once for all photos.
        roster: the figures and doors that may be there.
        markers: where the printed markers lie.
        lens: the camera's lens; None estimates it from the markers.
    """

    def __init__(self, prints: TilePrints, roster: Roster, markers: TableMarkers, lens: CameraLens | None) -> None:
        self._prints = prints
        self._roster = roster
        self._markers = markers
        self._lens = lens
        self._tracker = MarkerTracker(markers, lens)
        self._follows = False
        self._kept: KeptTiles | None = None
        self._laid: LaidTiles | None = None

    @property
    def prints(self) -> TilePrints:
        """The tile set."""
        return self._prints

    @property
    def roster(self) -> Roster:
        """The figures and doors that may be there."""
        return self._roster

    @property
    def markers(self) -> TableMarkers:
        """Where the printed markers lie."""
        return self._markers

    def read(self, photo: BgrImage, earlier: Collection[Lain] = ()) -> Reading:
        """What the photo shows.

        Args:
            photo: the photo.
            earlier: where tiles of this table lay in earlier ones: there they are looked for under a crowd.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found.
            PoseAmbiguous: the markers contradict each other.
            NoTiles: no tile of the set was recognised.
        """
        tiles = self.lay_tiles(photo, self.find_view(photo), earlier)
        return self.told(tiles, find_standing(tiles.board, self._roster))

    def told(self, tiles: LaidTiles, standing: Standing) -> Reading:
        """The reading of a photo on which these tiles lie and this stands on them."""
        seen = StageResults(
            tiles.board,
            tiles.placements,
            standing.doors,
            standing.figures,
            standing.maybe_doors,
            standing.maybe_figures,
            tiles.unknown,
            tiles.possible,
        )
        return Reading(observation_of(seen, self._prints, self._roster), tiles.board.view, seen)

    def forget_tiles(self) -> None:
        """Searches the tiles anew in the next photo, whatever it looks like: for a reading that is to prove another."""
        self._kept = None

    def lay_tiles(self, photo: BgrImage, view: CameraView, earlier: Collection[Lain] = ()) -> LaidTiles:
        """The board and its tiles: those of the photo before while they lie as they did.

        Args:
            photo: the photo.
            view: where it was taken from.
            earlier: where tiles of this table lay in earlier ones: there they are looked for under a crowd.

        Raises:
            NoTiles: no tile of the set was recognised.
        """
        kept = self._kept
        if kept is not None and self._laid is not None and kept.still_lie(photo, view):
            # The view is kept, too: a camera that stands still must not make figures tremble.
            paper = paper_light(photo, kept.view, self._markers)
            board = board_view(
                photo, kept.view, kept.lattice, kept.placements, self._prints, poses=kept.poses, paper=paper
            )
            if kept.show_in(board):
                return self._laid._replace(board=board)
        self._kept = None
        paper = paper_light(photo, view, self._markers)
        lattice, placements = self._find_tiles(photo, view, paper)
        board = board_view(photo, view, lattice, placements, self._prints, paper=paper)
        lain = [moved_to(board.lattice, tile.placement, tile.lattice, self._prints) for tile in earlier]
        self._laid = laid = self._with_those_beside(board, placements, paper, lain)
        self._kept = keep_tiles(laid.board, laid.placements, [cells_of(tile, self._prints) for tile in laid.placements])
        return laid

    def _with_those_beside(
        self, board: BoardView, placements: list[TilePlacement], paper: PaperLight, lain: Sequence[TilePlacement]
    ) -> LaidTiles:
        """The tiles that are found round the known ones; each tells more of the light, and how far the next reaches."""
        while True:
            bare = cells_under_markers(board.lattice, board.view, self._markers)
            printed = {cell: chance for cell, chance in printed_chances(board, paper).items() if cell not in bare}
            unknown = unknown_tiles(board, printed)
            sought = SoughtTiles(covered_tiles(board, placements, unknown, self._prints, lain), [])
            if not sought.found:
                sought = sought_tiles(board, placements, printed, self._prints, bare)
            if not sought.found:
                return LaidTiles(board, placements, unknown, sought.possible)
            placements = [*placements, *sought.found]
            board = board_view(board.photo, board.view, board.lattice, placements, self._prints, paper=paper)

    def _find_tiles(self, photo: BgrImage, view: CameraView, paper: PaperLight) -> tuple[Lattice, list[TilePlacement]]:
        """The lattice and the tiles on it.

        Raises:
            NoTiles: no tile of the set was recognised.
        """
        for margin_mm in (_MARGIN_MM, _WIDER_MM):
            candidates = find_candidates(self.keypoints(photo, view, margin_mm), self._prints)
            fitted = fit_lattice(candidates, self._prints)
            if fitted:
                bare = cells_under_markers(fitted[0], view, self._markers)
                placements = place_tiles(photo, view, fitted, self._prints, paper, bare)
                if placements:
                    return fitted[0], placements
        raise NoTiles()

    def keypoints(self, photo: BgrImage, view: CameraView, margin_mm: float = _MARGIN_MM) -> Keypoints:
        """The keypoints of the table between the markers and that far round them, in table millimetres."""
        search = self._search(photo, view, margin_mm)
        found = find_keypoints(search.image, search.frame.px_per_mm, search.inside_mask, _KEYPOINT_LIMIT)
        return found.moved(np.array(search.frame.origin_mm))

    def find_view(self, photo: BgrImage) -> CameraView:
        """Where the camera was.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found.
            PoseAmbiguous: the markers contradict each other.
        """
        gray_image = gray_from_bgr(photo)
        try:
            view = self._solved(gray_image)
        except PhotoError:
            if not self._follows:
                raise
        else:
            self._follows = True
            return view
        # What was followed from the photo before may be something else by now: markers are looked for everywhere.
        self._tracker, self._kept, self._follows = MarkerTracker(self._markers, self._lens), None, False
        return self._solved(gray_image)

    def _solved(self, gray_image: GrayImage) -> CameraView:
        height, width = gray_image.shape
        return solve_view(self._tracker.find(gray_image), self._markers, self._lens, image_wh=(width, height))

    def _search(self, photo: BgrImage, view: CameraView, margin_mm: float) -> Rectified:
        """The part of the table where the board may be, seen from above, at the height of the print."""
        corners = np.concatenate([np.array(m.corners_mm) for m in self._markers.markers])
        low, high = corners.min(axis=0) - margin_mm, corners.max(axis=0) + margin_mm
        scale = min(PX_PER_MM, _MAX_SIDE_PX / float(max(high - low)))
        width, height = (int(v) for v in np.ceil((high - low) * scale))
        frame = PlaneFrame((float(low[0]), float(low[1])), 0.0, scale, (width, height))
        return rectify(photo, view, frame, self._prints.tile_set.thickness_mm)
