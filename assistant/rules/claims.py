"""Two opposite claims about an attack, such as “there is cover”: which one holds, and under which house options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from assistant.rules.options import Option
from assistant.rules.ruleset import RuleSet, TableT
from assistant.rules.ruling import Ruling
from assistant.translations.messages import Said, counted, said

About = Literal["sight", "cover"]
"""The subject of a dispute about one attack."""

ABOUT: tuple[About, ...] = ("sight", "cover")

_WORDS: Mapping[tuple[About, bool], Said] = {
    ("sight", True): said("“There is line of sight.”"),
    ("sight", False): said("“There is no line of sight.”"),
    ("cover", True): said("“There is cover.”"),
    ("cover", False): said("“There is no cover.”"),
}


class HouseChoice(NamedTuple):
    """A house option with one of its choices."""

    option: Option
    choice: str


class Claim(NamedTuple):
    """One of two claims.

    Args:
        about: its subject.
        says: the claimed answer.
        holds: whether the rules agree under the house options, or None if they do not cover it.
        under: single changes of an option under which it would hold, or none for a claim that holds.
    """

    about: About
    says: bool
    holds: bool | None
    under: tuple[HouseChoice, ...]

    def words(self) -> Said:
        return _WORDS[self.about, self.says]

    def answer(self) -> Said:
        if self.holds is None:
            return said("Cover does not matter here: there is no line of sight, or this game has no cover.")
        if self.holds:
            return said("That holds.")
        if not self.under:
            return said("That does not hold. No single house option would change it.")
        return counted(
            "That does not hold as the house plays. {n} other choice would change it.",
            "That does not hold as the house plays. {n} other choices would change it.",
            len(self.under),
        )


def settle_claims(
    rules: RuleSet[TableT], table: TableT, attacker: str, defender: str, about: About
) -> tuple[Claim, Claim]:
    """Return the claim and its opposite, each with its answer. Options change one at a time.

    Raises:
        UnknownName: the table holds no such figure, or both are the same one.
    """

    def answer_with(options: Mapping[str, str]) -> bool | None:
        return _answer_about(type(rules)(options).rule(table, attacker, defender), about)

    now = _answer_about(rules.rule(table, attacker, defender), about)
    others = tuple(_otherwise(rules, answer_with))
    yes, no = (_claim(about, says, now, others) for says in (True, False))
    return yes, no


def _claim(about: About, says: bool, now: bool | None, others: tuple[tuple[HouseChoice, bool | None], ...]) -> Claim:
    holds = None if now is None else now == says
    under = () if holds else tuple(choice for choice, then in others if then == says)
    return Claim(about, says, holds, under)


def _otherwise(
    rules: RuleSet[TableT], answer_with: Callable[[Mapping[str, str]], bool | None]
) -> Iterator[tuple[HouseChoice, bool | None]]:
    for option in rules.option_table:
        for choice in option.choices:
            if choice != rules.options[option.name]:
                yield HouseChoice(option, choice), answer_with({**rules.options, option.name: choice})


def _answer_about(ruling: Ruling, about: About) -> bool | None:
    return ruling.line_of_sight if about == "sight" else ruling.cover
