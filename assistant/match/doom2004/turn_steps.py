"""Marines' turns and what any acting figure does on the board (rules B3, B4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from assistant.match.chance import Chance
from assistant.match.doom2004.obstacles import wounds_of_move
from assistant.match.doom2004.setup import Item
from assistant.match.doom2004.state import AIM, GUARD, HEAL, Doom2004, Order, Turn, require_no_attack, wounded
from assistant.match.game import MARINES, Cells, Count, Name, Piece, Step, require
from assistant.match.ground import door_of, require_on_board
from assistant.match.rulings import cost_of_move, rules_of, stands_beside
from assistant.rules.areas2004 import obstacle_wounds

DOOR_POINTS = 2


class _Allowance(NamedTuple):
    movement: int
    attacks: int
    has_order: bool = False
    one_of_both: bool = False


Action = Literal["sprint", "unload", "advance", "ready"]

ACTIONS: Mapping[str, _Allowance] = {
    "sprint": _Allowance(8, 0),
    "unload": _Allowance(0, 2),
    "advance": _Allowance(4, 1),
    "ready": _Allowance(4, 1, has_order=True, one_of_both=True),
}
"""What each of a marine's four actions allows; rules B4, seed 002."""


class MarineStep(Step[Doom2004], frozen=True, kw_only=True):
    """A step of the marine whose turn it is."""

    def side(self, game: Doom2004) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Doom2004) -> None:
        """It must be a marine's turn, and no attack open."""
        require(game.phase == "marine" and game.interrupted is None, "it is not a marine's turn")
        require_no_attack(game)


class ActingStep(Step[Doom2004], frozen=True, kw_only=True):
    """A step of whichever figure is acting, after its action was declared."""

    def side(self, game: Doom2004) -> str | None:
        """Whoever's figure it is."""
        return None if game.turn is None else game.piece(game.turn.figure).side

    def check(self, game: Doom2004) -> None:
        """An action must be declared, the figure on the board, and no attack open."""
        require(game.the_turn().action is not None, "declare the action first: sprint, unload, advance or ready")
        require(game.acting().on_table, f"{game.acting().id} is not on the board")
        require_no_attack(game)


class Begin(Step[Doom2004], frozen=True, kw_only=True, tag="begin"):
    """The first round begins with the marine to the invader's left."""

    def check(self, game: Doom2004) -> None:
        """The match must not have begun."""
        require(game.phase == "setup", "the match has begun already")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the first marine to declare his action."""
        return next_round(game)

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return "The match begins"


class Declare(MarineStep, frozen=True, kw_only=True, tag="action"):
    """The marine says which of the four actions his turn is; before that he does nothing."""

    action: Action

    def check(self, game: Doom2004) -> None:
        """It must be undeclared, and the marine on the board."""
        super().check(game)
        require(game.the_turn().action is None, "the action of this turn was declared already")
        require(game.acting().on_table, f"{game.acting().id} was fragged; put the figure back first")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the action's movement and attacks."""
        allowed = ACTIONS[self.action]
        turn = replace(
            game.the_turn(),
            action=self.action,
            movement=allowed.movement,
            attacks=allowed.attacks,
            order_left=allowed.has_order,
            one_of_both=allowed.one_of_both,
        )
        return replace(game, turn=turn)

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{game.acting().id}: {self.action}"


