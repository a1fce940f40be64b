"""A recording plays back unchanged, whatever happened to the program or the disk meanwhile."""

from __future__ import annotations

import os
import struct
import traceback
import zlib
from contextlib import contextmanager

import cv2
import numpy as np
import pytest

from assistant.errors import (
    BadValue,
    CameraBusy,
    CameraLost,
    PhotoUnreadable,
    PicturesStopped,
    RecordingBroken,
    RecordingEnded,
    StoreError,
)
from assistant.translations.messages import said
from vision.live.frames import Frame
from vision.photo.decoding import decode_photo
from vision.sources import recording as recording_module
from vision.sources.recording import KEEP_EVERY_S, MAGIC, RecordingWriter, blocks_of, frames_of, is_recording
from vision.sources.replay import ReplaySource, camera_event

ROOMY = 1 << 30


@pytest.fixture
def path(tmp_path):
    return tmp_path / "evening.slrec"


def frame(image: np.ndarray, number: int, *, at_s: float | None = None) -> Frame:
    return Frame(np.array(image), number, number / 10 if at_s is None else at_s, "virtual")


def with_spot(image: np.ndarray, x: int) -> np.ndarray:
    spotted = np.array(image)
    spotted[100:132, x : x + 32] = (20, 30, 220)
    return spotted


def record(path, pictures, count=8, limit_bytes=ROOMY) -> list[Frame]:
    writer = RecordingWriter(path, limit_bytes)
    kept = [writer.frame(frame(with_spot(next(pictures), 20 * n), n)) for n in range(1, count + 1)]
    writer.close()
    return kept


def played(path) -> list[Frame]:
    return [step for step in frames_of(path, "replay") if isinstance(step, Frame)]


def test_the_frames_come_back_pixel_for_pixel_with_numbers_and_times(path, pictures):
    kept = record(path, pictures)
    again = played(path)
    assert [(f.sequence, f.monotonic_s) for f in again] == [(f.sequence, f.monotonic_s) for f in kept]
    assert all(np.array_equal(a.image_bgr, b.image_bgr) for a, b in zip(kept, again, strict=True))
    assert is_recording(path)


def test_events_stand_between_the_frames_where_they_happened(path, pictures):
    writer = RecordingWriter(path, ROOMY)
    writer.event({"what": "begun", "who": "Ærø"})
    writer.frame(frame(next(pictures), 1))
    writer.event({"what": "moved"})
    writer.close()
    steps = list(frames_of(path, "replay"))
    assert steps[0] == {"what": "begun", "who": "Ærø"}
    assert isinstance(steps[1], Frame)
    assert steps[2] == {"what": "moved"}


def test_noise_alone_takes_no_room_and_is_not_judged_either(path, pictures):
    writer = RecordingWriter(path, ROOMY)
    kept = [writer.frame(frame(next(pictures), n, at_s=n / 30)) for n in range(1, 31)]
    writer.close()
    assert [block.kind for block in blocks_of(path)] == ["frame"] + ["again"] * 29
    assert all(np.array_equal(one.image_bgr, kept[0].image_bgr) for one in kept)
    assert all(np.array_equal(a.image_bgr, b.image_bgr) for a, b in zip(kept, played(path), strict=True))


def test_a_picture_is_kept_now_and_then_all_the_same(path, pictures):
    writer = RecordingWriter(path, ROOMY)
    for number, at_s in enumerate((0.0, KEEP_EVERY_S - 0.1, KEEP_EVERY_S, KEEP_EVERY_S + 0.1)):
        writer.frame(frame(next(pictures), number, at_s=at_s))
    writer.close()
    assert [block.kind for block in blocks_of(path)] == ["frame", "again", "frame", "again"]


@pytest.mark.parametrize("lost_bytes", [1, 5, 5000])
def test_a_crash_costs_the_last_block_and_no_more(path, pictures, lost_bytes):
    kept = record(path, pictures)
    os.truncate(path, path.stat().st_size - lost_bytes)
    assert [f.sequence for f in played(path)] == [f.sequence for f in kept[:-1]]


def test_a_flipped_bit_ends_the_recording_there(path, pictures):
    record(path, pictures)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)
    assert 0 < len(played(path)) < 8


