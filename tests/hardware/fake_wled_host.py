"""A WLED controller on the network, written from its documents: real datagrams in, its page's JSON out.

Reads the four realtime protocols and DDP, goes back to its own effects when nothing comes, and says in ``/json/info``
whether it shows somebody's pictures. ``Loopback`` puts it behind real sockets.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OWN_EFFECT = (255, 160, 0)
DDP_LEAVE_S = 2.5


class FakeWledHost:
    """The controller; ``clock`` counts seconds, ``takes_pictures`` is its setting “Receive UDP realtime”."""

    def __init__(self, pixel_count=60, clock=time.monotonic, *, takes_pictures=True, limit_ma=0):
        self.pixel_count, self.clock = pixel_count, clock
        self.takes_pictures, self.limit_ma = takes_pictures, limit_ma
        self.picture_port = 21_324
        self.received = []
        self.switch_on()

    def switch_on(self):
        self._pixels = [(0, 0, 0)] * self.pixel_count
        self._ahead = {}
        self._leaves_s = float("-inf")
        self.shown_count = 0

    @property
    def is_live(self):
        return self.clock() < self._leaves_s

    @property
    def pixels(self):
        """The LEDs' colours: a received picture, or its own effect."""
        return tuple(self._pixels) if self.is_live else (OWN_EFFECT,) * self.pixel_count

    @property
    def rgb(self):
        return bytes(value for pixel in self.pixels for value in pixel)

    def info(self):
        leds = {"count": self.pixel_count, "pwr": 0, "maxpwr": self.limit_ma, "rgbw": False}
        told = {"ver": "0.15.0", "vid": 2412100, "leds": leds, "name": "Table", "udpport": self.picture_port}
        return json.dumps({**told, "live": self.is_live, "brand": "WLED"}).encode()

    # -- realtime, port 21324 ------------------------------------------------------------------

    def take(self, data):
        """A datagram on the realtime port."""
        self.received.append(data)
        if not self.takes_pictures or len(data) < 2 or data[0] not in (1, 2, 3, 4):
            return
        if data[1] == 0:
            self._leaves_s = float("-inf")
            return
        self._hold(data[1])
        readers = {1: self._warls, 2: self._drgb, 3: self._drgbw, 4: self._dnrgb}
        self._show(readers[data[0]](data))

    @staticmethod
    def _warls(data):
        return {data[n]: tuple(data[n + 1 : n + 4]) for n in range(2, len(data) - 3, 4)}

    @staticmethod
    def _drgb(data):
        return {(n - 2) // 3: tuple(data[n : n + 3]) for n in range(2, len(data) - 2, 3)}

    @staticmethod
    def _drgbw(data):
        return {(n - 2) // 4: tuple(data[n : n + 3]) for n in range(2, len(data) - 3, 4)}

    @staticmethod
    def _dnrgb(data):
        first = data[2] * 256 + data[3]
        return {first + (n - 4) // 3: tuple(data[n : n + 3]) for n in range(4, len(data) - 2, 3)}

    # -- DDP, port 4048 ------------------------------------------------------------------------

    def take_ddp(self, data):
        """A datagram on the DDP port."""
        self.received.append(data)
        flags, _, kind, display, offset, length = struct.unpack(">BBBBIH", data[:10])
        if flags & 0xC0 != 0x40 or kind != 0x0B or display != 1 or len(data) != 10 + length:
            raise AssertionError(f"no DDP picture: {data[:10].hex()}")
        self._hold(DDP_LEAVE_S)
        self._ahead |= {(offset + n) // 3: tuple(data[10 + n : 13 + n]) for n in range(0, length, 3)}
        if flags & 1:
            self._show(self._ahead)
            self._ahead = {}

    def _hold(self, seconds):
        if not self.is_live:
            self._pixels = [(0, 0, 0)] * self.pixel_count
        self._leaves_s = self.clock() + seconds

    def _show(self, changed):
        self.shown_count += 1
        for index, color in changed.items():
            if index < self.pixel_count:
                self._pixels[index] = color


class Loopback:
    """A controller on loopback with real sockets. It can be switched off and on, or made to hang."""

    def __init__(self, wled):
        self.wled = wled
        self.hangs = threading.Event()
        self._ends = threading.Event()
        self._open(0, 0, 0)

    @property
    def address(self):
        return f"127.0.0.1:{self.page_port}"

    def _open(self, page_port, picture_port, ddp_port):
        self._ends.clear()
        self._sockets = [self._bound(picture_port, self.wled.take), self._bound(ddp_port, self.wled.take_ddp)]
        self.wled.picture_port, self.ddp_port = (one.getsockname()[1] for one in self._sockets)
        self._server = ThreadingHTTPServer(("127.0.0.1", page_port), self._page())
        self._server.daemon_threads = True
        self.page_port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def _bound(self, port, take):
        bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        bound.bind(("127.0.0.1", port))
        bound.settimeout(0.05)
        threading.Thread(target=self._receive, args=(bound, take), daemon=True).start()
        return bound

    def _receive(self, bound, take):
        while not self._ends.is_set():
            with contextlib.suppress(TimeoutError, OSError):
                take(bound.recv(2048))

    def _page(self):
        wled, hangs, ends = self.wled, self.hangs, self._ends

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                if hangs.is_set():
                    ends.wait(30)
                    return
                is_known = self.path == "/json/info"
                self.send_response(200 if is_known else 404)
                self.end_headers()
                with contextlib.suppress(ConnectionError):  # the client has given up
                    self.wfile.write(wled.info() if is_known else b"not here")

            def log_message(self, *_):
                pass

        return Page

    def switch_off(self):
        self._ends.set()
        self._server.shutdown()
        self._server.server_close()
        for each in self._sockets:
            each.close()

    def switch_on(self):
        self.wled.switch_on()
        self._open(self.page_port, self.wled.picture_port, self.ddp_port)
