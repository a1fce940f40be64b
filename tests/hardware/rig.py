"""Shared parts of the strip's tests: a manual clock, and a virtual strip on it."""

from __future__ import annotations

from hardware.light import LightSettings, light_frame
from hardware.strip import TrackerStrip
from hardware.transports.virtual import VirtualFinder, VirtualStrip

SETTINGS = LightSettings(pixel_count=40)


class Clock:
    """A clock that is turned by hand."""

    def __init__(self, now_s=1000.0):
        self.now_s = now_s

    def __call__(self):
        return self.now_s


class Rig:
    """A virtual strip, the thing under test, and a clock between them."""

    def __init__(self, settings=SETTINGS, finder=None, **strip_settings):
        self.clock = Clock()
        self.device = VirtualStrip(self.clock, **{"pixel_count": 40, **strip_settings})
        self.presses = []
        found = finder(self) if finder else VirtualFinder(self.device)
        self.strip = TrackerStrip(found, settings, clock=self.clock, on_button=self.presses.append)

    def run(self, seconds, step_s=0.01):
        for _ in range(round(seconds / step_s)):
            self.strip.step()
            self.clock.now_s += step_s

    def is_lit_with(self, view):
        """Return whether the strip shows the view of one of the last ten steps."""
        return any(
            self.device.frame == light_frame(view, self.clock.now_s - ago / 100, self.strip.settings)
            for ago in range(1, 11)
        )
