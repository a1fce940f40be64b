"""The view of a DOOM 2016 match for each audience: only owners see hands, face-down cards and portals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assistant.games.doom2016.match.attack_rules import damage_of, explain_attack, has_cover
from assistant.games.doom2016.match.card_words import word_effects
from assistant.games.doom2016.match.cards import has_main_left
from assistant.games.doom2016.match.invader import count_argent_left
from assistant.games.doom2016.match.places import GLORY
from assistant.games.doom2016.match.rounds import list_ready_kinds
from assistant.games.doom2016.match.state import STUNNED, Activation, Match2016, find_abilities
from assistant.games.doom2016.rules.reasons import ATTACK_RULES
from assistant.match.audience import Audience
from assistant.match.deck import Deck
from assistant.match.game import INVADER, MARINES, Piece
from assistant.match.views import word_steps
from assistant.table.tracker import TrackerEntry, TrackerView


def build_view(game: Match2016, audience: Audience) -> dict[str, Any]:
    """Return the parts of a view that are specific to this game."""
    piles = count_token_piles(game)
    return {
        "phase": game.phase,
        # Figures in the box would betray the face-down demon cards, so only the invader sees them listed.
        "figures": [
            _figure(game, piece, piles[piece.id])
            for piece in game.pieces.values()
            if piece.side == MARINES or piece.on_table or audience.sees(INVADER)
        ],
        # Everyone can count the remaining cards; nobody knows their order.
        "initiative": {"left": dict(sorted(Counter(game.initiative).items())), "shuffled_here": game.shuffled_here},
        "turn": None if game.turn is None else _turn(game, game.turn, audience),
        "attack": _attack(game, audience),
        "decks": {owner: _deck(game, owner, deck, audience) for owner, deck in game.decks.items()},
        "demon_cards": _demon_cards(game, audience),
        "argent_left": count_argent_left(game),
        "invasion": _invasion(game, audience),
        "portals": [
            {"id": one.id, "cell": list(one.cell), "color": one.color if audience.sees(INVADER) else None}
            for one in game.portals
        ],
        "summons_due": list(game.summons_due),
        "threat": game.threat,
        "triggers": [
            {"name": trigger.name, "card": trigger.card, "happened": trigger.name in game.fired}
            for trigger in game.setup.triggers
        ],
        "teleporters": [
            {"id": t.id, "cell": list(t.cell), "active": t.id in game.teleporters_active}
            for t in game.setup.teleporters
        ],
        "items": [{"id": item.id, "kind": item.kind, "cell": list(item.cell)} for item in game.items],
        "frags": {"have": game.frags, "need": game.setup.goals.frags.get(str(len(game.setup.marines)))},
        "objectives": {"have": game.objectives, "need": game.setup.goals.objectives},
        "acted": list(game.acted),
    }


def build_tracker(game: Match2016) -> TrackerView:
    """Return marines one by one, then the demons by kind, without the order of the hidden cards."""
    marines = [piece for piece in game.pieces.values() if piece.side == MARINES]
    kinds = game.kinds_on_table()
    names = [piece.id for piece in marines] + list(kinds)
    who = None if game.turn is None else (game.turn.kind or game.turn.figure)
    return TrackerView(
        order=(*(_marine_entry(game, piece) for piece in marines), *(_kind_entry(game, kind) for kind in kinds)),
        active=names.index(who) if who in names else None,
        round=game.round,
    )


def _figure(game: Match2016, piece: Piece, tokens: tuple[int, int]) -> dict[str, Any]:
    return {
        "id": piece.id,
        "kind": piece.kind,
        "side": piece.side,
        "cells": [list(cell) for cell in piece.cells],
        "on_table": piece.on_table,
        "damage": piece.harm,
        "tokens": {"1": tokens[0], "3": tokens[1]},
        "health": game.health_of(piece),
        "marks": list(piece.marks),
        "staggered": game.is_staggered(piece),
        "abilities": [ability.name for ability in find_abilities(game, piece)],
    }


def _turn(game: Match2016, turn: Activation, audience: Audience) -> dict[str, Any]:
    return {
        "side": turn.side,
        "figure": turn.figure,
        "kind": turn.kind,
        "queue": list(turn.queue),
        "movement": turn.movement,
        "attacks": [
            {
                "range": attack.range,
                "dice": dict(attack.dice),
                "effects": word_effects(attack.effects, audience.language),
            }
            for attack in turn.attacks
        ],
        "glory": [game.card(card).name for card in turn.glory],
        "main_used": turn.side == MARINES and turn.figure is not None and not has_main_left(game),
        "in_play": [game.card(card).name for card in turn.in_play],
        "ready_kinds": list(list_ready_kinds(game)) if audience.sees(INVADER) else [],
    }


def _attack(game: Match2016, audience: Audience) -> dict[str, Any] | None:
    attack = game.pending
    if attack is None:
        return None
    return {
        "attacker": attack.attacker,
        "defender": attack.defender,
        "dice": [[color, icons] for color, icons in attack.dice],
        "cover": has_cover(game, attack),
        "defended": attack.defended,
        "dice_due": dict(attack.dice_due),
        "rerolls": attack.rerolls,
        "stuns": attack.stuns,
        "revealed": [game.card(card).name for card in attack.revealed],
        "cards": [{"shields": card.shields, "dodge": card.dodge, "special": card.special} for card in attack.cards],
        "dodge": attack.reaction_dodge,
        "changes": [
            {"reason": reason, "damage": damage, "shields": shields} for reason, damage, shields in attack.changes
        ],
        "damage": damage_of(game, attack),
        "steps": word_steps(explain_attack(game, attack), ATTACK_RULES, audience.language),
    }


def _deck(game: Match2016, owner: str, deck: Deck, audience: Audience) -> dict[str, Any]:
    side = INVADER if owner == INVADER else MARINES
    shown: dict[str, Any] = {
        "pile": len(deck.pile),
        "hand": len(deck.hand),
        "discard": [{"id": card, "name": game.card(card).name} for card in deck.discard],
    }
    if owner != GLORY and audience.sees(side):
        cards = ((card, game.card(card)) for card in deck.hand)
        shown["cards"] = [
            {"id": name, "name": card.name, "effects": word_effects(card.effects, audience.language)}
            for name, card in cards
        ]
    return shown


def _demon_cards(game: Match2016, audience: Audience) -> list[dict[str, Any]]:
    cards = [
        {
            "kind": kind if card.face_up or audience.sees(INVADER) else None,
            "face_up": card.face_up,
            "ready": card.ready,
            "argent": card.argent,
        }
        for kind, card in game.demon_cards.items()
    ]
    # A position among the others would identify face-down cards, so they come last for everyone.
    return sorted(cards, key=lambda shown: not shown["face_up"])


def _invasion(game: Match2016, audience: Audience) -> dict[str, Any]:
    shown: dict[str, Any] = {"argent": game.invasion_argent}
    if audience.sees(INVADER):
        shown["groups"] = [
            {"portal": group.portal, "demons": dict(group.demons), "argent": group.argent}
            for group in game.setup.invasion
        ]
    return shown


def _marine_entry(game: Match2016, piece: Piece) -> TrackerEntry:
    health = game.health_of(piece)
    left = max(0, health - piece.harm) if piece.on_table else 0
    done = game.acted.count(piece.id) > game.initiative.count(piece.id)
    return TrackerEntry(piece.id, 0, left, health, done, STUNNED in piece.marks)


def _kind_entry(game: Match2016, kind: str) -> TrackerEntry:
    figures = [piece for piece in game.standing(INVADER) if piece.kind == kind]
    health = game.demon_setup(kind).health
    each = tuple(health - piece.harm for piece in figures)
    left = sum(each)
    stunned = all(STUNNED in piece.marks for piece in figures)
    parts = each if len(each) > 1 else ()
    return TrackerEntry(kind, 1, left, health * len(figures), kind in game.acted, stunned, parts)


def count_token_piles(game: Match2016) -> Mapping[str, tuple[int, int]]:
    """Return the tokens of 1 and of 3 damage beside each figure: as few as possible (rules A0, A5).

    Threes go to the figures in the order of the mission until the box has none left. Ones never run out.
    """
    threes_left = game.setup.damage_tokens[1]
    piles = {}
    for piece in game.pieces.values():
        threes = min(piece.harm // 3, threes_left)
        threes_left -= threes
        piles[piece.id] = (piece.harm - 3 * threes, threes)
    return piles
