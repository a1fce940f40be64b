"""The rules of Roads: sight, moves, tests and close combat."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.options import read_options

OPTIONS = read_options("assistant.games.roads")

DEFAULTS: Mapping[str, str] = {option.name: option.default for option in OPTIONS}
"""The default choice of each house option."""
