"""The way in: the addresses of a page, the links by which devices join, and how much a stranger may send."""

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
"""The key of a page's parts among the extensions of its application."""

COOKIE = "sightline"
"""The cookie with a device's token."""


@dataclass
class FrontDoor:
    """A page as devices reach it.

    Args:
        devices: the devices at the page.
        addresses: the addresses of the page, the one to show first.
        names: addresses with a name instead of a number, while the network learns the name.
        authority_pem: the certificate by which devices may trust the page; None where the page made none.
        match: the match whose sides and figures an invitation may name.
        seats_changed: lets every page learn that a device has another side.
    """

    devices: DeviceList
    addresses: Sequence[str] = ()
    names: Sequence[str] = ()
    authority_pem: bytes | None = None
    match: Callable[[], Session | None] = lambda: None
    seats_changed: Callable[[], None] = lambda: None

    @property
    def match_mark(self) -> str:
        """The mark of the match that is played; empty without one."""
        session = self.match()
        return "" if session is None else mark_of(session)

    @property
    def shown_addresses(self) -> list[str]:
        """The addresses beside the QR code, by number and by name: first those that tablets can open."""
        far = [address for address in self.addresses if "//127.0.0.1" not in address]
        return [*(far or self.addresses), *self.names]

    @property
    def invite_address(self) -> str | None:
        """The address in the QR code, in numbers, so that a phone without local names opens it."""
        return next(iter(self.shown_addresses), None)

    def owner_link(self, page: str = "/") -> str:
        """Return a link by which one device joins as the owner, on that page."""
        invitation = self.devices.invite(Role.OWNER, lifetime_s=OWNER_LINK_S)
        return f"{self.addresses[0]}{page}#join={invitation.token}"


def mark_of(session: Session) -> str:
    """Return a name for the match that no other has: the public commitment to its dice."""
    return commit_to(session.seed)


def front_door() -> FrontDoor:
    """Return the door of the page that answers the current request."""
    door: FrontDoor = current_app.extensions[PARTS].door
    return door


class BodyRights:
    """Decides by the sender's device: only the owner sends backups, only devices that may show one send photos.

    Args:
        devices: the devices at the table.
        is_own_name: whether a ``Host`` names this table; requests under another name are refused anyway.
    """

    def __init__(self, devices: DeviceList, is_own_name: Callable[[str], bool]) -> None:
        self._devices, self._is_own_name = devices, is_own_name

    def __call__(self, facts: Facts) -> Allowance:
        """Return the allowance of the sender of a head."""
        if not self._is_own_name(facts.get("HOST", "")):
            return Allowance()
        role, device = self._devices.standing_of(parse_cookie(facts.get("COOKIE")).get(COOKIE))
        if may(role, Right.OWN):
            return Allowance(MAX_ARCHIVE_BYTES, is_counted=False, device=device)
        return Allowance(MAX_UPLOAD_BYTES if may(role, Right.SHOW) else MAX_JSON_BYTES, device=device)
