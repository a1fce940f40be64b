"""RTSP: IP cameras and phone apps that send video, decoded by FFmpeg inside OpenCV."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from assistant.errors import StreamAway
from assistant.translations.messages import said
from calibration.opencv import opencv_means
from vision.sources.video_capture import CaptureDevice

TIMEOUT_MS = 4000
"""For opening and for each read; left alone, OpenCV waits half a minute."""


@dataclass
class StreamOpener:
    """Opens the video stream at an address.

    Args:
        address: ``rtsp://…``.
        shown: the address as it may be shown to everybody.
    """

    address: str
    shown: str

    @property
    def identity(self) -> str:
        """The address is all there is to know it by."""
        return self.address

    def ask(self, wish: object) -> None:
        """Nothing can be asked of it."""

    def open(self) -> CaptureDevice:
        """The stream, ready to be read from.

        Raises:
            StreamAway: nothing answers there.
        """
        away = StreamAway(
            said(
                "The camera at {shown} cannot be reached over the network. Check its app, its address and "
                "the network; it is tried again by itself.",
                shown=self.shown,
            )
        )
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS]
        with opencv_means(lambda: away):
            capture = cv2.VideoCapture(self.address, cv2.CAP_FFMPEG, timeouts)
            if not capture.isOpened():
                raise away
        return CaptureDevice(self.shown, capture)
