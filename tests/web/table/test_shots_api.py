from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant.app.care.reports import MOST_REPORTS, KeptReports
from assistant.documents import observation_from_json
from assistant.documents.report import report_from_zip
from assistant.errors import NoTiles, PhotoUnreadable, PoseAmbiguous, SizeMismatch, TooFewMarkers
from assistant.table.observation import SeenFrom
from assistant.translations.messages import said
from vision.views.reading import TableMoved
from web.people.door import PARTS
from web.people.session import COOKIE
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}


def test_a_photo_becomes_a_scene_with_everything_on_the_board(client, state):
    answer = client.post("/api/v1/shots", data=b"any photo", headers={**CHANGE, "Content-Type": "image/jpeg"})

    assert answer.status_code == 201
    scene = answer.get_json()
    assert {figure["id"] for figure in scene["figures"]} == {
        "brute-1", "foxtrot", "imp-1", "bravo", "skull-1", "charlie",
    }  # fmt: skip
    assert len(scene["cells"]) == 51
    assert len(scene["tiles"]) == 3
    assert state.readers.reader.seen == [b"any photo"]
    assert state.shelf.get(scene["shot"]).source == "photo"


def photo_of_side(client, shot_id, photo=b"side", language="en"):
    headers = {**CHANGE, "Content-Type": "image/jpeg", "Accept-Language": language}
    return client.post(f"/api/v1/shots/{shot_id}/sides?lang={language}", data=photo, headers=headers)


def test_a_photo_from_another_side_is_read_with_the_picture_that_is_shown(client, state, shot):
    before = client.get(f"/api/v1/shots/{shot.id}").get_json()
    answer = photo_of_side(client, shot.id)

    assert answer.status_code == 201
    scene = answer.get_json()
    assert scene["shot"] != shot.id
    assert before["settled"] == []
    beginnings = ("Settled: Brute 1 on ", "Settled: a door stands between ", "Settled: no door ", "Settled: nobody ")
    assert len(scene["settled"]) == len(beginnings)
    for sentence, beginning in zip(scene["settled"], beginnings, strict=True):
        assert sentence.startswith(beginning)
    assert client.get(scene["picture"]).data == shot.read.picture.jpeg
    assert state.shelf.get(scene["shot"]).read.sides == (b"side",)
    assert client.get(f"/api/v1/shots/{scene['shot']}").get_json()["settled"] == scene["settled"]


def test_only_a_photo_beside_a_photo_is_taken_to_be_of_the_same_camera(client, state, shot, build):
    photo_of_side(client, shot.id)
    assert state.readers.reader.of_same_camera is True
    state.shelf.put(build.live_copy(shot, "live-1"))
    scene = photo_of_side(client, "live-1").get_json()
    assert state.readers.reader.of_same_camera is False
    assert scene["source"] == "photo"


def test_what_was_settled_is_reported_in_the_readers_language(client, shot):
    for language, word in (("ru", "дверь"), ("es", "puerta")):
        assert word in photo_of_side(client, shot.id, language=language).get_json()["settled"][1]


def test_a_side_that_settles_nothing_says_so(client, state, shot):
    views = (SeenFrom(shot.read.observation.camera),) * 2
    read = replace(shot.read, observation=replace(shot.read.observation, views=views))
    state.shelf.put(replace(shot, id="photo-joint", read=read))
    (told,) = client.get("/api/v1/shots/photo-joint").get_json()["settled"]
    assert "settled no doubt" in told


def test_a_table_that_was_moved_between_the_pictures_is_reported_and_nothing_is_kept(client, state, shot):
    state.readers.reader.error = TableMoved([], ["07A"])
    answer = photo_of_side(client, shot.id)
    assert answer.status_code == 422
    assert "Something moved between the pictures" in answer.get_json()["error"]["message"]
    assert client.get(f"/api/v1/shots/{shot.id}").status_code == 200


