"""USB cameras: found by a stable name in any socket, and opened with the requested settings.

Numbers change: after replugging, ``/dev/video0`` may be ``/dev/video1``. Linux keeps a link for every camera under
``/dev/v4l/by-id`` with maker, model and serial number. Other systems have only the number.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from assistant.errors import CameraBusy, CameraNotFound
from assistant.translations.messages import said, verbatim
from calibration.opencv import opencv_means
from vision.sources.devices import CaptureDevice

log = logging.getLogger(__name__)

BY_ID = Path("/dev/v4l/by-id")
DEVICES = Path("/dev")
IS_LINUX = sys.platform == "linux"

MOST_DIGITS = 4
"""Most digits of a camera's number. No system has more cameras, and OpenCV accepts no longer number."""

FIRST_ENTRY = "-video-index0"
"""Suffix of the stable name of a camera's picture entry. Its other entries carry other data."""

_ENTRY = re.compile(r"-video-index\d+$")


@dataclass(frozen=True)
class CaptureSettings:
    """Settings applied at each opening, since a camera resets them at every plug-in."""

    width_px: int = 1920
    height_px: int = 1080
    frames_per_s: int = 30

    @property
    def properties(self) -> Mapping[int, float]:
        """OpenCV's properties in the order of setting. The format determines the available sizes."""
        return {
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # full HD does not fit through USB 2 uncompressed
            cv2.CAP_PROP_FRAME_WIDTH: self.width_px,
            cv2.CAP_PROP_FRAME_HEIGHT: self.height_px,
            cv2.CAP_PROP_FPS: self.frames_per_s,
            cv2.CAP_PROP_BUFFERSIZE: 1,
            cv2.CAP_PROP_AUTOFOCUS: 0,  # the lens was calibrated at this focus
        }


@dataclass
class UsbOpener:
    """Opens a USB camera by number or by stable name, and later the same camera wherever it appears.

    ``place`` is a number, a name under ``/dev/v4l/by-id`` or a unique prefix of one, or a device's full path.
    ``identity`` is the stable name, once known.
    """

    place: str
    wanted: CaptureSettings = field(default_factory=CaptureSettings)
    identity: str = ""
    by_id: Path = BY_ID
    devices: Path = DEVICES

    def ask(self, request: object) -> None:
        """Ignore the request: a USB camera takes none."""

    def open(self) -> CaptureDevice:
        target = self._target()
        busy = CameraBusy(
            said(
                "The camera {place} cannot be opened. Close other programs that may be using it. Sightline keeps "
                "trying.",
                place=self.place,
            )
        )
        with opencv_means(lambda: busy):
            backend = cv2.CAP_V4L2 if isinstance(target, int) and IS_LINUX else cv2.CAP_ANY
            capture = cv2.VideoCapture(target, backend)
            if not capture.isOpened():
                raise busy
            for name, value in self.wanted.properties.items():
                capture.set(name, value)
            # A camera may accept a setting and ignore it.
            given_wh = tuple(int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
            wanted_wh = (self.wanted.width_px, self.wanted.height_px)
            if given_wh != wanted_wh:
                log.warning("the camera %s gives %dx%d pixels instead of %dx%d", self.place, *given_wh, *wanted_wh)
        return CaptureDevice(self.place, capture)

    def _target(self) -> int | str:
        """Return OpenCV's argument: a number, or the path of a device."""
        known = self.identity or self._stable_name()
        if known:
            self.identity = known
            link = self.by_id / known
            if not link.exists():
                text = said("The camera {place} is not plugged in. Plug it in. Sightline keeps trying.", place=known)
                raise CameraNotFound(text)
            device = link.resolve()
            is_numbered = device.name.startswith("video") and device.name[5:].isdecimal()
            return int(device.name[5:]) if is_numbered else str(device)
        if self._is_number and (not IS_LINUX or (self.devices / f"video{self.place}").exists()):
            return int(self.place)
        if os.path.exists(self.place):  # also returns False for impossible names
            return self.place
        names = ", ".join(f"usb:{link.name}" for link in self._links())
        choices = verbatim(names) if names else said("another number")
        text = said("there is no camera {place}; plug it in, or choose {choices}", place=self.place, choices=choices)
        raise CameraNotFound(text)

    @property
    def _is_number(self) -> bool:
        return self.place.isdecimal() and len(self.place) <= MOST_DIGITS

    def _stable_name(self) -> str:
        """Return the stable name of the requested camera, or an empty one.

        Raises:
            CameraNotFound: the prefix matches several cameras.
        """
        links = self._links()
        if self._is_number or self.place.startswith("/"):
            device = Path(self.place if self.place.startswith("/") else self.devices / f"video{self.place}").resolve()
            return next((link.name for link in links if link.resolve() == device), "")
        begun = [link.name for link in links if link.name.startswith(self.place)]
        if self.place in begun:
            return self.place
        cameras = {_ENTRY.sub("", name): name for name in reversed(begun)}
        if len(cameras) > 1:
            choices = " or ".join(f"usb:{name}" for name in sorted(cameras.values()))
            text = said("there are several cameras {place}…; choose {choices}", place=self.place, choices=choices)
            raise CameraNotFound(text)
        return next(iter(cameras.values()), "")

    def _links(self) -> list[Path]:
        return sorted(self.by_id.iterdir()) if self.by_id.is_dir() else []
