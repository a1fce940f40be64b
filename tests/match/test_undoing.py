"""Reliable undo: a player's own steps at once, others' after a yes; the camera never interferes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep, NotYours
from assistant.match.actor import CAMERA, JUDGE, TABLE, player
from assistant.match.audience import JUDGE_VIEW, PUBLIC, Audience
from assistant.match.replay import replay_match

MARINES, INVADER = player("marines", "Ann"), player("invader", "Bob")


@pytest.fixture
def match(build: ModuleType) -> Any:
    """The tutorial in its first round."""
    played = build.begun(build.mission(build.TUTORIAL))
    played.do("status", shuffled_here=False)
    return played


def undo_view(match: Any, side: str) -> dict[str, Any]:
    found: dict[str, Any] = match.session.view(Audience(side=side))["undo"]
    return found


def test_a_player_takes_back_his_own_last_step(match: Any) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=2)
    match.do("undo", by=MARINES)
    assert match.game.piece("alpha").harm == 0


@pytest.mark.parametrize("author", [INVADER, TABLE, JUDGE])
def test_an_undo_of_others_steps_needs_their_yes(match: Any, author: Any) -> None:
    match.do("damage", by=author, figure="imp-1", amount=2)
    with pytest.raises(NotYours, match="ask them"):
        match.do("undo", by=MARINES)
    assert match.game.piece("imp-1").harm == 2


def test_a_step_of_ones_own_under_those_of_others_is_not_free(match: Any) -> None:
    before = match.session.seq
    match.do("damage", by=MARINES, figure="alpha", amount=1)
    other = match.do("damage", by=INVADER, figure="imp-1", amount=1)
    match.do("damage", by=MARINES, figure="alpha", amount=1)
    with pytest.raises(NotYours):
        match.do("undo", by=MARINES, to=before)
    assert undo_view(match, "marines")["free_to"] == other.seq
    match.do("undo", by=MARINES, to=other.seq)
    assert (match.game.piece("alpha").harm, match.game.piece("imp-1").harm) == (1, 1)


def test_a_yes_of_the_other_side_undoes_just_what_was_asked(match: Any) -> None:
    before = match.session.seq
    match.do("damage", by=INVADER, figure="imp-1", amount=1)
    match.do("damage", by=MARINES, figure="bravo", amount=1)
    match.do("ask_undo", by=MARINES, to=before)
    asked = undo_view(match, "invader")["asked"]
    assert (asked["by"]["name"], asked["titles"]) == ("Ann", ["Imp 1: 1 damage", "Bravo: 1 damage"])
    with pytest.raises(NotYours):
        match.do("undo", by=MARINES, to=before)  # nobody can consent for himself
    match.do("undo", by=INVADER, to=before)
    assert (match.game.piece("imp-1").harm, match.game.piece("bravo").harm) == (0, 0)
    assert undo_view(match, "invader")["asked"] is None


def test_a_no_ends_the_request(match: Any) -> None:
    before = match.session.seq
    match.do("damage", by=INVADER, figure="imp-1", amount=1)
    match.do("damage", by=MARINES, figure="bravo", amount=1)
    match.do("ask_undo", by=MARINES, to=before)
    match.do("refuse_undo", by=INVADER)
    assert undo_view(match, "marines")["asked"] is None
    with pytest.raises(NotYours):
        match.do("undo", by=INVADER, to=before)
    with pytest.raises(IllegalStep, match="nobody asks"):
        match.do("refuse_undo", by=INVADER)


def test_a_request_is_over_once_the_match_goes_on_but_not_by_the_camera(match: Any, build: ModuleType) -> None:
    before = match.session.seq
    match.do("damage", by=INVADER, figure="imp-1", amount=1)
    match.do("ask_undo", by=MARINES, to=before)
    match.do("see", by=CAMERA, document=build.corridor(13, 3))
    assert undo_view(match, "invader")["asked"] is not None
    match.do("damage", by=INVADER, figure="imp-1", amount=1)
    assert undo_view(match, "invader")["asked"] is None


def test_what_the_camera_saw_is_in_nobodys_way(match: Any, build: ModuleType) -> None:
    match.do("damage", by=MARINES, figure="alpha", amount=1)
    match.do("see", by=CAMERA, document=build.corridor(13, 3))
    match.do("undo", by=MARINES)
    assert match.game.piece("alpha").harm == 0


def test_where_nobody_did_anything_there_is_nothing_to_undo(build: ModuleType) -> None:
    fresh = build.begun(build.mission(build.TUTORIAL))
    assert fresh.session.view(PUBLIC)["undo"] == {"to": None, "refused": None, "free_to": 0, "asked": None}
    with pytest.raises(IllegalStep, match="nothing to undo"):
        fresh.do("undo")


def test_what_was_revealed_is_not_even_asked_for(match: Any) -> None:
    assert "revealed something" in match.session.view(PUBLIC)["undo"]["refused"]  # no button offers it
    assert match.session.view(JUDGE_VIEW)["undo"]["refused"] is None
    with pytest.raises(IllegalStep, match="revealed something"):
        match.do("ask_undo", by=MARINES, to=0)


def test_a_request_outlives_a_restart_and_the_match_replays(match: Any) -> None:
    before = match.session.seq
    match.do("damage", by=INVADER, figure="imp-1", amount=1)
    match.do("ask_undo", by=MARINES, to=before)
    assert match.session.snapshot() is None
    match.do("undo", by=INVADER, to=before)
    assert not replay_match(match.document(), "evening").findings