def test_it_never_grows_beyond_its_limit(path, pictures):
    record(path, pictures, count=3)
    size = path.stat().st_size
    path.unlink()
    writer = RecordingWriter(path, size)
    for number in range(1, 9):
        writer.frame(frame(with_spot(next(pictures), 20 * number), number))
    writer.close()
    assert writer.is_full
    assert path.stat().st_size <= size
    assert 2 <= len(played(path)) <= 3


def test_a_recording_is_never_written_over(path, pictures):
    record(path, pictures, count=1)
    with pytest.raises(StoreError, match="new name"):
        RecordingWriter(path, ROOMY)


def test_another_file_is_no_recording(tmp_path):
    other = tmp_path / "other"
    other.write_bytes(b"hello")
    with pytest.raises(BadValue, match="sightline record"):
        list(blocks_of(other))
    assert not is_recording(other)
    with pytest.raises(StoreError):
        is_recording(tmp_path / "absent")


def test_a_block_that_another_program_wrote_is_refused_in_one_sentence(path):
    writer = RecordingWriter(path, ROOMY)
    writer.close()
    body = struct.pack("<I", 2) + b"{}" + b"no jpeg"
    path.write_bytes(MAGIC + struct.pack("<cII", b"F", len(body), zlib.crc32(body)) + body)
    with pytest.raises(BadValue, match="not written by Sightline"):
        list(frames_of(path, "replay"))


def test_a_replay_hands_out_every_frame_then_says_that_it_is_over(path, pictures):
    kept = record(path, pictures)
    source = ReplaySource(path, is_paced=False)
    assert [source.next_frame(0).sequence for _ in kept] == [f.sequence for f in kept]
    with pytest.raises(RecordingEnded):
        source.next_frame(0)
    with pytest.raises(RecordingEnded):
        source.next_frame(0)


def test_a_replay_loses_the_camera_where_it_was_lost(path, pictures):
    writer = RecordingWriter(path, ROOMY)
    writer.frame(frame(next(pictures), 1))
    writer.event(camera_event(CameraLost(said("somebody pulled the plug; put it in again"))))
    writer.event(camera_event(PicturesStopped()))
    writer.event(camera_event(CameraBusy(said("another program has it; close that one"))))
    writer.frame(frame(next(pictures), 2))
    writer.close()
    source = ReplaySource(path, is_paced=False)
    assert source.next_frame(0).sequence == 1
    with pytest.raises(CameraLost, match="pulled the plug"):
        source.next_frame(0)
    with pytest.raises(PicturesStopped):
        source.next_frame(0)
    with pytest.raises(CameraBusy, match="close that one"):
        source.next_frame(0)
    assert source.next_frame(0).sequence == 2


def test_a_replay_keeps_the_pace_and_leaves_nothing_out(path, pictures):
    record(path, pictures, count=3)  # a tenth of a second from one to the next
    now_s = [50.0]
    source = ReplaySource(path, clock_s=lambda: now_s[0])
    assert source.next_frame(0).sequence == 1
    assert source.next_frame(0) is None
    now_s[0] += 0.11
    assert source.next_frame(0).sequence == 2
    now_s[0] += 99.0
    assert source.next_frame(0).sequence == 3


def test_a_folder_of_pictures_is_played_in_the_order_of_its_numbers(tmp_path, jpegs):
    for number in (10, 9, 1):
        (tmp_path / f"frame-{number}.jpg").write_bytes(jpegs[number])
    (tmp_path / "notes.txt").write_text("no picture")
    source = ReplaySource(tmp_path, is_paced=False)
    frames = [source.next_frame(0) for _ in range(3)]
    assert [f.monotonic_s for f in frames] == [0.5, 1.0, 1.5]
    expected = [1, 9, 10]
    assert all(np.array_equal(f.image_bgr, decode_photo(jpegs[n])) for f, n in zip(frames, expected, strict=True))


