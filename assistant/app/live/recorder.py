"""Keeps what the watching of a table is made from, so that it can be played back with the same result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.errors import CameraError, CannotDo, RecordingFull, RecordingStopped, StoreError
from vision.live.frames import Frame
from vision.sources.recording import RecordingWriter
from vision.sources.replay import camera_event

DEFAULT_LIMIT_BYTES = 2 << 30


class Recorder:
    """Keeps frames and events in a file, until that is full or cannot be written any more.

    Args:
        path: a new file.
        limit_bytes: how large it may become.
        trouble: told once when the recording ends by itself; the watching goes on.

    Raises:
        StoreError: the file is there already, or cannot be written.
    """

    def __init__(self, path: Path, limit_bytes: int, trouble: Callable[[CannotDo], None]) -> None:
        self._writer: RecordingWriter | None = RecordingWriter(path, limit_bytes)
        self._limit_bytes = limit_bytes
        self._trouble = trouble

    @property
    def is_on(self) -> bool:
        """Whether anything is still kept."""
        return self._writer is not None

    def frame(self, frame: Frame) -> Frame:
        """Keeps a frame; what is judged from now on is what the recording shows in its place."""
        return self._kept(lambda writer: writer.frame(frame)) or frame

    def problem(self, problem: CameraError) -> None:
        """Keeps that the camera did not deliver."""
        self.event(camera_event(problem))

    def event(self, facts: Mapping[str, Any]) -> None:
        """Keeps what happened."""
        self._kept(lambda writer: writer.event(facts))

    def close(self) -> None:
        """Ends the recording; safe to call twice."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _kept(self, keep: Callable[[RecordingWriter], Frame | None]) -> Frame | None:
        writer = self._writer
        if writer is None:
            return None
        try:
            kept = keep(writer)
        except StoreError:
            self.close()
            self._trouble(RecordingStopped())
            return None
        if writer.is_full:
            self.close()
            self._trouble(RecordingFull(self._limit_bytes >> 20))
        return kept
