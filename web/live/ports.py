"""How a phone's pictures reach the table."""

from __future__ import annotations

from collections.abc import Callable

TakePicture = Callable[[bytes], object]
"""Takes a JPEG as the table's camera would have brought it."""
