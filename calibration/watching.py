"""The watcher of a live camera: one picture after the other in, whether the calibration still holds out.

``drift`` decides; this holds what it needs from frame to frame: the tracked markers, the first place of the camera,
and the last second's events. It takes some ten to thirty milliseconds a frame and starts nothing by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.errors import PhotoError
from assistant.table.camera import CameraLens, TableMarkers
from calibration.arrays import BgrImage
from calibration.color import gray_from_bgr
from calibration.drift import Alarm, DriftEvent, DriftState, FrameMeasurement, begin_watch, update_watch
from calibration.marker_tracking import MarkerTracker
from calibration.picture_stats import picture_stats
from calibration.pose import CameraView, solve_view


@dataclass(frozen=True)
class DriftVerdict:
    """What holds after a frame.

    Args:
        view: where the camera is; None until a frame has shown enough markers.
        table: where the markers lie, with those put right that were moved.
        alarms: everything that is wrong now, as the events that raised it, in the order of ``Alarm``.
        events: what was noticed with this very frame: alarms raised or over, and what was put right by itself.
        is_trusted: whether a ruling on this frame needs no mark.
        is_calm: whether nothing is suspected either, so that it is enough to look again after a while.
    """

    view: CameraView | None
    table: TableMarkers
    alarms: tuple[DriftEvent, ...]
    events: tuple[DriftEvent, ...]
    is_trusted: bool
    is_calm: bool


class DriftWatcher:
    """Watches one camera over one table.

    Args:
        table: where the markers lie.
        lens: the camera's lens; None estimates it from the markers of the first frame that shows enough.
    """

    def __init__(self, table: TableMarkers, lens: CameraLens | None) -> None:
        self._table = table
        self._lens = lens
        self._tracker = MarkerTracker(table, lens)
        self._watch: DriftState | None = None
        self._alarms: dict[str, DriftEvent] = {}

    def look(self, bgr_image: BgrImage, time_s: float) -> DriftVerdict:
        """What holds after one more frame (height, width, 3), taken at ``time_s`` of any clock that only goes forward.

        Raises:
            SizeMismatch: the frame's size does not fit the lens.
        """
        gray_image = gray_from_bgr(bgr_image)
        frame = FrameMeasurement(time_s, self._tracker.find(gray_image), picture_stats(bgr_image))
        if self._watch is None or (self._watch.lens.height_px, self._watch.lens.width_px) != gray_image.shape:
            return self._begun(frame, (gray_image.shape[1], gray_image.shape[0]))
        self._watch, events = update_watch(self._watch, frame)
        self._note(events)
        return self._verdict(self._watch, events)

    def _begun(self, frame: FrameMeasurement, image_wh: tuple[int, int]) -> DriftVerdict:
        """The first frame that shows where the camera is, or the alarm that too few markers are seen."""
        try:
            view = solve_view(frame.sightings, self._table, self._lens, image_wh=image_wh)
        except PhotoError:
            raised = DriftEvent(Alarm.HIDDEN)
            news = () if raised.name in self._alarms else (raised,)
            self._note(news)
            return DriftVerdict(None, self._table, tuple(self._alarms.values()), news, is_trusted=False, is_calm=False)
        self._watch = begin_watch(self._table, view, frame)
        events = tuple(replace(event, is_over=True) for event in self._alarms.values())
        self._note(events)
        return self._verdict(self._watch, events)

    def _note(self, events: tuple[DriftEvent, ...]) -> None:
        """Keeps the alarms that are on."""
        for event in events:
            if event.is_over:
                self._alarms.pop(event.name, None)
            elif isinstance(event.kind, Alarm):
                self._alarms[event.name] = event

    def _verdict(self, watch: DriftState, events: tuple[DriftEvent, ...]) -> DriftVerdict:
        # A change that was put right ends its alarm without a word about that.
        self._alarms = {name: event for name, event in self._alarms.items() if name in watch.raised}
        return DriftVerdict(
            watch.view, watch.table, tuple(self._alarms.values()), events, watch.is_trusted, watch.is_calm
        )
