"""The camera's pose: the transform between the table in millimetres and the picture in pixels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from jaxtyping import Float64

from assistant.errors import PhotoError, PoseAmbiguous, SightlineError, TooFewMarkers
from assistant.table.camera import CameraLens, TableMarkers
from assistant.translations.messages import said
from calibration.arrays import Doubles, GrayImage, Points, PointsLike
from calibration.lens_model import Heights, PlacedCamera, matrix_of, normalized_from_pixels
from calibration.markers import MarkerSighting, find_markers
from calibration.opencv import opencv_means
from calibration.robust_fit import fit_robustly

MARKERS_NEEDED = 3

AGREES_PX = 1.5
"""Distance (RMS) up to which a marker's corners agree with a pose: 15 times the noise of a sharp corner, and half a
millimetre on the table from a metre away. With a guessed lens see ``GUESSED_LENS_AGREES_PX``."""

_SURE_FOCAL = 0.03
"""Largest standard deviation, as a share, of the focal length of a zoomed lens. With four markers seen from above one
that was pushed looks like a zoom, uncertain by 0.11 and more; true zooms have 0.007 at most."""

_MUCH_CLOSER = 0.5
"""Share of the misfit that another focal length must leave of all markers, if they agree without it, too. On projected
points a zoom leaves .2 to .5 from ten degrees on, and chance and pushed markers leave .6 and more."""

_AS_CLOSE = 2.0
"""Largest misfit of a marker over the usual one, if the camera stands where it stood."""

NOISE_PX = 0.1
"""The usual error of a corner of a sharp marker."""

GUESSED_LENS_AGREES_PX = 8.0
"""Usual distortion of a corner, which a guessed lens does not model."""

GUESSED_FOCAL_OF_WIDTH = 0.9
"""First guess of the focal length in picture widths: webcams have 0.7 to 1.1, phones 0.75 to 0.9, the 28 mm lens
0.78."""

FOCAL_PRIOR = 0.3
"""The usual deviation (as a share) of a camera's focal length from that guess. It decides for views straight from
above, where a flat table does not separate focal length from distance."""


@dataclass(frozen=True)
class CameraView:
    """One lens at one place: pixels from millimetres and back.

    OpenCV gets the table point ``(x, y, -height)``. The value is hashable, so that caches can use it as their key.

    Args:
        lens: the lens for pictures of this size.
        rvec: rotation vector of ``camera_from_table``.
        tvec: translation of ``camera_from_table``, millimetres.
        reprojection_px: RMS distance between found and projected corners.
        markers_seen: ids of the markers behind the pose, sorted.
        markers_left_out: ids of markers that are not where the table's file puts them.
        focal_uncertainty: standard deviation of the focal length as a share of it; 0 for a calibrated lens.
        tiles_seen: sorted ids of the tile sides whose prints gave the pose. Empty if markers gave it.
        marker_scale: measured size of the printed markers over the size in the table's file, by the tiles beside them.
    """

    lens: CameraLens
    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]
    reprojection_px: float
    markers_seen: tuple[int, ...]
    markers_left_out: tuple[int, ...] = ()
    focal_uncertainty: float = 0.0
    tiles_seen: tuple[str, ...] = ()
    marker_scale: float = 1.0

    @property
    def lens_is_guessed(self) -> bool:
        """Whether the lens is an estimate from this one picture, so that heights are less accurate."""
        return self.focal_uncertainty > 0

    @cached_property
    def camera_from_table(self) -> Float64[Doubles, "4 4"]:
        """The rigid transform (4, 4) from table points ``(x, y, -height, 1)`` to the camera's axes, millimetres."""
        matrix = np.eye(4)
        matrix[:3, :3] = cv2.Rodrigues(np.array(self.rvec))[0]
        matrix[:3, 3] = self.tvec
        return matrix

    @cached_property
    def placed(self) -> PlacedCamera:
        first, second, third = ((x, y, z) for x, y, z in self.camera_from_table[:3, :3].tolist())
        return PlacedCamera(self.lens, (first, second, third), self.tvec)

    @cached_property
    def camera_center_mm(self) -> Float64[Doubles, " 3"]:
        """The camera's position: x, y on the table and its height above it, (3,)."""
        rotation, translation = self.camera_from_table[:3, :3], self.camera_from_table[:3, 3]
        center: Doubles = (-rotation.T @ translation) * (1, 1, -1)
        return center

    def image_from_table(self, points_mm: PointsLike, height_mm: Heights = 0.0) -> Points:
        """Return the pixels (N, 2) of table points (N, 2), or NaN behind the camera."""
        return self.placed.image_from_table(points_mm, height_mm)

    def table_from_image(self, points_px: PointsLike, height_mm: Heights = 0.0) -> Points:
        """Return the table points (N, 2) at that height behind pixels (N, 2), or NaN above the horizon."""
        pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        normalized = normalized_from_pixels(pixels, self.lens)
        rays = np.column_stack([normalized, np.ones(len(normalized))]) @ self.camera_from_table[:3, :3]
        # Table axes with z downwards, as in OpenCV: the plane of a height lies at z = -height.
        center = self.camera_center_mm * (1, 1, -1)
        drop = -np.asarray(height_mm, dtype=np.float64) - center[2]
        reach = drop / np.where(rays[:, 2] > 0, rays[:, 2], np.nan)
        points: Doubles = center[:2] + rays[:, :2] * reach[:, None]
        return points


