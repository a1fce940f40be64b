"""Records the inputs of watching a table, so that a playback gives the same result."""

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
    """Writes frames and events to a file until it is full or cannot be written.

    Args:
        path: a new file; None records nothing.
        limit_bytes: the file's largest size.
        on_end: called once when the recording ends by itself, while watching continues.

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
        """Record a frame and return it as a playback will show it, since the file loses some quality."""
        self._lost = ""
        return self._write(lambda writer: writer.frame(frame)) or frame

    def lost(self, problem: CameraError) -> None:
        """Record a camera failure, once per fault."""
        if str(problem) != self._lost:
            self.event(camera_event(problem))
        self._lost = str(problem)

    def event(self, facts: Mapping[str, Any]) -> None:
        self._write(lambda writer: writer.event(facts))

    def table(self, board: Board, sequence: int) -> None:
        """Record the believed board of that frame number, which a playback compares."""
        figures = {figure.id: figure.cells for figure in board.figures}
        doors = {door.id: door.open for door in board.doors}
        self.event({"what": "table", "sequence": sequence, "figures": figures, "doors": doors})

    def close(self) -> None:
        """End the recording. Calling it again is harmless."""
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
    """Refuse to overwrite a file. An empty name records nothing.

    Raises:
        StoreError: there is a file of that name.
    """
    if record and os.path.exists(record):  # also refuses an impossible file name
        raise StoreError(said("{record} is there already; give the recording a new name", record=record))


def next_recorder(record: str, limit_bytes: int, problems: ProblemList) -> Recorder:
    """Return the recorder for a new watch.

    The first file of an evening has the plain name. Each reopening of the camera starts the next file, with a number
    appended to the name.

    Args:
        record: the name of the first file; empty records nothing.
        limit_bytes: each file's largest size.
        problems: reports the end of a recording.

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
        problems.report("recording", RecordingStopped())  # the evening goes on without a recording
        return Recorder()
    problems.clear("recording")
    return recorder
