"""The rule sets by name, their house options, and what every one of them can be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from assistant.errors import UnknownName
from assistant.rules.reasons import Rule
from assistant.rules.ruling import Reach, Ruling

TableT_contra = TypeVar("TableT_contra", contravariant=True)


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


class Verdict(NamedTuple):
    """The bare answer for one pair, without its reasons."""

    range: int | float | None
    line_of_sight: bool
    cover: bool | None


class RuleSet(Protocol[TableT_contra]):
    """One game's rules with the house's options, asked with a table document."""

    name: ClassVar[str]
    option_table: ClassVar[tuple[Option, ...]]
    rules: ClassVar[Mapping[str, Rule]]

    @property
    def options(self) -> Mapping[str, str]:
        """Every option with the choice that holds."""
        ...

    def rule(self, board: TableT_contra, attacker_id: str, defender_id: str) -> Ruling:
        """The ruling for one pair.

        Raises:
            UnknownName: the table holds no such figure.
        """
        ...

    def pairs(self, board: TableT_contra) -> Iterator[Ruling]:
        """A ruling for every ordered pair of figures on different sides, by the two names."""
        ...

    def reach(self, board: TableT_contra, figure_id: str, points: int, open_doors: bool = False) -> Reach:
        """Where a figure may end a move of so many points.

        Raises:
            UnknownName: the table holds no such figure.
        """
        ...


class _Place(NamedTuple):
    module: str
    attribute: str


RULE_SETS: Mapping[str, _Place] = {
    "doom2016": _Place("assistant.games.doom2016.rules.ruleset", "Doom2016"),
    "doom2004": _Place("assistant.games.doom2004.rules.ruleset", "Doom2004"),
    "roads": _Place("assistant.games.roads.rules.ruleset", "Roads"),
}
"""Where each rule set is implemented; it is imported when it is asked for."""


def rule_set(name: str, options: Mapping[str, str] | None = None) -> RuleSet[Any]:
    """The rule set of that name under the house's options.

    Raises:
        UnknownName: there is no such rule set, it has no such option, or the option no such choice.
    """
    made: RuleSet[Any] = _implementation(name)(options or {})
    return made


def _implementation(name: str) -> Any:
    place = RULE_SETS.get(name)
    if place is None:
        raise UnknownName(f"there is no rule set “{name}”; there are: {', '.join(RULE_SETS)}")
    return getattr(import_module(place.module), place.attribute)


def chosen(rule_set_name: str, table: tuple[Option, ...], options: Mapping[str, str]) -> dict[str, str]:
    """Every option of a table with its choice, defaults filled in.

    Raises:
        UnknownName: an option or a choice that the table does not hold.
    """
    by_name = {option.name: option for option in table}
    for name, choice in options.items():
        if name not in by_name:
            raise UnknownName(f"{rule_set_name} has no option “{name}”; see: sightline rules {rule_set_name}")
        if choice not in by_name[name].choices:
            known = ", ".join(by_name[name].choices)
            raise UnknownName(f"the option “{name}” cannot be “{choice}”; choose one of: {known}")
    return {option.name: options.get(option.name, option.default) for option in table}