class PlaceOrder(MarineStep, frozen=True, kw_only=True, tag="order"):
    """A marine who readies places one order beside himself, at any moment of his turn."""

    order: Order

    def check(self, game: Doom2004) -> None:
        """Only one, only with Ready, and healing only by a medic."""
        super().check(game)
        require(game.the_turn().order_left, "only a marine who readies places an order, and only one")
        medic = game.marine_setup(game.acting().id).medic
        require(self.order != HEAL or medic, "only a medic places the order to heal")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the token beside the marine."""
        after = replace(game, turn=replace(game.the_turn(), order_left=False))
        return after.with_piece(game.acting().marked(self.order))

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{game.acting().id}: order to {self.order}"


class UseOrder(Step[Doom2004], frozen=True, kw_only=True, tag="use_order"):
    """An order taken away by hand: the medic heals with it, or a card's text says so."""

    figure: Name
    order: Order

    def side(self, game: Doom2004) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Doom2004) -> None:
        """The order must lie beside the marine."""
        require(self.order in game.piece(self.figure).marks, f"{self.figure} has no order to {self.order}")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game without the token."""
        return game.with_piece(game.piece(self.figure).unmarked(self.order))

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{self.figure} uses the order to {self.order}"


class Move(ActingStep, frozen=True, kw_only=True, tag="move"):
    """The acting figure moves to these cells; the program fills in the ``cost`` where it knows the table.

    ``wounds`` come from damaging obstacles on the shortest way that meets the fewest of them; who takes a
    longer way round one moves in parts. The program fills them in.
    """

    figure: Name
    cells: Cells
    cost: Count = 0
    wounds: Count = 0

    def settle(self, game: Doom2004, chance: Chance) -> Self:
        """The step with the cost and the wounds that the rules count on this table."""
        turn, where_it_is = game.turn, game.piece(self.figure).cells
        if not (game.ground and where_it_is):
            damaging = frozenset(game.setup.damaging)
            return replace(self, wounds=obstacle_wounds((where_it_is, self.cells), damaging) if where_it_is else 0)
        if turn is None or turn.action is None or turn.figure != self.figure:
            return self
        cost = cost_of_move(game, self.figure, self.cells, turn.movement)
        return replace(self, cost=cost, wounds=wounds_of_move(game, self.figure, self.cells, cost))

    def check(self, game: Doom2004) -> None:
        """It must be its turn, with movement left and empty cells to end on."""
        super().check(game)
        require(game.acting().id == self.figure, f"it is the turn of {game.acting().id}")
        require(bool(self.cells), "say which cells the figure ends on")
        left = game.the_turn().movement
        require(self.cost <= left, f"this move costs {self.cost} and {left} points are left")
        taken = game.places_after({self.figure: self.cells})
        require(len(set(taken)) == len(taken), "a move ends on cells that nobody stands on")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the figure moved and hurt by what it entered; aiming is lost, with Ready the attack (B4)."""
        after = replace(game, turn=replace(moved(game.the_turn(), self.cost), has_moved=True), through=None)
        piece = replace(game.acting(), cells=tuple(sorted(self.cells))).unmarked(AIM)
        return wounded(after, piece, self.wounds)

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{self.figure} moves" + (f", {self.wounds} wounds by obstacles" if self.wounds else "")


class SetDoor(ActingStep, frozen=True, kw_only=True, tag="door"):
    """The acting figure opens or closes a door beside it for two points; security doors need their key."""

    door: Name
    open: bool

    def check(self, game: Doom2004) -> None:
        """The figure must be beside it, with the points and the key; invaders leave security doors alone."""
        super().check(game)
        piece = game.acting()
        require(
            (self.door in game.doors_open) != self.open, f"{self.door} is {'open' if self.open else 'closed'} already"
        )
        require(game.the_turn().movement >= DOOR_POINTS, f"a door costs {DOOR_POINTS} points of movement")
        key = game.setup.locks.get(self.door)
        if key is not None:
            require(piece.side == MARINES, "invaders neither open nor close security doors")
            require(key in game.keys, f"{self.door} is locked; a marine has to pick up “{key}” first")
        if game.ground:
            require(stands_beside(piece, door_of(game, self.door)), f"{piece.id} does not stand beside {self.door}")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the door as wanted."""
        doors = tuple(door for door in game.doors_open if door != self.door)
        after = replace(game, doors_open=(*doors, self.door) if self.open else doors)
        return replace(after, turn=moved(game.the_turn(), DOOR_POINTS))

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{game.acting().id} {'opens' if self.open else 'closes'} {self.door}"


class Take(ActingStep, frozen=True, kw_only=True, tag="take"):
    """A marine picks up the token in his space; what that costs is typed in (it is not in the sources, B3)."""

    item: Name
    cost: Count = 0

    def check(self, game: Doom2004) -> None:
        """He must stand on it and have the points."""
        super().check(game)
        marine = game.acting()
        require(marine.side == MARINES, "only marines pick up tokens")
        require(_item(game, self.item).cell in marine.cells, f"{marine.id} does not stand on {self.item}")
        require(self.cost <= game.the_turn().movement, "there is not so much movement left")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the token in the marine's hands."""
        item, marine = _item(game, self.item), game.acting()
        game = replace(game, items=tuple(other for other in game.items if other.id != item.id))
        game = replace(game, turn=moved(game.the_turn(), self.cost)) if self.cost else game
        return _given(game, marine, item)

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{game.acting().id} takes {self.item}"


