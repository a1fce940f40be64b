"""A capturing source's answers, and a wait for one of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from assistant.errors import CameraError
from vision.live.frames import Frame
from vision.sources.captured import CapturedSource


def until(source: CapturedSource, is_it: Callable[[Frame | CameraError | None], bool], within_s: float = 25.0):
    """Poll until an answer matches; return it."""
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        try:
            answer = source.next_frame(0.2)
        except CameraError as problem:
            answer = problem
        if is_it(answer):
            return answer
    pytest.fail("the answer never came")


def is_frame(answer: object) -> bool:
    return isinstance(answer, Frame)


def is_a(kind: type) -> Callable[[object], bool]:
    return lambda answer: isinstance(answer, kind)
