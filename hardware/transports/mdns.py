"""Asks the network who announces a service (mDNS); only questions are sent, and no light is touched by them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import zeroconf

from assistant.errors import PortNotFound
from assistant.translations.messages import said

SETTLE_S = 3.0
"""A controller that saves power on its radio answers within two seconds."""
DETAILS_MS = 1000

_BY_MULTICAST = zeroconf.DNSQuestionType.QM
"""An answer to this machine alone reaches any one of the programs on it that listen, perhaps the system's own."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A host that announces a service: the name that people gave it, its address in numbers and its port."""

    name: str
    host: str
    port: int


def announced(service: str, *, settle_s: float = SETTLE_S, interfaces: Sequence[str] | None = None) -> list[Announced]:
    """Who announces a service (``_wled._tcp.local.``), by name; waits ``settle_s`` for all of them.

    ``interfaces`` are addresses of this machine, None for all.

    Raises:
        PortNotFound: this network cannot be asked.
    """
    names: set[str] = set()

    def note(*, name: str, state_change: zeroconf.ServiceStateChange, **_: Any) -> None:
        if state_change is zeroconf.ServiceStateChange.Removed:
            names.discard(name)
        else:
            names.add(name)

    try:
        where = zeroconf.InterfaceChoice.All if interfaces is None else list(interfaces)
        with zeroconf.Zeroconf(interfaces=where) as network:
            browser = zeroconf.ServiceBrowser(network, service, handlers=[note], question_type=_BY_MULTICAST)
            time.sleep(settle_s)
            browser.cancel()
            told = [network.get_service_info(service, name, DETAILS_MS, _BY_MULTICAST) for name in sorted(names)]
    except (zeroconf.Error, OSError, AssertionError) as problem:  # it asserts that it could open sockets
        raise PortNotFound(
            said("this network cannot be asked for lights ({reason}); say the light's address", reason=str(problem))
        ) from problem
    return [found for info in told if info is not None and (found := _found(info, service)) is not None]


def _found(info: zeroconf.ServiceInfo, service: str) -> Announced | None:
    addresses = info.parsed_scoped_addresses(zeroconf.IPVersion.V4Only) or info.parsed_scoped_addresses()
    if not addresses or not info.port:
        return None
    return Announced(info.name.removesuffix(f".{service}"), addresses[0], info.port)
