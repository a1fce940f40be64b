"""How sure a ruling on a free table is that a camera saw: the same question, asked for places within their error.

Every ruling is exact for the places that it is asked about. A camera knows these to a fraction of a millimetre, so the
question is asked again for tables that would have looked much the same: a line that passes a corner by less than the
camera errs is answered both ways, and the ruling says so.
"""

from __future__ import annotations

import math
from dataclasses import replace

from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Ruling, Verdict
from assistant.table.free_sighting import FreeSighting

_EXACT_STEPS = 1e-9
"""What a distance that was written as a float is out by."""


def judge_free_stability(rules: FreeRules, sighting: FreeSighting, ruling: Ruling) -> Ruling:
    """The ruling with the share of the tables that the picture could show in which the answer is the same.

    The same answer is the same sight, cover and contact, and the same number of whole steps begun. Who of the two is
    perhaps not there, or somebody else, makes the ruling less sure by that chance; others who may or may not stand in
    the way do so on as many tables. The ruling is about the circle within a base
    that is no circle; half of the tables have the circle round it.

    Raises:
        UnknownName: the table holds no such figure.
    """
    if not sighting.spots:
        return ruling
    pair = (ruling.attacker, ruling.defender)
    there = math.prod(sighting.spots[name].confidence for name in pair if name in sighting.spots)
    asked = [rules.verdict(table, *map(table.figure, pair)) for table in sighting.lookalikes_with(*pair)]
    return replace(ruling, stability=there * sum(same_answer(one, ruling) for one in asked) / len(asked))


def same_answer(a: Ruling | Verdict, b: Ruling | Verdict) -> bool:
    """Whether two answers say the same of sight, cover and contact, and of how many steps are begun between them."""
    return _answer(a) == _answer(b)


def _answer(answer: Ruling | Verdict) -> tuple[bool, bool | None, int | None]:
    """Sight, cover, and the steps begun: none of them is contact."""
    begun = None if answer.range is None else math.ceil(answer.range - _EXACT_STEPS)
    return answer.line_of_sight, answer.cover, begun
