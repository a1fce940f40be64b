"""What was learned and ships as a file: weights and tables in ``vision/data``."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def learned_bytes(name: str) -> bytes:
    """The bytes of a file of ``vision/data``."""
    return resources.files("vision").joinpath("data", name).read_bytes()


def learned_document(name: str) -> dict[str, Any]:
    """A JSON file of ``vision/data``."""
    document: dict[str, Any] = json.loads(learned_bytes(name))
    return document
