"""A move, a charge or hiding as a way that whoever watches may shoot at, at any moment of it (“Дозор”)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace as changed

from msgspec.structs import replace

from assistant.games.roads.match.marks import CHARGED, EMERGED, FLEEING, HIDDEN, MOVED, RAN, STOPPING, WATCH
from assistant.games.roads.match.pending import Charging, Moving, PendingTest, Point
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.rules.ground import find_cover_in_reach
from assistant.games.roads.rules.movement import exact, find_finders, measure_way, point_at
from assistant.match.game import Piece
from assistant.rules.free_distance import Distances
from assistant.table.free_table import FreeFigure
from assistant.table.plane import ExactPoint


def reveal(piece: Piece) -> Piece:
    """A model out of its camouflage, if it was in any: a fleeting target in this turn."""
    return piece.unmarked(HIDDEN).marked(EMERGED) if HIDDEN in piece.marks else piece


def find_watchers(game: MatchRoads, figure: str) -> tuple[str, ...]:
    """The enemies of a model that watch and may shoot at it while it moves."""
    side = game.piece(figure).side
    return tuple(
        piece.id
        for piece in game.standing()
        if piece.side != side and WATCH in piece.marks and not {*STOPPING} & set(piece.marks)
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
        return replace(game, moving=None).with_piece(piece.marked(HIDDEN))
    game = _noticed_on(game, moving, way)
    piece = _with_marks(game.piece(moving.figure), moving)
    if moving.path:
        piece = replace(piece, center_mm=moving.path[-1])
    game = _with_length(replace(game, moving=None).with_piece(piece), moving, way)
    target = None if moving.target is None else game.piece(moving.target)
    if target is not None and FLEEING in target.marks:
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
        return reveal(piece).marked(CHARGED).marked(MOVED)
    if moving.how == "run":
        return reveal(piece).marked(RAN).marked(MOVED)
    return piece.marked(MOVED)


def _noticed_on(game: MatchRoads, moving: Moving, way: Sequence[ExactPoint]) -> MatchRoads:
    """Who is found on the way: by being near at any place of it, or by being seen with nothing before him."""
    hidden = [piece.id for piece in game.standing() if HIDDEN in piece.marks]
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
                if HIDDEN not in game.piece(target.id).marks or not find_cover_in_reach(distances, target):
                    continue
                seen = game.rules.sight(table, viewer, target)
                if seen.is_clear and not seen.gives_cover:
                    yield target.id, viewer.id
