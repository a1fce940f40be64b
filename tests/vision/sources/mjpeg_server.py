"""A camera's web server, real down to the socket, with a switch for every fault on such a line."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import parse_http_list, parse_keqv_list

END_MARK = b"\xff\xd9"


@dataclass
class Line:
    """The faults and settings of the pictures' line.

    Args:
        next_jpeg: the camera's next picture.
        every_s: from one picture to the next.
        spoil: what happens to a picture's bytes.
        is_stalled: the connection stays and nothing comes.
        is_unplugged: connections break off at once.
        tells_length: whether a part's head says how long it is.
        is_single: each request gets one picture.
        kind: the content type of a single picture, or None for none.
        digest: name, password and algorithm that are asked for by a challenge.
        leads_to: where a request for another path is sent on.
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
    kind: str | None = "image/jpeg"
    digest: tuple[str, str, str] | None = None
    leads_to: str | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Ignore a disconnecting client, which these tests are about."""


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
    """Return the first half, closed with a valid end mark."""
    return jpeg[: len(jpeg) // 2] + END_MARK


def proves(words: str, name: str, password: str, algorithm: str, path: str) -> bool:
    """Return whether a header answers our challenge as RFC 7616 has it."""
    if not words.startswith("Digest "):
        return False
    given = parse_keqv_list(parse_http_list(words.removeprefix("Digest ")))
    hashed = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}[algorithm]

    def digest(*parts: str) -> str:
        return hashed(":".join(parts).encode()).hexdigest()

    secret, asked = digest(name, "cam", password), digest("GET", path)
    expected = digest(secret, "n1", given["nc"], given["cnonce"], "auth", asked)
    return given["uri"] == path and given["username"] == name and given["response"] == expected


def is_sent_away(line: Line, request: BaseHTTPRequestHandler) -> bool:
    """Return whether the answer was another address, or the question for a password."""
    words = request.headers.get("Authorization", "")
    if line.leads_to is not None and not line.leads_to.endswith(request.path):
        request.send_response(302)
        request.send_header("Location", line.leads_to)
    elif line.digest is not None and not proves(words, *line.digest, request.path):
        request.send_response(401)
        challenge = f'Digest realm="cam", nonce="n1", qop="auth", opaque="o", algorithm={line.digest[2]}'
        request.send_header("WWW-Authenticate", 'Basic realm="cam"')
        request.send_header("WWW-Authenticate", challenge)
    else:
        return False
    request.end_headers()
    return True


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
            if is_sent_away(line, self):
                return
            self.send_response(200)
            if line.is_single:
                jpeg = line.spoil(line.next_jpeg())
                if line.kind is not None:
                    self.send_header("Content-Type", line.kind)
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