class EndTurn(Step[Doom2004], frozen=True, kw_only=True, tag="end"):
    """A marine's turn is over, an invader's activation, or (between two of them) the invader's turn."""

    def side(self, game: Doom2004) -> str | None:
        """Whose turn it is."""
        return game.side_to_act()

    def check(self, game: Doom2004) -> None:
        """Nothing may be open."""
        require(game.phase in ("marine", "activate"), "draw cards and spawn first, or begin the match")
        require_no_attack(game)
        require(game.phase != "marine" or game.the_turn().action is not None, "declare the action of this turn first")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the next figure to act."""
        if game.turn is None:
            return next_round(
                _without_guards(game) if rules_of(game).options["guard_expiry"] == "invader_turn" else game
            )
        turn, game = game.turn, replace(_hurt_by_staying(game, game.turn), through=None)
        if game.interrupted is not None:
            return replace(game, turn=game.interrupted, interrupted=None)
        acted = (*game.acted, turn.figure)
        if game.phase == "activate":
            return replace(game, turn=None, acted=acted)
        ids = [marine.id for marine in game.setup.marines]
        later = ids[ids.index(turn.figure) + 1 :]
        game = replace(game, acted=acted)
        return _marine_turn(game, later[0]) if later else replace(game, phase="draw", turn=None, spawned=False)

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return "The round is over" if game.turn is None else f"{game.turn.figure} is done"


class Respawn(MarineStep, frozen=True, kw_only=True, tag="respawn"):
    """A fragged marine is put back at the start of his turn, unhurt; where is in the scenario (B5)."""

    cells: Cells

    def check(self, game: Doom2004) -> None:
        """He must be off the board, and the cells empty."""
        super().check(game)
        require(not game.acting().on_table, f"{game.acting().id} is on the board already")
        require_on_board(game, self.cells)
        taken = game.places_after({game.acting().id: self.cells})
        require(len(set(taken)) == len(taken), "choose cells that nobody stands on")

    def apply(self, game: Doom2004) -> Doom2004:
        """The game with the marine back."""
        return game.with_piece(replace(game.acting(), cells=tuple(sorted(self.cells)), on_table=True))

    def title(self, game: Doom2004) -> str:
        """What it does."""
        return f"{game.acting().id} is back"


def next_round(game: Doom2004) -> Doom2004:
    """The game at the beginning of a round: the first marine's turn."""
    return _marine_turn(replace(game, round=game.round + 1, acted=()), game.setup.marines[0].id)


def moved(turn: Turn, cost: int) -> Turn:
    """The turn after a move; with Ready it was a move instead of an attack."""
    attacks = 0 if turn.one_of_both else turn.attacks
    return replace(turn, movement=turn.movement - cost, attacks=attacks)


def _marine_turn(game: Doom2004, marine_id: str) -> Doom2004:
    # An order to guard that was not used falls away when the marine's next turn begins (B8 guard_expiry).
    game = game.with_piece(game.piece(marine_id).unmarked(GUARD))
    return replace(game, phase="marine", turn=Turn(figure=marine_id))


def _hurt_by_staying(game: Doom2004, turn: Turn) -> Doom2004:
    # Who spends the whole turn on a damaging obstacle takes one wound more at its end (B3).
    piece = game.piece(turn.figure)
    stays = piece.on_table and not turn.has_moved
    wounds = obstacle_wounds((piece.cells,), frozenset(game.setup.damaging), stayed=stays)
    return wounded(game, piece, wounds) if wounds else game


def _without_guards(game: Doom2004) -> Doom2004:
    return game.with_piece(*(piece.unmarked(GUARD) for piece in game.standing(MARINES)))


def _item(game: Doom2004, item_id: str) -> Item:
    found = [item for item in game.items if item.id == item_id]
    require(bool(found), f"there is no token “{item_id}” on the board; choose one that is")
    return found[0]


def _given(game: Doom2004, marine: Piece, item: Item) -> Doom2004:
    carried = game.equipment[marine.id]
    if item.kind == "key":
        return replace(game, keys=(*game.keys, item.what))
    if item.kind == "weapon":
        return game.with_equipment(marine.id, replace(carried, weapons=(*carried.weapons, item.what)))
    if item.kind == "ammo":
        ammo = {**carried.ammo, item.what: carried.ammo.get(item.what, 0) + item.count}
        return game.with_equipment(marine.id, replace(carried, ammo=ammo))
    if item.kind == "armor":
        return game.with_equipment(marine.id, replace(carried, armor=carried.armor + item.count))
    return game.with_piece(replace(marine, harm=max(0, marine.harm - item.count)))


STEPS: tuple[type[Struct], ...] = (Begin, Declare, PlaceOrder, UseOrder, Move, SetDoor, Take, EndTurn, Respawn)
