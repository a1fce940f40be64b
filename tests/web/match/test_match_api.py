from __future__ import annotations

import pytest

from web.serving.roles import Role


@pytest.fixture
def session(state, build):
    made = build.sample_session()
    state.match.play(made)
    return made


@pytest.fixture
def join(client, state):
    def as_role(role: Role) -> None:
        token, _ = state.door.devices.admit(role)
        client.set_cookie("sightline", token)

    return as_role


def figure(answer, name):
    return next(f for f in answer.get_json()["view"]["figures"] if f["id"] == name)


def test_without_a_match_there_is_a_sentence(client):
    answer = client.get("/api/v1/match")

    assert answer.status_code == 404
    assert "Start one" in answer.get_json()["error"]["message"]


@pytest.mark.usefixtures("session")
def test_a_step_changes_the_match_and_is_published_to_everybody(client, state, post):
    answer = post("/match/commands", {"type": "damage", "figure": "medic-1", "amount": 2})

    assert figure(answer, "medic-1")["damage"] == 2
    assert figure(client.get("/api/v1/match"), "medic-1")["damage"] == 2
    assert [event.kind for event in state.hub.events_after(0, 0)] == ["match"]


@pytest.mark.usefixtures("session")
def test_undo_is_one_history_for_all(post):
    post("/match/commands", {"type": "damage", "figure": "medic-1", "amount": 2})

    assert figure(post("/match/commands", {"type": "undo"}), "medic-1")["damage"] == 0


@pytest.mark.usefixtures("session")
def test_the_same_command_sent_twice_is_carried_out_once(post):
    for _ in range(3):
        answer = post("/match/commands", {"type": "damage", "figure": "medic-1", "amount": 1, "id": "one"})

    assert figure(answer, "medic-1")["damage"] == 1


@pytest.mark.usefixtures("session")
def test_a_command_on_an_old_match_is_refused(post):
    answer = post("/match/commands", {"type": "damage", "figure": "medic-1", "amount": 1, "after": 0})

    assert answer.status_code == 409
    assert answer.get_json()["error"]["kind"] == "MovedOn"


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("body", [{}, {"type": 5}, {"type": "fly"}, {"type": "damage"}, [], "x", 7])
def test_what_is_no_command_is_refused(post, body):
    answer = post("/match/commands", body)

    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"]


@pytest.mark.usefixtures("session")
def test_the_invaders_hand_is_shown_to_the_invader_and_the_judges_alone(client, join):
    shown = {}
    for role in Role:
        join(role)
        shown[role] = "event-" in client.get("/api/v1/match").text

    assert shown == {
        Role.SPECTATOR: False,
        Role.PLAYER: False,
        Role.INVADER: True,
        Role.JUDGE: True,
        Role.HEAD_JUDGE: True,
        Role.OWNER: False,
    }


@pytest.mark.usefixtures("session")
def test_the_order_says_who_acts(post):
    order = post("/match/commands", {"type": "reveal"}).get_json()["order"]

    names = [entry["name"] for entry in order]
    assert names == ["ranger-1", "ranger-2", "medic-1", "crawler", "spitter", "harrier", "brute"]
    assert sum(entry["is_active"] for entry in order) <= 1


@pytest.mark.usefixtures("session")
def test_the_history_is_listed_and_every_entry_can_be_jumped_to(client, post):
    for _ in range(3):
        post("/match/commands", {"type": "damage", "figure": "medic-1", "amount": 1})
    entries = client.get("/api/v1/match/history").get_json()["history"]
    first = next(entry for entry in entries if "Medic 1" in entry["title"])

    back = post("/match/commands", {"type": "undo", "to": first["seq"]})
    assert figure(back, "medic-1")["damage"] == 1
    after = client.get("/api/v1/match/history").get_json()["history"]
    assert [entry["seq"] for entry in after] == [entry["seq"] for entry in entries]
    assert [entry["done"] for entry in after[-3:]] == [True, False, False]

    on = post("/match/commands", {"type": "redo", "to": entries[-1]["seq"]})
    assert figure(on, "medic-1")["damage"] == 3


@pytest.mark.usefixtures("session")
def test_a_jump_past_what_was_revealed_is_the_judges_alone(post, join):
    refused = post("/match/commands", {"type": "undo", "to": 0})
    assert refused.status_code == 409
    assert "ask a judge" in refused.get_json()["error"]["message"]

    join(Role.JUDGE)
    assert post("/match/commands", {"type": "undo", "to": 0}).get_json()["view"]["round"] == 0


@pytest.mark.usefixtures("session")
def test_what_the_invader_decides_is_done_on_the_invaders_device(client, post, join):
    join(Role.INVADER)
    card = client.get("/api/v1/match").get_json()["view"]["decks"]["invader"]["cards"][0]["id"]
    command = {"type": "gain_argent", "cards": [card], "onto": {"invasion": 1}}
    join(Role.PLAYER)
    assert post("/match/commands", command).status_code == 403

    join(Role.INVADER)
    assert post("/match/commands", command).status_code == 200
    assert post("/match/commands", {"type": "undo"}).status_code == 200


def test_the_match_takes_its_table_from_a_shot_and_advises_on_it(session, state, post, build):
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    asked = {"attacker": "crawler-1", "defender": "ranger-1"}
    assert post("/match/advice", asked).get_json()["ruling"] is None

    seen = post("/match/table", {"shot": shot.id}).get_json()
    assert seen["view"]["history"][-1]["by"] == {
        "role": "table",
        "name": "127.0.0.1",
    }  # a photo that somebody handed in
    assert session.timeline.game.ground
    assert post("/match/table", {"shot": "gone"}).status_code == 404


@pytest.mark.usefixtures("session")
def test_advice_names_range_dice_and_odds_before_the_roll(post):
    answer = post("/match/advice", {"attacker": "crawler-1", "defender": "ranger-1", "range": 1})

    assert answer.status_code == 200
    assert 0 < sum(answer.get_json()["odds"]["damage"].values()) <= 1.001


def test_a_side_that_moves_as_one_has_its_turn_and_no_model_acts_alone(state, client, post, build):
    state.match.play(build.new_session("roads", "roads_first_skirmish"))
    post("/match/commands", {"type": "begin"})
    answer = client.get("/api/v1/match").get_json()
    assert answer["view"]["turn_of"] == "knights"
    assert {entry["name"] for entry in answer["order"] if entry["is_active"]} == {"squire", "crossbow"}


@pytest.mark.usefixtures("session")
def test_a_move_that_the_camera_saw_is_asked_for(client, state, build):
    assert client.get("/api/v1/match/seen").get_json()["move"] is None  # no camera
    state.shown.show(build.live_copy(build.true_shot("easy-03"), "live-1"))
    assert client.get("/api/v1/match/seen").get_json()["move"] is None  # no figure acts


def test_who_has_just_fallen_is_called_by_name_though_he_is_off_the_table(post, session):
    answer = post("/match/commands", {"type": "frag", "figure": "brute-1"}).get_json()
    assert answer["view"]["happened"]["blows"] == [{"figure": "brute-1", "harm": 0, "fell": True}]
    assert answer["names"]["brute-1"] == "Brute 1"
