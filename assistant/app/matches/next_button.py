"""The button on the strip: a press means “next”, holding it down undoes the press."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from assistant.errors import SightlineError
from assistant.match.actor import TABLE
from assistant.match.session import Session
from assistant.match.views import list_prompts
from hardware.messages import ButtonAction

logger = logging.getLogger(__name__)

NEXT_STEPS = frozenset({"begin", "status", "reveal", "activations", "end", "next"})
"""Step types that only advance the match. Every step with a choice is left to the tablets."""


@dataclass
class NextButton:
    """Takes the next step of the match when the button is pressed, if it leaves nothing to choose.

    Holding the button down after a press undoes that press.

    Args:
        match: returns the current match, if any.
    """

    match: Callable[[], Session | None]
    _hand: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "next-button"))
    _moved: tuple[Session, int] | None = None
    """The match that the last press advanced, and the number of the event it made."""

    def __call__(self, action: ButtonAction) -> None:
        """Handle a button action and return at once, because the strip's thread must not wait for a match."""
        if action is ButtonAction.PRESSED:
            self._hand.submit(self._press).add_done_callback(_raise_mistakes)
        elif action is ButtonAction.HELD:
            self._hand.submit(self._hold).add_done_callback(_raise_mistakes)

    def _press(self) -> None:
        session = self.match()
        seq = None if session is None else press_next(session)
        self._moved = None if session is None or seq is None else (session, seq)

    def _hold(self) -> None:
        moved, self._moved = self._moved, None
        if moved is not None:
            take_back(*moved)


def _raise_mistakes(done: Future[None]) -> None:
    done.result()  # a bug of ours must not get lost in the executor


def press_next(session: Session) -> int | None:
    """Take the first prompted step that only advances the match and leaves nothing to choose.

    Returns the number of the resulting event, or None.
    """
    timeline = session.timeline
    prompts = list_prompts(session.system, timeline.game)
    step = next((prompt for prompt in prompts if prompt.type in NEXT_STEPS), None)
    if step is None:
        return None
    return _command(session, {"type": step.type, **step.fields, "after": timeline.seq})


def take_back(session: Session, seq: int) -> None:
    """Undo the event of that number if it is still the last one. Revealed cards stay revealed."""
    _command(session, {"type": "undo", "after": seq})


def _command(session: Session, command: dict[str, object]) -> int | None:
    try:
        return session.command(command, TABLE).seq
    except SightlineError as problem:
        # Either a tablet was quicker, or the event cannot be taken back, or the match cannot be saved. The page reports
        # the last itself.
        logger.info("the button changed nothing: %s", problem)
        return None
