"""The rules of DOOM (2004): sight, moves, blasts and the arithmetic of attacks."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rules.options import read_options

OPTIONS = read_options("assistant.games.doom2004")

DEFAULTS: Mapping[str, str] = {option.name: option.default for option in OPTIONS}
"""The default choice of each house option."""
