"""RTSP as IP cameras speak it: a real server on a real socket, FFmpeg inside OpenCV on the other side."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import socket
import threading

import cv2
import numpy as np
import pytest
from loading import beside

from assistant.errors import CameraError, CameraLost, NoStreamThere, PicturesDamaged, StreamAway
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
    """Read more pictures than are on their way."""
    for _ in range(100):
        device.read()


def test_the_pictures_of_a_stream_are_read_as_they_were_sent(camera, jpegs):
    device = StreamOpener(camera.address, camera.address).open()
    seen = [device.read() for _ in range(5)]
    device.close()
    sent = [cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) for jpeg in jpegs]
    for image in seen:
        assert image.shape == (240, 320, 3)
        # FFmpeg smooths colours differently from libjpeg; each picture has its own noise of 3 levels.
        assert min(float(np.abs(image.astype(float) - one).mean()) for one in sent) < 1.5
    assert {"DESCRIBE", "SETUP", "PLAY"} <= set(camera.asked)


def test_a_camera_that_hangs_up_is_reported(camera, line):
    device = StreamOpener(camera.address, camera.address).open()
    device.read()
    line.is_unplugged = True
    with pytest.raises(CameraLost, match="sends no pictures any more"):
        read_on(device)
    device.close()


def test_a_picture_cut_in_half_is_dropped_and_reported(camera, line, jpegs, capfd):
    source = CapturedSource(CaptureRequest(source_name(camera.address)))
    try:
        answers.until(source, answers.is_frame)
        halves = itertools.cycle([jpeg[: len(jpeg) // 2] + b"\xff\xd9" for jpeg in jpegs])
        whole, line.next_jpeg = line.next_jpeg, lambda: next(halves)
        assert isinstance(answers.until(source, answers.is_a(CameraError)), PicturesDamaged)
        line.next_jpeg = whole
        image = answers.until(source, answers.is_frame).image_bgr
    finally:
        source.close()
    # A decoder fills the lower half of such a picture with grey: here every row still shows the slope.
    assert np.abs(image[-20:].mean(0) - image[:20].mean(0)).max() < 8
    assert capfd.readouterr().err == ""


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


class SayingNo:
    """A camera that answers every request with one status; with a name and password it demands Digest."""

    def __init__(self, status: bytes, password: str = "") -> None:
        self._status, self._password = status, password
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}/live"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while asked := connection.recv(4096):
                number = next((line for line in asked.split(b"\r\n") if line.startswith(b"CSeq")), b"CSeq: 1")
                status, more = self._status, b""
                if self._password and not self._proves(asked):
                    status, more = b"401 Unauthorized", b'WWW-Authenticate: Digest realm="cam", nonce="n1"\r\n'
                connection.sendall(b"RTSP/1.0 " + status + b"\r\n" + number + b"\r\n" + more + b"\r\n")

    def _proves(self, asked: bytes) -> bool:
        found = re.search(rb'uri="([^"]+)", response="([0-9a-f]+)"', asked)
        if found is None:
            return False

        def md5(text: str) -> str:
            return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

        method = asked.split(b" ", 1)[0].decode()
        secret = md5(f"ann:cam:{self._password}")
        return found[2].decode() == md5(f"{secret}:n1:{md5(f'{method}:{found[1].decode()}')}")

    def close(self) -> None:
        self._socket.close()


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (b"404 Stream Not Found", NoStreamThere, "has no such stream (“404 Stream Not Found”). Check its address"),
        (b"401 Unauthorized", NoStreamThere, "does not accept this name and password"),
        (b"503 Service Unavailable", StreamAway, "no stream to spare (“503 Service Unavailable”)"),
        (b"453 Not Enough Bandwidth", NoStreamThere, "453 Not Enough Bandwidth"),
    ],
)
def test_a_camera_that_says_no_is_told_in_its_own_words(status, kind, words, capfd):
    camera = SayingNo(status)
    source = CapturedSource(CaptureRequest(source_name(f"rtsp://{camera.address}")))
    try:
        told = answers.until(source, answers.is_a(CameraError))
    finally:
        source.close()
        camera.close()
    assert isinstance(told, kind)
    assert words in str(told)
    assert capfd.readouterr().err == ""  # FFmpeg's own words stay off the terminal


def test_a_wrong_path_behind_a_password_is_a_wrong_path():
    camera = SayingNo(b"404 Not Found", password="secret")
    for password, word in (("secret", "404"), ("wrong", "does not accept")):
        with pytest.raises(NoStreamThere, match=word):
            StreamOpener(f"rtsp://ann:{password}@{camera.address}", "rtsp://…").open()
    camera.close()


def test_a_web_server_is_no_camera():
    camera = SayingNo(b"")
    camera._status = b"\r\nHTTP"
    with pytest.raises((NoStreamThere, StreamAway)):
        StreamOpener(f"rtsp://{camera.address}", "rtsp://…").open()
    camera.close()


def test_a_port_that_nobody_listens_on_is_told_apart():
    with pytest.raises(StreamAway, match="cannot be reached over the network \\(") as told:
        StreamOpener("rtsp://127.0.0.1:9/live", "rtsp://127.0.0.1:9/live").open()
    assert "refused" in str(told.value).lower()
