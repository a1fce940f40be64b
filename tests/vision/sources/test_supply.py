"""The supply of pictures is judged by their content and their times."""

from __future__ import annotations

import numpy as np
import pytest

from vision.sources.supply import (
    FIRST_S,
    LONGEST_PAUSE_S,
    REOPEN_S,
    STILL_S,
    Patience,
    Supply,
    SupplyState,
    content_mark,
    pause_s,
)


@pytest.mark.parametrize(("gap_s", "stale_s"), [(0.033, 0.7), (0.1, 0.7), (0.4, 1.0), (1.0, 2.0), (1.9, 2.0)])
def test_a_silence_is_stale_by_what_the_camera_usually_does_and_it_is_opened_again_at_five(gap_s, stale_s):
    supply = Supply(0.0)
    for number in range(20):
        supply = supply.after(number, 1.0 + number * gap_s)
    last_s = 1.0 + 19 * gap_s
    assert [supply.at(last_s + wait_s) for wait_s in (stale_s - 0.01, stale_s + 0.01, 4.9, 5.01)] == [
        SupplyState.FRESH,
        SupplyState.STALE,
        SupplyState.STALE,
        SupplyState.REOPEN,
    ]


def test_pictures_that_nobody_looked_at_count_for_the_gap():
    looked_at_rarely = Supply(0.0).after(1, 1.0).after(2, 2.0, pictures=30)
    assert looked_at_rarely.at(2.75) is SupplyState.STALE


def test_a_network_that_stuttered_is_given_time_for_a_while():
    supply = Supply(0.0)
    for number in range(20):
        supply = supply.after(number, 1.0 + number * 0.1)
    stuttered = supply.after(99, 2.9 + 0.6).after(100, 2.9 + 0.7)
    assert stuttered.at(2.9 + 0.7 + 0.9) is SupplyState.FRESH
    for number in range(20):
        stuttered = stuttered.after(200 + number, 3.7 + number * 0.1)
    assert stuttered.at(5.6 + 0.9) is SupplyState.STALE


def test_the_same_picture_again_and_again_is_no_supply():
    supply = Supply(0.0).after(7, 1.0)
    for step in range(40):
        supply = supply.after(7, 1.0 + step / 30 * 6)
    assert supply.at(3.0) is SupplyState.STALE
    assert supply.at(6.0) is SupplyState.REOPEN
    assert supply.after(8, 6.1).at(6.2) is SupplyState.FRESH


def test_a_stream_that_repeats_a_still_table_between_key_frames_lives_and_a_frozen_one_is_reported():
    supply, second = Supply(0.0, Patience(still_s=STILL_S)).after(7, 1.0), 1.0
    while second < 1.0 + STILL_S - 0.1:
        second += 1 / 15
        supply = supply.after(7, second)
        assert supply.at(second + 0.1) is SupplyState.FRESH
    frozen = supply
    while second < 1.0 + STILL_S + REOPEN_S + 1.0:
        second += 1 / 15
        frozen = frozen.after(7, second)
    assert frozen.at(second) is SupplyState.REOPEN
    key_frame = supply.after(8, 21.0)
    assert key_frame.after(8, 40.5).at(40.6) is SupplyState.FRESH


def test_a_stream_that_sends_nothing_at_all_is_missed_as_soon_as_any_camera():
    supply = Supply(0.0, Patience(still_s=STILL_S)).after(7, 1.0).after(7, 1.1)
    assert supply.at(1.1 + 0.8) is SupplyState.STALE
    assert supply.at(1.1 + REOPEN_S) is SupplyState.REOPEN


def test_a_camera_that_is_opened_again_and_sends_its_old_picture_has_not_come_back():
    reopened = Supply(10.0, mark=7)
    assert reopened.after(7, 10.5) is reopened
    assert reopened.at(10.0 + FIRST_S) is SupplyState.REOPEN


def test_a_slow_camera_gets_its_time_for_the_first_picture():
    assert Supply(0.0).at(FIRST_S - 0.1) is SupplyState.FRESH
    assert Supply(0.0).at(FIRST_S) is SupplyState.REOPEN


def test_pauses_grow_and_stay_short_enough_to_be_back_within_ten_seconds():
    pauses = [pause_s(attempt) for attempt in range(200)]
    assert pauses == sorted(pauses)
    assert 0 < pauses[0] < 1
    assert max(pauses) == LONGEST_PAUSE_S < 10


def test_noise_alone_changes_the_mark_and_a_copy_does_not(pictures):
    first, second = next(pictures), next(pictures)
    assert content_mark(first) != content_mark(second)
    assert content_mark(first) == content_mark(np.array(first))
