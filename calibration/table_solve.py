"""Table calibration from two or three photos. The markers may lie anywhere, and nobody measures with a ruler.

The fullest photo gives a first plane and the others join it. A bundle adjustment then fits everything. While a marker
is off by more than the limit, the solver drops the marker whose absence improves the rest most. The worst marker may
only be dragged along by a moved one.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from jaxtyping import Float64

from assistant.errors import CalibrationError, PhotosDisagree
from assistant.table.camera import CameraLens, PointMm, TableMarker, TableMarkers
from assistant.translations.messages import Said, counted, message, said
from calibration.arrays import Corners, Doubles, GrayImage, Points
from calibration.markers import MarkerSighting, find_markers
from calibration.pose import CameraView, pinhole, poses_of_plane, view_at
from calibration.table_bundle import Bundle, adjust, square_of

MARKERS_NEEDED = 4
PHOTOS_NEEDED = 2
ENOUGH_IN_A_PHOTO = 3

GUESSED_FOCALS = (0.6, 0.9, 1.3)
"""Focal lengths in picture widths to try without a lens."""

AGREES_PX = 1.0
"""RMS limit of a marker's corners in one photo. Sharp corners are off by a tenth of it."""

GUESSED_LENS_AGREES_PX = 4.0
"""The same with an estimated focal length and unknown distortion."""

SUSPECTS = 10
"""Most markers to leave out in turn. Most tables have that many markers."""

MOVED_MM, RESIZED_SHARE = 1.0, 0.02


class MarkerFaultKind(enum.Enum):
    """A fault of a marker, as a sentence about it."""

    DUPLICATED = message("Marker {id} lies on the table twice. Take one of them away.")
    MIRRORED = message("Marker {id} is printed mirrored. Print the sheet again without mirroring.")
    MOVED = message("Marker {id} moved between the photos. Fix it to the table and take the photos again.")
    RESIZED = message("Marker {id} has another size than the others. Print it again.")
    BENT = message("Marker {id} does not lie flat. Press it down, or glue it to card.")


@dataclass(frozen=True)
class MarkerFault:
    """A dropped marker, and why."""

    id: int
    fault: MarkerFaultKind

    @property
    def sentence(self) -> Said:
        return said(self.fault.value, id=self.id)


@dataclass(frozen=True)
class SolvedTable:
    """The markers' places, their accuracy, and the faults of dropped markers.

    Args:
        table: the markers. The lowest id has its top left corner at the origin and its top edge along x.
        views: the camera of each photo.
        reprojection_px: RMS over all corners used.
        sigma_mm: standard deviation of the least certain marker's middle, relative to the first marker.
        faults: dropped markers.
    """

    table: TableMarkers
    views: tuple[CameraView, ...]
    reprojection_px: float
    sigma_mm: float
    faults: tuple[MarkerFault, ...]


def mirrored_markers(gray_image: GrayImage, family: str, upright: Collection[int]) -> tuple[int, ...]:
    """Return the ids of markers that only the mirrored picture shows. ``upright`` are the ids in the picture itself."""
    flipped = np.ascontiguousarray(gray_image[:, ::-1])
    return tuple(sorted({sighting.id for sighting in find_markers(flipped, family)} - set(upright)))


def is_mirrored(upright: Collection[int], mirrored: Collection[int]) -> bool:
    """Return whether the whole photo is mirrored rather than single prints.

    It compares the ids in the photo and in its mirror image.
    """
    return len(upright) < ENOUGH_IN_A_PHOTO <= len(mirrored)


