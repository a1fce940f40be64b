"""Find the hosts that announce a service (mDNS). This only queries the network and touches no light."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import zeroconf

from assistant.errors import PortNotFound
from assistant.translations.messages import said

SETTLE_S = 3.0
"""Time to wait. A controller whose radio saves power answers within two seconds."""
DETAILS_MS = 1000

_BY_MULTICAST = zeroconf.DNSQuestionType.QM
"""A unicast answer reaches only one of this machine's listening programs, perhaps the system's own."""


@dataclass(frozen=True, slots=True)
class Announced:
    """A host that announces a service: its display name, its numeric address and its port."""

    name: str
    host: str
    port: int


def announced(service: str, *, settle_s: float = SETTLE_S, interfaces: Sequence[str] | None = None) -> list[Announced]:
    """Return the hosts that announce a service (``_wled._tcp.local.``), by name, after ``settle_s``.

    ``interfaces`` are addresses of this machine, None for all. Raise ``PortNotFound`` without a network.
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
            infos = [network.get_service_info(service, name, DETAILS_MS, _BY_MULTICAST) for name in sorted(names)]
    except (zeroconf.Error, OSError, AssertionError) as problem:  # zeroconf asserts that it could open sockets
        raise PortNotFound(
            said(
                "This network cannot be searched for lights ({reason}). Give the light's address.", reason=str(problem)
            )
        ) from problem
    return [found for info in infos if info is not None and (found := _found(info, service)) is not None]


def _found(info: zeroconf.ServiceInfo, service: str) -> Announced | None:
    addresses = info.parsed_scoped_addresses(zeroconf.IPVersion.V4Only) or info.parsed_scoped_addresses()
    if not addresses or not info.port:
        return None
    return Announced(info.name.removesuffix(f".{service}"), addresses[0], info.port)
