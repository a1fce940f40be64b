"""Runs long work in a low-priority process of its own, so that live pictures stay fresh."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, ParamSpec, Protocol, TypeVar

from assistant.errors import CannotDo, SightlineError
from assistant.translations.messages import said

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

LIMIT_S = 240.0
"""Longest work in seconds: twenty times a photo of forty figures on a small machine."""

NICENESS = 5
"""The live picture goes first, but on two busy cores a lesson must still end within its limit."""
_LOOK_S = 0.05


class WorkCancelled(CannotDo):
    """Somebody cancelled the work."""

    sentence = said("Cancelled. Nothing was saved.")


class WorkTooLong(CannotDo):
    """The work exceeded its time limit."""

    sentence = said("This photo takes too long to read. Take one with fewer things in it, or a smaller one.")


class WorkBroken(CannotDo):
    """The worker process died."""

    sentence = said("The photo could not be read: its process ended. Close other programs and try again.")


@dataclass(frozen=True)
class WorkState:
    """Progress of the work: seconds since its start, and steps done of all steps, or 0 of 0 if nobody counts them."""

    seconds: float
    done: int
    of: int


class Worker(Protocol):
    """Runs work: here, or in a process of its own."""

    @property
    def state(self) -> WorkState | None: ...

    def __call__(self, work: Callable[Given, Answer], /, *args: Given.args, **kwargs: Given.kwargs) -> Answer: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


class WorkHere:
    """Runs work in the caller's thread, where it cannot be cancelled."""

    state: WorkState | None = None

    def __call__(self, work: Callable[Given, Answer], /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        return work(*args, **kwargs)

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


class SideProcess:
    """Runs one piece of work at a time in its own process, which is reused for the next.

    Args:
        limit_s: time after which work is aborted.
    """

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._turn = threading.Lock()
        self._run: tuple[SpawnProcess, Connection[Any, Any]] | None = None
        self._begun_s: float | None = None
        self._steps = (0, 0)
        self._is_cancelled = False

    @property
    def state(self) -> WorkState | None:
        """The current work, or None."""
        begun_s = self._begun_s
        return None if begun_s is None else WorkState(time.monotonic() - begun_s, *self._steps)

    def __call__(self, work: Callable[Given, Answer], /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        """Run the work and return its result, or raise its error.

        Raises:
            WorkCancelled: somebody cancelled it.
            WorkTooLong: it exceeded the time limit.
            WorkBroken: the process died.
        """
        with self._turn:
            self._is_cancelled, self._steps, self._begun_s = False, (0, 0), time.monotonic()
            try:
                return self._answer_of(work, args, kwargs)
            finally:
                self._begun_s = None

    def cancel(self) -> None:
        """Cancel the current work, if any."""
        self._is_cancelled = self._begun_s is not None

    def close(self) -> None:
        self.cancel()
        with self._turn:
            self._end()

    def _answer_of(self, work: Callable[..., Answer], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
        started_s = time.monotonic()
        try:
            line = self._line()
            line.send((work, args, kwargs))
            while True:
                if self._is_cancelled:
                    raise WorkCancelled
                if time.monotonic() - started_s > self._limit_s:
                    raise WorkTooLong
                if not line.poll(_LOOK_S):
                    continue
                name, value = line.recv()
                if name == "step":
                    self._steps = value
                elif name == "error":
                    raise value
                else:
                    answer: Answer = value
                    return answer
        except (EOFError, OSError):
            self._end()
            raise WorkBroken from None
        except (WorkCancelled, WorkTooLong):
            self._end()
            raise

    def _line(self) -> Connection[Any, Any]:
        if self._run is not None and self._run[0].is_alive():
            return self._run[1]
        self._end()
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(theirs,), name="sightline beside", daemon=True
        )
        process.start()
        theirs.close()
        self._run = (process, ours)
        return ours

    def _end(self) -> None:
        if self._run is not None:
            process, line = self._run
            line.close()
            process.kill()
            process.join(1.0)
            self._run = None


def _serve(line: Connection[Any, Any]) -> None:
    """Answer one request after another until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(NICENESS)
    Steps.tell = lambda done, of: line.send(("step", (done, of)))
    with suppress(EOFError, OSError):
        while True:
            work, args, kwargs = line.recv()
            try:
                answer = ("answer", work(*args, **kwargs))
            except SightlineError as problem:
                answer = ("error", problem)
            line.send(answer)


class Steps:
    """Reports the progress of work. In the process that serves the page nobody listens."""

    tell: Callable[[int, int], None] = staticmethod(lambda _done, _of: None)
