"""Reads the frames of a live camera, as far as camera, markers and light allow."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

from assistant.errors import CameraAlarm
from calibration.drift import Alarm
from calibration.watching import DriftVerdict, DriftWatcher
from vision.live.frames import Frame
from vision.live.incremental import FrameReading, LiveReader

CALM_S, ALERT_S = 0.4, 0.15
"""Seconds between two marker checks, while all is well and once something is suspected. ``calibration.drift`` accepts
what lasts 0.4 s, so an alarm comes within a second. A check takes some 30 ms of one core."""

NOTICE_S = 6.0
"""Seconds for which the page shows what was corrected automatically: long enough to read one sentence, and over within
ten seconds of the fault."""

CONFIRM_AFTER_S = 0.4
"""Seconds after everything came to rest until a remaining doubt is read again."""


@dataclass
class MarkerCheck:
    """Checks the calibration at a live camera's rate.

    Args:
        watcher: judges a frame in some ten milliseconds, too slow for every frame.
        is_trusted: whether no fault of the camera is known or suspected.
        notice: the current fault, or the last automatic correction for `NOTICE_S`; None while all is well.
        is_only_covered: whether covered markers are the only fault, so that the rest can still be read.
        put_right: the calibration if the last frame led to a correction: camera, markers or light had changed.
    """

    watcher: DriftWatcher
    is_trusted: bool = False
    notice: CameraAlarm | None = None
    is_only_covered: bool = False
    put_right: DriftVerdict | None = None
    _due_s: float = float("-inf")
    _notice_until_s: float = float("inf")

    def look(self, frame: Frame) -> None:
        """Judge the frame if a check is due.

        Raises:
            SizeMismatch: its size does not fit the lens.
        """
        self.put_right = None
        if frame.monotonic_s < self._due_s:
            return
        self.is_trusted = self.is_only_covered = False  # also if judging fails
        self._due_s = frame.monotonic_s + ALERT_S
        verdict = self.watcher.look(frame.image_bgr, frame.monotonic_s)
        if verdict.is_calm:
            self._due_s = frame.monotonic_s + CALM_S
        self.is_trusted = verdict.is_trusted
        self.is_only_covered = bool(verdict.alarms) and all(alarm.kind is Alarm.HIDDEN for alarm in verdict.alarms)
        self._note(verdict, frame.monotonic_s)

    def _note(self, verdict: DriftVerdict, time_s: float) -> None:
        raised = {alarm.name for alarm in verdict.alarms}
        put_right = [event for event in verdict.events if not event.is_over and event.name not in raised]
        self.put_right = verdict if put_right else None
        if verdict.alarms or put_right:
            event = verdict.alarms[0] if verdict.alarms else put_right[-1]
            self.notice = CameraAlarm(event.sentence)
            self._notice_until_s = time_s if verdict.alarms else time_s + NOTICE_S
        elif time_s >= self._notice_until_s:
            self.notice = None


@dataclass
class LiveFrameReader:
    """Reads frame after frame, and rereads where the table or the camera has changed.

    Args:
        reader: reads a frame.
        turn: lock held while a frame is read.
        markers: checks the calibration; None leaves this to the reader.
        frame: the last frame that was read; None before the first.
        reading: its reading.
    """

    reader: LiveReader
    turn: AbstractContextManager[object]
    markers: MarkerCheck | None = None
    frame: Frame | None = None
    reading: FrameReading | None = None
    _confirm_due_s: float = float("inf")

    def is_in_place(self, frame: Frame) -> bool:
        """Return whether camera, markers and light are unchanged or were corrected. A correction rereads everything.

        Raises:
            SizeMismatch: the frame's size does not fit the lens.
        """
        if frame.is_photo:  # no fixed viewpoint to check
            if self.frame is None or frame.image_bgr is not self.frame.image_bgr:
                self.reader.forget()
            return True
        if self.markers is None:
            return True
        self.markers.look(frame)
        if self.markers.put_right is not None:
            self.reader.recalibrate(self.markers.put_right.calibration)
        return self.markers.is_trusted

    @property
    def is_reached_over(self) -> bool:
        """Whether something such as an arm covers markers of a table that was read before.

        Figures are still tracked meanwhile, and nothing is stated as sure.
        """
        return self.reading is not None and self.markers is not None and self.markers.is_only_covered

    def read(self, frame: Frame) -> tuple[FrameReading, bool]:
        """Return the frame's reading, and whether the camera looks from another place than before.

        Raises:
            PhotoError: the table cannot be read from it.
        """
        with self.turn:
            reading = self.reader.look(frame)
        is_other_view = self.reading is None or reading.view != self.reading.view
        self.reading, self.frame = reading, frame
        return reading, is_other_view

    def rest(self, frame: Frame) -> None:
        """Postpone the next confirmation, because all is still and believed."""
        self._confirm_due_s = frame.monotonic_s + CONFIRM_AFTER_S

    def doubt(self, reading: FrameReading, *, is_board_unsettled: bool) -> None:
        """Reread a still picture once if what it shows is not believed by now."""
        if not reading.is_current:
            self._confirm_due_s = reading.look.time_s + CONFIRM_AFTER_S
        elif reading.look.time_s >= self._confirm_due_s:
            self._confirm_due_s = reading.look.time_s + CONFIRM_AFTER_S
            if is_board_unsettled:
                # A board whose cells glare cut off stays consistent with itself for ever. Only a reading of the whole
                # picture reveals it.
                self.reader.renew()
            else:
                self.reader.confirm()
