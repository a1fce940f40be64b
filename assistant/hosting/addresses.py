"""The names and addresses of the page."""

from __future__ import annotations

import ipaddress
import socket

import ifaddr

WILDCARDS = ("0.0.0.0", "::", "")


def list_own_names() -> tuple[str, ...]:
    """Return the names of this machine in a browser's requests."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    return ("localhost", host, short, f"{short}.local")


def page_addresses(host: str, port: int, scheme: str = "http") -> tuple[str, ...]:
    """Return the page's addresses: first for this machine, then for tablets."""
    if host not in WILDCARDS:
        return (f"{scheme}://{_in_url(host)}:{port}",)
    return tuple(f"{scheme}://{address}:{port}" for address in ("127.0.0.1", *network_addresses()))


def network_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on its networks, without loopback."""
    found = {ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)}
    return sorted(address for address in found if _is_reachable(address))


def is_port_free(port: int) -> bool:
    """Return whether a page could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def _is_reachable(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_link_local)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
