"""What models do in their turn besides jumping, hiding, shooting and fighting (rules C3 to C5)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.games.roads.match.limits import (
    require_free_of_frenzy,
    require_free_to_move,
    require_length,
    require_no_contact,
    require_shuffle,
    require_untouched,
    steps_left,
)
from assistant.games.roads.match.marks import DULLED, PRONE, RAN, WATCH
from assistant.games.roads.match.pending import Charging, Moving
from assistant.games.roads.match.psychology import list_fears
from assistant.games.roads.match.state import (
    MatchRoads,
    require_able,
    require_nothing_open,
)
from assistant.games.roads.match.ways import find_watchers, set_out, set_out_to_charge
from assistant.games.roads.rules.check_reasons import CLIMB, STUPIDITY, TAKE_COVER
from assistant.games.roads.rules.check_reasons import WATCH as WATCHING
from assistant.games.roads.rules.melee_reasons import CHARGE
from assistant.games.roads.rules.movement import exact, find_contact_place, touches_at
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, Step, require
from assistant.translations.messages import Said, named, said

Path = Annotated[tuple[PointMm, ...], Meta(max_length=40)]


class ModelStep(Step[MatchRoads], frozen=True, kw_only=True):
    """A step of one model in its side's turn."""

    figure: Name

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """It must be its side's turn, the model able to act and not lying in cover, and nothing open."""
        piece = game.piece(self.figure)
        require(game.active == piece.side, said("it is the turn of {side}", side=game.active))
        require_nothing_open(game)
        require_able(game, self.figure)
        require(
            WATCH not in piece.marks,
            said("{figure} watches and does nothing else in this turn", figure=self.figure),
            WATCHING,
        )
        # «Если боец залег, то он больше не может производить больше никаких действий до конца этого хода…» (seed 003)
        lies = said("{figure} lies in cover and only shoots in this turn", figure=self.figure)
        require(PRONE not in piece.marks, lies, TAKE_COVER)


class Watch(ModelStep, frozen=True, kw_only=True, tag="watch"):
    """A model on foot gives up its turn to watch (C5)."""

    def check(self, game: MatchRoads) -> None:
        """At the start of the turn, on foot, and not fighting."""
        super().check(game)
        require(game.phase == "start", said("a watch is declared at the start of the turn"), WATCHING)
        dull = said("{figure} failed the test of stupidity: it shuffles on or stands", figure=self.figure)
        require(DULLED not in game.piece(self.figure).marks, dull, STUPIDITY)
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

    The lengths of a walk and a run are not in the known rules: where the set-up gives some they are measured,
    otherwise people do. With an enemy who watches (``is_watched``, filled in) the way stays open until ``go_on``.
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
        if DULLED in game.piece(self.figure).marks:
            require_shuffle(game, self.figure, self._way())
        require_no_contact(game, self.figure, self._way()[-1] if self._way() else None)
        fighter = game.fighter(self.figure)
        # Who ran before a jump still runs after it.
        runs = self.how == "run" or RAN in game.piece(self.figure).marks
        limit = steps_left(game, self.figure, fighter.run_steps if runs else fighter.walk_steps)
        require_length(game, self.figure, self._way(), limit)

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

    finds_place = True
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
        require_untouched(game, self.figure, self.target)
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
        limit = steps_left(game, self.figure, game.fighter(self.figure).charge_steps)
        require_length(game, self.figure, (*self.path, self.center_mm), limit, CHARGE)

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


STEPS: tuple[type[Struct], ...] = (Watch, MoveModel, Charge)
