"""What the link needs of a port, whether there is a cable behind it or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

AUTO = "auto"
"""As a port or a kind: nobody has named one."""


@dataclass(frozen=True, slots=True)
class PortPlace:
    """Where a strip may be: an address to open, and for USB who is there.

    ``is_guess`` is set where nobody has said that the device is a strip.
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
        """Whether it is known who made what is plugged in."""
        return self.vendor_id is not None

    def is_same_device(self, other: PortPlace) -> bool:
        """Whether the same device may be behind both, under whatever names.

        Many cheap adapters have no serial number; of those any of the same make will do.
        """
        return self.is_usb and (self.vendor_id, self.product_id, self.serial_number) == (
            other.vendor_id,
            other.product_id,
            other.serial_number,
        )


class Port(Protocol):
    """An open port; every method raises ``StripLost`` when what was behind it is gone."""

    def read(self) -> bytes:
        """What has come since the last call; never waits."""

    def write(self, data: bytes) -> None:
        """Sends bytes; waits a quarter of a second at most."""

    def close(self) -> None:
        """Lets go of the port; never fails."""


class PortFinder(Protocol):
    """Knows which ports may have a strip, and opens them."""

    def places(self) -> list[PortPlace]:
        """Where to try now, the best first; may be none."""

    def open(self, place: PortPlace, baud_rate: int) -> Port:
        """Opens a port.

        Raises:
            PortNotFound: it is not there.
            PortBusy: somebody else has it, or it may not be opened.
        """
