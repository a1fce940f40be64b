"""What everybody may know of a `roads` skirmish: nothing in it is hidden."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.games.roads.match.duel import resolve_duel
from assistant.games.roads.match.state import DOWN, MOVED, PHASE_WORDS, RAGING, SHOT, TEST_WORDS, WATCH, MatchRoads
from assistant.games.roads.rules.melee_reasons import MELEE_RULES
from assistant.match.audience import Audience, Prompt
from assistant.match.game import Piece
from assistant.match.views import word_steps
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.messages import counted, said


def build_view(game: MatchRoads, audience: Audience) -> dict[str, Any]:
    """The parts of a view that are this system's own."""
    return {
        "phase": game.phase,
        "active": game.active,
        "figures": [_figure(game, piece) for piece in game.pieces.values()],
        "due": [msgspec.to_builtins(due) for due in game.due],
        "hits": [msgspec.to_builtins(hit) for hit in game.hits],
        "fight": None if game.duel is None else _fight(game, audience),
        "fought": [list(pair) for pair in game.fought],
        "reaction": None if game.reaction is None else msgspec.to_builtins(game.reaction),
        "flights": dict(game.flights),
        "to_draw_in": list(game.to_draw_in),
        "to_advance": list(game.to_advance),
        "sides": [
            {"side": side, "started": game.starting_count(side), "out": game.out_count(side)}
            for side in game.setup.sides
        ],
    }


def list_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    """What is asked for now: hits, tests, flights and drawing in come before what a side may do."""
    if game.phase == "setup":
        return (Prompt(type="begin", text=said("Begin the skirmish")),)
    if game.hits:
        hit = game.hits[0]
        text = counted(
            "{n} hit on {figure} by {by}: roll armour and say what comes of it",
            "{n} hits on {figure} by {by}: roll armour and say what comes of it",
            hit.hits,
            figure=hit.figure,
            by=hit.by,
        )
        return (Prompt(type="wound", text=text, fields={"figure": hit.figure}),)
    if game.due:
        return _test_prompts(game)
    if game.flights:
        name, steps = next(iter(game.flights.items()))
        side = game.piece(name).side
        text = counted("{figure} flees {n} step", "{figure} flees {n} steps", steps, figure=name)
        return (Prompt(type="flee", text=text, side=side, fields={"figure": name}),)
    if game.duel is not None:
        return (
            Prompt(type="strike", text=said("Decide the fight")),
            Prompt(type="reroll", text=said("Block, or hatred")),
        )
    return (*_advances(game), *_draw_ins(game), *_phase_prompts(game))


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
        "marks": list(piece.marks),
    }


def _fight(game: MatchRoads, audience: Audience) -> dict[str, Any]:
    duel, result = game.duel, resolve_duel(game)
    assert duel is not None
    return {
        "fighters": list(duel.fighters),
        "rolls": [list(roll.final) for roll in duel.rolls],
        "results": list(result.results),
        "winner": result.winner,
        "hits": result.hits,
        "steps": word_steps(result.steps, MELEE_RULES, audience.language),
    }


def _test_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    due = game.due[0]
    who = due.figure or due.side
    if due.value is None:
        text = said("{who}: roll for {kind}", who=who, kind=TEST_WORDS[due.kind])
    else:
        text = said("{who}: test of {kind}, {value} or less", who=who, kind=TEST_WORDS[due.kind], value=due.value)
    test = Prompt(type="test", text=text, side=due.side)
    if due.kind == "rout":
        return (test, Prompt(type="withdraw", text=said("{side} withdraw", side=due.side), side=due.side))
    if due.figure is not None and RAGING in game.piece(due.figure).marks:
        return (
            test,
            Prompt(type="waive", text=said("{figure} is in frenzy and ignores it", figure=who), side=due.side),
        )
    return (test,)


def _advances(game: MatchRoads) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(
            type="advance",
            text=said("{figure} may advance a step", figure=name),
            side=game.piece(name).side,
            fields={"figure": name},
        )
        for name in game.to_advance
    )


def _draw_ins(game: MatchRoads) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(
            type="draw_in",
            text=said("Draw {figure} into the melee", figure=name),
            side=game.piece(name).side,
            fields={"figure": name},
        )
        for name in game.to_draw_in
    )


def _phase_prompts(game: MatchRoads) -> tuple[Prompt, ...]:
    over = said("{side}: end of the phase “{phase}”", side=str(game.active), phase=PHASE_WORDS[game.phase])
    by_phase = {
        "start": (("watch", said("Let a model watch")),),
        "move": (("move", said("Move a model")), ("charge", said("Charge")), ("hide", said("Hide a model"))),
        "shoot": (("shoot", said("Shoot")), ("react", said("The target of an announced shot reacts"))),
        "melee": (("fight", said("Let two models fight")),),
    }
    offers = (
        Prompt(type=kind, text=text, side=None if kind == "react" else game.active)
        for kind, text in by_phase[game.phase]
    )
    return (*offers, *_watchers(game), Prompt(type="next", text=over, side=game.active))


def _watchers(game: MatchRoads) -> tuple[Prompt, ...]:
    """Models of the other sides that may shoot in this turn because they watch (C5)."""
    return tuple(
        Prompt(
            type="shoot",
            text=said("{figure} shoots from the watch", figure=piece.id),
            side=piece.side,
            fields={"figure": piece.id},
        )
        for piece in game.standing()
        if piece.side != game.active and WATCH in piece.marks
    )
