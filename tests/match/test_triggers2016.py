"""Threat and objective cards of DOOM 2016 as triggers of a mission, and when portals may summon."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.match.audience import Audience

SUMMON = {"outcome": "summon", "portals": ["portal-1"]}


def begun(build: ModuleType, *triggers: dict[str, Any], **setup: Any) -> Any:
    """Return a mission without the tutorial's rules, with these sentences on its cards; portal-1 is blue."""
    base = build.mission(build.TUTORIAL)
    cards = [{"name": f"Card {n}", "card": "threat", **trigger} for n, trigger in enumerate(triggers, 1)]
    goals = {**base.setup["goals"], "tutorial": False}
    match = build.begun(build.with_setup(base, goals=goals, triggers=cards, **setup))
    match.do("see", document=build.TABLES[build.TUTORIAL](base))
    return match


def alpha_sprints(match: Any) -> None:
    match.do("status", shuffled_here=False) if match.game.phase == "setup" else None
    match.do("reveal", card="alpha")
    match.do("sprint", card=match.game.deck("alpha").hand[0])


def summon(match: Any) -> None:
    match.do(
        "summon",
        portal="portal-1",
        group=0,
        cells={"possessed-3": [[8, 1]], "possessed-4": [[8, 2]]},
        argent={"possessed": 1},
    )


# “Описание миссии всегда указывает, когда Захватчик может призвать демонов.” (seed 001)


def test_no_portal_summons_before_a_card_says_so(build: ModuleType) -> None:
    match = begun(build, {"on": "door_opened", "outcomes": [SUMMON]})
    match.do("status", shuffled_here=False)
    with pytest.raises(IllegalStep, match="nothing summons"):
        summon(match)


# “Заражение: демоны появляются по мере исследования морпехами игрового поля” (seed 001)


def test_infestation_summons_when_a_door_is_opened(build: ModuleType) -> None:
    match = begun(build, {"on": "door_opened", "door": "d1", "outcomes": [SUMMON]})
    alpha_sprints(match)
    match.do("place", figure="alpha", cells=[[6, 1]])
    match.do("open_door", door="d1")
    assert match.game.summons_due == ("portal-1",)
    with pytest.raises(IllegalStep, match="summon first"):
        match.do("end")
    summon(match)
    assert match.game.summons_due == ()
    assert match.game.piece("possessed-3").on_table


def cards_told(match: Any) -> dict[str, str]:
    """Return the public text of the threat and the objective card beside the board."""
    panels = match.session.view(Audience(side=None))["panels"]
    shown = next(panel for panel in panels if panel["title"] == "Threat and objectives")
    return {fact["name"]: fact["value"] for fact in shown["facts"]}


def test_infestation_summons_once_when_an_area_is_entered(build: ModuleType) -> None:
    match = begun(build, {"on": "area_entered", "area": [[1, 1], [1, 2]], "outcomes": [SUMMON]})
    alpha_sprints(match)
    match.do("move", figure="alpha", cells=[[2, 1]])
    assert match.game.summons_due == ()
    assert cards_told(match) == {"Card 1": "not yet"}
    match.do("move", figure="alpha", cells=[[1, 1]])
    assert match.game.summons_due == ("portal-1",)
    assert cards_told(match) == {"Card 1": "has happened", "Portals that have to summon": "1"}
    summon(match)
    match.do("move", figure="alpha", cells=[[1, 2]])
    assert match.game.summons_due == ()
    match.do("undo")
    match.do("undo", by=build.JUDGE)
    assert match.game.fired == ("Card 1",)
    match.do("undo", by=build.JUDGE)
    assert match.game.fired == ()


def test_an_area_is_entered_on_the_way_by_a_teleporter_and_in_a_glory_kill_as_well(build: ModuleType) -> None:
    """«Заражение: демоны появляются по мере исследования морпехами игрового поля.»"""
    area = {"on": "area_entered", "area": [[2, 1]], "outcomes": [SUMMON]}
    walker = begun(build, area)
    alpha_sprints(walker)
    walker.do("move", figure="alpha", cells=[[2, 0]], via=[[2, 1]])
    assert walker.game.summons_due == ("portal-1",), "he only passed through"

    killer = begun(build, area)
    alpha_sprints(killer)
    killer.do("place", figure="alpha", cells=[[1, 1]])
    killer.do("place", figure="imp-1", cells=[[2, 1]])
    killer.do("damage", figure="imp-1", amount=killer.game.demon_setup("imp").health - 1)
    killer.do("glory_kill", demon="imp-1")
    assert killer.game.summons_due == ("portal-1",)

    pads = [{"id": "t1", "cell": [1, 1], "active": True}, {"id": "t2", "cell": [2, 1], "active": True}]
    beamed = begun(build, area, teleporters=pads)
    alpha_sprints(beamed)
    beamed.do("place", figure="alpha", cells=[[1, 1]])
    beamed.do("teleport", teleporter="t2")
    assert beamed.game.summons_due == ("portal-1",)


