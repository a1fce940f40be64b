"""Who is winning, in words: what each side has and still needs, as the rules of each game have it."""

from __future__ import annotations

import pytest

from assistant.match.actor import JUDGE
from assistant.match.audience import Audience


def standing(match, language="en"):
    return match.session.view(Audience(language=language))["panels"][0]["standing"]


def test_2016_tells_frags_and_what_the_marines_lack(build):
    match = build.begun(build.mission("doom2016_first_fight"))
    frags, objectives = standing(match)[:2]
    assert frags.startswith("Invader: frags 0 of ")
    assert objectives.startswith("Marines: objectives 0 of ")
    match.do("status")
    match.do("frag", figure=next(iter(match.session.header.setup["marines"]))["id"], by=JUDGE)
    assert standing(match)[0].startswith("Invader: frags 1 of ")


def test_the_tutorial_of_2016_counts_the_demons_that_are_left(build):
    match = build.begun(build.mission(build.TUTORIAL))
    assert any("open a door;" in line for line in standing(match))


def test_2004_names_the_key_and_the_way_out(build):
    lines = standing(build.begun(build.mission(build.KNEE_DEEP)))
    assert lines == [
        "Invader: frags 0 of 6, still needed: 6",
        "Marines: still needed: the key “Red”, then the way out: Red door",
    ]


def test_roads_names_the_side_ahead_by_losses(build):
    match = build.begun(build.mission("roads_first_skirmish"))
    assert standing(match)[0] == "Level: all sides have lost the same share of their models"
    fewer = match.game.with_piece(match.game.piece("digger-1").gone())
    ahead, *_ = match.session.system.panels(fewer, Audience())[0].standing
    assert str(ahead) == "Ahead on losses: Knights"


@pytest.mark.parametrize("mission", ["doom2016_first_fight", "doom2004_knee_deep_sample", "roads_first_skirmish"])
def test_every_reader_gets_the_score_in_his_own_language(build, mission):
    match = build.begun(build.mission(mission))
    told = {language: standing(match, language) for language in ("en", "ru", "es")}
    assert len({len(lines) for lines in told.values()}) == 1
    assert not set(told["en"]) & set(told["ru"])
    assert not set(told["en"]) & set(told["es"])
