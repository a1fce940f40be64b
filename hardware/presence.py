"""The presence of a host on the network, from its answers to repeated questions and its silence."""

from __future__ import annotations

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import said

ANSWER_S = 8.0
"""The patience for a first answer: time to look up a name, or to wait for an announcement."""
SILENCE_S = 7.0
"""The patience later: a question waits 2 s and the next follows 2 s later, so one may get lost on the radio."""


class Presence:
    """Splits the host's answers into lines and notes when its driver heard it; ``now_s``: of the first question."""

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._has_heard = False
        self._rest = b""

    def lines(self, data: bytes) -> list[bytes]:
        """The complete answers; an empty one only proves that somebody is there."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def note(self, now_s: float) -> None:
        """Notes an answer of the light."""
        self._heard_s = now_s
        self._has_heard = True

    def check(self, now_s: float) -> None:
        """Raises ``NoAnswer`` or ``StripLost`` after too long a silence."""
        silent_s = now_s - self._heard_s
        if not self._has_heard and silent_s >= ANSWER_S:
            raise NoAnswer(said("The light does not answer on the network. Check its address and its power supply."))
        if self._has_heard and silent_s >= SILENCE_S:
            raise StripLost(said("The light has stopped answering. Check its power supply and the wireless network."))
