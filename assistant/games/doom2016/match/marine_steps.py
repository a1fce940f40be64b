"""What a marine does in his activation besides moving and attacking (rules A4 to A6)."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from assistant.games.doom2016.match.effect_rules import EffectStep, Use, begin_effects, check_effects
from assistant.games.doom2016.match.effects import AttackProfile
from assistant.games.doom2016.match.entering import kill_by_glory, list_turned_over, turn_over
from assistant.games.doom2016.match.places import are_neighbours
from assistant.games.doom2016.match.setup import PickupToken
from assistant.games.doom2016.match.state import CLASS_EXHAUSTED, Match2016, heal, require_free_hands
from assistant.games.doom2016.match.trigger_rules import fire
from assistant.match.chance import Chance
from assistant.match.game import INVADER, MARINES, Cells, Count, Name, SaltedStep, Step, require, require_value
from assistant.match.ground import find_difficult_cells
from assistant.translations.messages import Said, said

SPRINT_POINTS = 6
HEALTH_PACK_POINTS = 5


class ActivationStep(Step[Match2016], frozen=True, kw_only=True):
    """A step of the marine whose activation it is."""

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """It must be a marine's activation, his figure on the board, and nothing open."""
        require_activation(game)


class PlayCard(EffectStep, frozen=True, kw_only=True, tag="play"):
    """The marine plays an action card: movement, then the attack that it gives, then whatever else it does.

    Movement and attack come from the mission's cards; for a card that it does not describe they are
    typed in as printed.
    """

    card: Name
    movement: Count = 0
    attack: AttackProfile | None = None
    is_main: bool = False

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with whom the card's area reaches."""
        if game.turn is None or game.turn.figure is None:
            return self
        return self.settled(game, chance, game.turn.figure, game.card(self.card).effects)

    def check(self, game: Match2016) -> None:
        """The card must be in the hand, and one main action is all there is."""
        require_activation(game)
        marine = game.acting()
        known = game.setup.cards.get(self.card)
        require(
            known is None or known.kind != "reaction",
            said("“{card}” is a reaction; play it when its text says", card=self.card),
        )
        require(not self._is_main(game) or has_main_left(game), said("the main action of this activation is used up"))
        check_effects(game, marine.id, game.card(self.card).effects)
        if marine.id in game.decks:
            game.deck(marine.id).taken(self.card)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the card in play."""
        turn, marine = game.the_turn(), game.acting()
        known = game.setup.cards.get(self.card)
        movement, attack = (self.movement, self.attack) if known is None else (known.movement, known.attack)
        if marine.id in game.decks:
            game = game.with_deck(marine.id, game.deck(marine.id).taken(self.card))
        after = replace(
            turn,
            movement=turn.movement + movement,
            attacks=turn.attacks if attack is None else (*turn.attacks, attack),
            mains_used=turn.mains_used + self._is_main(game),
            in_play=(*turn.in_play, self.card) if marine.id in game.decks else turn.in_play,
        )
        card = game.card(self.card)
        use = Use(marine.id, card.name, self.hit, self.chance)
        return begin_effects(replace(game, turn=after), use, card.effects)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} plays {card}", figure=game.acting().id, card=game.card(self.card).name)

    def _is_main(self, game: Match2016) -> bool:
        known = game.setup.cards.get(self.card)
        return self.is_main if known is None else known.kind == "main"


class Sprint(ActivationStep, frozen=True, kw_only=True, tag="sprint"):
    """Instead of the main action the marine discards a card and gains six points of movement."""

    card: Name

    def check(self, game: Match2016) -> None:
        """The main action must be left, and the card in the hand."""
        super().check(game)
        require(has_main_left(game), said("the main action of this activation is used up"))
        marine = game.acting()
        if marine.id in game.decks:
            game.deck(marine.id).without(self.card)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the points gained."""
        turn, marine = game.the_turn(), game.acting()
        if marine.id in game.decks:
            game = game.with_deck(marine.id, game.deck(marine.id).without(self.card))
        return replace(game, turn=replace(turn, movement=turn.movement + SPRINT_POINTS, mains_used=turn.mains_used + 1))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} sprints", figure=game.acting().id)


