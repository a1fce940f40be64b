"""What models do in their turn besides jumping, hiding, shooting and fighting (rules C3 to C5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.marks import DOWN, DULLED, FALLEN, MOVED, ROOTED, WATCH
from assistant.games.roads.match.pending import Charging, Moving
from assistant.games.roads.match.psychology import find_bound_to_charge, list_fears
from assistant.games.roads.match.state import (
    MatchRoads,
    require_able,
    require_nothing_due,
    require_nothing_open,
)
from assistant.games.roads.match.ways import arrive, find_watchers, set_out, set_out_to_charge
from assistant.games.roads.rules.check_reasons import CLIMB, CRAWL, FALL, FRENZY, STUPIDITY
from assistant.games.roads.rules.check_reasons import WATCH as WATCHING
from assistant.games.roads.rules.melee_reasons import CHARGE
from assistant.games.roads.rules.movement import exact, find_contact_place, is_farther, is_within_way, touches_at
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Step, require
from assistant.translations.messages import Said, named, said

CRAWL_STEPS = 1

Path = Annotated[tuple[PointMm, ...], Meta(max_length=40)]


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
            WATCH not in piece.marks,
            said("{figure} watches and does nothing else in this turn", figure=self.figure),
            WATCHING,
        )


class Watch(ModelStep, frozen=True, kw_only=True, tag="watch"):
    """A model on foot gives up its turn to watch (C5)."""

    def check(self, game: MatchRoads) -> None:
        """At the start of the turn, on foot, and not fighting."""
        super().check(game)
        require(game.phase in ("start", "move"), said("a watch is declared at the start of the turn"), WATCHING)
        require(
            MOVED not in game.piece(self.figure).marks,
            said("{figure} has moved already", figure=self.figure),
            WATCHING,
        )
        require(game.fighter(self.figure).on_foot, said("only models on foot watch"), WATCHING)
        require(not game.opponents_of(self.figure), said("{figure} is fighting", figure=self.figure), WATCHING)
        require_free_of_frenzy(game, self.figure)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the token beside the model."""
        return game.with_piece(game.piece(self.figure).marked(WATCH))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} watches", figure=self.figure)


class MoveModel(ModelStep, frozen=True, kw_only=True, tag="move"):
    """A model moves: straight to ``center_mm``, or over the places of ``path`` to the last of them.

    The lengths of a walk and a run are not in the known rules: where the set-up gives some they are measured, otherwise
    people do. With an enemy who watches (``is_watched``, which the program fills in) the way stays open until ``go_on``.
    """

    center_mm: PointMm | None = None
    path: Path = ()
    how: Literal["walk", "run"] = "walk"
    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with whether anybody watches it."""
        return replace(self, is_watched=bool(find_watchers(game, self.figure)))

    def check(self, game: MatchRoads) -> None:
        """In the movement phase, once, and not while watching or standing still."""
        super().check(game)
        require(game.phase == "move", said("models move in the movement phase"))
        require_free_to_move(game, self.figure)
        require_free_of_frenzy(game, self.figure)
        require(
            self.how == "walk" or not game.climbed.get(self.figure),
            said("{figure} climbs in this turn and does not run", figure=self.figure),
            CLIMB,
        )
        fighter = game.fighter(self.figure)
        require_length(game, self.figure, self._way(), fighter.run_steps if self.how == "run" else fighter.walk_steps)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there, or on its way."""
        moving = Moving(figure=self.figure, how=self.how, path=self._way())
        return set_out(game, moving, is_watched=self.is_watched)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if self.how == "run":
            return said("{figure} runs", figure=self.figure)
        return said("{figure} moves", figure=self.figure)

    def _way(self) -> tuple[PointMm, ...]:
        return self.path + (() if self.center_mm is None else (self.center_mm,))


class Charge(ModelStep, frozen=True, kw_only=True, tag="charge"):
    """A model charges an enemy whom it reaches, and ends in base contact; tests of fear come first (C3).

    Without ``center_mm`` the program puts it where it touches the enemy on the straight way from the last of ``path``.
    """

    target: Name
    center_mm: PointMm | None = None
    path: Path = ()
    is_watched: bool = False

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with the place of contact, where the table tells it, and whether anybody watches it."""
        step = replace(self, is_watched=bool(find_watchers(game, self.figure)))
        table = game.table()
        if table is None or self.center_mm is not None or not {self.figure, self.target} <= set(table.figure_by_id):
            return step
        own = table.figure(self.figure)
        start = exact(self.path[-1]) if self.path else own.center_mm
        return replace(step, center_mm=find_contact_place(own, start, table.figure(self.target)))

    def check(self, game: MatchRoads) -> None:
        """In the movement phase, at an enemy on the table, not having moved."""
        super().check(game)
        require(game.phase == "move", said("charges are declared in the movement phase"))
        require_free_to_move(game, self.figure)
        piece, target = game.piece(self.figure), game.piece(self.target)
        require(
            DULLED not in piece.marks,
            said("{figure} failed the test of stupidity and does not charge", figure=self.figure),
            STUPIDITY,
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
        self._check_end(game)

    def _check_end(self, game: MatchRoads) -> None:
        table = game.table()
        if table is None or self.center_mm is None or not {self.figure, self.target} <= set(table.figure_by_id):
            return
        require(
            touches_at(table.figure(self.figure), self.center_mm, table.figure(self.target)),
            said("a charge ends in contact: {figure} would not touch {target}", figure=self.figure, target=self.target),
            CHARGE,
        )
        require_length(game, self.figure, (*self.path, self.center_mm), game.fighter(self.figure).charge_steps)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the charge made, on its way, or waiting for a test."""
        charge = Charging(
            figure=self.figure,
            target=self.target,
            center_mm=self.center_mm,
            path=self.path,
            is_watched=self.is_watched,
        )
        fears = list_fears(game, self.figure, self.target)
        if not fears:
            return set_out_to_charge(game, charge)
        return replace(game, charging=charge, due=(*fears, *game.due))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} charges {target}", figure=self.figure, target=self.target)


