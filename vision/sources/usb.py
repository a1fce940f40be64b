"""USB cameras: found by a name that stays when the plug goes into another socket, opened with the settings wanted.

Numbers change: after an unplugging ``/dev/video0`` may be ``/dev/video1``. Linux keeps a link for every camera under
``/dev/v4l/by-id`` that carries maker, model and serial number. Where a system keeps no such names, the number is all
there is.
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
from assistant.translations.messages import Said, as_told, said
from calibration.opencv import opencv_means
from vision.sources.video_capture import CaptureDevice

log = logging.getLogger(__name__)

BY_ID = Path("/dev/v4l/by-id")
DEVICES = Path("/dev")
IS_LINUX = sys.platform == "linux"

MOST_DIGITS = 4
"""Of a camera's number: no system has more cameras, and OpenCV takes no number of any length."""

FIRST_ENTRY = "-video-index0"
"""How the stable name of the entry ends from which a camera's pictures come; its other entries carry other data."""

_ENTRY = re.compile(r"-video-index\d+$")


@dataclass(frozen=True)
class CaptureSettings:
    """What a camera is asked for each time it is opened: its settings fall back at every plug-in."""

    width_px: int = 1920
    height_px: int = 1080
    frames_per_s: int = 30

    @property
    def properties(self) -> Mapping[int, float]:
        """OpenCV's properties in the order in which they have to be set: the format decides which sizes there are."""
        return {
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # full HD does not fit through USB 2 uncompressed
            cv2.CAP_PROP_FRAME_WIDTH: self.width_px,
            cv2.CAP_PROP_FRAME_HEIGHT: self.height_px,
            cv2.CAP_PROP_FPS: self.frames_per_s,
            cv2.CAP_PROP_BUFFERSIZE: 1,
            cv2.CAP_PROP_AUTOFOCUS: 0,  # the lens that was calibrated is the one at this focus
        }


@dataclass
class UsbOpener:
    """Opens a USB camera by number or by stable name, and from then on the same camera wherever it turns up.

    Args:
        place: a number, a name under ``/dev/v4l/by-id`` or the unmistakable beginning of one, or a device's whole path.
        wanted: what the camera is asked for.
        identity: the stable name, once it is known.
        by_id: the folder of stable names.
        devices: the folder of devices.
    """

    place: str
    wanted: CaptureSettings = field(default_factory=CaptureSettings)
    identity: str = ""
    by_id: Path = BY_ID
    devices: Path = DEVICES

    def ask(self, wish: object) -> None:
        """Nothing can be asked of it."""

    def open(self) -> CaptureDevice:
        """The camera, with its settings applied anew.

        Raises:
            CameraNotFound: no such camera is plugged in.
            CameraBusy: it is there and cannot be opened.
        """
        target = self._target()
        busy = CameraBusy(
            said(
                "The camera {place} cannot be opened. Another program may be using it: close that one. It is "
                "tried again by itself.",
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
            self._read_back(capture)
        return CaptureDevice(self.place, capture)

    def _read_back(self, capture: cv2.VideoCapture) -> None:
        """Notes what the camera made of its settings: it may take any of them and do as it likes."""
        given_wh = tuple(int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        wanted_wh = (self.wanted.width_px, self.wanted.height_px)
        if given_wh != wanted_wh:
            log.warning("the camera %s gives %dx%d pixels instead of %dx%d", self.place, *given_wh, *wanted_wh)

    def _target(self) -> int | str:
        """What OpenCV is to open: a number, or the path of a device."""
        known = self.identity or self._stable_name()
        if known:
            self.identity = known
            link = self.by_id / known
            if not link.exists():
                raise CameraNotFound(
                    said(
                        "The camera {place} is not plugged in. Plug it in; it is looked for again by itself.",
                        place=known,
                    )
                )
            return _number_of(link.resolve()) if _is_numbered(link.resolve()) else str(link.resolve())
        if self._is_number and (not IS_LINUX or (self.devices / f"video{self.place}").exists()):
            return int(self.place)
        if os.path.exists(self.place):  # also says no to what cannot be a name
            return self.place
        raise CameraNotFound(
            said(
                "there is no camera {place}; plug it in, or choose {choices}", place=self.place, choices=self._choices()
            )
        )

    @property
    def _is_number(self) -> bool:
        return self.place.isdecimal() and len(self.place) <= MOST_DIGITS

    def _stable_name(self) -> str:
        """The stable name of the camera that was asked for, or an empty one.

        Raises:
            CameraNotFound: what was asked for is the beginning of several cameras' names.
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
            raise CameraNotFound(
                said("there are several cameras {place}…; choose {choices}", place=self.place, choices=choices)
            )
        return next(iter(cameras.values()), "")

    def _choices(self) -> Said:
        names = ", ".join(f"usb:{link.name}" for link in self._links())
        return as_told(names) if names else said("another number")

    def _links(self) -> list[Path]:
        return sorted(self.by_id.iterdir()) if self.by_id.is_dir() else []


def _is_numbered(device: Path) -> bool:
    return device.name.startswith("video") and device.name[5:].isdecimal()


def _number_of(device: Path) -> int:
    return int(device.name[5:])
