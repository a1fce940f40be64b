"""What was written down in the match and acknowledged; none of it may ever be lost."""

from __future__ import annotations

import itertools
import re
import threading
from pathlib import Path

from assistant.store import Store
from tests.soak.program import MATCH, NoAnswer, Program

EVERY_S = 0.4
NOTE = re.compile(rb'"text":"soak (\d+)"')


class Ledger(threading.Thread):
    """Leaves a numbered note in the match again and again, and remembers which were acknowledged."""

    def __init__(self, program: Program) -> None:
        super().__init__(daemon=True)
        self._program = program
        self._ended = threading.Event()
        self.acknowledged: list[int] = []
        self.refused = 0

    def end(self) -> None:
        """Ends the writing."""
        self._ended.set()

    def run(self) -> None:
        """Writes until it is ended."""
        for number in itertools.count():
            if self._ended.wait(EVERY_S):
                return
            try:
                self._program.ask("/match/commands", {"type": "note", "text": f"soak {number}"})
                self.acknowledged.append(number)
            except NoAnswer:
                self.refused += 1

    def lost(self, folder: Path) -> list[int]:
        """The acknowledged notes that the stopped program's folder does not hold once each, in order."""
        with Store(folder) as store:
            found = [NOTE.search(line) for line in store.load(MATCH).lines[1:]]
        kept = [int(note[1]) for note in found if note]
        if kept != sorted(set(kept)):
            return sorted(set(self.acknowledged))  # a note twice, or out of order: nothing is to be trusted
        return sorted(set(self.acknowledged) - set(kept))
