"""Status phase, initiative and activations: whose turn it is (rules A6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from msgspec.structs import replace

from assistant.games.doom2016.match.state import (
    CLASS_EXHAUSTED,
    INVASION,
    Activation,
    Match2016,
    require_free_hands,
)
from assistant.games.doom2016.match.trigger_rules import fire
from assistant.match.chance import Chance
from assistant.match.deck import draw_to_hand
from assistant.match.game import INVADER, MARINES, Count, Name, SaltedStep, Step, require
from assistant.translations.messages import Said, counted, named, said

MAX_INVADER_CARDS = 6
"""The box holds six initiative cards of the invader (A0, A6)."""

MAX_ARGENT_CARDS = 3
"""Event cards that may be turned into argent in one status phase (A6)."""


class StatusPhase(SaltedStep[Match2016], frozen=True, kw_only=True, tag="status"):
    """A new round: initiative cards made up, demon cards readied, event cards drawn.

    ``shuffled_here`` is False when the players shuffle the printed initiative cards and type in each
    one as it is revealed.
    """

    reveals = True
    shuffled_here: bool = True

    def side(self, game: Match2016) -> str | None:
        """The invader prepares the round."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """The round before must be over."""
        require(game.phase in ("setup", "round over"), said("the round is not over; play all initiative cards first"))

    def apply(self, game: Match2016) -> Match2016:
        """The game in its status phase."""
        chance = self.chance
        cards = list_initiative_cards(game)
        ready = {kind: replace(card, ready=True) for kind, card in game.demon_cards.items()}
        after = replace(
            game,
            round=game.round + 1,
            phase="status",
            initiative=chance.shuffled(cards) if self.shuffled_here else cards,
            shuffled_here=self.shuffled_here,
            demon_cards=ready,
            argent_gained=0,
            acted=(),
        )
        return fire(_fill_event_hand(after, chance), "status")

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("Round {round} begins", round=game.round + 1)


class GainArgent(Step[Match2016], frozen=True, kw_only=True, tag="gain_argent"):
    """The invader discards event cards for argent, one each, and says where it goes.

    ``onto`` names kinds of demons, or ``invasion`` for the invasion card.
    """

    is_secret = True
    cards: tuple[Name, ...]
    onto: Mapping[str, Count]

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """Only in the status phase, up to three cards, and as many tokens as there are in the box."""
        require(game.phase == "status", said("argent is gained in the status phase only"))
        require(bool(self.cards), said("choose at least one card to discard"))
        gained = game.argent_gained + len(self.cards)
        require(
            gained <= MAX_ARGENT_CARDS,
            counted(
                "at most {n} card a round becomes argent", "at most {n} cards a round become argent", MAX_ARGENT_CARDS
            ),
        )
        require(sum(self.onto.values()) == len(self.cards), said("place one argent for each discarded card"))
        require(
            sum(self.onto.values()) <= count_argent_left(game),
            said("there are not so many argent tokens left in the box"),
        )
        for kind in self.onto:
            require(
                kind == INVASION or kind in game.demon_cards, said("there is no demon card “{kind}” in play", kind=kind)
            )
        if INVADER in game.decks:
            game.deck(INVADER).taken(*self.cards)

    def apply(self, game: Match2016) -> Match2016:
        """The game with the argent placed."""
        after = discard_events(game, *self.cards)
        after = replace(after, argent_gained=game.argent_gained + len(self.cards))
        return place_argent(after, self.onto)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return counted(
            "The invader discards {n} event card for argent",
            "The invader discards {n} event cards for argent",
            len(self.cards),
        )


class Reveal(Step[Match2016], frozen=True, kw_only=True, tag="reveal"):
    """The next initiative card; ``card`` (a marine's name or ``invader``) is typed for printed cards only."""

    reveals = True
    card: str = ""

    def settle(self, game: Match2016, chance: Chance) -> Self:
        """The step with the card on top, if the program shuffled them."""
        if game.shuffled_here and game.initiative:
            return replace(self, card=game.initiative[0])
        return self

    def check(self, game: Match2016) -> None:
        """The activation before must be over, and the card must be one of those that are left."""
        require(game.phase in ("status", "activation"), said("begin the round first: prepare the initiative cards"))
        require(game.turn is None, said("the activation is not over; end it first"))
        require_free_hands(game)
        left = named(sorted(set(game.initiative)))
        require(
            self.card in game.initiative,
            said("“{card}” is not among the initiative cards left: {left}", card=self.card, left=left),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with that activation begun; an invader's card that nobody can use is passed over."""
        cards = list(game.initiative)
        cards.remove(self.card)
        side = INVADER if self.card == INVADER else MARINES
        turn = Activation(side=side, figure=None if side == INVADER else self.card)
        after = replace(game, phase="activation", initiative=tuple(cards), turn=turn)
        if side == MARINES:
            return after.with_piece(after.piece(self.card).unmarked(CLASS_EXHAUSTED))
        return after if list_ready_kinds(after) else finish_turn(after)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("Initiative: {card}", card=self.card)


class ActivateKind(Step[Match2016], frozen=True, kw_only=True, tag="activate_kind"):
    """The invader exhausts a ready demon card and will activate every figure of that kind."""

    kind: Name

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """It must be an invader's card, and the demon card ready with a figure on the board."""
        turn = game.the_turn()
        require(turn.side == INVADER, said("this initiative card is a marine's"))
        require(turn.kind is None, said("a demon card was chosen already"))
        kinds = list_ready_kinds(game)
        require(
            self.kind in kinds, said("“{kind}” is not ready; choose one of {kinds}", kind=self.kind, kinds=named(kinds))
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with the figures of that kind waiting to act."""
        queue = tuple(piece.id for piece in game.standing(INVADER) if piece.kind == self.kind)
        after = game.with_demon_card(self.kind, replace(game.demon_cards[self.kind], ready=False))
        return replace(after, turn=replace(game.the_turn(), kind=self.kind, queue=queue))

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("The invader activates: {kind}", kind=self.kind)


class ActivateDemon(Step[Match2016], frozen=True, kw_only=True, tag="activate"):
    """One figure of the chosen kind acts: movement as its speed, and one attack."""

    figure: Name

    def side(self, game: Match2016) -> str | None:
        """The invader decides."""
        return INVADER

    def check(self, game: Match2016) -> None:
        """The figure must be one that has not acted, and no other may be acting."""
        turn = game.the_turn()
        require(turn.figure is None, said("{figure} is acting; end that first", figure=turn.figure))
        waiting = named(turn.queue) if turn.queue else said("none")
        require(
            self.figure in turn.queue,
            said("“{figure}” does not wait to act; these do: {waiting}", figure=self.figure, waiting=waiting),
        )

    def apply(self, game: Match2016) -> Match2016:
        """The game with that figure acting."""
        turn = game.the_turn()
        demon = game.demon_setup(game.piece(self.figure).kind)
        queue = tuple(name for name in turn.queue if name != self.figure)
        acting = replace(turn, figure=self.figure, queue=queue, movement=demon.speed, attacks=(demon.attack,))
        return replace(game, turn=acting)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        return said("{figure} acts", figure=self.figure)


class EndActivation(SaltedStep[Match2016], frozen=True, kw_only=True, tag="end"):
    """The end of a figure's activation: unused movement is lost, a marine draws up to his hand size.

    Between two demons it passes over those that have not acted.
    """

    reveals = True

    def side(self, game: Match2016) -> str | None:
        """Whoever's activation it is."""
        return None if game.turn is None else game.turn.side

    def check(self, game: Match2016) -> None:
        """There must be an activation, and nothing open in it."""
        turn = game.the_turn()
        require_free_hands(game)
        require(turn.side == MARINES or turn.kind is not None, said("choose a demon card first"))

    def apply(self, game: Match2016) -> Match2016:
        """The game with the next figure or card to come."""
        turn = game.the_turn()
        if turn.side == MARINES:
            return finish_turn(_fill_hand(game, self.chance))
        if turn.figure is not None and turn.queue:
            return replace(game, turn=replace(turn, figure=None, movement=0, attacks=()))
        return finish_turn(game)

    def title(self, game: Match2016) -> Said:
        """What it does."""
        turn = game.the_turn()
        return said("End of activation: {who}", who=turn.figure or turn.kind or turn.side)


def list_initiative_cards(game: Match2016) -> tuple[str, ...]:
    """The cards of a round: one for each marine and for each kind of demon on the board (A6, A8).

    A marine who is alone has two. A kind that is summoned later in the round adds none.
    """
    marines = tuple(marine.id for marine in game.setup.marines)
    alone = marines if len(marines) == 1 else ()
    return (*marines, *alone, *(INVADER,) * min(MAX_INVADER_CARDS, len(game.kinds_on_table())))


def list_ready_kinds(game: Match2016) -> tuple[str, ...]:
    """The demon cards that the invader may exhaust now."""
    return tuple(kind for kind in game.kinds_on_table() if game.demon_cards[kind].ready)


def finish_turn(game: Match2016) -> Match2016:
    """The game after an initiative card was played; after the last one the round is over."""
    turn = game.the_turn()
    who = turn.kind if turn.side == INVADER else turn.figure
    acted = game.acted if who is None else (*game.acted, who)
    return replace(game, turn=None, acted=acted, phase="activation" if game.initiative else "round over")


def discard_events(game: Match2016, *cards: str) -> Match2016:
    """The game with event cards of the hand discarded; printed ones lie on the table and are not followed."""
    return game.with_deck(INVADER, game.deck(INVADER).without(*cards)) if INVADER in game.decks else game


def place_argent(game: Match2016, onto: Mapping[str, int]) -> Match2016:
    """The game with argent tokens placed on demon cards and on the invasion card."""
    for place, count in onto.items():
        if place == INVASION:
            game = replace(game, invasion_argent=game.invasion_argent + count)
        else:
            card = game.demon_cards[place]
            game = game.with_demon_card(place, replace(card, argent=card.argent + count))
    return game


def count_argent_left(game: Match2016) -> int:
    """The argent tokens that are still in the box."""
    placed = game.invasion_argent + sum(card.argent for card in game.demon_cards.values())
    return game.setup.argent_tokens - placed


def _fill_event_hand(game: Match2016, chance: Chance) -> Match2016:
    if INVADER not in game.decks:
        return game
    size = int(game.rules.options["event_hand"])
    deck = game.deck(INVADER)
    return game.with_deck(INVADER, draw_to_hand(deck, size - len(deck.hand), chance).deck)


def _fill_hand(game: Match2016, chance: Chance) -> Match2016:
    turn, marine = game.the_turn(), game.acting()
    if marine.id not in game.decks:
        return game
    deck = game.deck(marine.id).discarding(*turn.in_play)
    missing = game.marine_setup(marine.id).hand - len(deck.hand)
    return game.with_deck(marine.id, draw_to_hand(deck, missing, chance).deck)
