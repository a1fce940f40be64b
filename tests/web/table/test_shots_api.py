from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from said_table import SaidTable

from assistant.app.care import misread
from assistant.app.care.misread import OPEN_S, MisreadPictures
from assistant.app.care.reports import MOST_REPORTS, KeptReports
from assistant.documents import observation_from_json
from assistant.documents.report import report_from_zip
from assistant.errors import NoTiles, PhotoUnreadable, PoseAmbiguous, SizeMismatch, StoreError, TooFewMarkers
from assistant.table.board import UNKNOWN_SIDE
from assistant.table.observation import SeenFrom
from assistant.translations.messages import said
from vision.photo.decoding import decode_photo
from vision.views.reading import TableMoved
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


def test_a_table_with_none_of_the_figures_of_the_box_says_so(client, state, shot):
    def summary_with(strangers: int) -> str:
        figures = shot.board.figures
        unknown = [replace(one, kind="figure", side=UNKNOWN_SIDE) for one in figures[:strangers]]
        board = replace(shot.board, figures=(*unknown, *figures[strangers:]))
        state.shelf.put(replace(shot, id=f"photo-{strangers}", corrected=board))
        return client.get(f"/api/v1/shots/photo-{strangers}").get_json()["summary"]

    every = len(shot.board.figures)
    assert "No figure on the table was recognised." in summary_with(every)
    assert "recognised" not in summary_with(every - 1)


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


@pytest.fixture
def reports(build, state, tmp_path):
    """The reports of a table; a test may set its clock."""
    kept = MisreadPictures(KeptReports(tmp_path), lambda: 0.0)
    build.put(state, reports=kept)
    return kept


@pytest.fixture
def player(app, state, reports):
    client = app.test_client()
    client.set_cookie(COOKIE, state.door.devices.admit(Role.PLAYER)[0])
    return lambda path, body: client.post(f"/api/v1{path}", json=body, headers=CHANGE)


def only_report(reports):
    (file,) = reports.kept.files()
    return report_from_zip(file.read_bytes())


def missing_figures(report):
    return {f.id for f in report.observed.board.figures} - {f.id for f in report.right.figures}


