"""Records what the watching of a table is made from, so that it can be played back with the same result."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.app.problems import ProblemList
from assistant.errors import CameraError, CannotDo, RecordingFull, RecordingStopped, StoreError
from assistant.table.board import Board
from assistant.translations.messages import said
from vision.live.frames import Frame
from vision.sources.recording import RecordingWriter
from vision.sources.replay import camera_event

DEFAULT_LIMIT_BYTES = 2 << 30


class Recorder:
    """Writes frames and events to a file until the file is full or cannot be written.

    Args:
        path: a new file; None records nothing.
        limit_bytes: the file's largest size.
        on_end: called once when the recording ends by itself; the watching goes on.

    Raises:
        StoreError: the file exists already, or cannot be written.
    """

    def __init__(
        self,
        path: Path | None = None,
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
        on_end: Callable[[CannotDo], None] = lambda _: None,
    ) -> None:
        self._writer = None if path is None else RecordingWriter(path, limit_bytes)
        self._limit_bytes = limit_bytes
        self._on_end = on_end
        self._lost = ""

    @property
    def is_on(self) -> bool:
        return self._writer is not None

    def frame(self, frame: Frame) -> Frame:
        """Return the frame to go on with: as a playback will show it, because the file loses some of its quality."""
        self._lost = ""
        return self._write(lambda writer: writer.frame(frame)) or frame

    def lost(self, problem: CameraError) -> None:
        """Record that the camera did not deliver, once for each fault."""
        if str(problem) != self._lost:
            self.event(camera_event(problem))
        self._lost = str(problem)

    def event(self, facts: Mapping[str, Any]) -> None:
        self._write(lambda writer: writer.event(facts))

    def table(self, board: Board, sequence: int) -> None:
        """Record the board that is believed with the frame of that number; a playback compares it."""
        figures = {figure.id: figure.cells for figure in board.figures}
        doors = {door.id: door.open for door in board.doors}
        self.event({"what": "table", "sequence": sequence, "figures": figures, "doors": doors})

    def close(self) -> None:
        """End the recording; safe to call twice."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _write(self, write: Callable[[RecordingWriter], Frame | None]) -> Frame | None:
        writer = self._writer
        if writer is None:
            return None
        try:
            written = write(writer)
        except StoreError:
            self.close()
            self._on_end(RecordingStopped())
            return None
        if writer.is_full:
            self.close()
            self._on_end(RecordingFull(self._limit_bytes >> 20))
        return written


def require_new(record: str) -> None:
    """Make sure that nothing is recorded over; an empty name records nothing.

    Raises:
        StoreError: there is a file of that name.
    """
    if record and os.path.exists(record):  # also refuses what cannot be a name
        raise StoreError(said("{record} is there already; give the recording a new name", record=record))


def next_recorder(record: str, limit_bytes: int, problems: ProblemList) -> Recorder:
    """Return the recorder of a new watching.

    The first file of an evening has the name itself. Each time that the camera is opened again begins the next file,
    with a number behind its name.

    Args:
        record: the name of the first file; empty records nothing.
        limit_bytes: each file's largest size.
        problems: where the end of a recording is reported.

    Raises:
        StoreError: the first file cannot be written.
    """
    if not record:
        return Recorder()
    path = Path(record)
    further = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    free = path if not os.path.exists(path) else next(name for name in further if not os.path.exists(name))
    try:
        recorder = Recorder(free, limit_bytes, lambda problem: problems.report("recording", problem))
    except StoreError:
        if free == path:
            raise
        problems.report("recording", RecordingStopped())  # better an evening without a recording than its end
        return Recorder()
    problems.clear("recording")
    return recorder
