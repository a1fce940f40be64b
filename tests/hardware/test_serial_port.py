"""The only file that uses pyserial, on pseudo-terminals and sockets: real reads, writes, hang-ups and errors."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import pty
import socket
import termios
import time

import pytest
import serial

from assistant.errors import BadValue, PortBusy, PortNotFound, StripLost
from assistant.table.tracker import TrackerEntry, TrackerView
from hardware.light import LightSettings
from hardware.port import PortPlace
from hardware.strip import open_strip
from hardware.transports import serial_port
from hardware.transports.serial_port import SerialFinder, SerialPort

VIEW = TrackerView(order=tuple(TrackerEntry(f"f{n}", n % 2, 3, 4) for n in range(5)), active=2, round=1)
UNO = {"vendor_id": 0x2341, "product_id": 0x0043, "serial_number": "5573"}


def test_strip_on_a_serial_port_is_lit(cabled):
    table = cabled()
    table.rig.strip.show(VIEW)
    table.run(2)
    assert table.rig.strip.status.state == "lit"
    assert table.rig.is_lit_with(VIEW)


@pytest.mark.parametrize("choice", [None, "auto", "usb:2341:0043", "usb:2341:0043:5573"])
def test_unplugged_strip_is_found_again_under_another_name(cabled, caplog, choice):
    caplog.set_level(logging.INFO, "hardware")
    table = cabled(choice, **UNO)
    table.rig.strip.show(VIEW)
    table.run(2)
    first = table.rig.strip.status.address
    holder = table.cable
    table.pull()
    table.run(3)
    assert table.rig.strip.status.state == "searching"
    blocker = pty.openpty()  # takes the old name, so that the strip must come back under another
    table.plug(holder.device)
    table.run(5)
    assert table.rig.strip.status.state == "lit"
    assert table.rig.strip.status.address != first
    assert table.rig.is_lit_with(VIEW)
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "INFO"]
    for end in blocker:
        os.close(end)


def test_auto_leaves_strangers_alone():
    strangers = [PortPlace("/dev/ttyS0"), PortPlace("/dev/ttyACM0", 0x1D50, 0x614E)]
    assert SerialFinder("auto", lambda: strangers).places() == []


@pytest.mark.parametrize(
    "identity",
    [(0x067B, 0x2303), (0x1A86, 0x55D3), (0x2341, 0x8036), (0x2E8A, 0x000A), (0x303A, 0x0002), (0x303A, 0x1001)],
    ids=["PL2303", "CH343", "Leonardo", "RP2040", "ESP32-S2", "ESP32-S3 and C3"],
)
def test_auto_knows_the_boards_that_people_drive_strips_with(identity):
    place = PortPlace("/dev/ttyACM7", *identity)
    finder = SerialFinder("auto", lambda: [PortPlace("/dev/ttyS0"), place])
    assert [found.address for found in finder.places()] == ["/dev/ttyACM7"]


def test_device_met_before_is_tried_first(cabled):
    table = cabled("auto", **UNO)
    finder = table.rig.strip._link._finder
    table.run(2)
    other = PortPlace("/dev/ttyUSB9", 0x1A86, 0x7523)
    table.ports.insert(0, other)
    assert finder.places() == [table.ports[1], other]


def test_link_to_a_port_by_its_identity_is_followed(tmp_path, cabled):
    table = cabled()
    link = tmp_path / "by-id-strip"
    link.symlink_to(table.cable.name)
    finder = SerialFinder(str(link), lambda: [PortPlace(table.cable.name, **UNO)])
    assert finder.places() == [PortPlace(table.cable.name, **UNO)]


@pytest.mark.parametrize("choice", ["ftp://x", "hwgrep://arduino", "usb:", "usb:12", "usb:xyz:1"])
def test_choice_that_is_no_port_is_refused(choice):
    with pytest.raises(BadValue) as caught:
        SerialFinder(choice)
    assert caught.value.field == "port"


def test_port_that_is_not_there_is_reported_plainly():
    with pytest.raises(PortNotFound, match="Plug the strip in or choose another port"):
        SerialFinder("/dev/no-such-port").open(PortPlace("/dev/no-such-port"), 115_200)


def test_port_that_another_program_has_is_reported_plainly(cabled):
    table = cabled()
    with serial.Serial(table.cable.name, exclusive=True), pytest.raises(PortBusy, match="Another program uses"):
        SerialFinder(table.cable.name).open(PortPlace(table.cable.name), 115_200)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.EACCES, PortBusy),
        (errno.EPERM, PortBusy),
        (errno.EBUSY, PortBusy),
        (errno.EAGAIN, PortBusy),
        (errno.ENOENT, PortNotFound),
        (errno.EIO, PortNotFound),
        (None, PortNotFound),
    ],
)
def test_every_error_of_opening_is_mapped(monkeypatch, number, expected):
    def refuse(*args, **kwargs):
        raise serial.SerialException(number, "no") if number else serial.SerialException("no")

    monkeypatch.setattr(serial_port.serial, "serial_for_url", refuse)
    with pytest.raises(expected):
        SerialFinder("COM7").open(PortPlace("COM7"), 115_200)


def all_subclasses(kind):
    return {kind}.union(*(all_subclasses(each) for each in kind.__subclasses__()))


@pytest.mark.parametrize(
    "problem",
    [
        *sorted(all_subclasses(serial.SerialException), key=str),
        OSError,
        termios.error,
        TypeError,
        TimeoutError,
        BrokenPipeError,
    ],
)
def test_every_error_of_an_open_port_is_mapped(problem):
    class Broken:
        in_waiting = 0

        def read(self, count):
            raise problem("gone")

        def write(self, data):
            raise problem("gone")

        def close(self):
            raise problem("gone")

    port = SerialPort(Broken())
    with pytest.raises(StripLost):
        port.read()
    with pytest.raises(StripLost):
        port.write(b"x")
    port.close()


class ByteByByte:
    """A port that hands over a byte a call, as pyserial's ports on other computers do, and then hangs up."""

    in_waiting = 1

    def __init__(self, waiting, ends_with):
        self.waiting, self.ends_with = list(waiting), ends_with

    def read(self, count):
        if self.waiting:
            return bytes([self.waiting.pop(0)])
        if self.ends_with:
            raise self.ends_with
        return b""


