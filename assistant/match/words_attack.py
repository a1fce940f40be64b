"""What the attack assistant says in Russian and Spanish."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.match.words import Words

WORDS: Mapping[str, Words] = {}
