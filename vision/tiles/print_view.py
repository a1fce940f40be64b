"""Camera pose from the tiles' own prints, without any marker on the table.

1. Find seeds (``print_seeds``): candidate tiles, each with an affine map.
2. Solve the pose of the clearest seed. Other seeds join one by one, the nearest first, if they lie on its lattice.
3. Rectify the table by that pose and search for tiles as in any photo. Then fit all pairs of keypoints of all tiles
   on one lattice by one least squares (``calibration.piece_pose``), twice.

The lattice's plane is the height of the prints, so its normal is the vertical. Without a marker nothing fixes the
table's frame: its x axis then points to the right of the picture, and its origin is a lattice point amid the tiles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Float64, Int, UInt8

from assistant.errors import NoTiles, PhotoError
from assistant.table.camera import CameraLens, TableMarkers
from calibration.arrays import BgrImage, Doubles, Levels, Numbers
from calibration.color import gray_from_bgr
from calibration.markers import MarkerSighting
from calibration.opencv import opencv_means
from calibration.piece_pose import JOINED, LOOSE, FlatPiece, PiecesFit, fit_pieces
from calibration.pose import GUESSED_FOCAL_OF_WIDTH, CameraView, pinhole, poses_of_plane, view_at
from vision.photo.rectify import PlaneFrame, Rectified, rectify, seen_bounds_mm
from vision.tiles.candidates import GOOD_FIT_VOTES, LONE_VOTES, STRONG_VOTES, Pairs, TileCandidate, candidates_of, match
from vision.tiles.keypoints import MOST_PIXELS, PX_PER_MM, even_contrast, find_keypoints
from vision.tiles.lattice_fit import (
    AGREE_DEG,
    LOOSE_OFF_MM,
    STRAY_MM,
    Lattice,
    box_corners_mm,
    fit_lattice,
    strongest_apart,
)
from vision.tiles.placements import Pose, placement_at
from vision.tiles.print_seeds import KEYPOINT_LIMIT, PrintSeed, find_seeds
from vision.tiles.prints import TilePrints

_TRIED = 4
"""Seeds of one camera tilt whose poses are solved, and weak poses to refine if no clear one was found."""

CLEAR_VOTES = 40.0
"""Votes of all tiles of one pose from which no other seed is tried."""

_SAME_PICTURE = 0.7
"""Correlation of a lone tile's whole picture with the photo from which a strong tile suffices. A small plain tile has
too few keypoints for more. A true one of 4.5 to 11.4 votes had .80 to .99 in three photos. Turned by half, or in the
place of another tile, prints had .55 at most."""

_PICTURE_BLUR_PX, _PICTURE_RIM, _PICTURE_IN_VIEW = 1.5, np.ones((5, 5), np.uint8), 0.9
"""Blur of both pictures, since the pose of a faint tile is off by a pixel or two; the rim left out, since a tile beside
it or the table begins there; and the share of the tile that the photo must show."""

_LAID_STEP_PX, _LAID_ROUNDS, _LAID_GAIN = 16, 60, 1e-5
"""Spacing of a lone tile's points that are laid on the photo, and the rounds and the gain of correlation that end
that."""

_OF_TWIN = 0.6
"""Share of votes from which the weaker of two mirror-like poses is also considered, so that the closer fit decides."""

_JOINS_CELLS, _JOINS_SCALE = 0.3, 1.3
"""Largest deviation of a seed that joins the lattice: in cells, and as a ratio of sizes."""

_MOST_SHARED = 0.34
"""Share of its cells that a tile may share with a surer one, since its place is not known better yet."""

_REACH_MM = 150.0
"""Range of the refinement round the middles of the tiles of the pose. It includes their neighbours. Tiles further off
are found on the lattice. A range of 260 mm took twice as long and gave no closer pose on 12 photos."""

_NEAR_MM, _NEAR_DEG = (3.0, 1.8), 16.0
_SCALE_LEAST_PAIRS = 15
"""Fewest pairs of a tile that measure its size."""

_ANGLE_FROM_AXIS_DEG = 1.0
"""Least angle between the table's axes and the lattice's. An angle of 0 could become 90 in the next photo."""


@dataclass(frozen=True, eq=False)
class PrintView:
    """A view from the tiles' prints.

    Args:
        view: the camera over the table.
        pairs: pairs of keypoints of photo and prints, in table millimetres.
        tiles: the tiles behind the view, in table millimetres.
        votes: its evidence.
        cost: misfit of its points.
    """

    view: CameraView
    pairs: Pairs
    tiles: tuple[TileCandidate, ...]
    votes: float
    cost: float

    def corners_mm(self, prints: TilePrints) -> Float64[Doubles, "n 2"]:
        """Return the corners of the tiles behind the view, four by four."""
        return _corners_mm({tile.print_index: Pose(tile.rotation_deg, tile.center_mm) for tile in self.tiles}, prints)

    def reframed(self, origin_mm: tuple[float, float], turn_deg: float) -> PrintView:
        """Return the same in a frame with that origin and turn in the present one."""
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))

        def moved(points_mm: Float[Numbers, "n 2"]) -> Float64[Doubles, "n 2"]:
            return np.asarray((np.asarray(points_mm) - origin_mm) @ np.array([[c, -s], [s, c]]), dtype=np.float64)

        parameters = _moved_frame(np.array([*self.view.rvec, *self.view.tvec]), (*origin_mm, 0.0), turn_deg)
        rx, ry, rz, tx, ty, tz = parameters.tolist()
        middles = moved(np.array([tile.center_mm for tile in self.tiles])).tolist()
        tiles = tuple(
            replace(tile, rotation_deg=(tile.rotation_deg - turn_deg) % 360, center_mm=(x, y))
            for tile, (x, y) in zip(self.tiles, middles, strict=True)
        )
        turns_deg = (self.pairs.turn_deg - turn_deg) % 360
        pairs = replace(self.pairs, photo_mm=moved(self.pairs.photo_mm), turn_deg=turns_deg)
        view = replace(self.view, rvec=(rx, ry, rz), tvec=(tx, ty, tz))
        return replace(self, view=view, pairs=pairs, tiles=tiles)

    def beside_markers(self, sightings: Sequence[MarkerSighting], markers: TableMarkers) -> PrintView | None:
        """Return the same in the frame of one or two markers, or None if they contradict the tiles."""
        places = {marker.id: marker.corners_mm for marker in markers.markers}
        known = [sighting for sighting in sightings if sighting.id in places]
        if not known:
            return None
        seen = self.view.table_from_image(np.concatenate([sighting.corners_px for sighting in known]))
        true = np.concatenate([np.array(places[sighting.id], dtype=np.float64) for sighting in known])
        origin_mm, turn_deg, off_mm = _frame_of(seen, true)
        if off_mm > STRAY_MM:  # markers or tiles have been moved
            return None
        ids = tuple(sorted({sighting.id for sighting in known}))
        found = self.reframed(origin_mm, turn_deg)
        return replace(found, view=replace(found.view, markers_seen=ids))

    def beside_tiles(self, known: Mapping[int, Pose], prints: TilePrints) -> PrintView | None:
        """Return the same in the frame of known tiles, or None if none is at its known place."""
        shared = [tile for tile in self.tiles if tile.print_index in known]
        best: tuple[int, list[TileCandidate]] = (0, [])
        for tile in shared:
            turn_deg = tile.rotation_deg - known[tile.print_index].rotation_deg
            agreeing = [other for other in shared if _lies_alike(other, tile, known, turn_deg)]
            best = max(best, (len(agreeing), agreeing), key=lambda found: found[0])
        agreeing = best[1]
        if not agreeing or 2 * len(agreeing) < len(shared):
            return None
        seen = _corners_mm({tile.print_index: Pose(tile.rotation_deg, tile.center_mm) for tile in agreeing}, prints)
        true = _corners_mm({tile.print_index: known[tile.print_index] for tile in agreeing}, prints)
        origin_mm, turn_deg, _ = _frame_of(seen, true)
        return self.reframed(origin_mm, turn_deg)


class PrintScale(NamedTuple):
    """The scale from print millimetres to table millimetres, and its standard deviation."""

    share: float
    sigma: float


def scale_of_prints(pairs: Pairs, tiles: Sequence[TileCandidate]) -> PrintScale | None:
    """Return the size of the tiles on the table relative to their prints, or None without enough evidence.

    Each tile is measured by itself, so gaps between tiles do not count.
    """
    along, spread, squares, count = 0.0, 0.0, 0.0, 0
    for tile in tiles:
        near = _near(pairs, tile, STRAY_MM)
        if len(near) < _SCALE_LEAST_PAIRS:
            continue
        printed, seen = (points[near] @ np.array([1, 1j]) for points in (pairs.print_mm, pairs.photo_mm))
        printed, seen = printed - printed.mean(), seen - seen.mean()
        product, own_spread = complex(np.vdot(printed, seen)), float((np.abs(printed) ** 2).sum())
        squares += float((np.abs(seen - product / own_spread * printed) ** 2).sum())
        along, spread, count = along + abs(product), spread + own_spread, count + len(near)
    if count < 2 * _SCALE_LEAST_PAIRS:
        return None
    return PrintScale(along / spread, math.sqrt(squares / (2 * count) / spread))


def _lies_alike(other: TileCandidate, tile: TileCandidate, known: Mapping[int, Pose], turn_deg: float) -> bool:
    """Return whether another tile lies beside this one at its known place."""
    off_deg = other.rotation_deg - known[other.print_index].rotation_deg - turn_deg
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    apart = np.subtract(known[other.print_index].center_mm, known[tile.print_index].center_mm)
    expected = np.array([[c, -s], [s, c]]) @ apart
    off_mm = np.subtract(other.center_mm, tile.center_mm) - expected
    return abs((off_deg + 180) % 360 - 180) < AGREE_DEG and float(np.linalg.norm(off_mm)) < STRAY_MM


def _corners_mm(poses: Mapping[int, Pose], prints: TilePrints) -> Float64[Doubles, "n 2"]:
    """Return the corners of tiles by their prints, four by four."""
    cell_mm = prints.tile_set.cell_mm
    corners = (
        box_corners_mm(prints.prints[index].side, pose.rotation_deg, pose.center_mm, cell_mm)
        for index, pose in poses.items()
    )
    return np.concatenate([*corners]).astype(np.float64)


def _frame_of(
    seen_mm: Float64[Doubles, "n 2"], true_mm: Float64[Doubles, "n 2"]
) -> tuple[tuple[float, float], float, float]:
    """Return origin and turn of the frame that maps points to their true places, and the residual (RMS)."""
    seen, true = (points @ np.array([1, 1j]) for points in (seen_mm, true_mm))
    phase = complex(np.vdot(true - true.mean(), seen - seen.mean()))
    turn = phase / abs(phase)
    origin = complex(seen.mean() - turn * true.mean())
    off_mm = float(np.sqrt(np.mean(np.abs(origin + turn * true - seen) ** 2)))
    return (origin.real, origin.imag), math.degrees(math.atan2(turn.imag, turn.real)), off_mm


@dataclass(frozen=True, eq=False)
class _Grown:
    """The pose of some seeds on the lattice of the first, and their places in cells: column, row and quarter turns."""

    fit: PiecesFit
    seeds: tuple[PrintSeed, ...]
    places: tuple[tuple[float, float, float], ...]

    @property
    def votes(self) -> float:
        return sum(seed.votes for seed in self.seeds)


def view_by_prints(photo: BgrImage, prints: TilePrints, lens: CameraLens | None) -> PrintView:
    """Return the camera's view by the tiles in a photo.

    Args:
        photo: the photo.
        prints: the tile set.
        lens: the camera's lens. None estimates its focal length and distortion from the tiles.

    Raises:
        SizeMismatch: the photo's size does not fit the lens.
        NoTiles: the photo shows too few of the set's tiles, or none clearly enough.
    """
    height, width = photo.shape[:2]
    guess = pinhole((width, height), GUESSED_FOCAL_OF_WIDTH) if lens is None else lens.scaled_to(width, height)
    poses: list[_Grown] = []
    tried: _Grown | None = None
    for seeds in find_seeds(photo, prints, guess):
        for seed in seeds[:_TRIED]:
            if poses and (poses[0].votes > CLEAR_VOTES or seed in poses[0].seeds):
                break
            poses += _grown_from(seed, seeds, prints, guess, frees_lens=lens is None)
            poses.sort(key=lambda pose: (-round(pose.votes), pose.fit.cost))
        if not poses or poses[0] is tried:
            continue
        if poses[0].votes < (GOOD_FIT_VOTES if len(poses[0].seeds) > 1 else LONE_VOTES):
            continue
        tried = poses[0]
        try:
            return _best_refined(photo, prints, poses, frees_lens=lens is None)
        except NoTiles:
            continue
    # Plain prints get few votes from an assumed viewpoint, and enough from nearly the right one.
    for number in range(min(_TRIED, len(poses))):
        if poses[number] is not tried and all(poses[number].seeds != one.seeds for one in poses[:number]):
            try:
                return _best_refined(photo, prints, poses[number:], frees_lens=lens is None)
            except NoTiles:
                continue
    raise NoTiles()


def _best_refined(photo: BgrImage, prints: TilePrints, poses: Sequence[_Grown], *, frees_lens: bool) -> PrintView:
    """Return the refined view of the first pose.

    A single tile allows a second, mirror-like pose. Then the closer fit decides.
    """
    first, *others = poses
    twins = [one for one in others if one.seeds == first.seeds] if len(first.seeds) == 1 else []
    views = []
    for one in (first, *twins[:1]):
        try:
            views.append(_refined(photo, prints, one, frees_lens=frees_lens))
        except NoTiles:
            continue
    if not views:
        raise NoTiles()
    # The wrong pose sometimes finds as many pairs, but none that fit as closely.
    most = max(view.votes for view in views)
    return min((view for view in views if view.votes >= _OF_TWIN * most), key=lambda view: view.cost)


def _grown_from(
    seed: PrintSeed, seeds: Sequence[PrintSeed], prints: TilePrints, lens: CameraLens, *, frees_lens: bool
) -> Iterator[_Grown]:
    """Yield the one or two poses of a seed, with all seeds on its lattice."""
    cell_mm = prints.tile_set.cell_mm
    columns, rows = prints.prints[seed.print_index].size_cells
    place = (columns / 2, rows / 2, 0.0)
    corners_mm = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float64) * cell_mm
    try:
        starts = poses_of_plane(corners_mm, seed.box_px, lens, NoTiles)
    except PhotoError:
        return
    for start in starts:
        fit = _fit_seeds([seed], [place], cell_mm, lens, start, frees_lens=False)
        if view_at(lens, fit.parameters).camera_from_table[2, 2] > 0:  # seen from above
            yield _grow(_Grown(fit, (seed,), (place,)), seeds, prints, frees_lens=frees_lens)


def _grow(grown: _Grown, seeds: Sequence[PrintSeed], prints: TilePrints, *, frees_lens: bool) -> _Grown:
    cell_mm = prints.tile_set.cell_mm
    first_px = grown.seeds[0].box_px.mean(axis=0)
    left = sorted(
        (seed for seed in seeds if seed is not grown.seeds[0]),
        key=lambda seed: float(np.linalg.norm(seed.box_px.mean(axis=0) - first_px)),
    )
    taken = {
        cell for seed, place in zip(grown.seeds, grown.places, strict=True) for cell in _cells(seed, place, prints)
    }
    for _ in range(2):
        still_left = []
        for seed in left:
            place = _place_of(seed, grown.fit, prints)
            cells = _cells(seed, place, prints) if place is not None else set()
            if place is None or len(cells & taken) > _MOST_SHARED * len(cells):
                still_left.append(seed)
                continue
            joined, places = (*grown.seeds, seed), (*grown.places, place)
            fit = _fit_seeds(joined, places, cell_mm, grown.fit.lens, grown.fit.parameters, frees_lens=frees_lens)
            grown, taken = _Grown(fit, joined, places), taken | cells
        if len(still_left) == len(left):
            break
        left = still_left
    return grown


def _fit_seeds(
    seeds: Sequence[PrintSeed],
    places: Sequence[tuple[float, float, float]],
    cell_mm: float,
    lens: CameraLens,
    start: Float64[Doubles, " 6"],
    *,
    frees_lens: bool,
) -> PiecesFit:
    pieces = []
    for seed, (column, row, quarters) in zip(seeds, places, strict=True):
        place = (column * cell_mm, row * cell_mm, 90 * quarters)
        pieces.append(FlatPiece(seed.print_mm, seed.image_px, seed.weight + 0.05, place))
    noise_px = _noise_px(lens)
    return fit_pieces(pieces, lens, start, frees_lens=frees_lens, looseness=LOOSE, noise_px=noise_px)


def _noise_px(lens: CameraLens) -> float:
    """Return the usual error of a keypoint in the photo. Larger pictures are reduced before the search."""
    return max(0.7, 0.5 * max(lens.width_px, lens.height_px) / 1920)


def _place_of(seed: PrintSeed, fit: PiecesFit, prints: TilePrints) -> tuple[float, float, float] | None:
    """Return a seed's middle in cells and quarter turns on the lattice, or None if it is off the lattice."""
    corners = view_at(fit.lens, fit.parameters).table_from_image(seed.box_px)
    if not np.isfinite(corners).all():
        return None
    cell_mm = prints.tile_set.cell_mm
    columns, rows = prints.prints[seed.print_index].size_cells
    right, down = corners[1] + corners[2] - corners[0] - corners[3], corners[2] + corners[3] - corners[0] - corners[1]
    turn_deg = math.degrees(math.atan2(right[1] - down[0], right[0] + down[1]))
    quarters = round(turn_deg / 90) % 4
    size = math.sqrt(np.linalg.norm(right) * np.linalg.norm(down) / (4 * columns * rows)) / cell_mm
    if not 1 / _JOINS_SCALE < size < _JOINS_SCALE:
        return None
    across, along = (columns, rows) if quarters % 2 == 0 else (rows, columns)
    corner = corners.mean(axis=0) / cell_mm - np.array([across, along]) / 2
    if np.abs(corner - np.round(corner)).max() > _JOINS_CELLS:
        return None
    column, row = np.round(corner)
    return float(column + across / 2), float(row + along / 2), float(quarters)


