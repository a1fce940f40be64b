"""The array types of this room."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""Points as (N, 2), x before y; also small matrices over the same numbers."""

GrayImage = npt.NDArray[np.uint8]
"""One channel, (height, width), 0 black to 255 white."""
