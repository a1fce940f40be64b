"""Attacks of DOOM 2004 on a space, even an empty one, and missed blasts: the card first, then the landing."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.games.doom2004.match.attack_rules import find_space
from assistant.games.doom2004.match.attack_steps import DIRECTIONS
from assistant.match.audience import JUDGE_VIEW

MISS = {"range": 0, "damage": 4, "ammo": False, "miss": True}
FAR = {"range": 6, "damage": 2, "ammo": False, "miss": False}
ROCKETS = {"id": "rockets", "kind": "ammo", "cell": [0, 0], "what": "rockets", "count": 4}


def with_grenades(build: ModuleType, *, scatter: list[int] | None, compass: int = 0, seen: bool = True) -> Any:
    """Return the red marine with grenades at the left end of a corridor; every card of the invader has this diagram."""
    base = build.mission(build.KNEE_DEEP)
    diagram = {} if scatter is None else {"scatter": scatter}
    cards = {f"event-{n}": {"name": f"Card {n}", **diagram} for n in range(12)}
    match = build.begun(build.with_setup(base, items=[ROCKETS], cards=cards, compass=compass))
    if seen:
        match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    match.do("begin")
    match.do("action", action="unload")
    match.do("take", item="rockets")
    for figure, cells in (("imp-1", [[3, 3]]), ("zombie-1", [[3, 1]]), ("zombie-3", [[6, 1]])):
        match.do("place", figure=figure, cells=cells)
    return match


def throw(match: Any, face: dict[str, Any], **target: Any) -> None:
    dice = [["blue", face], ["green", FAR]]
    match.do("attack", weapon="grenade", rolled_here=False, dice=dice, **target)


# “If a blast attack misses, determine its new destination by drawing the top card of the invader deck and consulting
# the scatter diagram on the bottom of the card.” (seed 004)


def test_the_card_is_drawn_before_the_hit_figures_are_named(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[3, 0])
    throw(match, MISS, targets=["zombie-1"])
    with pytest.raises(IllegalStep, match="draw the card first"):
        match.do("resolve", hit=["imp-1"])
    with pytest.raises(IllegalStep, match="no shot has to land"):
        match.do("scatter")
    match.do("resolve")
    assert match.game.pending.scatter_card == match.game.deck.discard[-1], "“The drawn invader card is discarded”"
    assert match.game.piece("zombie-1").harm == match.game.piece("zombie-3").harm == 0, "nobody is hit yet"
    for open_step in ("resolve", "end"):
        with pytest.raises(IllegalStep):
            match.do(open_step)


# “Then find the space indicated by the number and direction shown from the original target space. … the attack will
# hit this new space instead of its original target.” (seed 004)


def test_a_landing_shot_hits_the_figures_there(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[3, 0])
    throw(match, MISS, targets=["zombie-1"])
    match.do("resolve")
    assert [prompt["type"] for prompt in match.session.view(JUDGE_VIEW)["prompts"]] == ["scatter"]
    match.do("scatter", hit=["imp-1"])  # a client's value there is overwritten
    assert not match.game.piece("zombie-3").on_table, "damage 6 against armour 2, three spaces to the right"
    assert match.game.piece("zombie-1").on_table
    assert match.game.piece("imp-1").on_table
    assert match.game.pending is None


# “Turn it so that the compass rose on the card is facing the same direction as the compass rose token on the board.”


@pytest.mark.parametrize(("compass", "lands"), [(0, (3, 1)), (1, (5, 3)), (2, None), (3, (1, 3))])
def test_the_diagram_is_laid_by_the_compass(build: ModuleType, compass: int, lands: tuple[int, int] | None) -> None:
    match = with_grenades(build, scatter=[0, -2], compass=compass)
    throw(match, MISS, space=[3, 3])
    match.do("resolve")
    match.do("scatter")
    last = json.loads(match.document().splitlines()[-1])
    assert last["lands"] == (None if lands is None else list(lands)), "downwards it leaves the board"


# “If the scatter movement causes the attack to move through a wall, blocking obstacle, or move through a closed door,
# the attack explodes harmlessly.” “Some scatter diagrams show a “miss” icon.” (seed 004)


@pytest.mark.parametrize("scatter", [None, [6, 0]])
def test_a_miss_icon_or_a_closed_door_on_the_way_lets_it_fizzle(build: ModuleType, scatter: list[int] | None) -> None:
    match = with_grenades(build, scatter=scatter)
    match.do("place", figure="imp-1", cells=[[10, 1]])
    throw(match, MISS, targets=["zombie-1"])
    match.do("resolve")
    assert str(match.do("scatter").title) == "The shot explodes harmlessly"
    assert {piece.harm for piece in match.game.standing()} == {0}


def test_a_marine_may_be_hit_and_fragged_by_his_own_grenade(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[-3, 0])
    match.do("place", figure="green-marine", cells=[[0, 1]])
    match.do("damage", figure="green-marine", amount=7)
    throw(match, MISS, targets=["zombie-1"])
    match.do("resolve")
    match.do("scatter")
    assert match.game.frags == 1
    assert match.game.piece("red-marine").harm == 3, "“4 spaces back towards a marine. Ouch!”"


def test_without_a_table_people_name_the_figures_hit(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[3, 0], seen=False)
    throw(match, MISS, targets=["zombie-1"], range=3)
    match.do("resolve")
    match.do("scatter", hit=["zombie-3", "imp-1"])
    assert not match.game.piece("zombie-3").on_table
    assert not match.game.piece("imp-1").on_table


def test_a_diagram_that_the_mission_has_wrong_is_read_off_the_card(build: ModuleType, client: ModuleType) -> None:
    match = with_grenades(build, scatter=[2, 1])
    throw(match, MISS, targets=["zombie-1"])
    match.do("resolve")
    offer = client.offer(client.looked(match), "scatter")
    client.pressed(match, offer, direction="right", distance=3)
    assert not match.game.piece("zombie-3").on_table


def test_a_match_of_before_that_named_the_hit_beforehand_still_opens(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[3, 0])
    throw(match, MISS, targets=["zombie-1"])
    old = {"type": "resolve", "hit": ["imp-1"], "scatters": True}
    match.session.command(old, build.JUDGE)
    assert match.game.pending is None
    assert not match.game.piece("imp-1").on_table


# “Tenga en cuenta que el jugador atacante designa un espacio para atacar, y no necesariamente otra figura. Esto es
# importante para las armas que tienen un radio de explosión” (seed 002)


def test_a_blast_on_an_empty_space_hits_the_figures_around(build: ModuleType) -> None:
    match = with_grenades(build, scatter=[0, 1])
    match.do("place", figure="imp-1", cells=[[4, 1]])
    match.do("place", figure="zombie-1", cells=[[5, 1]])
    throw(match, FAR, space=[4, 0])
    assert match.game.pending.space == (4, 0)
    assert set(match.game.pending.targets) == {"imp-1", "zombie-1"}
    match.do("resolve")
    assert not match.game.piece("imp-1").on_table
    assert not match.game.piece("zombie-1").on_table


def test_a_shot_into_an_empty_space_hurts_nobody_and_costs_the_attack(build: ModuleType) -> None:
    match = with_grenades(build, scatter=None)
    dice = [["yellow", {**FAR, "ammo": True}], ["green", FAR]]
    receipt = match.do("attack", space=[4, 0], weapon="pistol", rolled_here=False, dice=dice)
    assert str(receipt.title) == "Red marine attacks the space [4, 0] with Pistol"
    match.do("resolve")
    assert match.game.the_turn().attacks == 1
    assert match.game.equipment["red-marine"].ammo["bullets"] == 2
    with pytest.raises(IllegalStep, match="not on the board"):
        match.do("attack", space=[40, 2], weapon="pistol", rolled_here=False, dice=dice)
    with pytest.raises(IllegalStep, match="no path leads"):
        match.do("attack", space=[10, 1], weapon="pistol", rolled_here=False, dice=dice)


def test_the_eight_directions_are_the_eight_neighbours_and_named_as_they_lie() -> None:
    steps = {name: (("right" in name) - ("left" in name), ("down" in name) - ("up" in name)) for name in DIRECTIONS}
    assert steps == DIRECTIONS
    assert len(set(DIRECTIONS.values())) == 8


def test_the_eight_directions_are_the_eight_neighbours() -> None:
    assert sorted(DIRECTIONS.values()) == [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def test_an_explosion_goes_off_where_the_free_line_ends(build: ModuleType) -> None:
    match = with_grenades(build, scatter=None)
    blocked, free = {"blocked_by": "wall", "to": [9.5, 9.5]}, {"blocked_by": None, "to": [6.5, 1.5]}
    assert find_space(match.game, {"lines": [blocked, free], "defender": "imp-1"}) == (6, 1)
    assert find_space(match.game, {"lines": [blocked], "defender": "imp-1"}) == (3, 3), "where the target stands"
