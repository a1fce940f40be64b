"""Verifiable chance: dice and shuffles drawn from the match's own seed.

Each event of a match draws from a stream of its own, made from the seed and the event's number, so
that a replay finds the same dice without replaying what came before. The seed stays in the header of
the match, which only the judge may read; everyone sees its commitment from the start.
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

    The standard library promises a stable ``random()``, but not that a shuffle stays the same from one
    version of Python to the next, which a match that is checked years later needs.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = 0

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1, each as likely as the other (rejection sampling)."""
        span = 1 << (8 * _WORD_BYTES)
        usable = span - span % limit
        while True:
            word = self._word()
            if word < usable:
                return word % limit

    def die(self, sides: int = 6) -> int:
        """A roll of a die, from 1 to ``sides``."""
        return 1 + self.below(sides)

    def shuffled(self, items: Sequence[ItemT]) -> tuple[ItemT, ...]:
        """The items in random order (Fisher-Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def salt(self) -> str:
        """A word from which further draws can be made: ``Chance(salt)``."""
        return f"{self._word():016x}"

    def _word(self) -> int:
        self._count += 1
        digest = hashlib.sha256(b"%s:%d" % (self._seed, self._count)).digest()
        return int.from_bytes(digest[:_WORD_BYTES], "big")


def chance_of_event(seed: str, seq: int) -> Chance:
    """The stream from which the event of that number draws."""
    return Chance(f"{seed}/{seq}")


def commit_to(seed: str) -> str:
    """The public commitment to a seed, which proves afterwards that nobody changed it."""
    return hashlib.sha256(f"sightline seed {seed}".encode()).hexdigest()


def new_seed() -> str:
    """An unpredictable seed from the operating system: the only draw that no replay repeats."""
    return secrets.token_hex(16)
