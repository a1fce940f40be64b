"""The sentences that the script of the table without a grid says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.app.live.free_fronts import Fronts
from assistant.app.live.free_match import PlayedMove, TakenTable
from assistant.app.live.free_words import move_words
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
    "free_is_there": message("There is one"),
    "free_is_gone": message("There is none"),
    "free_given": message("The match has taken this table."),
    "free_as_it_stands": message("Take it as it stands"),
    "free_nothing": message("The table has nothing to say about it."),
}


def free_texts(speech: Speech) -> dict[str, str]:
    """The sentences in the reader's language."""
    return {name: speech.text(text) for name, text in FREE_TEXTS.items()}


def front_words(name: str, fronts: Fronts | None, speech: Speech) -> str:
    """Who within the circle round a model stands before it, and who behind."""
    if fronts is None:
        return speech.text("The picture does not tell where {figure} looks.", figure=speak_id(name, speech.language))

    def named(names: Sequence[str]) -> str:
        return ", ".join(speak_id(other, speech.language) for other in names)

    told = []
    if fronts.before:
        told.append(speech.text("Before it: {names}.", names=named(fronts.before)))
    if fronts.behind:
        told.append(speech.text("Behind it: {names}.", names=named(fronts.behind)))
    if fronts.beside:
        told.append(speech.text("Beside it, as far as the picture tells: {names}.", names=named(fronts.beside)))
    return " ".join(told) if told else speech.text("Nobody else stands within the circle.")


def taken_document(taken: TakenTable, speech: Speech) -> dict[str, Any]:
    """What came of a table that a match has taken, in the reader's words; a question with its answers."""
    return {
        "moves": [_played_document(played, speech) for played in taken.moves],
        "news": [sentence.worded(speech.language) for sentence in taken.news],
    }


def _played_document(played: PlayedMove, speech: Speech) -> dict[str, Any]:
    language = speech.language
    told = [move_words(played.move, speech)]
    if played.title is not None:
        told.append(speech.text("Played: {title}.", title=played.title.worded(language)))
    if played.refusal is not None:
        refusal = played.refusal.worded(language)
        told.append(speech.text("Not by the rules: {why}. The match leaves it where it was.", why=refusal))
    if played.question is not None:
        told.append(played.question.worded(language))
    return {
        "figure": played.move.figure,
        "text": " ".join(told),
        "is_refused": played.refusal is not None,
        "choices": [
            {"text": choice.text.worded(language), "command": dict(choice.command)} for choice in played.choices
        ],
    }
