"""A whole mission of DOOM 2016 by the letter of seed 001: every phase and every kind of card, then replayed."""

from __future__ import annotations

from types import ModuleType
from typing import Any, get_args

import pytest
from msgspec.structs import fields

from assistant.games.doom2016.match.setup import Ability, CardKind, Effect, Moment, Outcome, Trigger, When
from assistant.games.doom2016.match.state import Phase2016
from assistant.match.replay import replay_match

RED = {"range": 9, "dice": {"red": 1}}
CARDS = {
    "shot": {"name": "Shot", "kind": "main", "movement": 2, "attack": RED},
    "rocket": {
        "name": "Rocket",
        "kind": "main",
        "attack": {**RED, "effects": [{"effect": "area_damage", "damage": 1}, {"effect": "ignore_cover"}]},
    },
    "freeze": {"name": "Freeze", "kind": "bonus", "attack": {**RED, "effects": [{"effect": "stun"}]}},
    "run": {"name": "Run", "kind": "bonus", "movement": 4},
    "block": {
        "name": "Block",
        "kind": "reaction",
        "when": "defending",
        "effects": [{"effect": "dodge"}, {"effect": "shields", "count": 1}],
    },
    "fury": {"name": "Fury", "when": "attacking", "effects": [{"effect": "dice", "dice": {"red": 1}}]},
    "skin": {"name": "Skin", "when": "defending", "effects": [{"effect": "damage", "amount": -1}]},
    "savage": {
        "name": "Savage",
        "when": "activation",
        "effects": [
            {"effect": "movement", "points": 2},
            {"effect": "heal", "points": 1},
            {"effect": "draw"},
            {"effect": "attack", "attack": RED},
            {"effect": "told", "text": "Shout."},
        ],
    },
    "gun-1": {"name": "Gun", "kind": "main", "attack": RED},
}
STEADY = {"name": "Steady", "when": "attacking", "exhausts": True, "effects": [{"effect": "reroll"}]}
DASH = {"name": "Dash", "action": "bonus", "effects": [{"effect": "movement", "points": 1}]}
RUSH = {"name": "Rush", "action": "main", "effects": [{"effect": "movement", "points": 6}]}
RAGE = {"name": "Rage", "when": "attacking", "argent": 1, "effects": [{"effect": "damage", "amount": 1}]}
TRIGGERS = [
    {"name": "Onslaught", "card": "threat", "on": "status", "outcomes": [{"outcome": "threat", "count": 2}]},
    {
        "name": "Infestation",
        "card": "threat",
        "on": "door_opened",
        "outcomes": [{"outcome": "summon", "portals": ["portal-1"]}],
    },
    {
        "name": "The way out",
        "card": "objective",
        "on": "area_entered",
        "area": [[12, 0], [12, 1], [12, 2]],
        "outcomes": [{"outcome": "win", "side": "marines"}],
    },
]


@pytest.fixture
def match(build: ModuleType) -> Any:
    """Two marines with every card in hand; demons before the door, portals behind it."""
    base = build.mission(build.TUTORIAL)
    deck = ["shot", "rocket", "freeze", "run", "block", "shot", "run", "block"]
    marines = [
        {**each, "deck": deck, "hand": 8, "abilities": [STEADY, DASH, RUSH]} for each in base.setup["marines"][:2]
    ]
    demons = [{**each, "abilities": [RAGE]} for each in base.setup["demons"]]
    cards = {"cards": CARDS, "events": ["fury", "skin"] * 3, "glory": ["savage"] * 2}
    items = [{**item, "cards": ["gun-1"]} if item["kind"] == "weapon" else item for item in base.setup["items"]]
    goals = {"frags": {"2": 4}}
    setup = {**cards, "marines": marines, "demons": demons, "items": items, "goals": goals, "triggers": TRIGGERS}
    played = build.begun(build.with_setup(base, **setup, threat_cost=2), seed="whole")
    played.do("see", document=build.TABLES[build.TUTORIAL](base))
    return played


def attack(match: Any, defender: str, *icons: int) -> None:
    colors = sorted(match.game.turn.attacks[0].dice)
    match.do(
        "attack", defender=defender, rolled_here=False, dice=[list(pair) for pair in zip(colors, icons, strict=True)]
    )


def finish(match: Any) -> None:
    match.do("defend")
    match.do("resolve")


