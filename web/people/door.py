"""The front door: a page's addresses, join links, and limits for a stranger's uploads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import current_app
from werkzeug.http import parse_cookie

from assistant.match.chance import commit_to
from assistant.match.session import Session
from web.people.devices import DeviceList
from web.people.owner_links import OWNER_LINK_S
from web.serving.admission import Allowance, Facts
from web.serving.roles import Right, Role, may
from web.serving.routes import MAX_ARCHIVE_BYTES, MAX_JSON_BYTES, MAX_UPLOAD_BYTES

PARTS = "sightline"
"""The key of a page's parts in its application's extensions."""

COOKIE = "sightline"
"""The name of the cookie with a device's token."""


@dataclass
class FrontDoor:
    """A page's access for devices.

    Args:
        devices: the devices at the page.
        addresses: the page's addresses, the preferred one first.
        names: addresses by name, while the network resolves the name.
        authority_pem: the certificate authority for devices to trust the page, or None without one.
        match: the match, for an invitation's side and figures.
        seats_changed: informs every page of a device's new side.
    """

    devices: DeviceList
    addresses: Sequence[str] = ()
    names: Sequence[str] = ()
    authority_pem: bytes | None = None
    match: Callable[[], Session | None] = lambda: None
    seats_changed: Callable[[], None] = lambda: None

    @property
    def match_mark(self) -> str:
        """The mark of the current match, empty without one."""
        session = self.match()
        return "" if session is None else mark_of(session)

    @property
    def shown_addresses(self) -> list[str]:
        """The addresses beside the QR code, by number and by name, the usable ones for tablets first."""
        far = [address for address in self.addresses if "//127.0.0.1" not in address]
        return [*(far or self.addresses), *self.names]

    @property
    def invite_address(self) -> str | None:
        """The numeric address in the QR code, so that a phone without local names opens it."""
        return next(iter(self.shown_addresses), None)

    def owner_link(self, page: str = "/") -> str:
        """Return a link to that page by which one device joins as the owner."""
        invitation = self.devices.invite(Role.OWNER, lifetime_s=OWNER_LINK_S)
        return f"{self.addresses[0]}{page}#join={invitation.token}"


def mark_of(session: Session) -> str:
    """Return a unique name for the match: the public commitment to its dice."""
    return commit_to(session.seed)


def front_door() -> FrontDoor:
    """Return the front door of the current request's page."""
    door: FrontDoor = current_app.extensions[PARTS].door
    return door


class BodyRights:
    """Decides by the sender's device: only the owner sends backups, and only devices with that right send photos.

    Args:
        devices: the devices at the table.
        is_own_name: whether a ``Host`` names this table. Requests under another name are refused anyway.
    """

    def __init__(self, devices: DeviceList, is_own_name: Callable[[str], bool]) -> None:
        self._devices, self._is_own_name = devices, is_own_name

    def __call__(self, facts: Facts) -> Allowance:
        """Return the allowance of a head's sender."""
        if not self._is_own_name(facts.get("HOST", "")):
            return Allowance()
        role, device = self._devices.standing_of(parse_cookie(facts.get("COOKIE")).get(COOKIE))
        if may(role, Right.OWN):
            return Allowance(MAX_ARCHIVE_BYTES, is_counted=False, device=device)
        return Allowance(MAX_UPLOAD_BYTES if may(role, Right.SHOW) else MAX_JSON_BYTES, device=device)
