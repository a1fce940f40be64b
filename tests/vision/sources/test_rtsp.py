"""RTSP as IP cameras speak it: a real server on a real socket, FFmpeg inside OpenCV on the other side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from loading import beside

from assistant.errors import CameraLost
from vision.sources.captured import CapturedSource
from vision.sources.capturing import CaptureRequest
from vision.sources.devices import StreamOpener
from vision.sources.names import source_name

answers = beside(__file__, "answers")


@pytest.fixture
def camera(line):
    made = beside(__file__, "rtsp_server").RtspServer(line)
    yield made
    made.close()


def read_on(device) -> None:
    """Reads more pictures than are on their way."""
    for _ in range(100):
        device.read()


def test_the_pictures_of_a_stream_are_read_as_they_were_sent(camera, jpegs):
    device = StreamOpener(camera.address, camera.address).open()
    seen = [device.read() for _ in range(5)]
    device.close()
    sent = [cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) for jpeg in jpegs]
    for image in seen:
        assert image.shape == (240, 320, 3)
        # FFmpeg smooths colours otherwise than libjpeg does; each picture has its own noise of 3 levels.
        assert min(float(np.abs(image.astype(float) - one).mean()) for one in sent) < 1.5
    assert {"DESCRIBE", "SETUP", "PLAY"} <= set(camera.asked)


def test_a_camera_that_hangs_up_is_reported(camera, line):
    device = StreamOpener(camera.address, camera.address).open()
    device.read()
    line.is_unplugged = True
    with pytest.raises(CameraLost, match="sends no pictures any more"):
        read_on(device)
    device.close()


def test_nobody_there_is_one_sentence():
    with pytest.raises(CameraLost, match="cannot be reached"):
        StreamOpener("rtsp://127.0.0.1:9/live", "rtsp://127.0.0.1:9/live").open()


def test_the_capturing_process_comes_back_to_a_camera_that_was_away(camera, line):
    source = CapturedSource(CaptureRequest(source_name(camera.address)))
    try:
        first = answers.until(source, answers.is_frame)
        line.is_unplugged = True
        answers.until(source, answers.is_a(CameraLost))
        line.is_unplugged = False
        again = answers.until(source, answers.is_frame)
        assert again.sequence > first.sequence
        assert again.image_bgr.shape == (240, 320, 3)
    finally:
        source.close()
