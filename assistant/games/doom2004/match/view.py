"""The view of a DOOM 2004 match for each audience. Only the invader sees his hand; the marines' cards are face up."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from assistant.games.doom2004.match.attack_rules import damage_of, resolve_attack, resolve_shot
from assistant.games.doom2004.match.board_steps import DOOR_POINTS
from assistant.games.doom2004.match.state import Equipment, Match2004, PendingAttack2004
from assistant.games.doom2004.rules.reasons import ATTACK_RULES
from assistant.match.audience import Audience, Fact, Goal, Panel
from assistant.match.game import INVADER, MARINES, Piece
from assistant.match.ground import door_in_words, door_of, find_door_places, word_thing
from assistant.match.views import word_steps
from assistant.table.tracker import TrackerEntry, TrackerView
from assistant.translations.messages import Said, counted, listed, named, said, verbatim


def build_view(game: Match2004, audience: Audience) -> dict[str, Any]:
    """Return the parts of a view that are specific to this game."""
    return {
        "phase": game.phase,
        "figures": [_figure(game, piece) for piece in game.pieces.values() if piece.side == MARINES or piece.on_table],
        "box": _box(game),
        "turn": _turn(game),
        "attack": None if game.pending is None else _attack(game, game.pending, audience),
        "marines": {name: _marine(game, name) for name in game.equipment},
        "invader": _invader(game, audience),
        "spawned": game.spawned,
        "items": [{"id": item.id, "kind": item.kind, "cell": list(item.cell)} for item in game.items],
        "teleporters": [{"id": each.id, "cell": list(each.cell)} for each in game.setup.teleporters],
        "areas": list(game.areas_shown),
        "keys": list(game.keys),
        "frags": {"have": game.frags, "need": game.setup.goals.frags},
        "acted": list(game.acted),
    }


def build_tracker(game: Match2004) -> TrackerView:
    """Return the marines in their order, then the invader."""
    marines = [piece for piece in game.pieces.values() if piece.side == MARINES]
    order = [_marine_entry(game, piece) for piece in marines]
    standing = game.standing(INVADER)
    full = sum(game.wounds_of(piece) for piece in standing)
    left = full - sum(piece.harm for piece in standing)
    order.append(TrackerEntry(INVADER, 1, max(0, left), max(1, full)))
    names = [piece.id for piece in marines]
    active = None
    if game.phase == "marine" and game.turn is not None and game.interrupted is None:
        active = names.index(game.turn.figure)
    elif game.phase != "setup":
        active = len(names)
    return TrackerView(order=tuple(order), active=active, round=game.round)


def _figure(game: Match2004, piece: Piece) -> dict[str, Any]:
    return {
        "id": piece.id,
        "kind": piece.kind,
        "side": piece.side,
        "cells": [list(cell) for cell in piece.cells],
        "on_table": piece.on_table,
        "wounds": piece.harm,
        "health": game.wounds_of(piece),
        "armor": game.armor_of(piece),
        "ammo": sum(game.equipment[piece.id].ammo.values()) if piece.id in game.equipment else None,
        "marks": list(piece.marks),
    }


def _box(game: Match2004) -> dict[str, int]:
    # Everyone may count the remaining figures of a kind (B4: no more invaders than figures).
    left: dict[str, int] = {}
    for piece in game.pieces.values():
        if piece.side == INVADER and not piece.on_table:
            left[piece.kind] = left.get(piece.kind, 0) + 1
    return left


def _turn(game: Match2004) -> dict[str, Any] | None:
    if game.turn is None:
        return None
    return {
        "figure": game.turn.figure,
        "action": game.turn.action,
        "movement": game.turn.movement,
        "attacks": game.turn.attacks,
        "order_left": game.turn.order_left,
        "interrupts": None if game.interrupted is None else game.interrupted.figure,
    }


def _attack(game: Match2004, attack: PendingAttack2004, audience: Audience) -> dict[str, Any]:
    shots = [resolve_shot(game, attack, name) for name in attack.targets]
    aimed = resolve_attack(game, attack)
    return {
        "attacker": attack.attacker,
        "targets": [
            {"id": name, "wounds": shot.outcome.wounds, "killed": shot.is_killed}
            for name, shot in zip(attack.targets, shots, strict=True)
        ],
        "weapon": attack.weapon,
        "range": attack.range,
        "dice": [{"color": color, **asdict(face)} for color, face in attack.dice],
        "aimed": attack.aimed,
        "dodger": attack.dodger,
        "may_reroll": attack.may_reroll,
        "changes": [{"reason": reason, "range": far, "damage": hurt} for reason, far, hurt in attack.changes],
        "space": None if attack.space is None else list(attack.space),
        "scatters": attack.scatters,
        "scatter_card": None if attack.scatter_card is None else game.setup.cards[attack.scatter_card].name,
        "hit": aimed.outcome.hits,
        "damage": damage_of(game, attack),
        "steps": word_steps(aimed.reasons, ATTACK_RULES, audience.language),
    }


def _marine(game: Match2004, name: str) -> dict[str, Any]:
    carried = game.equipment[name]
    return {
        "armor": carried.armor,
        "ammo": dict(carried.ammo),
        "weapons": list(carried.weapons),
        "cards": list(carried.cards),
        "wounds_left": max(0, carried.wounds - game.piece(name).harm),
    }


def _invader(game: Match2004, audience: Audience) -> dict[str, Any]:
    deck, cards = game.deck, game.setup.cards
    shown: dict[str, Any] = {
        "pile": len(deck.pile),
        "hand": len(deck.hand),
        "discard": [{"id": card, "name": cards[card].name} for card in deck.discard],
    }
    if audience.sees(INVADER):
        shown["cards"] = [
            {
                "id": card,
                "name": cards[card].name,
                "spawns": [dict(group) for group in cards[card].spawns],
                "when": cards[card].when,
            }
            for card in deck.hand
        ]
    return shown


def _marine_entry(game: Match2004, piece: Piece) -> TrackerEntry:
    full = game.wounds_of(piece)
    left = max(0, full - piece.harm) if piece.on_table else 0
    return TrackerEntry(piece.id, 0, left, full, piece.id in game.acted)


def list_panels(game: Match2004, audience: Audience) -> tuple[Panel, ...]:
    """Return the panels beside the board, as far as this audience may see them."""
    marines = (_marine_panel(name, carried) for name, carried in game.equipment.items())
    return (_score_panel(game), *marines, _invader_panel(game, audience))


def _score_panel(game: Match2004) -> Panel:
    frags = said("{have} of {need}", have=game.frags, need=game.setup.goals.frags)
    keys = (Fact(name=said("Keys"), value=named(map(game.setup.name_key, game.keys))),) if game.keys else ()
    facts = (Fact(name=said("Frags"), value=frags), *keys)
    return Panel(title=said("Score"), facts=facts)


def list_goals(game: Match2004) -> tuple[Goal, ...]:
    """Return each side's winning condition in the scenario."""
    left = max(0, game.setup.goals.frags - game.frags)
    frags = counted("Frag marines: {n} more frag wins", "Frag marines: {n} more frags win", left)
    if not game.frags:
        frags = counted("Frag a marine", "Frag marines {n} times", left)
    return _find_way_out(game), Goal(side=INVADER, text=frags)


