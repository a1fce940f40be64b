"""What models do in their turn outside of melee (rules C3 to C5)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.match.chance import Chance
from assistant.match.game import Count, Integer, Name, PointMm, Step, require
from assistant.match.roads.due import charge_declared
from assistant.match.roads.state import (
    CHARGED,
    DULLED,
    HIDDEN,
    MOVED,
    RAN,
    SHOT,
    WATCH,
    Charging,
    Due,
    Reaction,
    Roads,
    out,
    require_able,
    require_nothing_open,
    with_hits,
)
from assistant.match.rulings import rules_of, sight_document
from assistant.rules.roads import Roads as RoadsRules

MOST_STEPS_DOWN = 2
MOST_STEPS_WIDE = 1
"""Nobody jumps deeper or wider (C4)."""


class ModelStep(Step[Roads], frozen=True, kw_only=True):
    """A step of one model in its side's turn."""

    figure: Name

    def side(self, game: Roads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: Roads) -> None:
        """It must be its side's turn, the model able to act, and nothing open."""
        piece = game.piece(self.figure)
        require(game.active == piece.side, f"it is the turn of {game.active}")
        require_nothing_open(game)
        require_able(game, self.figure)


class Watch(ModelStep, frozen=True, kw_only=True, tag="watch"):
    """A model on foot gives up its turn to watch (C5)."""

    def check(self, game: Roads) -> None:
        """At the start of the turn, on foot, and not fighting."""
        super().check(game)
        require(game.phase in ("start", "move"), "a watch is declared at the start of the turn")
        require(MOVED not in game.piece(self.figure).marks, f"{self.figure} has moved already")
        require(game.fighter(self.figure).on_foot, "only models on foot watch")
        require(not game.opponents_of(self.figure), f"{self.figure} is fighting")

    def apply(self, game: Roads) -> Roads:
        """The game with the token beside the model."""
        return game.with_piece(game.piece(self.figure).marked(WATCH))

    def title(self, game: Roads) -> str:
        """What it does."""
        return f"{self.figure} watches"


class Move(ModelStep, frozen=True, kw_only=True, tag="move"):
    """A model moves; distances of a walk and a run are not in the known rules, so people measure them."""

    center_mm: PointMm | None = None
    how: Literal["walk", "run"] = "walk"

    def check(self, game: Roads) -> None:
        """In the movement phase, once, and not while watching, fighting or standing still."""
        super().check(game)
        require(game.phase == "move", "models move in the movement phase")
        marks = game.piece(self.figure).marks
        require(MOVED not in marks, f"{self.figure} has moved already")

    def apply(self, game: Roads) -> Roads:
        """The game with the model there."""
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        moved = replace(piece, center_mm=center).marked(MOVED)
        return game.with_piece(moved.marked(RAN).unmarked(HIDDEN) if self.how == "run" else moved)

    def title(self, game: Roads) -> str:
        """What it does."""
        return f"{self.figure} {'runs' if self.how == 'run' else 'moves'}"


class Charge(ModelStep, frozen=True, kw_only=True, tag="charge"):
    """A model charges an enemy whom it reaches; tests of fear come before the contact (C3)."""

    target: Name
    center_mm: PointMm | None = None

    def check(self, game: Roads) -> None:
        """In the movement phase, at an enemy on the table, not having moved."""
        super().check(game)
        require(game.phase == "move", "charges are declared in the movement phase")
        piece, target = game.piece(self.figure), game.piece(self.target)
        require(MOVED not in piece.marks, f"{self.figure} has moved already")
        require(DULLED not in piece.marks, f"{self.figure} failed the test of stupidity and does not charge")
        require(target.on_table and target.side != piece.side, f"{self.target} is no enemy on the table")

    def apply(self, game: Roads) -> Roads:
        """The game with the charge made, or waiting for a test."""
        return charge_declared(game, Charging(figure=self.figure, target=self.target, center_mm=self.center_mm))

    def title(self, game: Roads) -> str:
        """What it does."""
        return f"{self.figure} charges {self.target}"


