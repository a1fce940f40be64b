"""What models do in their turn besides hiding, shooting and fighting (rules C3 to C5)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.pending_tests import declare_charge
from assistant.games.roads.match.state import (
    DULLED,
    HIDDEN,
    MOVED,
    RAN,
    WATCH,
    Charging,
    MatchRoads,
    PendingTest,
    require_able,
    require_nothing_open,
    take_out,
)
from assistant.match.game import Count, Name, PointMm, Step, require
from assistant.translations.messages import Said, counted, named, said

MOST_STEPS_DOWN = 2
MOST_STEPS_WIDE = 1
"""Nobody jumps deeper or wider (C4)."""


class ModelStep(Step[MatchRoads], frozen=True, kw_only=True):
    """A step of one model in its side's turn."""

    figure: Name

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """It must be its side's turn, the model able to act, and nothing open."""
        piece = game.piece(self.figure)
        require(game.active == piece.side, said("it is the turn of {side}", side=game.active))
        require_nothing_open(game)
        require_able(game, self.figure)
        require(
            WATCH not in piece.marks, said("{figure} watches and does nothing else in this turn", figure=self.figure)
        )


class Watch(ModelStep, frozen=True, kw_only=True, tag="watch"):
    """A model on foot gives up its turn to watch (C5)."""

    def check(self, game: MatchRoads) -> None:
        """At the start of the turn, on foot, and not fighting."""
        super().check(game)
        require(game.phase in ("start", "move"), said("a watch is declared at the start of the turn"))
        require(MOVED not in game.piece(self.figure).marks, said("{figure} has moved already", figure=self.figure))
        require(game.fighter(self.figure).on_foot, said("only models on foot watch"))
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the token beside the model."""
        return game.with_piece(game.piece(self.figure).marked(WATCH))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} watches", figure=self.figure)


class MoveModel(ModelStep, frozen=True, kw_only=True, tag="move"):
    """A model moves; distances of a walk and a run are not in the known rules, so people measure them."""

    center_mm: PointMm | None = None
    how: Literal["walk", "run"] = "walk"

    def check(self, game: MatchRoads) -> None:
        """In the movement phase, once, and not while watching or standing still."""
        super().check(game)
        require(game.phase == "move", said("models move in the movement phase"))
        marks = game.piece(self.figure).marks
        require(MOVED not in marks, said("{figure} has moved already", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there."""
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        moved = replace(piece, center_mm=center).marked(MOVED)
        return game.with_piece(moved.marked(RAN).unmarked(HIDDEN) if self.how == "run" else moved)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if self.how == "run":
            return said("{figure} runs", figure=self.figure)
        return said("{figure} moves", figure=self.figure)


class Charge(ModelStep, frozen=True, kw_only=True, tag="charge"):
    """A model charges an enemy whom it reaches; tests of fear come before the contact (C3)."""

    target: Name
    center_mm: PointMm | None = None

    def check(self, game: MatchRoads) -> None:
        """In the movement phase, at an enemy on the table, not having moved."""
        super().check(game)
        require(game.phase == "move", said("charges are declared in the movement phase"))
        piece, target = game.piece(self.figure), game.piece(self.target)
        require(MOVED not in piece.marks, said("{figure} has moved already", figure=self.figure))
        require(
            DULLED not in piece.marks,
            said("{figure} failed the test of stupidity and does not charge", figure=self.figure),
        )
        require(
            target.on_table and target.side != piece.side, said("{target} is no enemy on the table", target=self.target)
        )
        # A test of fear may come first; where the charge ends must be free before anybody rolls.
        taken = [other.id for other in game.standing() if other.center_mm == self.center_mm is not None]
        require(
            not set(taken) - {self.figure},
            said("{figure} would stand on {taken}; choose another place", figure=self.figure, taken=named(taken)),
        )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the charge made, or waiting for a test."""
        return declare_charge(game, Charging(figure=self.figure, target=self.target, center_mm=self.center_mm))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} charges {target}", figure=self.figure, target=self.target)


class Manoeuvre(ModelStep, frozen=True, kw_only=True, tag="manoeuvre"):
    """A climb, a jump over a gap or a jump down, which the Mobility tests that are due then decide (C4).

    ``steps`` is the height in full steps: a climb takes one test, a jump over a gap one, a jump down one for
    each step; ``fall_steps`` is how deep a jump over a gap would end.
    """

    kind: Literal["climb", "descend", "gap", "down"]
    steps: Annotated[int, Meta(ge=1, le=20)] = 1
    fall_steps: Count = 0

    def check(self, game: MatchRoads) -> None:
        """In the movement phase, and no higher than the rules let anybody."""
        super().check(game)
        require(game.phase == "move", said("models climb and jump in the movement phase"))
        require(
            self.kind != "down" or self.steps <= MOST_STEPS_DOWN,
            counted("nobody jumps down {n} step", "nobody jumps down {n} steps", self.steps),
        )
        require(
            self.kind != "gap" or self.steps <= MOST_STEPS_WIDE,
            counted("a gap of {n} step is too wide", "a gap of {n} steps is too wide", self.steps),
        )
        mobility = game.fighter(self.figure).mobility
        climbs = self.kind in ("climb", "descend")
        require(
            not climbs or self.steps <= mobility,
            said("{figure} cannot climb higher than {mobility} steps", figure=self.figure, mobility=mobility),
        )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the tests due."""
        tests = self.steps if self.kind == "down" else 1
        depth = {"climb": 0, "descend": self.steps, "gap": self.fall_steps, "down": self.steps}[self.kind]
        due = PendingTest(
            kind="climb" if self.kind == "climb" else "jump",
            side=game.piece(self.figure).side,
            figure=self.figure,
            value=game.fighter(self.figure).mobility,
            steps=depth,
        )
        return game.first_due(*(due,) * tests)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        told = {
            "climb": counted("{figure} climbs {n} step", "{figure} climbs {n} steps", self.steps, figure=self.figure),
            "descend": counted(
                "{figure} climbs down {n} step", "{figure} climbs down {n} steps", self.steps, figure=self.figure
            ),
            "gap": counted(
                "{figure} jumps over a gap of {n} step",
                "{figure} jumps over a gap of {n} steps",
                self.steps,
                figure=self.figure,
            ),
            "down": counted(
                "{figure} jumps down {n} step", "{figure} jumps down {n} steps", self.steps, figure=self.figure
            ),
        }
        return told[self.kind]


class Flee(Step[MatchRoads], frozen=True, kw_only=True, tag="flee"):
    """A fleeing model runs as far as was rolled; whoever reaches the edge of the table is out (C3)."""

    figure: Name
    center_mm: PointMm | None = None
    reaches_edge: bool = False

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """Its flight must have been rolled."""
        require(self.figure in game.flights, said("no flight of {figure} was rolled", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there, or out."""
        if self.reaches_edge:
            return take_out(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        left = {name: steps for name, steps in game.flights.items() if name != self.figure}
        return replace(game, flights=left).with_piece(replace(piece, center_mm=center).marked(MOVED))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        steps = game.flights[self.figure]
        if self.reaches_edge:
            return counted(
                "{figure} flees {n} step off the table",
                "{figure} flees {n} steps off the table",
                steps,
                figure=self.figure,
            )
        return counted("{figure} flees {n} step", "{figure} flees {n} steps", steps, figure=self.figure)


STEPS: tuple[type[Struct], ...] = (Watch, MoveModel, Charge, Manoeuvre, Flee)
