"""Limits on open calls at a table: everybody can call a judge, and nobody can bury the others' calls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.app.fair_shares import SenderShare
from assistant.app.tournament.call_book import CallBook
from assistant.errors import SightlineError
from assistant.translations.messages import said

MOST_OF_GUEST, MOST_OF_DEVICE = 2, 3
"""Limits on open calls: for all guests at one address, and for one joined device."""

MOST_OF_GUESTS, MOST_OPEN = 6, 16
"""Limits on open calls: for all guests together, and for the table."""


class TooManyCalls(SightlineError):
    """Too many calls are open already, and a judge is on the way."""

    http_status = 429
    sentence = said("A judge is called already. Wait until somebody rules on your calls.")


@dataclass
class CallBounds:
    """The opener of each open call. A restart forgets openers. Such calls then count only for the table."""

    _opened: dict[str, SenderShare] = field(default_factory=dict)
    _opening: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def room(self, name: str, share: SenderShare, book: CallBook) -> Iterator[None]:
        """Record the opener of a call while it is being opened. Repeating a name opens nothing.

        Raises:
            TooManyCalls: this share or the table has too many open calls.
        """
        with self._lock:
            calls = {call.id: call for call in book.calls}
            is_open = {call_id for call_id, call in calls.items() if call.state in ("open", "appealed")}
            self._opened = {one: whose for one, whose in self._opened.items() if one in is_open or one in self._opening}
            is_new = name not in calls and name not in self._opening
            if is_new:
                self._require_few(share, len(is_open | self._opening))
                self._opened[name] = share
                self._opening.add(name)
        try:
            yield
        finally:
            if is_new:
                with self._lock:
                    self._opening.discard(name)

    def _require_few(self, share: SenderShare, open_count: int) -> None:
        of_share = sum(whose == share for whose in self._opened.values())
        of_guests = sum(whose.is_guest for whose in self._opened.values())
        most = MOST_OF_GUEST if share.is_guest else MOST_OF_DEVICE
        if of_share >= most or open_count >= MOST_OPEN or (share.is_guest and of_guests >= MOST_OF_GUESTS):
            raise TooManyCalls