class GoOn(Step[MatchRoads], frozen=True, kw_only=True, tag="go_on"):
    """A model that is on its way in view of whoever watches ends it: nobody shoots any more."""

    def check(self, game: MatchRoads) -> None:
        """Somebody must be on the way, and what a shot has done worked out."""
        require(game.moving is not None, said("nobody is on the way"))
        require_nothing_due(game)
        require(game.reaction is None, said("a shot that was reacted to is open; shoot first"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the move made."""
        return game if game.moving is None else arrive(game, game.moving)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} goes on", figure="" if game.moving is None else game.moving.figure)


class Crawl(Step[MatchRoads], frozen=True, kw_only=True, tag="crawl"):
    """A model of the larger side that was knocked down crawls a step away from the fighting (“Многосторонние бои”)."""

    figure: Name
    center_mm: PointMm | None = None

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """Down, in its own movement phase, in a fight where its side is the larger one, and no more than a step."""
        piece = game.piece(self.figure)
        require_nothing_open(game)
        require(
            game.active == piece.side and game.phase == "move",
            said("who is down crawls in the own movement phase"),
            CRAWL,
        )
        require(DOWN in piece.marks, said("{figure} is not down", figure=self.figure), CRAWL)
        require(MOVED not in piece.marks, said("{figure} has moved already", figure=self.figure), CRAWL)
        if game.ground:
            self._check_place(game)

    def _check_place(self, game: MatchRoads) -> None:
        enemies = game.opponents_of(self.figure)
        larger = any(len(game.opponents_of(enemy)) > 1 for enemy in enemies)
        require(larger, said("{figure} is not in a fight of several against one", figure=self.figure), CRAWL)
        if self.center_mm is None:
            return
        require_length(game, self.figure, (self.center_mm,), CRAWL_STEPS)
        table, end = game.table(), exact(self.center_mm)
        assert table is not None, "the table was seen"
        start = table.figure(self.figure).center_mm
        away = all(is_farther(start, end, table.figure(enemy)) for enemy in enemies)
        require(away, said("{figure} crawls away from the fighting, not into it", figure=self.figure), CRAWL)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there, still down."""
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        return game.with_piece(replace(piece, center_mm=center).marked(MOVED))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} crawls away", figure=self.figure)


class HoldBack(ModelStep, frozen=True, kw_only=True, tag="hold_back"):
    """A judge finds that a model in frenzy cannot get at the enemy in its charge range: it need not charge."""

    for_judge = True

    def check(self, game: MatchRoads) -> None:
        """It must be one that would have to charge."""
        super().check(game)
        require(
            game.phase == "move" and self.figure in find_bound_to_charge(game),
            said("{figure} need not charge", figure=self.figure),
            FRENZY,
        )

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model where it is."""
        return game.with_piece(game.piece(self.figure).marked(ROOTED))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} cannot get at an enemy", figure=self.figure)


def require_free_to_move(game: MatchRoads, figure: str) -> None:
    """Makes sure that a model has not moved, fallen, or failed a climb or a charge in this turn.

    Raises:
        IllegalStep: it has.
    """
    marks = game.piece(figure).marks
    require(MOVED not in marks, said("{figure} has moved already", figure=figure))
    require(FALLEN not in marks, said("{figure} has fallen and moves no more in this turn", figure=figure), FALL)
    require(ROOTED not in marks, said("{figure} has to stay where it is in this turn", figure=figure))


def require_free_of_frenzy(game: MatchRoads, figure: str) -> None:
    """Makes sure that a model need not charge: in frenzy it does nothing else with an enemy in charge range.

    Raises:
        IllegalStep: it must charge.
    """
    bound = figure in find_bound_to_charge(game)
    require(
        not bound, said("{figure} is in frenzy with an enemy in charge range: it must charge", figure=figure), FRENZY
    )


def require_length(
    game: MatchRoads, figure: str, path: tuple[PointMm, ...], steps: float | None, *, more: float = 0
) -> None:
    """Makes sure that a way from where a model stands is no longer than so many steps, where the table is known.

    Raises:
        IllegalStep: it is.
    """
    distances = game.distances()
    if steps is None or not path or distances is None or figure not in distances.table.figure_by_id:
        return
    way = (distances.table.figure(figure).center_mm, *(exact(place) for place in path))
    limit = Fraction(str(steps)) + Fraction(str(more))
    require(
        is_within_way(way, limit * distances.step_mm),
        said("{figure} goes at most {steps} steps, measured from middle to middle", figure=figure, steps=float(limit)),
    )


STEPS: tuple[type[Struct], ...] = (Watch, MoveModel, Charge, GoOn, Crawl, HoldBack)
