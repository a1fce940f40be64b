"""The frame: one picture of a camera that watches, in the order in which it was taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.arrays import BgrImage


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a camera; whoever holds it may rely on its pixels staying as they are.

    Args:
        image_bgr: (H, W, 3), not writeable.
        sequence: grows with every picture of this source, also over a camera that was lost and came back. A gap says
            that pictures were passed over because newer ones were there.
        monotonic_s: when it arrived, on the clock of ``time.monotonic`` (of the recording's clock in a replay).
        source: the name under which the source was asked for, such as ``usb:0`` or ``virtual``.
        is_photo: whether a person took it on purpose, one by one: no second one will come to agree with it.

    Raises:
        ValueError: the picture is no 8-bit colour image, or a number cannot be.
    """

    image_bgr: BgrImage
    sequence: int
    monotonic_s: float
    source: str
    is_photo: bool = False

    def __post_init__(self) -> None:
        if self.image_bgr.dtype != np.uint8 or self.image_bgr.ndim != 3 or self.image_bgr.shape[2] != 3:
            raise ValueError(f"{self.image_bgr.dtype} pixels {self.image_bgr.shape} are no 8-bit colour image")
        if self.sequence < 0 or not math.isfinite(self.monotonic_s):
            raise ValueError(f"frame {self.sequence} at {self.monotonic_s} s cannot be")
        self.image_bgr.flags.writeable = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


class FrameSource(Protocol):
    """A camera, a recording, a browser or the simulated table: whatever frames come from."""

    @property
    def name(self) -> str:
        """The name under which it was asked for."""

    def next_frame(self, timeout_s: float) -> Frame | None:
        """The newest frame that was not handed out yet; None if none came within the time, and nothing is wrong yet.

        Raises:
            CameraError: the camera does not deliver; asking again goes on trying.
        """

    def close(self) -> None:
        """Lets the camera go; safe to call twice."""
