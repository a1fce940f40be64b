"""The only file that uses pyserial: find and open ports, and map their errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from dataclasses import replace

import serial
from serial.tools import list_ports

from assistant.errors import BadValue, PortBusy, PortNotFound, StripError, StripLost
from assistant.translations.messages import said
from hardware.port import AUTO, PortPlace

try:
    from termios import error as _TerminalError
except ImportError:  # Windows has no termios. OSError is a placeholder, since it is caught anyway
    _TerminalError = OSError  # type: ignore[assignment,misc]

SCHEMES = ("loop", "socket", "rfc2217")
WRITE_TIMEOUT_S = 0.25
MOST_READ_BYTES = 4096
"""Most bytes per read, so that a flooded line cannot occupy the strip's thread."""

SERIAL_ERRORS = (serial.SerialException, OSError, _TerminalError, TypeError)
"""All errors of pyserial for a vanished device. termios.error is no OSError, and closing a port during a call raises
TypeError."""

KNOWN_DEVICES: dict[tuple[int, int], str] = {
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x2341, 0x0243): "Arduino Uno",
    (0x2341, 0x8036): "Arduino Leonardo",
    (0x2A03, 0x8036): "Arduino Leonardo",
    (0x2341, 0x8037): "Arduino Micro",
    (0x2A03, 0x8037): "Arduino Micro",
    (0x1A86, 0x7523): "CH340 adapter (Nano, ESP8266, ESP32)",
    (0x1A86, 0x55D3): "CH343 adapter (ESP32-S3)",
    (0x1A86, 0x55D4): "CH9102 adapter (ESP32)",
    (0x067B, 0x2303): "PL2303 adapter (Nano)",
    (0x067B, 0x23A3): "PL2303 adapter",
    (0x0403, 0x6001): "FTDI adapter (Nano)",
    (0x0403, 0x6015): "FTDI adapter",
    (0x10C4, 0xEA60): "CP210x adapter (ESP8266, ESP32)",
    (0x303A, 0x1001): "ESP32 with its own USB",  # C3 and S3, by the chip's serial port
    (0x303A, 0x0002): "ESP32-S2 with its own USB",
    (0x2E8A, 0x000A): "Raspberry Pi Pico",  # RP2040
}
"""Chips of boards for LED strips. ``auto`` opens no others, since opening resets many devices."""


class SerialPort:
    """An open pyserial port."""

    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def read(self) -> bytes:
        data = bytearray()
        try:
            # Ports on other computers return one byte at a time. Never ask for more than is available: bytes read
            # before a hang-up inside one call would be lost.
            while len(data) < MOST_READ_BYTES and (piece := self._port.read(self._port.in_waiting or 1)):
                data += piece
        except SERIAL_ERRORS as problem:
            if not data:  # else return the bytes first, and let the next call find the device gone again
                raise _lost(problem) from problem
        return bytes(data)

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except serial.SerialTimeoutException as problem:
            raise StripLost(said("The strip takes no more bytes. Unplug it and plug it in again.")) from problem
        except SERIAL_ERRORS as problem:
            raise _lost(problem) from problem

    def close(self) -> None:
        # pyserial's network ports leave their socket open after a reset by the peer.
        connection = getattr(self._port, "_socket", None)
        try:
            self._port.close()
        except SERIAL_ERRORS:
            return  # a vanished device may fail here, but is closed anyway
        finally:
            if connection is not None:
                connection.close()


def _lost(problem: Exception) -> StripLost:
    lost = StripLost(said("The strip is gone from its port. Plug it in again."))
    lost.__cause__ = problem
    return lost


