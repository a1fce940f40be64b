"""Motion JPEG as real cameras send it: with lengths and without, picture by picture, interrupted, wrong."""

from __future__ import annotations

import io
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import numpy as np
import pytest

from assistant.errors import CameraLost, CameraNotFound, StreamAway
from vision.sources import mjpeg as mjpeg_module
from vision.sources.devices import DamagedPicture
from vision.sources.mjpeg import MjpegOpener, parts_of


class Trickle(io.BytesIO):
    """Bytes that arrive a few at a time."""

    def read1(self, n: int = -1) -> bytes:
        return super().read1(min(n, 7))


def part(jpeg: bytes, *, tells_length: bool) -> bytes:
    length = b"Content-Length: %d\r\n" % len(jpeg) if tells_length else b""
    return b"--b\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + jpeg + b"\r\n"


@pytest.mark.parametrize("tells_length", [True, False])
def test_every_picture_of_a_stream_comes_out_as_it_was_sent(jpegs, tells_length):
    stream = b"".join(part(jpeg, tells_length=tells_length) for jpeg in jpegs)
    assert list(parts_of(io.BytesIO(stream))) == jpegs


def test_bytes_that_trickle_in_make_the_same_pictures(jpegs):
    stream = b"".join(part(jpeg, tells_length=number % 2 == 0) for number, jpeg in enumerate(jpegs[:4]))
    assert list(parts_of(Trickle(stream))) == jpegs[:4]


def test_an_end_mark_within_a_thumbnail_does_not_cut_the_picture():
    jpeg = b"\xff\xd8 thumbnail \xff\xd9 and the rest \xff\xd9"
    assert list(parts_of(io.BytesIO(part(jpeg, tells_length=False) * 2))) == [jpeg, jpeg]


def test_a_stream_without_any_picture_is_given_up():
    with pytest.raises(mjpeg_module.http.client.HTTPException):
        list(parts_of(io.BytesIO(b"x: y\r\n" * 500)))
    assert list(parts_of(io.BytesIO(b"a" * 100_000))) == []


def opened(server):
    return MjpegOpener(server.address, server.address).open()


def read_on(device) -> None:
    """Read more pictures than are on their way."""
    for _ in range(20):
        device.read()


@pytest.mark.parametrize("tells_length", [True, False])
def test_a_real_stream_is_read(server, line, tells_length):
    line.tells_length = tells_length
    device = opened(server)
    first, second = device.read(), device.read()
    device.close()
    assert first.shape == (240, 320, 3)
    assert not np.array_equal(first, second)


def test_an_address_of_single_pictures_is_asked_again_and_again(server, line):
    line.is_single = True
    device = opened(server)
    assert [device.read().shape for _ in range(3)] == [(240, 320, 3)] * 3
    assert len(line.asked) == 3


@pytest.mark.parametrize("kind", ["image/jpg", "application/octet-stream", "text/plain", None])
def test_a_single_picture_is_known_by_its_bytes(server, line, kind):
    line.is_single, line.kind = True, kind
    device = opened(server)
    assert [device.read().shape for _ in range(2)] == [(240, 320, 3)] * 2


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
@pytest.mark.parametrize("is_single", [True, False])
def test_a_camera_that_asks_for_a_hashed_password_gets_it(server, line, algorithm, is_single):
    line.is_single, line.digest = is_single, ("me", "sé cret", algorithm)
    address = server.address.replace("http://", "http://me:s%C3%A9%20cret@") + "?channel=1"
    device = MjpegOpener(address, server.address).open()
    assert [device.read().shape for _ in range(3)] == [(240, 320, 3)] * 3
    device.close()
    assert "cret" not in str(line.asked[-1])
    with pytest.raises(CameraNotFound, match="refuses this name and password"):
        MjpegOpener(address.replace("cret", "wrong"), server.address).open()
    with pytest.raises(CameraNotFound, match="asks for a password"):
        opened(server)


