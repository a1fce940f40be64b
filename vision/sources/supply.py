"""Whether pictures still come, by their numbers, their times and changes of their content.

The driver is not asked: some go on answering “yes” with the last picture after the plug was pulled.
"""

from __future__ import annotations

import enum
import zlib
from dataclasses import dataclass, replace

from calibration.arrays import BgrImage

SOONEST_STALE_S, LATEST_STALE_S = 0.7, 2.0
"""Limits of the silence after which the last picture is no longer “now”: early for a fast camera, later for a slow
one."""

STALE_GAPS = 2.5
"""That silence as a multiple of the camera's usual gap."""

_GAP_KEPT = 0.8
"""Weight of the old gap: a longer gap counts at once and fades slowly, or a stuttering network would be missed each
time."""

REOPEN_S = 5.0
"""Silence after which the camera is closed and opened again."""

FIRST_S = 9.0
"""Time from opening to the first picture; slow cameras need some seconds."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 4.0
"""Pauses between two attempts to open, so that a camera that is back is seen within ten seconds."""

_MARK_STEP = 16


STILL_S = 20.0
"""The longest time in which a video stream may repeat a picture: between two key frames an encoder at a low bit rate
sends a still table without any change (9.9 s of 10 s between key frames, x264 at QP 34 to 48), cameras that save bits
send a key frame as rarely as every 20 s."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera may be silent before it is opened again: until its first picture, and between two.

    ``still_s``: how long it may repeat its picture meanwhile without counting as silent.
    """

    first_s: float = FIRST_S
    next_s: float = REOPEN_S
    still_s: float = 0.0


def stale_after_s(gap_s: float | None) -> float:
    """Return the length of a silence for a camera with this usual gap between two pictures."""
    if gap_s is None:
        return LATEST_STALE_S
    return min(max(STALE_GAPS * gap_s, SOONEST_STALE_S), LATEST_STALE_S)


def usual_gap_s(before_s: float | None, gap_s: float) -> float:
    """Return the usual gap after one more."""
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
        patience: how long it may be silent.
        gap_s: its usual gap between two pictures; None before the second.
        came_s: when the last picture came that counts as new; None before the first.
        changed_s: when the last different picture came; None before the first.
        mark: the mark of the last picture's content, also of one from before it was opened: a camera that sends its old
            picture again has not come back.
    """

    opened_s: float
    patience: Patience = Patience()
    gap_s: float | None = None
    came_s: float | None = None
    changed_s: float | None = None
    mark: int | None = None

    def after(self, mark: int, monotonic_s: float, pictures: int = 1) -> Supply:
        """Return the supply after one more picture; itself if that is the old picture and does not count.

        ``pictures`` counts those since the one before, as not every one is looked at.
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
    """Return the pause before opening again after that many failures."""
    return min(FIRST_PAUSE_S * 2.0 ** min(attempts, 10), LONGEST_PAUSE_S)


def content_mark(image_bgr: BgrImage) -> int:
    """Return a number that changes with the picture; a sensor's noise alone changes it."""
    return zlib.crc32(image_bgr[::_MARK_STEP, ::_MARK_STEP].tobytes())