def test_a_video_is_played_frame_by_frame(tmp_path, pictures):
    path = tmp_path / "film.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for _ in range(4):
        video.write(next(pictures))
    video.release()
    source = ReplaySource(path, is_paced=False)
    assert [round(source.next_frame(0).monotonic_s, 3) for _ in range(4)] == [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(RecordingEnded):
        source.next_frame(0)


def test_what_cannot_be_played_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(PhotoUnreadable, match="check it"):
        ReplaySource(tmp_path / "absent.slrec")
    with pytest.raises(PhotoUnreadable, match="no pictures in this folder"):
        ReplaySource(tmp_path)
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(PhotoUnreadable, match="cannot be read as a video"):
        ReplaySource(tmp_path / "film.mp4")
    (tmp_path / "notes.txt").write_text("no recording")
    with pytest.raises(BadValue, match="not a recording, a video or a folder"):
        ReplaySource(tmp_path / "notes.txt")
    (tmp_path / "empty.slrec").write_bytes(MAGIC)
    with pytest.raises(PhotoUnreadable, match="no picture in this recording"):
        ReplaySource(tmp_path / "empty.slrec")
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    with pytest.raises(PhotoUnreadable, match=r"1\.jpg"):
        ReplaySource(tmp_path)
    with pytest.raises(StoreError, match="Check the file's name"):
        ReplaySource(tmp_path / ("a" * 300))


def test_a_damaged_picture_of_a_folder_is_reported_and_left_out(tmp_path, jpegs):
    for number, data in enumerate((jpegs[0], b"no picture", jpegs[2]), start=1):
        (tmp_path / f"{number}.jpg").write_bytes(data)
    source = ReplaySource(tmp_path, is_paced=False)
    assert source.next_frame(0).sequence == 1
    with pytest.raises(RecordingBroken, match=r"2\.jpg"):
        source.next_frame(0)
    assert source.next_frame(0).sequence == 3


def test_a_recording_that_breaks_off_says_so_and_goes_on_saying_so(path, pictures):
    record(path, pictures, count=2)
    body = struct.pack("<I", 2) + b"{}" + b"no jpeg"
    with path.open("ab") as file:
        file.write(struct.pack("<cII", b"F", len(body), zlib.crc32(body)) + body)
    source = ReplaySource(path, is_paced=False)
    assert [source.next_frame(0).sequence] == [1]
    told = []
    for _ in range(20):
        with pytest.raises(RecordingBroken, match="not written by Sightline") as broken:
            source.next_frame(0)
        told.append(sum(1 for _ in traceback.walk_tb(broken.tb)))
    assert told[-1] == told[0]  # it does not keep every place that it was raised from


def test_what_was_known_when_a_frame_was_judged_comes_before_it(path, pictures):
    writer = RecordingWriter(path, ROOMY)
    for number in (1, 2):
        writer.frame(frame(next(pictures), number))
        for what in ("turn", "known", "table", "correction"):
            writer.event({"what": what, "number": number})
    writer.close()
    source, told = ReplaySource(path, is_paced=False), []
    source.on_event = lambda event: told.append((event["what"], event["number"]))
    while not source.is_over:
        now = source.next_frame(0)
        if now is not None:
            told.append(("frame", now.sequence))
    one = [(what, 1) for what in ("turn", "known", "frame", "table", "correction")]
    assert told == [*one, *((what, 2) for what, _ in one)]
    assert source.is_recording


@contextmanager
def full_after_1000_bytes():
    """Limit file sizes like a full disk, only as long as needed: the tests' own output goes to a file."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def write_on(writer) -> None:
    for number in range(40):
        writer.event({"what": "turn", "number": number})


def test_a_full_disk_costs_the_block_that_was_being_written_and_no_more(path):
    with full_after_1000_bytes():
        writer = RecordingWriter(path, ROOMY)
        with pytest.raises(StoreError, match="make room"):
            write_on(writer)
        writer.close()  # failed writes are not retried
    assert path.stat().st_size == 1000

    assert len(list(blocks_of(path))) > 10


def test_a_file_for_which_there_is_no_room_at_all_is_not_left_behind(path, monkeypatch):
    monkeypatch.setattr(recording_module, "MAGIC", bytes(4000))
    with full_after_1000_bytes(), pytest.raises(StoreError, match="make room"):
        RecordingWriter(path, ROOMY)
    assert not path.exists()
