"""Movement and doors (rules A4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.entering import find_way, kill_by_glory, list_killed, list_turned_over, turn_over
from assistant.games.doom2016.match.places import require_displaced
from assistant.games.doom2016.match.state import Match2016, require_free_hands
from assistant.games.doom2016.match.trigger_rules import fire
from assistant.match.chance import Chance
from assistant.match.game import (
    INVADER,
    MARINES,
    Cells,
    Count,
    Name,
    SaltedStep,
    Step,
    require,
    unknown_figure,
)
from assistant.match.ground import require_on_board
from assistant.match.rulings import explain_unreached, find_move_cost, stands_at_door
from assistant.translations.messages import Said, counted, named, said

OPEN_DOOR_POINTS = 1


class MoveAndDisplace(SaltedStep[Match2016], frozen=True, kw_only=True, tag="move"):
    """The acting figure moves to these cells.

    On a table that the camera has shown the program fills in the ``cost``; without one it is typed in.
    ``displaced`` says where small figures go on which a large one ends its move (A4). ``via`` names cells that a
    marine enters on his way, in their order: a staggered demon there dies at once. The program fills in who dies
    (``kills``) and which teleporters turn over under a marine (``turned``).
    """

    figure: Name
    cells: Cells
    cost: Count = 0
    displaced: Mapping[str, Cells] = {}
    via: Cells = ()
    kills: tuple[Name, ...] = ()
    turned: tuple[Name, ...] = ()

    def has_revealed(self) -> bool:
        """Whether a glory kill card was revealed on the way."""
        return bool(self.kills)

    def side(self, game: Match2016) -> str | None:
        """Whose figure it is."""
        return game.piece(self.figure).side

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with the cost that the rules count on this table, and what entering its cells brings about."""
        turn, piece = game.turn, game.piece(self.figure)
        step = replace(self, kills=(), turned=self._turned(game), salt="")
        if turn is None or turn.figure != self.figure:
            return step
        if piece.side == MARINES and len(self.cells) == 1:
            step = step._with_way(game, turn.movement)
        elif game.ground and piece.cells:
            step = replace(step, cost=find_move_cost(game.rules, game, self.figure, self.cells, turn.movement))
        return replace(step, salt=chance.salt()) if step.kills else step

    def check(self, game: Match2016) -> None:
        """It must be its activation, with movement left and free cells to end on."""
        require(game.acting().id == self.figure, said("it is the activation of {figure}", figure=game.acting().id))
        require(game.acting().on_table, said("{figure} is not on the board", figure=self.figure))
        require_free_hands(game)
        require(bool(self.cells), said("say which cells the figure ends on"))
        require(not self.via or game.acting().side == MARINES, said("only a marine says which cells he enters"))
        left = game.the_turn().movement
        require(
            self.cost <= left,
            counted(
                "this move costs {cost} and {n} point is left",
                "this move costs {cost} and {n} points are left",
                left,
                cost=self.cost,
            ),
        )
        for name in self.displaced:
            if name not in game.pieces or not game.piece(name).on_table:
                raise unknown_figure(name)
        require_on_board(game, tuple(cell for cells in self.displaced.values() for cell in cells))
        require_displaced(game, self.figure, self.cells, self.displaced)
        dead: dict[str, Cells] = dict.fromkeys(self.kills, ())
        taken = game.places_after({**self.displaced, **dead, self.figure: self.cells})
        require(len(set(taken)) == len(taken), said("a move ends on cells that nobody stands on"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the figures moved, the points spent, and whoever was entered dead."""
        for demon in self.kills:
            game = kill_by_glory(game, self.figure, demon, self.chance)
        turn = game.the_turn()
        moved = {**self.displaced, self.figure: self.cells}
        pieces = (replace(game.piece(name), cells=tuple(sorted(cells))) for name, cells in moved.items())
        game = replace(game.with_piece(*pieces), turn=replace(turn, movement=turn.movement - self.cost))
        game = turn_over(game, self.turned)
        entered = tuple(cell for name, cells in moved.items() if game.piece(name).side == MARINES for cell in cells)
        return fire(game, "area_entered", cells=(*self.via, *entered))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        if self.kills:
            return said("{figure} moves; glory kill: {demons}", figure=self.figure, demons=named(self.kills))
        return said("{figure} moves", figure=self.figure)

    def _with_way(self, game: Match2016, points: int) -> Self:
        """The step with a marine's cheapest way by the cells that he names, and the demons that die on it."""
        stops = (*self.via, *self.cells)
        if not (game.ground and game.piece(self.figure).cells):
            return replace(self, kills=list_killed(game, stops))
        require_on_board(game, stops)
        way = find_way(game, self.figure, stops, points)
        if way is None:
            raise IllegalStep(explain_unreached(self.figure, points))
        return replace(self, cost=way.cost, kills=way.kills)

    def _turned(self, game: Match2016) -> tuple[str, ...]:
        marines = {name for name in (self.figure, *self.displaced) if name in game.pieces}
        moved = {**self.displaced, self.figure: self.cells}
        cells = (cell for name in marines if game.piece(name).side == MARINES for cell in moved[name])
        return list_turned_over(game, tuple(cells))


class OpenDoor(Step[Match2016], frozen=True, kw_only=True, tag="open_door"):
    """The acting figure opens a door beside it for one point; doors never close again (A4)."""

    door: Name

    def side(self, game: Match2016) -> str | None:
        """Whose activation it is."""
        return None if game.turn is None else game.turn.side

    def check(self, game: Match2016) -> None:
        """The figure must stand beside the closed door; in the tutorial no demon opens one beside portals."""
        piece = game.acting()
        require(piece.on_table, said("{figure} is not on the board", figure=piece.id))
        require_free_hands(game)
        require(self.door not in game.doors_open, said("{door} is open already", door=self.door))
        require(game.the_turn().movement >= OPEN_DOOR_POINTS, said("no movement is left"))
        if game.setup.goals.tutorial and piece.side == INVADER:
            require(not game.portals, said("in the tutorial no demon opens a door while a portal is on the board"))
        if game.ground:
            require(
                stands_at_door(game.rules, game, piece, self.door),
                said("{figure} does not stand beside {door}", figure=piece.id, door=self.door),
            )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the door open; the tutorial's first one that a marine opens brings the demons."""
        turn, piece = game.the_turn(), game.acting()
        first = game.setup.goals.tutorial and piece.side == MARINES and not game.doors_open
        game = replace(
            game,
            doors_open=(*game.doors_open, self.door),
            turn=replace(turn, movement=turn.movement - OPEN_DOOR_POINTS),
            summons_due=tuple(portal.id for portal in game.portals) if first else game.summons_due,
        )
        return fire(game, "door_opened", door=self.door) if piece.side == MARINES else game

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} opens {door}", figure=game.acting().id, door=self.door)
