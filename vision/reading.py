"""Read one photo: markers, pose, tiles on one lattice, doors, figures, and the board they make."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from assistant.errors import NoTiles, PhotoError, PictureMirrored, PoseAmbiguous, TooFewMarkers
from assistant.table.camera import Calibration, CameraLens, TableMarkers
from assistant.table.lattice import Cell
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from calibration.arrays import BgrImage, GrayImage
from calibration.color import gray_from_bgr
from calibration.marker_tracking import MarkerTracker
from calibration.markers import MarkerSighting, find_markers
from calibration.pose import CameraView, lens_turned_to, solve_view
from vision.photo.faults import covered_tiles_advice, fault_of, fault_without_view, unplaced_tiles_advice
from vision.photo.paper_light import PaperLight, paper_light
from vision.photo.rectify import PlaneFrame, Rectified, rectify
from vision.photo.search_area import MARGIN_MM, papers_mask
from vision.scene.missing_tiles import find_missing_tiles
from vision.scene.observation import StageResults, observation_of
from vision.scene.occupants import Standing, find_standing
from vision.scene.tile_choice import place_tiles
from vision.tiles.board_view import BoardView, board_view, light_by_prints
from vision.tiles.candidates import Pairs, TileCandidate, candidates_of, match
from vision.tiles.keypoints import PX_PER_MM, Keypoints, find_keypoints
from vision.tiles.lattice_fit import Lattice, cells_in, fit_lattice
from vision.tiles.placements import Pose, TilePlacement, cells_of, cells_under_markers, moved_to, placement_at, pose_of
from vision.tiles.print_seeds import shows_tiles
from vision.tiles.print_view import CLEAR_VOTES, PrintView, scale_of_prints, view_by_prints
from vision.tiles.prints import TilePrints
from vision.tiles.unknown import printed_chances, unknown_tiles
from vision.tiles.unmoved import KeptTiles, keep_tiles
from vision.tiles.whole_prints import PX_PER_CELL as WHOLE_PX_PER_CELL
from vision.tiles.whole_prints import find_whole_prints, size_by_whole_print

_WIDER_MM = 250.0
"""Range of a second search, if the first finds nothing, and round the tiles that gave the view, if no marker bounds the
board."""

_MISPRINT, _SURE_SIGMAS, _MOST_MISPRINT = 0.005, 4.0, 0.15
"""Thresholds for misprinted markers: least relative difference of size between markers and tiles, its least
significance, and the largest misprint. On nine photos with true markers the difference was .0014 at most. “Fit to page”
shrinks by 3 to 6 %, a sheet for A4 on half of it by more."""

_WHOLE_MISPRINT = 0.025
"""The same difference by a whole print, where keypoints tell nothing. On 16 photos with true markers it was .016 at
most."""

_OTHER_SIZES = (1.04, 0.96, 1.08, 0.92, 1.12, 0.88)
"""Other sizes at which whole prints are compared. A print of ten cells stands out within 4 % of its size."""

_RESCALED = 2
"""Most corrections of the size in one photo. Where tiles look a tenth too large, the first one measures that by its few
clearest ones and leaves up to a third."""

_MISPRINT_BY_GUESS, _WELL_GUESSED_PX = 0.015, 1.0
"""The same difference if the lens is estimated, and the largest reprojection error of such a lens. An estimated lens
alone makes true markers differ by .006, and by .024 in a picture cropped on one side, whose markers it misses by .9 to
5.8 pixels. Such a difference is corrected but not stated."""

_STILL_PRINT, _STILL_CELLS = 0.8, 2
"""Likeness of a cell with clear print, and the number of such cells that confirm a tile at its earlier place. On 39
rendered photos the second best cell of 123 right tiles had .98 in the middle and .76 at a tenth. That of 148 other
prints in their places, each fitted anew, had .35 in the middle and .81 at 98 %."""

_MAX_SIDE_PX = 3000
_KEYPOINT_LIMIT = 16_000


@dataclass(frozen=True, eq=False)
class Reading:
    """An observation with its view, the results of the stages, and what it was read with."""

    observation: Observation
    view: CameraView
    seen: StageResults
    calibration: Calibration


class TilePose(NamedTuple):
    """A tile's placement on the lattice of its own photo."""

    lattice: Lattice
    placement: TilePlacement


