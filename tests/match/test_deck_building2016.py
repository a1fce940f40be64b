"""Decks of whole sets in DOOM 2016 (seed 001, “Формирование собственных колод Событий и Действий”)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import BadValue


def begun_with(build: ModuleType, **changes: Any) -> Any:
    """Return the tutorial with parts of its set-up changed."""
    base = build.mission(build.TUTORIAL)
    return build.begun(build.with_setup(base, **changes))


def first_deck(build: ModuleType, deck: list[str]) -> list[dict[str, Any]]:
    """Return the tutorial's marines, the first with another deck."""
    first, *others = build.mission(build.TUTORIAL).setup["marines"]
    return [{**first, "deck": deck}, *others]


UAC = ["uac-1", "uac-2", "uac-3", "uac-4"]


@pytest.mark.parametrize(
    ("weapons", "held"),
    [
        (["rifle-1", "rifle-2", "rifle-3"], "rifle 3, uac 4"),
        (["rifle-1", "rifle-2", "rifle-3", "shotgun-1", "shotgun-2"], "rifle 3, shotgun 2, uac 4"),
        (["rifle-1", "rifle-2", "rifle-2", "plasma-1", "plasma-2", "plasma-3"], "plasma 3, rifle 3, uac 4"),
        (["rifle-1", "rifle-2", "rifle-3"] * 2, "rifle 6, uac 4"),
        (["rifle-1", "rifle-2", "rifle-3", "launcher-1", "launcher-2", "launcher-3"], "– 3, rifle 3, uac 4"),
    ],
)
def test_a_marine_joins_two_different_weapon_sets_to_the_four_cards_of_the_uac(
    build: ModuleType, weapons: list[str], held: str
) -> None:
    """“по одному экземпляру каждой пронумерованной карты из этих наборов … чтобы сформировать свою колоду Действия из
    10 карт”.
    """
    with pytest.raises(BadValue) as refused:
        begun_with(build, marines=first_deck(build, UAC + weapons))
    assert refused.value.field == "marines[0].deck"
    assert held in str(refused.value)


def test_the_invader_mixes_three_sets_of_six_events(build: ModuleType) -> None:
    """“Захватчик выбирает 3 набора карт по шесть штук … колоду карт Событий из 18 штук”."""
    events = list(build.mission(build.TUTORIAL).setup["events"])
    assert len(begun_with(build, events=events).game.decks["invader"].pile) == 18
    for wrong in (events[:12], events[:17], [*events[:17], "event-a1"]):
        with pytest.raises(BadValue, match="three sets of six"):
            begun_with(build, events=wrong)


def test_cards_that_name_no_sets_make_any_deck(build: ModuleType) -> None:
    """Nothing is counted if people hold printed cards, or invent their own."""
    cards = {
        name: {key: value for key, value in card.items() if key not in ("set", "number")}
        for name, card in build.mission(build.TUTORIAL).setup["cards"].items()
    }
    marines = first_deck(build, ["uac-1", "rifle-1"])
    assert begun_with(build, cards=cards, marines=marines, events=["event-a1"]).game.decks["invader"].pile
