"""The stability of a ruling on a free table from a camera, and the figures that flip it.

A ruling is exact for given places. A camera knows them to a fraction of a millimetre. So the question is asked again on
tables that would have looked nearly the same. A line that passes a corner by less than the camera's error then gets
both answers, and the ruling says so.
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
"""Error of a distance stored as a float, in steps."""


def judge_free_stability(rules: FreeRules, sighting: FreeSighting, ruling: Ruling) -> Ruling:
    """Return the ruling with its stability: the share of tables consistent with the picture that give the same answer.

    The same answer means the same sight, cover and contact, and the same count of steps begun. The chance that attacker
    or defender is absent or another figure lowers the stability as a factor. Any other doubtful figure stands on a
    share of the tables equal to its probability.
    """
    if not sighting.spots:
        return ruling
    pair = (ruling.attacker, ruling.defender)
    there = math.prod(sighting.spots[name].confidence for name in pair if name in sighting.spots)
    asked = [rules.verdict(table, *map(table.figure, pair)) for table in sighting.lookalikes_with(*pair)]
    return replace(ruling, stability=there * sum(same_answer(one, ruling) for one in asked) / len(asked))


@dataclass(frozen=True)
class FreeFlip:
    """A doubtful figure that flips an answer.

    Args:
        figure: the figure.
        is_counted: whether the answer takes it as present.
        chance: the probability that it is present.
        otherwise: the answer in the other case.
    """

    figure: FreeFigure
    is_counted: bool
    chance: float
    otherwise: Verdict


def find_free_flips(rules: FreeRules, sighting: FreeSighting, ruling: Ruling) -> tuple[FreeFlip, ...]:
    """Return the figures besides the ruling's pair that flip it, the most doubtful first.

    Figures that are certainly present, or whose place is unknown, are left out: people at the table could add nothing.
    """
    pair = (ruling.attacker, ruling.defender)
    if all(same_answer(rules.verdict(table, *map(table.figure, pair)), ruling) for table in _extremes(sighting, pair)):
        return ()
    found = [flip for flip in _ways(rules, sighting, pair) if not same_answer(flip.otherwise, ruling)]
    return tuple(sorted(found, key=lambda flip: abs(flip.chance - 0.5)))


def _extremes(sighting: FreeSighting, pair: tuple[str, str]) -> Iterator[FreeTable]:
    """Yield the table with the pair alone, and with everybody who may be present.

    Others can only hinder, so these two bound all tables between. If both give the same answer, no figure flips it. So
    two tables usually suffice instead of one for each doubtful figure.
    """
    table = sighting.table
    yield replace(table, figures=tuple(figure for figure in table.figures if figure.id in pair))
    joined = (maybe.figure for maybe in sighting.maybes if not maybe.is_anywhere)
    yield replace(table, figures=(*table.figures, *joined))


def _ways(rules: FreeRules, sighting: FreeSighting, pair: tuple[str, str]) -> Iterator[FreeFlip]:
    """Yield every table with one doubtful figure added or removed, with its answer."""
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
    """Return whether two answers agree on sight, cover and contact, and on the steps begun between the figures."""
    return _answer(a) == _answer(b)


def _answer(answer: Ruling | Verdict) -> tuple[bool, bool | None, int | None]:
    """Return sight, cover, and the steps begun; 0 steps mean contact."""
    begun = None if answer.range is None else math.ceil(answer.range - _EXACT_STEPS)
    return answer.line_of_sight, answer.cover, begun
