"""Tells the page's name on the local network (mDNS), so that nobody has to type numbers; failing is only a warning.

Many tables may stand in one hall, on machines that were set up alike: each has a name of its own, made from its
machine and its data folder.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

import zeroconf

from assistant.hosting.addresses import WILDCARDS, network_addresses

log = logging.getLogger(__name__)

NAME_DIGITS = 4
"""65,536 names: two of 500 tables in one hall share one now and then, and the later one then takes a number behind."""


def table_name(data: Path) -> str:
    """The name of the table that keeps its data here, without domain: ``sightline-3f2a``."""
    seed = f"{uuid.getnode()} {data.expanduser().resolve()}"
    return f"sightline-{hashlib.sha256(seed.encode()).hexdigest()[:NAME_DIGITS]}"


def announcement_of(
    name: str, host: str, port: int, scheme: str, on_known: Callable[[str], None]
) -> Announcement | None:
    """The telling of a page's name, not started yet; None where only this machine can open the page.

    Args:
        name: the host name without domain.
        host: the address that the page listens on.
        port: its port.
        scheme: ``http`` or ``https``.
        on_known: told the page's address by name when the network has taken it.
    """
    addresses = network_addresses()
    if host not in WILDCARDS or not addresses:
        return None
    return Announcement(name, port, addresses, scheme=scheme, on_known=on_known)


class Announcement:
    """The page's name on the network, told until it is closed.

    Args:
        name: the host name without domain.
        port: the page's port.
        addresses: this machine's addresses on its networks.
        scheme: ``http`` or ``https``.
        on_known: told the page's address by name when the network has taken it.
    """

    def __init__(
        self, name: str, port: int, addresses: Sequence[str], *, scheme: str, on_known: Callable[[str], None]
    ) -> None:
        self._host = f"{name}.local"
        self._port = port
        self._addresses = addresses
        self._scheme = scheme
        self._on_known = on_known
        self._zeroconf: zeroconf.Zeroconf | None = None
        self._thread = threading.Thread(target=self._tell, name="announce", daemon=True)

    def start(self) -> None:
        """Begins to tell; it takes a second, which nobody waits for."""
        self._thread.start()

    def close(self) -> None:
        """Takes the name back."""
        told = self._zeroconf
        if told is not None:
            # Saying goodbye to the network takes longer than a stop may; names that nobody renews end by themselves.
            threading.Thread(target=told.close, name="announce-end", daemon=True).start()

    def _tell(self) -> None:
        try:
            self._zeroconf = zeroconf.Zeroconf(interfaces=list(self._addresses))
            self._zeroconf.register_service(self._service(), allow_name_change=True)
        except (zeroconf.Error, OSError, AssertionError) as problem:  # it asserts that it could open sockets
            log.warning("the page's name cannot be told on this network (%s); use its address in numbers", problem)
            return
        self._on_known(f"{self._scheme}://{self._host}:{self._port}")

    def _service(self) -> zeroconf.ServiceInfo:
        kind = f"_{self._scheme}._tcp.local."
        return zeroconf.ServiceInfo(
            kind,
            f"Sightline {self._host.removesuffix('.local')}.{kind}",
            addresses=[ipaddress.ip_address(address).packed for address in self._addresses],
            port=self._port,
            properties={"path": "/"},
            server=f"{self._host}.",
        )
