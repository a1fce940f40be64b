"""The story of a match: rounds, falls and their causes, turning points, without undone steps."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, UnknownName
from assistant.match.actor import CAMERA, JUDGE, player
from assistant.match.audience import PUBLIC
from assistant.match.session import Session

MARINES, INVADER = player("marines", "Ann"), player("invader", "Bob")


@pytest.fixture
def match(build: ModuleType) -> Any:
    """The tutorial on its table, in its first round."""
    played = build.on_table(build.TUTORIAL)
    played.do("status", shuffled_here=False)
    return played


def losses(match: Any) -> dict[str, tuple[int, int, int]]:
    told = match.session.story()["losses"]
    return {one["side"]: (one["fallen"], one["harm"], one["standing"]) for one in told}


def test_damage_and_falls_are_counted_for_their_sides_and_rounds(match: Any) -> None:
    before = losses(match)["marines"][2]
    match.do("damage", by=MARINES, figure="alpha", amount=2)
    assert losses(match)["marines"] == (0, 2, before)
    match.do("damage", by=MARINES, figure="alpha", amount=50)
    assert losses(match)["marines"] == (1, 2, before - 1)
    rounds = match.session.story()["rounds"]
    assert rounds[-1]["round"] == 1
    assert sum(one["fallen"] for one in rounds[-1]["losses"]) == 1


def test_turning_points_name_the_fallen_figures_and_the_actor(match: Any) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=3)
    receipt = match.do("damage", by=MARINES, figure="alpha", amount=50)
    blow, fall = match.session.story()["moments"]
    assert (blow["kind"], blow["figures"], blow["round"]) == ("blow", ["alpha"], 1)
    assert (fall["kind"], fall["figures"], fall["seq"], fall["by"]["name"]) == ("fall", ["alpha"], receipt.seq, "Ann")


def test_what_was_taken_back_is_no_part_of_it(match: Any) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=50)
    match.do("undo", by=JUDGE)
    assert match.session.story()["moments"] == []


def test_what_the_camera_sees_fells_nobody(match: Any, build: ModuleType) -> None:
    match.do("see", by=CAMERA, document=build.corridor(13, 3))
    assert match.session.story()["moments"] == []


def test_the_end_is_a_turning_point_in_the_words_of_the_game(match: Any) -> None:
    match.do("declare", by=JUDGE, winner="marines", ending="all demons fled")
    end = match.session.story()["moments"][-1]
    assert (end["kind"], end["title"]) == ("end", "All demons fled")


@pytest.mark.parametrize("language", ["ru", "es"])
def test_the_story_is_in_the_readers_language(match: Any, language: str) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=50)
    assert match.session.story(language)["moments"][0]["title"] != match.session.story()["moments"][0]["title"]


def test_a_match_that_was_opened_from_a_snapshot_knows_its_whole_story(match: Any) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=50)
    again = Session.resumed(
        match.document().splitlines(), journal=None, clock_ms=lambda: 0, snapshot=match.session.snapshot()
    )
    assert again.story() == match.session.story()


def test_the_game_after_each_entry_is_at_hand(match: Any) -> None:
    first = match.do("damage", by=MARINES, figure="alpha", amount=1)
    match.do("damage", by=MARINES, figure="alpha", amount=1)
    assert match.session.game_after(first.seq).piece("alpha").harm == 1
    assert match.session.game_after(0).piece("alpha").harm == 0
    with pytest.raises(UnknownName):
        match.session.game_after(999)


def test_a_match_that_nobody_has_won_is_over_and_its_score_holds_no_more_than_the_result(match: Any) -> None:
    match.do("declare", by=JUDGE, winner="", ending="it is late")
    view = match.session.view(PUBLIC)
    assert (view["winner"], view["ending"]) == ("", "It is late")
    assert view["prompts"] == []
    assert {fact["name"] for fact in view["panels"][0]["facts"]} <= {"Frags", "Objectives"}
    with pytest.raises(IllegalStep):
        match.do("declare", by=JUDGE, winner="marines")
