"""Two claims side by side, “there is cover” and “there is none”: which holds, and what the house would have to play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from assistant.rules.options import Option
from assistant.rules.ruleset import RuleSet, TableT
from assistant.rules.ruling import Ruling
from assistant.translations.messages import Said, said

About = Literal["sight", "cover"]
"""What two people may say otherwise about one attack."""

ABOUT: tuple[About, ...] = ("sight", "cover")

_WORDS: Mapping[tuple[About, bool], Said] = {
    ("sight", True): said("“There is line of sight.”"),
    ("sight", False): said("“There is no line of sight.”"),
    ("cover", True): said("“There is cover.”"),
    ("cover", False): said("“There is no cover.”"),
}


class HouseChoice(NamedTuple):
    """An option of the house with one of its choices."""

    option: Option
    choice: str


class Claim(NamedTuple):
    """One of two claims.

    Args:
        about: what it is about.
        says: what it says of that.
        holds: whether the rules say so too under the options that hold; None where they say nothing about it.
        under: the options each of which, set otherwise, would let it hold; none for a claim that holds.
    """

    about: About
    says: bool
    holds: bool | None
    under: tuple[HouseChoice, ...]

    def words(self) -> Said:
        """The claim as somebody says it."""
        return _WORDS[self.about, self.says]

    def answer(self) -> Said:
        """Whether it holds, and what the house would have to play for it to hold."""
        if self.holds is None:
            return said("Nobody asks about that: without line of sight, or in this game, there is no cover.")
        if self.holds:
            return said("That holds.")
        if not self.under:
            return said("That does not hold, and no single option of the house would let it hold.")
        return said("That does not hold as the house plays. It would with:")


def settle_claims(
    rules: RuleSet[TableT], table: TableT, attacker: str, defender: str, about: About
) -> tuple[Claim, Claim]:
    """The claim that it is so and the claim that it is not, each with its answer.

    Options are set otherwise one at a time.

    Raises:
        UnknownName: the table holds no such figure, or both are the same one.
    """

    def answer_with(options: Mapping[str, str]) -> bool | None:
        return _told(type(rules)(options).rule(table, attacker, defender), about)

    now = _told(rules.rule(table, attacker, defender), about)
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


def _told(ruling: Ruling, about: About) -> bool | None:
    return ruling.line_of_sight if about == "sight" else ruling.cover