def _cells(seed: PrintSeed, place: tuple[float, float, float], prints: TilePrints) -> set[tuple[int, int]]:
    columns, rows = prints.prints[seed.print_index].size_cells
    across, along = (columns, rows) if place[2] % 2 == 0 else (rows, columns)
    left, top = round(place[0] - across / 2), round(place[1] - along / 2)
    return {(left + x, top + y) for x in range(across) for y in range(along)}


def _refined(photo: BgrImage, prints: TilePrints, grown: _Grown, *, frees_lens: bool) -> PrintView:
    """Refine the view by all keypoints of the tiles, in the table's frame."""
    fit = grown.fit
    plane = view_at(fit.lens, fit.parameters)
    places = np.array([place[:2] for place in grown.places]) * prints.tile_set.cell_mm
    search = _search(photo, plane, places)
    points = find_keypoints(search.image, search.frame.px_per_mm, search.inside_mask, KEYPOINT_LIMIT)
    pairs = match(points.moved(np.array(search.frame.origin_mm)), prints)
    pixels = plane.image_from_table(pairs.photo_mm)
    for near_mm in _NEAR_MM:
        tiles, lattice = _tiles_of(pairs, prints)
        fit = _fit_tiles((tiles, lattice), pairs, pixels, near_mm, prints, fit, frees_lens=frees_lens)
        plane = view_at(fit.lens, fit.parameters)
        turned_deg = (pairs.turn_deg - lattice.angle_deg) % 360  # the fit's axes are the lattice's
        pairs = replace(pairs, photo_mm=_finite(plane.table_from_image(pixels)), turn_deg=turned_deg)
    tiles, lattice = _tiles_of(pairs, prints)
    votes = float(sum(tile.votes for tile in tiles))
    is_alone = len(tiles) == 1
    if votes < (STRONG_VOTES if is_alone else GOOD_FIT_VOTES):
        raise NoTiles()
    if is_alone:
        try:
            fit = _laid_on_photo(photo, tiles[0], prints, fit, frees_lens=frees_lens)
        except NoTiles:
            if votes < LONE_VOTES:
                raise
        plane = view_at(fit.lens, fit.parameters)
        pairs = replace(pairs, photo_mm=_finite(plane.table_from_image(pixels)))
    # The table lies below the prints.
    parameters = _moved_frame(fit.parameters, (0.0, 0.0, prints.tile_set.thickness_mm), 0.0)
    view = replace(
        view_at(fit.lens, parameters),
        reprojection_px=float(np.median(fit.median_px)),
        tiles_seen=tuple(sorted(prints.prints[tile.print_index].side.id for tile in tiles)),
        focal_uncertainty=fit.focal_uncertainty,
    )
    return PrintView(view, pairs, tuple(tiles), votes, fit.cost).reframed(*_free_frame(plane, tiles, lattice))


