"""What captures: something that is opened, read from until it fails, and opened again.

All of it runs in a process of its own, where a call that hangs hurts nobody.
"""

from __future__ import annotations

from typing import Protocol

from assistant.errors import CameraLost
from calibration.arrays import BgrImage


class DamagedPicture(CameraLost):
    """One picture arrived damaged; the next one may be whole."""


class OpenDevice(Protocol):
    """An open camera."""

    def read(self) -> BgrImage:
        """The next picture (H, W, 3), as soon as it is there.

        Raises:
            DamagedPicture: this one cannot be used.
            CameraLost: no more will come before the camera is opened anew.
        """

    def close(self) -> None:
        """Lets the camera go."""


class Opener(Protocol):
    """Opens one camera, again and again, and finds it where it turns up next time."""

    def open(self) -> OpenDevice:
        """The camera, ready to be read from.

        Raises:
            CameraNotFound: it is not there.
            CameraLost: it is there and does not answer.
        """

    @property
    def identity(self) -> str:
        """A name by which the same camera is found again; empty while none is known."""

    def ask(self, wish: object) -> None:
        """Carries out what the other side asks of this kind of camera, such as a fault of the virtual one."""
