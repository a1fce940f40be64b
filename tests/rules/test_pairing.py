"""Pairs of figures, and the options that an answer rests on."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from assistant.errors import UnknownName
from assistant.rules.options import Option
from assistant.rules.pairing import find_resting, find_two_figures, iterate_pairs, outcome_of
from assistant.rules.ruling import Verdict


class Somebody(NamedTuple):
    id: str
    side: str


class Table(NamedTuple):
    figures: tuple[Somebody, ...]

    def figure(self, figure_id: str) -> Somebody:
        return next(figure for figure in self.figures if figure.id == figure_id)


TABLE = Table((Somebody("imp", "demons"), Somebody("alpha", "marines"), Somebody("beta", "marines")))
SEEN = Verdict(3, line_of_sight=True, cover=False)


def option(name: str, *choices: str) -> Option:
    return Option(name, choices, "?", "seed 001", "An option", choices)


def test_every_figure_is_paired_with_those_of_other_sides_alone() -> None:
    pairs = [(a.id, b.id) for a, b in iterate_pairs(TABLE)]
    assert pairs == [("alpha", "imp"), ("beta", "imp"), ("imp", "alpha"), ("imp", "beta")]


def test_nobody_is_asked_about_himself() -> None:
    assert find_two_figures(TABLE, "imp", "alpha") == (TABLE.figures[0], TABLE.figures[1])
    with pytest.raises(UnknownName, match="itself"):
        find_two_figures(TABLE, "imp", "imp")


def test_an_answer_rests_on_the_options_whose_other_choice_changes_it() -> None:
    hidden = SEEN._replace(line_of_sight=False, cover=None)
    answers = {("touch", "blocks"): hidden, ("touch", "half"): SEEN, ("doors", "no"): SEEN}

    def answer_with(name: str, choice: str) -> Verdict:
        return answers[name, choice]  # the present choice is not among the alternatives

    table = (option("touch", "free", "half", "blocks"), option("doors", "yes", "no"))
    found = list(find_resting(table, {"touch": "free", "doors": "yes"}, SEEN, answer_with))
    assert [(one.option, one.choice, one.other) for one in found] == [("touch", "free", "blocks")]
    assert found[0].outcome == {"term": "sight-no"}
    assert found[0].arguments == {
        "option": "touch", "choice": "free", "other": "blocks", "outcome": {"term": "sight-no"}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("then", "told"),
    [
        (SEEN._replace(line_of_sight=False), {"term": "sight-no"}),
        (SEEN._replace(cover=True), {"term": "cover-yes"}),
        (SEEN._replace(range=None), {"term": "range-none"}),
        (SEEN._replace(range=4), {"term": "range", "value": 4}),
        (SEEN._replace(range=4.00049), {"term": "range", "value": 4.0}),
        (SEEN._replace(range=4.0006), {"term": "range", "value": 4.001}),
    ],
)
def test_the_gravest_difference_is_reported(then: Verdict, told: dict[str, object]) -> None:
    assert outcome_of(SEEN, then) == told