@dataclass(frozen=True)
class _Corners:
    """The corners of some markers on the table (z = 0) and in the picture."""

    ids: tuple[int, ...]
    table_mm: Float64[Doubles, "n 2"]
    image_px: Float64[Doubles, "n 2"]

    def of(self, chosen: Sequence[int]) -> _Corners:
        rows = np.concatenate([np.arange(4 * i, 4 * i + 4) for i in chosen])
        return _Corners(tuple(self.ids[i] for i in chosen), self.table_mm[rows], self.image_px[rows])


@dataclass(frozen=True)
class _Pose:
    """A candidate: lens, pose as (6,) rotation and translation vector, and the RMS of each marker in pixels."""

    lens: CameraLens
    parameters: Float64[Doubles, " 6"]
    marker_rms_px: Float64[Doubles, " markers"]

    def view(self) -> CameraView:
        return view_at(self.lens, self.parameters)


def solve_view(
    sightings: Sequence[MarkerSighting],
    table: TableMarkers,
    lens: CameraLens | None,
    *,
    image_wh: tuple[int, int] | None = None,
) -> CameraView:
    """Solve the camera's pose from the markers in its picture.

    Any three markers are enough. Moved or misread markers do not count. ``markers_left_out`` names them. One small flat
    marker allows two mirror-like poses, so all corners together decide.

    Args:
        sightings: from ``find_markers``.
        table: where the markers lie.
        lens: the lens. None estimates the focal length from the markers and states its uncertainty.
        image_wh: the size of the picture. It is required without a lens, and checked against the lens otherwise.

    Raises:
        TooFewMarkers: fewer than three of the table's markers were found.
        PoseAmbiguous: the markers contradict each other, or two camera positions fit them equally well.
        SizeMismatch: the picture's size does not fit the lens.
    """
    if lens is None and image_wh is None:
        raise ValueError("without a lens the size of the picture is needed")
    corners = _matched(sightings, table)
    if len(set(corners.ids)) < MARKERS_NEEDED:
        raise TooFewMarkers(len(set(corners.ids)), MARKERS_NEEDED)
    if lens is not None:
        start = lens if image_wh is None else lens.scaled_to(*image_wh)
        return _agreed_view(corners, start, AGREES_PX, 0.0)
    assert image_wh is not None
    starts = [pinhole(image_wh, share) for share in (0.5, 0.7, 0.9, 1.2, 1.6, 2.2)]
    return _view_with_free_focal(corners, starts, GUESSED_LENS_AGREES_PX)


