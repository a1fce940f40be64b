"""Marker tracking from frame to frame: most markers stay where they were.

Searching a whole picture takes most of a watched table's time. So the tracker fits each marker at its last place, which
also proves that it is still there. It searches only for missing markers, and not in every frame, since a hand covers a
marker for a while.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.table.camera import CameraLens, TableMarkers
from calibration.arrays import GrayImage
from calibration.markers import MarkerSighting, cells_of, find_markers
from calibration.pose import MARKERS_NEEDED
from calibration.print_fit import fit_print

SEEN_SHARE = 0.6
"""Share of the print's edges that must be visible. Under a hand, half have the right sign by chance."""

RESIDUAL_CELLS = 0.12
"""Limit for the residual of the edges, in cells. Blur and slant stay below a third of it, other things do not."""

LOOK_EVERY = 5
"""Frames between searches for missing markers. At ten frames a second, a marker is back within half a second."""


class MarkerTracker:
    """Tracks the markers of one table from frame to frame.

    Args:
        table: the markers. Their places do not matter.
        lens: the camera's lens, if known.
    """

    def __init__(self, table: TableMarkers, lens: CameraLens | None) -> None:
        self._family = table.marker_family
        self._ids = frozenset(marker.id for marker in table.markers)
        self._lens = lens
        self._last: tuple[MarkerSighting, ...] = ()
        self._size: tuple[int, ...] = ()
        self._since_look = 0

    def find(self, gray_image: GrayImage) -> tuple[MarkerSighting, ...]:
        """Return the markers in the next frame, ordered by id.

        Raise ``SizeMismatch`` if its size does not fit the lens.
        """
        if gray_image.shape != self._size:
            self._size, self._last = gray_image.shape, ()
        found = self._followed(gray_image)
        missing = self._ids - {sighting.id for sighting in found}
        self._since_look += 1
        # A marker of the last frame is moved or hidden: search again soon.
        is_lost = any(sighting.id in missing for sighting in self._last)
        if len(found) < MARKERS_NEEDED or is_lost or (missing and self._since_look >= LOOK_EVERY):
            found = [*found, *find_markers(gray_image, self._family, missing, lens=self._lens)]
            self._since_look = 0
        self._last = tuple(sorted(found, key=lambda sighting: (sighting.id, *sighting.center_px)))
        return self._last

    def _followed(self, gray_image: GrayImage) -> list[MarkerSighting]:
        lens = self._lens and self._lens.scaled_to(gray_image.shape[1], gray_image.shape[0])
        followed = [follow(gray_image, sighting, self._family, lens) for sighting in _once_each(self._last)]
        return [sighting for sighting in followed if sighting is not None]


def follow(
    gray_image: GrayImage, before: MarkerSighting, family: str, lens: CameraLens | None
) -> MarkerSighting | None:
    """Return the marker in the next frame, or None if it is not at its place to about a cell.

    Args:
        gray_image: the next frame.
        before: the marker in the frame before.
        family: the markers' family.
        lens: the lens for pictures of this size, if known.
    """
    bits, cells = cells_of(family, before.id)
    fit = fit_print(gray_image, before.corners_px, bits, cells, lens)
    if fit is None or fit.seen_share < SEEN_SHARE:
        return None
    after = MarkerSighting(before.id, fit.corners_px)
    return after if fit.residual_px < RESIDUAL_CELLS * after.side_px / cells else None


def _once_each(sightings: Sequence[MarkerSighting]) -> list[MarkerSighting]:
    """Return the sightings with unique ids. A repeated id is ambiguous, so the tracker searches for both again."""
    ids, counts = np.unique([sighting.id for sighting in sightings], return_counts=True)
    single = set(ids[counts == 1].tolist())
    return [sighting for sighting in sightings if sighting.id in single]
