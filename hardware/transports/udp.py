"""Network lights: pictures as datagrams, questions by HTTP.

A separate thread does everything that may block: finding the host, its name and its answers. The strip's thread only
takes finished answers and sends without waiting.
"""

from __future__ import annotations

import errno
import http.client
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, repeat
from urllib.parse import urlsplit

from assistant.errors import BadValue, PortNotFound, StripError, StripLost
from assistant.translations.messages import Said, said, verbatim
from hardware.kinds import ByNetwork, LightKind
from hardware.port import AUTO, PortPlace
from hardware.transports.mdns import Announced, announced

PAGE_PORT = 80
QUESTION_TIMEOUT_S = 2.0
# Frequent while a person waits for the first light, then rare enough for a small controller.
PAUSES_S = (0.0, 0.5, 0.5, 1.0)
PAUSE_S = 2.0
MAX_ANSWER_BYTES = 65_536
FULL = (errno.EAGAIN, errno.ENOBUFS)

Browse = Callable[[str], list[Announced]]
"""Finds the hosts that announce a service, which may take several seconds."""


class NetworkFinder:
    """Finds a light on the network.

    Args:
        kind: the kind of light.
        reach: the network access of this kind.
        choice: ``scheme://HOST`` or ``scheme://HOST:PORT`` with the port of the light's own page. HOST ``auto`` takes
            the only announced light, and no other after that one is lost. It takes none of several, since they may
            light another room.
        browse: finds hosts.

    Raises:
        BadValue: the choice is not an address, or is ``auto`` for a kind that does not announce itself.
    """

    def __init__(self, kind: LightKind, reach: ByNetwork, choice: str, *, browse: Browse = announced) -> None:
        self._kind = kind
        self._reach = reach
        self._choice = choice
        self._browse = browse
        self._wanted = _wanted(kind, reach, choice)
        self._taken: str | None = None

    def places(self) -> list[PortPlace]:
        return [PortPlace(self._choice)]

    def open(self, place: PortPlace, baud_rate: int) -> HostPort:
        port = HostPort(self._reach, self._locate)
        port.start()
        return port

    def _locate(self) -> Announced:
        """Return the host. Raise ``PortNotFound`` if none or several announce themselves."""
        if isinstance(self._wanted, Announced):
            return self._wanted
        found = [one for one in self._browse(self._wanted) if self._taken in (None, one.name)]
        if not found:
            wanted = verbatim(f"“{self._taken}”") if self._taken else Said(self._kind.name)
            raise PortNotFound(
                said(
                    "No {wanted} announces itself on this network. Switch it on, or give its address "
                    "({scheme}://192.168.1.40).",
                    wanted=wanted,
                    scheme=self._reach.scheme,
                )
            )
        if len(found) > 1:
            names = ", ".join(f"“{one.name}” {address_of(self._reach, one)}" for one in found)
            raise PortNotFound(
                said("Several lights announce themselves on this network. Choose yours: {names}", names=names)
            )
        self._taken = found[0].name
        return found[0]


def address_of(reach: ByNetwork, host: Announced) -> str:
    """Return the address that selects an announced host."""
    name = f"[{host.host}]" if ":" in host.host else host.host
    return f"{reach.scheme}://{name}" + (f":{host.port}" if host.port != PAGE_PORT else "")


def _wanted(kind: LightKind, reach: ByNetwork, choice: str) -> Announced | str:
    """Return the host in an address, or the service for ``auto``."""
    wrong = BadValue(
        said(
            "“{choice}” is not an address. Write {scheme}://HOST or {scheme}://HOST:PORT.",
            choice=choice,
            scheme=reach.scheme,
        ),
        field="port",
    )
    try:
        parts = urlsplit(choice)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if not host or parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise wrong
    if host != AUTO:
        return Announced(host, host, port or PAGE_PORT)
    if reach.service is None:
        raise BadValue(
            said(
                "{kind} does not announce itself. Give its address ({scheme}://192.168.1.40).",
                kind=Said(kind.name),
                scheme=reach.scheme,
            ),
            field="port",
        )
    return reach.service


