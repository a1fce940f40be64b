"""House options: the points that printed rules leave open, and each house's choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from msgspec import Struct, toml

from assistant.errors import UnknownName
from assistant.translations.messages import said


@dataclass(frozen=True, slots=True)
class Option:
    """A point that the printed rules leave open, for the house to settle once.

    Question, source and titles are messages, translated on display.

    Args:
        name: its id in documents and on the command line.
        choices: the ids of its choices, the default first.
        question: the question that the choices answer.
        source: the reason for the default: document and place, or “inferred”.
        title: its name for people.
        choice_titles: the choices' names for people.
        in_rulings: whether a ruling names it if another choice would change the answer.
        suggested: the visible suggestion for a new match on the page, if the default asks players for a number that the
          known rules lack; otherwise empty.
    """

    name: str
    choices: tuple[str, ...]
    question: str
    source: str
    title: str
    choice_titles: tuple[str, ...]
    in_rulings: bool = True
    suggested: str = ""

    @property
    def default(self) -> str:
        return self.choices[0]

    def choice_title(self, choice: str) -> str:
        """Return a choice's name for people; the choice itself if the option does not have it."""
        titles = dict(zip(self.choices, self.choice_titles, strict=True))
        return titles.get(choice, choice)


class _OptionWire(Struct, forbid_unknown_fields=True):
    """An option in its file format; ``choices`` are titles by id."""

    title: str
    question: str
    source: str
    choices: dict[str, str]
    suggested: str = ""


def read_options(package: str) -> tuple[Option, ...]:
    """Return the options in ``options.toml`` of a game's package, in the file's order.

    The file has a table for each option: ``[ruling.NAME]`` if rulings rest on it, else ``[play.NAME]``.
    """
    text = files(package).joinpath("options.toml").read_bytes()
    groups = toml.decode(text, type=dict[Literal["ruling", "play"], dict[str, _OptionWire]])
    return tuple(
        Option(
            name,
            tuple(wire.choices),
            wire.question,
            wire.source,
            wire.title,
            tuple(wire.choices.values()),
            in_rulings=group == "ruling",
            suggested=wire.suggested,
        )
        for group, options in groups.items()
        for name, wire in options.items()
    )


def choose_options(rule_set_name: str, table: tuple[Option, ...], options: Mapping[str, str]) -> dict[str, str]:
    """Return every option of a table with its choice, defaults filled in.

    Raises:
        UnknownName: the table holds no such option or choice.
    """
    by_name = {option.name: option for option in table}
    for name, choice in options.items():
        if name not in by_name:
            raise UnknownName(
                said(
                    "{rule_set_name} has no option “{name}”. See: sightline rules {rule_set_name}",
                    rule_set_name=rule_set_name,
                    name=name,
                )
            )
        if choice not in by_name[name].choices:
            known = ", ".join(by_name[name].choices)
            raise UnknownName(
                said(
                    "The option “{name}” cannot be “{choice}”. Choose one of: {known}.",
                    name=name,
                    choice=choice,
                    known=known,
                )
            )
    return {option.name: options.get(option.name, option.default) for option in table}
