"""The capturing process: real, over a real line, hung, killed and always back."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import traceback

import numpy as np
import pytest
from loading import beside

from assistant.errors import CameraError, CameraLost, PicturesDamaged, PicturesStopped
from vision.live.frames import Frame
from vision.sources import captured as captured_module
from vision.sources import capturing as capturing_module
from vision.sources.captured import CapturedSource
from vision.sources.capturing import CaptureRequest
from vision.sources.names import source_name
from vision.sources.supply import Patience

answers = beside(__file__, "answers")
until, is_frame, is_a = answers.until, answers.is_frame, answers.is_a

posix = pytest.mark.skipif(sys.platform == "win32", reason="stopping a process needs signals")


@pytest.fixture
def source(server):
    made = CapturedSource(CaptureRequest(source_name(server.address)))
    yield made
    made.close()


@pytest.fixture
def hasty(server):
    """A source that gives a silent camera half its time."""
    made = CapturedSource(CaptureRequest(source_name(server.address), patience=Patience(next_s=2.5)))
    yield made
    made.close()


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_frames_come_numbered_and_fresh_and_the_process_ends_with_the_source(source, server):
    frames = [until(source, is_frame) for _ in range(3)]
    assert [frame.sequence for frame in frames] == [1, 2, 3]
    assert frames[0].source == server.address
    assert 0 <= time.monotonic() - frames[-1].monotonic_s < 1.0
    assert not frames[0].image_bgr.flags.writeable
    process_id = source.process_id
    source.close()
    source.close()
    assert not is_running(process_id)


def test_a_camera_that_is_not_there_is_reported_at_once_and_waited_for(source, line):
    line.is_unplugged = True
    assert "Check its app" in str(until(source, is_a(CameraLost)))
    line.is_unplugged = False
    assert until(source, is_frame, within_s=10)


def test_unplugged_and_back_goes_on_with_the_next_number(source, line):
    last = until(source, is_frame).sequence
    line.is_unplugged = True
    until(source, is_a(CameraLost))
    line.is_unplugged = False
    back = until(source, is_frame, within_s=10)
    assert back.sequence > last


def test_half_a_jpeg_with_a_valid_end_is_never_handed_out(source, line, mjpeg):
    whole = until(source, is_frame)
    line.spoil = mjpeg.half
    for _ in range(4):
        source.next_frame(0.1)  # in transit
    assert isinstance(until(source, lambda a: isinstance(a, CameraError), within_s=8), PicturesDamaged)
    line.spoil = lambda jpeg: jpeg
    again = until(source, is_frame, within_s=10)
    # A decoder fills the lower half of such a picture with grey: here every row still shows the slope.
    assert np.abs(again.image_bgr[-20:].mean(0) - whole.image_bgr[:20].mean(0)).max() < 8


def test_the_same_picture_for_ever_is_a_camera_that_stands_still(source, line, jpegs):
    until(source, is_frame)
    line.next_jpeg = lambda: jpegs[0]
    assert isinstance(until(source, is_a(CameraError), within_s=8), PicturesStopped)


def test_a_process_that_takes_longer_to_come_up_than_its_camera_may_be_silent_is_waited_for(server):
    made = CapturedSource(CaptureRequest(source_name(server.address), patience=Patience(first_s=0.25)))
    assert until(made, is_frame, within_s=20)
    made.close()


def test_a_system_that_gives_no_memory_to_share_is_asked_again(source, monkeypatch):
    def refused():
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(captured_module, "SharedPictures", refused)
        assert "No space left" in str(until(source, is_a(CameraLost)))
    assert until(source, is_frame)


@posix
def test_the_process_ends_with_a_program_that_was_killed_before_it_had_heard_all(monkeypatch):
    def ended(status):
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", ended)
    ours, theirs = multiprocessing.Pipe()
    theirs.send("a word that nobody takes any more")
    ours.close()
    with pytest.raises(SystemExit):
        capturing_module._listen(theirs, None)
    theirs.close()


@posix
def test_an_interrupt_at_the_keyboard_is_for_the_program_alone_from_the_first_moment_on(source):
    source.next_frame(0)
    begun = source.process_id
    os.kill(begun, signal.SIGINT)
    assert until(source, is_frame)
    assert source.process_id == begun


@posix
def test_a_problem_that_is_reported_again_and_again_takes_no_memory(source):
    until(source, is_frame)
    os.kill(source.process_id, signal.SIGKILL)
    problem = until(source, is_a(PicturesStopped))
    for _ in range(20):
        with pytest.raises(PicturesStopped) as again:
            source.next_frame(0)
    assert again.value is problem
    assert sum(1 for _ in traceback.walk_tb(problem.__traceback__)) < 5


@posix
def test_a_read_that_hangs_is_ended_and_the_camera_opened_again(hasty):
    source = hasty
    until(source, is_frame)
    hung = source.process_id
    os.kill(hung, signal.SIGSTOP)  # no Python of that process runs any more, as in a driver that never returns
    assert isinstance(until(source, is_a(CameraError)), PicturesStopped)
    until(source, is_frame)
    assert source.process_id != hung
    assert not is_running(hung)


@posix
def test_a_process_that_is_killed_is_begun_anew(source):
    last = until(source, is_frame).sequence
    os.kill(source.process_id, signal.SIGKILL)
    back = until(source, lambda a: isinstance(a, Frame) and a.sequence > last + 30, within_s=15)
    assert back.monotonic_s <= time.monotonic()


@posix
def test_the_process_ends_with_a_program_that_is_killed(server, tmp_path):
    script = tmp_path / "watching.py"
    script.write_text(
        "from vision.sources.captured import CapturedSource\n"
        "from vision.sources.capturing import CaptureRequest\n"
        "from vision.sources.names import source_name\n"
        "if __name__ == '__main__':\n"
        f"    source = CapturedSource(CaptureRequest(source_name({server.address!r})))\n"
        "    while source.next_frame(1.0) is None:\n"
        "        pass\n"
        "    print(source.process_id, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stdin=subprocess.PIPE) as program:
        process_id = int(program.stdout.readline())
        assert is_running(process_id)
        program.kill()
        program.wait()
    until_s = time.monotonic() + 5
    while is_running(process_id) and time.monotonic() < until_s:
        time.sleep(0.05)
    assert not is_running(process_id)