class Manoeuvre(ModelStep, frozen=True, kw_only=True, tag="manoeuvre"):
    """A climb, a jump over a gap or a jump down, which the Mobility tests that are due then decide (C4).

    ``steps`` is the height in full steps: a climb takes one test, a jump over a gap one, a jump down one for
    each step; ``fall_steps`` is how deep a jump over a gap would end.
    """

    kind: Literal["climb", "descend", "gap", "down"]
    steps: Annotated[int, Meta(ge=1, le=20)] = 1
    fall_steps: Count = 0

    def check(self, game: Roads) -> None:
        """In the movement phase, and no higher than the rules let anybody."""
        super().check(game)
        require(game.phase == "move", "models climb and jump in the movement phase")
        require(self.kind != "down" or self.steps <= MOST_STEPS_DOWN, f"nobody jumps down {self.steps} steps")
        require(self.kind != "gap" or self.steps <= MOST_STEPS_WIDE, f"a gap of {self.steps} steps is too wide")
        mobility = game.fighter(self.figure).mobility
        climbs = self.kind in ("climb", "descend")
        require(not climbs or self.steps <= mobility, f"{self.figure} cannot climb higher than {mobility} steps")

    def apply(self, game: Roads) -> Roads:
        """The game with the tests due."""
        tests = self.steps if self.kind == "down" else 1
        depth = {"climb": 0, "descend": self.steps, "gap": self.fall_steps, "down": self.steps}[self.kind]
        due = Due(
            kind="climb" if self.kind == "climb" else "jump",
            side=game.piece(self.figure).side,
            figure=self.figure,
            value=game.fighter(self.figure).mobility,
            steps=depth,
        )
        return game.first_due(*(due,) * tests)

    def title(self, game: Roads) -> str:
        """What it does."""
        words = {"climb": "climbs", "descend": "climbs down", "gap": "jumps over a gap of", "down": "jumps down"}
        return f"{self.figure} {words[self.kind]} {self.steps} steps"