def test_any_player_keeps_a_wrong_reading_by_one_tap_and_its_correction_completes_it(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    first = player("/shots/photo-easy-03/reports", {})
    assert (first.status_code, first.json["is_corrected"]) == (201, False)
    right = player("/shots/photo-easy-03/corrections", {"figures": {"imp-1": None}}).json
    assert right["completes_report"]
    again = player("/shots/photo-easy-03/reports", {}).json
    assert again["is_corrected"]  # a second tap replaces none

    report = only_report(reports)
    assert report.photo == state.shelf.get(right["shot"]).read.picture.jpeg
    assert missing_figures(report) == {"imp-1"}


def test_the_last_of_several_corrections_of_a_reported_photo_wins(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    player("/shots/photo-easy-03/reports", {})
    first = player("/shots/photo-easy-03/corrections", {"figures": {"imp-1": None}}).json["shot"]
    player(f"/shots/{first}/corrections", {"figures": {"bravo": None}})
    assert missing_figures(only_report(reports)) == {"imp-1", "bravo"}
    player("/shots/photo-easy-03/corrections", {"figures": {"foxtrot": None}})  # somebody else, on the first picture
    assert missing_figures(only_report(reports)) == {"foxtrot"}


def test_the_true_table_of_an_earlier_report_stays_though_its_photo_is_corrected_again(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    player("/shots/photo-easy-03/reports", {})
    player("/shots/photo-easy-03/corrections", {"figures": {"imp-1": None}})
    build.put(state, reports=MisreadPictures(reports.kept, lambda: 0.0))  # the program was started again
    player("/shots/photo-easy-03/reports", {})
    player("/shots/photo-easy-03/corrections", {"figures": {"bravo": None}})
    told = [missing_figures(report_from_zip(file.read_bytes())) for file in reports.kept.files()]
    assert sorted(map(min, told)) == ["bravo", "imp-1"]


def test_a_second_tap_on_a_picture_keeps_its_report_again_after_its_file_was_removed(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    player("/shots/photo-easy-03/reports", {})
    (file,) = reports.kept.files()
    file.unlink()
    assert player("/shots/photo-easy-03/reports", {}).status_code == 201
    assert only_report(reports).right is None


def test_a_confirmed_doubt_is_no_true_table_of_a_reported_picture(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    player("/shots/photo-easy-03/reports", {})
    assert not player("/shots/photo-easy-03/corrections", {"sure": ["imp-1"]}).json["completes_report"]
    assert only_report(reports).right is None


def test_a_correction_without_a_report_keeps_none(build, state, player, reports):
    state.shelf.put(build.true_shot("easy-03"))
    assert not player("/shots/photo-easy-03/corrections", {"figures": {"imp-1": None}}).json["completes_report"]
    assert reports.kept.files() == []


def without(board, *names):
    return replace(board, figures=tuple(figure for figure in board.figures if figure.id not in names))


@pytest.fixture
def watched(build, state):
    """A watched table under the newest picture; its ``correct`` returns what a test says."""
    table = SaidTable(state, build.true_setup("easy-03").roster)
    state.shelf.put(build.live_copy(build.true_shot("easy-03"), "live-1"))
    return table


def set_right(player, watched, before, after):
    watched.before_and_after = before, after
    return player("/live/corrections", {"figures": {"imp-1": None}}).json["completes_report"]


def test_a_correction_of_the_watched_table_completes_its_report(state, player, reports, watched):
    board = state.shelf.get("live-1").board
    assert not player("/shots/live-1/reports", {}).json["is_corrected"]
    assert set_right(player, watched, board, without(board, "imp-1"))
    assert (only_report(reports).head.source, missing_figures(only_report(reports))) == ("live", {"imp-1"})
    assert set_right(player, watched, without(board, "imp-1"), without(board, "imp-1", "bravo"))
    assert missing_figures(only_report(reports)) == {"imp-1", "bravo"}


def test_what_moved_on_the_watched_table_since_the_report_stays_out_of_its_true_table(state, player, reports, watched):
    board = state.shelf.get("live-1").board
    player("/shots/live-1/reports", {})
    before = without(board, "bravo")  # taken off the table meanwhile
    assert set_right(player, watched, before, without(before, "imp-1"))
    assert missing_figures(only_report(reports)) == {"imp-1"}


def test_a_report_of_the_watched_table_after_its_correction_shows_the_reading_before(
    build, state, player, reports, watched
):
    board = state.shelf.get("live-1").board
    assert not set_right(player, watched, board, without(board, "imp-1"))
    shown, right = build.live_copy(build.true_shot("easy-03"), "live-2"), without(board, "imp-1")
    read = replace(shown.read, observation=replace(shown.read.observation, board=right))
    state.shelf.put(replace(shown, read=read))

    assert player("/shots/live-2/reports", {}).json["is_corrected"]
    assert missing_figures(only_report(reports)) == {"imp-1"}


def test_a_report_of_the_watched_table_holds_what_was_read_and_not_what_was_believed(
    build, state, player, reports, watched
):
    shown = build.live_copy(build.true_shot("easy-03"), "live-2")
    as_read = replace(shown.read.observation, board=without(shown.board, "imp-1"))
    state.shelf.put(replace(shown, read=replace(shown.read, as_read=as_read)))
    player("/shots/live-2/reports", {})
    assert only_report(reports).observed.board == as_read.board


def test_one_guest_cannot_use_up_the_reports_of_the_table(build, state, app, reports, monkeypatch):
    monkeypatch.setattr(misread, "MOST_OF_GUEST", 1)
    first = build.true_shot("easy-03")
    other = replace(first.read.observation, board=without(first.board, "imp-1"))
    state.shelf.put(first)
    state.shelf.put(replace(first, id="photo-other", read=replace(first.read, observation=other)))
    guest, joined = app.test_client(), app.test_client()
    guest.set_cookie(COOKIE, state.door.devices.admit()[0])
    joined.set_cookie(COOKIE, state.door.devices.admit(Role.PLAYER)[0])

    def keep(client, name):
        return client.post(f"/api/v1/shots/{name}/reports", json={}, headers=CHANGE).status_code

    assert [keep(guest, first.id), keep(guest, "photo-other"), keep(joined, "photo-other")] == [201, 409, 201]
    assert [keep(guest, first.id), keep(guest, "photo-other")] == [201, 201]  # what is kept already is not one more
    for file in reports.kept.files():
        reports.kept.remove(file)
    assert keep(guest, "photo-other") == 201


def test_a_late_correction_of_the_watched_table_is_of_another_moment_than_its_report(state, player, reports, watched):
    board = state.shelf.get("live-1").board
    player("/shots/live-1/reports", {})
    reports.now_s = lambda: OPEN_S + 1
    assert not set_right(player, watched, board, without(board, "imp-1"))
    assert only_report(reports).right is None


def test_a_picture_of_the_watched_table_that_was_corrected_as_a_photo_completes_its_report(player, reports, watched):
    player("/shots/live-1/reports", {})
    assert player("/shots/live-1/corrections", {"figures": {"imp-1": None}}).json["completes_report"]
    assert missing_figures(only_report(reports)) == {"imp-1"}


def test_the_owners_file_of_the_watched_table_holds_its_corrections(build, state, as_owner, player, reports, watched):
    board = state.shelf.get("live-1").board
    set_right(player, watched, board, without(board, "imp-1"))
    saved = report_from_zip(as_owner[1].get("/api/v1/shots/live-1/report").data)
    assert missing_figures(saved) == {"imp-1"}
    assert reports.kept.files() == []


def test_a_correction_stands_though_its_report_cannot_be_written(build, state, player, reports, monkeypatch):
    state.shelf.put(build.true_shot("easy-03"))
    player("/shots/photo-easy-03/reports", {})

    def full(*_):
        raise StoreError(said("The disk is full."))

    monkeypatch.setattr(KeptReports, "complete", full)
    answer = player("/shots/photo-easy-03/corrections", {"figures": {"imp-1": None}})
    assert (answer.status_code, answer.json["completes_report"]) == (201, False)
    assert [problem.part for problem in state.problems.problems] == ["disk"]


GRAY = cv2.imencode(".jpg", np.full((1080, 1920, 3), 90, np.uint8))[1].tobytes()


def hand_in(app, state, path, role=Role.PLAYER):
    client = app.test_client()
    client.set_cookie(COOKIE, state.door.devices.admit(role)[0])
    return client.post(f"/api/v1{path}", data=GRAY, headers={**CHANGE, "Content-Type": "image/jpeg"})


def test_any_player_keeps_a_refused_photo_with_the_reason(app, state, reports):
    assert hand_in(app, state, "/refusals").status_code == 201
    report = only_report(reports)
    assert (report.observed.kind, report.right) == ("TooFewMarkers", None)
    assert decode_photo(report.photo).shape == (1080, 1920, 3)


def test_a_photo_from_another_side_that_is_refused_is_kept_with_its_picture(app, build, state, reports):
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    assert hand_in(app, state, f"/shots/{shot.id}/sides/refusals").status_code == 201
    report = only_report(reports)
    assert report.observed.kind == "TooFewMarkers"
    assert (report.photo, len(report.sides)) == (shot.read.picture.jpeg, 1)


def test_a_full_folder_of_reports_says_who_makes_room(build, state, player, reports):
    reports.kept.folder.mkdir()
    for number in range(MOST_REPORTS):
        (reports.kept.folder / f"{number}.zip").touch()
    state.shelf.put(build.true_shot("easy-03"))
    answer = player("/shots/photo-easy-03/reports", {})
    assert (answer.status_code, "sightline report prune" in answer.text) == (409, True)


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
