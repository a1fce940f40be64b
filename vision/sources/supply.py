"""Whether pictures still come: judged by their numbers, their times and whether their content changes.

What a camera's driver says is not asked: it goes on answering “yes” with the last picture after the plug was pulled.
"""

from __future__ import annotations

import enum
import zlib
from dataclasses import dataclass, replace

from calibration.arrays import BgrImage

STALE_S = 2.0
"""Without a new picture for this long, what was seen last is no longer “now”, and the page says so."""

REOPEN_S = 5.0
"""Without one for this long the camera is closed and opened again."""

FIRST_S = 9.0
"""How long a camera may take from being opened to its first picture; slow ones need some seconds."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 4.0
"""Between two attempts to open; never longer, so that a camera that is back is seen within ten seconds."""

_MARK_STEP = 16


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera may be silent before it is opened again: until its first picture, and between two."""

    first_s: float = FIRST_S
    next_s: float = REOPEN_S


class SupplyState(enum.Enum):
    """How the supply of pictures stands."""

    FRESH = enum.auto()
    """Pictures come, or the camera has not had the time to send its first one."""
    STALE = enum.auto()
    REOPEN = enum.auto()


@dataclass(frozen=True)
class Supply:
    """What is known about the pictures of a camera that was opened.

    Args:
        opened_s: when it was opened.
        changed_s: when a picture came that differs from the one before; None before the first.
        patience: how long it may be silent.
        mark: the mark of the last picture's content, also of one from before it was opened: a camera that sends its
            old picture again has not come back.
    """

    opened_s: float
    patience: Patience = Patience()
    changed_s: float | None = None
    mark: int | None = None

    def after(self, mark: int, monotonic_s: float) -> Supply:
        """The supply after one more picture with that mark of its content; itself if that is the old picture."""
        return self if mark == self.mark else replace(self, changed_s=monotonic_s, mark=mark)

    def at(self, now_s: float) -> SupplyState:
        """How it stands at a moment."""
        if self.changed_s is None:
            return SupplyState.REOPEN if now_s - self.opened_s >= self.patience.first_s else SupplyState.FRESH
        waited_s = now_s - self.changed_s
        if waited_s >= self.patience.next_s:
            return SupplyState.REOPEN
        return SupplyState.STALE if waited_s >= STALE_S else SupplyState.FRESH


def pause_s(attempts: int) -> float:
    """How long to wait before opening again after so many attempts that led to nothing."""
    return min(FIRST_PAUSE_S * 2.0 ** min(attempts, 10), LONGEST_PAUSE_S)


def content_mark(image_bgr: BgrImage) -> int:
    """A number that changes with the picture: a sensor's noise alone changes it from one picture to the next."""
    return zlib.crc32(image_bgr[::_MARK_STEP, ::_MARK_STEP].tobytes())
