"""Moves of models in a `roads` skirmish: prohibitions, lengths, and the consequences of a finished move or jump.

A model on overwatch may shoot at a mover at any moment (“Дозор”), so a watched move stays open until it continues.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as changed
from fractions import Fraction

from msgspec.structs import replace

from assistant.games.roads.match.duel import list_opponents
from assistant.games.roads.match.pending import Charging, Moving, PendingTest, Point, TestKind
from assistant.games.roads.match.psychology import find_bound_to_charge, list_fears
from assistant.games.roads.match.state import STOPPING, Mark, MatchRoads
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    exact,
    extend_path,
    find_contact_place,
    find_cover_in_reach,
    find_finders,
    is_path_open,
    is_path_within,
    list_edge_gaps,
    measure_path,
    meets_going_on,
    overlaps,
    point_at,
    touches_at,
)
from assistant.games.roads.rules.reasons import CLIMB, FALL, FRENZY, INTO_CONTACT, STUPIDITY
from assistant.match.asks import Ask, Draft, ask_figure, ask_place
from assistant.match.game import Piece, PointMm, require
from assistant.rules.free_distance import Distances
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.table.plane import ExactPoint
from assistant.translations.messages import Said, counted, message, named, said

LEAVING = Rule(
    "roads/leaving",
    message("rules, “Fleeing from combat”: refers to leaving a melee in the section on moving, which is lacking"),
    message("A model may leave its melee at will. The known rules do not say how, so the players say what came of it."),
)

ROUNDED_STEPS = Fraction(1, 10**9)
"""Tolerance for rounding in the sum of a path's legs."""

SHUFFLE_STOP_STEPS = 1
"""Distance at which a shuffling stupid model stops before an enemy on its path (“Тупость”)."""

_MOVEMENT_A_STEP: Mapping[str, int] = {"climb": 2, "descend": 2, "gap": 1}


def count_movement(game: MatchRoads, kind: str) -> int:
    """Return the movement that each step of a manoeuvre costs; a jump down is free, a giant leap by house option."""
    if kind == "leap":
        return 0 if game.rules.options["leap_movement"] == "free" else 1
    return _MOVEMENT_A_STEP.get(kind, 0)


def find_leap_left(game: MatchRoads, figure: str) -> Fraction:
    """Return how far a model may still leap this turn: «способен прыгнуть на четыре шага» in all (seed 003)."""
    return Fraction(str(game.fighter(figure).leap)) - Fraction(str(game.leapt.get(figure, 0)))


def word_steps(steps: float | Fraction) -> Said:
    """Return a length in steps, in each language's plural forms."""
    if steps == int(steps):
        return counted("{n} step", "{n} steps", int(steps))
    return said("{steps} steps", steps=float(steps))


def ask_within(draft: Draft[MatchRoads], steps: float | None, skip_text: Said | None = None) -> Ask | None:
    """Ask for a place within that many steps of a model; None without a known table or length."""
    distances = draft.game.distances()
    if distances is None or steps is None:
        return None
    text = said("Where to? At most {steps}.", steps=word_steps(steps))
    return ask_place(text, float(Fraction(str(steps)) * distances.step_mm), skip_text)


def ask_enemy(draft: Draft[MatchRoads], text: Said, *, is_reached: bool = False) -> Ask:
    """Ask for the enemy of a model as ``target``, each with its distance; ``is_reached`` marks it as in reach."""
    game, figure = draft.game, str(draft.fields.get("figure"))
    own_side = game.piece(figure).side if figure in game.pieces else game.active
    asked = ask_figure("target", text, (piece.id for piece in game.standing() if piece.side != own_side))
    distances = game.distances()
    figures = {} if distances is None else distances.table.figure_by_id
    if distances is None or figure not in figures:
        return asked
    picks = []
    for pick in asked.picks:
        if pick.figure not in figures:
            picks.append(pick)
            continue
        away_mm = distances.between_mm(figures[figure], figures[str(pick.figure)])
        note = said("{away} away", away=word_steps(round(away_mm / float(distances.step_mm), 1)))
        picks.append(replace(pick, note=said("{away}, in reach", away=note) if is_reached else note))
    return replace(asked, picks=tuple(picks))


def steps_left(game: MatchRoads, figure: str, steps: float | None) -> float | None:
    """Return what remains of a length this turn; None if people measure it.

    “Оставшееся передвижение может быть использовано обычным образом” after a climb. The width of a gap is subtracted
    (seed 003). A jump down costs nothing.
    """
    return None if steps is None else max(0.0, steps - game.gone.get(figure, 0.0))