def test_a_mission_from_the_set_up_to_the_way_out_and_its_replay(match: Any) -> None:
    the_status_phase_summons(match)
    alpha_shoots(match)
    the_possessed_attack(match)
    bravo_blasts(match)
    the_rest_of_round_one(match)
    a_door_brings_more(match)
    the_marines_get_out(match)
    assert match.game.winner == "marines"
    found = replay_match(match.document(), "match")
    assert found.findings == ()
    assert found.timeline.game == match.game
    assert kinds_declared() - kinds_played(match) == set()


def kinds_declared() -> set[str]:
    """Return every kind of card, effect, moment, cost, trigger and phase that the game declares."""
    tags = [("effect", kind) for kind in get_args(Effect)] + [("outcome", kind) for kind in get_args(Outcome)]
    (cards,) = (field.type for field in fields(Trigger) if field.name == "card")
    (actions,) = (get_args(field.type)[0] for field in fields(Ability) if field.name == "action")
    words = {
        "card": CardKind,
        "when": When,
        "moment": Moment,
        "phase": Phase2016,
        "trigger": cards,
        "cost": actions,
    }
    declared = {f"{word} {kind}" for word, kinds in words.items() for kind in get_args(kinds)}
    costs = {"cost exhausts", "cost argent"}
    return declared | {f"{word} {kind.__struct_config__.tag}" for word, kind in tags} | costs


def kinds_played(match: Any) -> set[str]:
    """Return the kinds of step that a match has played, by its events and its phases."""
    setup, played = match.game.setup, {"phase setup"}
    for seq in range(1, match.session.seq + 1):
        played.add(f"phase {match.session.game_after(seq).phase}")
    for entry in entries(match):
        command = entry.event.command
        if getattr(command, "ability", None):
            abilities = [*setup.marines, *setup.demons]
            played |= kinds_of_ability(next(a for one in abilities for a in one.abilities if a.name == command.ability))
        elif getattr(command, "card", None) in setup.cards and command.__struct_config__.tag != "sprint":
            played |= kinds_of_card(setup.cards[command.card], command.__struct_config__.tag)
    for trigger in setup.triggers:
        if trigger.name in match.game.fired:
            played |= {f"trigger {trigger.card}", f"moment {trigger.on}"}
            played |= {f"outcome {each.__struct_config__.tag}" for each in trigger.outcomes}
    return played


def kinds_of_ability(ability: Ability) -> set[str]:
    costs = {"exhausts": ability.exhausts, "argent": ability.argent, ability.action: ability.action}
    return {
        f"when {ability.when}",
        *(f"cost {name}" for name, is_paid in costs.items() if is_paid),
        *(f"effect {each.__struct_config__.tag}" for each in ability.effects),
    }


def kinds_of_card(card: Any, step: str) -> set[str]:
    attack = () if card.attack is None else card.attack.effects
    kinds = {f"when {card.when}", *(f"effect {each.__struct_config__.tag}" for each in (*card.effects, *attack))}
    return kinds | {f"card {card.kind}"} if step in ("play", "react") else kinds


def entries(match: Any) -> list[Any]:
    """Return the entries that are not undone, the newest first."""
    found, entry = [], match.session.timeline.done
    while entry is not None:
        found.append(entry)
        entry = entry.below
    return found


def the_status_phase_summons(match: Any) -> None:
    # Threat pays for a summoning before the first activation; the kind that comes has its initiative card.
    match.do("status", shuffled_here=False)
    match.do("spend_threat", portal="portal-2")
    match.do(
        "summon", portal="portal-2", group=3, cells={"pinky-1": [[11, 0]], "pinky-2": [[11, 2]]}, argent={"pinky": 1}
    )
    assert sorted(match.game.initiative) == ["alpha", "bravo", "invader", "invader", "invader"]
    match.do("draw_events")
    match.do("gain_argent", cards=["skin"], onto={"possessed": 1})


def alpha_shoots(match: Any) -> None:
    # A main action with an attack, a die rolled again by the class card, an event in the defence, a bonus that stuns.
    match.do("reveal", card="alpha")
    match.do("play", card="shot")
    attack(match, "imp-1", 0)
    match.do("defend")
    match.do("play_event", card="skin")
    match.do("use_ability", figure="alpha", ability="Steady")
    match.do("reroll", which=[0], rolled_here=False, faces=[3])
    match.do("resolve")
    assert match.game.piece("imp-1").harm == 2
    match.do("play", card="freeze")
    attack(match, "possessed-1", 1)
    match.do("defend")
    match.do("resolve")
    match.do("use_ability", figure="alpha", ability="Dash")
    match.do("end")


