"""Flight (“Побег”): length, direction and end of a fleeing model's run, on or off the table."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Self

from msgspec.structs import replace

from assistant.games.roads.match.movement import word_steps
from assistant.games.roads.match.state import FigureStep, Mark, MatchRoads, take_out
from assistant.games.roads.rules.movement import (
    MEASURED_MM,
    exact,
    find_edge_run_end,
    find_flight_end,
    is_farther,
    is_path_open,
    is_path_within,
    keeps_straight,
    list_edge_gaps,
    meets_going_on,
    nears_edge,
    touches_at,
)
from assistant.games.roads.rules.reasons import FLIGHT
from assistant.match.asks import Ask, Asks, Draft, ask_place, ask_thing
from assistant.match.chance import Chance
from assistant.match.game import PointMm, Prompt, require
from assistant.rules.free_distance import Distances, is_in_contact
from assistant.rules.reasons import Rule
from assistant.table.free_table import FreeFigure
from assistant.translations.messages import Said, counted, said

_AHEAD_MM = 4.0
"""Distance within which an obstacle stops a model: twice the error of a measured place."""

_TURNS_DEG = tuple(sign * degrees for degrees in range(0, 181, 5) for sign in ((1, -1) if degrees else (1,)))
"""Directions to try for a run with an enemy in its way, the straightest first."""


def _ask_edge(draft: Draft[MatchRoads]) -> Ask:
    picks = ((False, said("It stays on the table")), (True, said("It reaches the edge and is out")))
    return ask_thing("reaches_edge", said("How far?"), picks)


def _ask_run(draft: Draft[MatchRoads]) -> Ask | None:
    return ask_place(skip_text=said("The program measures it")) if draft.game.ground else None


class Flee(FigureStep, frozen=True, kw_only=True, tag="flee"):
    """A fleeing model runs its rolled steps. It is out at the edge of the table (C3).

    Without a place the program finds the end: straight away from its enemies or, in later turns and after a charge,
    straight to the nearest edge. A typed place must follow that too, unless something stopped the run (``is_stopped``).
    """

    rule = FLIGHT
    center_mm: Annotated[PointMm | None, Asks(_ask_run)] = None
    reaches_edge: Annotated[bool, Asks(_ask_edge)] = False
    is_stopped: bool = False

    @classmethod
    def prompts(cls, game: MatchRoads) -> Iterator[Prompt]:
        if game.find_open() == "flight":
            name, steps = next(iter(game.flights.items()))
            text = counted("{figure} flees {n} step", "{figure} flees {n} steps", steps, figure=name)
            yield cls.prompt(text, side=game.piece(name).side, task=text, figure=name)

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        run = _Run.of(game, self.figure)
        if run is None or self.center_mm is not None or self.reaches_edge:
            return self
        end = run.find_free_end()
        if end is None:
            return replace(self, center_mm=game.piece(self.figure).center_mm, is_stopped=True)
        if run.leaves(end):
            return replace(self, reaches_edge=True)
        return replace(self, center_mm=end)

    def check(self, game: MatchRoads) -> None:
        require(self.figure in game.flights, said("no flight of {figure} was rolled", figure=self.figure))
        run = _Run.of(game, self.figure)
        if run is None:
            return
        if self.reaches_edge:
            refusal = said("{figure} does not reach the edge of the table with this run", figure=self.figure)
            require(run.may_leave(), refusal, FLIGHT)
        if self.reaches_edge or self.center_mm is None:
            return
        figure, place = self.figure, self.center_mm
        require(not run.leaves(place), said("{figure} runs off the table: it is out", figure=figure), FLIGHT)
        steps = word_steps(run.length_mm / run.distances.step_mm)
        too_long = said("{figure} runs {steps} and no more", figure=figure, steps=steps)
        require(run.is_within(place, run.length_mm), too_long, FLIGHT)
        short = run.is_within(place, max(Fraction(0), run.length_mm - MEASURED_MM)) and not self.is_stopped
        too_short = said("{figure} runs the full {steps} unless something stops it", figure=figure, steps=steps)
        require(not short, too_short, FLIGHT)
        stopped = not self.is_stopped or run.is_blocked() or run.is_stopped_at(place)
        require(stopped, said("nothing stops {figure} there", figure=figure), FLIGHT)
        stays = self.is_stopped and exact(place) == run.fleer.center_mm
        if run.enemies:
            straight = keeps_straight(run.fleer.center_mm, exact(place), exact(run.find_end()))
            aside = self.is_stopped and all(is_farther(run.fleer.center_mm, exact(place), e) for e in run.enemies)
            refusal = said("{figure} runs straight away from its enemies", figure=figure)
            require(straight or aside or stays or run.is_blocked(), refusal, FLIGHT)
        else:
            nears = nears_edge(run.fleer.center_mm, exact(place), run.distances.table.size_mm)
            straight = keeps_straight(run.fleer.center_mm, exact(place), exact(run.find_end()))
            refusal = said("{figure} runs to the nearest edge of the table", figure=figure)
            aside = self.is_stopped and nears
            require(straight or aside or stays or run.is_blocked(), refusal, FLIGHT)
        met = not run.is_free_to(place)
        require(not met, said("{figure} keeps clear of its enemies when it runs", figure=figure), FLIGHT)

    def apply(self, game: MatchRoads) -> MatchRoads:
        if self.reaches_edge:
            return take_out(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        left = {name: steps for name, steps in game.flights.items() if name != self.figure}
        away = {name: enemies for name, enemies in game.fleeing_from.items() if name != self.figure}
        moved = replace(piece, center_mm=center).marked(Mark.MOVED)
        return replace(game, flights=left, fleeing_from=away).with_piece(moved)

    def silent_rule(self, game: MatchRoads) -> Rule | None:
        """Return the rule for a stopped run: the players see what stopped it."""
        return FLIGHT if self.is_stopped else None

    def title(self, game: MatchRoads) -> Said:
        steps = game.flights[self.figure]
        if self.reaches_edge:
            return counted(
                "{figure} flees {n} step off the table",
                "{figure} flees {n} steps off the table",
                steps,
                figure=self.figure,
            )
        return counted("{figure} flees {n} step", "{figure} flees {n} steps", steps, figure=self.figure)


class _Run:
    """A run on the present table: the fleeing model, its length, and the enemies it runs from."""

    def __init__(self, distances: Distances, fleer: FreeFigure, steps: int, enemies: Sequence[FreeFigure]) -> None:
        self.distances, self.fleer, self.enemies = distances, fleer, enemies
        self.length_mm = steps * distances.step_mm

    @classmethod
    def of(cls, game: MatchRoads, figure: str) -> _Run | None:
        """Return the run of a model, or None if none was rolled or its place is unknown."""
        distances = game.distances()
        if distances is None or figure not in game.flights or figure not in distances.table.figure_by_id:
            return None
        figures = distances.table.figure_by_id
        enemies = [figures[name] for name in game.fleeing_from.get(figure, ()) if name in figures]
        return cls(distances, figures[figure], game.flights[figure], enemies)

    def find_end(self) -> PointMm:
        if self.enemies:
            return find_flight_end(self.fleer, self.enemies, self.length_mm)
        return find_edge_run_end(self.fleer, self.distances.table.size_mm, self.length_mm)

    def find_free_end(self) -> PointMm | None:
        """Return its end, or the nearest direction's end without an enemy on the way, or None if there is none.

        «…избегая бойцов противника» (“Побег”, seed 003).
        """
        start = (float(self.fleer.center_mm[0]), float(self.fleer.center_mm[1]))
        ahead = tuple(value - start[axis] for axis, value in enumerate(self.find_end()))
        for degrees in _TURNS_DEG:
            turn = math.radians(degrees)
            place = (
                start[0] + ahead[0] * math.cos(turn) - ahead[1] * math.sin(turn),
                start[1] + ahead[0] * math.sin(turn) + ahead[1] * math.cos(turn),
            )
            if self.is_free_to(place):
                return place
        return None

    def is_stopped_at(self, place: PointMm) -> bool:
        """Return whether something ahead stops it there. If the table shows no terrain, people decide."""
        table = self.distances.table
        there, ahead = exact(place), exact(self.find_end())
        length = math.dist(self.fleer.center_mm, ahead) or 1.0
        x, y = (there[i] + (ahead[i] - self.fleer.center_mm[i]) * Fraction(_AHEAD_MM / length) for i in (0, 1))
        reach_mm = Fraction(str(self.fleer.reach_mm))
        return not table.terrain or not is_path_open((there, (x, y)), reach_mm, self.fleer.id, table)

    def is_blocked(self) -> bool:
        """Return whether an enemy blocks its straight path."""
        return not self.is_free_to(self.find_end())

    def is_free_to(self, place: PointMm) -> bool:
        """Return whether it meets no enemy on the straight path to a place. It may leave enemies in contact."""
        end = exact(place)
        for enemy in self.others():
            if is_in_contact(self.fleer, enemy):
                if end != self.fleer.center_mm and not is_farther(self.fleer.center_mm, end, enemy):
                    return False
                if touches_at(self.fleer, place, enemy) and end != self.fleer.center_mm:
                    return False
            elif meets_going_on(self.fleer, end, Fraction(0), enemy):
                return False
        return True

    def others(self) -> tuple[FreeFigure, ...]:
        return tuple(other for other in self.distances.table.figures if other.side != self.fleer.side)

    def is_within(self, place: PointMm, limit_mm: Fraction) -> bool:
        return is_path_within((self.fleer.center_mm, exact(place)), limit_mm)

    def leaves(self, place: PointMm) -> bool:
        """Return whether a base there touches the table edge or lies beyond it."""
        return self._gap_mm(dataclasses.replace(self.fleer, center_mm=exact(place))) <= 0

    def may_leave(self) -> bool:
        """Return whether its run ends off the table: straight on, or round an enemy on its path to the edge."""
        end = self.find_free_end()
        nears = not self.enemies and self.is_blocked() and self._gap_mm(self.fleer) <= self.length_mm
        return nears or (end is not None and self.leaves(end))

    def _gap_mm(self, figure: FreeFigure) -> Fraction:
        """Return the gap between a base and the nearest table edge; negative beyond it."""
        size_mm = self.distances.table.size_mm
        return min(min(list_edge_gaps(place, size_mm)) for place in figure.core_mm) - figure.radius_mm
