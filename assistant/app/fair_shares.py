"""A bounded list that several people fill. The largest share loses its oldest item first."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Generic, NamedTuple, TypeVar


class SenderShare(NamedTuple):
    """The share of one device, or of all guests at one address."""

    of: str = ""
    is_guest: bool = False


NOBODY = SenderShare()
"""The share of the program itself and its camera."""

Item = TypeVar("Item")


class FairList(Generic[Item]):
    """A thread-safe list of the newest items, the oldest first.

    Beyond the limit the largest share loses its oldest item. Among equal shares guests lose first. An item may belong
    to several shares and is dropped when the last of them has lost it.

    Args:
        most: the limit.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: dict[Hashable, tuple[Item, set[SenderShare]]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        with self._lock:
            items = [item for item, _ in self._items.values()]
        return iter(items)

    def get(self, key: Hashable) -> Item | None:
        """Return the item of that key, or None if it was dropped."""
        with self._lock:
            found = self._items.get(key)
        return None if found is None else found[0]

    @property
    def newest(self) -> Item | None:
        with self._lock:
            return next((item for item, _ in reversed(self._items.values())), None)

    def add(self, key: Hashable, item: Item, share: SenderShare = NOBODY) -> None:
        """Append an item. It replaces one of the same key, and inherits that one's shares."""
        with self._lock:
            _, shares = self._items.pop(key, (item, set()))
            self._items[key] = (item, shares | {share})
            while len(self._items) > self._most:
                self._drop_one()

    def also_of(self, key: Hashable, share: SenderShare) -> None:
        """Let an item belong to one more share. Its position is unchanged."""
        with self._lock:
            if key in self._items:
                self._items[key][1].add(share)

    def clear(self) -> None:
        with self._lock:
            self._items.clear()

    def _drop_one(self) -> None:
        sizes = Counter(share for _, shares in self._items.values() for share in shares)
        largest = max(sizes, key=lambda share: (sizes[share], share.is_guest))
        key = next(key for key, (_, shares) in self._items.items() if largest in shares)
        shares = self._items[key][1]
        shares.discard(largest)
        if not shares:
            del self._items[key]
