"""Pictures from a browser: the newest wins, and an ended stream is noticed."""

from __future__ import annotations

import threading

import pytest

from assistant.errors import PicturesStopped
from vision.sources.push import PushedSource


@pytest.fixture
def now_s():
    return [10.0]


@pytest.fixture
def source(now_s):
    return PushedSource(lambda: now_s[0])


def test_the_newest_wins_and_is_handed_out_once(source, pictures):
    assert source.next_frame(0) is None
    assert [source.push(next(pictures)) for _ in range(3)] == [1, 2, 3]
    assert source.next_frame(0).sequence == 3
    assert source.next_frame(0) is None


def test_a_stream_that_ends_is_missed_after_two_seconds_and_comes_back(source, now_s, pictures):
    source.push(next(pictures))
    source.next_frame(0)
    now_s[0] += 1.9
    assert source.next_frame(0) is None
    now_s[0] += 0.2
    with pytest.raises(PicturesStopped):
        source.next_frame(0)
    source.push(next(pictures))
    assert source.next_frame(0).sequence == 2


def test_a_photo_that_a_person_took_is_looked_at_for_a_while_and_holds_until_the_next(source, now_s, pictures):
    source.push(next(pictures), is_photo=True)
    first = source.next_frame(0)
    now_s[0] += 1.0
    again = source.next_frame(0)
    assert first.is_photo
    assert again.image_bgr is first.image_bgr
    assert (again.sequence, again.monotonic_s) == (first.sequence + 1, first.monotonic_s + 1.0)
    now_s[0] += 3600
    assert source.next_frame(0) is None


def test_somebody_who_waits_is_woken_by_a_picture(source, pictures):
    threading.Timer(0.05, lambda: source.push(next(pictures))).start()
    assert source.next_frame(10).sequence == 1
