"""What of a watching is kept, each thing at its place between the frames: written where somebody wanted a recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.app.live.recorder import Recorder
from assistant.errors import CameraError
from assistant.table.board import Board
from vision.live.frames import Frame


@dataclass
class WatchLog:
    """Keeps what happens.

    Args:
        recorder: what keeps it; None keeps nothing.
    """

    recorder: Recorder | None = None
    _lost: str = ""

    def frame(self, frame: Frame) -> Frame:
        """Keeps a frame; what is judged from now on is the frame that comes back."""
        self._lost = ""
        return frame if self.recorder is None else self.recorder.frame(frame)

    def missed(self, problem: CameraError) -> None:
        """Keeps that the camera did not deliver, once for each thing that ails it."""
        if self.recorder is not None and str(problem) != self._lost:
            self.recorder.problem(problem)
        self._lost = str(problem)

    def event(self, facts: Mapping[str, Any]) -> None:
        """Keeps what happened."""
        if self.recorder is not None:
            self.recorder.event(facts)

    def table(self, board: Board | None, sequence: int) -> None:
        """Keeps what is believed to lie on the table with the frame of that number; playing back compares it."""
        if board is not None and self.recorder is not None:
            figures = {figure.id: figure.cells for figure in board.figures}
            doors = {door.id: door.open for door in board.doors}
            self.event({"what": "table", "sequence": sequence, "figures": figures, "doors": doors})

    def close(self) -> None:
        """Ends the recording."""
        if self.recorder is not None:
            self.recorder.close()
