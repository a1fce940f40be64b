"""Array types of the simulation, of any precision (see ``calibration.arrays``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Num

from calibration.arrays import Floats, Numbers

LightImage = Float[Floats, "_height _width 3"]
"""Linear light, blue-green-red. 1 is a white sheet in full light."""

FloatMap = Float[Floats, "_height _width"]
"""One number per pixel."""

Vector = Sequence[float] | Num[Numbers, " 3"]
"""One point or direction in space."""

Generator = np.random.Generator
"""Random numbers, always from a seed."""
