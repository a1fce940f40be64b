"""Whole matches over the page: listed and saved by judges, taken in by the owner."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import KeptMatches, load_shipped_mission
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.actor import JUDGE, TABLE
from assistant.match.replay import replay_match
from assistant.match.session import Session
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


def change(client, body=None):
    """Send a change to an address, with this body."""
    return lambda path: client.post(path, json=body or {}, headers=CHANGE)


def end(kept, name="evening"):
    """End a match: before that its file is nobody's."""
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
    kept.open_dice("evening")
    saved = client.get("/api/v1/matches/evening")
    assert saved.data.startswith(b'{"format":"sightline.match/1"')
    assert "evening.jsonl" in saved.headers["Content-Disposition"]


@pytest.mark.usefixtures("as_owner")
def test_a_match_is_taken_in_under_another_name(client, kept):
    end(kept)
    kept.open_dice("evening")
    document = client.get("/api/v1/matches/evening").data
    answer = client.post("/api/v1/matches/guest/import", data=document, headers=CHANGE)

    assert answer.status_code == 201
    assert answer.get_json()["id"] == "guest"
    assert kept.exported("guest") == document
    assert client.post("/api/v1/matches/guest/import", data=document, headers=CHANGE).status_code == 409


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
    kept.open_dice("evening")
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
def test_another_match_that_is_shown_meanwhile_opens_nothing(client, kept):
    kept.begin("other", load_shipped_mission("roads_bridge_sample"), {})
    assert client.get("/api/v1/matches/evening").status_code == 409
    client.post("/api/v1/matches/evening/name", json={"name": "renamed"}, headers=CHANGE)
    assert client.get("/api/v1/matches/renamed").status_code == 409


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("role", [Role.OWNER, Role.JUDGE, Role.HEAD_JUDGE])
def test_an_end_by_mistake_is_taken_back_whoever_looks_until_the_dice_are_opened_on_purpose(client, kept, state, role):
    token, _ = state.door.devices.admit(role)
    client.set_cookie("sightline", token)
    session = end(kept)
    state.match.play(session)
    for path, send in (("", client.get), ("/copy", change(client, {"name": "copy"}))):
        closed = send(f"/api/v1/matches/evening{path}")
        assert (closed.status_code, closed.get_json()["error"]["kind"]) == (409, "DiceClosed")
        assert "closes it for good" in closed.get_json()["error"]["message"]
    undo = {"type": "undo"}
    assert client.post("/api/v1/match/commands", json=undo, headers=CHANGE).status_code == 200
    refused = change(client)("/api/v1/matches/evening/opening")
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceHidden")
    end(kept)
    assert change(client)("/api/v1/matches/evening/opening").status_code == 200
    assert client.get("/api/v1/matches/evening").status_code == 200
    refused = client.post("/api/v1/match/commands", json=undo, headers=CHANGE)
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceOpened")


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("may_play", [True, False])
def test_a_match_that_goes_on_is_not_copied(client, kept, state, may_play):
    state.door.devices.let_guests(may_play=may_play)
    refused = change(client, {"name": "copy"})("/api/v1/matches/evening/copy")
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "DiceHidden")
    assert kept.store.matches() == ("evening",)


@pytest.mark.usefixtures("as_owner")
def test_a_copy_of_a_match_that_was_opened_goes_on_with_other_dice(client, kept, state):
    end(kept)
    assert change(client)("/api/v1/matches/evening/opening").status_code == 200
    for name in ("one", "two"):
        assert change(client, {"name": name})("/api/v1/matches/evening/copy").status_code == 201
    evening, one, two = (kept.go_on(name) for name in ("evening", "one", "two"))
    assert len({evening.seed, one.seed, two.seed}) == 3
    state.match.play(one)
    assert change(client, {"type": "undo"})("/api/v1/match/commands").status_code == 200
    assert one.seed not in client.get("/api/v1/match").text
    state.match.play(evening)
    refused = change(client, {"type": "undo"})("/api/v1/match/commands")
    assert refused.get_json()["error"]["kind"] == "DiceOpened"
    assert client.get("/api/v1/matches/one").status_code == 409  # it goes on, with dice of its own
    assert client.get("/api/v1/matches/evening").status_code == 200
    assert replay_match(kept.exported("one"), "one").findings == ()
    assert Session.resumed(kept.store.load("one").lines, journal=None, clock_ms=lambda: 0).seed == one.seed


@pytest.mark.usefixtures("as_owner")
def test_a_match_that_is_taken_in_goes_on_with_dice_that_nobody_knows(client, kept):
    document = kept.exported("evening")
    assert client.post("/api/v1/matches/guest/import", data=document, headers=CHANGE).status_code == 201
    assert kept.go_on("guest").seed != kept.go_on("evening").seed


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("name", ["", "Sightline"])
def test_nobody_chooses_the_seed_of_the_dice(client, kept, state, name):
    token, _ = state.door.devices.admit(Role.JUDGE, name)
    client.set_cookie("sightline", token)
    state.match.play(kept.go_on("evening"))
    seed = kept.go_on("evening").seed
    refused = change(client, {"type": "reseed", "seed": "mine"})("/api/v1/match/commands")
    assert (refused.status_code, kept.go_on("evening").seed) == (403, seed)


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("path", ["", "/evening/name", "/evening/import"])
def test_a_name_that_is_taken_is_no_reason_to_try_again(client, kept, path):
    body = {"": {"name": "evening", "mission": "roads_bridge_sample"}, "/evening/name": {"name": "evening"}}.get(path)
    if body is None:
        refused = client.post(f"/api/v1/matches{path}", data=kept.exported("evening"), headers=CHANGE)
    else:
        refused = client.post(f"/api/v1/matches{path}", json=body, headers=CHANGE)
    assert (refused.status_code, refused.get_json()["error"]["kind"]) == (409, "NameTaken")
    assert "Retry-After" not in refused.headers
