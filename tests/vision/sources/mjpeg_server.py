"""A camera's web server, real down to the socket, with everything that goes wrong on such a line as a switch."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

END_MARK = b"\xff\xd9"


@dataclass
class Line:
    """What is done to the pictures on their way.

    Args:
        next_jpeg: the camera's next picture.
        every_s: from one picture to the next.
        spoil: what happens to a picture's bytes.
        is_stalled: the connection stays and nothing comes.
        is_unplugged: connections break off at once.
        tells_length: whether a part's head says how long it is.
        asked: the heads of all requests, and
        paths: what they asked for.
    """

    next_jpeg: Callable[[], bytes]
    every_s: float = 1 / 30
    spoil: Callable[[bytes], bytes] = field(default=lambda jpeg: jpeg)
    is_stalled: bool = False
    is_unplugged: bool = False
    tells_length: bool = True
    is_single: bool = False
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A listener that goes away in the middle is what these tests are about."""


class MjpegServer:
    """Serves a line on a free port of this machine until it is closed."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._server = _Server(("127.0.0.1", 0), _handler_of(line))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/video"

    def close(self) -> None:
        self.line.is_unplugged = True
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def half(jpeg: bytes) -> bytes:
    """The first half, closed with a valid end mark."""
    return jpeg[: len(jpeg) // 2] + END_MARK


def _handler_of(line: Line) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            line.asked.append(dict(self.headers))
            line.paths.append(self.path)
            if line.is_unplugged:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(200)
            if line.is_single:
                jpeg = line.spoil(line.next_jpeg())
                self.send_header("Content-Type", "image/jpeg")
                self.send_header("Content-Length", str(len(jpeg)))
                self.end_headers()
                self.wfile.write(jpeg)
                return
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            while not line.is_unplugged:
                if not line.is_stalled:
                    self.wfile.write(self._part(line.spoil(line.next_jpeg())))
                time.sleep(line.every_s)

        def _part(self, jpeg: bytes) -> bytes:
            length = f"Content-Length: {len(jpeg)}\r\n" if line.tells_length else ""
            return f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + jpeg + b"\r\n"

    return Handler
