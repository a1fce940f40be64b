"""Marines' turns: actions, orders, the order of turns (rules B4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec.structs import replace

from assistant.games.doom2004.match.attack_rules import can_hit_from_here
from assistant.games.doom2004.match.moments import ask_after_token, ask_before_turn, ask_guards
from assistant.games.doom2004.match.passing import put_back, require_empty_space
from assistant.games.doom2004.match.setup import ORDER_TOKENS
from assistant.games.doom2004.match.state import (
    GUARD,
    HEAL,
    ORDERS,
    Match2004,
    Order,
    Turn2004,
    apply_wounds,
    require_no_attack,
)
from assistant.games.doom2004.rules.areas import count_obstacle_wounds
from assistant.match.asks import Ask, Asks, Draft, Pick, ask_thing
from assistant.match.game import INVADER, MARINES, Cells, Moment, Name, Piece, Prompt, Step, require, word_unused
from assistant.match.ground import require_on_board
from assistant.match.ways import free_places
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, counted, listed, message, said, said_in


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
"""Movement and attacks of a marine's four actions (rules B4, seed 002)."""

ACTION_WORDS: Mapping[Action, Said] = {
    "sprint": said_in("action", "sprint"),
    "unload": said_in("action", "unload"),
    "advance": said_in("action", "advance"),
    "ready": said_in("action", "ready"),
}
"""The actions in words."""


TURN_RULE = Rule(
    "doom2004/turn-order",
    message("Rules, “How to play”"),
    message("Marines take their turns in order, then the invader; then the round ends."),
)
ACTION_RULE = Rule(
    "doom2004/marine-action",
    message("Rules, “The marine turn”"),
    message("A marine first declares sprint, unload, advance or ready and does only that."),
)
ORDER_RULE = Rule(
    "doom2004/orders",
    message("Rules, “Ready”"),
    message("A marine who readies places one order beside himself."),
)


class TurnStep(Step[Match2004], frozen=True, kw_only=True):
    """A step of the marine in his turn."""

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_after_token(game)

    def side(self, game: Match2004) -> str | None:
        return MARINES

    def check(self, game: Match2004) -> None:
        require(game.phase == "marine" and game.interrupted is None, said("it is not a marine's turn"))
        require_no_attack(game)


class BeginFirstRound(Step[Match2004], frozen=True, kw_only=True, tag="begin"):
    """Begin the first round with the marine to the invader's left."""

    rule = TURN_RULE

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "setup":
            yield cls.prompt(said("Begin the match"))

    def check(self, game: Match2004) -> None:
        require(game.phase == "setup", said("the match has begun already"))

    def apply(self, game: Match2004) -> Match2004:
        return begin_round(game)

    def title(self, game: Match2004) -> Said:
        return said("The match begins")


class DeclareAction(TurnStep, frozen=True, kw_only=True, tag="action"):
    """Declare one of the four actions. The marine does nothing before that."""

    rule = ACTION_RULE
    action: Action

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_before_turn(game)

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        turn = game.turn
        if game.moment == "turn" and turn is not None and turn.action is None and game.acting().on_table:
            for action, words in ACTION_WORDS.items():
                text = said("{figure}: {action}", figure=turn.figure, action=words)
                note = _word_action(action)
                if _is_in_vain(game, action):
                    note = said("{deeds}; no enemy in sight and in range from here", deeds=note)
                yield cls.prompt(text, side=MARINES, note=note, action=action)

    def check(self, game: Match2004) -> None:
        super().check(game)
        require(game.the_turn().action is None, said("this turn's action is already declared"))
        require(
            game.acting().on_table, said("{figure} was fragged; put the figure back first", figure=game.acting().id)
        )

    def apply(self, game: Match2004) -> Match2004:
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

    def title(self, game: Match2004) -> Said:
        return said("{figure}: {action}", figure=game.acting().id, action=ACTION_WORDS[self.action])


def _is_in_vain(game: Match2004, action: Action) -> bool:
    """Return whether an action allows only attacks, none of which can hit from the marine's place."""
    allowed = ACTIONS[action]
    return not allowed.movement and not can_hit_from_here(game, game.acting())


def _word_action(action: str) -> Said:
    """Return what an action allows, in words."""
    allowed = ACTIONS[action]
    moves = counted("{n} point of movement", "{n} points of movement", allowed.movement)
    attacks = counted("{n} attack", "{n} attacks", allowed.attacks)
    parts = [*([moves] if allowed.movement else ()), *([attacks] if allowed.attacks else ())]
    deeds = said("{moves} or {attacks}", moves=moves, attacks=attacks) if allowed.one_of_both else listed(parts)
    return said("{deeds}, and an order", deeds=deeds) if allowed.has_order else deeds


