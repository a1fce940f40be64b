"""Strips round bases: the surroundings of a base's edge unrolled, as the ring network and the measure of rims see them.

In an unrolled strip, read along outlines moved inwards and outwards from the base's edge, a ring is a stripe, which
waves where the base is off the middle. Colours are relative to the ring in question, so that one network serves rings
of every colour: the distance from grey towards that colour, the distance beside it, and the difference in brightness.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from jaxtyping import Float, Float32, UInt8

from calibration.arrays import BgrImage, Numbers, Singles
from calibration.color import bgr_from_hex, hue_plane, light_from_gamma
from vision.evidence.bases import BaseFootprint, Stand
from vision.evidence.patches import BODY_HEIGHT_MM, leaning_axes, leans_mm
from vision.photo.paper_light import LIGHT_NOISE
from vision.tiles.board_view import BoardView

ANGLES, INSETS = 48, 16
INSETS_MM = np.linspace(-4.8, 6.0, INSETS)
"""Insets of the strip's rows. They reach from outside a base that stands 3.6 mm off to the inner edge of a ring that is
as far off the other way."""

CHANNELS = 10
"""Input channels. Of the photo (5): colour towards and beside the ring's, the first minus the ring's own, brightness
relative to the ring's, and brightness. Of the print the same without the difference and the absolute brightness (3). Of
the ring: its distance from grey, and its brightness (2)."""

_BLUR_PX = 0.8

_GREY = 0.15
"""Distance from grey below which a ring has no direction of colour."""


def ring_strips(
    seen_image: BgrImage, print_image: BgrImage, board: BoardView, stands: Sequence[Stand]
) -> UInt8[Numbers, "n 2 16 48 3"]:
    """Return the strips of photo and print as bytes. Columns run round the base, rows inwards.

    Both images show the board at the height of the bases' tops, the photo in print colours.
    """
    if not stands:
        return np.zeros((0, 2, INSETS, ANGLES, 3), dtype=np.uint8)
    columns_px, rows_px = np.moveaxis(_places_px(board, stands), -1, 0)
    strips = [
        cv2.remap(cv2.GaussianBlur(image, (0, 0), _BLUR_PX), columns_px, rows_px, cv2.INTER_LINEAR)
        for image in (seen_image, print_image)
    ]
    return np.stack([np.asarray(strip).reshape(-1, INSETS, ANGLES, 3) for strip in strips], axis=1)


def _places_px(board: BoardView, stands: Sequence[Stand]) -> Float32[Singles, "rows 48 2"]:
    """Return the place in the board's frame of each pixel of the strips."""
    middles = np.array([stand.middle for stand in stands])
    leans = leans_mm(board, middles, BODY_HEIGHT_MM)
    centers_px = board.frame_from_lattice(middles)
    outlines = [
        _outlines_mm(stand.shape, leaning_axes(np.array([1.0, 0.0]), lean))
        for stand, lean in zip(stands, leans, strict=True)
    ]
    places_px = centers_px[:, None, None, :] + np.array(outlines) * board.px_per_mm
    return np.ascontiguousarray(places_px.reshape(-1, ANGLES, 2), dtype=np.float32)


def _outlines_mm(shape: BaseFootprint, axes: Float[Numbers, "2 2"]) -> Float[Numbers, "16 48 2"]:
    """Return points round the base along the lattice axes, from its middle. It leans to the right and up."""
    unit = directions()
    if not shape.is_round:
        unit /= np.abs(unit).max(axis=1, keepdims=True)
    half = np.abs(axes) @ np.array(shape.size_mm) / 2 - INSETS_MM[:, None]
    points: Numbers = unit[None] * half[:, None, :] @ axes
    return points


def directions() -> Float[Numbers, "48 2"]:
    """Return the direction of each column of a strip from the base's middle, as unit vectors."""
    angle = (np.arange(ANGLES) + 0.5) * (2 * np.pi / ANGLES)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def side_normals() -> Float[Numbers, "48 2"]:
    """Return the outward normal of the side of a rectangle in each column."""
    unit = directions()
    return np.where(np.abs(unit) == np.abs(unit).max(axis=1, keepdims=True), np.sign(unit), 0.0)


def ring_inputs(strips: UInt8[Numbers, "n 2 16 48 3"], colors: Sequence[str]) -> Float32[Singles, "n colors 10 16 48"]:
    """Return the network's inputs for each strip and each of the colours."""
    rings = np.array([bgr_from_hex(color) for color in colors], dtype=np.uint8)
    inputs = relative_strips(np.repeat(strips, len(colors), axis=0), np.tile(rings, (len(strips), 1)))
    return inputs.reshape(len(strips), len(colors), CHANNELS, INSETS, ANGLES)


def relative_strips(
    strips: UInt8[Numbers, "n 2 16 48 3"], rings_bgr: UInt8[Numbers, "n 3"]
) -> Float32[Singles, "n 10 16 48"]:
    """Return the network's input for each strip and its own ring colour."""
    light, ring_light = light_from_gamma(strips), light_from_gamma(rings_bgr)
    bright, ring_bright = light.mean(axis=-1) + LIGHT_NOISE, ring_light.mean(axis=-1) + LIGHT_NOISE
    chroma, ring_chroma = hue_plane(light) / bright[..., None], hue_plane(ring_light) / ring_bright[:, None]
    length = np.hypot(ring_chroma[:, 0], ring_chroma[:, 1])
    towards = np.where((length > _GREY)[:, None], ring_chroma / np.maximum(length, _GREY)[:, None], (1.0, 0.0))
    c, s = (part[:, None, None, None] for part in towards.T)
    along, beside = chroma[..., 0] * c + chroma[..., 1] * s, chroma[..., 1] * c - chroma[..., 0] * s
    log_bright, log_ring = np.log(bright), np.log(ring_bright)
    inputs = np.empty((len(strips), CHANNELS, INSETS, ANGLES), dtype=np.float32)
    inputs[:, 0], inputs[:, 1], inputs[:, 2] = along[:, 0], beside[:, 0], along[:, 0] - length[:, None, None]
    inputs[:, 3], inputs[:, 4] = log_bright[:, 0] - log_ring[:, None, None], log_bright[:, 0]
    inputs[:, 5], inputs[:, 6], inputs[:, 7] = along[:, 1], beside[:, 1], log_bright[:, 1]
    inputs[:, 8], inputs[:, 9] = length[:, None, None], log_ring[:, None, None]
    return inputs
