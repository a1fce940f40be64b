"""What devices come to: the addresses of a page, and the links by which they join."""

from __future__ import annotations

from collections.abc import Sequence

from web.people.devices import DeviceList
from web.people.owner_links import OWNER_LINK_S
from web.serving.roles import Role


class Reachable:
    """A page with addresses.

    Attributes:
        devices: who is there.
        addresses: the addresses of the page, the one to show first.
        names: addresses with a name instead of a number.
    """

    devices: DeviceList
    addresses: Sequence[str]
    names: Sequence[str]

    @property
    def shown_addresses(self) -> list[str]:
        """What stands beside the QR code: first what tablets can open, by number and by name."""
        far = [address for address in self.addresses if "//127.0.0.1" not in address]
        return [*(far or self.addresses), *self.names]

    @property
    def invite_address(self) -> str | None:
        """The address in the QR code, in numbers: a phone that knows no local names opens it, too."""
        return next(iter(self.shown_addresses), None)

    def owner_link(self, page: str = "/") -> str:
        """A link by which one device joins as the owner, on that page."""
        invitation = self.devices.invite(Role.OWNER, lifetime_s=OWNER_LINK_S)
        return f"{self.addresses[0]}{page}#join={invitation.token}"
