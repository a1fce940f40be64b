"""A whole skirmish of “Дороги Апокалипсиса” by the letter of its fragment, from the set-up to the rout, and its replay.

Warbands, places and dice are ours. People enter what the fragment lacks (the roll of a shot, armour, wounds), as at a
table. Every phase is played: tests at the start of a turn, movement with a watch, charges, a jump and a way, shots
with a reaction, an ambush, fights with every modifier that arises, an advance, a flight and its rally, and the rout.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, get_args

import pytest
from msgspec.structs import fields

from assistant.errors import IllegalStep
from assistant.games.roads.match.jump_steps import Kind
from assistant.games.roads.match.model_steps import MoveModel
from assistant.games.roads.match.pending import ReactionKind, TestKind
from assistant.games.roads.match.state import PhaseRoads
from assistant.match.audience import PUBLIC, Audience
from assistant.match.replay import replay_match
from assistant.match.session import Session

ARMS = {
    "crossbow": {"kind": "bulky", "silent": True, "range_steps": 30},
    "grenade": {"kind": "thrown", "range_steps": 3},
}


def begin(roads: ModuleType) -> Any:
    return roads.skirmish(
        roads.fighter("mortar", "knights", 200, 200, toughness=6, spirit=5, shield=True, is_leader=True),
        roads.fighter("squire", "knights", 200, 350, weapons=["axe", "mace"]),
        roads.fighter("archer", "knights", 150, 500, weapons=["crossbow"], carries=["knife"]),
        roads.fighter("zealot", "knights", 200, 650, frenzy=True, charge_steps=6),
        roads.fighter("recruit", "knights", 700, 700, spirit=3),
        roads.fighter("chief", "diggers", 900, 200, shield=True, is_leader=True),
        roads.fighter("hater", "diggers", 900, 350, weapons=["pick", "grenade"], hates=["knights"]),
        roads.fighter("ogre", "diggers", 900, 500, toughness=6, spirit=2, dice=2, fear=True, stupid=True),
        roads.fighter("horror", "diggers", 930, 650, toughness=5, terror=True),
        terrain=(roads.wall("hedge", 170, 450, 180, 550, height_mm=15, kind="cover"),),
        arms=ARMS,
    )


def first_turns(roads: ModuleType, match: Any) -> None:
    """A watch, a hidden archer, a stupid ogre, a run under fire and a shot that is ducked."""
    match.do("watch", figure="squire")
    match.do("next")
    match.do("hide", figure="archer")
    match.do("move", figure="mortar", path=[[300, 200], [400, 200]])
    match.do("move", figure="zealot", center_mm=[500, 650])
    for _ in range(3):
        match.do("next")

    assert [due.kind for due in match.game.due] == ["stupidity"]
    roads.roll(match, 3, 5)
    assert "still" in roads.marks(match, "ogre"), "it drools all turn"
    match.do("next")
    match.do("move", figure="hater", how="run", path=[[700, 350], [600, 350]])
    match.do("shoot", figure="squire", target="hater", moment=0.5, hits=1)
    match.do("wound", figure="hater")
    match.do("go_on")
    assert match.game.piece("hater").center_mm == (600, 350)
    match.do("move", figure="chief", center_mm=[700, 200])
    match.do("move", figure="horror", center_mm=[800, 650])
    match.do("next")
    with pytest.raises(IllegalStep, match="ran or is on overwatch"):
        match.do("shoot", figure="hater", target="squire")
    match.do("react", figure="mortar", shooter="chief", how="duck", rolled_here=False, roll=6)
    match.do("shoot", figure="chief", target="mortar", total=9)
    match.do("next")
    match.do("next")


def second_turn_of_the_knights(roads: ModuleType, match: Any) -> None:
    """Terror and flight, a frenzied charge, a jump within a charge, an ambush given away, and three fights."""
    assert [(due.kind, due.figure) for due in match.game.due] == [("terror", "recruit")]
    roads.roll(match, 4, 2)
    match.do("flee", figure="recruit")
    assert match.game.piece("recruit").center_mm == pytest.approx((610.557, 744.721), abs=0.01)
    match.do("next")
    with pytest.raises(IllegalStep, match="must charge"):
        match.do("move", figure="zealot", center_mm=[500, 700])
    match.do("charge", figure="zealot", target="horror")
    assert match.game.due == (), "frenzy ignores fear"
    match.do("charge", figure="squire", target="hater")
    match.do("manoeuvre", figure="mortar", kind="gap", steps=1, left=3, fall_steps=2)
    roads.roll(match, 4)
    match.do("charge", figure="mortar", target="chief")
    match.do("next")
    match.do("shoot", figure="archer", target="ogre", weapon="crossbow", hits=1, misfire_test=True)
    assert match.game.noticed == ()
    match.do("wound", figure="ogre", wounds=1)
    assert "camouflaged" not in roads.marks(match, "archer"), "silent, but the ogre has not died"
    match.do("next")

    match.do("fight", fighters=["squire", "hater"], rolled_here=False, rolls=[[5, 2], [1, 3]])
    match.do("reroll", figure="hater", why="hatred", which=[0], rolled_here=False, faces=[4])
    assert match.session.view(PUBLIC)["fight"]["results"] == [5 + 4 + 4 + 1, 4 + 4 + 4]
    match.do("strike")
    assert match.game.hits[0].weapons == ("axe", "mace")
    match.do("wound", figure="hater", wounds=1, down=True)
    match.do("fight", fighters=["mortar", "chief"], rolled_here=False, rolls=[[3], [3]])
    with pytest.raises(IllegalStep, match="two shields"):
        match.do("reroll", figure="chief", why="block")
    match.do("strike")
    match.do("wound", figure="chief", out=True)
    match.do("advance", figure="mortar", center_mm=[675, 240])
    told = roads.fight(match, "zealot", "horror", [6, 6], [2])
    assert told["results"] == [6 + 4 + 4 + 1 + 1, 2 + 5 + 4], "a charge and a critical blow; frenzy has two dice"
    match.do("wound", figure="horror", wounds=2)
    match.do("next")


def second_turn_of_the_diggers(roads: ModuleType, match: Any) -> None:
    """Play a fearsome charge, two against one, and blows at a fallen model."""
    assert [(due.kind, due.value) for due in match.game.due] == [("stupidity", 2)], "one of four is no third"
    roads.roll(match, 2)
    match.do("next")
    match.do("stand_up", figure="hater")
    match.do("charge", figure="ogre", target="squire", path=[[575, 450]])
    assert match.game.due[0].value == 5, "the leader is within three steps and lends his Spirit"
    roads.roll(match, 5)
    match.do("next")
    match.do("next")
    told = roads.fight(match, "ogre", "squire", [5, 3, 2], [4, 2])
    assert told["results"] == [5 + 5 + 4 + 1 + 1, 4 + 4 + 4], "a wound, a charge, and one more on its side"
    match.do("wound", figure="squire", wounds=1, down=True)
    match.do("fight", fighters=["hater", "squire"], rolled_here=False, rolls=[[], []])
    match.do("strike")
    assert match.game.hits[0].hits == 3, "two weapons and one more on its side, all of them hit"
    match.do("wound", figure="squire")
    told = roads.fight(match, "horror", "zealot", [6], [2, 1])
    assert told["results"] == [6 + 3 + 4 + 1, 2 + 4 + 4], "a one confuses"
    match.do("wound", figure="zealot", wounds=1)
    match.do("next")


def last_turns(roads: ModuleType, match: Any) -> None:
    """A rally, a charge that fear stops, the end of the horror, and the rout of the diggers."""
    assert [(due.kind, due.figure) for due in match.game.due] == [("rally", "recruit")]
    roads.roll(match, 3)
    match.do("next")
    match.do("charge", figure="mortar", target="ogre")
    roads.roll(match, 6)
    assert roads.marks(match, "mortar") == {"leader", "rooted"}
    match.do("wield", figure="archer", weapons=["knife"])
    match.do("move", figure="archer", how="run", center_mm=[300, 500])
    match.do("next")
    match.do("next")
    match.do("fight", fighters=["hater", "squire"], rolled_here=False, rolls=[[], []])
    match.do("strike")
    match.do("wound", figure="squire", wounds=1)
    assert not match.game.piece("squire").on_table, "down, and the armour did not hold"
    for name in ("hater", "ogre"):
        match.do("advance", figure=name, stays=True)
    told = roads.fight(match, "zealot", "horror", [6, 5], [1])
    assert told["results"] == [6 + 4 + 4 + 1, 1 + 3 + 4], "in frenzy it feels no wound"
    match.do("wound", figure="horror", out=True)
    match.do("next")
    assert [(due.kind, due.value) for due in match.game.due[:1]] == [("rout", 4)], "the best Spirit of who stands"
    roads.roll(match, 5)


def test_a_whole_skirmish_is_played_by_the_letter_and_replayed(roads: ModuleType) -> None:
    match = begin(roads)
    first_turns(roads, match)
    second_turn_of_the_knights(roads, match)
    second_turn_of_the_diggers(roads, match)
    last_turns(roads, match)
    assert match.game.winner == "knights"

    replay = replay_match(match.document(), "m")
    assert replay.findings == ()
    assert replay.timeline.game == match.game
    again = Session.resumed(match.document().splitlines(), journal=None, clock_ms=lambda: 0)
    assert again.timeline.game == match.game
    for language in ("en", "ru", "es"):
        history = match.session.view(Audience(language=language))["history"]
        assert len(history) == match.session.seq
    played = {entry.event.command.__struct_config__.tag for entry in _done(match)}
    phases = {"watch", "hide", "move", "go_on", "charge", "manoeuvre", "shoot", "react", "fight", "reroll", "strike"}
    assert phases | {"wound", "flee", "advance", "stand_up", "wield", "test", "next"} <= played


def begin_second(roads: ModuleType) -> Any:
    return roads.skirmish(
        roads.fighter("sneak", "knights", 300, 300, is_leader=True),
        roads.fighter("climber", "knights", 100, 700, leap=4),
        roads.fighter("lone", "knights", 600, 325),
        roads.fighter("victim", "diggers", 700, 100),
        roads.fighter("witness", "diggers", 800, 200, is_leader=True),
        roads.fighter("digger-1", "diggers", 600, 300),
        roads.fighter("digger-2", "diggers", 600, 350),
    )


def second_skirmish(roads: ModuleType) -> Any:
    """Play everything absent from the first skirmish: climbs, leaps, falls, an ambush, an escape, two reactions."""
    match = begin_second(roads)
    match.do("next")
    match.do("hide", figure="sneak")
    for kind, faces in (("climb", [2]), ("down", [2]), ("leap", [3]), ("descend", [6, 4])):
        match.do("manoeuvre", figure="climber", kind=kind, steps=1, fall_steps=1)
        roads.roll(match, *faces)
    assert "fallen" in roads.marks(match, "climber")
    match.do("next")
    match.do("shoot", figure="sneak", target="victim", hits=1, silent=True, kills=True)
    match.do("wound", figure="victim", out=True)
    roads.roll(match, *(6 for _ in match.game.due))
    assert "camouflaged" in roads.marks(match, "sneak")
    match.do("next")
    roads.end_phase(match)
    assert [(due.kind, due.figure) for due in match.game.due] == [("escape", "lone")]
    roads.roll(match, 6)
    match.do("wound", figure="lone")
    roads.roll(match, 3)
    match.do("flee", figure="lone")
    match.do("next")

    match.do("next")
    match.do("next")
    match.do("react", figure="climber", shooter="witness", how="take cover", rolled_here=False, roll=2)
    match.do("shoot", figure="witness", target="climber", total=9)
    match.do("next")
    match.do("next")
    while match.game.due:
        roads.roll(match, 1)
    for _ in range(2):
        match.do("next")
    match.do("react", figure="witness", shooter="climber", how="shoot first", rolled_here=False, roll=6, shooter_roll=1)
    match.do("shoot", figure="witness", target="climber")
    match.do("shoot", figure="climber", target="witness", hits=1)
    match.do("wound", figure="witness", out=True)
    for name in ("digger-1", "digger-2"):
        match.do("wound", figure=name, out=True)
    return match


def test_two_skirmishes_have_every_phase_test_manoeuvre_and_reaction_that_there_is(roads: ModuleType) -> None:
    """Name every kind that the game declares and neither script plays."""
    first, second = begin(roads), second_skirmish(roads)
    for part in (first_turns, second_turn_of_the_knights, second_turn_of_the_diggers, last_turns):
        part(roads, first)
    assert second.game.winner == "knights"
    replay = replay_match(second.document(), "m")
    assert replay.findings == ()
    assert replay.timeline.game == second.game
    seen = [match.session.game_after(seq) for match in (first, second) for seq in range(match.session.seq + 1)]
    assert {game.phase for game in seen} == set(get_args(PhaseRoads))
    assert set(get_args(TestKind)) - {due.kind for game in seen for due in game.due} == set()
    ways = {way for match in (first, second) for entry in _done(match) for way in _ways(entry.event.command)}
    assert declared_ways() - ways == set()


def declared_ways() -> set[str]:
    """Return every manoeuvre, way to move and reaction that the game declares."""
    (how,) = (field.type for field in fields(MoveModel) if field.name == "how")
    words = {"kind": Kind, "move": how, "react": ReactionKind}
    return {f"{word} {kind}" for word, kinds in words.items() for kind in get_args(kinds)}


def _ways(command: Any) -> set[str]:
    tag = command.__struct_config__.tag
    words = {"manoeuvre": "kind", "move": "how", "react": "how"}
    if tag not in words:
        return set()
    return {f"{'kind' if tag == 'manoeuvre' else tag} {getattr(command, words[tag])}"}


def _done(match: Any) -> list[Any]:
    found, entry = [], match.session.timeline.done
    while entry is not None:
        found.append(entry)
        entry = entry.below
    return found
