"""Devices: opened, read from until they fail, and opened again.

All of it runs in a separate process, where a hanging call harms nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from assistant.errors import CameraError, CameraLost, NoStreamThere, StreamAway
from assistant.translations.foreign import system_reason
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from calibration.opencv import opencv_means
from vision.sources.rtsp import describe

READS_IN_A_ROW = 5
"""Failed reads after which a camera is lost. A single one happens while it adapts its exposure."""

TIMEOUT_MS = 4000
"""Timeout for opening a stream and for each read. OpenCV itself waits half a minute."""


class DamagedPicture(CameraLost):
    """One picture arrived damaged. The next one may be intact."""


class OpenDevice(Protocol):
    """An open camera."""

    def read(self) -> BgrImage:
        """Wait for the next picture (H, W, 3).

        Raises:
            DamagedPicture: this one is unusable. CameraLost: no more will come before the camera is reopened.
        """

    def close(self) -> None:
        """Release the camera."""


class Opener(Protocol):
    """Opens one camera repeatedly, wherever it appears."""

    def open(self) -> OpenDevice:
        """Return the camera, ready for reading.

        Raises:
            CameraNotFound: it is not there. CameraLost: it is there but does not answer.
        """

    @property
    def identity(self) -> str:
        """A name that finds the same camera again, empty while unknown."""

    def ask(self, request: object) -> None:
        """Carry out a request to this type of camera, such as a fault of the virtual one."""


@dataclass
class CaptureDevice:
    """A camera opened by OpenCV. ``shown`` is its name in sentences."""

    shown: str
    capture: cv2.VideoCapture

    def read(self) -> BgrImage:
        broken = CameraLost(
            said("The camera {shown} sends data that is not a picture. Check its cable.", shown=self.shown)
        )
        with opencv_means(lambda: broken):
            for _ in range(READS_IN_A_ROW):
                is_read, image = self.capture.read()
                # It may report success without a picture.
                if is_read and image is not None and image.size:
                    return np.asarray(image, np.uint8)
        text = said(
            "The camera {shown} sends no pictures any more. Check its cable and its power. Sightline keeps trying.",
            shown=self.shown,
        )
        raise CameraLost(text)

    def close(self) -> None:
        self.capture.release()


@dataclass
class AddressOpener:
    """Opens a stream at an address, which may contain a password. ``shown`` is the public form of the address."""

    address: str
    shown: str

    @property
    def identity(self) -> str:
        """The address, which is the only identification."""
        return self.address

    def ask(self, request: object) -> None:
        """Ignore the request: a stream takes none."""


class StreamOpener(AddressOpener):
    """Opens a video stream, decoded by FFmpeg inside OpenCV."""

    def open(self) -> CaptureDevice:
        # Our own error message is more precise than its warnings.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        away = StreamAway(
            said(
                "The camera at {shown} cannot be reached over the network. Check its app, its address and "
                "the network. Sightline keeps trying.",
                shown=self.shown,
            )
        )
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS]
        with opencv_means(lambda: away):
            capture = cv2.VideoCapture(self.address, cv2.CAP_FFMPEG, timeouts)
            is_open = capture.isOpened()
        if not is_open:
            raise self._reason() if self.address.startswith("rtsp://") else away
        return CaptureDevice(self.shown, capture)

    def _reason(self) -> CameraError:
        """Return the reason why an RTSP stream did not open, in the camera's own words."""
        try:
            answer = describe(self.address)
        except OSError as problem:
            return StreamAway(
                said(
                    "The camera at {address} cannot be reached over the network ({reason}). Check its app, its "
                    "address and the network. Sightline keeps trying.",
                    address=self.shown,
                    reason=system_reason(problem),
                )
            )
        if answer is None:
            return NoStreamThere(
                said("What answers at {shown} is no RTSP camera. Check the address.", shown=self.shown)
            )
        if answer.status in (401, 403):
            return NoStreamThere(
                said(
                    "The camera at {shown} does not accept this name and password. Write its address as "
                    "rtsp://NAME:PASSWORD@…",
                    shown=self.shown,
                )
            )
        if answer.status == 200:
            return StreamAway(
                said(
                    "The camera at {shown} answers, but its stream cannot be read. Choose H.264 in its settings.",
                    shown=self.shown,
                )
            )
        status = f"{answer.status} {answer.reason}".strip()
        if answer.status >= 500:
            return StreamAway(
                said(
                    "The camera at {shown} has no stream to spare (“{status}”). Close other programs that watch it. "
                    "Sightline keeps trying.",
                    shown=self.shown,
                    status=status,
                )
            )
        return NoStreamThere(
            said(
                "The camera at {shown} has no such stream (“{status}”). Check its address.",
                shown=self.shown,
                status=status,
            )
        )
