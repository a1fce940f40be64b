"""Owner links made by another command of the same user while the page runs.

Write access to the data folder means owning the table anyway. The file holds hashes, each until it expires or a device
joins with it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

import msgspec
from msgspec import Struct

from assistant.run_clock import now_s
from web.people.keeping import KeptFile

OWNER_LINK_S = 24 * 3600.0
"""Lifetime of an owner link. The host opens it at the start of an evening."""

TOKEN_BYTES = 16


class _KeptLink(Struct):
    key: str
    ends_at_s: float


class OwnerLinks:
    """The unused links.

    Args:
        kept: the file shared by the page and the other command.
        now_s: the clock, seconds since 1970.
    """

    def __init__(self, kept: KeptFile | None = None, now_s: Callable[[], float] = now_s) -> None:
        self._kept = kept or KeptFile(None)
        self._now_s = now_s

    def add(self) -> str | None:
        """Return the token of a new link, or None if it could not be kept."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        link = _KeptLink(_key(token), self._now_s() + OWNER_LINK_S)
        return token if self._write([*self._open(), link]) else None

    def take(self, token: str) -> bool:
        """Return whether an unused link has this token. It works once."""
        links, key = self._open(), _key(token)
        others = [link for link in links if not secrets.compare_digest(link.key.encode(), key.encode())]
        return len(others) < len(links) and self._write(others)

    def _open(self) -> list[_KeptLink]:
        try:
            links = msgspec.convert(self._kept.read() or [], list[_KeptLink])
        except msgspec.ValidationError:  # a file of another program
            return []
        # Setting the clock back must not prolong a link.
        return [link for link in links if 0 < link.ends_at_s - self._now_s() <= OWNER_LINK_S]

    def _write(self, links: list[_KeptLink]) -> bool:
        return self._kept.write([{"key": link.key, "ends_at_s": link.ends_at_s} for link in links])


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
