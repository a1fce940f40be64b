"""Frames from a file: a recording, a video, or a folder of pictures, every frame in order."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from assistant.errors import (
    CameraBusy,
    CameraError,
    CameraLost,
    CameraNotFound,
    InputError,
    NoStreamThere,
    PhotoUnreadable,
    PicturesDamaged,
    PicturesStopped,
    RecordingBroken,
    RecordingEnded,
    StoreError,
    StreamAway,
)
from assistant.translations.messages import said, verbatim
from calibration.opencv import VIDEO_ENDINGS, opencv_means
from vision.live.frames import Frame
from vision.photo.decoding import decode_photo, read_photo_bytes
from vision.sources.recording import Facts, frames_of, is_recording, reading

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png"})

PICTURE_EVERY_S = 0.5
"""Pace of a folder's pictures, two a second, as ``sightline simulate --frames`` writes them."""

USUAL_FRAMES_PER_S = 30.0
"""Pace of videos without a plausible pace of their own."""

MOST_FRAMES_PER_S = 1000.0

CAMERA_EVENT = "camera"
"""A recording's event for a camera problem."""

OF_THE_FRAME = frozenset({"turn", "known"})
"""The events with the state in which the previous frame was judged."""


class ReplaySource:
    """Frames at their original pace, without omissions.

    The frames have the recording's times, so every judgement comes out as before, however slow this machine is. Without
    ``is_paced`` every call returns a frame.

    Raises:
        InputError: nothing has that name, or it contains nothing to replay.
        StoreError: it cannot be read.
    """

    def __init__(self, path: Path, *, is_paced: bool = True, clock_s: Callable[[], float] = time.monotonic) -> None:
        self.name = f"replay:{path}"
        self._clock_s = clock_s
        self._is_paced = is_paced
        self._steps = _steps_of(path, self.name)
        self._next = next(self._steps, None)
        if self._next is None:
            raise PhotoUnreadable(said("there is no picture in this recording; make another one"), document=str(path))
        self._ending: CameraError = RecordingEnded()
        self.is_recording = path.is_file() and is_recording(path)
        """Whether it contains people's actions and the known state, besides the pictures."""
        self.on_event: Callable[[Facts], None] = lambda _: None
        """Called with every event except the camera's, at its place between the frames."""
        self._ahead_s: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether everything has been delivered."""
        if self._next is None:
            try:
                self._next = next(self._steps, None)
            except (InputError, StoreError) as problem:
                self._ending = _broken(problem)
        return self._next is None

    def next_frame(self, timeout_s: float) -> Frame | None:
        """Return the next frame when it is due, or None if it is not due within the time, and after an event.

        Raises:
            CameraError: the camera was missing at this point of the recording, or the picture is unreadable.
            RecordingEnded: there are no more frames.
            RecordingBroken: the rest cannot be read.
        """
        step = None if self.is_over else self._next
        if step is None:
            time.sleep(timeout_s)
            # without it, every place that raises it would be added to its traceback
            raise self._ending.with_traceback(None)
        if not isinstance(step, Frame):
            self._next = None
            if step.get("what") == CAMERA_EVENT:
                raise _problem_of(step)
            self.on_event(step)
            return None
        if self._is_paced and not self._is_due(step, timeout_s):
            return None
        self._next = None
        return step

    def close(self) -> None:
        self._steps = iter(())
        self._next = None

    def _is_due(self, frame: Frame, timeout_s: float) -> bool:
        now_s = self._clock_s()
        if self._ahead_s is None:
            self._ahead_s = now_s - frame.monotonic_s
        wait_s = frame.monotonic_s + self._ahead_s - now_s
        time.sleep(min(max(wait_s, 0.0), timeout_s))
        return wait_s <= timeout_s


def _broken(problem: InputError | StoreError) -> RecordingBroken:
    text = said("A part of the recording cannot be shown ({reason}).", reason=problem.sentence)
    return RecordingBroken(text, document=problem.document)


def camera_event(problem: CameraError) -> Facts:
    """Return a recording's event for a camera problem."""
    return {"what": CAMERA_EVENT, "kind": type(problem).__name__, "message": str(problem)}


def _problem_of(event: Facts) -> CameraError:
    name, message = str(event.get("kind")), str(event.get("message", "the camera was lost"))
    silent = {kind.__name__: kind for kind in (PicturesStopped, PicturesDamaged)}
    loud = (CameraNotFound, CameraBusy, StreamAway, NoStreamThere, RecordingBroken)
    if name in silent:
        return silent[name]()
    return {kind.__name__: kind for kind in loud}.get(name, CameraLost)(verbatim(message))


def _steps_of(path: Path, source: str) -> Iterator[Frame | Facts]:
    with reading(path):
        is_folder, is_file = path.is_dir(), path.is_file()
        entries = list(path.iterdir()) if is_folder else []
    pictures = sorted((p for p in entries if p.suffix.lower() in PICTURE_ENDINGS), key=_natural)
    if is_folder and not pictures:
        raise PhotoUnreadable(said("there are no pictures in this folder; choose another"), document=str(path))
    if pictures:
        return _pictures(pictures, source)
    if not is_file:
        raise PhotoUnreadable(said("there is no recording of this name; check it"), document=str(path))
    if path.suffix.lower() in VIDEO_ENDINGS and not is_recording(path):
        return _video(path, source)
    return _put_state_first(frames_of(path, source))


def _put_state_first(steps: Iterator[Frame | Facts]) -> Iterator[Frame | Facts]:
    """Yield a recording's steps, with the state of a judgement before its frame."""
    frame: Frame | None = None
    for step in steps:
        if not isinstance(step, Frame) and step.get("what") in OF_THE_FRAME:
            yield step
            continue
        if frame is not None:
            yield frame
            frame = None
        if isinstance(step, Frame):
            frame = step
        else:
            yield step
    if frame is not None:
        yield frame


def _natural(path: Path) -> tuple[list[int | str], str]:
    """Return the sort key that puts frame-9 before frame-10."""
    parts = re.split(r"(\d+)", path.stem)
    # Text and numbers alternate, so two names are never compared across types.
    return [int(part) if index % 2 else part for index, part in enumerate(parts)], path.name


def _pictures(paths: list[Path], source: str) -> Iterator[Frame | Facts]:
    for number, path in enumerate(paths, start=1):
        try:
            image = decode_photo(read_photo_bytes(path), str(path))
        except PhotoUnreadable as problem:
            if number == 1:
                raise
            yield camera_event(_broken(problem))
        else:
            yield Frame(image, number, number * PICTURE_EVERY_S, source)


def _video(path: Path, source: str) -> Iterator[Frame]:
    refusal = PhotoUnreadable(said("cannot be read as a video; convert it to MP4"), document=str(path))
    with opencv_means(lambda: refusal):
        video = cv2.VideoCapture(str(path))
        try:
            stated = video.get(cv2.CAP_PROP_FPS)
            frames_per_s = stated if 0 < stated <= MOST_FRAMES_PER_S else USUAL_FRAMES_PER_S
            number = 0
            while (read := video.read())[0]:
                number += 1
                yield Frame(np.asarray(read[1], np.uint8), number, number / frames_per_s, source)
            if not number:
                raise refusal
        finally:
            video.release()
