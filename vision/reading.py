"""One photo, read: markers, pose, tiles on one lattice, doors, figures, and the board they make."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from assistant.errors import NoTiles
from assistant.table.camera import CameraLens, TableMarkers
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from calibration.markers import find_markers
from calibration.pose import CameraView, solve_view
from vision.board_view import board_view
from vision.candidates import find_candidates
from vision.doors import find_doors
from vision.figures import find_figures
from vision.images import BgrImage
from vision.keypoints import find_keypoints
from vision.lattice_fit import fit_lattice
from vision.observe import Seen, observation_of
from vision.prints import TilePrints
from vision.rectify import PlaneFrame, Rectified, rectify
from vision.tiles import place_tiles

_SEARCH_PX_PER_MM = 2.0
"""Scale at which keypoints are found: what a 1080p camera at a metre resolves."""

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
    search: Rectified
    seen: Seen


class TableReader:
    """Reads photos of one table with one tile set and one roster.

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

    def read(self, photo: BgrImage) -> Reading:
        """What the photo shows.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found.
            PoseAmbiguous: the markers contradict each other.
            NoTiles: no tile of the set was recognised.
        """
        view = self.find_view(photo)
        for margin_mm in (_MARGIN_MM, _WIDER_MM):
            search = self._search(photo, view, margin_mm)
            keypoints = find_keypoints(search.image, search.frame.px_per_mm, search.inside_mask, _KEYPOINT_LIMIT)
            candidates = find_candidates(keypoints.moved(np.array(search.frame.origin_mm)), self._prints)
            fitted = fit_lattice(candidates, self._prints)
            placements = place_tiles(photo, view, *fitted, self._prints) if fitted else []
            if fitted and placements:
                break
        else:
            raise NoTiles(
                "no tile of the tile set could be recognised between the markers; check that the right tile set is "
                "chosen and that the board is in the picture, sharp and lit"
            )
        board = board_view(photo, view, fitted[0], placements, self._prints)
        doors = find_doors(board, self._roster.doors)
        seen = Seen(board, placements, doors, find_figures(board, self._roster))
        return Reading(observation_of(seen, self._prints, self._roster), view, search, seen)

    def find_view(self, photo: BgrImage) -> CameraView:
        """Where the camera was.

        Raises:
            SizeMismatch: the photo's size does not fit the lens.
            TooFewMarkers: fewer than three of the table's markers were found.
            PoseAmbiguous: the markers contradict each other.
        """
        height, width = photo.shape[:2]
        gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
        ids = [marker.id for marker in self._markers.markers]
        gray_image = np.asarray(gray, dtype=np.uint8)
        sightings = find_markers(gray_image, self._markers.marker_family, ids, lens=self._lens)
        return solve_view(sightings, self._markers, self._lens, image_wh=(width, height))

    def _search(self, photo: BgrImage, view: CameraView, margin_mm: float) -> Rectified:
        """The part of the table where the board may be, seen from above, at the height of the print."""
        corners = np.concatenate([np.array(m.corners_mm) for m in self._markers.markers])
        low, high = corners.min(axis=0) - margin_mm, corners.max(axis=0) + margin_mm
        scale = min(_SEARCH_PX_PER_MM, _MAX_SIDE_PX / float(max(high - low)))
        width, height = (int(v) for v in np.ceil((high - low) * scale))
        frame = PlaneFrame((float(low[0]), float(low[1])), 0.0, scale, (width, height))
        return rectify(photo, view, frame, self._prints.tile_set.thickness_mm)
