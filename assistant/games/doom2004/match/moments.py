"""Who may still answer in DOOM 2004 before a command closes something (seed 004, “Timing and Start of Turn”).

“the invader player should be given a reasonable chance to play his cards first”. Whether he gets a question depends on
public facts alone: he has cards in hand, and an unseen card would change something. It never depends on the cards that
he holds. Everybody knows pile and hand together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assistant.games.doom2004.match.attack_rules import may_wound, require_attack, word_result
from assistant.games.doom2004.match.setup import ActivateInvaders, DodgeByEvent, HealInvader, InvaderCard
from assistant.games.doom2004.match.state import DODGE, GUARD, Match2004, may_use_order
from assistant.match.game import INVADER, MARINES, Moment
from assistant.translations.messages import Said, said


def ask_before_turn(game: Match2004) -> Iterator[Moment]:
    """“Play immediately before a marine takes his turn”: until the marine declares his action."""
    turn = game.turn
    if game.moment == "turn" and turn is not None and turn.action is None:
        text = said("a card before the turn of {figure}?", figure=turn.figure)
        yield from _ask_for_card(game, "turn", text, lambda card: card.when == "marine_turn" and is_of_use(game, card))


def ask_after_token(game: Match2004) -> Iterator[Moment]:
    """Yield a trap: right after a marine has picked up a token, before his turn continues (seed 002)."""
    turn = game.turn
    if game.moment == "turn" and turn is not None and turn.took:
        text = said("a card after the token that {figure} took?", figure=turn.figure)
        yield from _ask_for_card(game, "token", text, lambda card: card.when == "token_taken" and is_of_use(game, card))


def ask_in_attack(game: Match2004) -> Iterator[Moment]:
    """Before an attack is resolved or re-rolled: the invader's cards, the marines' dodges, the guards."""
    attack = game.pending
    if attack is None or attack.scatters:
        return
    may_dodge = attack.dodger is None and not attack.rerolled and bool(attack.dice)
    for name in attack.targets if may_dodge else ():
        if may_use_order(game, name, DODGE) and may_wound(game, attack, MARINES):
            answer = {"type": "dodge", "figure": name}
            text = said("does {figure} dodge?", figure=name)
            note = word_result(game, attack)
            yield Moment(
                id=f"dodge {name}",
                side=MARINES,
                figure=name,
                text=text,
                answers=(answer,),
                note=note,
                clock="always",
            )
    if game.piece(attack.attacker).side == INVADER:
        yield from ask_guards(game) if game.held is None else ()
    if may_dodge and any(game.piece(name).side == INVADER for name in attack.targets):
        text = said("a card against the attack of {figure}?", figure=attack.attacker)
        yield from _ask_for_card(game, "attack", text, lambda card: _answers_attack(game, card))


def ask_guards(game: Match2004) -> Iterator[Moment]:
    """Marines on guard, before an attack or the end of the invader's turn (“also true for the marine guard order”)."""
    for marine in game.standing(MARINES) if game.standing(INVADER) else ():
        if GUARD in marine.marks:
            answer = {"type": "attack", "guard": marine.id}
            text = said("does {figure} on guard shoot first?", figure=marine.id)
            yield Moment(id=f"guard {marine.id}", side=MARINES, figure=marine.id, text=text, answers=(answer,))


def _ask_for_card(game: Match2004, moment: str, text: Said, fits: Callable[[InvaderCard], bool]) -> Iterator[Moment]:
    unseen = (card for name, card in game.setup.cards.items() if name not in game.deck.discard)
    if game.deck.hand and any(fits(card) for card in unseen):
        answers = (
            ({"type": "play_event"}, {"type": "dodge_by_card"}) if moment == "attack" else ({"type": "play_event"},)
        )
        note = None if game.pending is None or moment != "attack" else word_result(game, game.pending)
        yield Moment(id=moment, side=INVADER, text=text, answers=answers, note=note)


def _answers_attack(game: Match2004, card: InvaderCard) -> bool:
    """Return whether a card may answer a marine's attack; if no card of the mission names a dodge, any may."""
    dodging = [c for c in game.setup.cards.values() if any(isinstance(e, DodgeByEvent) for e in c.effects)]
    if (not dodging or card in dodging) and may_wound(game, require_attack(game), INVADER):
        return True
    return card.when == "marine_attack" and is_of_use(game, card)


def is_of_use(game: Match2004, card: InvaderCard) -> bool:
    """Return whether an event card, played at its moment (now), would change something.

    People carry out the text of cards that the mission does not describe. It describes all of them or none.
    """
    invaders = list(game.standing(INVADER))
    if not card.effects:
        return not any(other.effects for other in game.setup.cards.values())
    for effect in card.effects:
        if isinstance(effect, HealInvader) and not any(piece.harm for piece in invaders):
            return False  # the rules refuse the card without such an invader
        if isinstance(effect, ActivateInvaders) and not invaders:
            return False
    return not all(isinstance(effect, DodgeByEvent) for effect in card.effects)