def solve_table(
    photos: Sequence[Sequence[MarkerSighting]],
    family: str,
    side_mm: float,
    lens: CameraLens | None,
    *,
    image_wh: tuple[int, int],
) -> SolvedTable:
    """Solve the places of the markers in the photos.

    Args:
        photos: from ``find_markers``, for each photo.
        family: the markers' family.
        side_mm: the side of the black square of every marker.
        lens: the camera's lens for all photos. None estimates its focal length.
        image_wh: the size of the photos.

    Raises:
        CalibrationError: too few photos, too few markers that agree, or photos of different tables.
        SizeMismatch: the photos' size does not fit the lens.
    """
    duplicated = {i for photo in photos for i in _repeated([sighting.id for sighting in photo])}
    corners = [{s.id: s.corners_px for s in photo if s.id not in duplicated} for photo in photos]
    _refuse_too_few(corners)
    if lens is not None:
        bundle, bad = _solve_bundle(corners, side_mm, lens.scaled_to(*image_wh), frees_focal=False)
    else:
        tries = [_solved_or_none(corners, side_mm, pinhole(image_wh, share)) for share in GUESSED_FOCALS]
        solved = [found for found in tries if found is not None]
        if not solved:
            raise PhotosDisagree
        bundle, bad = min(solved, key=lambda found: (len(found[1]), _total_rms(found[0], corners, side_mm)))
    faults = [MarkerFault(i, MarkerFaultKind.DUPLICATED) for i in duplicated]
    faults += [MarkerFault(i, _fault_of(i, corners, bundle, side_mm)) for i in bad]
    return _result(bundle, corners, side_mm, family, tuple(sorted(faults, key=lambda fault: fault.id)))


def _refuse_too_few(corners: Sequence[Mapping[int, Corners]]) -> None:
    if len(corners) < PHOTOS_NEEDED:
        raise CalibrationError(said("One photo is not enough. Take two or three from different sides."))
    ids = {i for photo in corners for i in photo}
    if len(ids) < MARKERS_NEEDED:
        raise CalibrationError(
            counted(
                "The photos show only {n} different marker, and {needed} are needed. Lay out more, and "
                "take sharp, whole photos.",
                "The photos show only {n} different markers, and {needed} are needed. Lay out more, and "
                "take sharp, whole photos.",
                len(ids),
                needed=MARKERS_NEEDED,
            )
        )


def _repeated(ids: Sequence[int]) -> set[int]:
    return {i for i in ids if ids.count(i) > 1}


def _solved_or_none(
    corners: Sequence[Mapping[int, Corners]], side_mm: float, lens: CameraLens
) -> tuple[Bundle, list[int]] | None:
    try:
        return _solve_bundle(corners, side_mm, lens, frees_focal=True)
    except CalibrationError:
        return None


def _solve_bundle(
    corners: Sequence[Mapping[int, Corners]], side_mm: float, lens: CameraLens, *, frees_focal: bool
) -> tuple[Bundle, list[int]]:
    """Return the bundle of the markers that agree, and the ids of the others."""
    limit_px = (GUESSED_LENS_AGREES_PX if frees_focal else AGREES_PX) * max(1.0, lens.width_px / 1920)
    ids = sorted({i for photo in corners for i in photo})
    bundle = _bundle(corners, side_mm, lens, frees_focal=frees_focal)
    bad: list[int] = []
    while (suspects := _suspects(corners, bundle, side_mm, limit_px)) and len(ids) - len(bad) > MARKERS_NEEDED:
        # The worst marker may only be dragged along by a moved one. So compare how well the others fit without each.
        tries = [(_bundle(_without(corners, [*bad, i]), side_mm, lens, frees_focal=frees_focal), i) for i in suspects]
        bundle, worst = min(tries, key=lambda tried: _total_rms(tried[0], corners, side_mm))
        bad.append(worst)
    if suspects:
        raise PhotosDisagree
    return bundle, bad


def _suspects(corners: Sequence[Mapping[int, Corners]], bundle: Bundle, side_mm: float, limit_px: float) -> list[int]:
    """Return the worst markers, if any marker is off by more than the limit.

    There are several because poses and places give way to a moved marker until it fits better than its neighbours.
    """
    rms = sorted(((_marker_rms(i, corners, bundle, side_mm), i) for i in bundle.placements), reverse=True)
    return [i for _, i in rms[:SUSPECTS]] if rms[0][0] > limit_px else []


def _without(corners: Sequence[Mapping[int, Corners]], bad: Sequence[int]) -> list[dict[int, Corners]]:
    return [{i: px for i, px in photo.items() if i not in bad} for photo in corners]


