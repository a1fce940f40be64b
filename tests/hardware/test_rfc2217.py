"""A port on another computer (RFC 2217), with true DTR and baud rate: opening it resets the board harmlessly."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest
import serial.rfc2217

from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import LightSettings
from hardware.strip import open_strip
from hardware.transports.virtual import VirtualStrip

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
BOOT_S = 1.0


class Board:
    """The serial port for pyserial's port server: an Uno that DTR resets."""

    bytesize, parity, stopbits = 8, "N", 1
    xonxoff = rtscts = break_condition = rts = False
    cts = dsr = ri = cd = False

    def __init__(self):
        self.device = VirtualStrip(time.monotonic)
        self.baudrate = 9600
        self.reset_count = 0
        self.boots_until_s = 0.0
        self.written_while_booting = b""
        self._dtr = False

    @property
    def dtr(self):
        return self._dtr

    @dtr.setter
    def dtr(self, level):
        if level and not self._dtr:
            self.reset_count += 1
            self.boots_until_s = time.monotonic() + BOOT_S
            self.device.unplug()
            self.device.plug_in()
        self._dtr = level

    def reset_input_buffer(self):
        pass

    reset_output_buffer = reset_input_buffer

    def write(self, data):
        if time.monotonic() < self.boots_until_s:
            self.written_while_booting += data
        else:
            self.device.write(data)

    def read(self):
        # At another rate than the firmware's the line carries nothing that can be read.
        is_understood = time.monotonic() >= self.boots_until_s and self.baudrate == 250_000
        return self.device.read() if is_understood else b""


class Server(threading.Thread):
    """Serves the board to one host at a time; a host on a busy computer may need a second try."""

    def __init__(self, board):
        super().__init__(daemon=True)
        self.board = board
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(0.1)
        self.address = f"rfc2217://127.0.0.1:{self.listener.getsockname()[1]}"
        self.ends = threading.Event()

    def run(self):
        with self.listener:
            while not self.ends.is_set():
                with contextlib.suppress(TimeoutError, ConnectionError):
                    self.connection, _ = self.listener.accept()
                    self.serve()

    def serve(self):
        self.connection.settimeout(0.005)
        manager = serial.rfc2217.PortManager(self.board, self)
        with self.connection:
            while not self.ends.is_set():
                self.write(b"".join(manager.escape(self.board.read())))
                try:
                    heard = self.connection.recv(4096)
                except TimeoutError:
                    continue
                if not heard:
                    return
                self.board.write(b"".join(manager.filter(heard)))

    def write(self, data):
        self.connection.sendall(data)


@pytest.fixture
def server():
    made = Server(Board())
    made.start()
    yield made
    made.ends.set()
    made.join(timeout=30)


def shown_within(device, seconds):
    """Count the pictures that a strip shows in that time; a line read byte by byte carries four a second."""
    before = device.shown_count
    time.sleep(seconds)
    return device.shown_count - before


@pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")  # pyserial 3.5's client calls it
@pytest.mark.filterwarnings("ignore:setName:DeprecationWarning")
def test_board_that_resets_when_its_port_opens_is_lit_and_left_in_peace_while_it_boots(server):
    strip = open_strip(server.address, LightSettings())
    strip.show(VIEW)
    strip.start()
    end_s = time.monotonic() + 120  # some seconds, unless the machine is very busy
    # One look at the board's own light: between an answer and a second look a busy machine may lose the board again.
    while (lit_count := sum(map(any, server.board.device.frame.pixels))) <= 20 and time.monotonic() < end_s:
        time.sleep(0.02)
    assert shown_within(server.board.device, 2) > 20
    strip.close()
    assert lit_count > 20
    assert server.board.reset_count >= 1
    assert server.board.baudrate == 250_000
    assert server.board.written_while_booting == b""