def test_a_camera_is_followed_to_where_it_leads(server, line):
    line.leads_to = "/live/stream?quality=2"
    device = opened(server)
    assert device.read().shape == (240, 320, 3)
    device.close()
    assert line.paths == ["/video", "/live/stream?quality=2"]


def test_a_camera_that_leads_in_circles_is_refused(server, line):
    line.leads_to = "/always elsewhere"
    with pytest.raises(CameraNotFound, match="from address to address"):
        opened(server)
    assert len(line.paths) == mjpeg_module.MOST_REDIRECTS


def test_a_password_stays_with_its_camera(server, line):
    """A camera that leads elsewhere does not take the password along."""
    line.leads_to = server.address.replace("127.0.0.1", "localhost").replace("/video", "/other")
    address = server.address.replace("http://", "http://me:secret@")
    MjpegOpener(address, server.address).open().close()
    assert "Authorization" in line.asked[0]
    assert "Authorization" not in line.asked[1]


def test_a_length_that_leaves_out_the_end_mark_is_mended(jpegs):
    stream = b"".join(
        b"--b\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (len(jpeg) - 2) + jpeg + b"\r\n"
        for jpeg in jpegs
    )
    assert list(parts_of(io.BytesIO(stream))) == jpegs


def test_name_and_password_go_to_the_camera_and_nowhere_else(server, line):
    address = server.address.replace("http://", "http://me:se%20cret@")
    MjpegOpener(address, server.address).open().close()
    assert line.asked[0]["Authorization"] == "Basic bWU6c2UgY3JldA=="
    line.is_unplugged = True
    with pytest.raises(CameraLost) as lost:
        MjpegOpener(address, server.address).open()
    assert "cret" not in str(lost.value)


def test_letters_of_any_alphabet_and_spaces_are_asked_for_as_browsers_do(server, line):
    address = server.address.replace("/video", "/küche 1?größe=2&b=%20")
    device = MjpegOpener(address, address).open()
    device.close()
    assert line.paths[-1] == "/k%C3%BCche%201?gr%C3%B6%C3%9Fe=2&b=%20"


def test_a_camera_that_nobody_vouches_for_is_asked_for_without_tls(server):
    address = server.address.replace("http:", "https:")
    with pytest.raises(StreamAway, match="Use its http:// address"):
        MjpegOpener(address, address).open()


def test_a_stream_that_breaks_off_is_a_lost_camera(server, line):
    device = opened(server)
    device.read()
    line.is_unplugged = True
    with pytest.raises(CameraLost, match="check its app"):
        read_on(device)


def test_a_stream_that_falls_silent_is_a_lost_camera(server, line, monkeypatch):
    monkeypatch.setattr(mjpeg_module, "TIMEOUT_S", 0.3)
    device = opened(server)
    line.is_stalled = True
    with pytest.raises(CameraLost, match="stopped answering"):
        read_on(device)


def test_bytes_that_are_no_picture_are_a_damaged_picture(server, line):
    line.spoil = lambda _: b"\xff\xd8 nothing \xff\xd9"
    with pytest.raises(DamagedPicture):
        opened(server).read()


def test_a_page_is_no_camera():
    class Page(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.send_response({"/": 200, "/locked": 401}.get(self.path, 404))
            self.send_header("Content-Type", "text/html")
            self.end_headers()

    pages = HTTPServer(("127.0.0.1", 0), Page)
    Thread(target=pages.serve_forever, args=(0.05,), daemon=True).start()
    address = f"http://127.0.0.1:{pages.server_address[1]}"
    try:
        with pytest.raises(CameraNotFound, match="no pictures"):
            MjpegOpener(address, address).open()
        with pytest.raises(CameraNotFound, match="404"):
            MjpegOpener(f"{address}/elsewhere", address).open()
        with pytest.raises(CameraNotFound, match="NAME:PASSWORD"):
            MjpegOpener(f"{address}/locked", address).open()
    finally:
        pages.shutdown()
        pages.server_close()
