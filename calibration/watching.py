"""Drift watcher of a live camera: check the calibration picture by picture.

``drift`` decides. This class keeps the tracked markers, the camera's first pose and the last second's events. A frame
takes ten to thirty milliseconds. There is no thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.errors import PhotoError, PoseAmbiguous
from assistant.table.camera import Calibration, CameraLens, TableMarkers
from calibration.arrays import BgrImage
from calibration.color import gray_from_bgr
from calibration.drift import (
    Alarm,
    DriftCorrection,
    DriftEvent,
    DriftState,
    FrameMeasurement,
    begin_watch,
    update_watch,
)
from calibration.marker_tracking import MarkerTracker
from calibration.picture_stats import picture_stats
from calibration.pose import CameraView, solve_view_at_any_zoom


@dataclass(frozen=True)
class DriftVerdict:
    """The state after a frame.

    Args:
        view: the camera's pose, or None until a frame has shown enough markers.
        calibration: where the markers lie, and the camera's lens, including corrections.
        alarms: all current problems, as the events that raised them, in the order of ``Alarm``.
        events: changes with this frame: alarms raised or over, and automatic corrections.
        is_trusted: whether a ruling on this frame needs no mark.
        is_calm: whether there is neither alarm nor suspicion, so that the next look may come later.
    """

    view: CameraView | None
    calibration: Calibration
    alarms: tuple[DriftEvent, ...]
    events: tuple[DriftEvent, ...]
    is_trusted: bool
    is_calm: bool


class DriftWatcher:
    """Watches one camera over one table.

    Args:
        table: where the markers lie.
        lens: the camera's lens. None estimates it from the first frame with enough markers.
    """

    def __init__(self, table: TableMarkers, lens: CameraLens | None) -> None:
        self._table = table
        self._lens = lens
        self._tracker = MarkerTracker(table, lens)
        self._watch: DriftState | None = None
        self._alarms: dict[str, DriftEvent] = {}

    def look(self, bgr_image: BgrImage, time_s: float) -> DriftVerdict:
        """Return the state after one more frame (height, width, 3), taken at ``time_s`` of a monotonic clock.

        Raise ``SizeMismatch`` if the frame's size does not fit the lens.
        """
        gray_image = gray_from_bgr(bgr_image)
        frame = FrameMeasurement(time_s, self._tracker.find(gray_image), picture_stats(bgr_image))
        if self._watch is None or (self._watch.lens.height_px, self._watch.lens.width_px) != gray_image.shape:
            return self._begun(frame, (gray_image.shape[1], gray_image.shape[0]))
        self._watch, events = update_watch(self._watch, frame)
        self._note(events)
        return self._verdict(self._watch, events)

    def _begun(self, frame: FrameMeasurement, image_wh: tuple[int, int]) -> DriftVerdict:
        """Begin with the first frame that shows the camera's pose, or raise the alarm about its markers."""
        try:
            view = solve_view_at_any_zoom(frame.sightings, self._table, self._lens, image_wh=image_wh)
        except PhotoError as problem:
            raised = DriftEvent(Alarm.MARKERS_DISAGREE if isinstance(problem, PoseAmbiguous) else Alarm.HIDDEN)
            over = [replace(event, is_over=True) for name, event in self._alarms.items() if name != raised.name]
            news = (*over,) if raised.name in self._alarms else (*over, raised)
            self._note(news)
            alarms = tuple(self._alarms.values())
            return DriftVerdict(
                None, Calibration(self._table, self._lens), alarms, news, is_trusted=False, is_calm=False
            )
        self._watch = begin_watch(self._table, view, frame)
        events = tuple(replace(event, is_over=True) for event in self._alarms.values())
        if self._lens is not None and view.lens != self._lens.scaled_to(*image_wh):
            events = (*events, DriftEvent(DriftCorrection.LENS_CHANGED))
        self._note(events)
        return self._verdict(self._watch, events)

    def _note(self, events: tuple[DriftEvent, ...]) -> None:
        """Update the current alarms."""
        for event in events:
            if event.is_over:
                self._alarms.pop(event.name, None)
            elif isinstance(event.kind, Alarm):
                self._alarms[event.name] = event

    def _verdict(self, watch: DriftState, events: tuple[DriftEvent, ...]) -> DriftVerdict:
        # Pictures of another size begin a new watch of the same table through the same lens.
        self._table, self._lens = watch.table, self._lens and watch.lens
        # An automatic correction ends its alarm silently.
        self._alarms = {name: event for name, event in self._alarms.items() if name in watch.raised}
        alarms = tuple(self._alarms.values())
        calibration = Calibration(self._table, self._lens)
        return DriftVerdict(watch.view, calibration, alarms, events, watch.is_trusted, watch.is_calm)
