"""``sightline.odds/1``: the exact chances of an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from assistant.rules.odds import Odds

ValueT = TypeVar("ValueT")


class OddsQuery(NamedTuple):
    """Whose odds they are, and whether they rest on made-up numbers."""

    ruleset: str
    attack: str
    target: str
    is_sample: bool


def odds_document(
    asked: OddsQuery,
    odds: Odds[ValueT],
    told: Callable[[ValueT], Mapping[str, object]],
    measures: Mapping[str, Fraction],
) -> dict[str, Any]:
    """The ``sightline.odds/1`` document of a distribution, the likeliest outcome first.

    Every chance stands as an exact fraction and as a decimal number; ``sample`` is true where the
    tables say that their numbers are made up.

    Args:
        asked: who attacks whom, by which tables.
        odds: the distribution.
        told: an outcome as the document names it.
        measures: single numbers to put in front, as the chance to hit.
    """
    return {
        "format": "sightline.odds/1",
        **{"ruleset": asked.ruleset, "attack": asked.attack, "target": asked.target, "sample": asked.is_sample},
        **{name: _number(measure) for name, measure in measures.items()},
        "outcomes": [{**told(value), **_number(chance)} for value, chance in odds.by_chance],
    }


def _number(exact: Fraction) -> dict[str, object]:
    return {"exact": str(exact), "about": float(exact)}
