"""Array types: the element type for the type checker, the shape for readers and tests.

``Float64[Doubles, "n 2"]`` is an array of N rows and two columns: ``Doubles`` is all that a type checker sees. The
words after it name each axis. A number is that axis' length. A name stands for one length throughout a signature or
class, unless it begins with an underscore. ``*name`` stands for any number of axes. A shape of one word has a space
before it, because linters would otherwise read it as a name. The program checks nothing at run time. ``make shapes``
runs the tests with every shape checked on every call.

The annotated name states unit and frame: ``points_mm`` are on the table, ``corners_px`` in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float32, Float64, Num, UInt8

Numbers = npt.NDArray[Any]
"""Numbers of any precision."""

Floats = npt.NDArray[np.floating[Any]]
Doubles = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
ComplexNumbers = npt.NDArray[np.complex128]
ComplexSingles = npt.NDArray[np.complex64]
Integers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]

Levels = npt.NDArray[np.uint8]
"""Display values from 0 to 255."""

Points = Float64[Doubles, "_n 2"]
"""Points in a plane, x before y."""

PointsLike = Num[Numbers, "_n 2"] | Sequence[tuple[float, float]]
"""Points of any precision, or pairs of numbers."""

Corners = Float64[Doubles, "4 2"]
"""The corners of a marker or sheet in OpenCV's order: top left, top right, bottom right, bottom left as printed."""

BgrImage = UInt8[np.ndarray[tuple[int, int, int], np.dtype[np.uint8]], "_height _width 3"]
"""Display values, blue before green before red. ``color`` explains how a type checker distinguishes it from a
``GrayImage``."""

GrayImage = UInt8[np.ndarray[tuple[int, int], np.dtype[np.uint8]], "_height _width"]
"""Brightness, 0 black to 255 white; also a mask of 0 and 255 or 1, as OpenCV wants it."""

FloatImage = Float32[Singles, "_height _width"]
"""One number for each pixel."""

ColorImage = Float32[Singles, "_height _width 3"]
"""Three numbers for each pixel, blue before green before red."""

Mask = Bool[Flags, "_height _width"]
"""Selected pixels."""
