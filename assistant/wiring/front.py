"""The page on the network: its server, plain or over TLS, its names, and its known devices."""

from __future__ import annotations

import datetime
import logging
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from assistant.errors import StoreError
from assistant.hosting.addresses import list_own_names, network_addresses, page_addresses
from assistant.hosting.announcement import Announcement, announcement_of, table_name
from assistant.hosting.certificates import fingerprint, page_certificate
from assistant.hosting.running_page import RunningPage
from assistant.run_clock import now_s
from assistant.settings import Settings
from web.people.devices import DeviceList
from web.people.door import BodyRights, FrontDoor
from web.people.keeping import AttemptLog, KeptFile
from web.people.owner_links import OwnerLinks
from web.serving.roles import Role
from web.serving.security import HostAllowList
from web.serving.server import PageServer
from web.serving.tls import server_context

log = logging.getLogger(__name__)

Tell = Callable[[StoreError | None], None]


@dataclass
class Front:
    """The page's server and its name announcement, started and stopped together."""

    server: PageServer
    announcement: Announcement | None
    fingerprint: str | None
    """The SHA-256 of the authority that signed the page's certificate, if it was made here."""
    note: RunningPage
    addresses: Sequence[str]

    def start(self) -> None:
        """Start serving, and announce the page's name."""
        self.server.start()
        self._note(lambda: self.note.write(self.addresses))
        if self.announcement is not None:
            self.announcement.start()

    def close(self) -> None:
        """Stop serving and announcing."""
        if self.announcement is not None:
            self.announcement.close()
        self._note(self.note.remove)
        self.server.stop()

    def _note(self, write: Callable[[], None]) -> None:
        """Write or remove the page's record. Without it the page works, but ``sightline owner`` cannot find it."""
        try:
            write()
        except StoreError as problem:
            log.warning("%s", problem)


def device_list(settings: Settings) -> DeviceList:
    """Return the devices of this data folder, including those that joined before this start."""
    attempts = AttemptLog(KeptFile(settings.data / "join-attempts.json"), now_s)
    kept = KeptFile(settings.data / "devices.json")
    guests = Role.SPECTATOR if settings.tournament else Role(settings.guests)
    kept_guests = KeptFile(settings.data / "guests.json")
    return DeviceList(guests, attempts, now_s, kept, owner_links(settings.data), kept_guests)


def owner_links(folder: Path) -> OwnerLinks:
    """Return the owner links that were made for the page of this data folder."""
    return OwnerLinks(KeptFile(folder / "owner-links.json"), now_s)


def front_of(settings: Settings, door: FrontDoor, answering: Flask) -> Front:
    """Build a page's server, bound to its port but not started, and set the door's addresses.

    Args:
        settings: host, port and TLS of the server.
        door: receives the addresses and the certificate.
        answering: the page's application.

    Raises:
        PortTaken: the port is in use, or we lack permission for it.
        BadValue: the host is not an address of this machine, or the given certificate is invalid.
    """
    name = table_name(settings.data)
    names = (*list_own_names(), f"{name}.local", *settings.name)
    context = _context(settings, door, names)
    scheme = "http" if context is None else "https"
    application = HostAllowList(answering, names)
    allow = BodyRights(door.devices, application.allows)
    host, port, devices = settings.host, settings.port, settings.devices
    server = PageServer(application, host=host, port=port, devices=devices, tls=context, allow=allow)
    door.addresses = page_addresses(settings.host, server.port, scheme)
    pem = door.authority_pem

    def known(address: str) -> None:
        door.names = (address,)

    announced = announcement_of(name, settings.host, server.port, scheme, known)
    note = RunningPage(settings.data)
    return Front(server, announced, fingerprint(pem) if pem else None, note, door.addresses)


def _context(settings: Settings, door: FrontDoor, names: tuple[str, ...]) -> ssl.SSLContext | None:
    if settings.tls_cert:
        return server_context(Path(settings.tls_cert), Path(settings.tls_key or settings.tls_cert))
    if not settings.tls:
        return None
    everything = [*names, "127.0.0.1", *network_addresses()]
    made = page_certificate(settings.data / "tls", everything, datetime.datetime.now(datetime.UTC))
    door.authority_pem = made.authority_pem
    return server_context(made.certificate, made.key)