class LaidTiles(NamedTuple):
    """The board of one photo, its tiles, cells under unknown tiles, and what else may lie beside them.

    Args:
        board: the board.
        placements: its tiles.
        unknown: groups of cells that look printed.
        possible: candidate tiles.
        hidden: groups of cells where something may hide a tile.
    """

    board: BoardView
    placements: Sequence[TilePlacement]
    unknown: Sequence[frozenset[Cell]]
    possible: Sequence[TilePlacement] = ()
    hidden: Sequence[frozenset[Cell]] = ()


class TableReader:
    """Reads photos of one table with one tile set and one roster.

    It reuses results between photos: it searches for markers where they were, and does not search for unmoved tiles
    again. It reads a photo of another place or another board from scratch.

    Args:
        prints: the tile set, loaded once for all photos.
        roster: the figures and doors that may be there.
        markers: where the printed markers lie. ``NO_MARKERS`` reads by the tiles alone.
        lens: the camera's lens. None estimates it from the markers or tiles.
    """

    def __init__(self, prints: TilePrints, roster: Roster, markers: TableMarkers, lens: CameraLens | None) -> None:
        self.prints = prints
        self.roster = roster
        self.markers = self._table = markers
        self._lens = lens
        self._tracker = MarkerTracker(markers, lens)
        self._follows = False
        self._kept: KeptTiles | None = None
        self._laid: LaidTiles | None = None
        self._sightings: Sequence[MarkerSighting] = ()
        self._by_prints: PrintView | None = None
        self._pairs: Pairs | None = None
        self._near: Sequence[TileCandidate] = ()
        self._marker_scale = 1.0

    @property
    def calibration(self) -> Calibration:
        """The markers, at their documented size, and the lens in use."""
        return Calibration(self._table, self._lens)

    def recalibrate(self, calibration: Calibration) -> None:
        """Use other places of the markers, or another lens, from now on."""
        if calibration == self.calibration:
            return
        self._table, self._lens = calibration.markers, calibration.lens
        self.markers = self._table.scaled(self._marker_scale)
        self._tracker, self._kept, self._follows = MarkerTracker(self._table, self._lens), None, False

    def read(self, photo: BgrImage, earlier: Collection[TilePose] = ()) -> Reading:
        """Read the photo. Search for tiles at their ``earlier`` places even under a crowd, if a marker is in sight.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found, and the tiles give no view either.
            PoseAmbiguous: the markers contradict each other, and the tiles give no view either.
            NoTiles: no tile of the set was recognised.
        """
        view = self.find_view(photo)
        tiles = self.lay_tiles(photo, view, earlier if view.markers_seen else ())
        return self.reading_of(tiles, find_standing(tiles.board, self.roster))

    def reading_of(self, tiles: LaidTiles, standing: Standing) -> Reading:
        """Build the reading of a photo from its tiles and their occupants."""
        chosen, maybe = (standing.doors, standing.figures), (standing.maybe_doors, standing.maybe_figures)
        bases = [figure.cells for figure in standing.figures]
        seen = StageResults(
            tiles.board,
            tiles.placements,
            *chosen,
            *maybe,
            unknown_tiles=tiles.unknown,
            possible_tiles=tiles.possible,
            hidden_tiles=tiles.hidden,
            worlds=standing.worlds,
            covered=standing.occupancy.covered(bases),
            lain_across=standing.occupancy.lain_across(bases),
            sizes=standing.sizes,
            quiet=standing.occupancy.by_trunk.quiet,
        )
        observation = observation_of(seen, self.prints, self.roster)
        return Reading(observation, tiles.board.view, seen, self.calibration)

    def forget_tiles(self) -> None:
        """Search for the tiles anew in the next photo, so that its reading confirms an earlier one independently."""
        self._kept = None

    def lay_tiles(self, photo: BgrImage, view: CameraView, earlier: Collection[TilePose] = ()) -> LaidTiles:
        """Return the board and its tiles. Keep the previous photo's tiles while they are unmoved.

        Raises:
            NoTiles: no tile of the set was recognised.
        """
        kept = self._kept
        if kept is not None and self._laid is not None and kept.still_lie(photo, view):
            # Keep the view, too, or figures would jitter under a resting camera.
            paper = paper_light(photo, kept.view, self.prints.papers(self.markers))
            board = board_view(
                photo, kept.view, kept.lattice, kept.placements, self.prints, poses=kept.poses, paper=paper
            )
            if kept.show_in(board):
                return self._laid._replace(board=board)
        return self._lay_anew(photo, view, earlier, _RESCALED)

    def _lay_anew(self, photo: BgrImage, view: CameraView, earlier: Collection[TilePose], rescalings: int) -> LaidTiles:
        self._kept = None
        paper = paper_light(photo, view, self.prints.papers(self.markers))
        try:
            lattice, placements = self._find_tiles(photo, view, paper, earlier)
        except NoTiles as problem:
            found = self._tiles_still_there(photo, view, earlier) or self._find_whole_tiles(photo, view)
            size = self._size_of_whole_tiles(photo, view) if found is None and rescalings == _RESCALED else None
            if size is not None:
                return self._lay_anew(photo, self._rescaled(view, size), earlier, rescalings - 1)
            if found is None:
                fault = fault_of(photo) or covered_tiles_advice(photo, view, self.prints.tile_set.cell_mm)
                raise problem if fault is None else problem.because(fault) from None
            lattice, placements = found
        misprint = self._misprint(photo, view, lattice, placements) if rescalings else None
        if misprint is not None:
            return self._lay_anew(photo, self._rescaled(view, misprint), earlier, rescalings - 1)
        board = board_view(photo, view, lattice, placements, self.prints, paper=paper)
        if not paper.sheets:
            paper = light_by_prints(board)
            board = replace(board, paper=paper)
        known = [moved_to(board.lattice, tile.placement, tile.lattice, self.prints) for tile in earlier]
        bare = self._bare_cells(photo, view, board.lattice, earlier)
        self._laid = laid = self._add_tiles_beside(board, placements, paper, bare, known)
        self._kept = keep_tiles(laid.board, laid.placements, [cells_of(tile, self.prints) for tile in laid.placements])
        return laid

    def _tiles_still_there(
        self, photo: BgrImage, view: CameraView, earlier: Collection[TilePose] = ()
    ) -> tuple[Lattice, list[TilePlacement]] | None:
        """Return the known tiles that still show clear print at their earlier places, or None if none does.

        Under a crowd or another lamp too few keypoints are left to find a tile, but enough print to confirm it.
        """
        laid = self._laid
        known = [*earlier] or ([TilePose(laid.board.lattice, tile) for tile in laid.placements] if laid else [])
        if not known:
            return None
        lattice = known[-1].lattice
        tiles = [replace(moved_to(lattice, t.placement, t.lattice, self.prints), candidate=None) for t in known]
        poses = [pose_of(tile, lattice, self.prints) for tile in tiles]
        likeness = board_view(photo, view, lattice, tiles, self.prints, poses=poses).likeness
        there = [t for t in tiles if sum(likeness[c] >= _STILL_PRINT for c in cells_of(t, self.prints)) >= _STILL_CELLS]
        return (lattice, there) if there else None

    def _find_whole_tiles(self, photo: BgrImage, view: CameraView) -> tuple[Lattice, list[TilePlacement]] | None:
        """Return the tiles found by their whole prints, or None if none stands out or the area is too large."""
        seen = self._whole_area(photo, view)
        return None if seen is None else find_whole_prints(seen, self.prints, self._near)

    def _size_of_whole_tiles(self, photo: BgrImage, view: CameraView) -> float | None:
        """Return how much larger tiles look than by the markers, if whole prints stand out at another size."""
        if view.tiles_seen or self._laid is not None or fault_of(photo) is not None:
            return None
        for size in _OTHER_SIZES:
            seen = self._whole_area(photo, view, size)
            found = None if seen is None else find_whole_prints(seen, self.prints, self._near)
            if seen is not None and found is not None:
                return size * self._size_of_clearest(seen, *found)
        return None

    def _size_of_clearest(self, seen: Rectified, lattice: Lattice, placements: Sequence[TilePlacement]) -> float:
        """Return how much larger the clearest tile looks than its print, by its whole print."""
        first = max(placements, key=lambda placement: placement.strength)
        return size_by_whole_print(seen, self.prints.prints[first.print_index], pose_of(first, lattice, self.prints))

    def _whole_area(self, photo: BgrImage, view: CameraView, size: float = 1.0) -> Rectified | None:
        """Return the search area at the scale of whole prints of that size, without markers, or None if too large."""
        if not self._has_area(view):
            return None
        px_per_mm = WHOLE_PX_PER_CELL / self.prints.tile_set.cell_mm / size
        seen = self._search(photo, view, MARGIN_MM, px_per_mm)
        if seen.frame.px_per_mm < px_per_mm:
            return None
        visible = [marker for marker in self.markers.markers if marker.id in view.markers_seen]
        return replace(seen, inside_mask=seen.inside_mask & ~papers_mask(seen.frame, visible))

    def _misprint(
        self, photo: BgrImage, view: CameraView, lattice: Lattice, placements: Sequence[TilePlacement]
    ) -> float | None:
        """Return the factor by which tiles look too large, by the markers.

        None if the tiles have the size of the markers, at the scale that earlier photos showed. The whole print of the
        clearest tile counts where keypoints tell nothing.
        """
        if view.tiles_seen or self._pairs is None:
            return None
        by_keypoints = scale_of_prints(self._pairs, [t.candidate for t in placements if t.candidate is not None])
        if by_keypoints is not None:
            size, least = by_keypoints.share, max(_MISPRINT, _SURE_SIGMAS * by_keypoints.sigma)
        elif (seen := self._whole_area(photo, view)) is not None:
            size, least = self._size_of_clearest(seen, lattice, placements), _WHOLE_MISPRINT
        else:
            return None
        return size if least < abs(size - 1) < _MOST_MISPRINT else None

    def _rescaled(self, view: CameraView, too_large: float) -> CameraView:
        """Return the view over a table of the markers' real size, which the reader uses from now on."""
        scale = self._marker_scale / too_large
        self._marker_scale = 1.0 if abs(scale - 1) < _MISPRINT else scale
        self.markers = self._table.scaled(self._marker_scale)
        tx, ty, tz = (value / too_large for value in view.tvec)
        return replace(view, tvec=(tx, ty, tz), marker_scale=self._stated_scale(view))

    def _stated_scale(self, view: CameraView) -> float:
        """Return the size of the markers, or 1 if an estimated lens may be all that is wrong."""
        if not view.lens_is_guessed:
            return self._marker_scale
        is_sure = abs(self._marker_scale - 1) > _MISPRINT_BY_GUESS and view.reprojection_px < _WELL_GUESSED_PX
        return self._marker_scale if is_sure else 1.0

    def _add_tiles_beside(
        self,
        board: BoardView,
        placements: list[TilePlacement],
        paper: PaperLight,
        bare: frozenset[Cell],
        earlier: Sequence[TilePlacement],
    ) -> LaidTiles:
        """Search round the known tiles until nothing is found.

        Each new tile improves the light and exposes new sides.
        """
        while True:
            printed = {cell: chance for cell, chance in printed_chances(board, paper).items() if cell not in bare}
            missing = find_missing_tiles(board, placements, printed, self.prints, bare, earlier)
            if not missing.found:
                unknown = unknown_tiles(board, printed)
                return LaidTiles(board, missing.known, unknown, missing.possible, missing.hidden)
            placements = [*placements, *missing.found]
            board = board_view(board.photo, board.view, board.lattice, placements, self.prints, paper=paper)

    def _bare_cells(
        self, photo: BgrImage, view: CameraView, lattice: Lattice, earlier: Collection[TilePose]
    ) -> frozenset[Cell]:
        """Return the cells under markers, without those of known tiles that still show clear print beside a marker."""
        bare = cells_under_markers(lattice, view, self._sightings)
        under = [tile for tile in earlier if not bare.isdisjoint(self._cells_on(lattice, tile))]
        still = self._tiles_still_there(photo, view, under) if under else None
        if still is None:
            return bare
        return bare.difference(*(self._cells_on(lattice, TilePose(still[0], tile)) for tile in still[1]))

    def _cells_on(self, lattice: Lattice, tile: TilePose) -> frozenset[Cell]:
        """Return the cells of another lattice that a tile covers."""
        return cells_in(lattice, cells_of(tile.placement, self.prints), tile.lattice)

    def _find_tiles(
        self, photo: BgrImage, view: CameraView, paper: PaperLight, earlier: Collection[TilePose]
    ) -> tuple[Lattice, list[TilePlacement]]:
        if not self._has_area(view):
            raise NoTiles()
        for candidates in self._candidates(photo, view):
            fitted = fit_lattice(candidates, self.prints)
            if fitted:
                bare = self._bare_cells(photo, view, fitted[0], earlier)
                placements = place_tiles(photo, view, fitted, self.prints, paper, bare)
                if placements:
                    return fitted[0], placements
        raise NoTiles()

    def _candidates(self, photo: BgrImage, view: CameraView) -> Iterator[Sequence[TileCandidate]]:
        """Yield candidate tiles of a near and of a wide search."""
        if self._by_prints is not None and self._by_prints.view == view:
            self._near = candidates_of(self._by_prints.pairs, self.prints)
        else:
            self._pairs = match(self.keypoints(photo, view), self.prints)
            self._near = candidates_of(self._pairs, self.prints)
        yield self._near
        self._pairs = match(self.keypoints(photo, view, _WIDER_MM), self.prints)
        yield candidates_of(self._pairs, self.prints)

    def keypoints(self, photo: BgrImage, view: CameraView, margin_mm: float = MARGIN_MM) -> Keypoints:
        """Return the keypoints of the table between the markers and within a margin, in table millimetres."""
        search = self._search(photo, view, margin_mm)
        found = find_keypoints(search.image, search.frame.px_per_mm, search.inside_mask, _KEYPOINT_LIMIT)
        return found.moved(np.array(search.frame.origin_mm))

    def find_view(self, photo: BgrImage, beside: LaidTiles | None = None) -> CameraView:
        """Find the camera's pose by the markers, or by the tiles' prints if too few markers are in sight.

        A view by the tiles alone uses the frame of the earlier tiles, of the tiles ``beside`` it, or a free frame.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found, and the tiles give no view either.
            PoseAmbiguous: the markers contradict each other, and the tiles give no view either.
            NoTiles: there are no markers, and the tiles give no view.
            PictureMirrored: the mirrored photo shows tiles or markers better.
        """
        self._by_prints = None
        self._turn_lens(photo)
        try:
            return self._view_by_markers(photo) if self.markers.markers else self._view_by_prints(photo, beside)
        except NoTiles as problem:
            raise self._explained(problem, photo) from None
        except (TooFewMarkers, PoseAmbiguous) as problem:
            try:
                return self._view_by_prints(photo, beside)
            except NoTiles:
                raise self._explained(problem, photo) from None

    def _explained(self, problem: PhotoError, photo: BgrImage) -> PhotoError:
        """Return the error, with advice for its cause if the photo shows one."""
        flipped = _flipped(photo)
        if self._shows_markers(flipped) or shows_tiles(flipped, self.prints):
            return PictureMirrored()
        fault = fault_without_view(photo)
        if fault is None and isinstance(problem, NoTiles):
            fault = unplaced_tiles_advice(photo, tiles_repeat=self.prints.repeat)
        return problem if fault is None else problem.because(fault)

    def _shows_markers(self, photo: BgrImage) -> bool:
        """Return whether a photo shows most of the table's markers, and at least two."""
        return self.count_markers(photo) >= max(2, len(self.markers.markers) // 2)

    def count_markers(self, photo: BgrImage) -> int:
        """Return how many of the table's markers a photo shows."""
        ids = {marker.id for marker in self.markers.markers}
        if not ids:
            return 0
        return len({one.id for one in find_markers(gray_from_bgr(photo), self.markers.marker_family, ids)})

    def _turn_lens(self, photo: BgrImage) -> None:
        """Turn the lens for a picture that its phone turned."""
        lens = self._lens
        if lens is None or lens.fits(photo.shape[1], photo.shape[0]):
            return
        self._lens = lens_turned_to(gray_from_bgr(photo), self.markers, lens)
        self._tracker, self._kept, self._follows = MarkerTracker(self.markers, self._lens), None, False

    def _view_by_prints(self, photo: BgrImage, beside: LaidTiles | None) -> CameraView:
        try:
            free = view_by_prints(photo, self.prints, self._lens)
        except NoTiles:
            last = self._laid and self._laid.board
            is_alike = last is not None and last.photo.shape == photo.shape
            if last is None or not is_alike or self._tiles_still_there(photo, last.view) is None:
                raise
            return last.view
        # Mirrored tiles partly resemble prints.
        if free.votes < CLEAR_VOTES and not self._sightings and shows_tiles(_flipped(photo), self.prints, free.votes):
            raise PictureMirrored()
        found = free.beside_markers(self._sightings, self.markers)
        for laid in (self._laid, beside):
            if found is None and laid is not None:
                found = free.beside_tiles(_poses_by_print(laid), self.prints)
        self._by_prints = found or free
        return self._by_prints.view

    def _view_by_markers(self, photo: BgrImage) -> CameraView:
        gray_image = gray_from_bgr(photo)
        try:
            view = self._solve(gray_image)
        except PhotoError:
            if not self._follows:
                raise
        else:
            self._follows = True
            return view
        # The tracked markers may be false by now: search everywhere.
        self._tracker, self._kept, self._follows = MarkerTracker(self.markers, self._lens), None, False
        return self._solve(gray_image)

    def _solve(self, gray_image: GrayImage) -> CameraView:
        height, width = gray_image.shape
        self._sightings = self._tracker.find(gray_image)
        view = solve_view(self._sightings, self.markers, self._lens, image_wh=(width, height))
        return replace(view, marker_scale=self._stated_scale(view))

    def _has_area(self, view: CameraView) -> bool:
        """Return whether markers or tiles tell where to search. The last picture's view by itself does not."""
        return bool(self.markers.markers) or (self._by_prints is not None and self._by_prints.view == view)

    def _search(self, photo: BgrImage, view: CameraView, margin_mm: float, px_per_mm: float = PX_PER_MM) -> Rectified:
        """Return the search area of the table from above, at the height of the print."""
        if self._by_prints is not None and self._by_prints.view == view:
            corners, margin_mm = self._by_prints.corners_mm(self.prints), max(margin_mm, _WIDER_MM)
        else:
            corners = np.concatenate([np.array(m.corners_mm) for m in self.markers.markers])
        low, high = corners.min(axis=0) - margin_mm, corners.max(axis=0) + margin_mm
        scale = min(px_per_mm, _MAX_SIDE_PX / float(max(high - low)))
        return rectify(photo, view, PlaneFrame.between(low, high, scale), self.prints.tile_set.thickness_mm)


def known_tiles(seen: Observation, prints: TilePrints) -> list[TilePose]:
    """Return the tiles of an earlier observation of a table with the same markers, for a new reader.

    Without a marker in sight the frame was the observation's own, so its tiles are nowhere for another reader.
    """
    if not seen.camera.markers_seen:
        return []
    index = {tile_print.side.id: number for number, tile_print in enumerate(prints.prints)}
    lattice = Lattice(seen.grid.origin_mm, seen.grid.angle_deg, seen.grid.cell_mm)
    found = (TileCandidate(index[t.id], t.rotation_deg, t.center_mm, 0.0) for t in seen.tiles if t.id in index)
    return [TilePose(lattice, placement_at(candidate, lattice, prints)) for candidate in found]


def _flipped(photo: BgrImage) -> BgrImage:
    return np.ascontiguousarray(photo[:, ::-1])


def _poses_by_print(laid: LaidTiles) -> dict[int, Pose]:
    """Return the poses of tiles by their print, without prints that occur twice."""
    prints = [placement.print_index for placement in laid.placements]
    pairs = zip(prints, laid.board.poses, strict=True)
    return {print_index: pose for print_index, pose in pairs if prints.count(print_index) == 1}
