"""Supervision of the picture supply, by numbers, times and changes of content.

It does not rely on the driver: some keep reporting success with the last picture after the plug was pulled.
"""

from __future__ import annotations

import enum
import zlib
from dataclasses import dataclass, replace

from calibration.arrays import BgrImage

SOONEST_STALE_S, LATEST_STALE_S = 0.7, 2.0
"""Limits of the silence after which the last picture is outdated: early for a fast camera, later for a slow one."""

STALE_GAPS = 2.5
"""That silence as a multiple of the camera's usual gap."""

_GAP_KEPT = 0.8
"""Weight of the old gap. A longer gap counts at once and fades slowly, or a stuttering network would time out each
time."""

REOPEN_S = 5.0
"""Silence after which the camera is closed and reopened."""

FIRST_S = 9.0
"""Time from opening to the first picture, since slow cameras need several seconds."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 4.0
"""Pauses between two attempts to open, so that a returning camera is detected within ten seconds."""

_MARK_STEP = 16


STILL_S = 20.0
"""Longest time in which a video stream may repeat a picture. Between two key frames, an encoder at a low bit rate sends
a still table without any change (9.9 s of 10 s between key frames, x264 at QP 34 to 48). Bit-saving cameras send a key
frame as rarely as every 20 s."""


@dataclass(frozen=True, slots=True)
class Patience:
    """A camera's permitted silence before it is reopened: until its first picture, and between two.

    ``still_s``: how long it may repeat its picture without counting as silent.
    """

    first_s: float = FIRST_S
    next_s: float = REOPEN_S
    still_s: float = 0.0


def stale_after_s(gap_s: float | None) -> float:
    """Return the silence limit for a camera with this usual gap between two pictures."""
    if gap_s is None:
        return LATEST_STALE_S
    return min(max(STALE_GAPS * gap_s, SOONEST_STALE_S), LATEST_STALE_S)


def usual_gap_s(before_s: float | None, gap_s: float) -> float:
    """Return the usual gap after one more gap."""
    return gap_s if before_s is None else max(gap_s, _GAP_KEPT * before_s + (1 - _GAP_KEPT) * gap_s)


class SupplyState(enum.Enum):
    """The state of the supply of pictures."""

    FRESH = enum.auto()
    """Pictures come, or the camera has not had time for its first one."""
    STALE = enum.auto()
    REOPEN = enum.auto()


@dataclass(frozen=True)
class Supply:
    """The supply of pictures of an opened camera.

    Args:
        opened_s: when it was opened.
        patience: its permitted silence.
        gap_s: its usual gap between two pictures, None before the second.
        came_s: the time of the last new picture, None before the first.
        changed_s: the time of the last different picture, None before the first.
        mark: the mark of the last picture's content, even from before opening, since a camera that repeats its old
            picture has not returned.
    """

    opened_s: float
    patience: Patience = Patience()
    gap_s: float | None = None
    came_s: float | None = None
    changed_s: float | None = None
    mark: int | None = None

    def after(self, mark: int, monotonic_s: float, pictures: int = 1) -> Supply:
        """Return the supply after one more picture, unchanged if that is only the old picture.

        ``pictures`` is the number since the previous one, since not every picture is examined.
        """
        changed_s = monotonic_s
        if mark == self.mark:
            if self.changed_s is None or monotonic_s - self.changed_s >= self.patience.still_s:
                return self
            changed_s = self.changed_s
        gap_s = self.gap_s
        if self.came_s is not None:
            gap_s = usual_gap_s(gap_s, (monotonic_s - self.came_s) / pictures)
        return replace(self, gap_s=gap_s, came_s=monotonic_s, changed_s=changed_s, mark=mark)

    def at(self, now_s: float) -> SupplyState:
        """Return the state at a moment."""
        if self.came_s is None:
            return SupplyState.REOPEN if now_s - self.opened_s >= self.patience.first_s else SupplyState.FRESH
        waited_s = now_s - self.came_s
        if waited_s >= self.patience.next_s:
            return SupplyState.REOPEN
        return SupplyState.STALE if waited_s >= stale_after_s(self.gap_s) else SupplyState.FRESH


def pause_s(attempts: int) -> float:
    """Return the pause before reopening after that many failures."""
    return min(FIRST_PAUSE_S * 2.0 ** min(attempts, 10), LONGEST_PAUSE_S)


def content_mark(image_bgr: BgrImage) -> int:
    """Return a number that changes with the picture, even by a sensor's noise alone."""
    return zlib.crc32(image_bgr[::_MARK_STEP, ::_MARK_STEP].tobytes())
