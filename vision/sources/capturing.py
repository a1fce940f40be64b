"""The capturing process: open a camera, pass on every complete picture, and never give up."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from assistant.errors import CameraError
from assistant.translations.messages import said
from vision.sources.devices import DamagedPicture, OpenDevice, Opener, StreamOpener
from vision.sources.mjpeg import MjpegOpener
from vision.sources.names import SourceName
from vision.sources.shared_pictures import MAX_BYTES, SharedPictures
from vision.sources.supply import Patience, pause_s
from vision.sources.usb import CaptureSettings, UsbOpener
from vision.sources.virtual import VirtualFreeOpener, VirtualFreeTable, VirtualOpener, VirtualTable


@dataclass(frozen=True)
class CaptureRequest:
    """The capture request.

    Args:
        name: the source.
        identity: the camera's stable name, once known.
        wanted: settings for a USB camera.
        table: the scene of the simulated camera.
        patience: the camera's permitted silence.
    """

    name: SourceName
    identity: str = ""
    wanted: CaptureSettings = field(default_factory=CaptureSettings)
    table: VirtualTable | VirtualFreeTable | None = None
    patience: Patience = field(default_factory=Patience)

    def opener(self) -> Opener:
        """Return the opener of the requested camera."""
        place, shown = self.name.place, self.name.shown
        match self.name.kind:
            case "usb":
                return UsbOpener(place, self.wanted, self.identity)
            case "http":
                return MjpegOpener(place, shown)
            case "rtsp":
                return StreamOpener(place, shown)
            case "virtual":
                table = self.table or VirtualTable()
                return VirtualFreeOpener(table) if isinstance(table, VirtualFreeTable) else VirtualOpener(table)
        raise ValueError(f"{self.name.kind} is not captured in a process of its own")


@dataclass(frozen=True)
class Begun:
    """Sent when the process is up. From then on the camera's patience counts."""


@dataclass(frozen=True)
class Opened:
    """Sent after opening a camera, with its stable name."""

    identity: str


@dataclass(frozen=True)
class Failed:
    """Sent after a failure to open a camera, or its loss."""

    problem: CameraError


_STDERR = 2

COMPLAINTS = (
    b"Corrupt JPEG",  # libjpeg: bytes that are no code, or an end before the end
    b"Premature end",
    b"Unsupported marker",
    b"error while decoding",  # FFmpeg: blocks that could not be decoded
    b"concealing",
    b"overread",
    b"corrupt decoded frame",
)

_FFMPEG = re.compile(rb"\[\S+ @ \S+\] ")
"""Prefix of FFmpeg's lines. A failing stream has a sentence of ours instead."""


class DecoderErrors:
    """Monitors this process's standard error for decoder messages, and passes on all others.

    Decoders return a full picture from damaged bytes, and report it only on standard error. That belongs to the whole
    process, so only a dedicated capturing process may monitor it. PyAV is no replacement: a USB camera's settings
    (focus, buffer) need OpenCV, and of 60 pictures cut in half its ``is_corrupt`` marked none, while this marks all.
    """

    def __init__(self) -> None:
        self._heard, written = os.pipe()
        os.set_blocking(self._heard, False)
        self._before = os.dup(_STDERR)
        os.dup2(written, _STDERR)
        os.close(written)

    def has_complained(self) -> bool:
        """Return whether a decoder complained since the last call."""
        heard = b""
        with suppress(BlockingIOError):
            while True:
                heard += os.read(self._heard, 65536)
        for line in heard.splitlines(keepends=True):
            if not _FFMPEG.match(line) and not any(complaint in line for complaint in COMPLAINTS):
                os.write(self._before, line)
        return any(complaint in heard for complaint in COMPLAINTS)

    def close(self) -> None:
        """Restore standard error."""
        self.has_complained()
        os.dup2(self._before, _STDERR)
        os.close(self._before)
        os.close(self._heard)


def capture(order: CaptureRequest, pictures_name: str, line: Connection[Any, Any]) -> None:
    """Run until the other process ends, or ends this one."""
    # a keyboard interrupt is for the main program, which then ends this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    opener = order.opener()
    threading.Thread(target=_listen, args=(line, opener), name="requests", daemon=True).start()
    pictures, errors = SharedPictures(pictures_name), DecoderErrors()
    line.send(Begun())
    attempts = 0
    while True:
        before = pictures.counts.pictures
        try:
            with closing(opener.open()) as device:
                line.send(Opened(opener.identity))
                _pass_on(device, pictures, errors)
        except CameraError as problem:
            errors.has_complained()  # a full pipe blocks its writer
            line.send(Failed(problem))
        attempts = 0 if pictures.counts.pictures > before else attempts + 1
        time.sleep(pause_s(attempts))


def _pass_on(device: OpenDevice, pictures: SharedPictures, errors: DecoderErrors) -> None:
    """Put each complete picture into the shared memory."""
    while True:
        try:
            image_bgr = device.read()
        except DamagedPicture:
            pictures.count_damaged()
            continue
        if errors.has_complained():
            pictures.count_damaged()
        elif image_bgr.size <= MAX_BYTES:
            pictures.put(image_bgr, time.monotonic())
        else:
            height, width = image_bgr.shape[:2]
            raise CameraError(
                said("the camera sends {width}x{height} pixels; set it to 4K or less", width=width, height=height)
            )


def _listen(line: Connection[Any, Any], opener: Opener) -> None:
    """Carry out requests. End this process with the other one, even while a read hangs."""
    while True:
        try:
            request = line.recv()
        except (EOFError, ConnectionResetError):  # the second if it was killed before reading everything
            os._exit(0)
        opener.ask(request)
