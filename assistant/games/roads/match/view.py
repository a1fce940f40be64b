"""The view, tracker, panels and attack advice of a `roads` skirmish, which hides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from assistant.games.roads.match.duel import explain_excess, list_opponents, make_fighters, pair_of, resolve_duel
from assistant.games.roads.match.pending import PendingDuel
from assistant.games.roads.match.phase_steps import HAS_MOVED
from assistant.games.roads.match.psychology import reasons_of_test
from assistant.games.roads.match.state import STOPPING, Mark, MatchRoads, PhaseRoads
from assistant.games.roads.match.weapons import has_shot_left, in_hand, word_sheets
from assistant.games.roads.rules.melee_odds import has_odds, mean_hits, melee_odds
from assistant.games.roads.rules.reasons import CAMOUFLAGE, RULES
from assistant.match.audience import AttackQuery, Audience, Fact, Goal, Panel
from assistant.match.game import Piece
from assistant.match.rulings import sight_document
from assistant.match.views import word_cited
from assistant.rules.reasons import reason
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.messages import Said, counted, named, said


def build_view(game: MatchRoads, audience: Audience) -> dict[str, Any]:
    """Return the parts of a view that are specific to this game."""
    return {
        "phase": game.phase,
        "active": game.active,
        "figures": [_show_figure(game, piece) for piece in game.pieces.values()],
        "due": [msgspec.to_builtins(due) for due in game.due],
        "why_due": word_cited(reasons_of_test(game, game.due[0]) if game.due else (), RULES, audience.language),
        "hits": [
            {**msgspec.to_builtins(hit), "sheets": [text.worded(audience.language) for text in word_sheets(game, hit)]}
            for hit in game.hits
        ],
        "shot": None if game.shot is None else msgspec.to_builtins(game.shot),
        "fight": None if game.duel is None else _show_fight(game, game.duel, audience),
        "fought": [list(pair) for pair in game.fought],
        "reaction": None if game.reaction is None else msgspec.to_builtins(game.reaction),
        "flights": dict(game.flights),
        "moving": None if game.moving is None else msgspec.to_builtins(game.moving),
        "noticed": _show_noticed(game, audience),
        "to_draw_in": list(game.to_draw_in),
        "to_advance": list(game.to_advance),
        "sides": [
            {"side": side, "started": game.starting_count(side), "out": game.out_count(side)}
            for side in game.setup.sides
        ],
    }


def build_tracker(game: MatchRoads) -> TrackerView:
    """Return the models by side, in the order of turns. The first model of the side to play is active."""
    order = [piece for side in game.setup.sides for piece in game.standing(side)]
    sides = list(game.setup.sides)
    entries = tuple(
        TrackerEntry(
            piece.id,
            sides.index(piece.side) % 6,
            *_count_wounds_left(game, piece),
            has_acted=piece.side == game.active and _has_acted(game, piece),
            is_idle=piece.side == game.active and _is_idle(game, piece),
            is_stunned=Mark.DOWN in piece.marks,
        )
        for piece in order
    )
    active = next((i for i, piece in enumerate(order) if piece.side == game.active), None)
    return TrackerView(order=entries, active=active, round=game.round)


def _count_wounds_left(game: MatchRoads, piece: Piece) -> tuple[int, int]:
    """Return a model's remaining and full wounds until it is out; by Toughness if the set-up has no limit."""
    fighter = game.fighter(piece.id)
    full = max(1, fighter.toughness if fighter.out_at is None else fighter.out_at)
    return max(0, full - piece.harm), full


def _has_acted(game: MatchRoads, piece: Piece) -> bool:
    """Return whether a model has done something in this phase, by its tokens."""
    if game.phase == "melee":
        return any(piece.id in pair for pair in game.fought)
    return bool(_ACTED[game.phase] & set(piece.marks))


_ACTED: Mapping[PhaseRoads, frozenset[str]] = {
    "setup": frozenset(),
    "start": frozenset({Mark.WATCH}),
    "move": frozenset({Mark.MOVED, Mark.RAN, Mark.CHARGED}),
    "shoot": frozenset({Mark.SHOT}),
}