class ExhaustClass(Step[Match2016], frozen=True, kw_only=True, tag="exhaust_class"):
    """A marine turns his class card for its ability; it is ready again when he is next activated."""

    figure: Name

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """He must be on the board, and the card ready."""
        marine = game.piece(self.figure)
        require(
            marine.side == MARINES and marine.on_table, said("{figure} is no marine on the board", figure=self.figure)
        )
        require(
            CLASS_EXHAUSTED not in marine.marks, said("the class card of {figure} is exhausted", figure=self.figure)
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the card turned."""
        return game.with_piece(game.piece(self.figure).marked(CLASS_EXHAUSTED))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} uses the class card", figure=self.figure)


class TakeItem(SaltedStep[Match2016], frozen=True, kw_only=True, tag="take"):
    """A marine takes the token in his cell: a health pack, a weapon with its cards, an objective."""

    item: Name

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """He must stand on it."""
        marine = game.acting(MARINES)
        require_free_hands(game)
        require(
            item_of(game, self.item).cell in marine.cells,
            said("{figure} does not stand on {item}", figure=marine.id, item=self.item),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with what the token gives."""
        item, marine = item_of(game, self.item), game.acting()
        game = replace(game, items=tuple(other for other in game.items if other.id != item.id))
        if item.kind == "health":
            return heal(game, marine, HEALTH_PACK_POINTS)
        if item.kind == "objective":
            return replace(game, objectives=game.objectives + 1)
        if marine.id in game.decks:
            return game.with_deck(marine.id, game.deck(marine.id).on_top(self.chance.shuffled(item.cards)))
        return game

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} takes {item}", figure=game.acting().id, item=self.item)


class GloryKill(SaltedStep[Match2016], frozen=True, kw_only=True, tag="glory_kill"):
    """A marine enters the cell of a staggered demon and kills it; a glory kill card is revealed.

    ``cost`` is what the move into the cell costs (A9 ``glory_cost``), which the program fills in where it knows
    the table; ``cells`` is where he stands afterwards.
    """

    reveals = True
    demon: Name
    cost: Count = 2
    cells: Cells = ()
    turned: tuple[Name, ...] = ()
    """The teleporters that turn over under him."""

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with its salt, its cost and the cell that is entered."""
        step = super().settle(game, chance)
        place = tuple(sorted(self.cells)) or self._nearest(game)
        step = replace(step, turned=list_turned_over(game, place))
        if not game.ground or not place:
            return replace(step, cells=place)
        normal = game.rules.options["glory_cost"] == "normal"
        difficult = any(cell in find_difficult_cells(game) for cell in place)
        return replace(step, cells=place, cost=1 + normal + difficult)

    def side(self, game: Match2016) -> str | None:
        """The marines decide."""
        return MARINES

    def check(self, game: Match2016) -> None:
        """The demon must be staggered and next to him, and the movement must do."""
        marine, demon = game.acting(MARINES), game.piece(self.demon)
        require(marine.on_table, said("{figure} is not on the board", figure=marine.id))
        require_free_hands(game)
        require(demon.side == INVADER and demon.on_table, said("{demon} is no demon on the board", demon=self.demon))
        require(game.is_staggered(demon), said("{demon} is not staggered", demon=self.demon))
        require(self.cost >= 1, said("entering a cell costs at least one point"))
        require(
            game.the_turn().movement >= self.cost,
            said("entering costs {cost}, which is more than what is left", cost=self.cost),
        )
        if not marine.cells or not demon.cells:
            return  # nobody has seen where they stand
        fits = len(self.cells) == 1 and self.cells[0] in demon.cells
        require(fits, said("the marine enters a cell of {demon}; choose one of them", demon=self.demon))
        require(
            are_neighbours(game, marine, self.cells[0]),
            said("{demon} is not next to {figure}", demon=self.demon, figure=marine.id),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the demon gone and the marine in its cell, two points better."""
        turn, marine = game.the_turn(), game.acting()
        game = replace(game, turn=replace(turn, movement=turn.movement - self.cost))
        game = game.with_piece(replace(marine, cells=self.cells))
        game = turn_over(kill_by_glory(game, marine.id, self.demon, self.chance), self.turned)
        return fire(game, "area_entered", cells=self.cells)

    def _nearest(self, game: Match2016) -> Cells:
        """The first of the demon's cells that the marine stands next to; its first cell if there is none."""
        demon = game.piece(self.demon)
        near = (cell for cell in demon.cells if are_neighbours(game, game.acting(), cell))
        return tuple([next(near, demon.cells[0])]) if demon.cells else ()

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("Glory kill: {figure} kills {demon}", figure=game.acting().id, demon=self.demon)


def require_activation(game: Match2016) -> None:
    """Makes sure that it is the activation of a marine on the board, and that nothing is open in it.

    Raises:
        IllegalStep: it is not, or something is.
    """
    marine = game.acting(MARINES)
    require(marine.on_table, said("{figure} was fragged; respawn on an active teleporter first", figure=marine.id))
    require_free_hands(game)


def has_main_left(game: Match2016) -> bool:
    """Whether the marine whose activation it is may still take a main action (one, unless his squad card says more)."""
    return game.the_turn().mains_used < game.marine_setup(game.acting().id).main_actions


def item_of(game: Match2016, item_id: str) -> PickupToken:
    """The token of that name that still lies on the board.

    Raises:
        IllegalStep: there is none.
    """
    found = next((item for item in game.items if item.id == item_id), None)
    return require_value(found, said("there is no item “{item}” on the board; choose one that is", item=item_id))
