"""House options on turns, cards and tokens take effect."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.games.doom2016.match.invader import Summon
from assistant.games.doom2016.match.rounds import MAX_INVADER_CARDS


@pytest.mark.parametrize(("choice", "size"), [("6", 6), ("7", 7)])
def test_the_event_hand_is_as_large_as_the_house_says(build: ModuleType, choice: str, size: int) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"event_hand": choice})
    match.do("status")
    assert len(match.game.deck("invader").hand) == size


@pytest.mark.parametrize(("choice", "left"), [("at_status", 1), ("at_once", 2)])
def test_a_kind_that_arrives_in_the_round_adds_its_card_when_the_house_says(
    build: ModuleType, choice: str, left: int
) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"initiative_types": choice})
    match.do("status", shuffled_here=False)
    match.do("frag", figure="imp-1")
    match.do("frag", figure="imp-2")
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="possessed")
    match.do("end")
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    match.do("open_door", door="d1")
    match.do("summon", portal="portal-1", group=1, cells={"pinky-1": [[8, 1]]})
    assert match.game.initiative.count("invader") == left


@pytest.mark.parametrize(("choice", "left"), [("step", 5), ("free", 6)])
def test_teleporting_costs_what_the_house_says(build: ModuleType, choice: str, left: int) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"teleport_cost": choice})
    match.do("place", figure="alpha", cells=[[9, 2]])
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    match.do("activate_teleporter", teleporter="teleporter-2")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    match.do("teleport", teleporter="teleporter-1")
    assert match.game.piece("alpha").cells == ((0, 2),)
    assert match.game.turn.movement == left


@pytest.mark.parametrize(("choice", "cost"), [("normal", 2), ("no_extra", 1)])
def test_a_glory_kill_costs_what_the_house_says(build: ModuleType, choice: str, cost: int) -> None:
    match = build.on_table(build.TUTORIAL, options={"glory_cost": choice})
    match.do("place", figure="imp-1", cells=[[1, 1]])
    match.do("status", shuffled_here=False)
    match.do("damage", figure="imp-1", amount=2)
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])
    match.do("glory_kill", demon="imp-1")
    assert match.game.turn.movement == 6 - cost
    assert match.game.piece("alpha").cells == ((1, 1),)


@pytest.mark.parametrize(("choice", "marks"), [("marines_turn", ("guard",)), ("invader_turn", ())])
def test_a_guard_lasts_as_long_as_the_house_says(build: ModuleType, choice: str, marks: tuple[str, ...]) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP), options={"guard_expiry": choice})
    match.do("begin")
    match.do("action", action="sprint")
    match.do("end")
    match.do("action", action="ready")
    match.do("order", order="guard")
    match.do("end")
    match.do("draw")
    match.do("activations")
    match.do("end")
    assert match.game.piece("green-marine").marks == marks
    match.do("action", action="sprint")
    match.do("end")
    assert match.game.piece("green-marine").marks == (), "it falls away when his own turn begins"


def test_an_option_of_another_game_is_left_out(build: ModuleType) -> None:
    match: Any = build.on_table(build.TUTORIAL, options={"guard_expiry": "invader_turn"})
    match.do("ruling", attacker="alpha", defender="imp-1")
    assert match.game.options == {"guard_expiry": "invader_turn"}


def test_a_kind_that_arrives_adds_no_card_to_a_deck_that_has_them_all(build: ModuleType) -> None:
    match = build.begun(build.mission(build.TUTORIAL), options={"initiative_types": "at_once"})
    match.do("status", shuffled_here=False)
    match.do("reveal", card="alpha")
    full = replace(match.game, initiative=(*match.game.initiative, *["invader"] * MAX_INVADER_CARDS))
    step = Summon(portal="portal-1", group=1, cells={"pinky-1": ((8, 1),)}, salt="")
    assert step.apply(full).initiative.count("invader") == full.initiative.count("invader")
