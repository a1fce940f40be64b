"""A client of MQTT 5 with nothing but what a simulated table needs, so that a swarm costs less than what it measures.

It speaks what the standard calls CONNECT, SUBSCRIBE, PUBLISH and PUBACK (MQTT 5, chapter 3), without properties.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, PINGREQ = 0x10, 2, 3, 4, 0x82, 9, b"\xc0\x00"
FLAGS = 0xC2
"""Clean start, with a name and a password."""

KEEP_ALIVE_S = 600


def text(value: str) -> bytes:
    """Letters with their length before them."""
    data = value.encode()
    return len(data).to_bytes(2, "big") + data


def packet(kind: int, body: bytes) -> bytes:
    """Return a packet with its length, seven bits a byte."""
    left, length = len(body), bytearray()
    while True:
        left, digit = left >> 7, left & 0x7F
        length.append(digit | (0x80 if left else 0))
        if not left:
            return bytes([kind]) + bytes(length) + body


class LeanClient:
    """A connection to the broker, in the thread of its reader.

    Args:
        address: host and port of the broker.
        context: by whom its certificate is vouched for.
        login: client id, name and password.
        heard: told the payload of each message.
    """

    def __init__(
        self,
        address: tuple[str, int],
        context: ssl.SSLContext,
        login: tuple[str, str, str],
        heard: Callable[[bytes], None],
    ) -> None:
        plain = socket.create_connection(address, 30)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(plain, server_hostname=address[0])
        self._heard = heard
        self._came, self._to_send = bytearray(), bytearray()
        self._id = 0
        head = text("MQTT") + bytes([5, FLAGS]) + KEEP_ALIVE_S.to_bytes(2, "big") + b"\0"
        self.socket.sendall(packet(CONNECT, head + b"".join(map(text, login))))
        answer = self.socket.recv(1024)
        if answer[0] >> 4 != CONNACK or answer[3]:
            raise ConnectionRefusedError(f"the broker refuses {login[1]}: {answer.hex()}")
        self.socket.setblocking(False)

    def subscribe(self, topic: str) -> None:
        """Ask for a topic, at least once."""
        self._send(packet(SUBSCRIBE, self._next_id() + b"\0" + text(topic) + b"\x01"))

    def publish(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        """Hand over a message, at least once."""
        kind = PUBLISH << 4 | 0x02 | int(retained)
        self._send(packet(kind, text(topic) + self._next_id() + b"\0" + payload))

    def read(self) -> None:
        """Read the received bytes."""
        try:
            while data := self.socket.recv(65536):
                self._came += data
        except ssl.SSLWantReadError:
            pass
        while self._take():
            pass
        if self._to_send:
            self._send(b"")

    def close(self) -> None:
        """Go without a word."""
        self.socket.close()

    def _next_id(self) -> bytes:
        self._id = self._id % 0xFFFF + 1
        return self._id.to_bytes(2, "big")

    def _send(self, data: bytes) -> None:
        self._to_send += data
        try:
            del self._to_send[: self.socket.send(self._to_send)]
        except ssl.SSLWantWriteError:
            return  # goes out with the next one

    def _take(self) -> bool:
        """Return whether there was a whole packet."""
        came, length, place = self._came, 0, 1
        for shift in (0, 7, 14, 21):
            if place >= len(came):
                return False
            length |= (came[place] & 0x7F) << shift
            place += 1
            if not came[place - 1] & 0x80:
                break
        if len(came) < place + length:
            return False
        kind, body = came[0], bytes(came[place : place + length])
        del came[: place + length]
        if kind >> 4 == PUBLISH:
            self._take_message(kind, body)
        return True

    def _take_message(self, kind: int, body: bytes) -> None:
        place = 2 + int.from_bytes(body[:2], "big")
        if kind & 0x06:
            self._to_send += b"\x40\x02" + body[place : place + 2]
            place += 2
        self._heard(body[place + 1 + body[place] :])
