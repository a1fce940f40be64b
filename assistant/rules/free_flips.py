"""How sure a ruling on a free table is that a camera saw: the same question, asked for places within their error.

Every ruling is exact for the places that it is asked about. A camera knows these to a fraction of a millimetre, so the
question is asked again for tables that would have looked much the same: a line that passes a corner by less than the
camera errs is answered both ways, and the ruling says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.rules.ruleset import FreeRules
from assistant.rules.ruling import Ruling, Verdict
from assistant.table.free_sighting import FreeSighting
from assistant.table.free_table import FreeFigure, FreeTable

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


@dataclass(frozen=True)
class FreeFlip:
    """Somebody on whom an answer hangs.

    Args:
        figure: who stands there, or may stand there.
        is_counted: whether the answer takes him for standing there.
        chance: how likely he stands there.
        otherwise: the answer if it is not so.
    """

    figure: FreeFigure
    is_counted: bool
    chance: float
    otherwise: Verdict


def find_free_flips(rules: FreeRules, sighting: FreeSighting, ruling: Ruling) -> tuple[FreeFlip, ...]:
    """Those besides the two asked about on whom a ruling hangs, the most doubtful first.

    Who is surely there and who may be anywhere is left out: nobody at the table could say more of them.

    Raises:
        UnknownName: the table holds no such figure.
    """
    pair = (ruling.attacker, ruling.defender)
    if all(same_answer(rules.verdict(table, *map(table.figure, pair)), ruling) for table in _extremes(sighting, pair)):
        return ()
    found = [flip for flip in _ways(rules, sighting, pair) if not same_answer(flip.otherwise, ruling)]
    return tuple(sorted(found, key=lambda flip: abs(flip.chance - 0.5)))


def _extremes(sighting: FreeSighting, pair: tuple[str, str]) -> Iterator[FreeTable]:
    """The table with the pair alone, and with everybody on it who may be there.

    Others can only be in the way, so that an answer which is the same on both hangs on none of them: mostly two
    tables are asked instead of one for everybody in doubt.
    """
    table = sighting.table
    yield replace(table, figures=tuple(figure for figure in table.figures if figure.id in pair))
    joined = (maybe.figure for maybe in sighting.maybes if not maybe.is_anywhere)
    yield replace(table, figures=(*table.figures, *joined))


def _ways(rules: FreeRules, sighting: FreeSighting, pair: tuple[str, str]) -> Iterator[FreeFlip]:
    """Every single change of who stands there, with the answer that it makes."""
    table = sighting.table
    for maybe in sighting.maybes:
        if not maybe.is_anywhere:
            joined = replace(table, figures=(*table.figures, maybe.figure))
            yield FreeFlip(maybe.figure, False, maybe.chance, rules.verdict(joined, *map(joined.figure, pair)))
    for figure in table.figures:
        spot = sighting.spots.get(figure.id)
        if spot is not None and spot.chance_of_somebody < 1 and figure.id not in pair:
            left = replace(table, figures=tuple(other for other in table.figures if other.id != figure.id))
            yield FreeFlip(figure, True, spot.chance_of_somebody, rules.verdict(left, *map(left.figure, pair)))


def same_answer(a: Ruling | Verdict, b: Ruling | Verdict) -> bool:
    """Whether two answers say the same of sight, cover and contact, and of how many steps are begun between them."""
    return _answer(a) == _answer(b)


def _answer(answer: Ruling | Verdict) -> tuple[bool, bool | None, int | None]:
    """Sight, cover, and the steps begun: none of them is contact."""
    begun = None if answer.range is None else math.ceil(answer.range - _EXACT_STEPS)
    return answer.line_of_sight, answer.cover, begun
