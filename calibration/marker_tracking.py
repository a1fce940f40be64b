"""The same markers in one frame after the other: most of the time each is where it just was.

Looking a whole picture through for markers takes most of the time that a watched table has. Here each marker is
fitted where it was in the frame before, which also says whether it is still there; only what is missing is looked
for, and not in every frame, since what is covered by a hand stays covered for a while.
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
"""Of the print's edges so many must be seen; of those under a hand half have the right sign by chance."""

RESIDUAL_CELLS = 0.12
"""How far the edges may be off, in cells: blur and slant stay below a third of that, another thing's edges do not."""

LOOK_EVERY = 5
"""A marker that is missing is looked for in every so many frames; with ten a second it is back within half of one."""


class MarkerTracker:
    """Finds the markers of one table in frame after frame.

    Args:
        table: the markers that are looked for; where they lie does not matter.
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
        """The markers in the next frame, ordered by id.

        Raises:
            SizeMismatch: the frame's size does not fit the lens.
        """
        if gray_image.shape != self._size:
            self._size, self._last = gray_image.shape, ()
        found = self._followed(gray_image)
        missing = self._ids - {sighting.id for sighting in found}
        self._since_look += 1
        # One that was there a moment ago was moved or hidden: which of the two is to be known soon.
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
    """The marker in the next frame, if it is still where it was to about a cell; None if it is not seen there.

    Args:
        gray_image: the next frame.
        before: where it was.
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
    """The sightings whose id is there once; of two with one id nobody knows which is meant, so both are looked for."""
    ids, counts = np.unique([sighting.id for sighting in sightings], return_counts=True)
    single = set(ids[counts == 1].tolist())
    return [sighting for sighting in sightings if sighting.id in single]