class PlaceOrder(TurnStep, frozen=True, kw_only=True, tag="order"):
    """Place one order beside a marine who readies, at any moment of his turn."""

    rule = ORDER_RULE
    order: Annotated[Order, Asks(_which_order)]

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        piece = game.free_to_act()
        if piece is not None and game.the_turn().order_left:
            yield cls.prompt(said("Place an order"), side=piece.side)

    def check(self, game: Match2004) -> None:
        super().check(game)
        require(game.acting().on_table, said("{figure} is not on the board", figure=game.acting().id))
        require(game.the_turn().order_left, said("only a marine who readies places an order, and only one in his turn"))
        medic = game.marine_setup(game.acting().id).medic
        require(self.order != HEAL or medic, said("only a medic places the order to heal"))
        placed = sum(order in piece.marks for piece in game.standing(MARINES) for order in ORDERS)
        require(
            placed < ORDER_TOKENS,
            counted("all {n} order token is in use", "all {n} order tokens are in use", ORDER_TOKENS),
        )

    def apply(self, game: Match2004) -> Match2004:
        after = replace(game, turn=replace(game.the_turn(), order_left=False, placed=self.order, took=False))
        return after.with_piece(game.acting().marked(self.order))

    def title(self, game: Match2004) -> Said:
        return said("{figure}: order to {order}", figure=game.acting().id, order=ORDERS[self.order])


class UseOrder(Step[Match2004], frozen=True, kw_only=True, tag="use_order"):
    """Remove an order by hand: the medic heals with it, or a card says so."""

    rule = ORDER_RULE
    label = said("Use an order")
    figure: Name
    order: Annotated[Order, Asks(_which_order)]

    def rests_on_people(self, game: Match2004) -> bool:
        return True

    def side(self, game: Match2004) -> str | None:
        return MARINES

    def check(self, game: Match2004) -> None:
        require(
            self.order in game.piece(self.figure).marks,
            said("{figure} has no order to {order}", figure=self.figure, order=ORDERS[self.order]),
        )

    def apply(self, game: Match2004) -> Match2004:
        return game.with_piece(game.piece(self.figure).unmarked(self.order))

    def title(self, game: Match2004) -> Said:
        return said("{figure} uses the order to {order}", figure=self.figure, order=ORDERS[self.order])


class EndTurn(Step[Match2004], frozen=True, kw_only=True, tag="end"):
    """End a marine's turn or an invader's activation; between two activations, end the invader's turn."""

    rule = TURN_RULE

    @classmethod
    def moments(cls, game: Match2004) -> Iterator[Moment]:
        return ask_guards(game) if game.moment == "between" else ask_after_token(game)

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "between":
            left = sum(piece.id not in game.acted for piece in game.standing(INVADER))
            note = counted("{n} invader has not acted", "{n} invaders have not acted", left) if left else None
            yield cls.prompt(said("End the round"), side=INVADER, urgency=-2, note=note)
        elif game.moment == "turn" and (game.the_turn().action is not None or _finds_no_room(game)):
            piece = game.acting()
            # A figure off the board can do nothing else.
            urgency = -2 if piece.on_table else 0
            done = said("{figure} is done", figure=piece.id)
            yield cls.prompt(done, side=piece.side, urgency=urgency, note=_word_lost(game, piece))

    @classmethod
    def word_nothing(cls, game: Match2004) -> Said | None:
        shared = () if game.turn is None else game.list_shared(game.turn.figure)
        if not shared or game.turn is None:
            return None
        ends = {"figure": game.turn.figure, "other": shared[0]}
        return said("{figure} cannot end the turn here: {other} stands on this space. Move on.", **ends)

    def side(self, game: Match2004) -> str | None:
        return game.side_to_act()

    def check(self, game: Match2004) -> None:
        by_card = game.turn is not None and game.turn.by_card
        require(by_card or game.phase in ("marine", "activate"), said("draw cards and spawn first, or begin the match"))
        require_no_attack(game)
        undeclared = game.phase == "marine" and game.the_turn().action is None
        require(not undeclared or _finds_no_room(game), said("declare the action of this turn first"))
        if game.turn is not None:
            require_empty_space(game, game.turn)

    def apply(self, game: Match2004) -> Match2004:
        if game.turn is not None:
            game = put_back(game, game.turn)
        if game.turn is None:
            return begin_round(_remove_guards(game) if game.rules.options["guard_expiry"] == "invader_turn" else game)
        turn, game = game.turn, replace(_apply_staying_wounds(game, game.turn), through=None)
        if turn.by_card or game.interrupted is not None:
            return replace(game, turn=game.interrupted, interrupted=None)
        game = replace(game, card_activations=0, card_acted=())
        acted = (*game.acted, turn.figure)
        if game.phase == "activate":
            return replace(game, turn=None, acted=acted)
        ids = [marine.id for marine in game.setup.marines]
        later = ids[ids.index(turn.figure) + 1 :]
        game = replace(game, acted=acted)
        return _begin_marine_turn(game, later[0]) if later else replace(game, phase="draw", turn=None, spawned=False)

    def title(self, game: Match2004) -> Said:
        if game.turn is None:
            return said("The round is over")
        return said("{figure} is done", figure=game.turn.figure)