def _laid_on_photo(
    photo: BgrImage, tile: TileCandidate, prints: TilePrints, before: PiecesFit, *, frees_lens: bool
) -> PiecesFit:
    """Fit the pose to the whole picture of a lone tile.

    Keypoints of one tile hardly tell a pose from its mirror-like one. The whole picture does.

    Raises:
        NoTiles: the photo does not show that picture there.
    """
    tile_print = prints.prints[tile.print_index]
    plane = view_at(before.lens, before.parameters)
    corner_mm = box_corners_mm(tile_print.side, tile.rotation_deg, tile.center_mm, prints.tile_set.cell_mm)[0]
    height, width = tile_print.image.shape[:2]
    frame = PlaneFrame((float(corner_mm[0]), float(corner_mm[1])), tile.rotation_deg, prints.px_per_mm, (width, height))
    seen = rectify(photo, plane, frame, 0.0)
    own = cv2.erode(tile_print.inside_mask.astype(np.uint8), _PICTURE_RIM) > 0
    if (own & seen.inside_mask).sum() < _PICTURE_IN_VIEW * own.sum():
        raise NoTiles()
    printed, there = (
        np.asarray(
            cv2.GaussianBlur(even_contrast(gray_from_bgr(image), prints.px_per_mm), (0, 0), _PICTURE_BLUR_PX), np.uint8
        )
        for image in (tile_print.image, seen.image)
    )
    if _likeness(printed[own], there[own]) < _SAME_PICTURE:
        raise NoTiles()
    ends = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _LAID_ROUNDS, _LAID_GAIN)
    start = np.eye(3, dtype=np.float32)
    with opencv_means(NoTiles):  # the alignment may not converge
        _, seen_from_print = cv2.findTransformECC(
            printed, there, start, cv2.MOTION_HOMOGRAPHY, ends, own.astype(np.uint8), 1
        )
    rows, columns = np.mgrid[_LAID_STEP_PX // 2 : height : _LAID_STEP_PX, _LAID_STEP_PX // 2 : width : _LAID_STEP_PX]
    points = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    points = points[own[points[:, 1].astype(int), points[:, 0].astype(int)]]
    laid = cv2.perspectiveTransform(points[None], seen_from_print)[0]
    own_mm = (points + 0.5 - (width / 2, height / 2)) / prints.px_per_mm
    pixels = plane.image_from_table(frame.table_from_frame(laid))
    piece = FlatPiece(own_mm, pixels, np.ones(len(points)), (*tile.center_mm, tile.rotation_deg))
    noise_px = _noise_px(before.lens)
    return fit_pieces(
        [piece], before.lens, before.parameters, frees_lens=frees_lens, looseness=JOINED, noise_px=noise_px
    )


def _likeness(a: UInt8[Levels, " n"], b: UInt8[Levels, " n"]) -> float:
    """Return the correlation of two pictures' pixels; 0 where one is plain."""
    return float(np.corrcoef(a, b)[0, 1]) if a.std() > 0 and b.std() > 0 else 0.0


def _free_frame(
    plane: CameraView, tiles: Sequence[TileCandidate], lattice: Lattice
) -> tuple[tuple[float, float], float]:
    """Return an arbitrary frame: x to the right of the picture, the origin a lattice point amid the tiles."""
    middle_mm = np.mean([tile.center_mm for tile in tiles], axis=0)
    step_px = np.array([[-1.0, 0.0], [1.0, 0.0]])
    ends = plane.table_from_image(plane.image_from_table(middle_mm[None]) + step_px)
    right_deg = math.degrees(math.atan2(*(ends[1] - ends[0])[::-1]))
    # Keep an angle away from a quarter turn, on the side of a small positive angle.
    off_deg = (lattice.angle_deg - right_deg + 45) % 90 - 45
    if abs(off_deg) < _ANGLE_FROM_AXIS_DEG:
        right_deg += off_deg - _ANGLE_FROM_AXIS_DEG
    point = np.round(lattice.lattice_from_table(middle_mm[None]))
    x, y = lattice.even.table_from_lattice(point)[0].tolist()
    return (x, y), right_deg


def _finite(points: Float64[Doubles, "n 2"]) -> Float64[Doubles, "n 2"]:
    return np.nan_to_num(points, nan=1e6)


def _search(photo: BgrImage, plane: CameraView, places_mm: Float64[Doubles, "n 2"]) -> Rectified:
    """Return the visible part of the plane round the tiles."""
    seen = seen_bounds_mm(plane)
    low = np.maximum(places_mm.min(axis=0) - _REACH_MM, seen[0])
    high = np.minimum(places_mm.max(axis=0) + _REACH_MM, seen[1])
    scale = min(PX_PER_MM, math.sqrt(MOST_PIXELS / float((high - low).prod())))
    return rectify(photo, plane, PlaneFrame.between(low, high, scale), 0.0)


def _tiles_of(pairs: Pairs, prints: TilePrints) -> tuple[list[TileCandidate], Lattice]:
    """Return the tiles on one lattice: the strongest of each print, without overlap."""
    fitted = fit_lattice(candidates_of(pairs, prints), prints)
    if fitted is None:
        raise NoTiles()
    lattice, agreeing = fitted
    tiles: dict[int, TileCandidate] = {}
    for tile in strongest_apart(agreeing, lattice, prints):
        tiles.setdefault(tile.print_index, tile)
    if not tiles:
        raise NoTiles()
    return [*tiles.values()], lattice


def _fit_tiles(  # noqa: PLR0913 - all that the fit stands on
    found: tuple[Sequence[TileCandidate], Lattice],
    pairs: Pairs,
    pixels: Float64[Doubles, "n 2"],
    near_mm: float,
    prints: TilePrints,
    before: PiecesFit,
    *,
    frees_lens: bool,
) -> PiecesFit:
    """Fit the pose by the pairs near each tile, from that lattice's millimetres."""
    tiles, lattice = found
    cell_mm = prints.tile_set.cell_mm
    pieces = []
    for tile in tiles:
        near = _near(pairs, tile, near_mm)
        if len(near) < 4:
            continue
        place = placement_at(tile, lattice, prints)
        size_cells = place.size_cells(prints.prints[tile.print_index].side)
        column, row = np.array(place.corner) + np.array(size_cells) / 2
        pieces.append(
            FlatPiece(
                pairs.print_mm[near].astype(np.float64),
                pixels[near],
                pairs.weight[near].astype(np.float64) + 0.1,
                (column * cell_mm, row * cell_mm, 90.0 * place.quarters),
            )
        )
    if not pieces:
        raise NoTiles()
    start = _moved_frame(before.parameters, (*lattice.origin_mm, 0.0), lattice.angle_deg)
    noise_px = _noise_px(before.lens)
    fit = fit_pieces(pieces, before.lens, start, frees_lens=frees_lens, looseness=JOINED, noise_px=noise_px)
    if fit.loose_mm > LOOSE_OFF_MM:
        fit = fit_pieces(pieces, before.lens, start, frees_lens=frees_lens, looseness=LOOSE, noise_px=noise_px)
    return fit


def _moved_frame(
    parameters: Float64[Doubles, " 6"], origin_mm: tuple[float, float, float], turn_deg: float
) -> Float64[Doubles, " 6"]:
    """Return the pose from a frame with that origin and turn in the old one.

    The axes are OpenCV's, so the third points down.
    """
    rotation = cv2.Rodrigues(parameters[:3])[0]
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    moved = rotation @ np.array(origin_mm) + parameters[3:6]
    return np.concatenate([np.ravel(cv2.Rodrigues(rotation @ turn)[0]), moved])


def _near(pairs: Pairs, tile: TileCandidate, near_mm: float) -> Int[Numbers, " k"]:
    """Return the pairs of a tile's print that agree with its place."""
    own = np.flatnonzero(pairs.print_index == tile.print_index)
    c, s = math.cos(math.radians(tile.rotation_deg)), math.sin(math.radians(tile.rotation_deg))
    places = pairs.print_mm[own] @ np.array([[c, s], [-s, c]]) + tile.center_mm
    off_deg = np.abs((pairs.turn_deg[own] - tile.rotation_deg + 180) % 360 - 180)
    agrees = (np.linalg.norm(places - pairs.photo_mm[own], axis=1) < near_mm) & (off_deg < _NEAR_DEG)
    near: Int[Numbers, " k"] = own[agrees]
    return near
