"""The files of one evening's recording: the first has the name that was asked for, the further ones a number."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from assistant.app.live.recorder import Recorder
from assistant.app.problems import ProblemBoard
from assistant.errors import CannotDo, RecordingStopped, StoreError
from assistant.translations.messages import said


def new_recording(record: str) -> None:
    """Makes sure that nothing is recorded over; an empty name records nothing.

    Raises:
        StoreError: there is a file of that name.
    """
    if record and os.path.exists(record):  # also says no to what cannot be a name
        raise StoreError(said("{record} is there already; give the recording a new name", record=record))


def next_recorder(record: str, limit_bytes: int, board: ProblemBoard) -> Recorder | None:
    """What records a watching; None where nothing is to be recorded, or no further file can be begun.

    Whoever looks again from the page begins a new watching, and with it the next file of the same evening.

    Args:
        record: the name of the first file; empty where nothing is to be recorded.
        limit_bytes: how large each file may become.
        board: told when a recording ends by itself, and when a new one begins.

    Raises:
        StoreError: the first file cannot be written.
    """
    if not record:
        return None
    path = Path(record)
    further = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    free = path if not os.path.exists(path) else next(name for name in further if not os.path.exists(name))

    def trouble(problem: CannotDo) -> None:
        board.report("recording", problem)

    try:
        recorder = Recorder(free, limit_bytes, trouble)
    except StoreError:
        if free == path:
            raise
        trouble(RecordingStopped())  # an evening that goes on without is better than one that ends
        return None
    board.clear("recording")
    return recorder
