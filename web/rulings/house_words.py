"""What the options of the house are called on a card: the short names that their games give them, for rulings."""

from __future__ import annotations

from assistant.rules.options import Option
from assistant.translations.speech import Speech


def option_word(options: tuple[Option, ...], name: str, speech: Speech) -> str:
    """What an option of a game is called; one that no ruling rests on keeps its name."""
    titles = {option.name: option.title for option in options if option.title}
    return _quoted(titles[name], speech) if name in titles else name


def choice_word(options: tuple[Option, ...], name: str, speech: Speech) -> str:
    """What a choice of the options of a game is called."""
    titles = {choice: title for option in options for choice, title in option.choice_titles.items()}
    return _quoted(titles[name], speech) if name in titles else name


def _quoted(text: str, speech: Speech) -> str:
    return speech.text("“{words}”", words=speech.text(text))
