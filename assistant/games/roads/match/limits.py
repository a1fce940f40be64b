"""What a model may not do in this turn, and how far it goes."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from assistant.games.roads.match.lengths import tell_steps
from assistant.games.roads.match.marks import DULLED, FALLEN, MOVED, RAN, ROOTED
from assistant.games.roads.match.psychology import find_bound_to_charge
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.rules.check_reasons import CLIMB, FALL, FRENZY, INTO_CONTACT, STUPIDITY
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    exact,
    find_way_on,
    is_way_open,
    is_within_way,
    meets_going_on,
    touches_at,
)
from assistant.match.game import PointMm, require
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.translations.messages import named, said

ROUNDED_STEPS = Fraction(1, 10**9)
"""What the parts of a way may be rounded by when they are added."""

SHUFFLE_STOP_STEPS = 1
"""So far before an enemy a stupid model stops if going on would end in contact (“Тупость”)."""


def require_free_to_move(game: MatchRoads, figure: str) -> None:
    """Makes sure that a model has not moved, fallen, or failed a climb or a charge in this turn.

    Raises:
        IllegalStep: it has.
    """
    marks = game.piece(figure).marks
    require(MOVED not in marks, said("{figure} has moved already", figure=figure))
    require(FALLEN not in marks, said("{figure} has fallen and moves no more in this turn", figure=figure), FALL)
    require(ROOTED not in marks, said("{figure} has to stay where it is in this turn", figure=figure))


def require_free_to_jump(game: MatchRoads, figure: str) -> None:
    """The same for a jump, which may come at any moment of a walk or a run (“Прыжок вниз”), but not after a charge.

    Raises:
        IllegalStep: it may not jump (any more), or has failed its test of stupidity.
    """
    dull = said("{figure} failed the test of stupidity: it shuffles on or stands", figure=figure)
    require(DULLED not in game.piece(figure).marks, dull, STUPIDITY)
    require_free_to_move(game if figure not in game.gone else _unmoved(game, figure), figure)


def require_first_in_phase(game: MatchRoads, figure: str) -> None:
    """Makes sure that a model which starts a climb has stood there since its movement phase began (“Лазание”).

    Raises:
        IllegalStep: it has walked or jumped.
    """
    by_climbing = 2 * game.climbed[figure] if figure in game.climbed else None
    told = said("{figure} has moved; a climb starts where the model stood when its movement phase began", figure=figure)
    require(figure not in game.gone or game.gone[figure] == by_climbing, told, CLIMB)


def steps_left(game: MatchRoads, figure: str, steps: float | None) -> float | None:
    """How much of such a length a model has not used up in this turn; None where people measure it.

    “Оставшееся передвижение может быть использовано обычным образом” after a climb, and the width of a gap is taken off
    (seed 003); a jump down takes nothing.
    """
    return None if steps is None else max(0.0, steps - game.gone.get(figure, 0.0))


def movement_left(game: MatchRoads, figure: str) -> float | None:
    """How far a model could still go in this turn at the most, None where the set-up does not say it."""
    fighter, ran = game.fighter(figure), RAN in game.piece(figure).marks
    climbs = figure in game.climbed
    lengths = (fighter.walk_steps, None if climbs else fighter.run_steps, None if ran else fighter.charge_steps)
    known = [steps for steps in lengths if steps is not None]
    return steps_left(game, figure, max(known)) if known else None


def _unmoved(game: MatchRoads, figure: str) -> MatchRoads:
    return game.with_piece(game.piece(figure).unmarked(MOVED))


def require_no_contact(game: MatchRoads, figure: str, end: PointMm | None) -> None:
    """Makes sure that a way which is no charge ends beside no enemy whom the model did not touch before.

    “Это исключительное обстоятельство, при котором модель может участвовать в рукопашной без нападения” (seed 003, of
    the advance).

    Raises:
        IllegalStep: it does.
    """
    table = game.table()
    if end is None or table is None or figure not in table.figure_by_id:
        return
    own, before = table.figure(figure), game.opponents_of(figure)
    enemies = (other for other in table.figures if other.side != own.side and other.id not in before)
    met = [enemy.id for enemy in enemies if touches_at(own, end, enemy)]
    told = said("{figure} would touch {met}; only a charge ends in contact", figure=figure, met=named(met))
    require(not met, told, INTO_CONTACT)


def require_untouched(game: MatchRoads, figure: str, target: str) -> None:
    """Makes sure that a charge is at an enemy whom the model does not touch yet: it is there that it enters the fight.

    A jump may be part “of a charge or a run” (“Прыжки через провалы”): whoever ran to it does not charge after it.

    Raises:
        IllegalStep: they fight already, or the model runs.
    """
    told = said("{figure} touches {target} already and fights without a charge", figure=figure, target=target)
    require(target not in game.opponents_of(figure), told, INTO_CONTACT)
    runs = said("{figure} runs in this turn and does not charge", figure=figure)
    require(RAN not in game.piece(figure).marks, runs, INTO_CONTACT)


def require_free_of_frenzy(game: MatchRoads, figure: str) -> None:
    """Makes sure that a model need not charge: in frenzy it does nothing else with an enemy in charge range.

    Raises:
        IllegalStep: it must charge.
    """
    bound = figure in find_bound_to_charge(game)
    require(
        not bound, said("{figure} is in frenzy with an enemy in charge range: it must charge", figure=figure), FRENZY
    )


def require_shuffle(game: MatchRoads, figure: str, path: tuple[PointMm, ...]) -> None:
    """Makes sure that a model which failed its test of stupidity shuffles straight on, at half speed, into no contact.

    Where going on would end in contact it stops a step before that enemy, or where it stands if it was nearer already.

    Raises:
        IllegalStep: it does not, or stops where nothing is in its way (“Тупость”).
    """
    straight = said("{figure} shuffles straight on, at half speed", figure=figure)
    require(len(path) <= 1, straight, STUPIDITY)
    walk = game.fighter(figure).walk_steps
    require_length(game, figure, path, None if walk is None else walk / 2, STUPIDITY)
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return
    start = distances.table.figure(figure)
    own = replace(start, center_mm=exact(path[0])) if path else start
    length_mm = Fraction(0) if walk is None else Fraction(str(walk)) / 2 * distances.step_mm
    enemies = [other for other in distances.table.figures if other.side != own.side]
    ahead = [enemy for enemy in enemies if meets_going_on(start, own.center_mm, length_mm, enemy)]
    near_mm = float(SHUFFLE_STOP_STEPS * distances.step_mm - MEASURED_MM)
    met = [enemy.id for enemy in ahead if distances.between_mm(own, enemy) < near_mm]
    told = said("{figure} stops a step before an enemy: {met}", figure=figure, met=named(met))
    require(not met, told, STUPIDITY)
    gaps_mm = [distances.between_mm(own, enemy) - near_mm - MEASURED_MM for enemy in ahead]
    rest_mm = min([float(length_mm) - math.dist(start.center_mm, own.center_mm), *gaps_mm]) - MEASURED_MM
    half = tell_steps(length_mm / distances.step_mm)
    told = said("{figure} shuffles on, {half} in all: nothing is in its way yet", figure=figure, half=half)
    require(rest_mm <= 0 or not _goes_on(start, own, rest_mm, distances.table), told, STUPIDITY)


def _goes_on(start: FreeFigure, end: FreeFigure, rest_mm: float, table: FreeTable) -> bool:
    """Whether a model could go straight on for so long; of one that has not moved, whether it could in any direction.

    What it would pass more closely than its base reaches stops it, and any terrain does: people see better than
    outlines tell whether it would get over it.
    """
    reach_mm = Fraction(str(end.reach_mm))
    walked_mm = math.dist(start.center_mm, end.center_mm)
    if not walked_mm:
        return is_way_open((start.center_mm, start.center_mm), reach_mm + Fraction(rest_mm), start.id, table)
    last = find_way_on(start, end.center_mm, Fraction(walked_mm + rest_mm))
    return is_way_open((end.center_mm, last), reach_mm, start.id, table)


def require_length(
    game: MatchRoads, figure: str, path: tuple[PointMm, ...], steps: float | None, rule: Rule | None = None
) -> None:
    """Makes sure that a way from where a model stands is no longer than so many steps, where the table is known.

    Raises:
        IllegalStep: it is.
    """
    distances = game.distances()
    if steps is None or not path or distances is None or figure not in distances.table.figure_by_id:
        return
    way = (distances.table.figure(figure).center_mm, *(exact(place) for place in path))
    limit = Fraction(str(steps))
    rounded = ROUNDED_STEPS if figure in game.gone else 0
    require(
        is_within_way(way, (limit + rounded) * distances.step_mm),
        said("{figure} goes at most {steps}, measured from middle to middle", figure=figure, steps=tell_steps(limit)),
        rule,
    )
