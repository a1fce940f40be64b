"""A match without a camera: the table is the drawn board, or nothing is drawn at all."""

from __future__ import annotations

import re

import pytest

from assistant.app.matches.archive import KeptMatches
from assistant.app.matches.choice import MatchShow
from assistant.app.matches.match_menu import MatchMenu
from assistant.errors import CameraError
from assistant.translations.messages import said
from web.serving.roles import Role

CAMERA_WORDS = re.compile(r"camera|photo|marker", re.IGNORECASE)
MISSIONS = ("doom2016_first_fight", "doom2004_sample_table", "roads_first_skirmish")


@pytest.fixture
def kept(build, state, tmp_path, client):
    matches = KeptMatches(tmp_path)
    show = MatchShow(state.match.play, state.match.announce, lambda view: None).change
    build.put(state, archive=matches, matches=MatchMenu(matches, show))
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    yield matches
    matches.close()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("mission", MISSIONS)
def test_the_drawn_board_is_the_table_and_no_answer_speaks_of_a_camera(build, state, client, post, mission):
    state.shown.show(build.live_copy(build.true_shot("easy-03"), "live-1"))
    state.problems.report("camera", CameraError(said("The camera sends no new pictures. Check its cable.")))
    assert post("/matches", {"name": "Friday", "mission": mission, "on_sample_table": True}).status_code == 201

    document = client.get("/api/v1/match").get_json()
    assert (document["played_on"], document["other_table"]) == ("drawing", None)
    assert client.get("/api/v1/match/laying").get_json()["laying"] is None
    ground = client.get("/api/v1/match/ground").get_json()["ground"]
    assert ground["figures"]
    assert ground["photo"] is None
    seen = client.get("/api/v1/match/seen").get_json()
    assert (seen["move"], seen["door"], seen["moves"]) == (None, None, [])
    now = client.get("/api/v1/now").get_json()
    assert (now["live"], now["free"], now["has_live"], now["problems"]) == (None, None, False, [])
    told = client.get("/api/v1/problems").get_data(as_text=True)
    assert not CAMERA_WORDS.search(told)
    assert post("/match/table", {"shot": "live-1"}).status_code == 400


@pytest.mark.usefixtures("kept")
def test_a_replay_shows_the_keys_and_portals_that_lay_there(state, client, post):
    """The stranger's replay had bare spaces where the play had signs."""
    post("/matches", {"name": "Friday", "mission": "doom2016_first_fight", "on_sample_table": True})
    now = client.get("/api/v1/match/ground").get_json()["ground"]["tokens"]
    past = client.get("/api/v1/match/ground?at=0").get_json()["ground"]
    last = client.get(f"/api/v1/match/ground?at={state.match.session.seq}").get_json()["ground"]
    assert len(now) > 2
    assert last["tokens"] == now
    assert past is None or past["tokens"]


@pytest.mark.usefixtures("kept")
def test_a_match_for_order_damage_and_dice_alone_has_no_table(state, client, post):
    wanted = {"name": "Friday", "mission": "doom2016_first_fight", "without_table": True}
    assert post("/matches", wanted).status_code == 201
    assert not state.match.session.timeline.game.ground
    assert client.get("/api/v1/match").get_json()["played_on"] == "nothing"
    page = client.get("/").get_data(as_text=True)
    assert 'data-view="initiative"' in page
    assert 'data-view="table"' not in page


def test_a_camera_is_put_up_later_and_what_is_played_on_outlasts_a_restart(kept, state, client, post, tmp_path):
    wanted = {"name": "Friday", "mission": "doom2016_first_fight", "on_sample_table": True}
    assert post("/matches", wanted).status_code == 201
    assert post("/match/played-on", {"played_on": "camera"}).status_code == 200
    assert client.get("/api/v1/match").get_json()["played_on"] == "camera"
    assert post("/match/played-on", {"played_on": "drawing"}).status_code == 200
    assert post("/matches", {**wanted, "name": "Saturday", "on_sample_table": False}).status_code == 201
    assert post("/match/played-on", {"played_on": "drawing"}).status_code == 409
    kept.close()
    again = KeptMatches(tmp_path)
    assert again.go_on("Friday").played_on == "drawing"
    assert again.go_on("Saturday").played_on == "camera"
    again.close()
