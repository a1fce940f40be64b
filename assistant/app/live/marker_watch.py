"""Looks now and then whether camera, markers and light are as they were, and words it for the page."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import CameraAlarm
from calibration.drift import Alarm
from calibration.watching import DriftVerdict, DriftWatcher
from vision.live.frames import Frame

CALM_S, ALERT_S = 0.4, 0.15
"""How often the markers are looked at: while all is well, and once something is suspected; what lasts for 0.4 s is
believed (``calibration.drift``), so an alarm is raised within a second. Each look takes some 30 ms of a core."""

TOLD_S = 6.0
"""How long the page tells of something that was put right by itself: one sentence, long enough to be read, and over
within ten seconds of the fault, as all of the table is."""


@dataclass
class MarkerWatch:
    """The watcher of the calibration at a live camera's pace.

    Args:
        watcher: judges a frame in some ten milliseconds, too much for every one.
        is_trusted: whether nothing is wrong, and nothing suspected of the camera.
        notice: what is wrong, or what was put right a moment ago; None while all is well.
        is_only_covered: whether markers are covered and nothing else is wrong, so that the rest may still be looked at.
        was_put_right: whether the last frame showed that camera, markers or light are others than before.
    """

    watcher: DriftWatcher
    is_trusted: bool = False
    notice: CameraAlarm | None = None
    is_only_covered: bool = False
    was_put_right: bool = False
    _due_s: float = float("-inf")
    _told_until_s: float = float("inf")

    def look(self, frame: Frame) -> None:
        """Judges the frame if it is time to.

        Raises:
            SizeMismatch: its size does not fit the lens.
        """
        self.was_put_right = False
        if frame.monotonic_s < self._due_s:
            return
        self.is_trusted = self.is_only_covered = False  # also where judging fails
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
        self.was_put_right = bool(put_right)
        if verdict.alarms or put_right:
            event = verdict.alarms[0] if verdict.alarms else put_right[-1]
            self.notice = CameraAlarm(event.sentence)
            self._told_until_s = time_s if verdict.alarms else time_s + TOLD_S
        elif time_s >= self._told_until_s:
            self.notice = None
