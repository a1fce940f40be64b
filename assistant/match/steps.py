"""The steps of every game: the seen table, places by hand, saved rulings, the end of the match."""

from __future__ import annotations

from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from assistant.match import kept_order
from assistant.match.chance import Chance
from assistant.match.game import Cells, GameState, Name, PointMm, Step, Text, require
from assistant.match.ground import (
    BOARD,
    FREE_TABLE,
    find_pieces,
    ground_of,
    list_changed_terrain,
    move_aside,
    require_on_board,
)
from assistant.match.rulings import sight_document
from assistant.translations.messages import SILENCE, Said, named, said, verbatim


class See(Step[GameState], frozen=True, kw_only=True, tag="see"):
    """The table from the camera or a file: a board or a free table with its figures.

    Unknown figures are ignored. Known figures that the camera does not see keep their places: a hand over the table
    hides figures and removes none.
    """

    rule = kept_order.TABLE_SEEN
    keeps_passes = True
    document: dict[str, Any]

    def check(self, game: GameState) -> None:
        ground_of(self.document)
        wanted = BOARD if game.has_grid else FREE_TABLE
        require(
            self.document["format"] == wanted,
            said("this match is played on a table of the format {wanted}", wanted=wanted),
        )

    def apply(self, game: GameState) -> GameState:
        ground, doors_open = ground_of(self.document)
        seen = find_pieces(game, self.document)
        on_ground = replace(game, ground=ground, doors_open=doors_open)
        taken = frozenset(cell for piece in seen for cell in piece.cells)
        return on_ground.with_piece(*move_aside(on_ground, taken)).with_piece(*seen)

    def title(self, game: GameState) -> Said:
        changed = list_changed_terrain(game.ground, self.document)
        if changed:
            return said("Terrain of the table changed: {names}", names=named(changed))
        return said("The table as the camera sees it")


class Place(Step[GameState], frozen=True, kw_only=True, tag="place"):
    """Put a figure on these cells by hand, without counting movement: a correction or the set-up."""

    rule = kept_order.BY_HAND
    label = said("Put a figure somewhere by hand")
    by_hand = True
    of_figure = True
    figure: Name
    cells: Cells = ()
    center_mm: PointMm | None = None

    def check(self, game: GameState) -> None:
        game.piece(self.figure)
        require_on_board(game, self.cells)
        for other in game.standing():
            taken = set(other.cells) & set(self.cells)
            require(
                other.id == self.figure or not taken, said("“{other}” stands there; choose free cells", other=other.id)
            )

    def apply(self, game: GameState) -> GameState:
        piece = game.piece(self.figure)
        return game.with_piece(replace(piece, cells=tuple(sorted(self.cells)), center_mm=self.center_mm, on_table=True))

    def title(self, game: GameState) -> Said:
        return said("{figure} placed", figure=self.figure)


class RecordRuling(Step[GameState], frozen=True, kw_only=True, tag="ruling"):
    """Save a ruling on sight, range and cover with the match. The program fills in the answer."""

    rule = kept_order.RULINGS
    keeps_passes = True
    attacker: Name
    defender: Name
    ruling: dict[str, Any] | None = None

    def settle(self, game: GameState, chance: Chance) -> Self:
        return replace(self, ruling=sight_document(game, self.attacker, self.defender))

    def apply(self, game: GameState) -> GameState:
        return game

    def title(self, game: GameState) -> Said:
        return said("Ruling: {attacker} against {defender}", attacker=self.attacker, defender=self.defender)


class DeclareEnd(Step[GameState], frozen=True, kw_only=True, tag="declare"):
    """Players or a judge end the match: an objective that only people can see, a concession, or nobody wins."""

    rule = kept_order.ENDING
    label = said("End the match")
    by_hand = True
    winner: Text
    """The side that has won; empty where nobody has and people stop."""
    ending: Text = ""

    def check(self, game: GameState) -> None:
        require(game.winner is None, said("the match is over already"))
        sides = {piece.side for piece in game.pieces.values()}
        require(
            not self.winner or self.winner in sides,
            said("there is no side “{side}”; choose one of {sides}", side=self.winner, sides=named(sorted(sides))),
        )

    def apply(self, game: GameState) -> GameState:
        return game.won_by(self.winner, verbatim(self.ending) if self.ending else SILENCE)

    def title(self, game: GameState) -> Said:
        if not self.winner:
            return said("The match is over. Nobody has won")
        return said("The match is over. Winner: {side}", side=self.winner)


class Pass(Step[GameState], frozen=True, kw_only=True, tag="pass"):
    """A side passes in these moments (`Moment`) until the match changes."""

    rule = kept_order.MOMENTS
    keeps_passes = True
    of: Name
    asked: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=100)]

    def side(self, game: GameState) -> str | None:
        return self.of

    def apply(self, game: GameState) -> GameState:
        return replace(game, passed=tuple(dict.fromkeys((*game.passed, *self.asked))))

    def title(self, game: GameState) -> Said:
        return said("{side}: no reaction", side=self.of)


COMMON: tuple[type[Step[Any]], ...] = (See, Place, RecordRuling, DeclareEnd, Pass)
