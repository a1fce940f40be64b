"""Moves on a table without a grid in words."""

from __future__ import annotations

from assistant.app.live.free_names import SeenMove
from assistant.translations.names import speak_id
from assistant.translations.speech import Speech


def move_words(move: SeenMove, speech: Speech) -> str:
    """A move that was measured, in a sentence."""
    who = speak_id(move.figure, speech.language)
    steps, error = speech.number(move.steps, 2), speech.number(max(2 * move.error_mm, 0.1), 1)
    if move.touches:
        others = ", ".join(speak_id(name, speech.language) for name in move.touches)
        return speech.text(
            "{figure} moved {steps} steps (± {error} mm) into contact with {others}.",
            figure=who,
            steps=steps,
            error=error,
            others=others,
        )
    return speech.text("{figure} moved {steps} steps (± {error} mm).", figure=who, steps=steps, error=error)
