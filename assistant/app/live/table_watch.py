"""Watches the table: takes the camera's newest frame, has it read, and puts what is believed before the tablets.

Everything that is decided hangs on the frames, their times and what people say between them, so a recording of these
three gives the same again. The wall clock only tells people how old a picture is.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import msgspec

from assistant.app.live.marker_watch import MarkerWatch
from assistant.app.live.reader import PageView, shown
from assistant.app.live.recorder import Recorder
from assistant.app.live.shots import ReadPicture, SetUp, Shot
from assistant.app.live.table_memory import Correction, TableMemory
from assistant.errors import CameraError, CannotDo, SightlineError
from assistant.table.look import Look
from assistant.table.observation import Observation
from assistant.table.roster import Roster
from assistant.tracking.move_cost import NOBODYS_TURN, Turn
from assistant.tracking.values import Cells, Note, Question
from vision.live.frames import Frame, FrameSource
from vision.live.incremental import Glance
from web.live.ports import Holding
from web.state import PageState

log = logging.getLogger(__name__)

WAIT_S = 0.25
"""How long a frame is waited for before somebody who wants something is heard."""

LOOK_EVERY_S = 0.08
"""From one frame to the next while all is still: what begins is seen a twentieth of a second later than at full pace,
for less than half the work. While something moves, every frame is looked at."""

PICTURE_EVERY_S = 1.0
"""How often tablets get a new picture of a table on which nothing has changed but what lies over it."""

CONFIRM_AFTER_S = 0.4
"""So long after all has come to rest, what is still doubted is looked at again."""

ANSWER_S = 10.0


class WatchEnded(CannotDo):
    """The watching ended by itself."""


class TableBusy(CannotDo):
    """A correction could not be made in time."""


class Eye(Protocol):
    """Reads the frames of one camera, one after the other."""

    def look(self, frame: Frame) -> Glance:
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
class TableWatch:
    """Watches one camera in a thread of its own.

    Args:
        source: where frames come from.
        eye: what reads them.
        memory: what is believed.
        state: the page that shows it.
        setup: the documents that pictures are read by, for the page.
        markers: tells whether the calibration still holds; None leaves that to the reading.
        recorder: keeps what happens; None keeps nothing.
        turn: tells whose turn it is.
        known: tells where the match has its figures on the board that is seen, to name them by at the first look.
        on_shot: told of every picture that the page shows.
        now_s: the clock for people, seconds since 1970.
    """

    source: FrameSource
    eye: Eye
    memory: TableMemory
    state: PageState
    setup: SetUp
    markers: MarkerWatch | None = None
    recorder: Recorder | None = None
    turn: Callable[[], Turn] = lambda: NOBODYS_TURN
    known: Callable[[Observation], Mapping[str, Cells]] = lambda seen: {}
    on_shot: Callable[[Shot], None] = lambda shot: None
    now_s: Callable[[], float] = time.time
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _wishes: queue.SimpleQueue[tuple[Correction | bool, Future[None]]] = field(default_factory=queue.SimpleQueue)
    _count: int = 0
    _glance: Glance | None = None
    _told_turn: Turn = NOBODYS_TURN
    _frame: Frame | None = None
    _lost: str = ""
    _is_busy: bool = False
    _picture_due_s: float = float("-inf")
    _confirm_due_s: float = float("inf")

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
        if has_ended:  # else they are still in use, and end with the program
            self.source.close()
            if self.recorder is not None:
                self.recorder.close()
        return has_ended

    @property
    def is_calm(self) -> bool:
        """Whether nothing is going on for which every frame is wanted."""
        return not self._is_busy

    @property
    def is_frozen(self) -> bool:
        """Whether a person holds the table as it is."""
        return self.memory.is_frozen

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the people at the table are asked, the oldest first."""
        return self.memory.questions

    @property
    def notes(self) -> tuple[Note, ...]:
        """Moves that the rules do not allow, the oldest first."""
        return self.memory.notes

    @property
    def roster(self) -> Roster:
        """The figures that one on the table may be."""
        return self.memory.roster

    def set_right(
        self,
        *,
        figures: Mapping[str, Cells | None],
        doors: Mapping[str, bool],
        names: Mapping[str, str],
        answers: Mapping[str, str],
    ) -> None:
        """Believes a person, between two frames: where figures stand, which doors are open, who is who.

        Raises:
            InputError: what was said cannot be.
            CannotDo: the camera has shown nothing yet, or the table is busy.
        """
        self._ask(Correction(figures, doors, names, answers))

    def freeze(self, *, is_frozen: bool) -> None:
        """Holds the table as it is, or lets the camera have its say again."""
        self._ask(is_frozen)

    def step(self) -> Holding:
        """Takes one frame if there is one; how the table that is shown stands then."""
        self._hear()
        try:
            frame = self.source.next_frame(WAIT_S)
        except CameraError as problem:
            self._miss(problem)
            return self._tell("old")
        if frame is None:
            return self.state.holding
        if self.recorder is not None:
            frame = self.recorder.frame(frame)
        self._lost = ""
        self.state.clear("camera")
        try:
            holding = self._seen(frame)
        except SightlineError as problem:
            self.state.report("table", problem)
            return self._tell("old")
        self._tell_notice()
        return self._tell(holding)

    def replayed(self, event: Mapping[str, Any]) -> None:
        """Does again what people did when a recording was made, as far as it can be done at this table."""
        try:
            self._repeat(event)
        except (SightlineError, msgspec.ValidationError, KeyError) as problem:
            log.warning("“%s” of the recording cannot be done again: %s", event.get("what"), problem)

    def _repeat(self, event: Mapping[str, Any]) -> None:
        match event.get("what"):
            case "correction":
                self._do(msgspec.convert(event["correction"], Correction))
            case "freeze":
                self._do(bool(event["is_frozen"]))
            case "known":
                known = msgspec.convert(event["known"], dict[str, Cells])
                self.known = lambda seen: known
            case "turn":
                turn = msgspec.convert(event["turn"], Turn)
                self.turn = lambda: turn

    def _miss(self, problem: CameraError) -> None:
        if self.recorder is not None and str(problem) != self._lost:
            self.recorder.problem(problem)
        self._lost = str(problem)
        self.state.report("camera", problem)

    def _seen(self, frame: Frame) -> Holding:
        """Judges a frame; how the table stands with it."""
        self._is_busy = False
        is_in_place = self._is_in_place(frame)
        if not is_in_place and not self._is_reached_over:
            return "old"
        with self.state.reading:
            glance = self.eye.look(frame)
        is_other_view = self._glance is None or glance.view != self._glance.view
        self._glance, self._frame = glance, frame
        if self._look(glance.look) or is_other_view or self._is_picture_due(glance):
            self._show()
        self._is_busy = not glance.is_current or self.memory.is_unsettled
        if not is_in_place:
            return "old"
        if not self._is_busy:
            self._confirm_due_s = frame.monotonic_s + CONFIRM_AFTER_S
            return "now"
        self._confirm(glance)
        return "moving"

    @property
    def _is_reached_over(self) -> bool:
        """Whether something, such as an arm, covers markers of a table that is known: who moves what is still followed.

        Nothing is given as sure meanwhile.
        """
        return self._glance is not None and self.markers is not None and self.markers.is_only_covered

    def _confirm(self, glance: Glance) -> None:
        """Asks for one more witness where the picture is still and what it shows is not believed."""
        if not glance.is_current:
            self._confirm_due_s = glance.look.time_s + CONFIRM_AFTER_S
        elif glance.look.time_s >= self._confirm_due_s:
            self._confirm_due_s = glance.look.time_s + CONFIRM_AFTER_S
            if self.memory.is_board_unsettled:
                # Cells of a board that glare cut short agree with themselves for ever; only a whole picture tells.
                self.eye.renew()
            else:
                self.eye.confirm()

    def _is_in_place(self, frame: Frame) -> bool:
        """Whether camera, markers and light are as they were, or were put right; then everything is read anew."""
        if frame.is_photo:  # taken from wherever a person stands
            if self._frame is None or frame.image_bgr is not self._frame.image_bgr:
                self.eye.forget()
            return True
        if self.markers is None:
            return True
        self.markers.look(frame)
        if self.markers.was_put_right:
            self.eye.renew()
        return self.markers.is_trusted

    def _tell_notice(self) -> None:
        """Says what the markers tell, or that all is well with them."""
        notice = None if self.markers is None else self.markers.notice
        if notice is not None:
            self.state.report("table", notice)
        elif self.markers is None or self.markers.is_trusted:
            self.state.clear("table")

    def _is_picture_due(self, glance: Glance) -> bool:
        return not glance.is_current and glance.look.time_s >= self._picture_due_s

    def _show(self) -> None:
        """Puts the table as it is believed to be before everybody."""
        glance, frame = self._glance, self._frame
        if glance is None or frame is None:
            return
        self._picture_due_s = frame.monotonic_s + PICTURE_EVERY_S
        read = ReadPicture(shown(frame.image_bgr), self.memory.believed(), PageView(glance.view))
        self._count += 1
        shot = Shot(f"live-{self.state.hub.boot}-{self._count}", "live", read, self.setup, self.now_s())
        self.state.show_live(shot)
        self._record_table(frame.sequence)
        self.on_shot(shot)

    def _look(self, look: Look) -> bool:
        """Lets the memory take a look, with what the match knows; whether the table is another one now."""
        turn, known = self.turn(), {}
        if turn != self._told_turn:
            self._told_turn = turn
            self._record({"what": "turn", "turn": asdict(turn)})
        if self.memory.board is None:
            known = dict(self.known(look.observation))
            self._record({"what": "known", "known": known})
        return self.memory.look(look, turn, known)

    def _ask(self, wish: Correction | bool) -> None:
        done: Future[None] = Future()
        self._wishes.put((wish, done))
        try:
            done.result(ANSWER_S)
        except NotInTime:
            raise TableBusy("the table is still being read; try again in a moment") from None

    def _hear(self) -> None:
        """Does what was asked for since the last frame."""
        while not self._wishes.empty():
            wish, done = self._wishes.get()
            try:
                self._do(wish)
            except SightlineError as problem:
                done.set_exception(problem)
            else:
                done.set_result(None)

    def _do(self, wish: Correction | bool) -> None:
        if isinstance(wish, bool):
            self.memory.freeze(is_frozen=wish)
            self._record({"what": "freeze", "is_frozen": wish})
            self._tell("frozen" if wish else "moving")
            return
        self.memory.correct(wish)
        self._record({"what": "correction", "correction": msgspec.to_builtins(wish)})
        self._show()

    def _tell(self, holding: Holding) -> Holding:
        if self.memory.is_frozen:
            holding = "frozen"
        elif self.memory.board is None:
            holding = "waiting"
        self.state.hold(holding, self.now_s())
        return holding

    def _record_table(self, sequence: int) -> None:
        board = self.memory.board
        if board is not None and self.recorder is not None:
            figures = {figure.id: figure.cells for figure in board.figures}
            doors = {door.id: door.open for door in board.doors}
            self._record({"what": "table", "sequence": sequence, "figures": figures, "doors": doors})

    def _record(self, facts: Mapping[str, Any]) -> None:
        if self.recorder is not None:
            self.recorder.event(facts)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                begun_s = time.monotonic()
                self.step()
                if self.is_calm:
                    self._stopping.wait(max(0.0, begun_s + LOOK_EVERY_S - time.monotonic()))
        finally:
            if not self._stopping.is_set():  # a mistake of ours ended the watching; the page must not keep quiet
                self.state.report("table", WatchEnded("the table is not watched any more; start the program again"))
                self.state.hold("old", self.now_s())
