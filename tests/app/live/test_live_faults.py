"""Every camera fault, through the real reader: no wrong answer is given as sure, and the table recovers by itself."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field

import numpy as np
import pytest
from loading import beside

from assistant.app.live.recorder import Recorder
from assistant.app.setup.sample import sample_game
from assistant.errors import CameraAlarm
from assistant.translations.speech import speech
from calibration.drift import Alarm, DriftCorrection
from vision.simulation.faults import Fault
from vision.simulation.sample import sample_scene
from vision.sources.recording import blocks_of
from vision.sources.replay import ReplaySource
from web.live.words import list_live_doubts
from web.problems.routes import parts_document

FAULT_S = 1.4
LONGER_S = {Fault.STALLED: 2.4, Fault.FOCUS_HUNTING: 2.4, Fault.LENS_ZOOMED: 3.0, Fault.MARKER_MOVED: 3.0}
"""Long enough for a report: an alarm takes a second, stale pictures two, and a lens hunts for two. A corrected table is
read anew after another second."""

BACK_WITHIN_S = 10.0
"""Limit after the cause of a fault has ended. Measured: under 2 s of camera time for each."""

FAULTS = int(os.environ.get("SIGHTLINE_FAULTS", "200"))
"""Length of the fault script in ``make slow``."""

TOLD: dict[Fault, str] = {
    Fault.UNPLUGGED: "unplugged",
    Fault.STALLED: "no new pictures",
    Fault.HALF_JPEG: "markers",
    Fault.OTHER_RESOLUTION: "640x480",
    Fault.FOCUS_HUNTING: "focus",
    Fault.LAMP_OFF: "dark",
}
"""A word from the page's sentence by the end of a fault. Others may appear briefly."""


rig_module = beside(__file__, "live_rig")


@pytest.fixture(scope="module")
def rig():
    """One table for all faults in a row, so that a fault's leftovers show in the next."""
    made = rig_module.Rig.of(sample_scene(), sample_game())
    made.settle()
    return made


NOTICED: dict[Fault, str] = {
    Fault.CAMERA_BUMPED: "CAMERA_MOVED",
    Fault.LENS_ZOOMED: "LENS_CHANGED",
    Fault.MARKER_MOVED: "MARKER_MOVED",
    Fault.FOCUS_LOST: "BLURRED",
    Fault.EXPOSURE_AWAY: "TOO_BRIGHT",
    Fault.LAMP_OFF: "TOO_DARK",
    Fault.LAMP_OFF_BY_DAY: "LIGHT_CHANGED",
}
"""The page's report about camera, markers or light, by the calibration's name for it."""

NAMES = {kind.value: kind.name for kind in (*Alarm, *DriftCorrection)}
"""The calibration's name of the alarm for each sentence."""

NOTICED_WITHIN_S = 1.0


@dataclass
class Spell:
    """The record of one fault.

    Args:
        wrong: how often an answer would have been sure and wrong.
        unmarked: how often an answer would have been sure although something was wrong with camera, markers or light.
        told: all that the page said.
        noticed_s: when each notice of the calibration appeared, in seconds after the fault began.
        worded: the sentences of these in the problems view, in English, Russian and Spanish.
    """

    wrong: int = 0
    unmarked: int = 0
    told: str = ""
    noticed_s: dict[str, float] = field(default_factory=dict)
    worded: dict[str, tuple[str, ...]] = field(default_factory=dict)


def spell(rig, seconds: float, fault: Fault) -> Spell:
    """Record the seconds after a fault is switched on."""
    rig.camera.switch(fault, on=True)
    if fault is Fault.SLOW_START:  # it strikes when the camera is opened
        rig.camera.switch(Fault.UNPLUGGED, on=True)
        rig.watch.step()
        rig.camera.switch(Fault.UNPLUGGED, on=False)
    begun_s, told = rig.clock.now_s, Spell()
    for holding in rig.run(seconds):
        told.wrong += holding == "now" and not rig.is_right()
        for problem in rig.watch.page.problems.problems:
            told.told += f" {problem.error}"
            if isinstance(problem.error, CameraAlarm):
                name = NAMES[problem.error.sentence.pattern]
                told.unmarked += name in Alarm.__members__ and not is_marked(rig.watch.page)
                told.noticed_s.setdefault(name, rig.clock.now_s - begun_s)
                told.worded.setdefault(name, problems_view(rig.watch.page))
    return told


