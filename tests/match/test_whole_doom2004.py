"""A whole match of DOOM 2004 by the letter of seeds 002 and 004: every phase and every kind of card, then replayed."""

from __future__ import annotations

from types import ModuleType
from typing import Any, get_args

import pytest

from assistant.games.doom2004.match.setup import EventEffect, Window
from assistant.games.doom2004.match.state import Order, Phase2004
from assistant.games.doom2004.match.turn_steps import Action
from assistant.match.replay import replay_match

CARDS = {
    "before": {"name": "Before his turn", "when": "marine_turn"},
    "trap": {"name": "It is a trap", "when": "token_taken", "effects": [{"effect": "activate", "count": 2}]},
    "start": {"name": "At the start", "when": "turn_start", "effects": [{"effect": "told", "text": "Lights out."}]},
    "dark": {"name": "Dark energies", "when": "marine_attack", "effects": [{"effect": "heal", "wounds": 1}]},
    "duck": {"name": "Duck", "effects": [{"effect": "dodge"}]},
    "spawn": {"name": "Demon, or a trite", "spawns": [{"demon": 1}, {"trite": 1}]},
}
HALL = {
    "id": "hall",
    "door": "hall-door",
    "invaders": [{"kind": "demon", "cells": [[9, 2], [10, 2]]}],
    "items": [
        {"id": "rockets", "kind": "ammo", "what": "rockets", "count": 2, "cell": [6, 1]},
        {"id": "red-key", "kind": "key", "what": "red", "cell": [8, 3]},
    ],
}
GOOD = {"range": 4, "damage": 2, "ammo": False, "miss": False}
WEAK = {"range": 4, "damage": 1, "ammo": False, "miss": True}


@pytest.fixture
def match(build: ModuleType) -> Any:
    """Two marines before a hall's door, with the red security door at its end; the invader holds all cards."""
    base = build.mission(build.KNEE_DEEP)
    invaders = [{**each, "cells": {}} if each["kind"] == "imp" else each for each in base.setup["invaders"]]
    cards = {name: {**card, "scatter": [1, 0]} for name, card in CARDS.items()}
    items = [item for item in base.setup["items"] if item["kind"] == "weapon"]
    setup = {"invaders": invaders, "cards": cards, "items": items, "areas": [HALL]}
    played = build.begun(build.with_setup(base, **setup), seed="whole")
    played.do("see", document=build.corridor(14, 4, {"hall-door": ((5, 1), (6, 1)), "red-door": ((11, 1), (12, 1))}))
    return played


def shoot(match: Any, weapon: str, *faces: dict[str, Any], **target: Any) -> None:
    colors = {"pistol": ["yellow", "green"], "grenade": ["blue", "green"], None: ["red", "red"]}[weapon or None]
    dice = [[color, face] for color, face in zip(colors, faces, strict=True)]
    match.do("attack", rolled_here=False, dice=dice, **({"weapon": weapon} if weapon else {}), **target)


def test_a_match_from_the_set_up_to_the_red_door_and_its_replay(match: Any) -> None:
    match.do("begin")
    round_one(match)
    round_two(match)
    round_three(match)
    round_four(match)
    round_five(match)
    match.do("action", action="sprint")
    match.do("move", figure="red-marine", cells=[[11, 1]])
    match.do("door", door="red-door", open=True)
    assert match.game.winner == "marines"
    found = replay_match(match.document(), "match")
    assert found.findings == ()
    assert found.timeline.game == match.game
    assert kinds_declared() - kinds_played(match) == set()


def kinds_declared() -> set[str]:
    """Return every kind of card, moment, effect, action, order and phase that the game declares."""
    words = {"when": Window, "action": Action, "order": Order, "phase": Phase2004}
    declared = {f"{word} {kind}" for word, kinds in words.items() for kind in get_args(kinds)}
    effects = {f"effect {kind.__struct_config__.tag}" for kind in get_args(EventEffect)}
    return declared | effects | {"card spawn", "card event"}


def kinds_played(match: Any) -> set[str]:
    """Return the kinds of step that a match has played, by its events and its phases."""
    cards, played = match.game.setup.cards, {"phase setup"}
    for seq in range(1, match.session.seq + 1):
        played.add(f"phase {match.session.game_after(seq).phase}")
    entry = match.session.timeline.done
    while entry is not None:
        command = entry.event.command
        played |= {f"{word} {getattr(command, word)}" for word in ("action", "order") if hasattr(command, word)}
        card = cards.get(getattr(command, "card", None))
        if card is not None:
            played |= {f"when {card.when}", "card spawn" if card.is_spawn else "card event"}
            played |= {f"effect {each.__struct_config__.tag}" for each in card.effects}
        entry = entry.below
    return played


