"""Matches begun, resumed and copied on the page."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.match.actor import JUDGE
from web.serving.roles import Role


@pytest.fixture
def kept(build, state, tmp_path, client):
    matches = KeptMatches(tmp_path)
    build.put(state, archive=matches)
    build.put(
        state, matches=MatchMenu(matches, MatchShow(state.match.play, state.match.announce, lambda view: None).change)
    )
    token, _ = state.door.devices.admit(Role.JUDGE)
    client.set_cookie("sightline", token)
    yield matches
    matches.close()


@pytest.mark.usefixtures("kept")
def test_missions_of_every_game_are_offered_with_the_rules_of_the_house(client):
    missions = client.get("/api/v1/missions?lang=ru").get_json()["missions"]

    assert len({mission["game"] for mission in missions}) >= 3
    goals = {mission["name"]: [goal["text"] for goal in mission["goals"]] for mission in missions}
    assert "нет цели" in str(goals["doom2004_sample_table"]), "who chooses it knows that nobody wins it as a marine"
    assert len(goals["doom2016_first_fight"]) == 2
    for mission in missions:
        assert all(goal["side"] and goal["text"] for goal in mission["goals"])
        for option in mission["options"]:
            assert option["value"] in {choice["value"] for choice in option["choices"]}
            assert option["title"] != option["name"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("mission", ["doom2016_sample_table", "doom2004_sample_table", "roads_first_skirmish"])
def test_without_a_camera_the_table_of_the_mission_is_drawn_to_be_laid(client, post, mission):
    assert post("/matches", {"name": "Friday", "mission": mission}).status_code == 201
    laying = client.get("/api/v1/match/laying").get_json()["laying"]
    assert (laying["is_seen"], laying["is_right"], laying["faults"]) == (False, False, [])
    assert laying["ground"]["figures"]
    assert bool(laying["ground"]["rim"]) == (mission != "roads_first_skirmish")


@pytest.mark.usefixtures("kept")
def test_places_beside_the_board_of_the_mission_are_called_so(state, client, post, build):
    """Letters and numbers follow the mission's board. The camera's table here is wider on every side."""
    assert post("/matches", {"name": "Friday", "mission": "doom2016_first_fight"}).status_code == 201
    state.shown.show(build.live_copy(build.true_shot("easy-03"), "live-1"))
    texts = [fault["text"] for fault in client.get("/api/v1/match/laying").get_json()["laying"]["faults"]]
    assert any(text.endswith("beside the board of the mission") for text in texts)
    assert any(text.startswith("Not in this mission") and text.endswith("beside the board") for text in texts)
    assert not [text for text in texts if "−" in text]


@pytest.mark.usefixtures("kept")
def test_a_mission_whose_table_is_not_the_one_that_is_seen_is_reported_and_draws_nobody_on_it(
    state, client, post, build
):
    def others():
        missions = client.get("/api/v1/missions").get_json()["missions"]
        return {one["name"] for one in missions if one["is_other_table"]}

    assert others() == set()  # nothing is seen yet
    shot = build.live_copy(build.true_shot("easy-03"), "live-1")
    state.shown.show(shot)
    assert {"doom2016_first_fight", "doom2004_sample_table", "roads_first_skirmish"} <= others()

    assert post("/matches", {"name": "Friday", "mission": "doom2016_first_fight"}).status_code == 201
    assert "Set it up as the help" in client.get("/api/v1/match").get_json()["other_table"]
    refused = post("/match/table", {"shot": shot.id})
    assert refused.status_code == 400
    assert "a different table" in refused.get_json()["error"]["message"]
    assert client.get("/api/v1/match/ground").get_json()["ground"] is None

    wanted = {"name": "Saturday", "mission": "doom2016_first_fight", "on_sample_table": True}
    assert post("/matches", wanted).status_code == 201
    played = client.get("/api/v1/match/ground").get_json()["ground"]
    assert client.get("/api/v1/match").get_json()["other_table"] is None  # the camera's table is unused
    assert post("/match/table", {"shot": shot.id}).status_code == 400
    assert client.get("/api/v1/match/ground").get_json()["ground"] == played


@pytest.mark.usefixtures("kept")
def test_a_match_is_begun_and_published_to_everybody(state, post):
    wanted = {"name": "Friday", "mission": "doom2004_knee_deep_sample", "on_sample_table": True}
    wanted["options"] = {"guard_expiry": "invader_turn"}
    assert post("/matches", wanted).status_code == 201

    assert state.match.session.header.id == "Friday"
    assert state.match.session.header.options["guard_expiry"] == "invader_turn"
    assert state.match.session.timeline.game.ground
    told = state.hub.events_after(0, 0)
    assert [event.kind for event in told] == ["match"]
    assert state.match.run == 1


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"name": "../etc"}, 400, "letters, digits"),
        ({"mission": "nowhere"}, 400, "no mission"),
        ({"options": {"guard_expiry": "never ever"}}, 400, "Choose one of"),
        ({"name": "Thursday"}, 409, "Choose another name"),
    ],
)
def test_what_cannot_be_begun_is_reported_in_one_sentence(state, post, change, status, words):
    state.matches.begin("Thursday", "roads_bridge_sample", {}, on_sample_table=False)
    answer = post("/matches", {"name": "Friday", "mission": "doom2004_knee_deep_sample", **change})

    assert answer.status_code == status
    assert words in answer.get_json()["error"]["message"]
    assert state.match.session.header.id == "Thursday"


def test_a_match_is_resumed_and_the_one_before_is_not_mentioned_again(kept, state, post):
    first = state.matches.begin("Friday", "roads_bridge_sample", {}, on_sample_table=True)
    state.matches.begin("Saturday", "roads_bridge_sample", {}, on_sample_table=True)
    before = len(state.hub.events_after(0, 0))
    first.command({"type": "note", "text": "on"}, JUDGE)
    assert len(state.hub.events_after(0, 0)) == before
    assert post("/matches/Friday/play").get_json() == {"id": "Friday"}
    assert state.match.session is first
    side = next(piece.side for piece in first.timeline.game.pieces.values())
    first.command({"type": "declare", "winner": side}, JUDGE)
    assert post("/matches/Friday/opening").status_code == 200
    assert post("/matches/Friday/copy", {"name": "Friday again"}).status_code == 201
    assert "Friday again" in {label.id for label in kept.labels()}


@pytest.mark.usefixtures("kept")
def test_terrain_of_a_drawn_table_says_what_it_is_and_how_high(client, post):
    wanted = {"name": "Friday", "mission": "roads_first_skirmish", "on_sample_table": True}
    assert post("/matches", wanted).status_code == 201
    ground = client.get("/api/v1/match/ground").get_json()["ground"]
    names = [area["name"] for area in ground["areas"] if area["kind"] != "table"]
    assert names == ["Rock, 0.8 steps high", "Ruin, 0.6 steps high", "Wall, 0.3 steps high", "Thicket"]


@pytest.mark.usefixtures("kept")
def test_the_house_rules_of_a_new_match_stand_in_groups(client):
    """Some forty house rules stood in one column, in no order that a player knows."""
    missions = client.get("/api/v1/missions").get_json()["missions"]
    for mission in missions:
        topics = [option["topic"] for option in mission["options"] if not option["suggested"]]
        assert set(topics) == {"Questions and time", "Sight, cover and distance", "Moves, fights and dice"}
