"""The believed table, from a camera's frames and people's corrections: its single source of truth.

Every decision follows from the frames, their times and people's statements between them. So replaying a recording of
these three gives the same result. The wall clock only shows people how old a picture is.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from assistant.app.live.estimate import estimate_table, reading_in_place
from assistant.app.live.frame_reader import LiveFrameReader
from assistant.app.live.live_picture import Holding, LivePicture
from assistant.app.live.reader import encode_for_page
from assistant.app.live.recorder import Recorder
from assistant.app.live.shots import PageView, ReadPicture, SetUp, Shot
from assistant.app.live.table_correction import TableCorrection
from assistant.app.problems import ProblemList
from assistant.errors import CameraError, CannotDo, SightlineError
from assistant.table.board import Board
from assistant.table.observation import FrameObservation, LatticePose, Observation
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure
from assistant.tracking.state import TrackedTable
from assistant.tracking.tracker import begin_tracking, update_tracking
from assistant.tracking.values import Cells, IdentityQuestion, IllegalMove
from assistant.translations.messages import said
from vision.live.frames import Frame
from vision.live.incremental import FrameReading

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.08
"""Seconds between two frames while all is still. A change is seen a twentieth of a second later than at full rate, for
less than half the work. While something moves, every frame is read."""

PICTURE_EVERY_S = 1.0
"""Seconds between two pictures of an unchanged table that only a hand or the like covers."""

ANSWER_S = 10.0
"""Longest time in seconds that a person waits for the current reading to end."""


class NothingSeen(CannotDo):
    """The camera has not shown the table yet."""

    sentence = said("the camera has not shown the table yet; wait for its first picture")


class TableBusy(CannotDo):
    """A correction could not be made in time."""

    sentence = said("the table is still being read; try again in a moment")


@dataclass
class BelievedTable:
    """The tracked table of one camera.

    The watcher's thread takes frames. Other threads correct and freeze. These operations are atomic and run one after
    another. Any thread may read.

    Args:
        reader: reads frames.
        setup: the documents that frames are read with; its roster names the figures.
        picture: publishes the believed table.
        recorder: records what happens.
        turn: the active figure of the match.
        known: the match's places of figures on a board, which name them at the first look.
    """

    reader: LiveFrameReader
    setup: SetUp
    picture: LivePicture
    recorder: Recorder = field(default_factory=Recorder)
    turn: Callable[[], ActiveFigure] = lambda: NOBODYS_TURN
    known: Callable[[Observation], Mapping[str, Cells]] = lambda seen: {}
    is_frozen: bool = False
    """Whether a person keeps the table unchanged, whatever the camera shows."""
    board: Board | None = None
    """None before the first look."""
    _tracked: TrackedTable | None = None
    _recorded_turn: ActiveFigure = NOBODYS_TURN
    _is_moving: bool = False
    _is_shown_still: bool = True
    _picture_due_s: float = float("-inf")
    _changing: threading.Lock = field(default_factory=threading.Lock)
    _door: threading.Lock = field(default_factory=threading.Lock)

    @property
    def reference_grid(self) -> LatticePose | None:
        """The lattice whose cells the board names, at its pose of the first look, or None before that."""
        return None if self._tracked is None else self._tracked.reference.grid

    @property
    def questions(self) -> tuple[IdentityQuestion, ...]:
        """The open questions to the people at the table, the oldest first."""
        return () if self._tracked is None else self._tracked.questions

    @property
    def notes(self) -> tuple[IllegalMove, ...]:
        """Moves that the rules do not allow, the oldest first."""
        return () if self._tracked is None else self._tracked.notes

    @property
    def fallen(self) -> Mapping[str, Cells]:
        """The cells across which each fallen figure lies."""
        return {} if self._tracked is None else self._tracked.fallen

    @property
    def pace_s(self) -> float:
        """Shortest time in seconds from one frame to the next."""
        return 0.0 if self._is_moving else LOOK_EVERY_S

    # ── the camera, in the watcher's thread ──

    def take(self, frame: Frame, problems: ProblemList) -> None:
        """Read a frame, accept a change once two frames agree, and publish the result."""
        with self._door:  # a waiting person holds this lock and goes before the next frame
            pass
        with self._changing:
            frame = self.recorder.frame(frame)
            try:
                holding = self._look(frame)
            except SightlineError as problem:
                problems.report("table", problem)
                self._hold("old")
                return
            markers = self.reader.markers
            if markers is not None and markers.notice is not None:
                problems.report("table", markers.notice)
            elif markers is None or markers.is_trusted:
                problems.clear("table")
            self._hold(holding)

    def lose(self, problem: CannotDo) -> None:
        """Show the table as it was last seen."""
        with self._changing:
            if isinstance(problem, CameraError):
                self.recorder.lost(problem)
                self._hold("old")
            else:
                self.picture.hold("old")  # nobody watches it any more, even if it is frozen

    def close(self) -> None:
        """End the recording and withdraw the questions."""
        self.recorder.close()
        self.picture.ask((), ())

    def _look(self, frame: Frame) -> Holding:
        """Read a frame into the believed table. Return how the shown table relates to the real one."""
        self._is_moving = False
        is_in_place = self.reader.is_in_place(frame)
        if not is_in_place and not self.reader.is_reached_over:
            return "old"
        reading, is_other_view = self.reader.read(frame)
        is_other_board = self._believe(reading.look)
        is_still = self._is_still
        self._is_moving = not is_still
        if is_other_board or is_other_view or self._is_picture_due(reading, is_still=is_still):
            self._show()
        if not is_in_place:
            return "old"
        if is_still:
            self.reader.rest(frame)
            return "now"
        is_board_unsettled = self._tracked is not None and self._tracked.next_ground is not None
        self.reader.doubt(reading, is_board_unsettled=is_board_unsettled)
        return "moving"

    def _believe(self, look: FrameObservation) -> bool:
        """Track the figures of one more look, and return whether the board changed. A frozen table stays."""
        turn, known = self.turn(), dict[str, Cells]()
        if turn != self._recorded_turn:
            self._recorded_turn = turn
            self.recorder.event({"what": "turn", "turn": asdict(turn)})
        if self.board is None:
            known = dict(self.known(look.observation))
            self.recorder.event({"what": "known", "known": known})
        if self.is_frozen:
            return False
        if self._tracked is None:
            return self._keep(begin_tracking(look, self.setup.roster, known, turn))
        return self._keep(update_tracking(self._tracked, look, turn))

    @property
    def _is_still(self) -> bool:
        """Whether the newest frame shows the believed table: nothing covers it, and no change is only suspected."""
        reading, table = self.reader.reading, self._tracked
        if reading is None or table is None or not reading.is_current:
            return False
        return not (table.hidden or table.suspicions or table.newcomers or table.next_ground is not None)

    def _is_picture_due(self, reading: FrameReading, *, is_still: bool) -> bool:
        """Return whether an unchanged board needs a new picture: all is still again, or it was covered for long.

        A frozen table keeps its picture.
        """
        if self.is_frozen:
            return False
        if is_still:
            return not self._is_shown_still
        return not reading.is_current and reading.look.time_s >= self._picture_due_s

    # ── people, in threads of their own ──

    def correct(self, correction: TableCorrection) -> tuple[Board, Board]:
        """Accept a person's correction and show it. Return the board before and after it.

        Raises:
            TableBusy: reading a frame takes too long.
            NothingSeen: there was no look yet.
            UnknownName: there is no such figure or door.
            QuestionGone: a question was settled in the meantime.
            BoardError: a figure cannot stand there.
        """
        with self._between_frames():
            seen = self._require_seen()
            corrected = correction.applied_to(seen)
            self._keep(corrected)
            self.recorder.event({"what": "correction", "correction": msgspec.to_builtins(correction)})
            self._show()
            return seen.board(), corrected.board()

    def freeze(self, *, is_frozen: bool) -> None:
        """Keep the table unchanged, whatever the camera shows, or follow the camera again.

        Raises:
            TableBusy: reading a frame takes too long.
        """
        with self._between_frames():
            self.is_frozen = is_frozen
            self.recorder.event({"what": "freeze", "is_frozen": is_frozen})
            self._hold("moving")

    def replay(self, event: Mapping[str, Any]) -> None:
        """Repeat a person's action from a recording, as far as this table allows.

        The match state of that time replaces today's.
        """
        try:
            match event.get("what"):
                case "correction":
                    self.correct(msgspec.convert(event["correction"], TableCorrection))
                case "freeze":
                    self.freeze(is_frozen=bool(event["is_frozen"]))
                case "known":
                    known = msgspec.convert(event["known"], dict[str, Cells])
                    self.known = lambda seen: known
                case "turn":
                    turn = msgspec.convert(event["turn"], ActiveFigure)
                    self.turn = lambda: turn
        except (SightlineError, msgspec.ValidationError, KeyError) as problem:
            log.warning("“%s” of the recording cannot be done again: %s", event.get("what"), problem)

    @contextmanager
    def _between_frames(self) -> Iterator[None]:
        with self._door:
            if not self._changing.acquire(timeout=ANSWER_S):
                raise TableBusy
        try:
            yield
        finally:
            self._changing.release()

    # ── what both change ──

    def _keep(self, tracked: TrackedTable) -> bool:
        """Accept a tracked table unless it contradicts itself (a BoardError). Return whether its board changed."""
        before, board = self.board, tracked.board()
        self._tracked, self.board = tracked, board
        self.picture.ask(tracked.questions, tracked.notes, tracked.fallen)
        return board != before

    def _show(self) -> None:
        """Show the newest frame with the believed table."""
        reading, frame, tracked = self.reader.reading, self.reader.frame, self._require_seen()
        if reading is None or frame is None:
            return
        is_still = self._is_still
        read = ReadPicture(
            encode_for_page(frame.image_bgr),
            estimate_table(tracked),
            PageView(reading.view),
            reading.calibration,
            as_read=reading_in_place(tracked),
        )
        name, taken_at_s, statements = self.picture.next_name(), self.picture.now_s(), tracked.statements
        self.picture.show(Shot(name, "live", read, self.setup, taken_at_s, statements=statements, is_still=is_still))
        self._is_shown_still, self._picture_due_s = is_still, frame.monotonic_s + PICTURE_EVERY_S
        self.recorder.table(tracked.board(), frame.sequence)

    def _require_seen(self) -> TrackedTable:
        if self._tracked is None:
            raise NothingSeen
        return self._tracked

    def _hold(self, holding: Holding) -> None:
        if self.is_frozen:
            holding = "frozen"
        elif self.board is None:
            holding = "waiting"
        self.picture.hold(holding)