def the_possessed_attack(match: Any) -> None:
    # Movement and one attack each; argent for an ability, an added die, a reaction that dodges.
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="possessed")
    match.do("activate", figure="possessed-2")
    match.do("move", figure="possessed-2", cells=[[2, 1]])
    match.do("attack", defender="alpha", rolled_here=False, dice=[["black", 1], ["black", 1]])
    match.do("defend")
    match.do("react", card="block")
    match.do("use_ability", figure="possessed-2", ability="Rage")
    match.let_be()
    match.do("play_event", card="fury")
    match.do("roll_added", rolled_here=False, dice=[["red", 2]])
    match.do("resolve")
    assert match.game.piece("alpha").harm == 0
    match.do("end")
    match.do("end")


def bravo_blasts(match: Any) -> None:
    # Damage to an area, a glory kill on the way with its card, a health pack.
    match.do("reveal", card="bravo")
    match.do("play", card="rocket")
    attack(match, "imp-1", 0)
    finish(match)
    match.do("damage", figure="bravo", amount=5)
    match.do("damage", figure="possessed-2", amount=2 - match.game.piece("possessed-2").harm)
    match.do("play", card="run")
    match.do("move", figure="bravo", cells=[[2, 1]])
    assert not match.game.piece("possessed-2").on_table
    match.do("use_glory", card="savage")
    match.do("move", figure="bravo", cells=[[2, 2]])
    match.do("take", item="health-1")
    assert match.game.piece("bravo").harm == 0
    match.do("end")


def the_rest_of_round_one(match: Any) -> None:
    # An imp frags Alpha; the pinkies wait behind the door.
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-2")
    match.do("damage", figure="alpha", amount=9)
    attack(match, "alpha", 1, 3)
    finish(match)
    assert match.game.frags == 1
    match.do("end")
    match.do("end") if match.game.turn is not None else None
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="pinky")
    match.do("end")
    assert match.game.phase == "round over"


def a_door_brings_more(match: Any) -> None:
    # Alpha comes back, sprints and opens the door: the blue portal turns over at once.
    match.do("status", shuffled_here=False)
    for name in ("imp-1", "imp-2", "possessed-1"):
        match.do("frag", figure=name) if match.game.piece(name).on_table else None
    match.do("reveal", card="alpha")
    match.do("respawn", teleporter="teleporter-1")
    match.do("sprint", card="run")
    match.do("move", figure="alpha", cells=[[6, 1]])
    match.do("end")
    match.do("reveal", card="bravo")
    match.do("sprint", card="run" if "run" in match.game.deck("bravo").hand else match.game.deck("bravo").hand[0])
    match.do("place", figure="alpha", cells=[[5, 1]])
    match.do("move", figure="bravo", cells=[[6, 1]])
    match.do("open_door", door="d1")
    match.do(
        "summon",
        portal="portal-1",
        group=0,
        cells={"possessed-3": [[8, 1]], "possessed-4": [[8, 2]]},
        argent={"possessed": 1},
    )
    match.do("end")
    while match.game.phase != "round over":
        match.do("reveal", card="invader")
        if match.game.turn is not None:
            match.do("activate_kind", kind=next(k for k, c in match.game.demon_cards.items() if c.ready and c.face_up))
            match.do("end")


def the_marines_get_out(match: Any) -> None:
    # A weapon with its cards, a sleeping teleporter that turns over, and the way out.
    match.do("status", shuffled_here=False)
    match.do("reveal", card="bravo")
    match.do("play", card="run") if "run" in match.game.deck("bravo").hand else match.do("sprint", card="shot")
    match.do("move", figure="bravo", cells=[[7, 0]])
    match.do("take", item="launcher")
    assert match.game.deck("bravo").pile[0] == "gun-1"
    match.do("move", figure="bravo", cells=[[9, 2]])
    assert "teleporter-2" in match.game.teleporters_active
    match.do("end")
    match.do("reveal", card="alpha")
    match.do("place", figure="alpha", cells=[[0, 2]])
    match.do("use_ability", figure="alpha", ability="Rush")
    match.do("place", figure="bravo", cells=[[9, 1]])
    match.do("teleport", teleporter="teleporter-2")
    match.do("move", figure="alpha", cells=[[12, 1]])
