"""The arrays of the simulation, which calculates in whatever precision is enough; see ``calibration.arrays``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Num

from calibration.arrays import Floats, Numbers

LightImage = Float[Floats, "_height _width 3"]
"""Linear light, blue before green before red, 1 for what a white sheet throws back in full light."""

FloatMap = Float[Floats, "_height _width"]
"""One number for each pixel."""

Vector = Sequence[float] | Num[Numbers, " 3"]
"""One point or direction in space, in whatever holds numbers."""

Generator = np.random.Generator
"""Where chance comes from; always made from a seed."""