class SerialFinder:
    """Finds and opens serial ports.

    Args:
        choice: ``auto`` for any known board, ``usb:VID:PID`` or ``usb:VID:PID:SERIAL`` (hexadecimal), the name of a
            port, or an address with ``loop://``, ``socket://`` or ``rfc2217://``. A device that was once open is found
            again under another name.
        list_ports: lists the computer's ports.

    Raises:
        BadValue: the choice is none of these.
    """

    def __init__(self, choice: str, list_ports: Callable[[], Iterable[PortPlace]] | None = None) -> None:
        self._choice = choice
        self._list_ports = list_ports or find_ports
        self._usb = _usb_choice(choice)
        self._met: PortPlace | None = None
        scheme, separator, _ = choice.partition("://")
        if separator and scheme not in SCHEMES:
            raise BadValue(
                said(
                    "“{scheme}://” is not a kind of port. Use {known}.",
                    scheme=scheme,
                    known=", ".join(s + "://" for s in SCHEMES),
                ),
                field="port",
            )
        self._is_address = bool(separator)

    def places(self) -> list[PortPlace]:
        if self._is_address:
            return [PortPlace(self._choice)]
        found = list(self._list_ports())
        if self._choice == AUTO:
            known = (p for p in found if (p.vendor_id, p.product_id) in KNOWN_DEVICES)
            chosen = [replace(place, is_guess=True) for place in known]
        elif self._usb is not None:
            chosen = [p for p in found if _fits(p, self._usb)]
        else:
            # A name under /dev/serial/by-id is a link to a listed port.
            real = os.path.realpath(self._choice)
            chosen = [p for p in found if p.address in (self._choice, real)] or self._elsewhere(found)
        met = self._met
        return sorted(chosen, key=lambda place: met is None or not place.is_same_device(met))

    def _elsewhere(self, found: list[PortPlace]) -> list[PortPlace]:
        """Return the chosen port under another name, else the given name (a pty, a link)."""
        same = [place for place in found if self._met and place.is_same_device(self._met)]
        return same or [PortPlace(self._choice)]

    def open(self, place: PortPlace, baud_rate: int) -> SerialPort:
        # pyserial's RFC 2217 client refuses a write timeout. It has its own of five seconds.
        write_timeout_s = None if place.address.startswith("rfc2217://") else WRITE_TIMEOUT_S
        try:
            port = serial.serial_for_url(
                place.address, baudrate=baud_rate, timeout=0, write_timeout=write_timeout_s, exclusive=True
            )
        except (*SERIAL_ERRORS, ValueError) as problem:
            raise _not_opened(place.address, problem) from problem
        self._met = place if place.is_usb else self._met
        return SerialPort(port)


def find_ports() -> list[PortPlace]:
    """Return the computer's serial ports by name."""
    return [
        PortPlace(
            port.device,
            port.vid,
            port.pid,
            port.serial_number,
            port.location,
            KNOWN_DEVICES.get((port.vid, port.pid)) or port.description or "",
        )
        for port in sorted(list_ports.comports())
    ]


def _usb_choice(choice: str) -> tuple[int, int, str | None] | None:
    scheme, *parts = choice.split(":", 3)
    if scheme != "usb":
        return None
    try:
        return int(parts[0], 16), int(parts[1], 16), parts[2] if len(parts) > 2 else None
    except (IndexError, ValueError):
        raise BadValue(
            said("“{choice}” is not a USB device. Write usb:VID:PID or usb:VID:PID:SERIAL.", choice=choice),
            field="port",
        ) from None


def _fits(place: PortPlace, wanted: tuple[int, int, str | None]) -> bool:
    vendor_id, product_id, serial_number = wanted
    same_make = (place.vendor_id, place.product_id) == (vendor_id, product_id)
    return same_make and serial_number in (None, place.serial_number)


def _not_opened(address: str, problem: Exception) -> StripError:
    number = getattr(problem, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return PortBusy(
            said(
                "You may not open the port {address}. Add yourself to the group “dialout” and log in again.",
                address=address,
            )
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return PortBusy(said("Another program uses the port {address}. Close it.", address=address))
    return PortNotFound(
        said("The port {address} cannot be opened. Plug the strip in or choose another port.", address=address)
    )
