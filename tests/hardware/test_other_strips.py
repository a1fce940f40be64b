"""WLED and Adalight from the view to their LEDs: through the link and pyserial, on pseudo-terminals."""

from __future__ import annotations

import pytest

from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.driver import StripIdentity
from hardware.light import LightFrame, LightSettings, light_frame
from hardware.transports.serial_port import SerialFinder

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
SETTINGS = LightSettings(pixel_count=40)


def run(table, cable, seconds):
    """Run host and cable together, a hundredth of a second at a time; return the possible views meanwhile."""
    pictures = []
    for _ in range(round(seconds / 0.01)):
        pictures.append(light_frame(VIEW, table.clock.now_s, table.strip.settings))
        table.run(0.01)
        cable.carry()
    return pictures[-15:]


@pytest.fixture
def plugged(rig, cables):
    """A host with a device of any kind on its cable."""
    made = []

    def prepare(device_for):
        def finder(table):
            made.append(cables.Cable(device_for(table.clock)))
            return SerialFinder(made[-1].name, list)

        return rig.Rig(SETTINGS, finder=finder), made[-1]

    yield prepare
    for cable in made:
        cable.pull()


def test_wled_is_recognised_by_itself_and_lit(plugged, cables, fake_wled):
    wled = fake_wled.FakeWled(24)
    table, cable = plugged(lambda clock: cables.WledOnCable(wled, clock))
    table.strip.show(VIEW)
    pictures = run(table, cable, 3)
    assert table.strip.status.identity == StripIdentity("wled", "2605010", 24)
    assert LightFrame(bytes(value for pixel in wled.shown for value in pixel)) in pictures


def test_adalight_sketch_is_recognised_after_wled_has_not_answered(plugged, cables, fake_adalight):
    sketch = fake_adalight.FakeAdalight(40)
    table, cable = plugged(lambda clock: cables.AdalightOnCable(sketch, clock))
    table.strip.show(VIEW)
    pictures = run(table, cable, 6)
    assert table.strip.status.identity == StripIdentity("adalight")
    assert LightFrame(sketch.shown) in pictures
    assert sketch.lost_count == 0
