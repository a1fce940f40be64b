"""The table step: locates the markers from photos."""

from __future__ import annotations

from dataclasses import replace as replace_marker
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from assistant.app.setup.progress import Progress, SeenMarker, TableOutcome, TablePhoto
from assistant.app.setup.values import TableFound, TableState
from assistant.documents import camera_from_json, table_document, table_from_json
from assistant.errors import PhotosDiffer, PictureMirrored, SamePlace, TooFewMarkers
from assistant.table.camera import CameraLens, TableMarkers
from calibration.arrays import GrayImage
from calibration.markers import MarkerSighting, find_markers
from calibration.paper import RULER_MM
from calibration.sheets import MARKER_FAMILY, MARKER_MM
from calibration.table_solve import (
    ENOUGH_IN_A_PHOTO,
    MarkerFault,
    MarkerFaultKind,
    is_mirrored,
    mirrored_markers,
    solve_table,
)

SHOWN_IDS = range(32)
"""Ids of markers that are outlined in the live picture. Looking for all 587 would take a second."""

SAME_PLACE_OF_WIDTH = 0.04
"""Shift of the markers, in picture widths, below which two photos count as taken from the same place."""


def lens_of(progress: Progress) -> CameraLens | None:
    """Return the lens of the set-up, or None before it is solved."""
    return None if progress.lens is None else camera_from_json(msgspec.json.encode(progress.lens.camera))


def table_of(progress: Progress) -> TableMarkers | None:
    """Return the table of the set-up, or None before it is solved."""
    return None if progress.table is None else table_from_json(msgspec.json.encode(progress.table.table))


def scaled_table(document: dict[str, Any], scale: float) -> dict[str, Any]:
    """Rescale a table's markers and their positions, which were measured by the marker size."""
    table = table_from_json(msgspec.json.encode(document))
    markers = []
    for marker in table.markers:
        a, b, c, d = ((x * scale, y * scale) for x, y in marker.corners_mm)
        markers.append(replace_marker(marker, corners_mm=(a, b, c, d)))
    return table_document(replace_marker(table, markers=tuple(markers)))


def side_mm(progress: Progress) -> float:
    """Return the side of the printed markers in mm. A printer that shrinks the ruler shrinks them too."""
    if progress.measured_mm is None or progress.is_reprinted:
        return MARKER_MM
    return MARKER_MM * progress.measured_mm / RULER_MM


def find_markers_now(progress: Progress, gray_image: GrayImage) -> tuple[MarkerSighting, ...]:
    """Quickly find the markers in the live picture.

    Raises:
        SizeMismatch: the picture's size does not fit the lens.
    """
    return find_markers(gray_image, MARKER_FAMILY, SHOWN_IDS, lens=lens_of(progress))


def add_photo(progress: Progress, gray_image: GrayImage) -> Progress:
    """Add a photo of the table to the progress.

    Raises:
        SizeMismatch: the photo's size differs from the lens's or, as PhotosDiffer, from the earlier photos'.
        TooFewMarkers: it shows too few of them.
        PictureMirrored: it shows enough of them, but mirrored.
        SamePlace: it was taken from the place of an earlier one.
    """
    size = (gray_image.shape[1], gray_image.shape[0])
    if progress.photos and progress.image_wh != size:
        raise PhotosDiffer
    sightings = find_markers(gray_image, MARKER_FAMILY, lens=lens_of(progress))
    # A marker that appears twice counts once, because a picture of something else may repeat one marker many times.
    seen = {sighting.id for sighting in sightings}
    mirrored = mirrored_markers(gray_image, MARKER_FAMILY, seen)
    if is_mirrored(seen, mirrored):
        raise PictureMirrored
    if len(seen) < ENOUGH_IN_A_PHOTO:
        raise TooFewMarkers(len(seen), ENOUGH_IN_A_PHOTO)
    if any(_is_same_place(sightings, photo, size[0]) for photo in progress.photos):
        raise SamePlace
    photo = TablePhoto(tuple(SeenMarker.of(sighting) for sighting in sightings), mirrored)
    photos = (*progress.photos, photo)
    return replace(progress, photos=photos, image_wh=size, table=None, name=None, is_read=False)


def _is_same_place(sightings: tuple[MarkerSighting, ...], photo: TablePhoto, width_px: int) -> bool:
    before = {marker.id: np.array(marker.corners_px) for marker in photo.markers}
    shifts = [np.abs(s.corners_px - before[s.id]).mean() for s in sightings if s.id in before]
    return bool(shifts) and float(np.median(shifts)) < SAME_PLACE_OF_WIDTH * width_px


def solve_from_photos(progress: Progress) -> Progress:
    """Compute the table from its photos.

    Raises:
        CalibrationError: there are too few photos, or they contradict each other.
    """
    photos = [tuple(marker.sighting() for marker in photo.markers) for photo in progress.photos]
    lens = lens_of(progress)
    solved = solve_table(photos, MARKER_FAMILY, side_mm(progress), lens, image_wh=progress.image_wh or (0, 0))
    faults = {(fault.id, fault.fault.name) for fault in solved.faults}
    faults |= {(marker_id, MarkerFaultKind.MIRRORED.name) for photo in progress.photos for marker_id in photo.mirrored}
    found = TableOutcome(
        table_document(solved.table),
        solved.reprojection_px,
        solved.sigma_mm,
        solved.views[0].focal_uncertainty,
        tuple(sorted(faults)),
    )
    return replace(progress, table=found, name=None, is_read=False)


def table_state(progress: Progress) -> TableState:
    """Return the state of the step for the page."""
    photos = tuple(tuple(marker.id for marker in photo.markers) for photo in progress.photos)
    found = None
    if progress.table is not None:
        ids = tuple(int(marker["id"]) for marker in progress.table.table["markers"])
        faults = tuple(MarkerFault(marker_id, MarkerFaultKind[name]) for marker_id, name in progress.table.faults)
        outcome = progress.table
        found = TableFound(ids, outcome.reprojection_px, outcome.sigma_mm, outcome.focal_uncertainty, faults)
    return TableState(photos, found)