class Flee(Step[Roads], frozen=True, kw_only=True, tag="flee"):
    """A fleeing model runs as far as was rolled; whoever reaches the edge of the table is out (C3)."""

    figure: Name
    center_mm: PointMm | None = None
    reaches_edge: bool = False

    def side(self, game: Roads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: Roads) -> None:
        """Its flight must have been rolled."""
        require(self.figure in game.flights, f"no flight of {self.figure} was rolled")

    def apply(self, game: Roads) -> Roads:
        """The game with the model there, or out."""
        if self.reaches_edge:
            return out(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        left = {name: steps for name, steps in game.flights.items() if name != self.figure}
        return replace(game, flights=left).with_piece(replace(piece, center_mm=center).marked(MOVED))

    def title(self, game: Roads) -> str:
        """What it does."""
        where = " off the table" if self.reaches_edge else ""
        return f"{self.figure} flees {game.flights[self.figure]} steps{where}"


class Hide(ModelStep, frozen=True, kw_only=True, tag="hide"):
    """A model that ended its move beside real cover camouflages itself (C5)."""

    def check(self, game: Roads) -> None:
        """Not after a run or a charge, not while fighting, and not where an enemy detects it."""
        super().check(game)
        piece = game.piece(self.figure)
        require(not {RAN, CHARGED, WATCH} & set(piece.marks), f"{self.figure} ran, charged or watches in this turn")
        require(not game.opponents_of(self.figure), f"{self.figure} is fighting")
        found = detected_by(game, self.figure)
        require(not found, f"{', '.join(found)} is too near: he would hear and see {self.figure}")

    def apply(self, game: Roads) -> Roads:
        """The game with the token beside the model."""
        return game.with_piece(game.piece(self.figure).marked(HIDDEN))

    def title(self, game: Roads) -> str:
        """What it does."""
        return f"{self.figure} hides"


class Found(Step[Roads], frozen=True, kw_only=True, tag="found"):
    """A camouflaged model is seen: it moved in view, or an enemy came where nothing hides it (C5)."""

    figure: Name

    def check(self, game: Roads) -> None:
        """It must be camouflaged."""
        require(HIDDEN in game.piece(self.figure).marks, f"{self.figure} is not camouflaged")

    def apply(self, game: Roads) -> Roads:
        """The game without the token."""
        return game.with_piece(game.piece(self.figure).unmarked(HIDDEN))

    def title(self, game: Roads) -> str:
        """What it does."""
        return f"{self.figure} is found"


class Shoot(Step[Roads], frozen=True, kw_only=True, tag="shoot"):
    """A shot, on one's own turn or from a watch; its roll is not in the known rules, so the hits are typed in.

    ``silent`` (or a target that dies at once, ``kills``) keeps a camouflaged shooter hidden unless a witness
    passes a test of Mobility (C5). ``total`` is the shooter's own roll with all its modifiers: a target that ducked
    or took cover is hit only if it is no less than the target's.
    """

    figure: Name
    target: Name
    hits: Count = 0
    weapon: Name = "weapon"
    silent: bool = False
    kills: bool = False
    total: Integer | None = None
    ruling: dict[str, Any] | None = None

    def side(self, game: Roads) -> str | None:
        """Whose model shoots."""
        return game.piece(self.figure).side

    def settle(self, game: Roads, chance: Chance) -> Self:
        """The step with the ruling of this table."""
        return replace(self, ruling=sight_document(game, self.figure, self.target)) if game.ground else self

    def check(self, game: Roads) -> None:
        """In one's own shooting phase or from a watch in the enemy's turn, at a visible enemy."""
        piece, target = game.piece(self.figure), game.piece(self.target)
        require_nothing_open(game)
        reaction = game.reaction
        if reaction is not None and reaction.is_first:
            pair = (reaction.figure, reaction.shooter)
            require((self.figure, self.target) == pair, f"{reaction.figure} shoots at {reaction.shooter} first")
        elif game.active == piece.side:
            require(game.phase == "shoot", "models shoot in the shooting phase")
            require(not {RAN, WATCH} & set(piece.marks), f"{self.figure} ran or watches in this turn")
        else:
            require(WATCH in piece.marks, f"only a model that watches shoots in the turn of {game.active}")
        require_able(game, self.figure)
        require(not {SHOT, DULLED} & set(piece.marks), f"{self.figure} cannot shoot (again) in this turn")
        require(not game.opponents_of(self.figure), f"{self.figure} is fighting")
        require(target.on_table and target.side != piece.side, f"{self.target} is no enemy on the table")
        require(HIDDEN not in target.marks, f"{self.target} is camouflaged and cannot be shot at")
        if reaction is not None and not reaction.is_first:
            self._check_reaction(reaction)
        if self.ruling is not None:
            require(bool(self.ruling["line_of_sight"]), f"{self.figure} does not see {self.target}")

    def apply(self, game: Roads) -> Roads:
        """The game with the hits to be worked out and the watch over; witnesses of an ambush test."""
        piece = game.piece(self.figure)
        hidden = HIDDEN in piece.marks and (self.silent or self.kills)
        first = game.reaction if game.reaction is not None and game.reaction.is_first else None
        game = replace(game, reaction=None if first is None else replace(first, is_first=False))
        game = game.with_piece(piece.unmarked(WATCH, *(() if hidden else (HIDDEN,))).marked(SHOT))
        if hidden:
            game = replace(game, due=(*_witness_tests(game, self.figure, self.target), *game.due))
        return with_hits(game, self.target, self.figure, self.hits, (self.weapon,) * self.hits)

    def title(self, game: Roads) -> str:
        """What it does."""
        is_first = game.reaction is not None and game.reaction.is_first
        return f"{self.figure} shoots {'first, at -1 to hit, ' if is_first else ''}at {self.target}: {self.hits} hits"

    def _check_reaction(self, reaction: Reaction) -> None:
        pair = (reaction.shooter, reaction.figure)
        require(
            (self.figure, self.target) == pair, f"{reaction.shooter} shoots at {reaction.figure} before anybody else"
        )
        if reaction.how == "shoot first":
            return
        require(self.total is not None, f"tell the roll of {self.figure} as total; {self.target} has {reaction.total}")
        # A tie goes to the shooter, as when the target shoots first (assistant.rules.roads_deeds).
        missed = self.total is not None and self.total < reaction.total
        require(
            not (missed and self.hits), f"{self.target} has {reaction.total} against {self.total}: there are no hits"
        )


def detected_by(game: Roads, figure: str) -> tuple[str, ...]:
    """The enemies that find a camouflaged model because it is within half their Mobility (C5)."""
    distances = game.distances()
    if distances is None or figure not in distances.table.figure_by_id:
        return ()
    hidden = distances.table.figure(figure)
    enemies = (other for other in distances.table.figures if other.side != hidden.side)
    return tuple(other.id for other in enemies if distances.detects(other, hidden))


def _witness_tests(game: Roads, shooter: str, target: str) -> tuple[Due, ...]:
    table = game.table()
    if table is None:
        return ()
    names = RoadsRules(rules_of(game).options).witnesses(table, shooter, target)
    return tuple(
        Due(kind="ambush", side=game.piece(n).side, figure=n, against=shooter, value=game.fighter(n).mobility)
        for n in names
    )


STEPS: tuple[type[Struct], ...] = (Watch, Move, Charge, Manoeuvre, Flee, Hide, Found, Shoot)
