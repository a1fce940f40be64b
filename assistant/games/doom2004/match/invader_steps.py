"""The invader's turn: cards, activations and event cards (rules B4; seed 002, seed 004 p. 11 “Timing”)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec.structs import replace

from assistant.games.doom2004.match.moments import is_of_use
from assistant.games.doom2004.match.setup import (
    HAND_LIMIT,
    ActivateInvaders,
    DodgeByEvent,
    HealInvader,
    InvaderCard,
    Window,
)
from assistant.games.doom2004.match.state import (
    Match2004,
    Turn2004,
    apply_draw,
    apply_wounds,
    frag,
    require_card_done,
    require_no_attack,
)
from assistant.match.asks import Ask, Asks, Draft, ask_card, ask_figure, ask_thing, hide_cards
from assistant.match.deck import draw_to_hand
from assistant.match.game import INVADER, MARINES, Name, PositiveCount, Prompt, SaltedStep, Step, require, require_value
from assistant.rules.reasons import Rule
from assistant.translations.messages import Said, counted, message, said

HAND_RULE = Rule(
    "doom2004/invader-cards",
    message("Rules, “Step 1: draw and discard”"),
    message("The invader draws a card for each marine and discards down to eight."),
)
ACTIVATION_RULE = Rule(
    "doom2004/activation",
    message("Rules, “Step 3: activating invaders”"),
    message("Each invader on the board is activated once: movement and one attack."),
)
EVENT_RULE = Rule(
    "doom2004/events",
    message("Rules, “Timing and Start of Turn”"),
    message("An event card is played when its condition is met, and before what it interrupts."),
)
WOUND_RULE = Rule(
    "doom2004/wounds-taken",
    message("Rules, “Step 5: wounds”"),
    message("A marine without wound tokens is fragged; an invader with enough of them is killed."),
)


class InvaderStep(Step[Match2004], frozen=True, kw_only=True):
    """A step that the invader decides."""

    def side(self, game: Match2004) -> str | None:
        return INVADER


class DrawInvaderCards(SaltedStep[Match2004], frozen=True, kw_only=True, tag="draw"):
    """Step 1: draw a card for each marine. The deck's last card is a frag point; the discards become the new deck."""

    rule = HAND_RULE
    reveals = True
    begins_hand = True

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "draw":
            yield cls.prompt(said("Draw cards"), side=INVADER)

    def side(self, game: Match2004) -> str | None:
        return INVADER

    def check(self, game: Match2004) -> None:
        require(game.phase == "draw", said("draw cards at the beginning of the invader's turn"))
        require_idle(game)

    def apply(self, game: Match2004) -> Match2004:
        draw = draw_to_hand(game.deck, len(game.setup.marines), self.chance, eager=True)
        return replace(apply_draw(game, draw), phase="spawn")

    def title(self, game: Match2004) -> Said:
        return counted("The invader draws {n} card", "The invader draws {n} cards", len(game.setup.marines))


class Discard(InvaderStep, frozen=True, kw_only=True, tag="discard"):
    """Discard cards of the invader's choice down to eight, before anything else."""

    rule = HAND_RULE
    label = said("Discard cards")
    is_secret = True
    cards: Annotated[tuple[Name, ...], Asks(_which_discards)]

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        over = len(game.deck.hand) - HAND_LIMIT
        if game.moment == "spawn" and over > 0:
            yield cls.prompt(counted("Discard {n} card", "Discard {n} cards", over), side=INVADER)

    def check(self, game: Match2004) -> None:
        over = len(game.deck.hand) - HAND_LIMIT
        require(
            0 < len(self.cards) <= over,
            counted(
                "there is nothing to discard: the hand holds up to {n} card",
                "there is nothing to discard: the hand holds up to {n} cards",
                HAND_LIMIT,
            ),
        )
        game.deck.taken(*self.cards)

    def apply(self, game: Match2004) -> Match2004:
        return replace(game, deck=game.deck.without(*self.cards))

    def title(self, game: Match2004) -> Said:
        return counted("The invader discards {n} card", "The invader discards {n} cards", len(self.cards))


