"""A strip that is slow, deaf or missing costs nobody else time: not the ruling, not the page."""

from __future__ import annotations

import gc
import os
import pty
import statistics
import time
import tty

import pytest

from assistant.rules.rulesets import rule_set
from assistant.table.board import Board, Figure
from assistant.table.lattice import Edge
from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import LightSettings
from hardware.port import PortPlace
from hardware.serial_port import SerialFinder
from hardware.strip import TrackerStrip
from hardware.virtual import VirtualFinder, VirtualStrip

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(10)), active=2, round=1)
SETTINGS = LightSettings(pixel_count=60)
BOARD = Board(
    cells=frozenset((x, y) for x in range(30) for y in range(20)),
    edges={Edge((x, y), (x, y + 1)): "wall" for x in range(3, 30, 4) for y in range(20) if (x + y) % 3},
    figures=tuple(
        Figure(f"{side}{n}", side, side, ((x, 2 * n),))
        for side, x in (("marines", 1), ("invader", 28))
        for n in range(6)
    ),
)


class Slow(VirtualStrip):
    """A strip whose port waits a quarter of a second at each write, as a full one does."""

    def write(self, data):
        time.sleep(0.25)
        super().write(data)


class Deaf:
    """A port on which nobody listens and nothing ever comes; what is written piles up."""

    def __init__(self):
        self.near, self.far = pty.openpty()
        tty.setraw(self.far)
        self.finder = SerialFinder(os.ttyname(self.far), lambda: [PortPlace(os.ttyname(self.far))])

    def close(self):
        os.close(self.near)
        os.close(self.far)


def made(kind):
    """A strip of that kind, and what has to be closed after it."""
    if kind == "deaf":
        deaf = Deaf()
        return TrackerStrip(deaf.finder, SETTINGS, kind="adalight"), deaf.close
    finders = {
        "lit": lambda: VirtualFinder(VirtualStrip(time.monotonic)),
        "slow": lambda: VirtualFinder(Slow(time.monotonic)),
        "missing": lambda: SerialFinder("auto", list),
    }
    return TrackerStrip(finders[kind](), SETTINGS), lambda: None


KINDS = ["lit", "slow", "missing", "deaf"]


@pytest.mark.parametrize("kind", KINDS)
def test_handing_over_a_view_returns_at_once(kind):
    strip, close = made(kind)
    strip.start()
    time.sleep(0.5)
    took_s = []
    for _ in range(200):
        start_s = time.perf_counter()
        strip.show(VIEW)
        took_s.append(time.perf_counter() - start_s)
        time.sleep(0.001)
    strip.close()
    close()
    assert statistics.median(took_s) < 0.0005


def ruling_s(rules, show, count):
    start_s = time.perf_counter()
    for n in range(count):
        rules.rule(BOARD, f"marines{n % 6}", f"invader{(n + 1) % 6}")
        show(VIEW)
    return time.perf_counter() - start_s


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ruling_takes_no_longer_with_a_strip(kind):
    rules = rule_set("doom2016")
    ruling_s(rules, id, 60)
    gc.disable()
    ratios = []
    # Blocks with and without take turns, each with its neighbour, so that a busy machine hits both alike.
    for block in range(24):
        strip, close = made(kind)
        without_s = ruling_s(rules, id, 40) if block % 2 else None
        strip.start()
        time.sleep(3 if kind == "deaf" else 0.5)
        with_s = ruling_s(rules, strip.show, 40)
        strip.close()
        close()
        ratios.append(with_s / (without_s or ruling_s(rules, id, 40)))
    gc.enable()
    assert statistics.median(ratios) < 1.05, sorted(ratios)