def solve_view_at_any_zoom(
    sightings: Sequence[MarkerSighting],
    table: TableMarkers,
    lens: CameraLens | None,
    *,
    image_wh: tuple[int, int],
) -> CameraView:
    """Solve the pose of a camera whose zoom or focus may have changed since its lens was calibrated.

    ``solve_view`` absorbs a small change, or one seen from straight above, into the distance. Another focal length
    counts if all markers agree with it, and better than those do that agree without it: else a marker that was moved
    together with the camera looks like a zoom. The rest of the lens stays.

    Raises:
        TooFewMarkers, PoseAmbiguous, SizeMismatch: as ``solve_view``.
    """
    try:
        view = solve_view(sightings, table, lens, image_wh=image_wh)
    except PoseAmbiguous:
        if lens is None:
            raise
        return _zoomed_view(sightings, table, lens.scaled_to(*image_wh))
    if lens is None:
        return view
    try:
        zoomed = _zoomed_view(sightings, table, lens.scaled_to(*image_wh))
    except PoseAmbiguous:
        return view
    closer = 1.0 if view.markers_left_out else _MUCH_CLOSER
    return zoomed if zoomed.reprojection_px < closer * view.reprojection_px else view


def solve_zoom_in_place(sightings: Sequence[MarkerSighting], table: TableMarkers, before: CameraView) -> CameraView:
    """Solve the zoom and the turn of a camera that stands where it stood.

    Its place separates focal length from distance: three markers are enough, and a view straight from above, too.

    Raises:
        TooFewMarkers: fewer than three of the table's markers were found.
        PoseAmbiguous: the markers do not agree on it as closely as on the view before.
    """
    corners = _matched(sightings, table)
    if len(set(corners.ids)) < MARKERS_NEEDED:
        raise TooFewMarkers(len(set(corners.ids)), MARKERS_NEEDED)
    chosen = _enough(list(range(len(corners.ids))), corners)
    pose = _zoomed_in_place(corners.of(chosen), corners, before)
    while pose.marker_rms_px[chosen].max() > _AS_CLOSE * max(NOISE_PX * _scale(before.lens), before.reprojection_px):
        worst = max(chosen, key=lambda i: float(pose.marker_rms_px[i]))
        chosen = _enough([i for i in chosen if i != worst], corners)
        pose = _zoomed_in_place(corners.of(chosen), corners, before)
    return _view_of(pose, chosen, corners)


def _zoomed_in_place(part: _Corners, corners: _Corners, before: CameraView) -> _Pose:
    """Return the pose and lens that fit a part of the corners best from the place of the view before."""
    turn, shift = before.camera_from_table[:3, :3], before.camera_from_table[:3, 3]
    solid = part.table_mm @ turn[:, :2].T + shift  # along the axes of the camera before, from its centre
    freed = [0, 1, 2, 6]

    def residuals_and_slopes(
        unknowns: Float64[Doubles, " k"],
    ) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
        parameters = np.zeros(7)
        parameters[freed] = unknowns
        projected, slopes = _project_with_slopes(solid, before.lens, parameters)
        return (projected - part.image_px).ravel(), slopes[:, freed]

    focal_px = before.lens.matrix[0][0]
    fit = fit_robustly(residuals_and_slopes, np.array([0.0, 0.0, 0.0, np.log(focal_px)]), 3 * NOISE_PX)
    turned = cv2.Rodrigues(fit.unknowns[:3])[0]
    parameters = np.concatenate([np.ravel(cv2.Rodrigues(turned @ turn)[0]), turned @ shift])
    return _pose(corners, before.lens.zoomed(float(np.exp(fit.unknowns[3])) / focal_px), parameters)