def movement_left(game: MatchRoads, figure: str) -> float | None:
    """Return the most a model could still go this turn; None if the set-up has no lengths."""
    fighter, ran = game.fighter(figure), Mark.RAN in game.piece(figure).marks
    climbs = figure in game.climbed
    lengths = (fighter.walk_steps, None if climbs else fighter.run_steps, None if ran else fighter.charge_steps)
    known = [steps for steps in lengths if steps is not None]
    return steps_left(game, figure, max(known)) if known else None


# Prohibitions of a move. Each raises IllegalStep, with the rule if the seed has one.


def require_free_to_move(game: MatchRoads, figure: str) -> None:
    """Refuse a model that has moved, fallen, failed a climb or a charge this turn, or is held in a melee."""
    marks = game.piece(figure).marks
    require(Mark.MOVED not in marks, said("{figure} has moved already", figure=figure))
    require(Mark.FALLEN not in marks, said("{figure} has fallen and moves no more this turn", figure=figure), FALL)
    require(Mark.ROOTED not in marks, said("{figure} must stay in place this turn", figure=figure))
    is_held = Mark.LEAVING not in marks and bool(list_opponents(game, figure))
    require(not is_held, said("{figure} fights; say first whether it leaves the melee", figure=figure), LEAVING)


def require_left(game: MatchRoads, figure: str, end: PointMm | None) -> None:
    """Refuse a path of a model that leaves its melee but would still touch an enemy of it."""
    table = game.table()
    if table is None or Mark.LEAVING not in game.piece(figure).marks:
        return
    own = table.figure(figure)
    place = game.piece(figure).center_mm if end is None else end
    touched = () if place is None else list_opponents(game, figure)
    still = [name for name in touched if place is not None and touches_at(own, place, table.figure(name))]
    refusal = said("{figure} leaves the melee and would still touch {met}", figure=figure, met=named(still))
    require(not still, refusal, LEAVING)


def require_not_stupid(game: MatchRoads, figure: str) -> None:
    """Refuse a model that failed its stupidity test this turn."""
    refusal = said("{figure} failed its stupidity test: it shuffles on or stands", figure=figure)
    require(Mark.DULLED not in game.piece(figure).marks, refusal, STUPIDITY)


def require_free_to_jump(game: MatchRoads, figure: str) -> None:
    """Refuse a jump; it may come at any moment of a walk or a run (“Прыжок вниз”) but not after a charge."""
    require_not_stupid(game, figure)
    if figure in game.gone:
        game = game.with_piece(game.piece(figure).unmarked(Mark.MOVED))
    require_free_to_move(game, figure)


def require_first_in_phase(game: MatchRoads, figure: str) -> None:
    """Refuse a climb of a model that has walked or jumped this phase (“Лазание”). An earlier climb does not matter."""
    by_climbing = 2 * game.climbed[figure] if figure in game.climbed else None
    refusal = said("{figure} has moved; a climb starts where it stood when its movement phase began", figure=figure)
    require(figure not in game.gone or game.gone[figure] == by_climbing, refusal, CLIMB)


def require_no_contact(game: MatchRoads, figure: str, end: PointMm | None) -> None:
    """Refuse a path other than a charge that ends in contact with a further enemy.

    “Это исключительное обстоятельство, при котором модель может участвовать в рукопашной без нападения” (seed 003,
    about the advance).
    """
    table = game.table()
    if end is None or table is None or figure not in table.figure_by_id:
        return
    own, before = table.figure(figure), game.opponents_of(figure)
    enemies = (other for other in table.figures if other.side != own.side and other.id not in before)
    met = [enemy.id for enemy in enemies if touches_at(own, end, enemy)]
    refusal = said("{figure} would touch {met}; only a charge ends in contact", figure=figure, met=named(met))
    require(not met, refusal, INTO_CONTACT)


def require_room(
    game: MatchRoads, figure: str, end: PointMm | None, elevation_mm: float | None = None, target: str | None = None
) -> None:
    """Refuse an end where its base would overlap another, except a target's or one that it already overlaps."""
    table = game.table()
    if end is None or table is None or figure not in table.figure_by_id:
        return
    own = table.figure(figure)
    height_mm = own.elevation_mm if elevation_mm is None else Fraction(str(elevation_mm))
    there = changed(own, center_mm=exact(end), elevation_mm=height_mm)
    others = (other for other in table.figures if other.id not in (figure, target))
    taken = [other.id for other in others if overlaps(there, other) and not overlaps(own, other)]
    refusal = said("{figure} would stand on {taken}; choose another place", figure=figure, taken=named(taken))
    require(not taken, refusal)


