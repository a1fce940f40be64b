"""Test pictures for a strip, and the questions that count its pixels."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.light import MAX_PIXELS, LightFrame, LightSettings, limit_current

LAP_S = 3.0
TAIL_PIXELS = 6
HUES = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))


def running_light(clock_s: float, settings: LightSettings) -> LightFrame:
    """Return a light with a tail that runs along the strip, one lap each in red, green, blue and white."""
    count = settings.pixel_count
    lap, share = divmod(clock_s / LAP_S, 1)
    color = HUES[int(lap) % len(HUES)]
    head = int(share * count)
    rgb = bytearray(3 * count)
    for behind in range(min(TAIL_PIXELS, count)):
        at = 3 * ((head - behind) % count)
        rgb[at : at + 3] = bytes(int(value * settings.brightness) >> 2 * behind for value in color)
    return LightFrame(limit_current(bytes(rgb), settings.limit_ma))


@dataclass(frozen=True, slots=True)
class PixelCount:
    """Bounds of a strip's length, from ``least`` to ``most`` pixels. Each answer halves the range."""

    least: int = 1
    most: int = MAX_PIXELS

    @property
    def is_known(self) -> bool:
        return self.least == self.most

    @property
    def asked(self) -> int:
        """The pixel of the next question, counted from 1."""
        return (self.least + self.most + 1) // 2

    def answered(self, is_seen: bool) -> PixelCount:
        """Return the bounds after the user saw that pixel light up, or did not."""
        return PixelCount(self.asked, self.most) if is_seen else PixelCount(self.least, self.asked - 1)

    def picture(self, clock_s: float, settings: LightSettings) -> LightFrame:
        """Return that one pixel in white, on a strip of any length."""
        rgb = bytearray(3 * MAX_PIXELS)
        rgb[3 * self.asked - 3 : 3 * self.asked] = bytes((128, 128, 128))
        return LightFrame(bytes(rgb))
