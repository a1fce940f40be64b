"""The capturing process: opens a camera, puts every picture where the other process finds it, and never gives up."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from assistant.errors import CameraError
from assistant.translations.messages import said
from vision.sources.decoder_errors import DecoderErrors
from vision.sources.devices import DamagedPicture, OpenDevice, Opener
from vision.sources.mjpeg import MjpegOpener
from vision.sources.names import SourceName
from vision.sources.network_stream import StreamOpener
from vision.sources.shared_pictures import MAX_BYTES, SharedPictures
from vision.sources.supply import Patience, pause_s
from vision.sources.usb import CaptureSettings, UsbOpener
from vision.sources.virtual import VirtualOpener, VirtualTable
from vision.sources.virtual_free import VirtualFreeOpener, VirtualFreeTable


@dataclass(frozen=True)
class CaptureRequest:
    """What is to be captured.

    Args:
        name: the source.
        identity: by what the camera was known the last time, where that is not the name itself.
        wanted: what a USB camera is asked for.
        table: what the simulated camera shows.
        patience: how long the camera may be silent.
    """

    name: SourceName
    identity: str = ""
    wanted: CaptureSettings = field(default_factory=CaptureSettings)
    table: VirtualTable | VirtualFreeTable | None = None
    patience: Patience = field(default_factory=Patience)

    def opener(self) -> Opener:
        """What opens the camera that is asked for."""
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
    """Told when the process is up: from then on the camera's patience counts."""


@dataclass(frozen=True)
class Opened:
    """Told when a camera was opened: by what it can be found again."""

    identity: str


@dataclass(frozen=True)
class Failed:
    """Told when a camera could not be opened, or was lost."""

    problem: CameraError


def capture(order: CaptureRequest, pictures_name: str, line: Connection[Any, Any]) -> None:
    """Runs until the other process ends or ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the keyboard is for the program, which then ends us
    opener = order.opener()
    threading.Thread(target=_listen, args=(line, opener), name="wishes", daemon=True).start()
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
            line.send(Failed(problem))
        attempts = 0 if pictures.counts.pictures > before else attempts + 1
        time.sleep(pause_s(attempts))


def _pass_on(device: OpenDevice, pictures: SharedPictures, errors: DecoderErrors) -> None:
    """Puts picture after picture into the shared place, whole ones only."""
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
    """Carries out wishes; ends this process with the other one, even while a read hangs."""
    while True:
        try:
            wish = line.recv()
        except (EOFError, ConnectionResetError):  # the latter where it was killed before it had heard all
            os._exit(0)
        opener.ask(wish)