class StartActivations(InvaderStep, frozen=True, kw_only=True, tag="activations"):
    """Begin step 3, in which each invader may be activated once."""

    rule = ACTIVATION_RULE

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "spawn" and len(game.deck.hand) <= HAND_LIMIT:
            yield cls.prompt(said("Activate the invaders"), side=INVADER)

    def check(self, game: Match2004) -> None:
        require(game.phase == "spawn", said("draw cards first"))
        require(
            len(game.deck.hand) <= HAND_LIMIT,
            counted("discard down to {n} card first", "discard down to {n} cards first", HAND_LIMIT),
        )
        require_idle(game)

    def apply(self, game: Match2004) -> Match2004:
        return replace(game, phase="activate", turn=None)

    def title(self, game: Match2004) -> Said:
        return said("The invaders act")


class ActivateInvader(InvaderStep, frozen=True, kw_only=True, tag="activate"):
    """Activate an invader: movement as on the reference sheet, and one attack.

    With ``by_card``, an event card lets it act at once, besides its activation in the third step. One card lets each
    invader act once: “activar inmediatamente hasta 2 invasores … haber activado a ambos invasores” (seed 002).
    """

    rule = ACTIVATION_RULE
    label = said("Activate an invader by a card")
    figure: Name
    by_card: Annotated[bool, Asks(_whether_by_card)] = False

    def rests_on_people(self, game: Match2004) -> bool:
        """Return whether the mission leaves open which of its cards let invaders act."""
        return self.by_card and not list_cards_with(game, ActivateInvaders)

    def rule_at(self, game: Match2004) -> Rule:
        return EVENT_RULE if self.by_card else self.rule

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        for name in game.due_by_card if game.moment == "card" else ():
            text, task = said("By the card: activate {figure}", figure=name), said("activate {figure}", figure=name)
            yield cls.prompt(text, side=INVADER, task=task, figure=name, by_card=True)
        for piece in game.standing(INVADER) if game.moment == "between" else ():
            if piece.id not in game.acted:
                yield cls.prompt(said("Activate {figure}", figure=piece.id), side=INVADER, figure=piece.id)

    def check(self, game: Match2004) -> None:
        piece = game.piece(self.figure)
        require(
            piece.side == INVADER and piece.on_table,
            said("{figure} is not an invader on the board", figure=self.figure),
        )
        if self.by_card:
            self._check_card(game)
            return
        require_no_attack(game)
        require(game.phase == "activate", said("the invaders act in the third step of the invader's turn"))
        require(game.turn is None, said("end the running activation first"))
        require(self.figure not in game.acted, said("{figure} has acted in this turn", figure=self.figure))

    def _check_card(self, game: Match2004) -> None:
        require(not game.areas_due, said("the invader has to lay out the new area first"))
        require(game.pending is None, said("finish the attack first"))
        require(game.phase != "setup", said("the match has not begun"))
        require(game.turn is None or not game.turn.by_card, said("end the running activation first"))
        is_other = game.turn is None or game.turn.figure != self.figure
        require(is_other, said("{figure} acts already; choose another invader", figure=self.figure))
        if list_cards_with(game, ActivateInvaders):
            require(game.card_activations > 0, said("no event card lets an invader act now; play it first"))
            require(
                self.figure not in game.card_acted,
                said("{figure} has acted by this card; choose another invader", figure=self.figure),
            )

    def apply(self, game: Match2004) -> Match2004:
        invader = game.invader_setup(game.piece(self.figure).kind)
        turn = Turn2004(
            figure=self.figure, action="invader", movement=invader.movement, attacks=1, by_card=self.by_card
        )
        game = replace(game, turn=turn, interrupted=game.turn)
        if not self.by_card:
            return replace(game, card_activations=0, card_acted=())
        acted = (*game.card_acted, self.figure)
        busy = (*acted, "" if game.interrupted is None else game.interrupted.figure)
        others = sum(piece.id not in busy for piece in game.standing(INVADER))
        left = max(0, min(game.card_activations - 1, others))  # unusable activations lapse
        return replace(game, card_activations=left, card_acted=acted if left else ())

    def title(self, game: Match2004) -> Said:
        return said("{figure} acts", figure=self.figure)


class EndCard(InvaderStep, frozen=True, kw_only=True, tag="end_card"):
    """Decline the remaining activations of an event card (“hasta 2 invasores”, seed 002)."""

    rule = EVENT_RULE

    @classmethod
    def prompts(cls, game: Match2004) -> Iterator[Prompt]:
        if game.moment == "card":
            yield cls.prompt(said("No more invaders act by the card"), side=INVADER, urgency=-1)

    def check(self, game: Match2004) -> None:
        require(bool(game.due_by_card), said("no event card lets an invader act now; play it first"))

    def apply(self, game: Match2004) -> Match2004:
        return replace(game, card_activations=0, card_acted=())

    def title(self, game: Match2004) -> Said:
        return said("No more invaders act by the card")


