"""Interpretation of a model's new place in a picture: a flight, an advance, a charge, a climb, a walk or a run.

Due moves come first: a model with a flight to run has fled, and nothing else. Otherwise it is a move of the side to
play. Places are measured, so a path too long by at most the measuring error counts as the longest allowed one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from assistant.games.roads.match.flight_steps import Flee
from assistant.games.roads.match.jump_steps import Manoeuvre, find_jump_reach
from assistant.games.roads.match.melee_steps import ADVANCE_STEPS, Advance, DrawIn
from assistant.games.roads.match.model_steps import CRAWL_STEPS, Charge, Crawl, MoveModel
from assistant.games.roads.match.movement import steps_left
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.games.roads.rules.movement import MEASURED_MM, exact, is_within, list_edge_gaps
from assistant.match.game import PointMm, Step
from assistant.match.seen_places import SeenAs, SeenChoice, SeenPlace
from assistant.rules.free_distance import DRAW_IN_STEPS, is_in_contact
from assistant.table.free_table import FreeFigure, FreeTable
from assistant.translations.messages import Said, said

PUT_RIGHT_MM = 10.0
"""A model moved at most this far, a fifth of a usual step, was only straightened by hand."""

STRAIGHT_DEG = 15.0
"""Tolerance of a shuffle's direction: the mark on a rim is read to 5 degrees, and set by hand."""

_SLACK_DEVIATIONS = 3.0
"""Measuring error of a place, in standard deviations."""

_Read = Callable[["_SeenMove"], SeenAs | None]


def read_move(game: MatchRoads, seen: SeenPlace, after: FreeTable) -> SeenAs | None:
    """Return the move as a command; None outside the skirmish, and for a model only straightened by hand."""
    before = game.table()
    if game.phase == "setup" or game.winner is not None or before is None:
        return None
    if seen.figure not in before.figure_by_id or seen.figure not in after.figure_by_id:
        return None
    move = _SeenMove(game, seen, before, after)
    readings: tuple[_Read, ...] = (
        _read_flight, _read_draw_in, _read_advance, _read_straightening, _read_height, _read_crawl, _read_shuffle,
        _read_charge, _read_way,
    )  # fmt: skip
    for reading in readings:
        found = reading(move)
        if found is not None:
            return None if found is _STRAIGHTENED else found
    return None


_STRAIGHTENED = SeenAs(())


class _SeenMove:
    """A model between its place in the match and its place in a picture."""

    def __init__(self, game: MatchRoads, seen: SeenPlace, before: FreeTable, after: FreeTable) -> None:
        self.game, self.seen, self.figure = game, seen, seen.figure
        self.start, self.end = before.figure(seen.figure), after.figure(seen.figure)
        self.after = after
        self.step_mm = float(game.rules.distances(before).step_mm)
        self.length_mm = math.dist(self._start_mm(), seen.center_mm)
        self.slack_mm = max(float(MEASURED_MM), _SLACK_DEVIATIONS * seen.error_mm)

    def _start_mm(self) -> PointMm:
        return float(self.start.center_mm[0]), float(self.start.center_mm[1])

    def place(self, steps: float | None) -> PointMm:
        """Return its place in the picture, moved back to the limit if only the measuring error puts it beyond."""
        limit = math.inf if steps is None else steps * self.step_mm
        within = limit * (1 - 1e-9)  # lengths are floats here, but exact in the check of the move
        if not within < self.length_mm <= limit + self.slack_mm:
            return self.seen.center_mm
        share, (x, y) = within / self.length_mm, self._start_mm()
        return x + share * (self.seen.center_mm[0] - x), y + share * (self.seen.center_mm[1] - y)

    def is_longer_than(self, steps: float) -> bool:
        """Return whether it went farther than that, even with the measuring error."""
        return self.length_mm > steps * self.step_mm + self.slack_mm

    def find_met(self) -> tuple[FreeFigure, ...]:
        """Return the enemies newly in contact."""
        before = self.game.opponents_of(self.figure)
        others = (other for other in self.after.figures if other.side != self.end.side and other.id not in before)
        return tuple(other for other in others if is_in_contact(self.end, other))

    def to_choice(self, step: Step[MatchRoads], **fields: Any) -> SeenChoice:
        command = {"type": step.__struct_config__.tag, "figure": self.figure, **fields}
        return SeenChoice(step.title(self.game), command)

    def to_command(self, step: Step[MatchRoads], **fields: Any) -> SeenAs:
        return SeenAs((self.to_choice(step, **fields),))

    def ask(self, question: Said, choices: Iterable[SeenChoice]) -> SeenAs:
        """Return the only choice, or a question to people."""
        found = tuple(choices)
        return SeenAs(found, question if len(found) > 1 else None)


def _read_flight(move: _SeenMove) -> SeenAs | None:
    steps = move.game.flights.get(move.figure)
    if steps is None:
        return None
    size_mm = move.after.size_mm
    gap_mm = min(min(list_edge_gaps(place, size_mm)) for place in move.end.core_mm) - move.end.radius_mm
    if gap_mm <= 0:
        return move.to_command(Flee(figure=move.figure, reaches_edge=True), reaches_edge=True)
    return move.to_command(Flee(figure=move.figure), center_mm=move.place(steps))


