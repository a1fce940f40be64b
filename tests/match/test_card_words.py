"""Cards of the shipped missions have names in every language."""

from __future__ import annotations

import re

import pytest

from assistant.app.matches.archive import list_shipped_missions, load_shipped_mission
from assistant.games.doom2016.match.card_words import describe_card
from assistant.games.doom2016.match.state import Match2016
from assistant.match.actor import JUDGE
from assistant.translations.catalogue import NAME_CONTEXT, speak_id, translate

LATIN = re.compile(r"[A-Za-z]{2}")


@pytest.mark.parametrize("mission", list_shipped_missions())
def test_every_card_of_a_shipped_mission_has_words(mission):
    cards = load_shipped_mission(mission).setup.get("cards", {}).values()
    for name in {card["name"] for card in cards}:
        assert not LATIN.search(speak_id(name, "ru")), name
        assert translate(name.lower(), "es", NAME_CONTEXT) != name.lower(), name


@pytest.mark.parametrize("mission", [one for one in list_shipped_missions() if not one.startswith("roads")])
def test_what_is_shown_of_a_shipped_card_begins_with_its_name(build, mission):
    setup = load_shipped_mission(mission).setup
    match = build.begun(build.mission(mission))
    game = match.game
    for card, printed in setup["cards"].items():
        text = describe_card(game, card) if isinstance(game, Match2016) else game.setup.cards[card].text
        for language in ("en", "ru", "es"):
            name, *gives = text.worded(language).split(": ")
            assert name == speak_id(printed["name"], language)
            assert name[0].isupper()
            assert all(gives)


def test_a_hand_is_worded_in_the_readers_language(build):
    match = build.begun(build.mission("doom2016_sample_table"))
    match.do("status")
    said = str(match.session.hands(JUDGE, "ru"))
    assert "Выстрел: " in said
    assert "Sample" not in said