class PlayEvent2004(InvaderStep, frozen=True, kw_only=True, tag="play_event"):
    """Play an event card at its moment. People carry out effects in words with other steps.

    ``figure`` is the invader for a healing card.
    """

    rule = EVENT_RULE
    label = said("Play an event card")
    on_card = said("Play")
    is_secret = True
    card: Annotated[Name, Asks(ask_own_card)]
    figure: Annotated[Name | None, Asks(_who_is_healed)] = None

    def check(self, game: Match2004) -> None:
        game.deck.taken(self.card)
        card = game.setup.cards[self.card]
        require(not card.is_spawn, said("this is a spawn card; play it in the second step"))
        dodges = any(isinstance(effect, DodgeByEvent) for effect in card.effects)
        require(not dodges or _is_marine_attacking(game), said("only when an invader is attacked"))
        require_window(game, card.when)
        over = game.phase == "spawn" and len(game.deck.hand) > HAND_LIMIT
        require(
            not over,
            counted("discard down to {n} card first", "discard down to {n} cards first", HAND_LIMIT),
        )
        check_event(game, card, self.figure)

    def is_idle(self, game: Match2004) -> bool:
        return not is_of_use(game, game.setup.cards[self.card])

    def apply(self, game: Match2004) -> Match2004:
        game = replace(game, deck=game.deck.without(self.card))
        return begin_event(game, game.setup.cards[self.card], self.figure)

    def title(self, game: Match2004) -> Said:
        card = game.setup.cards[self.card]
        return said("The invader plays {card}: {effect}", card=card.name, effect=card.effect_text)


class ByHandStep(Step[Match2004], frozen=True, kw_only=True):
    """A step by which people correct the wounds of a figure, or carry out the text of a card."""

    rule = WOUND_RULE
    by_hand = True
    of_figure = True
    figure: Name

    def check(self, game: Match2004) -> None:
        require(game.piece(self.figure).on_table, said("{figure} is not on the board", figure=self.figure))
        require(game.phase != "setup", said("the match has not begun"))


class WoundByHand(ByHandStep, frozen=True, kw_only=True, tag="damage"):
    """Wound a figure by hand, whatever its armour: a damaging obstacle, a card's text."""

    label = said("Wounds by hand")
    amount: PositiveCount

    def apply(self, game: Match2004) -> Match2004:
        return apply_wounds(game, game.piece(self.figure), self.amount)

    def title(self, game: Match2004) -> Said:
        return counted("{figure}: {n} wound", "{figure}: {n} wounds", self.amount, figure=self.figure)


class HealWounds(ByHandStep, frozen=True, kw_only=True, tag="heal"):
    """Remove wounds from a figure by hand: a medic's order, a card's text."""

    label = said("Take wounds off by hand")
    amount: PositiveCount

    def check(self, game: Match2004) -> None:
        require(game.piece(self.figure).harm > 0, said("{figure} has no wounds", figure=self.figure))

    def apply(self, game: Match2004) -> Match2004:
        piece = game.piece(self.figure)
        return game.with_piece(replace(piece, harm=max(0, piece.harm - self.amount)))

    def title(self, game: Match2004) -> Said:
        return counted("{figure}: {n} wound healed", "{figure}: {n} wounds healed", self.amount, figure=self.figure)


class KillByHand(ByHandStep, frozen=True, kw_only=True, tag="frag"):
    """Kill a figure by hand: a telefrag, a card's text."""

    label = said("Kill a figure by hand")

    def apply(self, game: Match2004) -> Match2004:
        return frag(game, game.piece(self.figure))

    def title(self, game: Match2004) -> Said:
        return said("{figure} is killed", figure=self.figure)


def require_window(game: Match2004, when: Window) -> None:
    """Refuse an event card outside its moment.

    ``turn_start``: “after the invader player has discarded down to 8 cards for the turn, but before he has activated
    his first invader”; ``marine_turn``: “until the marine player declares his action”; ``marine_attack``: before a
    marine's attack on an invader is resolved, dice thrown too fast or not (seed 004); ``token_taken``: right after a
    marine has picked up a token (seed 002).

    Raises:
        IllegalStep: the moment is not now.
    """
    if when == "turn_start":
        require(_is_turn_start(game), said("play this card after discarding and before the first invader acts"))
    elif when == "marine_turn":
        waits = game.phase == "marine" and game.interrupted is None and game.the_turn().action is None
        require(waits, said("play this card before a marine declares his action"))
    elif when == "marine_attack":
        require(_is_marine_attacking(game), said("play this card before an attack of a marine is resolved"))
    elif when == "token_taken":
        took = game.phase == "marine" and game.turn is not None and game.turn.took
        require(took, said("play this card right after a marine picks up a token"))


