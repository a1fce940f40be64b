"""``sightline.odds/1``: the exact odds of an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from assistant.rules.odds import Odds

ValueT = TypeVar("ValueT")


class OddsQuery(NamedTuple):
    """The attack that the odds are for, and whether the numbers of its tables are made up."""

    ruleset: str
    attack: str
    target: str
    is_sample: bool


def odds_document(
    asked: OddsQuery,
    odds: Odds[ValueT],
    fields: Callable[[ValueT], Mapping[str, object]],
    measures: Mapping[str, Fraction],
) -> dict[str, Any]:
    """Return the ``sightline.odds/1`` document of a distribution, the likeliest outcome first.

    Every chance is given as an exact fraction and as a decimal. ``sample`` marks made-up numbers.

    Args:
        asked: the attack.
        odds: the distribution.
        fields: the fields of an outcome.
        measures: leading single numbers, such as the chance to hit.
    """
    return {
        "format": "sightline.odds/1",
        **{"ruleset": asked.ruleset, "attack": asked.attack, "target": asked.target, "sample": asked.is_sample},
        **{name: _number(measure) for name, measure in measures.items()},
        "outcomes": [{**fields(value), **_number(chance)} for value, chance in odds.by_chance],
    }


def _number(exact: Fraction) -> dict[str, object]:
    return {"exact": str(exact), "about": float(exact)}
