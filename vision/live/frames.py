"""The frame: one picture of a camera's sequence, and the interface of frame sources."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.arrays import BgrImage


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a camera. Its pixels never change.

    Args:
        image_bgr: (H, W, 3), not writeable.
        sequence: grows with every picture of this source, even after the camera was lost and found. A gap means that
            the source skipped pictures for newer ones.
        monotonic_s: its time of arrival on the clock of ``time.monotonic``, or on the recording's clock in a replay.
        source: the requested name of the source, such as ``usb:0`` or ``virtual``.
        is_photo: whether a person took it on purpose. No second one will come to confirm it.

    Raises:
        ValueError: the picture is not an 8-bit colour image, or a number is impossible.
    """

    image_bgr: BgrImage
    sequence: int
    monotonic_s: float
    source: str
    is_photo: bool = False

    def __post_init__(self) -> None:
        if self.image_bgr.dtype != np.uint8 or self.image_bgr.ndim != 3 or self.image_bgr.shape[2] != 3:
            raise ValueError(f"{self.image_bgr.dtype} pixels {self.image_bgr.shape} are not an 8-bit colour image")
        if self.sequence < 0 or not math.isfinite(self.monotonic_s):
            raise ValueError(f"frame {self.sequence} at {self.monotonic_s} s is impossible")
        self.image_bgr.flags.writeable = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


class FrameSource(Protocol):
    """A camera, a recording, a browser or the simulated table: any source of frames."""

    @property
    def name(self) -> str:
        """The requested name of the source."""

    def next_frame(self, timeout_s: float) -> Frame | None:
        """Return the newest frame not handed out yet, or None if none came in time and nothing is wrong yet.

        Raises:
            CameraError: the camera does not deliver. Another call tries again.
        """

    def close(self) -> None:
        """Release the camera. It is safe to call this twice."""
