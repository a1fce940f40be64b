"""Weapons of DOOM 2004 that blow through (rules B5): one green or blue die less for each further space."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.doom2004.match.attack_rules import (
    find_blow_through,
    make_profile,
    make_target,
    require_next,
    resolve_shot,
)
from assistant.games.doom2004.match.setup import FaceSetup
from assistant.games.doom2004.match.state import PendingAttack2004

SHOWN = {"range": 9, "damage": 2, "ammo": False, "miss": False}
WEAPON = {"dice": {"red": 1, "green": 1, "blue": 1}, "ammo": "bullets", "always": True, "blow_through": True}


@pytest.fixture
def match(build: ModuleType) -> Any:
    """Two zombies and an imp in a row before the red marine, who unloads."""
    base = build.mission(build.KNEE_DEEP)
    base = build.with_setup(base, weapons={**base.setup["weapons"], "rail": WEAPON})
    played = build.begun(base)
    played.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    for column, name in enumerate(("zombie-1", "zombie-3", "imp-1"), 3):
        played.do("place", figure=name, cells=[[column, 0]])
    played.do("begin")
    played.do("action", action="unload")
    return played


def shoot(match: Any, target: str, colors: str, face: dict[str, Any] = SHOWN, **more: Any) -> None:
    dice = [[color, face] for color in sorted(colors.split())]
    match.do("attack", targets=[target], weapon="rail", rolled_here=False, dice=dice, **more)
    match.do("resolve")


def test_a_shot_goes_on_while_dice_are_left_and_costs_one_attack(match: Any) -> None:
    shoot(match, "zombie-1", "red green blue")
    shoot(match, "zombie-3", "red blue", drop="green")
    shoot(match, "imp-1", "red", drop="blue")
    assert not any(match.game.piece(name).on_table for name in ("zombie-1", "zombie-3"))
    assert match.game.piece("imp-1").harm + (not match.game.piece("imp-1").on_table) > 0
    assert match.game.the_turn().attacks == 1, "the whole shot was one of two attacks"
    assert match.game.through is None


def test_it_goes_on_after_a_miss_too_but_to_neighbours_only_and_to_nobody_twice(match: Any) -> None:
    shoot(match, "zombie-1", "red green blue", {**SHOWN, "miss": True})
    assert match.game.piece("zombie-1").harm == 0
    for target, drop, words in (
        ("zombie-1", "green", "already"),
        ("imp-1", "green", "beside"),
    ):
        with pytest.raises(IllegalStep, match=words):
            match.do("attack", targets=[target], weapon="rail", drop=drop)
    shoot(match, "zombie-3", "red green", drop="blue")
    assert not match.game.piece("zombie-3").on_table
    with pytest.raises(IllegalStep, match="no blue die"):
        match.do("attack", targets=["imp-1"], weapon="rail", drop="blue")


def test_only_such_a_weapon_goes_on_at_once_and_with_ammunition(match: Any) -> None:
    with pytest.raises(IllegalStep, match="no attack can blow through"):
        match.do("attack", targets=["zombie-1"], weapon="rail", drop="green")
    shoot(match, "zombie-1", "red green blue")
    match.do("end")
    with pytest.raises(IllegalStep, match="no attack can blow through"):
        match.do("attack", targets=["zombie-3"], weapon="rail", drop="green")


def test_beside_is_beside_in_a_column_too(match: Any) -> None:
    for row, name in enumerate(("zombie-1", "zombie-3", "imp-1"), 1):
        match.do("place", figure=name, cells=[[3, row]])
    shoot(match, "zombie-1", "red green blue")
    with pytest.raises(IllegalStep, match="beside"):
        match.do("attack", targets=["imp-1"], weapon="rail", drop="green")
    shoot(match, "zombie-3", "red blue", drop="green")
    assert not match.game.piece("zombie-3").on_table


def test_without_a_table_only_places_say_which_figures_are_adjacent(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, weapons={**base.setup["weapons"], "rail": WEAPON}))
    for column, name in ((3, "zombie-1"), (4, "zombie-3"), (6, "imp-1")):
        match.do("place", figure=name, cells=[[column, 0]])
    match.do("begin")
    match.do("action", action="unload")
    known = {"range": 3, "needs_sight": False}
    shoot(match, "zombie-1", "red green blue", **known)
    with pytest.raises(IllegalStep, match="beside"):
        match.do("attack", targets=["imp-1"], weapon="rail", drop="green", **known)
    shoot(match, "zombie-3", "red blue", drop="green", **known)


def worked_out(match: Any, weapon: str, *targets: str) -> PendingAttack2004:
    dice = (("red", FaceSetup(range=9)), ("blue", FaceSetup(range=9)))
    return PendingAttack2004(attacker="red-marine", targets=targets, weapon=weapon, range=1, dice=dice)


def test_of_a_blast_the_one_it_was_aimed_at_was_attacked(match: Any) -> None:
    through = find_blow_through(match.game, worked_out(match, "rail", "zombie-1", "zombie-3"), ((3, 0),))
    assert through is not None
    assert through.done == ("zombie-1",)
    require_next(match.game, through, "zombie-3", ((4, 0),))


def test_without_a_token_of_its_kind_nothing_goes_on(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, weapons={"rail": {**WEAPON, "ammo": "cells"}}))
    assert "cells" not in match.game.equipment["red-marine"].ammo
    assert find_blow_through(match.game, worked_out(match, "rail", "zombie-1"), ((3, 0),)) is None


def test_a_shot_at_an_empty_space_goes_on_beside_that_space(match: Any) -> None:
    through = find_blow_through(match.game, worked_out(match, "rail"), ((3, 1),))
    assert through is not None
    with pytest.raises(IllegalStep, match="does not stand beside Empty space"):
        require_next(match.game, through, "imp-1", ((5, 0),))
    require_next(match.game, through, "zombie-3", ((4, 0),))


def test_a_bonus_of_a_card_counts_once(match: Any) -> None:
    attack = worked_out(match, "rail", "imp-1")
    helped = replace(attack, dice=attack.dice[:1], changes=(("a card", 3, 3),))
    told = [reason.text for reason in resolve_shot(match.game, helped, "imp-1").reasons]
    assert "red-marine reaches 12, needs 1: a hit." in told
    assert "Damage 3 against armour 2: imp-1 takes wounds: 1." in told


def test_a_penalty_counts_and_the_dodger_is_named(match: Any) -> None:
    attack = replace(worked_out(match, "rail", "imp-1"), dice=(("red", FaceSetup(range=9, damage=5)),))

    def told(**changes: Any) -> list[str]:
        return [reason.text for reason in resolve_shot(match.game, replace(attack, **changes), "imp-1").reasons]

    assert "red-marine reaches 7, needs 1: a hit." in told(changes=(("a card", -2, -1),))
    assert "Damage 4 against armour 2: imp-1 takes wounds: 2." in told(changes=(("a card", -2, -1),))
    assert not any("imp-1 dodges" in text for text in told())
    assert any("imp-1 dodges" in text for text in told(dodger="imp-1")), told(dodger="imp-1")


def test_a_weapon_without_a_token_of_its_kind_has_no_ammunition(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    match = build.begun(build.with_setup(base, weapons={"rail": {**WEAPON, "ammo": "cells"}}))
    attack = worked_out(match, "rail", "imp-1")
    assert make_profile(match.game, match.game.piece("red-marine"), attack).ammo == 0


@pytest.mark.parametrize(("harm", "left"), [(0, 2), (1, 1), (9, 1)])
def test_only_the_remaining_wounds_of_a_hurt_figure_count(match: Any, harm: int, left: int) -> None:
    imp = replace(match.game.piece("imp-1"), harm=harm)
    assert make_target(match.game, imp, dodges=False).wounds == left
