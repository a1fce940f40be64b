"""Names for the arrays that pictures are kept in: rows before columns, OpenCV's channel order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

BgrImage = npt.NDArray[np.uint8]
"""(height, width, 3), blue before green before red."""

GrayImage = npt.NDArray[np.uint8]
"""(height, width)."""

Mask = npt.NDArray[np.bool_]
"""(height, width)."""

FloatImage = npt.NDArray[np.float32]
"""(height, width) or (height, width, channels)."""

Numbers = npt.NDArray[Any]
"""Numbers of whatever precision NumPy makes of them; the docstring names the shape."""