def _zoomed_view(sightings: Sequence[MarkerSighting], table: TableMarkers, lens: CameraLens) -> CameraView:
    """Return the view at the focal length on which all markers agree.

    Raises:
        PoseAmbiguous: there is none, the markers hardly tell it, or only three are in sight, which often agree on one
            by chance.
    """
    corners = _matched(sightings, table)
    if len(set(corners.ids)) <= MARKERS_NEEDED:
        raise PoseAmbiguous()
    view = _view_with_free_focal(corners, [lens], AGREES_PX)
    if view.markers_left_out or view.focal_uncertainty > _SURE_FOCAL:
        raise PoseAmbiguous()
    return replace(view, focal_uncertainty=0.0)


def lens_turned_to(gray_image: GrayImage, table: TableMarkers, lens: CameraLens) -> CameraLens:
    """Return the lens turned as the picture is: by the quarter turn that fits the picture's markers best.

    The lens stays unturned if the picture has its size, or if no turn fits. In the second case ``solve_view`` refuses
    it.
    """
    height, width = gray_image.shape
    turned = (
        [lens] if lens.fits(width, height) else [one for q in (1, 3) if (one := lens.turned(q)).fits(width, height)]
    )
    if len(turned) < 2 or not table.markers:
        return turned[0] if turned else lens

    def misfit_px(one: CameraLens) -> float:
        ids = [marker.id for marker in table.markers]
        sightings = find_markers(gray_image, table.marker_family, ids, lens=one)
        try:
            return solve_view(sightings, table, one, image_wh=(width, height)).reprojection_px
        except PhotoError:
            return math.inf

    return min(turned, key=misfit_px)


def _matched(sightings: Sequence[MarkerSighting], table: TableMarkers) -> _Corners:
    places = {marker.id: marker.corners_mm for marker in table.markers}
    known = [sighting for sighting in sightings if sighting.id in places]
    if not known:
        return _Corners((), np.empty((0, 2)), np.empty((0, 2)))
    table_mm = np.concatenate([np.array(places[sighting.id], dtype=np.float64) for sighting in known])
    image_px = np.concatenate([sighting.corners_px for sighting in known])
    return _Corners(tuple(sighting.id for sighting in known), table_mm, image_px)


def _agreed_view(corners: _Corners, lens: CameraLens, agrees_px: float, focal_uncertainty: float) -> CameraView:
    """Return the view that most markers agree on, refined on those alone."""
    limit_px = agrees_px * _scale(lens)
    # Two markers give a rough pose. Include nearby ones, then exclude those that still disagree.
    chosen = _agreeing(corners, _consensus(corners, lens), 6 * limit_px)
    poses = _refined_poses(corners, chosen, lens)
    while poses[0].marker_rms_px[chosen].max() > limit_px:
        worst = max(chosen, key=lambda i: float(poses[0].marker_rms_px[i]))
        chosen = _enough([i for i in chosen if i != worst], corners)
        poses = _refined_poses(corners, chosen, lens)
    _refuse_second_pose(poses, chosen)
    return replace(_view_of(poses[0], chosen, corners), focal_uncertainty=focal_uncertainty)


def _view_of(pose: _Pose, chosen: Sequence[int], corners: _Corners) -> CameraView:
    """Return the view of a pose that rests on the chosen markers."""
    seen = tuple(sorted(corners.ids[i] for i in chosen))
    return replace(
        pose.view(),
        reprojection_px=_rms(pose.marker_rms_px[list(chosen)]),
        markers_seen=seen,
        markers_left_out=tuple(sorted(set(corners.ids) - set(seen))),
    )


def _scale(lens: CameraLens) -> float:
    """Return the size of the lens' pictures relative to full HD. Limits in pixels grow with it."""
    return max(1.0, max(lens.width_px, lens.height_px) / 1920)


def _consensus(corners: _Corners, lens: CameraLens) -> _Pose:
    """Return the pose that most markers follow most closely, over all pairs of markers."""
    pairs = [(i, j) for i, j in itertools.combinations(range(len(corners.ids)), 2) if corners.ids[i] != corners.ids[j]]
    poses = [_pose(corners, lens, start) for pair in pairs for start in _poses_of(corners.of(pair), lens)]
    if not poses:
        raise PoseAmbiguous()
    cap_px = 2.0 * GUESSED_LENS_AGREES_PX
    return min(poses, key=lambda pose: float(np.minimum(pose.marker_rms_px, cap_px).sum()))


