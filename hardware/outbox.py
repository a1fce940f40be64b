"""The newest picture, and when it goes out: at once when it is new, and again before a strip misses its host."""

from __future__ import annotations

from hardware.light import LightFrame


class Outbox:
    """Holds the picture that is wanted and the one that was sent last; an older wish is dropped.

    Args:
        refresh_s: after so long the same picture is sent again.
    """

    def __init__(self, refresh_s: float) -> None:
        self._refresh_s = refresh_s
        self._wanted: LightFrame | None = None
        self._sent_s = 0.0
        self._free_s = float("-inf")
        self.shown: LightFrame | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits to go out."""
        return self._wanted is None

    def is_resting(self, now_s: float) -> bool:
        """Whether the strip is still busy with the last picture."""
        return now_s < self._free_s

    def put(self, frame: LightFrame) -> None:
        """Takes the newest picture."""
        self._wanted = frame

    def doubt(self) -> None:
        """The strip may show something else: the picture goes out again."""
        self._wanted = self._wanted or self.shown
        self.shown = None

    def take(self, now_s: float) -> LightFrame | None:
        """The picture to send now, from now on taken for shown; None while there is nothing to send."""
        if self.is_resting(now_s):
            return None
        wanted, self._wanted = self._wanted or self.shown, None
        if wanted is None or (wanted == self.shown and now_s - self._sent_s < self._refresh_s):
            return None
        self.shown = wanted
        self._sent_s = now_s
        return wanted

    def rest(self, until_s: float) -> None:
        """Keeps the next picture back until then."""
        self._free_s = until_s