def _read_draw_in(move: _SeenMove) -> SeenAs | None:
    if move.figure not in move.game.to_draw_in:
        return None
    # A measuring error must not cost the step: then the program finds the shortest path into contact itself.
    is_close = move.place(DRAW_IN_STEPS) != move.seen.center_mm
    where = {} if is_close else {"center_mm": move.seen.center_mm}
    return move.to_command(DrawIn(figure=move.figure), **where)


def _read_advance(move: _SeenMove) -> SeenAs | None:
    if move.figure not in move.game.to_advance:
        return None
    return move.to_command(Advance(figure=move.figure), center_mm=move.place(ADVANCE_STEPS))


def _read_straightening(move: _SeenMove) -> SeenAs | None:
    return _STRAIGHTENED if move.length_mm <= PUT_RIGHT_MM and not move.find_met() else None


def _read_height(move: _SeenMove) -> SeenAs | None:
    """Read a change of height: a way up is a climb; a way down may be a climb or a jump."""
    rise_mm = Fraction(str(move.seen.elevation_mm)) - move.start.elevation_mm
    if not rise_mm:
        return None
    steps = float(abs(rise_mm) / Fraction(str(move.step_mm)))
    fields = {"steps": steps, "center_mm": move.place(find_jump_reach(move.game, move.start))}
    if rise_mm > 0:
        under = [piece for piece in move.after.terrain if piece.kind != "gap" and is_within(move.end, piece, 0)]
        terrain = next((piece.id for piece in under if piece.height_mm == move.end.elevation_mm), None)
        climb = Manoeuvre(figure=move.figure, kind="climb", steps=steps)
        return move.to_command(climb, kind="climb", terrain=terrain, **fields)
    ways = (Manoeuvre(figure=move.figure, kind=kind, steps=steps) for kind in ("descend", "down"))
    question = said("{figure} stands lower now. Did it climb or jump?", figure=move.figure)
    return move.ask(question, (move.to_choice(way, kind=way.kind, **fields) for way in ways))


def _read_crawl(move: _SeenMove) -> SeenAs | None:
    if Mark.DOWN not in move.game.piece(move.figure).marks:
        return None
    return move.to_command(Crawl(figure=move.figure), center_mm=move.place(CRAWL_STEPS))


def _read_shuffle(move: _SeenMove) -> SeenAs | None:
    """Read a shuffle straight on at half speed (“Тупость”). If the picture does not show the facing, people decide."""
    if Mark.DULLED not in move.game.piece(move.figure).marks:
        return None
    walk = move.game.fighter(move.figure).walk_steps
    place = move.place(None if walk is None else walk / 2)
    step = MoveModel(figure=move.figure, center_mm=place)
    straight = move.to_choice(step, how="walk", center_mm=place)
    if move.seen.facing_deg is None:
        question = said("The picture does not show where {figure} faces. Did it go straight on?", figure=move.figure)
        return SeenAs((SeenChoice(said("Yes, straight on"), straight.command),), question)
    x, y = (float(exact(move.seen.center_mm)[i] - move.start.center_mm[i]) for i in (0, 1))
    beside = abs((math.degrees(math.atan2(y, x)) - move.seen.facing_deg + 180) % 360 - 180)
    if beside <= STRAIGHT_DEG:
        return SeenAs((straight,))
    question = said("{figure} did not go where it faces. Did it go straight on?", figure=move.figure)
    return SeenAs((SeenChoice(said("Yes, straight on"), straight.command),), question)


def _read_charge(move: _SeenMove) -> SeenAs | None:
    met = move.find_met()
    if not met:
        return None
    limit = steps_left(move.game, move.figure, move.game.fighter(move.figure).charge_steps)
    # A measuring error must not cost a charge: then the program finds the shortest path into contact itself.
    is_close = limit is not None and move.place(limit) != move.seen.center_mm
    where = {} if is_close else {"center_mm": move.seen.center_mm}
    charges = (Charge(figure=move.figure, target=other.id) for other in met)
    question = said("{figure} touches several enemies. Whom did it charge?", figure=move.figure)
    return move.ask(question, (move.to_choice(charge, target=charge.target, **where) for charge in charges))


def _read_way(move: _SeenMove) -> SeenAs:
    """Read a walk or a run by the lengths of the set-up. Without them people decide."""
    fighter = move.game.fighter(move.figure)
    walk, run = (steps_left(move.game, move.figure, steps) for steps in (fighter.walk_steps, fighter.run_steps))
    walked = MoveModel(figure=move.figure, how="walk", center_mm=move.place(walk))
    ran = MoveModel(figure=move.figure, how="run", center_mm=move.place(run))
    ways = (walked, ran) if walk is None else (ran,) if move.is_longer_than(walk) else (walked,)
    question = said("Did {figure} walk or run?", figure=move.figure)
    return move.ask(question, (move.to_choice(way, how=way.how, center_mm=way.center_mm) for way in ways))


def report_found(before: MatchRoads, after: MatchRoads) -> tuple[Said, ...]:
    """Return the news of camouflaged models found at once (“в пределах половины своего значения Подвижности”)."""
    fresh = [pair for pair in after.noticed if pair not in before.noticed]
    return tuple(
        said("{attacker} has found the camouflaged {defender}.", attacker=by, defender=name) for name, by in fresh
    )
