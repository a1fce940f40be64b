from __future__ import annotations

import time

import pytest

from assistant import run_clock


@pytest.mark.parametrize("jump_s", [-30 * 24 * 3600, 2 * 24 * 3600], ids=["a month back", "two days on"])
def test_a_wall_clock_that_is_set_changes_no_time_that_is_measured(monkeypatch, jump_s):
    before_s, before_ms = run_clock.now_s(), run_clock.now_ms()
    monkeypatch.setattr(time, "time", lambda: before_s + jump_s)
    monkeypatch.setattr(time, "time_ns", lambda: int((before_s + jump_s) * 1e9))

    assert 0 <= run_clock.now_s() - before_s < 5
    assert 0 <= run_clock.now_ms() - before_ms < 5000


def test_it_is_the_wall_clocks_time():
    assert abs(run_clock.now_s() - time.time()) < 5