def check_event(game: Match2004, card: InvaderCard, figure: str | None) -> None:
    """Refuse an event card whose effects do not fit the named figure.

    Raises:
        IllegalStep: they do not fit, or a figure is missing.
    """
    for effect in card.effects:
        if isinstance(effect, HealInvader):
            require(any(piece.harm for piece in game.standing(INVADER)), said("no invader has a wound to heal"))
            piece = game.piece(require_value(figure, said("say which invader loses wounds")))
            hurt = piece.side == INVADER and piece.on_table and piece.harm > 0
            require(hurt, said("{figure} is not an invader with wounds", figure=piece.id))
        elif isinstance(effect, ActivateInvaders):
            require_card_done(game)
            require(game.turn is None or not game.turn.by_card, said("end the running activation first"))
        else:
            plays_now = not isinstance(effect, DodgeByEvent)
            require(plays_now, said("this card lets an attacked invader dodge; dodge with it then"))


def begin_event(game: Match2004, card: InvaderCard, figure: str | None) -> Match2004:
    """Begin an event card's effects."""
    for effect in card.effects:
        if isinstance(effect, HealInvader) and figure is not None:
            piece = game.piece(figure)
            game = game.with_piece(replace(piece, harm=max(0, piece.harm - effect.wounds)))
        elif isinstance(effect, ActivateInvaders):
            game = replace(game, card_activations=effect.count, card_acted=())
            game = replace(game, card_activations=min(effect.count, len(game.due_by_card)))
    return game


def require_idle(game: Match2004) -> None:
    """Refuse a step of the invader's turn while a figure acts, an attack is open, or a card's activations remain.

    Raises:
        IllegalStep: one of them is pending.
    """
    require_no_attack(game)
    require(game.turn is None, said("end the running activation first"))


def list_cards_with(game: Match2004, effect: type) -> tuple[str, ...]:
    """Return the mission's cards with such an effect; none if the mission gives its cards no effects."""
    cards = game.setup.cards.items()
    return tuple(name for name, card in cards if any(isinstance(each, effect) for each in card.effects))


def _is_turn_start(game: Match2004) -> bool:
    if len(game.deck.hand) > HAND_LIMIT:
        return False
    none_acted = all(game.piece(name).side == MARINES for name in game.acted)
    return game.phase == "spawn" or (game.phase == "activate" and game.turn is None and none_acted)


def _is_marine_attacking(game: Match2004) -> bool:
    attack = game.pending
    if attack is None:
        return False
    aims_at_invader = any(game.piece(name).side == INVADER for name in attack.targets)
    return game.piece(attack.attacker).side == MARINES and aims_at_invader and not attack.scatters


def ask_own_card(draft: Draft[Match2004]) -> Ask:
    """Ask for a card of the invader's hand."""
    if not draft.audience.sees(INVADER):
        return hide_cards("card", INVADER)
    cards = draft.game.setup.cards
    return ask_card("card", ((card, cards[card].text) for card in draft.game.deck.hand))


def _who_is_healed(draft: Draft[Match2004]) -> Ask | None:
    """Ask for the invader that a healing card helps."""
    card = draft.game.setup.cards.get(str(draft.fields.get("card")))
    if card is None or not any(isinstance(effect, HealInvader) for effect in card.effects):
        return None
    return ask_figure("figure", said("Who is healed?"), (one.id for one in draft.game.standing(INVADER) if one.harm))


def _which_discards(draft: Draft[Match2004]) -> Ask:
    if not draft.audience.sees(INVADER):
        return hide_cards("cards", INVADER)
    game = draft.game
    over = max(1, len(game.deck.hand) - HAND_LIMIT)
    shown = (([card], game.setup.cards[card].text) for card in game.deck.hand)
    return ask_card("cards", shown, least=over, most=over)


def _whether_by_card(draft: Draft[Match2004]) -> Ask | None:
    if draft.game.phase == "activate" and not draft.game.due_by_card:
        return None
    return ask_thing("by_card", said("By an event card?"), ((True, said("yes")),))
