"""The sentences that the script of the table without a grid says, and those about moves that were measured."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.app.live.free_names import SeenMove
from assistant.translations.messages import message
from assistant.translations.names import speak_id
from assistant.translations.speech import Speech

FREE_TEXTS: Mapping[str, str] = {
    "free_reading": message("Reading the photo… {seconds} s"),
    "free_first": message("Tap the shooter."),
    "free_second": message("{name}: tap the target, or the same one again to let go."),
    "free_ruler": message("Tap where the ruler begins."),
    "free_ruler_end": message("Tap where it ends."),
    "free_circle": message("Tap a figure: the line shows {steps} steps from its base."),
    "free_draw": message("Draw with a finger round the top of the terrain; its sides go to the edges by themselves."),
    "free_drawn": message("Drawn. {percent} of its sides lie on an edge of the picture; check the others."),
    "free_remove": message("Tap the terrain that is to go."),
    "free_find": message("Tap the terrain that was moved, where it was drawn; it is looked for on the whole table."),
    "free_unsure": message("{name}, seen unclearly"),
    "free_given": message("The match has taken this table."),
    "free_nothing": message("The table has nothing to say about it."),
}


def free_texts(speech: Speech) -> dict[str, str]:
    """The sentences in the reader's language."""
    return {name: speech.text(text) for name, text in FREE_TEXTS.items()}


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