def require_untouched(game: MatchRoads, figure: str, target: str) -> None:
    """Refuse a charge at an enemy already in contact, or after a run.

    A jump may be part “of a charge or a run” (“Прыжки через провалы”), so a model that ran to it does not charge.
    """
    refusal = said("{figure} touches {target} already and fights without a charge", figure=figure, target=target)
    require(target not in game.opponents_of(figure), refusal, INTO_CONTACT)
    runs = said("{figure} runs this turn and does not charge", figure=figure)
    require(Mark.RAN not in game.piece(figure).marks, runs, INTO_CONTACT)


def require_free_of_frenzy(game: MatchRoads, figure: str) -> None:
    """Refuse anything but a charge to a frenzied model with an enemy in charge range."""
    refusal = said("{figure} is in frenzy with an enemy in charge range: it must charge", figure=figure)
    require(figure not in find_bound_to_charge(game), refusal, FRENZY)


def measure_way(game: MatchRoads, figure: str, path: tuple[PointMm, ...]) -> float | None:
    """Return a path's length in steps from the model's place, centre to centre; None if table or end is unknown."""
    distances = game.distances()
    if not path or distances is None or figure not in distances.table.figure_by_id:
        return None
    way = (distances.table.figure(figure).center_mm, *(exact(place) for place in path))
    return round(float(measure_path(way) / distances.step_mm), 1)


def require_length(
    game: MatchRoads,
    figure: str,
    path: tuple[PointMm, ...],
    steps: float | None,
    rule: Rule | None = None,
    refusal: Said | None = None,
) -> None:
    """Refuse a path from the model's place longer than this, or off the table, if the table is known.

    ``refusal`` explains a path that is too long for another reason than the length itself.
    """
    distances = game.distances()
    if not path or distances is None or figure not in distances.table.figure_by_id:
        return
    size_mm = distances.table.size_mm
    is_on_table = all(min(list_edge_gaps(exact(place), size_mm)) >= 0 for place in path)
    require(is_on_table, said("{figure} would leave the table; choose a place on it", figure=figure), rule)
    if steps is None:
        return
    way = (distances.table.figure(figure).center_mm, *(exact(place) for place in path))
    limit = Fraction(str(steps))
    rounded = ROUNDED_STEPS if figure in game.gone else 0
    goes = said(
        "That is {away}. {figure} goes at most {steps}, from centre to centre",
        away=word_steps(Fraction(math.ceil(measure_path(way) / distances.step_mm * 10), 10)),
        figure=figure,
        steps=word_steps(limit),
    )
    require(is_path_within(way, (limit + rounded) * distances.step_mm), refusal or goes, rule)


def require_shuffle(game: MatchRoads, figure: str, path: tuple[PointMm, ...]) -> None:
    """Refuse any path of a model that failed its stupidity test, except a shuffle (“Тупость”).

    A shuffle leads straight on at half speed, into no contact. It stops a step before an enemy on its path, or at once
    if the enemy is nearer. It may not stop without an obstacle.
    """
    require(len(path) <= 1, said("{figure} shuffles straight on, at half speed", figure=figure), STUPIDITY)
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
    refusal = said("{figure} stops a step before an enemy: {met}", figure=figure, met=named(met))
    require(not met, refusal, STUPIDITY)
    gaps_mm = [distances.between_mm(own, enemy) - near_mm - MEASURED_MM for enemy in ahead]
    rest_mm = min([float(length_mm) - math.dist(start.center_mm, own.center_mm), *gaps_mm]) - MEASURED_MM
    half = word_steps(length_mm / distances.step_mm)
    refusal = said("{figure} shuffles on, {half} in all: nothing is in its way yet", figure=figure, half=half)
    require(rest_mm <= 0 or not _could_go_on(start, own, rest_mm, distances.table), refusal, STUPIDITY)


def list_shuffle_ends(game: MatchRoads, figure: str) -> Iterator[PointMm | None]:
    """Yield the places straight ahead of a shuffling model, the farthest first and its own last."""
    distances, walk = game.distances(), game.fighter(figure).walk_steps
    if distances is not None and walk and figure in distances.table.figure_by_id:
        own = distances.table.figure(figure)
        length_mm, turn = walk / 2 * float(distances.step_mm), math.radians(own.facing_deg)
        ahead = (math.cos(turn), math.sin(turn))
        for count in range(int(length_mm / MEASURED_MM)):
            far_mm = (length_mm - count * MEASURED_MM) * _INSIDE
            yield float(own.center_mm[0]) + far_mm * ahead[0], float(own.center_mm[1]) + far_mm * ahead[1]
    yield None


_INSIDE = 1 - 1e-9
"""Factor that keeps a length computed with floats within an exact one."""


