"""Names for the arrays of the simulation; the docstring that uses one names its shape, unit and frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Vector = Sequence[float] | Floats
"""One point or direction, in whatever holds numbers."""

Integers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Image = NDArray[np.uint8]
"""8-bit display values, blue before green before red."""

Generator = np.random.Generator
"""Where chance comes from; always made from a seed."""
