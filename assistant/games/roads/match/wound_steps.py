"""What hits do to a model, and what follows when nobody is left to fight it (rules C2)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.roads.match.duel import pair_of
from assistant.games.roads.match.limits import require_length
from assistant.games.roads.match.marks import DOWN, RAGING, WATCH
from assistant.games.roads.match.state import MatchRoads, require_able, require_nothing_open, take_out
from assistant.games.roads.match.ways import halt
from assistant.games.roads.rules.check_reasons import ADVANCE
from assistant.match.game import Count, Name, PointMm, Step, require
from assistant.translations.messages import Said, counted, listed, said

ADVANCE_STEPS = 1


class Wound(Step[MatchRoads], frozen=True, kw_only=True, tag="wound"):
    """What came of the hits on a model after armour, or a wound from elsewhere.

    How armour and wounds are rolled is not in the known rules, so the result is told: ``wounds``, knocked
    ``down``, or ``take_out``. A model that was down and is wounded by a hit is out (C2).
    """

    figure: Name
    wounds: Count = 0
    down: bool = False
    out: bool = False

    def check(self, game: MatchRoads) -> None:
        """The model must be on the table, in a skirmish that has begun."""
        require(game.phase != "setup", said("begin the skirmish first"))
        require(game.piece(self.figure).on_table, said("{figure} is out", figure=self.figure))
        hit = any(hit.figure == self.figure for hit in game.hits)
        told = self.wounds > 0 or self.down or self.out
        require(hit or told, said("there are no hits on {figure}; say what happens", figure=self.figure))

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model hurt; who watches stops, and frenzy ends when down."""
        was_hit = any(hit.figure == self.figure for hit in game.hits)
        game = replace(game, hits=tuple(hit for hit in game.hits if hit.figure != self.figure))
        piece = game.piece(self.figure)
        hurt = replace(piece, harm=piece.harm + self.wounds)
        limit = game.fighter(self.figure).out_at
        finished = self.wounds > 0 and was_hit and DOWN in piece.marks
        if self.out or finished or (limit is not None and hurt.harm >= limit):
            return take_out(game.with_piece(hurt), self.figure)
        if self.wounds or self.down:
            hurt = hurt.unmarked(WATCH)
        game = game.with_piece(hurt.marked(DOWN).unmarked(RAGING) if self.down else hurt)
        return halt(game, self.figure) if self.down else game

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        parts = [counted("{n} wound", "{n} wounds", self.wounds)] if self.wounds else []
        parts += [said("down")] if self.down else []
        parts += [said("out")] if self.out else []
        told = listed(parts) if parts else said("armour holds")
        return said("{figure}: {what}", figure=self.figure, what=told)


class StandUp(Step[MatchRoads], frozen=True, kw_only=True, tag="stand_up"):
    """A model that was knocked down is up again."""

    figure: Name

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """It must be down, in its side's turn."""
        require(DOWN in game.piece(self.figure).marks, said("{figure} is not down", figure=self.figure))
        require(game.active == game.piece(self.figure).side, said("it is the turn of {side}", side=game.active))
        require_nothing_open(game)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model up."""
        return game.with_piece(game.piece(self.figure).unmarked(DOWN))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        return said("{figure} stands up", figure=self.figure)


class Advance(Step[MatchRoads], frozen=True, kw_only=True, tag="advance"):
    """A model whose opponents are all out moves one step at once, or (``stays``) does not (“Продвижение”).

    Whom it touches then it fights in the next melee phase, not in this one, and without the bonus of a charge.
    """

    figure: Name
    center_mm: PointMm | None = None
    stays: bool = False

    def side(self, game: MatchRoads) -> str | None:
        """Whose model it is."""
        return game.piece(self.figure).side

    def check(self, game: MatchRoads) -> None:
        """It must be one of those that may."""
        told = said("{figure} has nothing to advance after", figure=self.figure)
        require(self.figure in game.to_advance, told, ADVANCE)
        if self.stays:
            return
        require_able(game, self.figure)
        if self.center_mm is not None:
            require_length(game, self.figure, (self.center_mm,), ADVANCE_STEPS, ADVANCE)

    def apply(self, game: MatchRoads) -> MatchRoads:
        """The game with the model there."""
        left = tuple(name for name in game.to_advance if name != self.figure)
        game = replace(game, to_advance=left)
        piece = game.piece(self.figure)
        if self.stays or self.center_mm is None:
            return game
        game = game.with_piece(replace(piece, center_mm=self.center_mm))
        met = tuple(pair_of((self.figure, enemy)) for enemy in game.opponents_of(self.figure))
        return replace(game, met_in_advance=(*game.met_in_advance, *met))

    def title(self, game: MatchRoads) -> Said:
        """What it does."""
        if self.stays:
            return said("{figure} stays", figure=self.figure)
        return said("{figure} advances", figure=self.figure)


STEPS: tuple[type[Struct], ...] = (Wound, StandUp, Advance)
