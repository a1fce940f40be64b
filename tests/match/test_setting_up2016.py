"""Seed 001 on setting up DOOM 2016 besides decks: squad cards, and two groups of “Первый Удар”."""

from __future__ import annotations

import tomllib
from types import ModuleType
from typing import Any

import pytest

from assistant.errors import BadValue
from assistant.match.audience import PUBLIC

ALONE, VETERAN, LEAD = "Действующий в одиночку", "Боевой ветеран", "Ведущий"


def begun_with(build: ModuleType, *held: str) -> Any:
    """Return the tutorial with as many marines as there are names, each with his squad card or none."""
    marines = [{"id": f"marine-{i}", "squad": name} for i, name in enumerate(held)]
    return build.begun(build.with_setup(build.mission(build.TUTORIAL), marines=marines))


@pytest.mark.parametrize("held", [(ALONE,), (VETERAN, VETERAN), ("", LEAD, ""), ("", "", "", ""), ("", "")])
def test_squad_cards_are_held_by_as_many_marines_as_the_rules_say(build: ModuleType, held: tuple[str, ...]) -> None:
    """“Три Морпеха: один … карту Отряда «Ведущий» … Два Морпеха: каждый … «Боевой ветеран» … Один Морпех: …”.

    A mission that names no squad card is not held against it.
    """
    match = begun_with(build, *held)
    assert [marine.squad for marine in match.game.setup.marines] == list(held)


def test_a_squad_card_lies_open_beside_its_marine(build: ModuleType) -> None:
    base = build.mission(build.TUTORIAL)
    marines = [{**each, "squad": LEAD if number == 0 else ""} for number, each in enumerate(base.setup["marines"])]
    match = build.begun(build.with_setup(base, marines=marines))
    panels = match.session.view(PUBLIC)["panels"]
    told = [
        (panel["title"], fact["value"]) for panel in panels for fact in panel["facts"] if fact["name"] == "Squad card"
    ]
    assert told == [("Hand: Alpha", LEAD)]


@pytest.mark.parametrize("held", [(VETERAN, ""), (VETERAN, LEAD), (LEAD, LEAD, ""), (LEAD, "", "", "")])
def test_a_squad_card_too_many_or_too_few_is_refused(build: ModuleType, held: tuple[str, ...]) -> None:
    with pytest.raises(BadValue, match=f"of {len(held)} marines") as refused:
        begun_with(build, *held)
    assert refused.value.field == "marines"


def test_the_two_groups_of_the_first_strike_that_the_seed_names_are_in_the_box_and_the_sample(
    build: ModuleType,
) -> None:
    """“… двух Одержимых Солдатов для синего портала, и двух Импов и двух Какодемонов для желтого портала”."""
    box = tomllib.loads((build.GAMES / "doom2016" / "boxes" / "box.toml").read_text(encoding="utf-8"))
    for setup in (box["setup"], build.mission(build.TUTORIAL).setup):
        groups = [(group["portal"], group["demons"]) for group in setup["invasion"]]
        assert ("blue", {"possessed": 2}) in groups
        assert ("yellow", {"imp": 2, "cacodemon": 2}) in groups
