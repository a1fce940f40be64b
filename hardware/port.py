"""Ports in the link's terms: a cable, the network or the virtual strip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

AUTO = "auto"
"""The port or kind if the user has named none."""


@dataclass(frozen=True, slots=True)
class PortPlace:
    """A possible place of a strip: an address to open, and for USB the device there.

    ``is_guess``: nobody has confirmed that the device is a strip.
    """

    address: str
    vendor_id: int | None = None
    product_id: int | None = None
    serial_number: str | None = None
    location: str | None = None
    description: str = ""
    is_guess: bool = field(default=False, compare=False)

    @property
    def is_usb(self) -> bool:
        return self.vendor_id is not None

    def is_same_device(self, other: PortPlace) -> bool:
        """Return whether the same device may be behind both addresses.

        Many cheap adapters have no serial number. For them the same make is enough.
        """
        return self.is_usb and (self.vendor_id, self.product_id, self.serial_number) == (
            other.vendor_id,
            other.product_id,
            other.serial_number,
        )


class Port(Protocol):
    """An open port. Every method raises ``StripLost`` when the device is gone."""

    def read(self) -> bytes:
        """Return the bytes since the last call, without waiting."""

    def write(self, data: bytes) -> None:
        """Send bytes, waiting at most a quarter of a second."""

    def close(self) -> None:
        """Close the port. This never fails."""


class PortFinder(Protocol):
    """Finds and opens possible ports of a strip."""

    def places(self) -> list[PortPlace]:
        """Return the places to try now, the best first."""

    def open(self, place: PortPlace, baud_rate: int) -> Port:
        """Open a port.

        Raises:
            PortNotFound: there is no such port.
            PortBusy: another program has it, or this user may not open it.
        """
