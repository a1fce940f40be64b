"""Reports and evidence of calls, made once and cached until the call continues."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

MOST_BYTES = 48 << 20
"""Limit of the cache in memory, some thirty reports with their pictures."""


@dataclass
class Papers:
    """Cache of files that take seconds to make. It makes one at a time: two would both take twice as long.

    Args:
        most_bytes: limit of the cache, which drops the least recently used.
    """

    most_bytes: int = MOST_BYTES
    _kept: OrderedDict[Hashable, bytes] = field(default_factory=OrderedDict)
    _making: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the file of that key. Make it now if it is missing."""
        found = self._kept.get(key)
        if found is not None:
            return found
        with self._making:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = make()
                while len(self._kept) > 1 and sum(map(len, self._kept.values())) > self.most_bytes:
                    self._kept.popitem(last=False)
        return found