def test_a_side_of_a_picture_that_is_gone_is_refused(client):
    assert photo_of_side(client, "photo-gone").status_code == 404


def test_the_scene_can_be_asked_again_and_as_a_plan(client, shot):
    on_photo = client.get(f"/api/v1/shots/{shot.id}").get_json()
    plan = client.get(f"/api/v1/shots/{shot.id}?as=plan").get_json()

    assert (on_photo["width_px"], on_photo["height_px"]) == (1920, 1080)
    assert on_photo["picture"] == f"/api/v1/shots/{shot.id}/picture"
    assert plan["picture"] is None
    assert plan["as_plan"] is True


def test_the_picture_is_the_photo_and_stays_the_same(client, shot):
    answer = client.get(f"/api/v1/shots/{shot.id}/picture")
    again = client.get(f"/api/v1/shots/{shot.id}/picture", headers={"If-None-Match": answer.headers["ETag"]})

    assert answer.mimetype == "image/jpeg"
    assert answer.data == shot.read.picture.jpeg
    assert again.status_code == 304


def test_the_observation_is_the_contract_document(client, shot):
    document = client.get(f"/api/v1/shots/{shot.id}/observation").get_json()

    assert observation_from_json(json.dumps(document).encode()).board == shot.board


def test_two_figures_give_a_card_with_the_ruling_in_it(post, shot):
    card = post(f"/shots/{shot.id}/rulings", {"attacker": "bravo", "defender": "imp-1"}).get_json()

    ruling = card["ruling"]
    assert ruling["format"] == "sightline.ruling/1"
    assert (ruling["ruleset"], ruling["attacker"], ruling["defender"]) == ("doom2016", "bravo", "imp-1")
    assert card["verdict"] == ("blocked" if not ruling["line_of_sight"] else "cover" if ruling["cover"] else "clear")
    said = [*card["reasons"], *card["house"]]
    assert [reason["rule"] for reason in said] == [reason["rule"] for reason in ruling["reasons"]]
    assert all(reason["text"] and reason["source"] for reason in said)
    assert len(card["lines"]) == len(ruling["lines"])


def test_the_other_rule_set_can_be_asked(post, shot):
    question = {"attacker": "bravo", "defender": "imp-1", "ruleset": "doom2004"}

    assert post(f"/shots/{shot.id}/rulings", question).get_json()["ruling"]["ruleset"] == "doom2004"


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"attacker": "bravo", "defender": "nobody"}, 400, "UnknownName"),
        ({"attacker": "bravo", "defender": "imp-1", "ruleset": "doom1993"}, 400, "UnknownName"),
        ({"attacker": "bravo"}, 400, "BadValue"),
        ({"attacker": "bravo", "defender": 7}, 400, "BadValue"),
        ({"attacker": "bravo", "defender": "imp-1", "more": 1}, 400, "BadValue"),
        ([], 400, "BadValue"),
    ],
)
def test_a_wrong_question_is_refused_in_the_one_shape(post, shot, body, status, kind):
    answer = post(f"/shots/{shot.id}/rulings", body)

    assert answer.status_code == status
    error = answer.get_json()["error"]
    assert set(error) == {"status", "kind", "message", "document", "field"}
    assert (error["status"], error["kind"]) == (status, kind)


def test_a_body_beyond_any_question_is_refused_unread(post, shot):
    answer = post(f"/shots/{shot.id}/rulings", {"attacker": "x" * 100_000, "defender": "y"})

    assert answer.status_code == 413


