"""Camera frames captured by a separate process, which is killed and restarted if it hangs."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from assistant.errors import CameraError, CameraLost, PicturesDamaged, PicturesStopped
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said
from vision.live.frames import Frame
from vision.sources.capturing import Begun, CaptureRequest, Failed, Opened, capture
from vision.sources.shared_pictures import SharedPictures
from vision.sources.supply import Patience, Supply, SupplyState, content_mark, pause_s

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.003
"""Pause between two looks at the shared memory, a tenth of the time between two pictures."""

START_S = 60.0
"""Time for the capturing process to start: a second, or many on a small and busy machine."""

END_S = 1.0
"""Time for a killed process to end. One that hangs inside a driver may take for ever."""


@dataclass
class _Run:
    """One run of the capturing process."""

    process: SpawnProcess
    line: Connection[Any, Any]
    pictures: SharedPictures
    number: int = 0
    damaged: int = 0

    def end(self) -> None:
        self.line.close()
        self.process.kill()
        self.process.join(END_S)
        self.pictures.remove()


class CapturedSource:
    """Frames of a camera. Nothing starts before the first request."""

    def __init__(self, order: CaptureRequest, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._order = order
        self._clock_s = clock_s
        self._run: _Run | None = None
        self._is_missed = False
        self._supply = Supply(clock_s(), order.patience)
        self._sequence = 0
        self._attempts = 0
        self._begin_at_s = clock_s()
        self._problem: CameraError | None = None
        self._requests: dict[object, object] = {}
        self._is_closed = False

    @property
    def name(self) -> str:
        """The requested name, without any password."""
        return self._order.name.shown

    @property
    def sequence(self) -> int:
        """The number of the last delivered frame."""
        return self._sequence

    @property
    def process_id(self) -> int | None:
        """The id of the capturing process, while there is one."""
        return None if self._run is None else self._run.process.pid

    def next_frame(self, timeout_s: float) -> Frame | None:
        until_s = self._clock_s() + timeout_s
        while True:
            frame = self._look()
            if frame is not None:
                return frame
            if self._clock_s() >= until_s:
                break
            time.sleep(LOOK_EVERY_S)
        problem = self._find_problem()
        if problem is not None:
            self._is_missed = True
            raise problem.with_traceback(None)  # without it, every place that raises it would be added to its traceback
        return None

    def ask(self, about: object, request: object) -> None:
        """Send a request to the camera, such as a fault of the virtual one, and repeat it to every later run.

        A later request about the same subject replaces it.
        """
        self._requests[about] = request
        if self._run is not None:
            _send(self._run, request)

    def close(self) -> None:
        self._is_closed = True
        self._end()

    def _look(self) -> Frame | None:
        """Supervise the capturing process, and take the newest picture if it counts as new."""
        run = self._keep_running()
        if run is None:
            return None
        self._hear(run)
        newest = run.pictures.newest_after(run.number)
        if newest is None:
            return None
        pictures, run.number = newest.number - run.number, newest.number
        before = self._supply
        self._supply = before.after(content_mark(newest.image_bgr), newest.monotonic_s, pictures)
        if self._supply is before:
            return None
        if self._is_missed or self._problem is not None:
            log.info("pictures come from %s", self.name)
        self._is_missed, self._problem, self._attempts = False, None, 0
        self._sequence += 1
        return Frame(newest.image_bgr, self._sequence, newest.monotonic_s, self.name)

    def _keep_running(self) -> _Run | None:
        """Return the capturing process. Start it when due, and end it after too long a silence."""
        now_s = self._clock_s()
        if self._run is not None:
            is_gone = not self._run.process.is_alive()
            if not is_gone and self._supply.at(now_s) is not SupplyState.REOPEN:
                return self._run
            self._put_off(now_s, self._find_problem() or PicturesStopped())
            self._end()
        if not self._is_closed and now_s >= self._begin_at_s:
            try:
                self._run = self._start()
            except OSError as problem:
                text = said(
                    "The process that takes the pictures cannot start ({reason}). Close other programs.",
                    reason=system_reason(problem),
                )
                self._put_off(now_s, CameraLost(text))
            self._supply = Supply(self._clock_s(), Patience(first_s=START_S), mark=self._supply.mark)
        if self._is_closed:  # closed by another thread while the process started
            self._end()
        return self._run

    def _put_off(self, now_s: float, problem: CameraError) -> None:
        """Schedule the next attempt."""
        log.warning("%s: %s", self.name, problem)
        self._problem = problem
        self._attempts += 1
        self._begin_at_s = now_s + pause_s(self._attempts - 1)

    def _start(self) -> _Run:
        pictures = SharedPictures()
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=capture, args=(self._order, pictures.name, theirs), name=f"capture {self.name}", daemon=True
        )
        try:
            with _without_interrupts():
                process.start()
        except OSError:
            pictures.remove()
            raise
        theirs.close()
        run = _Run(process, ours, pictures)
        for request in self._requests.values():
            _send(run, request)
        return run

    def _hear(self, run: _Run) -> None:
        while True:
            try:
                if not run.line.poll():
                    return
                word = run.line.recv()
            except (EOFError, ConnectionResetError, BrokenPipeError):  # an ended process is detected elsewhere
                return
            if isinstance(word, Failed):
                if self._problem is None:
                    log.warning("%s: %s", self.name, word.problem)
                self._problem = word.problem
                # A process that reports a problem does not hang, and keeps trying by itself.
                self._supply = replace(self._supply, opened_s=self._clock_s(), came_s=None, changed_s=None)
            elif isinstance(word, Begun):
                self._supply = Supply(self._clock_s(), self._order.patience, mark=self._supply.mark)
            elif isinstance(word, Opened):
                self._order = replace(self._order, identity=word.identity)

    def _find_problem(self) -> CameraError | None:
        if self._problem is not None:
            return self._problem
        if self._supply.at(self._clock_s()) is SupplyState.FRESH:
            return None
        if self._run is not None and self._run.pictures.counts.damaged > self._run.damaged:
            self._run.damaged = self._run.pictures.counts.damaged
            return PicturesDamaged()
        return PicturesStopped()

    def _end(self) -> None:
        if self._run is not None:
            self._run.end()
            self._run = None


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start a process that no keyboard interrupt reaches, since it could ignore one only after its start."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(run: _Run, request: object) -> None:
    try:
        run.line.send(request)
    except BrokenPipeError:
        log.debug("the capturing process ended before it heard a request")
