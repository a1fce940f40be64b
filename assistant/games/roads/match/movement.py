"""How models move in a `roads` skirmish: what forbids it, how far they go, and what a finished move or jump leads to.

A model on watch may shoot at a mover at any moment (“Дозор”), so a watched move stays open until it goes on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from fractions import Fraction

from msgspec.structs import replace

from assistant.games.roads.match.pending import Charging, Leaping, Moving, PendingTest, Point, TestKind
from assistant.games.roads.match.psychology import find_bound_to_charge, list_fears
from assistant.games.roads.match.state import STOPPING, Mark, MatchRoads
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    exact,
    find_contact_place,
    find_cover_in_reach,
    find_finders,
    find_way_on,
    is_way_open,
    is_within_way,
    measure_way,
    meets_going_on,
    point_at,
    touches_at,
)
from assistant.games.roads.rules.reasons import CLIMB, FALL, FRENZY, INTO_CONTACT, STUPIDITY
from assistant.match.game import Piece, PointMm, require
from assistant.rules.free_distance import Distances
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint
from assistant.translations.messages import Said, counted, named, said


def tell_steps(steps: float | Fraction) -> Said:
    """So many steps, as each language counts them."""
    if steps == int(steps):
        return counted("{n} step", "{n} steps", int(steps))
    return said("{steps} steps", steps=float(steps))


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
    require(Mark.MOVED not in marks, said("{figure} has moved already", figure=figure))
    require(Mark.FALLEN not in marks, said("{figure} has fallen and moves no more in this turn", figure=figure), FALL)
    require(Mark.ROOTED not in marks, said("{figure} has to stay where it is in this turn", figure=figure))


def require_free_to_jump(game: MatchRoads, figure: str) -> None:
    """The same for a jump, which may come at any moment of a walk or a run (“Прыжок вниз”), but not after a charge.

    Raises:
        IllegalStep: it may not jump (any more), or has failed its test of stupidity.
    """
    dull = said("{figure} failed the test of stupidity: it shuffles on or stands", figure=figure)
    require(Mark.DULLED not in game.piece(figure).marks, dull, STUPIDITY)
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
    fighter, ran = game.fighter(figure), Mark.RAN in game.piece(figure).marks
    climbs = figure in game.climbed
    lengths = (fighter.walk_steps, None if climbs else fighter.run_steps, None if ran else fighter.charge_steps)
    known = [steps for steps in lengths if steps is not None]
    return steps_left(game, figure, max(known)) if known else None


def _unmoved(game: MatchRoads, figure: str) -> MatchRoads:
    return game.with_piece(game.piece(figure).unmarked(Mark.MOVED))


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
    require(Mark.RAN not in game.piece(figure).marks, runs, INTO_CONTACT)


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
    own = changed(start, center_mm=exact(path[0])) if path else start
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


def reveal(piece: Piece) -> Piece:
    """A model out of its camouflage, if it was in any: a fleeting target in this turn."""
    return piece.unmarked(Mark.HIDDEN).marked(Mark.EMERGED) if Mark.HIDDEN in piece.marks else piece


def find_watchers(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The enemies of a model that watch and may shoot at it while it moves."""
    side = game.piece(figure).side
    return tuple(
        piece.id
        for piece in game.standing()
        if piece.side != side and Mark.WATCH in piece.marks and not {*STOPPING} & set(piece.marks)
    )


def set_out(game: MatchRoads, moving: Moving, *, is_watched: bool) -> MatchRoads:
    """The game with the move made, or open for those who watch."""
    moving = replace(moving, start=game.piece(moving.figure).center_mm)
    return replace(game, moving=moving) if is_watched else arrive(game, moving)


def set_out_to_charge(game: MatchRoads, charge: Charging) -> MatchRoads:
    """The game with a charge on its way; its tests of fear are made."""
    path = charge.path + (() if charge.center_mm is None else (charge.center_mm,))
    moving = Moving(figure=charge.figure, how="charge", path=path, target=charge.target)
    return set_out(game, moving, is_watched=charge.is_watched)


def arrive(game: MatchRoads, moving: Moving) -> MatchRoads:
    """The game with the model at the end of its way, and what follows from that."""
    piece, way = game.piece(moving.figure), list_way(moving)
    if moving.how == "hide":
        return replace(game, moving=None).with_piece(piece.marked(Mark.HIDDEN))
    game = _noticed_on(game, moving, way)
    piece = _with_marks(game.piece(moving.figure), moving)
    if moving.path:
        piece = replace(piece, center_mm=moving.path[-1])
    game = _with_length(replace(game, moving=None).with_piece(piece), moving, way)
    target = None if moving.target is None else game.piece(moving.target)
    if target is not None and Mark.FLEEING in target.marks:
        return game.first_due(PendingTest(kind="flight", side=target.side, figure=target.id, against=piece.id))
    return game


def halt(game: MatchRoads, figure: str) -> MatchRoads:
    """The game with that model's move over where it is now, if it was on its way."""
    moving = game.moving
    if moving is None or moving.figure != figure:
        return game
    piece = game.piece(figure)
    game = replace(game, leaping=None) if moving.how == "leap" else game
    stopped = piece if moving.how == "hide" else _with_marks(piece, replace(moving, how="walk"))
    return replace(game, moving=None).with_piece(stopped).without_gone(figure)


def list_way(moving: Moving) -> tuple[ExactPoint, ...]:
    """The places of a way, its start first."""
    places: tuple[Point, ...] = moving.path if moving.start is None else (moving.start, *moving.path)
    return tuple(exact(place) for place in places)