@pytest.mark.parametrize("path", ["/api/v1/shots/none", "/api/v1/shots/none/picture", "/api/v1/shots/none/observation"])
def test_a_shot_that_is_not_kept_is_404(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert answer.get_json()["error"]["message"] == "This picture is no longer stored. Take or choose a new one."


@pytest.mark.parametrize(
    ("problem", "status", "words"),
    [
        (PhotoUnreadable(said("the picture is cut short"), document="photo"), 400, "photo: the picture is cut short."),
        (TooFewMarkers(0, 3), 422, "None of the table's printed markers can be seen."),
        (TooFewMarkers(1, 3), 422, "Only 1 printed marker can be seen."),
        (TooFewMarkers(2, 3), 422, "Only 2 printed markers can be seen."),
        (SizeMismatch((1, 1), (2, 2)), 422, "not cropped or turned"),
        (PoseAmbiguous(), 422, "nobody moved them"),
        (NoTiles(), 422, "Move the camera closer"),
    ],
)
def test_a_photo_that_cannot_be_used_gets_one_sentence_that_says_what_to_do(client, state, problem, status, words):
    state.readers.reader.error = problem

    answer = client.post("/api/v1/shots", data=b"x", headers={**CHANGE, "Content-Type": "image/jpeg"})

    assert answer.status_code == status
    assert words in answer.get_json()["error"]["message"]


def test_the_same_sentence_comes_in_the_readers_language(client, state):
    state.readers.reader.error = TooFewMarkers(2, 3)

    answer = client.post("/api/v1/shots?lang=ru", data=b"x", headers=CHANGE)

    assert answer.get_json()["error"]["message"].startswith("Видны только 2 ")


def test_an_empty_upload_is_no_photo(client):
    assert client.post("/api/v1/shots", data=b"", headers=CHANGE).status_code == 400


def test_an_upload_beyond_25_megabytes_is_refused_before_it_is_read(client, state):
    answer = client.post("/api/v1/shots", data=bytes(26 << 20), headers=CHANGE)

    assert answer.status_code == 413
    assert "25 MB" in answer.get_json()["error"]["message"]
    assert state.readers.reader.seen == []


def test_a_ruling_is_kept_with_its_picture_and_published_to_everybody(client, state, post, shot):
    question = {"attacker": "bravo", "defender": "imp-1"}
    card = post(f"/shots/{shot.id}/rulings", question).get_json()
    post(f"/shots/{shot.id}/rulings", question)
    [asked] = client.get("/api/v1/rulings").get_json()["rulings"]

    assert (asked["shot"], asked["attacker"]["id"], asked["defender"]["id"]) == (shot.id, "bravo", "imp-1")
    again = client.get(f"/api/v1/rulings/{asked['id']}").get_json()
    assert {name: again[name] for name in card} == card
    told = state.hub.events_after(0, 0)
    assert [(event.kind, event.body["id"]) for event in told] == [("ruling", asked["id"])] * 2
    assert client.get("/api/v1/rulings/none").status_code == 404


def test_a_picture_of_the_camera_stays_while_its_ruling_is_kept(client, state, post, shot, build):
    state.shown.show(build.live_copy(shot, "live-0"))
    post("/shots/live-0/rulings", {"attacker": "bravo", "defender": "imp-1"})
    for number in range(1, 12):
        state.shown.show(build.live_copy(shot, f"live-{number}"))

    assert client.get("/api/v1/shots/live-0").status_code == 200
    assert client.get("/api/v1/shots/live-1").status_code == 404


def test_a_page_that_follows_the_camera_makes_no_news_until_the_answer_is_another(state, post, shot, build):
    question = {"attacker": "bravo", "defender": "imp-1"}
    for number in range(3):
        state.shown.show(build.live_copy(shot, f"live-{number}"))
        post(f"/shots/live-{number}/rulings", {**question, "is_follow_up": number > 0})
    post("/shots/live-2/rulings", question)

    assert [asked.shot for asked in state.asked] == ["live-0", "live-2"]


def test_every_ruling_of_the_list_has_its_picture_still(client, state, post, shot, build):
    for number in range(30):
        state.shelf.put(replace(shot, id=f"photo-{number}"))
        post(f"/shots/photo-{number}/rulings", {"attacker": "bravo", "defender": "imp-1"})
    for number in range(30):
        state.shelf.put(replace(shot, id=f"other-{number}"))
    listed = client.get("/api/v1/rulings").get_json()["rulings"]

    assert len(listed) == 24
    assert all(client.get(card["frame"]["picture"] + "?size=small").status_code == 200 for card in listed)


@pytest.fixture
def as_owner(state, app):
    """The page and a client that owns it."""
    client = app.test_client()
    client.set_cookie(COOKIE, state.door.devices.admit(Role.OWNER)[0])
    return state, client


def test_the_owner_saves_a_report_of_a_reading_with_what_was_set_right(build, as_owner):
    state, client = as_owner
    state.shelf.put(build.true_shot("easy-03"))
    set_right = client.post(
        "/api/v1/shots/photo-easy-03/corrections", json={"figures": {"imp-1": None}}, headers=CHANGE
    ).get_json()

    answer = client.get(f"/api/v1/shots/{set_right['shot']}/report")

    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    report = report_from_zip(answer.data)
    assert report.right is not None
    assert {f.id for f in report.observed.board.figures} - {f.id for f in report.right.figures} == {"imp-1"}
    assert len(report.pictures) == len(report.tiles.sides)


def test_any_player_keeps_a_wrong_reading_by_one_tap_and_its_correction_completes_it(build, state, app, tmp_path):
    kept = KeptReports(tmp_path)
    app.extensions[PARTS] = replace(state, reports=kept)
    player = app.test_client()
    player.set_cookie(COOKIE, state.door.devices.admit(Role.PLAYER)[0])
    state.shelf.put(build.true_shot("easy-03"))

    first = player.post("/api/v1/shots/photo-easy-03/reports", json={}, headers=CHANGE)
    assert first.status_code == 201
    change = {"figures": {"imp-1": None}}
    right = player.post("/api/v1/shots/photo-easy-03/corrections", json=change, headers=CHANGE).get_json()["shot"]
    assert player.post(f"/api/v1/shots/{right}/reports", json={}, headers=CHANGE).status_code == 201
    again = player.post("/api/v1/shots/photo-easy-03/reports", json={}, headers=CHANGE)
    assert again.status_code == 201  # a report without the true table replaces none

    (file,) = kept.folder.glob("*.zip")
    report = report_from_zip(file.read_bytes())
    assert report.photo == state.shelf.get(right).read.picture.jpeg
    assert {f.id for f in report.observed.board.figures} - {f.id for f in report.right.figures} == {"imp-1"}


def test_a_full_folder_of_reports_says_who_makes_room(build, state, app, tmp_path):
    kept = KeptReports(tmp_path)
    kept.folder.mkdir()
    for number in range(MOST_REPORTS):
        (kept.folder / f"{number}.zip").touch()
    app.extensions[PARTS] = replace(state, reports=kept)
    state.shelf.put(build.true_shot("easy-03"))
    answer = app.test_client().post("/api/v1/shots/photo-easy-03/reports", json={}, headers=CHANGE)
    assert (answer.status_code, "The owner moves some out" in answer.text) == (409, True)


def test_a_table_without_a_data_folder_keeps_no_reports(client, shot):
    answer = client.post(f"/api/v1/shots/{shot.id}/reports", json={}, headers=CHANGE)
    assert (answer.status_code, "keeps no reports" in answer.text) == (409, True)


def test_nobody_else_saves_a_report(client, shot):
    assert client.get(f"/api/v1/shots/{shot.id}/report").status_code == 403


def test_a_picture_of_another_set_up_is_not_reported_with_this_one(build, as_owner):
    state, client = as_owner
    state.shelf.put(replace(build.true_shot("easy-03"), setup=build.true_setup("easy-01")))
    answer = client.get("/api/v1/shots/photo-easy-03/report")
    assert (answer.status_code, "another set-up" in answer.get_json()["error"]["message"]) == (409, True)
