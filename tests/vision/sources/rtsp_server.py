"""An IP camera that speaks RTSP (RFC 2326), real down to the socket: JPEG in RTP packets (RFC 2435) over TCP."""

from __future__ import annotations

import itertools
import socketserver
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

PACKET_BYTES = 1400
JPEG_PAYLOAD, JPEG_420, TABLES_FOLLOW = 26, 1, 255
CLOCK_HZ = 90_000


@dataclass
class Scan:
    """RTP's parts of a JPEG: its size in pixels, its quantisation tables, and the coded picture."""

    width: int = 0
    height: int = 0
    tables: bytes = b""
    data: bytes = b""


def scan_of(jpeg: bytes) -> Scan:
    """Take a baseline JPEG apart, marker by marker."""
    scan, at = Scan(), 2
    while True:
        marker, length = struct.unpack_from(">HH", jpeg, at)
        body = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if marker == 0xFFDB:
            scan.tables += b"".join(body[start + 1 : start + 65] for start in range(0, len(body), 65))
        elif marker == 0xFFC0:
            scan.height, scan.width = struct.unpack_from(">HH", body, 1)
        elif marker == 0xFFDA:
            scan.data = jpeg[at : jpeg.rindex(b"\xff\xd9")]
            return scan


def rtp_packets(jpeg: bytes, numbers: Iterator[int], time_s: float) -> Iterator[bytes]:
    """Yield the picture in packets; the last one has the marker bit."""
    scan, offset = scan_of(jpeg), 0
    while offset < len(scan.data):
        part = scan.data[offset : offset + PACKET_BYTES]
        is_last = offset + len(part) == len(scan.data)
        kind = JPEG_PAYLOAD | (0x80 if is_last else 0)
        head = struct.pack(">BBHII", 0x80, kind, next(numbers) & 0xFFFF, int(time_s * CLOCK_HZ) & 0xFFFFFFFF, 7)
        head += struct.pack(">I", offset) + bytes((JPEG_420, TABLES_FOLLOW, scan.width // 8, scan.height // 8))
        if offset == 0:
            head += struct.pack(">BBH", 0, 0, len(scan.tables)) + scan.tables
        yield head + part
        offset += len(part)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, camera: RtspServer) -> None:
        super().__init__(("127.0.0.1", 0), _Listener)
        self.camera = camera

    def handle_error(self, request, client_address):
        """Ignore a disconnecting client, which these tests are about."""


@dataclass
class RtspServer:
    """Serves a line (``mjpeg_server.Line``) on a free port of this machine until it is closed."""

    line: Any
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self._server.server_address[1]}/live"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Listener(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        while request := self.rfile.readline().decode().split():
            method, address = request[0], request[1]
            head = [line.decode().strip() for line in iter(self.rfile.readline, b"\r\n")]
            fields = dict(line.split(": ", 1) for line in head)
            self.server.camera.asked.append(method)
            self._answer(method, address, fields)
            if method == "PLAY":
                self._play(self.server.camera.line)
                return

    def _answer(self, method: str, address: str, fields: dict[str, str]) -> None:
        more, body, status = {}, "", "200 OK"
        if method == "OPTIONS":
            more["Public"] = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"
        elif method == "DESCRIBE":
            body = f"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP {JPEG_PAYLOAD}\r\n"
            body += "a=control:track1\r\n"
            more |= {"Content-Type": "application/sdp", "Content-Base": address + "/"}
        elif method == "SETUP" and "TCP" not in fields["Transport"]:
            status = "461 Unsupported Transport"
        elif method == "SETUP":
            more |= {"Transport": "RTP/AVP/TCP;unicast;interleaved=0-1", "Session": "12345678"}
        lines = [f"RTSP/1.0 {status}", f"CSeq: {fields['CSeq']}", *(f"{k}: {v}" for k, v in more.items())]
        self.wfile.write("\r\n".join([*lines, f"Content-Length: {len(body)}", "", body]).encode())

    def _play(self, line: Any) -> None:
        numbers, begun_s = itertools.count(), time.monotonic()
        while not line.is_unplugged:
            time.sleep(line.every_s)
            if line.is_stalled:
                continue
            for packet in rtp_packets(line.next_jpeg(), numbers, time.monotonic() - begun_s):
                self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
