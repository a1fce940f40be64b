"""Verifiable chance: dice and shuffles drawn from the match's own seed.

Each event draws from its own stream, derived from the seed and the event's number. So a replay reproduces the dice
without replaying earlier events. The seed stays in the header, which only the judge may read. Everyone sees its
commitment from the start.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")

_WORD_BYTES = 8


class Chance:
    """A stream of draws that depends on its seed alone: SHA-256 in counter mode.

    The standard library promises a stable ``random()``, but no stable shuffle across versions of Python. A match
    checked years later needs that.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = 0

    def below(self, limit: int) -> int:
        """Return a uniform number from 0 to ``limit`` - 1 (rejection sampling)."""
        span = 1 << (8 * _WORD_BYTES)
        usable = span - span % limit
        while True:
            word = self._word()
            if word < usable:
                return word % limit

    def die(self, sides: int = 6) -> int:
        """Return a roll of a die, from 1 to ``sides``."""
        return 1 + self.below(sides)

    def shuffled(self, items: Sequence[ItemT]) -> tuple[ItemT, ...]:
        """Return the items in random order (Fisher-Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def salt(self) -> str:
        """Return a seed for further draws: ``Chance(salt)``."""
        return f"{self._word():016x}"

    def _word(self) -> int:
        self._count += 1
        digest = hashlib.sha256(b"%s:%d" % (self._seed, self._count)).digest()
        return int.from_bytes(digest[:_WORD_BYTES], "big")


def chance_of_event(seed: str, seq: int) -> Chance:
    """Return the stream of draws for the event of that number."""
    return Chance(f"{seed}/{seq}")


def commit_to(seed: str) -> str:
    """Return the public commitment to a seed, which later proves that nobody changed it."""
    return hashlib.sha256(f"sightline seed {seed}".encode()).hexdigest()


def new_seed() -> str:
    """Return an unpredictable seed from the operating system. No replay repeats this draw."""
    return secrets.token_hex(16)