def _agreeing(corners: _Corners, pose: _Pose, limit_px: float) -> list[int]:
    """Return the sightings that follow a pose, one for each id.

    Raises:
        PoseAmbiguous: these are too few, or not most of the markers.
    """
    best: dict[int, int] = {}
    for i in np.argsort(pose.marker_rms_px, kind="stable"):
        if pose.marker_rms_px[i] <= limit_px:
            best.setdefault(corners.ids[i], int(i))
    return _enough(sorted(best.values()), corners)


def _enough(chosen: list[int], corners: _Corners) -> list[int]:
    if len(chosen) < MARKERS_NEEDED or 2 * len(chosen) <= len(set(corners.ids)):
        raise PoseAmbiguous()
    return chosen


def _refuse_second_pose(poses: Sequence[_Pose], chosen: list[int]) -> None:
    """Raise ``PoseAmbiguous`` if another camera position fits the markers as well as the first."""
    best, *others = poses
    center_mm = best.view().camera_center_mm
    for other in others:
        apart = np.linalg.norm(other.view().camera_center_mm - center_mm) / np.linalg.norm(center_mm)
        if apart > 0.05 and _rms(other.marker_rms_px[chosen]) < 1.2 * _rms(best.marker_rms_px[chosen]):
            raise PoseAmbiguous(
                said("Two camera positions fit the markers equally well. Go nearer, or show more markers.")
            )


def poses_of_plane(
    places_mm: Float64[Doubles, "n 2"],
    pixels: Float64[Doubles, "n 2"],
    lens: CameraLens,
    refusal: Callable[[], SightlineError],
) -> list[Float64[Doubles, " 6"]]:
    """Return the one or two poses (6,) of points on the table, from their homography (IPPE). Empty if degenerate.

    Args:
        places_mm: the points on the table, (N, 2).
        pixels: the points in the picture, (N, 2).
        lens: the camera's lens.
        refusal: the error to raise if OpenCV refuses the points.
    """
    solid = np.column_stack([places_mm, np.zeros(len(places_mm))])
    normalized = normalized_from_pixels(pixels, lens)
    with opencv_means(refusal):
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(solid, normalized, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    poses = [np.concatenate([np.ravel(rvec), np.ravel(tvec)]) for rvec, tvec in zip(rvecs, tvecs, strict=True)]
    return [pose for pose in poses if np.isfinite(pose).all() and pose[5] > 0]


def _poses_of(corners: _Corners, lens: CameraLens) -> list[Float64[Doubles, " 6"]]:
    return poses_of_plane(corners.table_mm, corners.image_px, lens, PoseAmbiguous)


def _pose(corners: _Corners, lens: CameraLens, parameters: Float64[Doubles, " 6"]) -> _Pose:
    missed = view_at(lens, parameters).image_from_table(corners.table_mm) - corners.image_px
    squares = np.nan_to_num((missed**2).sum(axis=1), nan=1e12).reshape(-1, 4)
    return _Pose(lens, parameters, np.sqrt(squares.mean(axis=1)))


def _refined_poses(corners: _Corners, chosen: list[int], lens: CameraLens) -> list[_Pose]:
    """Return the one or two poses of the chosen markers, each refined on their corners, the best first."""
    part = corners.of(chosen)
    starts = _poses_of(part, lens)
    if not starts:
        raise PoseAmbiguous()
    poses = [_pose(corners, lens, _least_squares(part, lens, start, frees_focal=False)[0]) for start in starts]
    return sorted(poses, key=lambda pose: _rms(pose.marker_rms_px[chosen]))


def _least_squares(
    corners: _Corners, lens: CameraLens, start: Float64[Doubles, " k"], *, frees_focal: bool
) -> tuple[Float64[Doubles, " k"], Float64[Doubles, "k k"]]:
    """Return the best parameters, pose (6,) or, with log focal length freed, (7,), and their covariance."""
    solid = np.column_stack([corners.table_mm, np.zeros(len(corners.table_mm))])
    prior = np.log(GUESSED_FOCAL_OF_WIDTH * max(lens.width_px, lens.height_px))

    def residuals_and_slopes(
        parameters: Float64[Doubles, " k"],
    ) -> tuple[Float64[Doubles, " m"], Float64[Doubles, "m k"]]:
        projected, slopes = _project_with_slopes(solid, lens, parameters)
        rows = (projected - corners.image_px).ravel()
        if not frees_focal:
            return rows, slopes[:, :6]
        row = NOISE_PX * (parameters[6] - prior) / FOCAL_PRIOR
        return np.append(rows, row), np.vstack([slopes, [0.0] * 6 + [NOISE_PX / FOCAL_PRIOR]])

    # A corner off by more than a few times the noise counts linearly, so that it does not dominate the fit.
    fit = fit_robustly(residuals_and_slopes, start, 3 * NOISE_PX)
    return fit.unknowns, fit.covariance(max(NOISE_PX, _rms(fit.residuals)))


def _project_with_slopes(
    solid: Float64[Doubles, "n 3"], lens: CameraLens, parameters: Float64[Doubles, " k"]
) -> tuple[Float64[Doubles, "n 2"], Float64[Doubles, "m 7"]]:
    """Return pixels (N, 2) and their slopes (2N, 7) by pose and log focal length.

    The seventh parameter is the log focal length, if given.
    """
    matrix = matrix_of(lens)
    if len(parameters) > 6:
        matrix[:2, :2] *= np.exp(parameters[6]) / matrix[0, 0]
    pixels, slopes = cv2.projectPoints(solid, parameters[:3], parameters[3:6], matrix, np.array(lens.distortion))
    focal_slope = slopes[:, 6:7] * matrix[0, 0] + slopes[:, 7:8] * matrix[1, 1]
    rows: Doubles = np.hstack([slopes[:, :6], focal_slope]).astype(np.float64)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), rows


