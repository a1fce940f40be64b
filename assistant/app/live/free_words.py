"""A table without a grid in words: moves that were measured, and what reasons name."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.app.live.free_names import SeenMove
from assistant.rules.reasons import Say
from assistant.table.free_table import FreeTable
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


def plane_words_of(table: FreeTable, language: str) -> Say:
    """How reasons are told of a table without a grid: figures and terrain by their names."""
    known = [*(figure.id for figure in table.figures), *(piece.id for piece in table.terrain)]
    names = {name: speak_id(name, language) for name in known}

    def named(value: object) -> object:
        if isinstance(value, list):
            return [named(one) for one in value]
        if isinstance(value, Mapping):
            return {key: named(one) for key, one in value.items()}
        return names.get(value, value) if isinstance(value, str) else value

    return lambda arguments: {name: named(value) for name, value in arguments.items()}
