"""Cameras for the set-up: photo files, the simulated room, or a live camera by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assistant.app.setup.values import SetUpStep
from assistant.errors import CameraLost
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from vision.live.frames import FrameSource
from vision.sources.names import source_name
from vision.sources.opening import open_source
from vision.sources.usb import BY_ID, FIRST_ENTRY
from vision.sources.virtual_room import SimulatedRoom, sample_room

PHOTOS = "photos"
"""The source name for no camera: a person uploads photo files."""

VIRTUAL = "virtual"

PUSH = "push"
"""The source name for the camera of the phone or computer that shows the page, which sends its pictures."""

VIDEO_DEVICES = Path("/dev")
"""Linux lists cameras here. Other systems open them by number only."""

PATIENCE_S = 8.0
"""Seconds that a camera may take to its first picture after it was opened."""


class StepCamera(Protocol):
    """Takes pictures during the set-up: a ``LiveCamera`` or a ``SimulatedCamera``."""

    def picture(self, step: SetUpStep, taken: int) -> BgrImage:
        """Return the newest picture.

        Args:
            step: the current step.
            taken: the number of pictures that the step already has; the simulated room needs both.

        Raises:
            CameraError: the camera delivers no picture.
        """

    def close(self) -> None: ...


@dataclass
class LiveCamera:
    """A live source. The person in front of it shows what the step asks for."""

    source: FrameSource

    def picture(self, step: SetUpStep, taken: int) -> BgrImage:
        frame = self.source.next_frame(PATIENCE_S)
        if frame is None:
            raise CameraLost(
                said(
                    "the camera {name} sends no pictures; check its cable, or choose another one", name=self.source.name
                )
            )
        return frame.image_bgr

    def close(self) -> None:
        self.source.close()


@dataclass
class SimulatedCamera:
    """The simulated room, where everything that a step asks for is already done."""

    room: SimulatedRoom = field(default_factory=sample_room)

    def picture(self, step: SetUpStep, taken: int) -> BgrImage:
        if step == "lens":
            return self.room.board()
        return self.room.table_from_aside() if step == "table" and taken == 0 else self.room.table()

    def close(self) -> None:
        """Do nothing, because nothing is open."""


def list_usb_cameras(devices: Path = VIDEO_DEVICES, by_id: Path = BY_ID) -> tuple[str, ...]:
    """List USB and built-in cameras, by stable names where the system has them.

    Numbers change between evenings. The first camera is always offered, since not every system lists cameras.
    """
    links = {link.resolve(): link.name for link in by_id.glob("*")}
    numbered = {device for device in devices.glob("video*") if device.name[5:].isdecimal()}
    unnamed = sorted(int(device.name[5:]) for device in numbered if device.resolve() not in links)
    stable = sorted(name for name in links.values() if name.endswith(FIRST_ENTRY))
    # A camera has two entries. The second delivers no pictures.
    return (*(f"usb:{name}" for name in stable), *(f"usb:{n}" for n in unnamed if n % 2 == 0)) or ("usb:0",)


def shown_camera(name: str | None) -> str | None:
    """Return a source's name for browsers, without the password in a stream's address."""
    return source_name(name).shown if name and "://" in name else name


def open_camera(name: str) -> StepCamera | None:
    """Open the camera of that name, or return None for photos.

    Raises:
        BadValue: no source has that name.
    """
    if name == PHOTOS:
        return None
    if name == VIRTUAL:
        return SimulatedCamera()
    return LiveCamera(open_source(source_name(name)))