def _is_idle(game: MatchRoads, piece: Piece) -> bool:
    """Return whether a model has nothing left to do in this phase, as far as its tokens show."""
    marks = set(piece.marks)
    if game.phase == "move":
        return bool(HAS_MOVED & marks)
    if game.phase == "shoot":
        idle = {Mark.SHOT, Mark.RAN, Mark.WATCH, Mark.DULLED, *STOPPING}
        return bool(idle & marks) or not has_shot_left(game, piece.id)
    if game.phase == "melee":
        return not any(pair_of((piece.id, enemy)) not in game.fought for enemy in list_opponents(game, piece.id))
    return bool({Mark.WATCH, *STOPPING} & marks)


def _show_figure(game: MatchRoads, piece: Piece) -> dict[str, Any]:
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
        "armour": fighter.armour,
        "melodies": list(fighter.melodies),
        "weapons": list(in_hand(game, piece.id)),
        "spent": list(game.spent.get(piece.id, ())),
        "marks": list(piece.marks),
    }


def _show_noticed(game: MatchRoads, audience: Audience) -> list[dict[str, Any]]:
    """Return the models found this turn, with their finders and the rule."""
    entries = []
    for hidden, finder in game.noticed:
        why = reason(CAMOUFLAGE, "noticed", attacker=finder, defender=hidden)
        entries.append({"figure": hidden, "by": finder, "why": word_cited((why,), RULES, audience.language)})
    return entries


def _show_fight(game: MatchRoads, duel: PendingDuel, audience: Audience) -> dict[str, Any]:
    result = resolve_duel(game)
    steps = (*result.steps, *(explain_excess(game, duel.fighters) if game.ground else ()))
    return {
        "fighters": list(duel.fighters),
        "rolls": [list(roll.final) for roll in duel.rolls],
        "results": list(result.results),
        "winner": result.winner,
        "hits": result.hits,
        "steps": word_cited(steps, RULES, audience.language),
    }


def list_panels(game: MatchRoads) -> tuple[Panel, ...]:
    """Return the score: how many models of each side are out."""
    facts = (
        Fact(
            name=named([side]),
            value=said("out: {have} of {need}", have=game.out_count(side), need=game.starting_count(side)),
        )
        for side in game.setup.sides
    )
    return (Panel(title=said("Score"), facts=tuple(facts), standing=tuple(_word_standing(game))),)


def _word_standing(game: MatchRoads) -> Iterator[Said]:
    """Yield the side with the smaller share of losses, which rout tests depend on (C3)."""
    sides = game.setup.sides
    lost = {side: Fraction(game.out_count(side), max(1, game.starting_count(side))) for side in sides}
    least = min(lost.values())
    ahead = [side for side in sides if lost[side] == least]
    if len(ahead) == len(sides):
        yield said("Level: all sides have lost the same share of their models")
    else:
        yield said("Ahead, with fewer losses: {sides}", sides=named(ahead))


def list_goals(game: MatchRoads) -> tuple[Goal, ...]:
    """Return the goals: the last side with models on the table wins (`MatchRoads.concluded`)."""
    return tuple(Goal(side=side, text=_word_goal(game, side)) for side in game.setup.sides)


def _word_goal(game: MatchRoads, side: str) -> Said:
    """Return the goal; it counts the enemies left once one is gone."""
    left = sum(piece.side != side for piece in game.standing())
    if left == sum(game.starting_count(enemy) for enemy in game.setup.sides if enemy != side):
        return said("Take out or rout every enemy")
    return counted(
        "Take out or rout every enemy: {n} still stands", "Take out or rout every enemy: {n} still stand", left
    )


def advise(game: MatchRoads, question: AttackQuery) -> dict[str, Any]:
    """Return line of sight and range of an attack, with the odds of a melee."""
    attacker, defender = game.piece(question.attacker), game.piece(question.defender)
    pair = (attacker.id, defender.id)
    ruling = sight_document(game, *pair) if game.ground else None
    first, second = make_fighters(game, PendingDuel(fighters=pair))
    facts = {"ruling": ruling, "range": None if ruling is None else ruling["range"]}
    if not has_odds((first, second), game.rules.options):
        return {**facts, "odds": None}
    odds = melee_odds(first, second, game.rules.options)
    return {
        **facts,
        "odds": {
            "win": float(odds.chance(lambda outcome: outcome[0] == attacker.id)),
            "lose": float(odds.chance(lambda outcome: outcome[0] == defender.id)),
            "mean_hits": float(mean_hits(odds, attacker.id)),
            "mean_hits_taken": float(mean_hits(odds, defender.id)),
        },
    }