class HostPort:
    """A network host as a port. ``read`` returns its answers, a line each.

    ``locate`` finds the host. It may take several seconds and raise a ``StripError``.
    """

    def __init__(self, reach: ByNetwork, locate: Callable[[], Announced]) -> None:
        self._reach = reach
        self._locate = locate
        self._answers: deque[tuple[_Peer, bytes]] = deque()
        self._problem: StripError | None = None
        self._peer: _Peer | None = None
        self._socket: socket.socket | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="light-host", daemon=True)

    def start(self) -> None:
        """Start finding and polling the host."""
        self._thread.start()

    def read(self) -> bytes:
        """Return the host's answers since the last call. Raise ``PortNotFound`` without such a host."""
        if self._problem is not None:
            raise self._problem
        lines = []
        while self._answers:
            peer, answer = self._answers.popleft()
            port = self._reach.told_port(answer) if self._reach.told_port else None
            self._aim(_Peer(peer.family, peer.host, port or self._reach.picture_port))
            lines.append(answer + b"\n")
        return b"".join(lines)

    def write(self, data: bytes) -> None:
        """Send one datagram once the host has answered. A busy network drops it."""
        if self._socket is None:
            return
        try:
            self._socket.send(data)
        except ConnectionError as problem:
            raise StripLost(said("The light takes no pictures. Switch that on in its settings.")) from problem
        except OSError as problem:
            if problem.errno not in FULL:
                raise _gone(problem) from problem

    def close(self) -> None:
        """Close the port. A pending question ends by itself."""
        self._closing.set()
        if self._socket is not None:
            self._socket.close()

    def _aim(self, peer: _Peer) -> None:
        """Send datagrams to that peer from now on. A connected socket reports a refusing receiver."""
        if peer == self._peer:
            return
        if self._socket is not None:
            self._socket.close()
        try:
            self._socket = socket.socket(peer.family, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            self._socket.connect((peer.host, peer.port))
        except OSError as problem:
            raise _gone(problem) from problem
        self._peer = peer

    # -- on the thread that may wait -----------------------------------------------------------

    def _run(self) -> None:
        try:
            peer = _resolve(self._locate())
        except StripError as problem:
            self._problem = problem
            return
        for pause_s in chain(PAUSES_S, repeat(PAUSE_S)):
            if self._closing.wait(pause_s):
                return
            answer = _answer(peer, self._reach.question)
            if answer is not None:
                self._answers.append((peer, answer))


@dataclass(frozen=True, slots=True)
class _Peer:
    """A numeric address with a port."""

    family: int
    host: str
    port: int


def _resolve(host: Announced) -> _Peer:
    """Return the host's numeric address. Raise ``PortNotFound`` for an unknown name."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host.host, host.port, type=socket.SOCK_STREAM)[0]
    except (OSError, ValueError) as problem:
        raise PortNotFound(
            said(
                "There is no host “{host}” on this network. Give its address in numbers, as its own page shows it.",
                host=host.host,
            )
        ) from problem
    return _Peer(family, str(address[0]), host.port)


def _answer(peer: _Peer, question: str) -> bytes | None:
    """Return the host's answer as one line, empty if it refuses, or None without a host."""
    connection = http.client.HTTPConnection(peer.host, peer.port, timeout=QUESTION_TIMEOUT_S)
    try:
        connection.request("GET", question)
        response = connection.getresponse()
        text = response.read(MAX_ANSWER_BYTES)
    except (ConnectionError, http.client.HTTPException):
        return b""  # something is there to refuse
    except OSError:
        return None
    finally:
        connection.close()
    return b" ".join(text.splitlines()) if response.status == 200 else b""


def _gone(problem: OSError) -> StripLost:
    return StripLost(
        said("The network to the light is gone ({reason}). Check this computer's network.", reason=problem.strerror)
    )
