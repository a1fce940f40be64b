"""The house's options of a rule set: the points that printed rules leave open, and what was chosen for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.errors import UnknownName
from assistant.translations.messages import said


@dataclass(frozen=True, slots=True)
class Option:
    """A point that the printed rules leave open, for the house to settle once.

    Args:
        name: how it is set.
        choices: what it can be set to, the default first.
        sentence: the question it answers.
        source: why the default is what it is: the document and place, or that it was inferred.
        title: what people call it.
        choice_titles: what people call each of the choices.

    The sentence, the source and the titles are messages, translated where they are shown.
    """

    name: str
    choices: tuple[str, ...]
    sentence: str
    source: str
    title: str
    choice_titles: tuple[str, ...]

    @property
    def default(self) -> str:
        """What holds when the house says nothing."""
        return self.choices[0]

    def choice_title(self, choice: str) -> str:
        """What people call a choice; one that is none of this option's keeps its name."""
        titles = dict(zip(self.choices, self.choice_titles, strict=True))
        return titles.get(choice, choice)


def choose_options(rule_set_name: str, table: tuple[Option, ...], options: Mapping[str, str]) -> dict[str, str]:
    """Every option of a table with its choice, defaults filled in.

    Raises:
        UnknownName: an option or a choice that the table does not hold.
    """
    by_name = {option.name: option for option in table}
    for name, choice in options.items():
        if name not in by_name:
            raise UnknownName(
                said(
                    "{rule_set_name} has no option “{name}”; see: sightline rules {rule_set_name}",
                    rule_set_name=rule_set_name,
                    name=name,
                )
            )
        if choice not in by_name[name].choices:
            known = ", ".join(by_name[name].choices)
            raise UnknownName(
                said(
                    "the option “{name}” cannot be “{choice}”; choose one of: {known}",
                    name=name,
                    choice=choice,
                    known=known,
                )
            )
    return {option.name: options.get(option.name, option.default) for option in table}
