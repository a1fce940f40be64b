"""Watches the table: takes the camera's newest frame, has it read, and puts what is believed before the tablets.

Everything that is decided hangs on the frames, their times and what people say between them, so a recording of these
three gives the same again. The wall clock only tells people how old a picture is.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assistant.app.live.gaze import Gaze
from assistant.app.live.live_shots import LiveShots
from assistant.app.live.page import Holding, Screen
from assistant.app.live.recorded_memory import RecordedMemory
from assistant.app.live.table_memory import TableMemory
from assistant.app.live.watched_table import WatchedTable
from assistant.app.live.wishes import Wish
from assistant.errors import CameraError, CannotDo, SightlineError
from assistant.translations.messages import said
from vision.live.frames import Frame, FrameSource

log = logging.getLogger(__name__)

WAIT_S = 0.25
"""How long a frame is waited for before somebody who wants something is heard."""

LOOK_EVERY_S = 0.08
"""From one frame to the next while all is still: what begins is seen a twentieth of a second later than at full pace,
for less than half the work. While something moves, every frame is looked at."""


class WatchEnded(CannotDo):
    """The watching ended by itself."""


@dataclass
class TableWatch:
    """Watches one camera in a thread of its own.

    Args:
        source: where frames come from.
        gaze: what looks at them.
        recorded: what is believed, and what of it is kept.
        shots: puts it before everybody.
    """

    source: FrameSource
    gaze: Gaze
    recorded: RecordedMemory
    shots: LiveShots
    table: WatchedTable = field(init=False)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _is_busy: bool = False

    def __post_init__(self) -> None:
        self.table = WatchedTable(self.memory)

    @property
    def memory(self) -> TableMemory:
        """What is believed."""
        return self.recorded.memory

    @property
    def screen(self) -> Screen:
        """Who shows it."""
        return self.shots.screen

    @property
    def is_calm(self) -> bool:
        """Whether nothing is going on for which every frame is wanted."""
        return not self._is_busy

    def start(self) -> None:
        """Begins to watch."""
        self._thread = threading.Thread(target=self._run, name="table-watch", daemon=True)
        self._thread.start()

    def stop(self, wait_s: float = 0.5) -> bool:
        """Stops after the reading that is under way; whether it ended within the time."""
        self._stopping.set()
        has_ended = True
        if self._thread is not None:
            self._thread.join(wait_s)
            has_ended = not self._thread.is_alive()
        # Frames are asked for at the beginning of a step alone: one that takes so long has no use for the camera, whose
        # process and shared memory are given back also where the program ends before the step does.
        self.source.close()
        if has_ended:  # else the step still writes into it
            self.recorded.log.close()
        return has_ended

    def step(self) -> Holding:
        """Takes one frame if there is one; how the table that is shown stands then."""
        self.table.wishes.hear(self._carry_out)
        try:
            frame = self.source.next_frame(WAIT_S)
        except CameraError as problem:
            self.recorded.log.missed(problem)
            self.screen.report("camera", problem)
            return self._tell("old")
        if frame is None:
            return self.screen.holding
        frame = self.recorded.log.frame(frame)
        self.screen.clear("camera")
        try:
            holding = self._seen(frame)
        except SightlineError as problem:
            self.screen.report("table", problem)
            return self._tell("old")
        self.gaze.tell(self.screen)
        return self._tell(holding)

    def replayed(self, event: Mapping[str, Any]) -> None:
        """Does again what people did when a recording was made, as far as it can be done at this table."""
        try:
            wish = self.recorded.told_again(event)
            if wish is not None:
                self._carry_out(wish)
        except (SightlineError, msgspec.ValidationError, KeyError) as problem:
            log.warning("“%s” of the recording cannot be done again: %s", event.get("what"), problem)

    def _seen(self, frame: Frame) -> Holding:
        """Judges a frame; how the table stands with it."""
        self._is_busy = False
        is_in_place = self.gaze.is_in_place(frame)
        if not is_in_place and not self.gaze.is_reached_over:
            return "old"
        glance, is_other_view = self.gaze.look(frame)
        is_other = self.recorded.look(glance.look)
        self._is_busy = not self._is_still
        if is_other or is_other_view or self._is_due:
            self._show()
        if not is_in_place:
            return "old"
        if not self._is_busy:
            self.gaze.rest(frame)
            return "now"
        self.gaze.doubt(glance, is_board_unsettled=self.memory.is_board_unsettled)
        return "moving"

    @property
    def _is_still(self) -> bool:
        """Whether the newest picture shows what is believed: nothing lies over the table, nothing is only suspected."""
        glance = self.gaze.glance
        return glance is not None and glance.is_current and not self.memory.is_unsettled

    @property
    def _is_due(self) -> bool:
        """Whether a new picture is wanted of a board that has not changed; one that is held keeps its own."""
        glance = self.gaze.glance
        return glance is not None and not self.memory.is_frozen and self.shots.is_due(glance, is_still=self._is_still)

    def _show(self) -> None:
        """Puts the table as it is believed to be before everybody."""
        glance, frame = self.gaze.glance, self.gaze.frame
        if glance is None or frame is None:
            return
        self.shots.show(frame, glance, self.memory.believed(), self.memory.told, is_still=self._is_still)
        self.recorded.log.table(self.memory.board, frame.sequence)

    def _carry_out(self, wish: Wish) -> None:
        self.recorded.carry_out(wish)
        if isinstance(wish, bool):
            self._tell("frozen" if wish else "moving")
        else:
            self._show()

    def _tell(self, holding: Holding) -> Holding:
        if self.memory.is_frozen:
            holding = "frozen"
        elif self.memory.board is None:
            holding = "waiting"
        self.shots.hold(holding)
        return holding

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                begun_s = time.monotonic()
                self.step()
                if self.is_calm:
                    self._stopping.wait(max(0.0, begun_s + LOOK_EVERY_S - time.monotonic()))
        finally:
            if not self._stopping.is_set():  # a mistake of ours ended the watching; the page must not keep quiet
                self.screen.report(
                    "table", WatchEnded(said("the table is not watched any more; start the program again"))
                )
                self.shots.hold("old")
