"""What a model did that a picture shows elsewhere: a flight, an advance, a charge, a climb, a walk or a run.

What is due comes first: a model with a flight to run has fled, and nothing else. Otherwise it is a move of the side to
play. Places are measured, so a way too long by no more than the measuring error counts as the longest one allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from assistant.games.roads.match.flight_steps import Flee
from assistant.games.roads.match.jump_steps import Manoeuvre
from assistant.games.roads.match.melee_steps import ADVANCE_STEPS, Advance, DrawIn
from assistant.games.roads.match.model_steps import CRAWL_STEPS, Charge, Crawl, MoveModel
from assistant.games.roads.match.movement import steps_left
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.rules.movement import MEASURED_MM, exact, is_within, list_edge_gaps
from assistant.match.game import PointMm, Step
from assistant.match.seen_places import SeenAs, SeenChoice, SeenPlace
from assistant.rules.free_distance import is_in_contact
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.translations.messages import Said, said

PUT_RIGHT_MM = 10.0
"""Who is seen within a fifth of a usual step of where he stood was put right by a hand, and touched nobody by it."""

STRAIGHT_DEG = 15.0
"""A shuffle may lead so far beside where the model looks: a mark on a rim is read to 5 degrees, and set by hand."""

_ERRORS = 3.0
"""A measure errs by less than so many of its standard deviations."""

_Read = Callable[["_Seen"], SeenAs | None]


def read_move(game: MatchRoads, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
    """What the move was; None before the skirmish, after it, and where a model was only put right by hand."""
    before = game.table()
    if game.phase == "setup" or game.winner is not None or before is None:
        return None
    if seen.figure not in before.figure_by_id or seen.figure not in after.figure_by_id:
        return None
    move = _Seen(game, seen, before, after)
    readings: tuple[_Read, ...] = (_flight, _draw_in, _advance, _hand, _height, _crawl, _shuffle, _charge, _way)
    for reading in readings:
        found = reading(move)
        if found is not None:
            return None if found is _PUT_RIGHT else found
    return None


_PUT_RIGHT = SeenAs(())


class _Seen:
    """A model between where the match has it and where a picture shows it."""

    def __init__(self, game: MatchRoads, seen: SeenPlace, before: FreeTable, after: FreeTable) -> None:
        self.game, self.seen, self.figure = game, seen, seen.figure
        self.start, self.end = before.figure(seen.figure), after.figure(seen.figure)
        self.after = after
        self.step_mm = float(game.rules.distances(before).step_mm)
        self.length_mm = math.dist(self._from(), seen.center_mm)
        self.slack_mm = max(float(MEASURED_MM), _ERRORS * seen.error_mm)

    def _from(self) -> PointMm:
        return float(self.start.center_mm[0]), float(self.start.center_mm[1])

    def place(self, steps: float | None) -> PointMm:
        """Where it was seen; no farther than so many steps where it is farther by what a measure errs."""
        limit = math.inf if steps is None else steps * self.step_mm
        within = limit * (1 - 1e-9)  # lengths are floats here, and exact where the move is judged
        if not within < self.length_mm <= limit + self.slack_mm:
            return self.seen.center_mm
        share, (x, y) = within / self.length_mm, self._from()
        return x + share * (self.seen.center_mm[0] - x), y + share * (self.seen.center_mm[1] - y)

    def is_longer_than(self, steps: float) -> bool:
        """Whether it went farther than so many steps for sure."""
        return self.length_mm > steps * self.step_mm + self.slack_mm

    def met(self) -> tuple[FreeFigure, ...]:
        """The enemies that it touches now and did not touch before."""
        before = self.game.opponents_of(self.figure)
        others = (other for other in self.after.figures if other.side != self.end.side and other.id not in before)
        return tuple(other for other in others if is_in_contact(self.end, other))

    def choice(self, step: Step[MatchRoads], **fields: Any) -> SeenChoice:
        """A command as an answer, in the words of the match."""
        command = {"type": step.__struct_config__.tag, "figure": self.figure, **fields}
        return SeenChoice(step.title(self.game), command)

    def only(self, step: Step[MatchRoads], **fields: Any) -> SeenAs:
        """The command that the move was."""
        return SeenAs((self.choice(step, **fields),))

    def ask(self, question: Said, choices: Iterable[SeenChoice]) -> SeenAs:
        """What people have to say, where there is more than one answer."""
        found = tuple(choices)
        return SeenAs(found, question if len(found) > 1 else None)


def _flight(move: _Seen) -> SeenAs | None:
    steps = move.game.flights.get(move.figure)
    if steps is None:
        return None
    size_mm = move.after.size_mm
    gap_mm = min(min(list_edge_gaps(place, size_mm)) for place in move.end.core_mm) - move.end.radius_mm
    if gap_mm <= 0:
        return move.only(Flee(figure=move.figure, reaches_edge=True), reaches_edge=True)
    return move.only(Flee(figure=move.figure), center_mm=move.place(steps))


def _draw_in(move: _Seen) -> SeenAs | None:
    if move.figure not in move.game.to_draw_in:
        return None
    return move.only(DrawIn(figure=move.figure), center_mm=move.seen.center_mm)


def _advance(move: _Seen) -> SeenAs | None:
    if move.figure not in move.game.to_advance:
        return None
    return move.only(Advance(figure=move.figure), center_mm=move.place(ADVANCE_STEPS))


def _hand(move: _Seen) -> SeenAs | None:
    return _PUT_RIGHT if move.length_mm <= PUT_RIGHT_MM and not move.met() else None


def _height(move: _Seen) -> SeenAs | None:
    """Up a wall is a climb; down one may be a climb or a jump."""
    rise_mm = Fraction(str(move.seen.elevation_mm)) - move.start.elevation_mm
    if not rise_mm:
        return None
    steps = float(abs(rise_mm) / Fraction(str(move.step_mm)))
    fields = {"steps": steps, "center_mm": move.seen.center_mm}
    if rise_mm > 0:
        terrain = _stood_on(move.end, move.after)
        climb = Manoeuvre(figure=move.figure, kind="climb", steps=steps)
        return move.only(climb, kind="climb", terrain=terrain, **fields)
    ways = (Manoeuvre(figure=move.figure, kind=kind, steps=steps) for kind in ("descend", "down"))
    question = said("{figure} stands lower now. Did it climb or jump?", figure=move.figure)
    return move.ask(question, (move.choice(way, kind=way.kind, **fields) for way in ways))


def _stood_on(figure: FreeFigure, table: FreeTable) -> str | None:
    under = [piece for piece in table.terrain if piece.kind != "gap" and is_within(figure, piece, 0)]
    return next((piece.id for piece in under if piece.height_mm == figure.elevation_mm), None)


def _crawl(move: _Seen) -> SeenAs | None:
    if Mark.DOWN not in move.game.piece(move.figure).marks:
        return None
    return move.only(Crawl(figure=move.figure), center_mm=move.place(CRAWL_STEPS))


def _shuffle(move: _Seen) -> SeenAs | None:
    """Straight on at half speed (“Тупость”); where the picture does not tell where it looks, people do."""
    if Mark.DULLED not in move.game.piece(move.figure).marks:
        return None
    walk = move.game.fighter(move.figure).walk_steps
    place = move.place(None if walk is None else walk / 2)
    step = MoveModel(figure=move.figure, center_mm=place)
    straight = move.choice(step, how="walk", center_mm=place)
    if move.seen.facing_deg is None:
        question = said("The picture does not tell where {figure} looks. Did it go straight on?", figure=move.figure)
        return SeenAs((SeenChoice(said("Yes, straight on"), straight.command),), question)
    x, y = (float(exact(move.seen.center_mm)[i] - move.start.center_mm[i]) for i in (0, 1))
    beside = abs((math.degrees(math.atan2(y, x)) - move.seen.facing_deg + 180) % 360 - 180)
    if beside <= STRAIGHT_DEG:
        return SeenAs((straight,))
    question = said("{figure} looks elsewhere than it went. Did it go straight on?", figure=move.figure)
    return SeenAs((SeenChoice(said("Yes, straight on"), straight.command),), question)


def _charge(move: _Seen) -> SeenAs | None:
    met = move.met()
    if not met:
        return None
    limit = steps_left(move.game, move.figure, move.game.fighter(move.figure).charge_steps)
    # What a measure errs by may not cost a charge: the shortest way into contact is the program's own.
    is_close = limit is not None and move.place(limit) != move.seen.center_mm
    where = {} if is_close else {"center_mm": move.seen.center_mm}
    charges = (Charge(figure=move.figure, target=other.id) for other in met)
    question = said("{figure} touches several enemies. Whom did it charge?", figure=move.figure)
    return move.ask(question, (move.choice(charge, target=charge.target, **where) for charge in charges))


def _way(move: _Seen) -> SeenAs:
    """A walk or a run, as the lengths of the set-up tell; where it has none, people say which."""
    fighter = move.game.fighter(move.figure)
    walk, run = (steps_left(move.game, move.figure, steps) for steps in (fighter.walk_steps, fighter.run_steps))
    walked = MoveModel(figure=move.figure, how="walk", center_mm=move.place(walk))
    ran = MoveModel(figure=move.figure, how="run", center_mm=move.place(run))
    ways = (walked, ran) if walk is None else (ran,) if move.is_longer_than(walk) else (walked,)
    question = said("Did {figure} walk or run?", figure=move.figure)
    return move.ask(question, (move.choice(way, how=way.how, center_mm=way.center_mm) for way in ways))


def tell_found(before: MatchRoads, after: MatchRoads) -> tuple[Said, ...]:
    """Who was found in its camouflage, at once (“в пределах половины своего значения Подвижности”)."""
    fresh = [pair for pair in after.noticed if pair not in before.noticed]
    return tuple(
        said("{attacker} has found {defender} in its camouflage.", attacker=by, defender=name) for name, by in fresh
    )
