"""How an open way ends, and what moves besides: who is down and crawls, who is in frenzy and cannot get there."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.leaps import go_on_leaping
from assistant.games.roads.match.limits import require_length, require_no_contact
from assistant.games.roads.match.marks import DOWN, MOVED, ROOTED
from assistant.games.roads.match.model_steps import ModelStep
from assistant.games.roads.match.psychology import find_bound_to_charge
from assistant.games.roads.match.state import MatchRoads, require_nothing_due, require_nothing_open
from assistant.games.roads.match.ways import arrive
from assistant.games.roads.rules.check_reasons import CRAWL, FRENZY
from assistant.games.roads.rules.movement import exact, is_farther
from assistant.match.game import Name, PointMm, Step, require
from assistant.translations.messages import Said, said

CRAWL_STEPS = 1


class GoOn(Step[MatchRoads], frozen=True, kw_only=True, tag="go_on"):
    """A model that is on its way in view of whoever watches ends it: nobody shoots any more."""

    def check(self, game: MatchRoads) -> None:
        """Somebody must be on the way, and what a shot has done worked out."""
        require(game.moving is not None, said("nobody is on the way"))
        require_nothing_due(game)
        require(game.reaction is None, said("a shot that was reacted to is open; shoot first"))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the move made."""
        if game.moving is None:
            return game
        return go_on_leaping(game) if game.moving.how == "leap" else arrive(game, game.moving)

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
        require_length(game, self.figure, (self.center_mm,), CRAWL_STEPS, CRAWL)
        table, end = game.table(), exact(self.center_mm)
        assert table is not None, "the table was seen"
        start = table.figure(self.figure).center_mm
        away = all(is_farther(start, end, table.figure(enemy)) for enemy in enemies)
        require(away, said("{figure} crawls away from the fighting, not into it", figure=self.figure), CRAWL)
        require_no_contact(game, self.figure, self.center_mm)

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


STEPS: tuple[type[Struct], ...] = (GoOn, Crawl, HoldBack)