def test_what_is_waiting_is_read_at_once_also_where_it_comes_byte_by_byte():
    port = SerialPort(ByteByByte(range(200), None))
    assert port.read() == bytes(range(200))
    assert port.read() == b""


def test_what_came_before_a_hang_up_is_not_lost():
    port = SerialPort(ByteByByte(b"Ada", OSError("gone")))
    assert port.read() == b"Ada"
    with pytest.raises(StripLost):
        port.read()


def test_who_floods_the_line_does_not_keep_the_reader():
    port = SerialPort(ByteByByte(bytes(100_000), None))
    assert len(port.read()) == serial_port.MOST_READ_BYTES


def test_hang_up_is_noticed_at_the_next_read(cabled):
    table = cabled()
    port = SerialFinder(table.cable.name).open(PortPlace(table.cable.name), 115_200)
    assert port.read() == b""
    table.pull()
    with pytest.raises(StripLost, match="Plug it in again"):
        port.read()
    port.close()


def test_device_that_takes_nothing_does_not_hold_us_up(cabled):
    table = cabled()
    port = SerialFinder(table.cable.name).open(PortPlace(table.cable.name), 115_200)
    with pytest.raises(StripLost, match="takes no more bytes"):
        port.write(bytes(1 << 20))
    port.close()


def test_nothing_is_written_to_a_device_that_does_not_greet(rig):
    table = rig.Rig(finder=lambda made: SerialFinder("loop://"))
    table.strip.show(VIEW)
    heard = []
    for _ in range(60):
        table.run(0.1)
        connection = table.strip._link._connection
        if connection:
            heard.append(connection.greeting)
    # loop:// gives back whatever is written.
    assert heard
    assert set(heard) == {b""}


def test_strip_behind_a_socket_is_lit(rig):
    server = socket.create_server(("127.0.0.1", 0))
    address = f"socket://127.0.0.1:{server.getsockname()[1]}"
    table = rig.Rig(finder=lambda made: SerialFinder(address))
    table.strip.show(VIEW)
    table.strip.step()
    far, _ = server.accept()
    far.setblocking(False)
    lit_count = 0
    for _ in range(400):
        with contextlib.suppress(BlockingIOError):
            table.device.write(far.recv(4096))
        far.sendall(table.device.read())
        table.run(0.01)
        lit_count += table.is_lit_with(VIEW)
    assert table.strip.status.state == "lit"
    assert lit_count > 100
    far.close()
    server.close()
    table.run(1)
    assert table.strip.status.state == "searching"
    assert table.strip.status.problem
    table.strip.close()


def test_socket_that_the_other_side_has_reset_is_closed():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        port = SerialFinder(address).open(PortPlace(address), 115_200)
        far, _ = server.accept()
        connection = port._port._socket
        port.write(b"unread")
        far.close()
        with pytest.raises(StripLost):
            port.read()
        port.close()
    assert connection.fileno() == -1


def test_listed_ports_are_named_and_sorted():
    places = serial_port.find_ports()
    assert [place.address for place in places] == sorted(place.address for place in places)


@pytest.mark.port
def test_real_strip_is_lit():
    strip = open_strip("auto", LightSettings())
    strip.show(VIEW)
    strip.start()
    time.sleep(12)
    status = strip.status
    strip.close()
    assert status.state == "lit", status.problem
