"""Event cards of the invader: when each may be played, and what it does (seed 002, seed 004 p. 11 “Timing”)."""

from __future__ import annotations

from msgspec.structs import replace

from assistant.games.doom2004.match.setup import HAND_LIMIT, ActivateInvaders, HealInvader, InvaderCard, Window
from assistant.games.doom2004.match.state import Match2004
from assistant.match.game import INVADER, MARINES, require, require_value
from assistant.translations.messages import said


def require_window(game: Match2004, when: Window) -> None:
    """Makes sure that the moment of an event card is now.

    ``turn_start``: “after the invader player has discarded down to 8 cards for the turn, but before he has activated
    his first invader”; ``marine_turn``: “until the marine player declares his action”; ``marine_attack``: before a
    marine's attack on an invader is resolved, dice thrown too fast or not (seed 004); ``token_taken``: right after a
    marine has picked up a token (seed 002).

    Raises:
        IllegalStep: it is not.
    """
    if when == "turn_start":
        require(_is_turn_start(game), said("this card is played after discarding and before the first invader acts"))
    elif when == "marine_turn":
        waits = game.phase == "marine" and game.interrupted is None and game.the_turn().action is None
        require(waits, said("this card is played before a marine has declared his action"))
    elif when == "marine_attack":
        require(_is_marine_attacking(game), said("this card is played before an attack of a marine is resolved"))
    elif when == "token_taken":
        took = game.phase == "marine" and game.turn is not None and game.turn.took
        require(took, said("this card is played right after a marine has picked up a token"))


def check_event(game: Match2004, card: InvaderCard, figure: str | None) -> None:
    """Makes sure that what an event card does can happen to the figure that was named.

    Raises:
        IllegalStep: it cannot, or no figure was named.
    """
    for effect in card.effects:
        if isinstance(effect, HealInvader):
            piece = game.piece(require_value(figure, said("say which invader loses wounds")))
            hurt = piece.side == INVADER and piece.on_table and piece.harm > 0
            require(hurt, said("{figure} is no invader with wounds", figure=piece.id))


def begin_event(game: Match2004, card: InvaderCard, figure: str | None) -> Match2004:
    """The game with what an event card does begun."""
    for effect in card.effects:
        if isinstance(effect, HealInvader) and figure is not None:
            piece = game.piece(figure)
            game = game.with_piece(replace(piece, harm=max(0, piece.harm - effect.wounds)))
        elif isinstance(effect, ActivateInvaders):
            game = replace(game, card_activations=effect.count)
    return game


def list_cards_with(game: Match2004, effect: type) -> tuple[str, ...]:
    """The cards of the mission that have such an effect; none where the mission does not say what cards do."""
    cards = game.setup.cards.items()
    return tuple(name for name, card in cards if any(isinstance(each, effect) for each in card.effects))


def _is_turn_start(game: Match2004) -> bool:
    if len(game.deck.hand) > HAND_LIMIT:
        return False
    none_acted = all(game.piece(name).side == MARINES for name in game.acted)
    return game.phase == "spawn" or (game.phase == "activate" and game.turn is None and none_acted)


def _is_marine_attacking(game: Match2004) -> bool:
    attack = game.pending
    if attack is not None:
        aims_at_invader = any(game.piece(name).side == INVADER for name in attack.targets)
        return game.piece(attack.attacker).side == MARINES and aims_at_invader and not attack.scatters
    turn = game.turn
    return game.phase == "marine" and game.interrupted is None and turn is not None and turn.attacks > 0
