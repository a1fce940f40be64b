"""A night of Lanterns: the sides take turns with one step each, until one side has no light left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from assistant.match.audience import Audience
from assistant.match.game import GameState, KeptRules, Name, Piece, PositiveCount, Prompt, Step, require
from assistant.match.ground import board_of
from assistant.match.rulings import rule_sight
from assistant.match.system import MatchSystem
from assistant.rules.reasons import Rule
from assistant.rules.ruleset import AnyRules
from assistant.table.board import Board
from assistant.table.lattice import Cell, edge_between
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.messages import Said, message, said
from lanterns.rules import Lanterns

RULES = KeptRules(Lanterns)

NIGHT = Rule(
    "lanterns/night",
    message("Lanterns, “The night”"),
    message("The sides take turns with one deed each: a step, a shine, or nothing."),
)

Way = Literal["north", "east", "south", "west"]

WAYS: Mapping[Way, tuple[int, int]] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}

WAY_WORDS: Mapping[Way, Said] = {
    "north": said("north"),
    "east": said("east"),
    "south": said("south"),
    "west": said("west"),
}


class LampSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure: how far its light reaches, in steps, and how often it can be dimmed before it is out."""

    id: Name
    side: Name
    kind: Name
    reach: PositiveCount
    oil: PositiveCount


class NightSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All figures; the sides take turns in their order here."""

    lamps: tuple[LampSetup, ...]


class Night(GameState, frozen=True, kw_only=True):
    """A night of Lanterns; ``active`` is the side to play, None before the beginning."""

    lamps: Mapping[str, LampSetup]
    active: str | None = None

    @property
    def rules(self) -> AnyRules:
        return RULES.under(self.options)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order of their turns."""
        return tuple(dict.fromkeys(lamp.side for lamp in self.lamps.values()))

    def side_to_act(self) -> str | None:
        return self.active

    def after_turn(self) -> Night:
        """Return the night at the other side's turn."""
        place = self.sides.index(str(self.active)) + 1
        is_new_round = place == len(self.sides)
        return replace(self, active=self.sides[place % len(self.sides)], round=self.round + is_new_round)

    def oil_left(self, figure: str) -> int:
        """Return how often a figure can still be dimmed."""
        return max(0, self.lamps[figure].oil - self.piece(figure).harm)


class Kindle(Step[Night], frozen=True, kw_only=True, tag="kindle"):
    """The lamps are lit: the first side begins."""

    rule = NIGHT

    @classmethod
    def prompts(cls, game: Night) -> Iterator[Prompt]:
        if game.active is None:
            yield cls.prompt(said("Light the lamps"))

    def check(self, game: Night) -> None:
        require(game.active is None, said("the lamps are lit already"))

    def apply(self, game: Night) -> Night:
        return replace(game, active=game.sides[0], round=1)

    def title(self, game: Night) -> Said:
        return said("The lamps are lit")


class Turn(Step[Night], frozen=True, kw_only=True):
    """A step of the side whose turn it is."""

    rule = NIGHT

    def side(self, game: Night) -> str | None:
        return game.active

    def check(self, game: Night) -> None:
        require(game.active is not None, said("the night has not begun; light the lamps first"))


class FigureTurn(Turn, frozen=True, kw_only=True):
    """A step of one figure of that side."""

    figure: Name

    def check(self, game: Night) -> None:
        Turn.check(self, game)
        require(game.piece(self.figure).side == game.active, said("it is not the turn of {figure}", figure=self.figure))


class Shine(FigureTurn, frozen=True, kw_only=True, tag="shine"):
    """A figure shines on another one, which loses oil. Without oil it is out."""

    target: Name

    @classmethod
    def prompts(cls, game: Night) -> Iterator[Prompt]:
        for one, other in product(game.standing(game.active), game.standing()) if game.ground else ():
            step = cls(figure=one.id, target=other.id)
            if one.side != other.side and step.is_allowed(game):
                yield cls.prompt(step.title(game), side=one.side, figure=one.id, target=other.id)

    def check(self, game: Night) -> None:
        FigureTurn.check(self, game)
        require(
            _is_lit(game, self.figure, self.target),
            said("the light of {figure} does not reach {target}", figure=self.figure, target=self.target),
        )

    def apply(self, game: Night) -> Night:
        target = game.piece(self.target)
        dimmed = replace(target, harm=target.harm + 1)
        is_out = dimmed.harm >= game.lamps[target.id].oil
        after = game.with_piece(dimmed.gone() if is_out else dimmed)
        if after.standing(target.side):
            return after.after_turn()
        return after.won_by(str(game.active), said("no light is left on the other side"))

    def title(self, game: Night) -> Said:
        return said("{figure} shines on {target}", figure=self.figure, target=self.target)