def _find_way_out(game: Match2004) -> Goal:
    door_id = game.setup.goals.escape_door
    if door_id is None:
        return Goal(side=MARINES, text=said("This table has no goal for the marines: end the match yourselves"))
    places = find_door_places(game, door_id)
    out = door_in_words(game, door_of(game, door_id)) if places else named([door_id])
    key = game.setup.locks.get(door_id)
    one, many = "Open the exit for {n} point and win: {exit}", "Open the exit for {n} points and win: {exit}"
    opens = counted(one, many, DOOR_POINTS, exit=out)
    if key is None:
        return Goal(side=MARINES, text=opens, places=places)
    if key in game.keys:
        text = said("The marines have {key}. {then}", key=game.setup.name_key(key), then=opens)
        return Goal(side=MARINES, text=text, places=places)
    there = [item for item in game.items if item.kind == "key" and item.what == key]
    if not there:
        text = said("Find the key “{key}”, then open the exit: {exit}", key=game.setup.name_key(key), exit=out)
        return Goal(side=MARINES, text=text, places=places)
    what = word_thing(game, there[0].id, there[0].cell)
    text = said("Bring {what} to the exit: {exit}", what=what, exit=out)
    return Goal(side=MARINES, text=text, places=((there[0].cell,), *places))


def _marine_panel(name: str, carried: Equipment) -> Panel:
    ammo = (said("{kind}: {count}", kind=kind, count=count) for kind, count in carried.ammo.items())
    facts = (
        Fact(name=said("Armour"), value=_number(carried.armor)),
        Fact(name=said("Weapons"), value=named(carried.weapons)),
        Fact(name=said("Ammunition"), value=listed(ammo)),
    )
    return Panel(title=named([name]), facts=facts, cards=tuple(named([card]) for card in carried.cards))


def _invader_panel(game: Match2004, audience: Audience) -> Panel:
    deck = game.deck
    facts = (
        Fact(name=said("In the hand"), value=_number(len(deck.hand))),
        Fact(name=said("In the deck"), value=_number(len(deck.pile))),
        Fact(name=said("Discarded"), value=_number(len(deck.discard))),
    )
    shown = tuple(deck.hand) if audience.sees(INVADER) else ()
    cards = tuple(game.setup.cards[card].text for card in shown)
    title = said("Hand: {figure}", figure=INVADER)
    return Panel(title=title, facts=facts, cards=cards, ids=shown, owner=INVADER, is_hand=True)


def _number(count: int) -> Said:
    return verbatim(str(count))
