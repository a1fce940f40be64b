"""Cards of the missions that come with the games are called in every language."""

from __future__ import annotations

import re

import pytest

from assistant.app.matches.archive import list_shipped_missions, load_shipped_mission
from assistant.match.actor import JUDGE
from assistant.translations.catalogue import speak_id

LATIN = re.compile(r"[A-Za-z]{2}")


@pytest.mark.parametrize("mission", list_shipped_missions())
def test_every_card_of_a_shipped_mission_has_words(mission):
    cards = load_shipped_mission(mission).setup.get("cards", {}).values()
    for name in {card["name"] for card in cards}:
        assert not LATIN.search(speak_id(name, "ru")), name
        assert speak_id(name, "es") != speak_id(name), name


def test_a_hand_is_worded_in_the_readers_language(build):
    match = build.begun(build.mission("doom2016_sample_table"))
    match.do("status")
    said = str(match.session.hands(JUDGE, "ru"))
    assert "Пример: выстрел" in said
    assert "Sample" not in said
