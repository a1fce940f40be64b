"""Whether pictures still come: judged by their numbers, their times and whether their content changes.

What a camera's driver says is not asked: it goes on answering “yes” with the last picture after the plug was pulled.
"""

from __future__ import annotations

import enum
import zlib
from dataclasses import dataclass, replace

from calibration.arrays import BgrImage

SOONEST_STALE_S, LATEST_STALE_S = 0.7, 2.0
"""Without a new picture for so long, what was seen last is no longer “now”, and the page says so: soon where pictures
come fast, later from a slow camera, and never later than this."""

STALE_GAPS = 2.5
"""So many of the gaps that a camera usually leaves are a silence."""

_GAP_KEPT = 0.8
"""A long gap is forgotten slowly, a longer one learned at once: a network that stutters is not missed at every turn."""

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


def stale_after_s(gap_s: float | None) -> float:
    """How long a silence is, of a camera that usually leaves such a gap between two pictures."""
    if gap_s is None:
        return LATEST_STALE_S
    return min(max(STALE_GAPS * gap_s, SOONEST_STALE_S), LATEST_STALE_S)


def usual_gap_s(before_s: float | None, gap_s: float) -> float:
    """The usual gap after one more."""
    return gap_s if before_s is None else max(gap_s, _GAP_KEPT * before_s + (1 - _GAP_KEPT) * gap_s)


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
        gap_s: the gap that it usually leaves between two pictures; None before the second.
        changed_s: when a picture came that differs from the one before; None before the first.
        patience: how long it may be silent.
        mark: the mark of the last picture's content, also of one from before it was opened: a camera that sends its
            old picture again has not come back.
    """

    opened_s: float
    patience: Patience = Patience()
    gap_s: float | None = None
    changed_s: float | None = None
    mark: int | None = None

    def after(self, mark: int, monotonic_s: float, pictures: int = 1) -> Supply:
        """The supply after one more picture with that mark of its content; itself if that is the old picture.

        Args:
            mark: the mark of its content.
            monotonic_s: when it came.
            pictures: how many have come since the one before; not every one is looked at.
        """
        if mark == self.mark:
            return self
        gap_s = self.gap_s
        if self.changed_s is not None:
            gap_s = usual_gap_s(gap_s, (monotonic_s - self.changed_s) / pictures)
        return replace(self, gap_s=gap_s, changed_s=monotonic_s, mark=mark)

    def at(self, now_s: float) -> SupplyState:
        """How it stands at a moment."""
        if self.changed_s is None:
            return SupplyState.REOPEN if now_s - self.opened_s >= self.patience.first_s else SupplyState.FRESH
        waited_s = now_s - self.changed_s
        if waited_s >= self.patience.next_s:
            return SupplyState.REOPEN
        return SupplyState.STALE if waited_s >= stale_after_s(self.gap_s) else SupplyState.FRESH


def pause_s(attempts: int) -> float:
    """How long to wait before opening again after so many attempts that led to nothing."""
    return min(FIRST_PAUSE_S * 2.0 ** min(attempts, 10), LONGEST_PAUSE_S)


def content_mark(image_bgr: BgrImage) -> int:
    """A number that changes with the picture: a sensor's noise alone changes it from one picture to the next."""
    return zlib.crc32(image_bgr[::_MARK_STEP, ::_MARK_STEP].tobytes())
