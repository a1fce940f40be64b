"""The button on the strip: it says “next”."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

from assistant.errors import SightlineError
from assistant.match.actor import TABLE
from assistant.match.session import Session
from assistant.match.views import prompts_now
from hardware.messages import ButtonAction
from web.state import PageState

logger = logging.getLogger(__name__)

NEXT_STEPS = frozenset({"begin", "status", "reveal", "activations", "end", "next"})
"""Steps that only move the match on; whatever asks for a choice is left to the tablet."""


@dataclass(frozen=True)
class NextButton:
    """Moves the page's match on when the button is pressed, if there is nothing to choose."""

    state: PageState

    def __call__(self, action: ButtonAction) -> None:
        """Takes what happened to the button and returns at once: the strip's thread must not wait for a match."""
        session = self.state.match
        if action is ButtonAction.PRESSED and session is not None:
            threading.Thread(target=press_next, args=(session,), name="next-button", daemon=True).start()


def press_next(session: Session) -> None:
    """Carries out the first step of the match that moves it on and leaves nothing to choose; else does nothing."""
    prompts = prompts_now(session.system, session.timeline.game)
    step = next((prompt for prompt in prompts if prompt.type in NEXT_STEPS), None)
    if step is None:
        return
    try:
        session.command({"type": step.type, **step.fields}, TABLE)
    except SightlineError as problem:
        # Somebody at a tablet was quicker, or the match cannot be kept; the page says the latter by itself.
        logger.info("the button changed nothing: %s", problem)