def _could_go_on(start: FreeFigure, end: FreeFigure, rest_mm: float, table: FreeTable) -> bool:
    """Return whether a model could go this much further straight on, or in any direction if it has not moved.

    An obstacle nearer to the path than its base's reach stops it. So does any terrain: people judge better than
    outlines whether the model gets over it.
    """
    reach_mm = Fraction(str(end.reach_mm))
    walked_mm = math.dist(start.center_mm, end.center_mm)
    if not walked_mm:
        return is_path_open((start.center_mm, start.center_mm), reach_mm + Fraction(rest_mm), start.id, table)
    last = extend_path(start, end.center_mm, Fraction(walked_mm + rest_mm))
    return is_path_open((end.center_mm, last), reach_mm, start.id, table)


# Moves, which stay open while an enemy on overwatch may shoot.


def reveal(piece: Piece) -> Piece:
    """Return a model out of its camouflage, which makes it a fleeting target this turn."""
    return piece.unmarked(Mark.HIDDEN).marked(Mark.EMERGED) if Mark.HIDDEN in piece.marks else piece


def find_watchers(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """Return the enemies on overwatch that may shoot at a model while it moves."""
    side = game.piece(figure).side
    return tuple(
        piece.id
        for piece in game.standing()
        if piece.side != side and Mark.WATCH in piece.marks and not {*STOPPING} & set(piece.marks)
    )


def set_out(game: MatchRoads, moving: Moving, *, is_watched: bool) -> MatchRoads:
    """Return the game with the move made, or open for shots on overwatch."""
    moving = replace(moving, start=game.piece(moving.figure).center_mm)
    return replace(game, moving=moving) if is_watched else arrive(game, moving)


def set_out_to_charge(game: MatchRoads, charge: Charging) -> MatchRoads:
    """Return the game with a charge under way, after its tests of fear."""
    path = charge.path + (() if charge.center_mm is None else (charge.center_mm,))
    moving = Moving(figure=charge.figure, how="charge", path=path, target=charge.target)
    return set_out(game, moving, is_watched=charge.is_watched)


def arrive(game: MatchRoads, moving: Moving) -> MatchRoads:
    """Return the game with the model at the end of its path, and the consequences."""
    if moving.how == "hide":  # “если он завершает движение”: it moves no more this turn
        hidden = game.piece(moving.figure).marked(Mark.HIDDEN).marked(Mark.MOVED)
        return replace(game, moving=None).with_piece(hidden).without_gone(moving.figure)
    way = _list_places(moving)
    game = _notice_on_way(game, moving, way)
    piece = _mark_move(game.piece(moving.figure), moving)
    if moving.path:
        piece = replace(piece, center_mm=moving.path[-1])
    game, distances = replace(game, moving=None).with_piece(piece), game.distances()
    if moving.how == "charge":
        game = game.without_gone(moving.figure)
    elif distances is None or len(way) < 2:
        game = game.with_gone(moving.figure, 0.0)
    else:
        game = game.with_gone(moving.figure, float(measure_path(way) / distances.step_mm))
    return game if moving.target is None else _flee_on_contact(game, piece.id, moving.target)


def _flee_on_contact(game: MatchRoads, charger: str, target: str) -> MatchRoads:
    """Return the game after contact with an enemy, which keeps running if it was fleeing."""
    enemy = game.piece(target)
    if Mark.FLEEING not in enemy.marks:
        return game
    return game.first_due(PendingTest(kind="flight", side=enemy.side, figure=target, against=charger))


def halt(game: MatchRoads, figure: str) -> MatchRoads:
    """End that model's open move in its present place."""
    moving = game.moving
    if moving is None or moving.figure != figure:
        return game
    piece = game.piece(figure)
    game = replace(game, leaping=None) if moving.how == "leap" else game
    stopped = piece if moving.how == "hide" else _mark_move(piece, replace(moving, how="walk"))
    return replace(game, moving=None).with_piece(stopped).without_gone(figure)


def at_moment(game: MatchRoads, moment: float) -> MatchRoads:
    """Return the game with the moving model at that moment of its path."""
    moving = game.moving
    assert moving is not None, "a model is on its way"
    way = _list_places(moving)
    game = replace(game, moving=replace(moving, moment=moment))
    if not way:
        return game
    place = point_at(way, moment)
    return game.with_piece(replace(game.piece(moving.figure), center_mm=(float(place[0]), float(place[1]))))


def _list_places(moving: Moving) -> tuple[ExactPoint, ...]:
    """Return the places of a path, its start first."""
    places: tuple[Point, ...] = moving.path if moving.start is None else (moving.start, *moving.path)
    return tuple(exact(place) for place in places)


def _mark_move(piece: Piece, moving: Moving) -> Piece:
    if moving.how == "charge":
        return reveal(piece).marked(Mark.CHARGED).marked(Mark.MOVED)
    if moving.how == "run":
        return reveal(piece).marked(Mark.RAN).marked(Mark.MOVED)
    return piece.marked(Mark.MOVED)


def _notice_on_way(game: MatchRoads, moving: Moving, way: Sequence[ExactPoint]) -> MatchRoads:
    """Return the game with camouflaged models found on the way: passed closely, or seen without cover."""
    hidden = [piece.id for piece in game.standing() if Mark.HIDDEN in piece.marks]
    distances = game.distances() if hidden and way else None
    if distances is None or moving.figure not in distances.table.figure_by_id:
        return game
    mover = distances.table.figure(moving.figure)
    passed = find_finders(distances, mover, way, hidden)
    stops = [changed(mover, center_mm=place) for place in way[1:]]
    return game.with_noticed((*passed, *_find_in_view(game, distances, stops)))


def _find_in_view(game: MatchRoads, distances: Distances, places: Sequence[FreeFigure]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a camouflaged model and its finder, at places without any cover left (“Если враг … замечает”).

    This needs a table that shows the cover. Elsewhere people declare it (“found”).
    """
    for mover in places:
        figures = tuple(mover if figure.id == mover.id else figure for figure in distances.table.figures)
        table = changed(distances.table, figures=figures)
        for other in (figure for figure in figures if figure.side != mover.side):
            for viewer, target in ((other, mover), (mover, other)):
                if Mark.HIDDEN not in game.piece(target.id).marks or not find_cover_in_reach(distances, target):
                    continue
                sight = game.rules.sight(table, viewer, target)
                if sight.is_clear and not sight.gives_cover:
                    yield target.id, viewer.id


# Climbs and jumps: tests first, then the landing.


def take_off(game: MatchRoads) -> MatchRoads:
    """Return the game with the tests due for the open climb or jump, or with it made if it takes none."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece, value = game.piece(leaping.figure), game.fighter(leaping.figure).mobility
    kind: TestKind = "climb" if leaping.kind == "climb" else "jump"
    test = PendingTest(kind=kind, side=piece.side, figure=piece.id, value=value, steps=leaping.dice)
    fears = () if leaping.target is None else list_fears(game, piece.id, leaping.target)
    due = (*fears, *(test,) * leaping.tests)
    return game.first_due(*due) if due else land(game)


def take_off_after_watch(game: MatchRoads) -> MatchRoads:
    """Return the same after shots on overwatch, which saw the model in the air: its tests begin where it stood."""
    moving = game.moving
    if moving is None:
        return game
    back = replace(game.piece(moving.figure), center_mm=moving.start)
    return take_off(replace(game, moving=None).with_piece(back))


def land(game: MatchRoads) -> MatchRoads:
    """Return the game with the open climb or jump made, and its attack (“Атака в прыжке”) in contact."""
    leaping = game.leaping
    if leaping is None:
        return game
    piece = game.piece(leaping.figure)
    if leaping.center_mm is not None:
        piece = replace(piece, center_mm=leaping.center_mm)
    if leaping.elevation_mm is not None:
        piece = replace(piece, elevation_mm=leaping.elevation_mm)
    if leaping.kind in ("climb", "descend"):
        climbed = game.climbed.get(piece.id, 0) + leaping.steps
        game = replace(game, climbed={**game.climbed, piece.id: climbed})
    if leaping.kind == "leap":
        length = game.leapt.get(piece.id, 0) + leaping.steps + leaping.rise
        game = replace(game, leapt={**game.leapt, piece.id: length})
    # A model that jumped in the middle of a walk continues with its remaining movement.
    game = replace(game, leaping=None).with_piece(piece.unmarked(Mark.MOVED))
    game = game.with_gone(piece.id, count_movement(game, leaping.kind) * leaping.steps)
    target, table = leaping.target, game.table()
    if target is None:
        return game
    piece = reveal(game.piece(piece.id)).marked(Mark.JUMPED).marked(Mark.MOVED)
    if game.rules.options["jump_attack_charge"] == "also_charge":
        piece = piece.marked(Mark.CHARGED)
    if table is not None and leaping.center_mm is not None and {piece.id, target} <= set(table.figure_by_id):
        place = find_contact_place(table.figure(piece.id), exact(leaping.center_mm), table.figure(target))
        piece = replace(piece, center_mm=place)
    return _flee_on_contact(game.with_piece(piece).without_gone(piece.id), piece.id, target)
