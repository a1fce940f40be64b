"""Colours of the print in a photo: how much of a colour's difference from grey the photo still shows.

Night mode, a filter or fading takes colours away. The known print shows how much is left, and the rims
of bases lose as much. Faded colours are restored. Colours that noise hides are not (Wiener's filter: the share of
signal in signal and noise), and rims are then no evidence for one ring rather than another. Sheen on the tiles is no
loss of colours: it dulls the print's brightness as much, and no rim.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from jaxtyping import Float

from calibration.arrays import BgrImage, Numbers
from calibration.color import gamma_from_light, light_from_gamma
from vision.evidence.rim_colors import AXES, FLOOR, colors_of_levels, rim_model
from vision.tiles.board_view import BoardView
from vision.tiles.cells import CLEAR_PRINT, COMPARED_PX

_NOISE = 0.05
"""Standard deviation of a colour as a logarithm by noise and JPEG, 0.02 to 0.05 on photos turned into sepia."""

_PRINT_NOISE = 0.02
"""The same of a print, as taught. A print of less colour tells nothing."""

_USUAL_CORRELATION = 0.67
"""Correlation of the colours of photo and print, 0.63 to 0.77 on ray-traced photos. Colours that agree less are those
of another finish of the tiles, not lost ones."""

_KEPT_RATIO = 0.63
"""Ratio of the gain of colours to that of brightness below which a photo lost colours. On 51 of 54 ray-traced photos,
with and without sheen, it is .65 or more, on a simulated one with a fifth of its colours left .2."""

_LEAST_LIGHT = 0.2
"""Least gain of brightness that measures sheen. On the glossiest of 66 ray-traced photos it is .29."""


@dataclass(frozen=True)
class KeptColors:
    """How a photo shows colours.

    Args:
        gain: difference from grey in the photo over that of the print, as logarithms, without what sheen takes of it.
            At most ``usual``.
        usual: the same in usual photos, for rims and prints alike.
    """

    gain: float
    usual: float

    @property
    def evidence(self) -> float:
        """The share of the evidence of colours that is left, 0 to 1."""
        return self._restoring * self.gain / self.usual

    def restored(self, image: BgrImage) -> BgrImage:
        """Return the picture with colours as in usual photos, as far as they exceed the noise."""
        if self.gain == self.usual:
            return image
        colors = colors_of_levels(image)
        colors[..., 1:] *= self._restoring
        return gamma_from_light(np.exp(colors @ AXES) - FLOOR)

    @property
    def _restoring(self) -> float:
        signal, usual = self.gain**2, self.usual**2
        return self.gain / self.usual * (usual + _NOISE**2) / (signal + _NOISE**2)


def print_colors(board: BoardView) -> KeptColors:
    """Measure how the photo shows the colours of the print, where the print is clear. It is as usual if none is."""
    usual = float(rim_model().color.mean[-1])
    if max(board.likeness.values()) < CLEAR_PRINT:  # a part under a crowd shows bodies, not print
        return KeptColors(usual, usual)
    seen_image = gamma_from_light(light_from_gamma(board.ground_image) / board.gain)
    boxes = [board.box_px(cell) for cell in board.clear_cells]
    printed, seen = (
        np.concatenate([_colors_of_cell(image[box]) for box in boxes]) for image in (board.print_image, seen_image)
    )
    printed, seen = (colors - colors.mean(axis=0) for colors in (printed, seen))
    of_print, of_photo, of_both = ((a * b).mean(axis=0) for a, b in ((printed, printed), (seen, seen), (printed, seen)))
    (light, color), (_, color_of_photo), (shared_light, shared) = (
        (float(axes[0]), float(axes[1:].mean())) for axes in (of_print, of_photo, of_both)
    )
    by_spread = _USUAL_CORRELATION * math.sqrt(color * max(color_of_photo - _NOISE**2, 0.0))
    gain = (max(shared, by_spread) + usual * _PRINT_NOISE**2) / (color + _PRINT_NOISE**2)
    of_light = (shared_light + _PRINT_NOISE**2) / (light + _PRINT_NOISE**2)
    if of_light >= _LEAST_LIGHT:
        gain = max(gain, usual * gain / of_light / _KEPT_RATIO)
    return KeptColors(min(gain, usual), usual)


def _colors_of_cell(image: BgrImage) -> Float[Numbers, "n 3"]:
    small = cv2.resize(image, (COMPARED_PX, COMPARED_PX), interpolation=cv2.INTER_AREA)
    return colors_of_levels(np.asarray(small, dtype=np.uint8)).reshape(-1, 3)
