"""How the target of a shot reacts before it is rolled (rules C5); the roll of the shot itself is told by people."""

from __future__ import annotations

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.arms import has_shot_left
from assistant.games.roads.match.limits import require_length, require_no_contact
from assistant.games.roads.match.marks import DOWN, DULLED, FLEEING, MOVED, PRONE
from assistant.games.roads.match.pending import Reaction, ReactionKind
from assistant.games.roads.match.shot_steps import Moment, Shoot
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.match.turn_steps import DieFace
from assistant.games.roads.match.ways import at_moment, halt
from assistant.games.roads.rules.check_reasons import SHOOT_FIRST, TAKE_COVER
from assistant.games.roads.rules.checks import evades
from assistant.games.roads.rules.ground import TAKE_COVER_STEPS
from assistant.match.chance import Chance
from assistant.match.game import Name, PointMm, ShownDie, Step, require
from assistant.translations.messages import Said, said


class ReactToShot(Step[MatchRoads], frozen=True, kw_only=True, tag="react"):
    """The target of a shot that was announced ducks, takes cover, or tries to shoot first.

    ``roll`` is the target's D6, to which its Mobility is added; ``shooter_roll`` counts when it tries to shoot
    first. Who takes cover moves to ``center_mm`` within a step or, without it, lies down. ``moment`` is when on its
    way a moving target is shot at.
    """

    reveals = True
    figure: Name
    shooter: Name
    how: ReactionKind
    center_mm: PointMm | None = None
    rolled_here: bool = True
    roll: DieFace = 1
    shooter_roll: DieFace = 1
    moment: Moment | None = None

    def side(self, game: MatchRoads) -> str | None:
        """Whose model is shot at."""
        return game.piece(self.figure).side

    def settle(self, game: MatchRoads, chance: Chance) -> Self:
        """The step with its dice, unless they are typed in."""
        return replace(self, roll=chance.die(), shooter_roll=chance.die()) if self.rolled_here else self

    def check(self, game: MatchRoads) -> None:
        """The shot must be allowed now, the target able to react, and no other reaction open."""
        require(game.reaction is None, said("a shot that was reacted to is open; shoot first"))
        Shoot(figure=self.shooter, target=self.figure, moment=self.moment).check(game)
        marks = game.piece(self.figure).marks
        require(
            not {DOWN, FLEEING} & set(marks), said("{figure} is down or fleeing and cannot react", figure=self.figure)
        )
        if self.how == "shoot first":
            able = DULLED not in marks and not game.opponents_of(self.figure)
            ready = able and has_shot_left(game, self.figure)
            told = said("{figure} has no weapon left to shoot with first", figure=self.figure)
            require(ready, told, SHOOT_FIRST)
        if self.how == "take cover" and self.center_mm is not None:
            require_length(game, self.figure, (self.center_mm,), TAKE_COVER_STEPS, TAKE_COVER)
            require_no_contact(game, self.figure, self.center_mm)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the reaction to be compared with the shot."""
        total = self.roll + game.fighter(self.figure).mobility
        against = self.shooter_roll + game.fighter(self.shooter).mobility
        is_first = self.how == "shoot first" and evades(total, against)
        reaction = Reaction(figure=self.figure, shooter=self.shooter, how=self.how, total=total, is_first=is_first)
        if game.moving is not None and game.moving.figure == self.figure and self.moment is not None:
            game = at_moment(game, self.moment)
        game = replace(game, reaction=reaction)
        if self.how != "take cover":
            return game
        game = halt(game, self.figure)
        piece = game.piece(self.figure)
        center = piece.center_mm if self.center_mm is None else self.center_mm
        covered = replace(piece, center_mm=center).marked(MOVED)
        return game.with_piece(covered.marked(PRONE) if self.center_mm is None else covered)

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        mobility = game.fighter(self.figure).mobility
        numbers = {"roll": self.roll, "mobility": mobility, "total": self.roll + mobility}
        if self.how == "duck":
            return said("{figure} ducks: {roll} + {mobility} = {total}", figure=self.figure, **numbers)
        if self.how == "take cover":
            return said("{figure} takes cover: {roll} + {mobility} = {total}", figure=self.figure, **numbers)
        theirs = game.fighter(self.shooter).mobility
        return said(
            "{figure} tries to shoot first: {roll} + {mobility} = {total} against {roll2} + {mobility2} = {total2}",
            figure=self.figure,
            roll2=self.shooter_roll,
            mobility2=theirs,
            total2=self.shooter_roll + theirs,
            **numbers,
        )

    def dice_shown(self, game: MatchRoads) -> tuple[ShownDie, ...]:
        """The target's die, and the shooter's where it counts."""
        faces = (self.roll, self.shooter_roll) if self.how == "shoot first" else (self.roll,)
        return tuple(ShownDie(str(face)) for face in faces)


STEPS: tuple[type[Struct], ...] = (ReactToShot,)
