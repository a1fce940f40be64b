"""Two hundred scripted faults of the link: each one recovers or gives one sentence, without a false light."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import light_frame

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
SCRIPTS = 200
# Opening at the wrong rate and listening in vain, twice, is the longest way back.
RECOVERY_S = 14
STEP_S = 0.02
SENTENCE = re.compile(r"[^.!?\n]+\. [^.!?\n]+\.")  # the problem, then the remedy


def build(rig, faulty, seed):
    made = {}

    def finder(table):
        made["finder"] = faulty.FaultyFinder(table.device, table.clock, faulty.script(seed), seed)
        return made["finder"]

    return rig.Rig(finder=finder), made["finder"]


def drawn_now(table, pictures):
    pictures.append(light_frame(VIEW, table.clock.now_s, table.strip.settings))
    # A deaf strip drops its picture after three seconds; older ones must be gone.
    del pictures[: -round(3.5 / STEP_S)]


def is_true(table, pictures):
    """Return whether the strip shows the match, or the dark or the pattern of a strip that nobody drives."""
    frame = table.device.frame
    lit = {pixel for pixel in frame.pixels if any(pixel)}
    return frame in pictures or lit <= {(8, 8, 16)}


@pytest.mark.parametrize("seed", range(SCRIPTS))
def test_fault_is_recovered_from_or_reported(rig, faulty, seed):
    table, finder = build(rig, faulty, seed)
    table.strip.show(VIEW)
    pictures, dark_s, end_s = [], 0.0, finder.faults[-1].start_s + finder.faults[-1].length_s
    while table.clock.now_s - finder.start_s < end_s:
        drawn_now(table, pictures)
        table.run(STEP_S, STEP_S)
        status = table.strip.status
        dark_s = 0.0 if status.state == "lit" else dark_s + STEP_S
        if status.state == "searching" and dark_s > STEP_S:
            assert SENTENCE.fullmatch(str(status.problem))
    recovered_s = 0.0
    while not (table.strip.status.state == "lit" and table.device.frame in pictures[-15:]):
        drawn_now(table, pictures)
        table.run(STEP_S, STEP_S)
        recovered_s += STEP_S
        assert recovered_s < RECOVERY_S, finder.faults


def test_scripts_cover_every_kind_of_fault_often(faulty):
    kinds = Counter(fault.kind for seed in range(SCRIPTS) for fault in faulty.script(seed))
    assert set(kinds) == set(faulty.KINDS)
    assert min(kinds.values()) >= 20


@pytest.mark.parametrize("seed", range(0, SCRIPTS, 10))
def test_nothing_false_is_shown_while_the_line_is_bad(rig, faulty, seed):
    table, finder = build(rig, faulty, seed)
    table.strip.show(VIEW)
    pictures = []
    end_s = finder.faults[-1].start_s + finder.faults[-1].length_s + 2
    while table.clock.now_s - finder.start_s < end_s:
        drawn_now(table, pictures)
        table.run(STEP_S, STEP_S)
        assert is_true(table, [*pictures, table.strip.frame]), finder.fault
