"""Notes written to the match and acknowledged; none of them may ever be lost."""

from __future__ import annotations

import itertools
import re
import threading
from collections import Counter
from pathlib import Path

from assistant.store import Store
from tests.soak.program import MATCH, NoAnswer, Program

RANGE = 1_000_000
NOTE = re.compile(rb'"text":"soak (\d+)"')


class Ledger(threading.Thread):
    """Leaves a numbered note in the match at intervals, and remembers the acknowledged ones.

    Several may write at once; each has ``RANGE`` numbers from its own ``first``.
    """

    def __init__(self, program: Program, every_s: float = 0.4, first: int = 0) -> None:
        super().__init__(daemon=True)
        self._program, self._every_s, self._first = program, every_s, first
        self._ended = threading.Event()
        self.acknowledged: list[int] = []
        self.refusals: Counter[tuple[object, ...]] = Counter()
        """Counts of refusals by status and words; status 0 means no answer."""

    def end(self) -> None:
        """End the writing."""
        self._ended.set()

    def run(self) -> None:
        """Write until it is ended."""
        for number in itertools.count(self._first):
            if self._ended.wait(self._every_s):
                return
            try:
                self._program.ask("/match/commands", {"type": "note", "text": f"soak {number}"})
                self.acknowledged.append(number)
            except NoAnswer as problem:
                self.refusals[problem.args] += 1

    def lost(self, folder: Path) -> list[int]:
        """Return the acknowledged notes that the stopped program's folder does not hold once each, in order."""
        with Store(folder) as store:
            found = [NOTE.search(line) for line in store.load(MATCH).lines[1:]]
        kept = [number for note in found if note and 0 <= (number := int(note[1])) - self._first < RANGE]
        if kept != sorted(set(kept)):
            return sorted(set(self.acknowledged))  # a note twice, or out of order: nothing is to be trusted
        return sorted(set(self.acknowledged) - set(kept))
