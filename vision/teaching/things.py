"""Things between the markers: pixels unlike the table around them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.camera import TableMarkers
from calibration.arrays import BgrImage, Mask, Numbers
from calibration.color import lab_from_bgr
from calibration.pose import CameraView
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import PlaneFrame, rectify
from vision.photo.search_area import papers_mask, search_frame

PX_PER_MM = 2.0

_COLORS = 8
"""Number of a table's colours. A check has three or four, shades of wood merge."""

_RIM_SHARE = 0.02
"""Share of the table's visible part from which a colour is the table's."""

_DIFFERS = 16.0
"""Difference (CIELAB) from all colours of the table, three times the noise of dim light."""

SHADE = 0.35
"""Weight of brightness relative to colour. Shadows are dark, not coloured."""

TABLE_SHARE, ASKED = 0.1, 100
"""Share of the surroundings with a colour from which it is the table's, and number of sampled pixels. Checks have a
quarter of the surroundings, figures a twentieth."""


@dataclass(frozen=True, eq=False)
class GroundView:
    """The table from above in white light, with the mask of things on it.

    ``is_known`` marks the visible pixels without a marker.
    """

    frame: PlaneFrame
    image: BgrImage
    thing_mask: Mask
    is_known: Mask

    def cut(self, left: int, top: int, size_wh: tuple[int, int]) -> GroundView:
        """Return a part that begins at that pixel."""
        there = np.s_[top : top + size_wh[1], left : left + size_wh[0]]
        frame = self.frame.cut(left, top, size_wh)
        return GroundView(frame, self.image[there], self.thing_mask[there], self.is_known[there])


@dataclass(frozen=True, eq=False)
class ThingOutline:
    """One thing: its outline's pixels in the ground's frame, and its area."""

    outline_px: Int[Numbers, "n 2"]
    area_mm2: float


def see_ground(
    photo: BgrImage, view: CameraView, markers: TableMarkers, light: PaperLight, height_mm: float
) -> GroundView:
    """Return the plane at that height between the markers, with its things."""
    frame = search_frame(markers, PX_PER_MM)
    seen = rectify(photo, view, frame, height_mm)
    image = light.white_balanced(seen.image)
    is_known = seen.inside_mask & ~papers_mask(frame, markers.markers)
    return GroundView(frame, image, _find_things(image, is_known), is_known)


def things_on(ground: GroundView) -> list[ThingOutline]:
    """Return the outermost outlines of the things."""
    contours, _ = cv2.findContours(ground.thing_mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = [np.reshape(contour, (-1, 2)) for contour in contours]
    return [ThingOutline(outline, float(cv2.contourArea(outline)) / PX_PER_MM**2) for outline in outlines]


def lab_of(image: BgrImage) -> Float[Numbers, "height width 3"]:
    """Return CIELAB of a picture, lightness 0 to 100, with shade reduced."""
    lab = lab_from_bgr(image)
    return np.asarray(lab * np.array([SHADE, 1.0, 1.0], dtype=np.float32))


def off_colors_of(lab: Float[Numbers, "height width 3"], part: Mask) -> Float[Numbers, "height width"]:
    """Return each pixel's difference from all usual colours of a part of the picture."""
    pixels = lab[part][:: max(1, int(part.sum()) // 20_000)]
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, 20, 0.5)
    _, labels, centers = cv2.kmeans(pixels, _COLORS, np.empty(0), criteria, 2, cv2.KMEANS_PP_CENTERS)
    shares = np.bincount(np.ravel(labels), minlength=_COLORS) / len(pixels)
    usual = centers[shares >= _RIM_SHARE]
    return np.asarray(np.min([np.linalg.norm(lab - color, axis=2) for color in usual], axis=0), dtype=np.float64)


def _find_things(image: BgrImage, is_known: Mask) -> Mask:
    lab = lab_of(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), dtype=np.uint8))
    height, width = is_known.shape
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    is_rim = is_known & (np.maximum(np.abs(rows), np.abs(columns)) > 0.6)
    if is_rim.sum() < _COLORS:
        return np.zeros_like(is_known)
    differs = (off_colors_of(lab, is_rim) > _DIFFERS) & is_known
    mask = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)) > 0)
