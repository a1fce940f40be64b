"""The pictures of this room that are not made of bytes; for all others see ``calibration.arrays``."""

from __future__ import annotations

from jaxtyping import Float32

from calibration.arrays import Singles

FloatImage = Float32[Singles, "_height _width"]
"""One number for each pixel."""

ColorImage = Float32[Singles, "_height _width 3"]
"""Three numbers for each pixel, blue before green before red."""