def at_moment(game: MatchRoads, moment: float) -> MatchRoads:
    """The game with the model that is on its way at that moment of it."""
    moving = game.moving
    assert moving is not None, "somebody is on the way"
    way = list_way(moving)
    game = replace(game, moving=replace(moving, moment=moment))
    if not way:
        return game
    place = point_at(way, moment)
    return game.with_piece(replace(game.piece(moving.figure), center_mm=(float(place[0]), float(place[1]))))


def _with_length(game: MatchRoads, moving: Moving, way: Sequence[ExactPoint]) -> MatchRoads:
    """The game with what a walk or a run takes of the movement; after a charge nothing is left of it."""
    if moving.how == "charge":
        return game.without_gone(moving.figure)
    distances = game.distances()
    if distances is None or len(way) < 2:
        return game.with_gone(moving.figure, 0.0)
    steps = measure_way(way) / distances.step_mm
    return game.with_gone(moving.figure, float(steps))


def _with_marks(piece: Piece, moving: Moving) -> Piece:
    if moving.how == "charge":
        return reveal(piece).marked(Mark.CHARGED).marked(Mark.MOVED)
    if moving.how == "run":
        return reveal(piece).marked(Mark.RAN).marked(Mark.MOVED)
    return piece.marked(Mark.MOVED)


def _noticed_on(game: MatchRoads, moving: Moving, way: Sequence[ExactPoint]) -> MatchRoads:
    """Who is found on the way: by being near at any place of it, or by being seen with nothing before him."""
    hidden = [piece.id for piece in game.standing() if Mark.HIDDEN in piece.marks]
    distances = game.distances() if hidden and way else None
    if distances is None or moving.figure not in distances.table.figure_by_id:
        return game
    mover = distances.table.figure(moving.figure)
    found = find_finders(distances, mover, way, hidden)
    return game.with_noticed((*found, *_seen_plainly(game, distances, [changed(mover, center_mm=p) for p in way[1:]])))


def _seen_plainly(game: MatchRoads, distances: Distances, places: Sequence[FreeFigure]) -> Iterator[tuple[str, str]]:
    """Who moves in view, or comes where nothing hides the other any more (“Если враг двигается и … замечает”).

    Only where the table shows what a model hides behind; elsewhere people say it (“found”).
    """
    for mover in places:
        table = changed(
            distances.table, figures=tuple(mover if f.id == mover.id else f for f in distances.table.figures)
        )
        for other in (figure for figure in table.figures if figure.side != mover.side):
            for viewer, target in ((other, mover), (mover, other)):
                if Mark.HIDDEN not in game.piece(target.id).marks or not find_cover_in_reach(distances, target):
                    continue
                seen = game.rules.sight(table, viewer, target)
                if seen.is_clear and not seen.gives_cover:
                    yield target.id, viewer.id


TAKEN_OFF: Mapping[str, int] = {"climb": 2, "descend": 2, "gap": 1}
"""How much of the movement a step of each takes; jumps down and giant leaps take nothing (seed 003)."""


def take_off(game: MatchRoads) -> MatchRoads:
    """The game with the tests due that the open climb or jump takes, or with the jump made that takes none."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece, value = game.piece(leaping.figure), game.fighter(leaping.figure).mobility
    kind: TestKind = "climb" if leaping.kind == "climb" else "jump"
    test = PendingTest(kind=kind, side=piece.side, figure=piece.id, value=value, steps=leaping.dice)
    fears = () if leaping.target is None else list_fears(game, piece.id, leaping.target)
    due = (*fears, *(test,) * leaping.tests)
    return game.first_due(*due) if due else land(game)


def go_on_leaping(game: MatchRoads) -> MatchRoads:
    """The same after those who watch had their shots: who was in the air begins where he stood, for the tests."""
    moving = game.moving
    if moving is None:
        return game
    back = replace(game.piece(moving.figure), center_mm=moving.start)
    return take_off(replace(game, moving=None).with_piece(back))


def land(game: MatchRoads) -> MatchRoads:
    """The game with the climb or the jump that is open made."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece = game.piece(leaping.figure)
    if leaping.center_mm is not None:
        piece = replace(piece, center_mm=leaping.center_mm)
    if leaping.kind in ("climb", "descend"):
        climbed = game.climbed.get(piece.id, 0) + leaping.steps
        game = replace(game, climbed={**game.climbed, piece.id: climbed})
    # Whoever jumped in the middle of a walk goes on with what is left of it.
    game = replace(game, leaping=None).with_piece(piece.unmarked(Mark.MOVED))
    game = game.with_gone(piece.id, TAKEN_OFF.get(leaping.kind, 0) * leaping.steps)
    return game if leaping.target is None else _attack(game, leaping, leaping.target)


def _attack(game: MatchRoads, leaping: Leaping, target: str) -> MatchRoads:
    """“Атака в прыжке”: into contact with an enemy beside the landing."""
    piece = reveal(game.piece(leaping.figure)).marked(Mark.JUMPED).marked(Mark.MOVED)
    if game.rules.options["jump_attack_charge"] == "also_charge":
        piece = piece.marked(Mark.CHARGED)
    table = game.table()
    if table is not None and leaping.center_mm is not None and {piece.id, target} <= set(table.figure_by_id):
        landed, enemy = table.figure(piece.id), table.figure(target)
        piece = replace(piece, center_mm=find_contact_place(landed, exact(leaping.center_mm), enemy))
    game = game.with_piece(piece).without_gone(piece.id)
    other = game.piece(target)
    if Mark.FLEEING in other.marks:
        return game.first_due(PendingTest(kind="flight", side=other.side, figure=target, against=piece.id))
    return game