def _word_lost(game: Match2004, piece: Piece) -> Said | None:
    """Return what a figure gives up by ending its turn."""
    turn = game.the_turn()
    if not piece.on_table:
        return None
    here = [item.id for item in game.items if piece.side == MARINES and item.cell in piece.cells]
    return word_unused(turn.movement, turn.attacks, here)


def _where_back(draft: Draft[Match2004]) -> Ask | None:
    """Ask for the free space of a returning marine, or None on a table that nobody has drawn."""
    game = draft.game
    if not game.ground:
        return None
    places = free_places(game, game.acting().id)
    picks = tuple(Pick(value=[list(cell) for cell in cells], cells=cells) for cells in places)
    return Ask(field="cells", kind="spaces", text=said("Where to?"), picks=picks)


class RespawnMarine(TurnStep, frozen=True, kw_only=True, tag="respawn"):
    """Put a fragged marine back at the start of his turn, unhurt. The scenario says where (B5)."""

    rule = TURN_RULE
    cells: Annotated[Cells, Asks(_where_back)] = ()
    """His space, or empty on a table that nobody has drawn."""

    def rests_on_people(self, game: Match2004) -> bool:
        return True

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "turn" and game.the_turn().action is None and not game.acting().on_table:
            yield cls.prompt(said("Put {figure} back on the board", figure=game.acting().id), side=MARINES)

    def check(self, game: Match2004) -> None:
        super().check(game)
        require(not game.acting().on_table, said("{figure} is on the board already", figure=game.acting().id))
        require(
            game.the_turn().action is None,
            said("put {figure} back at the start of his turn", figure=game.acting().id),
        )
        require_on_board(game, self.cells)
        is_undrawn = not game.ground and not self.cells
        require(is_undrawn or len(self.cells) == 1, said("a marine stands on one space; choose one"))
        require(game.has_room({game.acting().id: self.cells}), said("choose empty cells"))

    def apply(self, game: Match2004) -> Match2004:
        return game.with_piece(replace(game.acting(), cells=tuple(sorted(self.cells)), on_table=True))

    def title(self, game: Match2004) -> Said:
        return said("{figure} is back", figure=game.acting().id)


def _finds_no_room(game: Match2004) -> bool:
    """Return whether a fragged marine finds no space to come back on, so that he loses his turn."""
    piece = game.acting()
    return not piece.on_table and bool(game.ground) and next(free_places(game, piece.id), None) is None


def _which_order(draft: Draft[Match2004]) -> Ask:
    return ask_thing("order", said("Which order?"), ORDERS.items())


def begin_round(game: Match2004) -> Match2004:
    """Return the game at the beginning of a round: the first marine's turn."""
    return _begin_marine_turn(replace(game, round=game.round + 1, acted=()), game.setup.marines[0].id)


def _begin_marine_turn(game: Match2004, marine_id: str) -> Match2004:
    # An unused order to guard ends when the marine's next turn begins (B8 guard_expiry).
    game = game.with_piece(game.piece(marine_id).unmarked(GUARD))
    return replace(game, phase="marine", turn=Turn2004(figure=marine_id), card_activations=0, card_acted=())


def _apply_staying_wounds(game: Match2004, turn: Turn2004) -> Match2004:
    # A figure that spends its whole turn on a damaging obstacle takes one more wound at the end (B3).
    piece = game.piece(turn.figure)
    stays = piece.on_table and not turn.has_moved
    wounds = count_obstacle_wounds((piece.cells,), game.damaging, stayed=stays)
    return apply_wounds(game, piece, wounds) if wounds else game


def _remove_guards(game: Match2004) -> Match2004:
    return game.with_piece(*(piece.unmarked(GUARD) for piece in game.standing(MARINES)))
