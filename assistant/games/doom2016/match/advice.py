"""An attack of DOOM 2016 before its roll: sight, range, cover and the exact odds."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.errors import IllegalStep
from assistant.games.doom2016.match.attack_rules import defender_of
from assistant.games.doom2016.match.effects import AttackProfile, IgnoreCover
from assistant.games.doom2016.match.state import STUNNED, Match2016
from assistant.games.doom2016.rules import attack as rules
from assistant.match.audience import AttackQuery
from assistant.match.game import INVADER, MARINES, Piece
from assistant.match.rulings import sight_document
from assistant.translations.messages import said


def advise(game: Match2016, question: AttackQuery) -> dict[str, Any]:
    """What is known of the attack now; ``odds`` is None while the faces of the dice are not.

    The defence cards that nobody has seen, pile and hand together, count as equally likely, so that the
    odds tell neither side anything about the other's hand.
    """
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    ruling = sight_document(game, attacker.id, defender.id) if game.ground else None
    away = question.range if ruling is None else ruling["range"]
    cover = (question.cover if ruling is None else bool(ruling["cover"])) and len(defender.cells) <= 1
    profile = _profile(game, attacker, question.profile)
    return {
        "ruling": ruling,
        "range": away,
        "reach": profile.range,
        "in_reach": away is not None and away <= profile.range,
        "cover": cover,
        "dice": dict(profile.dice),
        "odds": _odds(game, attacker, defender, profile, cover),
    }


def _profile(game: Match2016, attacker: Piece, index: int) -> AttackProfile:
    turn = game.turn
    if turn is not None and turn.figure == attacker.id and index < len(turn.attacks):
        return turn.attacks[index]
    if attacker.side == INVADER:
        return game.demon_setup(attacker.kind).attack
    raise IllegalStep(
        said("{attacker} has no attack ready; play an action card with an attack first", attacker=attacker.id)
    )


def _odds(
    game: Match2016, attacker: Piece, defender: Piece, profile: AttackProfile, cover: bool
) -> dict[str, Any] | None:
    if not set(profile.dice) <= set(game.setup.dice):
        return None
    ignores = any(isinstance(effect, IgnoreCover) for effect in profile.effects)
    attacking = rules.Attack(attacker.id, profile.dice, STUNNED in attacker.marks, ignores)
    target = defender_of(game, defender.id, cover)
    odds = rules.damage_odds(attacking, game.setup.dice, target, _collect_unseen(game, defender), game.rules.options)
    return {
        "damage": {str(amount): float(chance) for amount, chance in sorted(odds.chances.items())},
        "mean": float(odds.mean(int)),
        "frag": float(rules.frag_chance(odds, target)),
    }


def _collect_unseen(game: Match2016, defender: Piece) -> rules.DefenceDeck:
    deck = game.deck(defender.id if defender.side == MARINES else INVADER)
    return rules.DefenceDeck(_count_cards(game, (*deck.pile, *deck.hand)), _count_cards(game, deck.discard))


def _count_cards(game: Match2016, cards: tuple[str, ...]) -> dict[rules.DefenceCard, int]:
    known = (game.card(card) for card in cards)
    return dict(Counter(rules.DefenceCard(card.shields, card.dodge, card.special) for card in known))