# “Орда: непрерывный поток демонов” (seed 001); “количество карт Захватчика равно количеству типов демонов на карте”


def test_horde_summons_in_the_status_phase_and_the_new_kind_has_its_initiative_card(build: ModuleType) -> None:
    match = begun(build, {"on": "status", "round": 1, "outcomes": [SUMMON]})
    match.do("frag", figure="possessed-1") if match.game.phase != "setup" else None
    match.do("status", shuffled_here=False)
    assert match.game.summons_due == ("portal-1",)
    match.do("frag", figure="possessed-1")
    match.do("frag", figure="possessed-2")
    with pytest.raises(IllegalStep, match="summon first"):
        match.do("reveal", card="alpha")
    summon(match)
    assert match.game.initiative.count("invader") == 2


# “Натиск: Захватчик получает непрерывный приток маркеров Угрозы, которые он может использовать для вызова демонов в
# начале каждой фазы Статуса.” (seed 001)


def test_onslaught_gives_threat_that_pays_for_summoning_in_the_status_phase(build: ModuleType) -> None:
    flow = {"on": "status", "once": False, "outcomes": [{"outcome": "threat", "count": 2}]}
    match = begun(build, flow, threat_cost=3)
    match.do("status", shuffled_here=False)
    assert match.game.threat == 2
    with pytest.raises(IllegalStep, match="costs 3 threat tokens"):
        match.do("spend_threat", portal="portal-1")
    for marine in ("alpha", "bravo", "charlie"):
        match.do("reveal", card=marine)
        match.do("end")
    with pytest.raises(IllegalStep, match="start of the status phase"):
        match.do("spend_threat", portal="portal-1")
    for kind in ("imp", "possessed"):
        match.do("reveal", card="invader")
        match.do("activate_kind", kind=kind)
        match.do("end")
    match.do("status", shuffled_here=False)
    assert "spend_threat" in [prompt["type"] for prompt in match.session.view(build.JUDGE_VIEW)["prompts"]]
    with pytest.raises(IllegalStep, match="draws event cards first"):
        match.do("gain_argent", cards=[match.game.deck("invader").hand[0]], onto={"invasion": 1})
    match.do("draw_events")
    assert "spend_threat" not in [prompt["type"] for prompt in match.session.view(build.JUDGE_VIEW)["prompts"]]
    with pytest.raises(IllegalStep, match="start of the status phase"):
        match.do("spend_threat", portal="portal-1")
    match.do("undo", by=build.JUDGE)
    match.do("spend_threat", portal="portal-1")
    assert match.game.threat == 1
    summon(match)


def test_a_card_without_a_price_takes_no_threat(build: ModuleType) -> None:
    match = begun(build, {"on": "status", "outcomes": [{"outcome": "threat"}]})
    match.do("status", shuffled_here=False)
    with pytest.raises(IllegalStep, match="for no tokens"):
        match.do("spend_threat", portal="portal-1")


# “Когда одна из целей, описанных на карте Задач, будет выполнена, миссия немедленно завершается.” (seed 001)


@pytest.mark.parametrize(
    ("trigger", "winner"),
    [
        ({"on": "area_entered", "area": [[2, 2]], "outcomes": [{"outcome": "win", "side": "marines"}]}, "marines"),
        ({"on": "status", "round": 1, "outcomes": [{"outcome": "win", "side": "invader"}]}, "invader"),
    ],
)
def test_an_objective_ends_the_mission_at_once(build: ModuleType, trigger: dict[str, Any], winner: str) -> None:
    match = begun(build, {**trigger, "card": "objective", "name": "The way out"})
    match.do("status", shuffled_here=False)
    if winner == "marines":
        alpha_sprints(match)
        match.do("move", figure="alpha", cells=[[2, 2]])
    assert match.game.winner == winner
    assert str(match.game.ending) == "The way out: the mission is over"
    with pytest.raises(IllegalStep, match="over"):
        match.do("reveal")


def test_a_demon_triggers_neither_doors_nor_areas(build: ModuleType) -> None:
    match = begun(
        build,
        {"on": "area_entered", "area": [[6, 1]], "outcomes": [SUMMON]},
        {"on": "door_opened", "outcomes": [SUMMON]},
    )
    match.do("status", shuffled_here=False)
    match.do("reveal", card="invader")
    match.do("activate_kind", kind="imp")
    match.do("activate", figure="imp-2")
    match.do("move", figure="imp-2", cells=[[6, 1]])
    match.do("open_door", door="d1")
    assert match.game.summons_due == ()
