"""The page shows an automatic correction for some seconds, and never for ten."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from assistant.app.live.frame_reader import MarkerCheck
from calibration.drift import DriftCorrection, DriftEvent
from vision.live.frames import Frame

PUT_RIGHT = DriftEvent(next(iter(DriftCorrection)))
BACK_WITHIN_S = 10.0


def test_what_was_put_right_is_reported_long_enough_to_be_read_and_over_within_ten_seconds():
    events = {0.0: (PUT_RIGHT,)}

    def look(image, time_s):
        return SimpleNamespace(alarms=(), events=events.get(time_s, ()), is_trusted=True, is_calm=True)

    watch = MarkerCheck(SimpleNamespace(look=look))
    told_s = []
    for tenth in range(150):
        watch.look(Frame(np.zeros((4, 4, 3), np.uint8), tenth, tenth / 10, "test"))
        if watch.notice is not None:
            told_s.append(tenth / 10)
    assert told_s[0] == 0.0
    assert 4.0 < told_s[-1] < BACK_WITHIN_S - 2
