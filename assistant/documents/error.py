"""``sightline.error/1``: what stands in a batch where a photo could not be read."""

from __future__ import annotations

from typing import Any


def error_document(problem: Exception) -> dict[str, Any]:
    """The ``sightline.error/1`` document of a problem."""
    return {"format": "sightline.error/1", "error": str(problem)}
