"""Measures the camera poses again, from the markers on the photos of evidence."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assistant.documents import table_from_json
from assistant.documents.evidence import Evidence, part_of
from assistant.documents.moment import FrozenCamera, FrozenMoment, FrozenPicture
from assistant.errors import PhotoUnreadable
from assistant.table.camera import CameraLens, TableMarkers
from assistant.translations.messages import Said, said
from calibration.color import gray_from_bgr
from calibration.lens_model import PlacedCamera
from calibration.markers import MarkerSighting, find_markers
from calibration.pose import MARKERS_NEEDED
from vision.photo.decoding import decode_photo

MOST_OFF = 1 / 400
"""Largest median distance of the markers from their expected places, in picture widths: two millimetres on a table of
80 cm. On rendered scenes it is 1/10,000 with a calibrated lens and 1/1,700 with a guessed one."""


@dataclass(frozen=True)
class CamerasAgain:
    """The measured cameras.

    Args:
        measured_count: how many camera poses agree with the recorded ones, by the markers on their photos.
        unseen_count: how many photos show too few markers to tell.
        findings: a sentence for each camera that stood elsewhere.
    """

    measured_count: int
    unseen_count: int
    findings: tuple[Said, ...]


def looked_at(moment: FrozenMoment) -> list[int]:
    """Return the indices of the pictures with rulings, and of the call's own moment."""
    newest = [len(moment.pictures) - 1] if moment.pictures else []
    return sorted({*newest, *(one.picture for one in moment.rulings if one.picture < len(moment.pictures))})


def measure_cameras(evidence: Evidence, moment: FrozenMoment) -> CamerasAgain:
    """Compare the recorded camera poses of the relevant pictures with the markers on the photos.

    Raises:
        InputError: a frozen part cannot be read.
    """
    off = {place: _off(evidence, moment.pictures[place]) for place in looked_at(moment)}
    measured = {place: share for place, share in off.items() if share is not None}
    findings = tuple(_iterate_findings(measured))
    return CamerasAgain(len(measured) - len(findings), len(off) - len(measured), findings)


def _iterate_findings(off: dict[int, float]) -> Iterator[Said]:
    for place, share in off.items():
        if share > MOST_OFF:
            yield said(
                "the camera of picture {number} was not at its recorded place: the markers on its photo differ "
                "by {percent} % of the picture's width",
                number=place + 1,
                percent=round(100 * share, 1),
            )


def _off(evidence: Evidence, picture: FrozenPicture) -> float | None:
    """Return the median distance of the markers from their expected places, in widths, or None for too few markers."""
    if picture.camera is None or picture.markers is None:
        return None
    markers = table_from_json(part_of(evidence, picture.markers, picture.markers), picture.markers)
    photo = part_of(evidence, picture.picture, picture.picture)
    try:
        gray_image = gray_from_bgr(decode_photo(photo))
    except PhotoUnreadable as problem:
        raise problem.in_document(picture.picture) from None
    seen = find_markers(gray_image, markers.marker_family, [marker.id for marker in markers.markers])
    if len({sighting.id for sighting in seen}) < MARKERS_NEEDED:
        return None
    height, width = gray_image.shape
    return statistics.median(_distances(seen, markers, _place(picture.camera, picture, width, height))) / width


def _place(camera: FrozenCamera, picture: FrozenPicture, width: int, height: int) -> PlacedCamera:
    """Rescale the camera to the photo's size, which may be smaller than the size of the recorded pixels."""
    lens = CameraLens(picture.width_px, picture.height_px, camera.matrix, camera.distortion)
    return PlacedCamera(lens.scaled_to(width, height), camera.rotation, camera.translation_mm)


def _distances(seen: tuple[MarkerSighting, ...], markers: TableMarkers, placed: PlacedCamera) -> Iterator[float]:
    """Yield each marker's distance from its expected place. For a marker seen twice, the nearer one counts."""
    for marker in markers.markers:
        expected = placed.image_from_table(marker.corners_mm)
        off = [
            float(np.sqrt(np.mean(np.sum((np.asarray(one.corners_px) - expected) ** 2, axis=1))))
            for one in seen
            if one.id == marker.id
        ]
        if off:
            yield min(off)
