"""Announces the page's name on the local network (mDNS), to save typing numbers. A failure is only a warning.

Many tables with identical machines may share a hall. So each table's name is derived from its machine and data folder.
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
"""Hex digits, for 65,536 names. Among 500 tables in a hall two may share one. The later one then appends a number."""


def table_name(data: Path) -> str:
    """Return the host name of the table with this data folder, without domain: ``sightline-3f2a``."""
    seed = f"{uuid.getnode()} {data.expanduser().resolve()}"
    return f"sightline-{hashlib.sha256(seed.encode()).hexdigest()[:NAME_DIGITS]}"


def announcement_of(
    name: str, host: str, port: int, scheme: str, on_known: Callable[[str], None]
) -> Announcement | None:
    """Return the announcement of a page, not yet started, or None if only this machine can open the page."""
    addresses = network_addresses()
    if host not in WILDCARDS or not addresses:
        return None
    return Announcement(name, port, addresses, scheme=scheme, on_known=on_known)


class Announcement:
    """The page's name on the network, until it is closed.

    Args:
        name: the host name without domain.
        port: the page's port.
        addresses: this machine's addresses on its networks.
        scheme: ``http`` or ``https``.
        on_known: called with the page's address under that name, once the network has accepted it.
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
        self._thread = threading.Thread(target=self._announce, name="announce", daemon=True)

    def start(self) -> None:
        """Start the announcement, which takes a second in the background."""
        self._thread.start()

    def close(self) -> None:
        """Withdraw the name."""
        network = self._zeroconf
        if network is not None:
            # A goodbye would delay the stop too long. Names that nobody renews expire anyway.
            threading.Thread(target=network.close, name="announce-end", daemon=True).start()

    def _announce(self) -> None:
        try:
            self._zeroconf = zeroconf.Zeroconf(interfaces=list(self._addresses))
            self._zeroconf.register_service(self._service(), allow_name_change=True)
        except (zeroconf.Error, OSError, AssertionError) as problem:  # zeroconf asserts that it could open sockets
            log.warning("cannot announce the page's name on this network (%s); use its address in numbers", problem)
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
