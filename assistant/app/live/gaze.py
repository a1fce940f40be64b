"""Where and when the table is looked at: through the eye, as far as camera, markers and light allow."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from assistant.app.live.marker_watch import MarkerWatch
from assistant.app.problems import ProblemBoard
from vision.live.frames import Frame
from vision.live.incremental import FrameReading

CONFIRM_AFTER_S = 0.4
"""So long after all has come to rest, what is still doubted is looked at again."""


class Eye(Protocol):
    """Reads the frames of one camera, one after the other."""

    def look(self, frame: Frame) -> FrameReading:
        """What the frame says.

        Raises:
            PhotoError: the table cannot be read from it.
        """

    def forget(self) -> None:
        """Reads everything anew with the next frame, whatever lies over it: another photo, from another place."""

    def renew(self) -> None:
        """Reads everything anew as soon as the picture stands still: camera, table or light are not what they were."""

    def confirm(self) -> None:
        """Reads the cells once more, one witness more for what somebody does not believe yet."""


@dataclass
class Gaze:
    """Looks at one frame after the other.

    Args:
        eye: what reads them.
        reading: held while a frame is read.
        markers: tells whether the calibration still holds; None leaves that to the reading.
        frame: the newest frame that was read; None before the first.
        glance: what it said.
    """

    eye: Eye
    reading: AbstractContextManager[object]
    markers: MarkerWatch | None = None
    frame: Frame | None = None
    glance: FrameReading | None = None
    _confirm_due_s: float = float("inf")

    def is_in_place(self, frame: Frame) -> bool:
        """Whether camera, markers and light are as they were, or were put right; then everything is read anew.

        Raises:
            SizeMismatch: the frame's size does not fit the lens.
        """
        if frame.is_photo:  # taken from wherever a person stands
            if self.frame is None or frame.image_bgr is not self.frame.image_bgr:
                self.eye.forget()
            return True
        if self.markers is None:
            return True
        self.markers.look(frame)
        if self.markers.was_put_right:
            self.eye.renew()
        return self.markers.is_trusted

    @property
    def is_reached_over(self) -> bool:
        """Whether something, such as an arm, covers markers of a table that is known: who moves what is still followed.

        Nothing is given as sure meanwhile.
        """
        return self.glance is not None and self.markers is not None and self.markers.is_only_covered

    def look(self, frame: Frame) -> tuple[FrameReading, bool]:
        """What the frame says, and whether the camera looks from another place than before.

        Raises:
            PhotoError: the table cannot be read from it.
        """
        with self.reading:
            glance = self.eye.look(frame)
        is_other_view = self.glance is None or glance.view != self.glance.view
        self.glance, self.frame = glance, frame
        return glance, is_other_view

    def rest(self, frame: Frame) -> None:
        """All is still and believed; what is doubted from now on is looked at again after a while."""
        self._confirm_due_s = frame.monotonic_s + CONFIRM_AFTER_S

    def doubt(self, glance: FrameReading, *, is_board_unsettled: bool) -> None:
        """Asks for one more witness where the picture is still and what it shows is not believed."""
        if not glance.is_current:
            self._confirm_due_s = glance.look.time_s + CONFIRM_AFTER_S
        elif glance.look.time_s >= self._confirm_due_s:
            self._confirm_due_s = glance.look.time_s + CONFIRM_AFTER_S
            if is_board_unsettled:
                # Cells of a board that glare cut short agree with themselves for ever; only a whole picture tells.
                self.eye.renew()
            else:
                self.eye.confirm()

    def tell(self, board: ProblemBoard) -> None:
        """Says what the markers tell, or that all is well with them."""
        notice = None if self.markers is None else self.markers.notice
        if notice is not None:
            board.report("table", notice)
        elif self.markers is None or self.markers.is_trusted:
            board.clear("table")
