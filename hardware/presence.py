"""Whether a host on the network is there: it is asked over and over, and its silence tells."""

from __future__ import annotations

from assistant.errors import NoAnswer, StripLost
from assistant.translations.messages import said

# A host by name is looked up and asked with a patience of two seconds; one that announces itself is waited for.
ANSWER_S = 8.0
# A question waits two seconds for its answer, and two until the next: one that is lost on the radio is nothing.
SILENCE_S = 7.0


class Presence:
    """Takes what the host answers, a line for each answer; its driver says which of them count.

    Args:
        now_s: the moment of the first question.
    """

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._has_heard = False
        self._rest = b""

    def lines(self, data: bytes) -> list[bytes]:
        """The answers that are complete; an empty one says only that somebody is there."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def note(self, now_s: float) -> None:
        """The light has been heard."""
        self._heard_s = now_s
        self._has_heard = True

    def check(self, now_s: float) -> None:
        """Returns while the host is there, or may still answer.

        Raises:
            NoAnswer: it has never answered.
            StripLost: it has stopped answering.
        """
        silent_s = now_s - self._heard_s
        if not self._has_heard and silent_s >= ANSWER_S:
            raise NoAnswer(said("the light does not answer on the network; check its address and its power supply"))
        if self._has_heard and silent_s >= SILENCE_S:
            raise StripLost(said("the light has stopped answering; check its power supply and the wireless network"))
