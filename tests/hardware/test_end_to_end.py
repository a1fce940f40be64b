"""From a command of the match to colours decoded from the pin of the real firmware, and from its button back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.table.tracker import TrackerView
from hardware.light import LightFrame, LightSettings, light_frame
from hardware.messages import ButtonAction
from hardware.protocols.own_driver import OwnDriver
from hardware.strip import TrackerStrip

MISSION = Path(__file__).resolve().parents[2] / "assistant/games/doom2016/missions/doom2016_tutorial_sample.toml"


class LitTable:
    """A match and a strip with the real firmware, on the firmware's clock."""

    def __init__(self, bench, finder):
        header = new_header(
            mission_from_toml(MISSION.read_bytes()), match_id="light", seed="0" * 64, created_t=0, options={}
        )
        self.bench = bench
        self.session = Session(header, journal=None, clock_ms=lambda: 0)
        self.presses = []
        self.strip = TrackerStrip(finder, LightSettings(), clock=lambda: bench.now_s, on_button=self.pressed)
        self.session.subscribe(lambda receipt: self.strip.show(self.session.tracker()))
        self.step_times_s = []

    def pressed(self, action):
        self.presses.append(action)
        if action is ButtonAction.PRESSED:
            self.command(type="reveal")

    def command(self, **fields):
        self.session.command(fields, TABLE)

    def step(self, seconds=0.002):
        self.step_times_s = [*self.step_times_s[-20:], self.bench.now_s]
        self.strip.step()
        self.bench.run(seconds)

    def run_until(self, condition, timeout_s=5.0):
        start_s = self.bench.now_s
        while not condition():
            self.step()
            assert self.bench.now_s - start_s < timeout_s, f"not reached within {timeout_s} s"
        return self.bench.now_s - start_s

    def pictures_of(self, view):
        """Return the possible pictures of the view, drawn at one of the last steps."""
        return {light_frame(view, at_s, self.strip.settings).rgb for at_s in self.step_times_s}

    def shows(self, view):
        """Return whether a picture that the strip has latched since the last call is one of that view."""
        return any(rgb in self.pictures_of(view) for _, rgb in self.bench.frames())


@pytest.fixture
def table(bench, workbench):
    lit = LitTable(bench, workbench.BenchFinder(bench))
    lit.run_until(lambda: lit.strip.status.state == "lit")
    return lit


def test_nothing_is_written_to_a_bootloader_on_the_word_of_what_was_said_before(bench, workbench):
    bench.run(0.6)  # its greetings wait in the adapter while opening resets the board
    lit = LitTable(bench, workbench.BenchFinder(bench, boot_s=1.4))
    opened_s = bench.now_s
    while bench.now_s - opened_s < 1.4:
        lit.step(0.001)
        assert bench.unsent_count == 0
    lit.run_until(lambda: lit.strip.status.state == "lit", timeout_s=2)


def test_strip_is_lit_within_three_seconds_of_being_plugged_in(bench, workbench):
    lit = LitTable(bench, workbench.BenchFinder(bench))
    assert lit.run_until(lambda: lit.strip.status.state == "lit") < 3
    # Opening has reset it, and the bootloader kept the line for 1.4 s.
    assert lit.strip.status.identity.version == "1.0"
    assert lit.strip.settings.pixel_count == 60


def test_each_command_of_the_match_is_on_the_pin_within_40_ms(table):
    for fields in (
        {"type": "status"},
        {"type": "damage", "figure": "alpha", "amount": 4},
        {"type": "damage", "figure": "bravo", "amount": 9},
        {"type": "heal", "figure": "alpha", "amount": 2},
        {"type": "undo"},
    ):
        table.bench.frames()
        table.command(**fields)
        view = table.session.tracker()
        assert table.run_until(lambda view=view: table.shows(view)) < 0.04


def test_every_picture_on_the_pin_is_one_of_the_match(table):
    table.command(type="status")
    table.command(type="stun", figure="alpha")
    view = table.session.tracker()
    table.run_until(lambda: table.shows(view))
    seen = 0
    for _ in range(500):
        table.step()
        for _, rgb in table.bench.frames():
            assert rgb in table.pictures_of(view)
            seen += 1
    # A stunned figure flickers in six steps a second.
    assert seen >= 5


def test_button_on_the_strip_moves_the_match_on(table):
    table.command(type="status")
    for _ in range(20):  # a button that is down while the firmware starts would not count
        table.step()
    seq = table.session.seq
    table.bench.set_button(True)
    table.run_until(lambda: table.presses)
    assert table.presses == [ButtonAction.PRESSED]
    assert table.session.seq == seq + 1


def test_current_limit_of_the_strip_is_kept_on_the_pin(table):
    table.strip.configure(60, 150)
    table.run_until(lambda: table.strip.settings.limit_ma == 150)
    table.command(type="status")
    table.command(type="reveal")
    table.bench.frames()
    for _ in range(100):
        table.step()
        assert all(LightFrame(rgb).current_ma <= 150 for _, rgb in table.bench.frames())


def test_bad_line_is_lived_with(bench, workbench):
    line = workbench.BadLine(11, flipped=0.01, dropped=0.01)
    lit = LitTable(bench, workbench.BenchFinder(bench, line))
    lit.run_until(lambda: lit.strip.status.state == "lit", timeout_s=20)
    view = lit.session.tracker()
    lit.strip.show(view)
    bench.frames()
    last, seen = lit.strip.frame.rgb, 0
    for _ in range(400):
        lit.step()
        for _, rgb in bench.frames():
            assert rgb in {last, lit.strip.frame.rgb} | lit.pictures_of(view) | lit.pictures_of(TrackerView())
            last, seen = rgb, seen + 1
    assert seen >= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "count", "seed"), [(0.0, 10_000, 1), *((0.01, 2_000, seed) for seed in range(1, 6))]
)
def test_thousands_of_random_pictures_and_no_wrong_pixel(bench, workbench, damage, count, seed):
    table = workbench.Table(bench, OwnDriver(250_000, bench.now_s))
    table.run_until(lambda: table.driver.is_ready)
    table.driver.configure(60, 0)
    table.run_until(lambda: len(table.events) > 1)
    bench.set_slice(16)
    table.line = workbench.BadLine(seed, flipped=damage, dropped=damage)
    chances = random.Random(seed + 1)
    before = b""
    bench.frames()
    start_s, slowest_s = bench.now_s, 0.0
    for _ in range(count):
        frame = LightFrame(chances.randbytes(180))
        table.driver.show(frame)
        slowest_s = max(slowest_s, table.run_until(lambda frame=frame: table.driver.shown is frame, step_s=0.0005))
        assert {rgb for _, rgb in bench.frames()} <= {frame.rgb, before}
        before = frame.rgb
    assert slowest_s < 1
    assert damage or count / (bench.now_s - start_s) >= 90
    assert bench.lost_count == 0
