"""The page as the network sees it: its server, plain or over TLS, its names, and who may come back."""

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
    """The page's server and the telling of its name; ``start`` and ``close`` are for both."""

    server: PageServer
    announcement: Announcement | None
    fingerprint: str | None
    """The SHA-256 of the authority that signed the page's certificate, if it was made here."""
    note: RunningPage
    addresses: Sequence[str]

    def start(self) -> None:
        """Begin to answer, and to tell the page's name."""
        self.server.start()
        self._note(lambda: self.note.write(self.addresses))
        if self.announcement is not None:
            self.announcement.start()

    def close(self) -> None:
        """Stop both."""
        if self.announcement is not None:
            self.announcement.close()
        self._note(self.note.remove)
        self.server.stop()

    def _note(self, write: Callable[[], None]) -> None:
        """Where the disk takes no note, the page answers all the same; only ``sightline owner`` does not find it."""
        try:
            write()
        except StoreError as problem:
            log.warning("%s", problem)


def device_list(settings: Settings) -> DeviceList:
    """Return the devices of this data folder, with those that joined before the program was started."""
    attempts = AttemptLog(KeptFile(settings.data / "join-attempts.json"), now_s)
    kept = KeptFile(settings.data / "devices.json")
    guests = Role.SPECTATOR if settings.tournament else Role(settings.guests)
    kept_guests = KeptFile(settings.data / "guests.json")
    return DeviceList(guests, attempts, now_s, kept, owner_links(settings.data), kept_guests)


def owner_links(folder: Path) -> OwnerLinks:
    """Return the owner's links that were made beside the page of this data folder."""
    return OwnerLinks(KeptFile(folder / "owner-links.json"), now_s)


def front_of(settings: Settings, door: FrontDoor, answering: Flask) -> Front:
    """Return the server of a page, bound to its port and not started; the door learns its addresses.

    Args:
        settings: where and how it is served.
        door: where the addresses and the certificate go.
        answering: the page itself.

    Raises:
        PortTaken: the port is in use or not ours to use.
        BadValue: the host is no address of this machine, or the certificate that was brought is none.
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