def _bundle(corners: Sequence[Mapping[int, Corners]], side_mm: float, lens: CameraLens, *, frees_focal: bool) -> Bundle:
    """Return all photos in one bundle: the fullest first, then each that shares two markers with earlier ones."""
    order = sorted(range(len(corners)), key=lambda i: -len(corners[i]))
    bundle = min(_starts(corners[order[0]], side_mm, lens), key=lambda b: _total_rms(b, [corners[order[0]]], side_mm))
    for count, index in enumerate(order[1:], start=2):
        bundle = _join_photo(bundle, corners[index], side_mm)
        bundle = adjust(
            bundle, [corners[i] for i in order[:count]], side_mm, fixed_id=_first(bundle), frees_focal=False
        )
    if frees_focal:
        bundle = adjust(bundle, [corners[i] for i in order], side_mm, fixed_id=_first(bundle), frees_focal=True)
    back = sorted(range(len(order)), key=lambda k: order[k])
    return replace(bundle, poses=tuple(bundle.poses[k] for k in back))


def _first(bundle: Bundle) -> int:
    return min(bundle.placements)


def _starts(photo: Mapping[int, Corners], side_mm: float, lens: CameraLens) -> list[Bundle]:
    """Return bundles of one photo. Each marker's own poses place the others on its plane, then a fit adjusts all."""
    largest = sorted(photo, key=lambda i: -float(np.ptp(photo[i], axis=0).sum()))[:2]
    bundles = []
    for reference in largest:
        square = square_of((0.0, 0.0, 0.0), side_mm)
        for pose in _poses(square, photo[reference], lens):
            placements = {i: _laid(view_at(lens, pose), px) for i, px in photo.items()}
            start = Bundle({**placements, reference: (0.0, 0.0, 0.0)}, (pose,), lens, {}, 0.0)
            bundles.append(adjust(start, [photo], side_mm, fixed_id=reference, frees_focal=False))
    if not bundles:
        raise PhotosDisagree
    return bundles


def _join_photo(bundle: Bundle, photo: Mapping[int, Corners], side_mm: float) -> Bundle:
    """Return the bundle with one more photo and its new markers."""
    shared = [i for i in photo if i in bundle.placements]
    if len(shared) < 2:
        raise PhotosDisagree(
            said("The photos show different parts of the table. Each photo needs two markers of another photo.")
        )
    places = np.concatenate([square_of(bundle.placements[i], side_mm) for i in shared])
    pixels = np.concatenate([photo[i] for i in shared])
    poses = _poses(places, pixels, bundle.lens)
    if not poses:
        raise PhotosDisagree
    views = [view_at(bundle.lens, pose) for pose in poses]
    missed = [float(np.nan_to_num(np.abs(view.image_from_table(places) - pixels).mean(), nan=1e9)) for view in views]
    best = int(np.argmin(missed))
    new = {i: _laid(views[best], px) for i, px in photo.items() if i not in bundle.placements}
    return replace(bundle, placements={**bundle.placements, **new}, poses=(*bundle.poses, poses[best]))


def _poses(places_mm: Points, pixels: Points, lens: CameraLens) -> list[Float64[Doubles, " 6"]]:
    return poses_of_plane(places_mm, pixels, lens, PhotosDisagree)


def _laid(view: CameraView, corners_px: Corners) -> tuple[float, float, float]:
    """Return the placement of a marker from its corners' projection onto the table."""
    places = np.nan_to_num(view.table_from_image(corners_px), nan=0.0)
    x, y = places.mean(axis=0)
    along = (places[1] - places[0]) + (places[2] - places[3])
    return float(x), float(y), float(np.arctan2(along[1], along[0]))


def _marker_rms(marker_id: int, corners: Sequence[Mapping[int, Corners]], bundle: Bundle, side_mm: float) -> float:
    """Return the worst RMS of a marker's corners in any photo."""
    square = square_of(bundle.placements[marker_id], side_mm)
    found = [
        float(
            np.sqrt(((view_at(bundle.lens, pose).image_from_table(square) - photo[marker_id]) ** 2).sum(axis=1).mean())
        )
        for pose, photo in zip(bundle.poses, corners, strict=True)
        if marker_id in photo
    ]
    return max((np.inf if np.isnan(value) else value for value in found), default=0.0)


