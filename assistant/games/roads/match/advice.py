"""An attack of `roads` before its roll: sight and distance, and the exact odds of a melee."""

from __future__ import annotations

from typing import Any

from assistant.games.roads.match.duel import make_fighters
from assistant.games.roads.match.pending import PendingDuel
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.rules.melee_odds import mean_hits, melee_odds
from assistant.match.audience import AttackQuery
from assistant.match.rulings import sight_document


def advise(game: MatchRoads, question: AttackQuery) -> dict[str, Any]:
    """What is known of the attack now; the odds are those of a fight hand to hand."""
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    pair = (attacker.id, defender.id)
    ruling = sight_document(game, *pair) if game.ground else None
    first, second = make_fighters(game, PendingDuel(fighters=pair))
    odds = melee_odds(first, second, game.rules.options)
    return {
        "ruling": ruling,
        "range": None if ruling is None else ruling["range"],
        "odds": {
            "win": float(odds.chance(lambda outcome: outcome[0] == attacker.id)),
            "lose": float(odds.chance(lambda outcome: outcome[0] == defender.id)),
            "mean_hits": float(mean_hits(odds, attacker.id)),
            "mean_hits_taken": float(mean_hits(odds, defender.id)),
        },
    }
