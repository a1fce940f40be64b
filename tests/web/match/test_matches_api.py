"""Whole matches over the page: listed and saved by judges, taken in by the owner."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.match.actor import TABLE
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


@pytest.fixture
def kept(build, state, tmp_path):
    matches = KeptMatches(tmp_path)
    session = matches.begin("evening", load_shipped_mission("roads_bridge_sample"), {})
    session.command({"type": "begin"}, TABLE)
    build.put(state, archive=matches)
    yield matches
    matches.close()


@pytest.fixture
def as_owner(client, state):
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)


@pytest.mark.usefixtures("kept", "as_owner")
def test_matches_are_listed_and_saved(client):
    listed = client.get("/api/v1/matches").get_json()["matches"]
    assert [(label["id"], label["event_count"]) for label in listed] == [("evening", 1)]

    saved = client.get("/api/v1/matches/evening")
    assert saved.data.startswith(b'{"format":"sightline.match/1"')
    assert "evening.jsonl" in saved.headers["Content-Disposition"]


@pytest.mark.usefixtures("as_owner")
def test_a_match_is_taken_in_under_another_name(client, kept):
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


@pytest.mark.usefixtures("kept", "as_owner")
@pytest.mark.parametrize("name", ["..", "%2e%2e", "a%2Fb", " x", "x" * 61])
def test_a_name_from_the_address_is_checked(client, name):
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