def _view_with_free_focal(corners: _Corners, starts: Sequence[CameraLens], agrees_px: float) -> CameraView:
    """Return the view with a focal length from the markers. Everything else about the lens is that of the starts."""
    rough = min((_consensus(corners, lens) for lens in starts), key=lambda pose: _rms(pose.marker_rms_px))
    chosen = _agreeing(corners, rough, 4 * GUESSED_LENS_AGREES_PX)
    start = np.append(rough.parameters, np.log(rough.lens.matrix[0][0]))
    parameters, covariance = _least_squares(corners.of(chosen), rough.lens, start, frees_focal=True)
    lens = rough.lens.zoomed(float(np.exp(parameters[6])) / rough.lens.matrix[0][0])
    return _agreed_view(corners, lens, agrees_px, float(np.sqrt(covariance[6, 6])))


def pinhole(image_wh: tuple[int, int], focal_of_width: float) -> CameraLens:
    """Return a lens without distortion, centred in the picture. The unit of its focal length is the longer side."""
    width_px, height_px = image_wh
    focal_px = focal_of_width * max(image_wh)
    matrix = ((focal_px, 0.0, (width_px - 1) / 2), (0.0, focal_px, (height_px - 1) / 2), (0.0, 0.0, 1.0))
    return CameraLens(width_px, height_px, matrix, (0.0, 0.0, 0.0, 0.0, 0.0))


def view_at(lens: CameraLens, parameters: Float64[Doubles, " 6"]) -> CameraView:
    """Return the view of a camera from its rotation and translation vector, the first six parameters."""
    rx, ry, rz, tx, ty, tz = (float(value) for value in parameters[:6])
    return CameraView(lens, (rx, ry, rz), (tx, ty, tz), 0.0, ())


def _rms(values: Float64[Doubles, " n"]) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
