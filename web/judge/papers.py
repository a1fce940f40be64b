"""Reports and evidence of calls, each made once and kept until its call goes on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

MOST_BYTES = 48 << 20
"""What is kept in memory: some thirty reports with their pictures."""


@dataclass
class Papers:
    """Files that take seconds to make. One is made at a time: two would both take twice as long.

    Args:
        most_bytes: how much is kept, the last asked for.
    """

    most_bytes: int = MOST_BYTES
    _kept: OrderedDict[Hashable, bytes] = field(default_factory=OrderedDict)
    _making: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the file of that key, made now if it is not there."""
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