class Creep(FigureTurn, frozen=True, kw_only=True, tag="creep"):
    """A figure moves one cell."""

    way: Way

    @classmethod
    def prompts(cls, game: Night) -> Iterator[Prompt]:
        for one, way in product(game.standing(game.active), WAYS) if game.ground else ():
            step = cls(figure=one.id, way=way)
            if step.is_allowed(game):
                yield cls.prompt(step.title(game), side=one.side, figure=one.id, way=way)

    def check(self, game: Night) -> None:
        FigureTurn.check(self, game)
        free = _next_cell(board_of(game), game.piece(self.figure), self.way)
        require(free is not None, said("{figure} cannot go there", figure=self.figure))

    def apply(self, game: Night) -> Night:
        piece = game.piece(self.figure)
        cell = _next_cell(board_of(game), piece, self.way)
        return game.with_piece(replace(piece, cells=piece.cells if cell is None else (cell,))).after_turn()

    def title(self, game: Night) -> Said:
        return said("{figure} creeps {way}", figure=self.figure, way=WAY_WORDS[self.way])


class Wait(Turn, frozen=True, kw_only=True, tag="wait"):
    """A side lets its turn pass."""

    @classmethod
    def prompts(cls, game: Night) -> Iterator[Prompt]:
        if game.active is not None:
            yield cls.prompt(said("Wait in the dark"), side=game.active)

    def apply(self, game: Night) -> Night:
        return game.after_turn()

    def title(self, game: Night) -> Said:
        return said("{side} wait in the dark", side=str(game.active))


class Nights(MatchSystem[NightSetup, Night]):
    """Matches of Lanterns."""

    def begin(self, setup: NightSetup, options: Mapping[str, str], seed: str) -> Night:
        pieces = {lamp.id: Piece(id=lamp.id, kind=lamp.kind, side=lamp.side) for lamp in setup.lamps}
        return Night(options=dict(options), pieces=pieces, lamps={lamp.id: lamp for lamp in setup.lamps})

    def view(self, state: Night, audience: Audience) -> Mapping[str, object]:
        figures = [
            {
                "id": piece.id,
                "kind": piece.kind,
                "side": piece.side,
                "on_table": piece.on_table,
                "health": state.lamps[piece.id].oil,
                "wounds": piece.harm if piece.on_table else state.lamps[piece.id].oil,
                "marks": list(piece.marks),
            }
            for piece in state.pieces.values()
        ]
        return {"figures": figures}

    def tracker(self, state: Night) -> TrackerView:
        order = state.standing()
        entries = tuple(
            TrackerEntry(one.id, state.sides.index(one.side), state.oil_left(one.id), state.lamps[one.id].oil)
            for one in order
        )
        active = next((place for place, one in enumerate(order) if one.side == state.active), None)
        return TrackerView(order=entries, active=active, round=state.round)


def _is_lit(night: Night, figure: str, target: str) -> bool:
    if not (night.piece(figure).cells and night.piece(target).cells):
        return False
    ruling = rule_sight(night, figure, target)
    return ruling.line_of_sight and ruling.range is not None and ruling.range <= night.lamps[figure].reach


def _next_cell(board: Board, piece: Piece, way: Way) -> Cell | None:
    """Return the cell beside a figure, if it exists, is free, and nothing separates the two."""
    if len(piece.cells) != 1:
        return None
    (column, row), (across, down) = piece.cells[0], WAYS[way]
    cell = column + across, row + down
    edge = edge_between((column, row), cell)
    is_parted = board.edges.get(edge) == "wall" or edge in board.closed_door_at
    is_taken = cell not in board.cells or cell in board.blocking or cell in board.figure_at
    return None if is_parted or is_taken else cell


SYSTEM = Nights()
