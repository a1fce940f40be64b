"""The virtual strip, chosen by the port name ``virtual``: what it shows can be read back."""

from __future__ import annotations

from hardware.light import LightFrame

PORT_NAME = "virtual"


class VirtualStrip:
    """A strip of ``pixel_count`` pixels in memory, dark at first."""

    def __init__(self, pixel_count: int) -> None:
        self._frame = LightFrame(bytes(3 * pixel_count))

    @property
    def frame(self) -> LightFrame:
        """What the strip shows now."""
        return self._frame

    def show(self, frame: LightFrame) -> None:
        """Shows a light frame at once."""
        self._frame = frame
