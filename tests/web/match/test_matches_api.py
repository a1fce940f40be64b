"""Whole matches over the page: listed and saved by judges, taken in by the owner."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.actor import JUDGE, TABLE
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def kept(build, state, tmp_path):
    matches = KeptMatches(tmp_path)
    session = matches.begin("evening", load_shipped_mission("roads_bridge_sample"), {})
    session.command({"type": "begin"}, TABLE)
    build.put(state, archive=matches, matches=MatchMenu(matches, lambda session: None))
    yield matches
    matches.close()


def end(kept, name="evening"):
    """Ends a match: before that its file is nobody's."""
    session = kept.go_on(name)
    side = next(piece.side for piece in session.timeline.game.pieces.values())
    session.command({"type": "declare", "winner": side}, JUDGE)
    return session


@pytest.fixture
def as_owner(client, state):
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)


@pytest.mark.usefixtures("as_owner")
def test_matches_are_listed_and_saved(client, kept):
    listed = client.get("/api/v1/matches").get_json()["matches"]
    assert [(label["id"], label["event_count"]) for label in listed] == [("evening", 1)]

    end(kept)
    saved = client.get("/api/v1/matches/evening")
    assert saved.data.startswith(b'{"format":"sightline.match/1"')
    assert "evening.jsonl" in saved.headers["Content-Disposition"]


@pytest.mark.usefixtures("as_owner")
def test_a_match_is_taken_in_under_another_name(client, kept):
    end(kept)
    document = client.get("/api/v1/matches/evening").data
    answer = client.post("/api/v1/matches/guest/import", data=document, headers=CHANGE)

    assert answer.status_code == 201
    assert answer.get_json()["id"] == "guest"
    assert kept.exported("guest") == document
    assert client.post("/api/v1/matches/guest/import", data=document, headers=CHANGE).status_code == 503


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("body", [b"", b"x", b"{}", b'{"format":"sightline.match/1"}\n{"seq":1}'])
def test_what_is_no_match_is_one_sentence(client, kept, body):
    answer = client.post("/api/v1/matches/guest/import", data=body, headers=CHANGE)

    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"]
    assert kept.store.matches() == ("evening",)


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("name", ["..", "%2e%2e", "a%2Fb", " x", "x" * 61])
def test_a_name_from_the_address_is_checked(client, kept, name):
    end(kept)
    document = client.get("/api/v1/matches/evening").data
    answer = client.post(f"/api/v1/matches/{name}/import", data=document, headers=CHANGE)
    assert answer.status_code in (400, 404)


@pytest.mark.usefixtures("as_owner")
def test_without_an_archive_there_is_a_sentence(client):
    assert client.get("/api/v1/matches").status_code == 404


@pytest.mark.usefixtures("kept")
def test_players_and_spectators_get_no_secrets(client, state):
    for role in (Role.SPECTATOR, Role.PLAYER, Role.INVADER):
        token, _ = state.door.devices.admit(role)
        client.set_cookie("sightline", token)
        assert client.get("/api/v1/matches/evening").status_code == 403
        assert client.get("/api/v1/matches").status_code == 403


@pytest.mark.usefixtures("as_owner")
def test_nobody_has_the_dice_of_a_match_that_is_played(client, kept):
    seed = kept.go_on("evening").header.seed
    for path in (
        "/matches/evening",
        "/match",
        "/match/history",
        "/match/story",
        "/now",
        "/matches",
        "/match/history/1",
    ):
        assert seed not in client.get(f"/api/v1{path}").text, path
    refused = client.get("/api/v1/matches/evening")
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceHidden")


@pytest.mark.usefixtures("as_owner")
def test_a_copy_that_is_ended_does_not_open_the_dice_of_the_match(client, kept):
    assert client.post("/api/v1/matches/evening/copy", json={"name": "copy"}, headers=CHANGE).status_code == 201
    end(kept, "copy")
    assert client.get("/api/v1/matches/copy").status_code == 409
    end(kept)
    assert client.get("/api/v1/matches/copy").status_code == 200


@pytest.mark.usefixtures("as_owner")
def test_another_match_that_is_shown_meanwhile_opens_nothing(client, kept):
    kept.begin("other", load_shipped_mission("roads_bridge_sample"), {})
    assert client.get("/api/v1/matches/evening").status_code == 409
    client.post("/api/v1/matches/evening/name", json={"name": "renamed"}, headers=CHANGE)
    assert client.get("/api/v1/matches/renamed").status_code == 409


@pytest.mark.usefixtures("as_owner")
def test_the_end_is_not_taken_back_once_the_dice_are_opened(client, kept, state):
    session = end(kept)
    state.match.play(session)
    undo = {"type": "undo"}
    assert client.post("/api/v1/match/commands", json=undo, headers=CHANGE).status_code == 200
    end(kept)
    assert client.get("/api/v1/matches/evening").status_code == 200
    refused = client.post("/api/v1/match/commands", json=undo, headers=CHANGE)
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceOpened")


@pytest.mark.usefixtures("as_owner", "kept")
def test_where_people_play_against_each_other_no_copy_shows_the_dice_to_come(client, state):
    state.door.devices.let_guests(may_play=False)
    assert client.post("/api/v1/matches/evening/copy", json={"name": "copy"}, headers=CHANGE).status_code == 409


@pytest.mark.usefixtures("as_owner")
def test_a_copy_of_a_match_that_is_over_opens_its_dice(client, kept, state):
    session = end(kept)
    state.match.play(session)
    assert client.post("/api/v1/matches/evening/copy", json={"name": "copy"}, headers=CHANGE).status_code == 201
    undo = {"type": "undo"}
    for shown in ("evening", "copy"):
        state.match.play(kept.go_on(shown))
        refused = client.post("/api/v1/match/commands", json=undo, headers=CHANGE)
        assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceOpened")
