"""An attack of DOOM 2004 before its roll: sight, range, ammunition and the exact odds."""

from __future__ import annotations

from typing import Any

from assistant.games.doom2004.match.attack_rules import form_of, make_profile, make_target
from assistant.games.doom2004.match.state import DODGE, Match2004, PendingAttack2004
from assistant.games.doom2004.rules import attack as rules
from assistant.match.audience import AttackQuery
from assistant.match.rulings import sight_document


def advise(game: Match2004, question: AttackQuery) -> dict[str, Any]:
    """What is known of the attack now; ``odds`` is None while range or the faces of the dice are not.

    A marine's order to dodge counts as used.
    """
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    ruling = sight_document(game, attacker.id, defender.id) if game.ground else None
    away = question.range if ruling is None else ruling["range"]
    form = form_of(game, attacker, question.weapon)
    return {
        "ruling": ruling,
        "range": away,
        "in_reach": away is not None and (away == 1 or not form.melee),
        "dice": dict(form.dice),
        "ammo": None if form.ammo is None else game.equipment[attacker.id].ammo.get(form.ammo, 0),
        "odds": None if away is None else _odds(game, question, away),
    }


def _odds(game: Match2004, question: AttackQuery, away: int) -> dict[str, Any] | None:
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    dice = {
        color: tuple(rules.Face(face.range, face.damage, face.ammo, face.miss) for face in faces)
        for color, faces in game.setup.dice.items()
    }
    if not set(form_of(game, attacker, question.weapon).dice) <= set(dice):
        return None
    attack = PendingAttack2004(
        attacker=attacker.id, targets=(defender.id,), weapon=question.weapon, range=away, dice=(), aimed=question.aimed
    )
    target = make_target(game, defender, dodges=DODGE in defender.marks)
    odds = rules.attack_odds(make_profile(game, attacker, attack), dice, away, target, game.rules.options)
    chances: dict[int, float] = {}
    for outcome, chance in odds.chances.items():
        chances[outcome.wounds] = chances.get(outcome.wounds, 0.0) + float(chance)
    return {
        "wounds": {str(wounds): chance for wounds, chance in sorted(chances.items())},
        "hit": float(rules.hit_chance(odds)),
        "kill": float(rules.kill_chance(odds, target)),
    }