def _total_rms(bundle: Bundle, corners: Sequence[Mapping[int, Corners]], side_mm: float) -> float:
    squares = [_marker_rms(i, corners, bundle, side_mm) ** 2 for i in bundle.placements]
    return float(np.sqrt(np.mean(squares)))


def _fault_of(
    marker_id: int, corners: Sequence[Mapping[int, Corners]], bundle: Bundle, side_mm: float
) -> MarkerFaultKind:
    """Return the fault of a marker that does not fit, on the plane of the others, photo by photo."""
    seen = [
        view_at(bundle.lens, pose).table_from_image(photo[marker_id])
        for pose, photo in zip(bundle.poses, corners, strict=True)
        if marker_id in photo
    ]
    if any(_squareness_mm(quad) > MOVED_MM / 2 for quad in seen):
        return MarkerFaultKind.BENT
    sides = [float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean()) for quad in seen]
    if all(abs(side / side_mm - 1) > RESIZED_SHARE for side in sides):
        return MarkerFaultKind.RESIZED
    middles = np.array([quad.mean(axis=0) for quad in seen])
    return MarkerFaultKind.MOVED if np.ptp(middles, axis=0).max() > MOVED_MM else MarkerFaultKind.BENT


def _squareness_mm(quad: Corners) -> float:
    """Return the distance of the corners from a square with the same middle, size and turn."""
    centered = quad - quad.mean(axis=0)
    spins = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([1, 1j])
    points = centered @ np.array([1, 1j])
    factor = (np.conj(spins) * points).sum() / (np.abs(spins) ** 2).sum()
    return float(np.abs(points - factor * spins).max())


def _result(
    bundle: Bundle,
    corners: Sequence[Mapping[int, Corners]],
    side_mm: float,
    family: str,
    faults: tuple[MarkerFault, ...],
) -> SolvedTable:
    """Return the bundle with its axes tied to the lowest id, as a table and views."""
    first = square_of(bundle.placements[_first(bundle)], side_mm)
    turn = bundle.placements[_first(bundle)][2]
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    squares = {i: (square_of(p, side_mm) - first[0]) @ spin for i, p in sorted(bundle.placements.items())}
    markers = tuple(TableMarker(i, _corners(square)) for i, square in squares.items())
    views = []
    for pose, photo in zip(bundle.poses, corners, strict=True):
        view = view_at(bundle.lens, pose)
        seen = [i for i in sorted(photo) if i in squares]
        rms = [_marker_rms(i, [photo], replace(bundle, poses=(pose,)), side_mm) for i in seen]
        views.append(
            replace(
                _moved_axes(view, first[0], spin),
                reprojection_px=float(np.sqrt(np.mean(np.square(rms)))) if rms else 0.0,
                markers_seen=tuple(seen),
                markers_left_out=tuple(i for i in sorted(photo) if i not in squares),
                focal_uncertainty=bundle.focal_uncertainty,
            )
        )
    return SolvedTable(
        table=TableMarkers(family, markers),
        views=tuple(views),
        reprojection_px=float(np.sqrt(np.mean([view.reprojection_px**2 for view in views]))),
        sigma_mm=max(bundle.sigmas_mm.values()),
        faults=faults,
    )


def _moved_axes(view: CameraView, origin_mm: Float64[Doubles, " 2"], spin: Float64[Doubles, "2 2"]) -> CameraView:
    """Return the same camera for table points with another origin and turn."""
    old = view.camera_from_table
    turned = np.eye(3)
    turned[:2, :2] = spin
    rotation = old[:3, :3] @ turned
    tvec = old[:3, :3] @ np.array([*origin_mm, 0.0]) + old[:3, 3]
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    return view_at(view.lens, np.concatenate([rvec, tvec]))


def _corners(square: Corners) -> tuple[PointMm, PointMm, PointMm, PointMm]:
    a, b, c, d = ((round(float(x), 3), round(float(y), 3)) for x, y in square)
    return a, b, c, d