def is_marked(state) -> bool:
    """Return whether an answer on the newest picture of the camera would bear a doubt."""
    return bool(list_live_doubts(state.shown, state.shelf.latest_live(), speech("en")))


def problems_view(state) -> tuple[str, ...]:
    """Return the problems view's sentences about the markers, in English, Russian and Spanish."""
    rows = [parts_document(state.problems, speech(language)) for language in ("en", "ru", "es")]
    return tuple(next(row["sentence"] for row in parts if row["part"] == "table") for parts in rows)


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.name)
def test_a_fault_is_never_ruled_on_and_is_over_when_its_cause_is(rig, fault):
    before = rig.watch.table.board
    seen = spell(rig, LONGER_S.get(fault, FAULT_S), fault)
    assert (seen.wrong, seen.unmarked) == (0, 0)
    rig.camera.switch(fault, on=False)
    assert rig.settle(BACK_WITHIN_S) < BACK_WITHIN_S
    assert TOLD.get(fault, "") in seen.told
    if fault in NOTICED:
        assert seen.noticed_s[NOTICED[fault]] <= NOTICED_WITHIN_S + 1e-6
        assert len(set(seen.worded[NOTICED[fault]])) == 3
    assert rig.watch.table.board == before  # all identities are still right


class Notes(Recorder):
    """Keeps a recorder's output in memory, and leaves the frames unchanged."""

    def __init__(self):
        super().__init__()
        self.events = []

    def event(self, facts):
        self.events.append(json.loads(json.dumps(facts)))


def test_a_recording_is_played_back_with_the_same_result_frame_for_frame(tmp_path):
    scene, game = sample_scene(), sample_game()
    path = tmp_path / "evening.slrec"
    moves = rig_module.lone_moves(scene, seed=3, first_s=2.0)
    live = rig_module.Rig.of(scene, game, moves=moves, recorder=Recorder(path, 1 << 30, pytest.fail))
    before = live.settle()
    live.camera.switch(Fault.UNPLUGGED, on=True)
    list(live.run(0.5))
    live.camera.switch(Fault.UNPLUGGED, on=False)
    list(live.run(8.0 - before))
    live.watch.table.recorder.close()
    events = [json.loads(block.text) for block in blocks_of(path) if block.kind == "event"]

    source = ReplaySource(path, is_paced=False)
    again = rig_module.watch_over(source, game, rig_module.Clock(), Notes())
    source.on_event = again.table.replay
    while not source.is_over:
        again.step()
    assert {event["what"] for event in events} == {"known", "table", "camera"}
    assert again.table.recorder.events == events
    assert again.table.board == live.watch.table.board


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_two_hundred_faults_while_figures_are_moved():
    rng = np.random.default_rng(200)
    scene = sample_scene()
    rig = rig_module.Rig.of(scene, sample_game(), moves=rig_module.lone_moves(scene, seed=7, every_s=11.0))
    rig.settle()
    faults = list(Fault)
    wrong, late = [], []
    for number in range(FAULTS):
        fault = faults[int(rng.integers(len(faults)))]
        if spell(rig, float(rng.uniform(0.4, 4.0)), fault).wrong:
            wrong.append((number, fault.name))
        rig.camera.switch(fault, on=False)
        try:
            rig.settle(BACK_WITHIN_S)
        except AssertionError as problem:
            late.append((number, fault.name, str(problem)))
    assert (wrong, late) == ([], [])