def round_one(match: Any) -> None:
    # An event before the turn, a token with its trap, an advance in two parts; then Ready with the order to guard.
    match.do("play_event", card="before")
    match.do("action", action="advance")
    match.do("move", figure="red-marine", cells=[[2, 0]])
    match.do("take", item="shotgun-token")
    match.do("play_event", card="trap")
    match.do("activate", figure="zombie-3", by_card=True)
    match.do("end")
    match.do("end_card")
    shoot(match, "pistol", GOOD, GOOD, targets=["zombie-1"])
    match.do("dodge_by_card", figure="zombie-1", card="duck")
    match.do("reroll", which=[0], rolled_here=False, faces=[GOOD])
    match.do("resolve")
    assert not match.game.piece("zombie-1").on_table
    match.do("end")
    match.do("action", action="ready")
    match.do("move", figure="green-marine", cells=[[2, 2]])
    match.do("order", order="guard")
    match.do("end")
    # The last card of the deck is a frag point; an event at the start of the turn; a spawn out of sight; a guard first.
    match.do("draw")
    assert match.game.frags == 1
    match.do("play_event", card="start")
    match.do("spawn", card="spawn", group=1, cells={"trite-1": [[7, 3]]})
    match.do("activations")
    match.do("activate", figure="zombie-3")
    match.do("move", figure="zombie-3", cells=[[3, 2]])
    match.do("attack", targets=["green-marine"], rolled_here=False, dice=[["red", GOOD]])
    shoot(match, "pistol", GOOD, GOOD, targets=["zombie-3"], guard="green-marine")
    match.do("resolve")
    assert match.game.pending is None
    match.do("end")
    match.do("end")


def round_two(match: Any) -> None:
    # A sprint opens the door of the hall, which is laid out; Ready without a move places the order to aim.
    match.do("action", action="sprint")
    match.do("move", figure="red-marine", cells=[[5, 1]])
    match.do("door", door="hall-door", open=True)
    match.do("reveal_area", area="hall")
    match.do("move", figure="red-marine", cells=[[6, 1]])
    match.do("take", item="rockets")
    match.do("end")
    match.do("action", action="ready")
    match.do("order", order="aim")
    match.do("end")
    pass_invader(match)


def round_three(match: Any) -> None:
    # A grenade misses and scatters onto the demon's other half; dark energies precede the second attack.
    match.do("action", action="unload")
    shoot(match, "grenade", WEAK, GOOD, space=[9, 2])
    match.do("resolve")
    match.do("scatter")
    assert match.game.piece("demon-1").harm == 1
    shoot(match, "pistol", GOOD, GOOD, targets=["demon-1"])
    match.do("play_event", card="dark", figure="demon-1")
    match.do("resolve")
    assert match.game.piece("demon-1").harm == 1
    match.do("end")
    # A telefrag; then the demon snakes up to the red marine and bites.
    match.do("action", action="advance")
    match.do("move", figure="green-marine", cells=[[1, 2]])
    match.do("teleport", teleporter="teleporter-2", cost=1)
    assert not match.game.piece("trite-1").on_table
    match.do("end")
    match.do("draw")
    match.do("activations")
    match.do("activate", figure="demon-1")
    match.do("move", figure="demon-1", cells=[[7, 2], [8, 2]])
    shoot(match, "", GOOD, GOOD, targets=["red-marine"])
    match.do("resolve")
    assert match.game.piece("red-marine").harm == 2
    match.do("end")
    match.do("end")


def round_four(match: Any) -> None:
    # Ready with an attack and the order to dodge; the key.
    match.do("action", action="ready")
    shoot(match, "pistol", GOOD, GOOD, targets=["demon-1"])
    match.do("resolve")
    assert match.game.standing("invader") == ()
    match.do("order", order="dodge")
    match.do("end")
    match.do("action", action="advance")
    match.do("move", figure="green-marine", cells=[[8, 3]])
    match.do("take", item="red-key")
    match.do("end")
    pass_invader(match)


def round_five(match: Any) -> None:
    # Ready with the order to heal, which the medic uses.
    match.do("action", action="ready")
    match.do("end")
    match.do("action", action="ready")
    match.do("order", order="heal")
    match.do("end")
    match.do("use_order", figure="green-marine", order="heal")
    pass_invader(match)


def pass_invader(match: Any) -> None:
    match.do("draw")
    if "start" in match.game.deck.hand:
        match.do("play_event", card="start")
    match.do("activations")
    match.do("end")
