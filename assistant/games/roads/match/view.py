"""What everybody may know of a `roads` skirmish: nothing in it is hidden."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.games.roads.match.arms import in_hand
from assistant.games.roads.match.due_checks import reasons_of_test
from assistant.games.roads.match.duel import resolve_duel
from assistant.games.roads.match.marks import DOWN, MOVED, SHOT, WATCH
from assistant.games.roads.match.state import MatchRoads
from assistant.games.roads.rules.melee_reasons import MELEE_RULES
from assistant.games.roads.rules.reasons import CAMOUFLAGE, RULES
from assistant.match.audience import Audience
from assistant.match.game import Piece
from assistant.match.views import word_cited
from assistant.rules.reasons import reason
from assistant.table.tracker import TrackerEntry, TrackerView


def build_view(game: MatchRoads, audience: Audience) -> dict[str, Any]:
    """The parts of a view that are this system's own."""
    return {
        "phase": game.phase,
        "active": game.active,
        "figures": [_figure(game, piece) for piece in game.pieces.values()],
        "due": [msgspec.to_builtins(due) for due in game.due],
        "why_due": _why_due(game, audience),
        "hits": [msgspec.to_builtins(hit) for hit in game.hits],
        "fight": None if game.duel is None else _fight(game, audience),
        "fought": [list(pair) for pair in game.fought],
        "reaction": None if game.reaction is None else msgspec.to_builtins(game.reaction),
        "flights": dict(game.flights),
        "moving": None if game.moving is None else msgspec.to_builtins(game.moving),
        "noticed": _noticed(game, audience),
        "to_draw_in": list(game.to_draw_in),
        "to_advance": list(game.to_advance),
        "sides": [
            {"side": side, "started": game.starting_count(side), "out": game.out_count(side)}
            for side in game.setup.sides
        ],
    }


def build_tracker(game: MatchRoads) -> TrackerView:
    """The models, side by side in the order of their turns; active is the first of the side whose turn it is."""
    order = [piece for side in game.setup.sides for piece in game.standing(side)]
    sides = list(game.setup.sides)
    entries = tuple(
        TrackerEntry(
            piece.id,
            sides.index(piece.side) % 6,
            max(0, game.fighter(piece.id).toughness - piece.harm),
            max(1, game.fighter(piece.id).toughness),
            has_acted=bool({MOVED, SHOT, WATCH} & set(piece.marks)) and piece.side == game.active,
            is_stunned=DOWN in piece.marks,
        )
        for piece in order
    )
    active = next((i for i, piece in enumerate(order) if piece.side == game.active), None)
    return TrackerView(order=entries, active=active, round=game.round)


def _figure(game: MatchRoads, piece: Piece) -> dict[str, Any]:
    fighter = game.fighter(piece.id)
    return {
        "id": piece.id,
        "kind": piece.kind,
        "side": piece.side,
        "center_mm": None if piece.center_mm is None else list(piece.center_mm),
        "on_table": piece.on_table,
        "wounds": piece.harm,
        "toughness": fighter.toughness,
        "current_toughness": fighter.toughness if fighter.painless else max(0, fighter.toughness - piece.harm),
        "spirit": fighter.spirit,
        "weapons": list(in_hand(game, piece.id)),
        "spent": list(game.spent.get(piece.id, ())),
        "marks": list(piece.marks),
    }


def _why_due(game: MatchRoads, audience: Audience) -> list[dict[str, str]]:
    """The rules behind the first test that is due, each with the place where it stands."""
    return word_cited(reasons_of_test(game, game.due[0]) if game.due else (), RULES, audience.language)


def _noticed(game: MatchRoads, audience: Audience) -> list[dict[str, Any]]:
    """Who was found in this turn, by whom, and the rule that says so."""
    told = []
    for hidden, finder in game.noticed:
        why = reason(CAMOUFLAGE, "noticed", attacker=finder, defender=hidden)
        told.append({"figure": hidden, "by": finder, "why": word_cited((why,), RULES, audience.language)})
    return told


def _fight(game: MatchRoads, audience: Audience) -> dict[str, Any]:
    duel, result = game.duel, resolve_duel(game)
    assert duel is not None
    return {
        "fighters": list(duel.fighters),
        "rolls": [list(roll.final) for roll in duel.rolls],
        "results": list(result.results),
        "winner": result.winner,
        "hits": result.hits,
        "steps": word_cited(result.steps, MELEE_RULES, audience.language),
    }
