"""The quality of a serial line, which determines message length and timeouts."""

from __future__ import annotations

from hardware.messages import MESSAGE_PIXELS

LEAST_MESSAGE_PIXELS = 8
QUIET_MESSAGES = 32
# USB adapters hold answers back for up to 16 ms, a busy computer longer. So measure the lag and wait three times as
# long for an answer. Repeating a message too early does no harm.
FIRST_LAG_S = 0.02
LAG_DECAY = 0.95
LAGS = 3
LEAST_ANSWER_S = 0.015
MOST_ANSWER_S = 0.12
PATIENCE_GROWTH = 1.5


class LineQuality:
    """Halves messages after each damaged one and doubles them after 32 intact ones.

    With one byte in fifty damaged, one in forty messages of 60 pixels arrives, but every second one of 8 pixels.
    """

    def __init__(self) -> None:
        self.message_pixels = MESSAGE_PIXELS
        self._quiet_count = 0
        self._lag_s = FIRST_LAG_S

    def note_damage(self) -> None:
        """Note a message or an answer that did not arrive intact."""
        self._quiet_count = 0
        self.message_pixels = max(LEAST_MESSAGE_PIXELS, self.message_pixels // 2)

    def note_success(self) -> None:
        """Note an answered message."""
        self._quiet_count += 1
        if self._quiet_count >= QUIET_MESSAGES:
            self._quiet_count = 0
            self.message_pixels = min(MESSAGE_PIXELS, self.message_pixels * 2)

    def note_lag(self, lag_s: float) -> None:
        """Note the delay of a first answer beyond that on a perfect line."""
        self._lag_s = max(lag_s, LAG_DECAY * self._lag_s)

    def patience_s(self, expected_s: float, unanswered_count: int) -> float:
        """Return the timeout for an answer. It grows with each missing one in a row, for a busy computer."""
        patience_s = expected_s + max(LEAST_ANSWER_S, LAGS * self._lag_s)
        longest_s = max(MOST_ANSWER_S, patience_s)
        return float(min(longest_s, patience_s * PATIENCE_GROWTH ** min(8, unanswered_count)))
