"""The page of a table without a grid: two taps, the ruler, circles, terrain drawn by a finger."""

import math
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from assistant.app.care.misread import OPEN_S, MisreadPictures
from assistant.app.care.reports import KeptReports
from assistant.app.live import free_ground
from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.reader import REPORT_PX, encode_for_report
from assistant.app.tournament.checking import check_evidence
from assistant.documents.report import FreeReport, report_from_zip
from assistant.documents.table_event import Person
from assistant.match.actor import CAMERA
from assistant.match.ground import free_table_of
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.rules.free_flips import FreeFlip
from assistant.rules.ruling import Verdict
from assistant.table.free_sighting import FreeMaybe, FreeSpot
from assistant.translations.catalogue import speak_id
from assistant.translations.speech import Speech
from vision.free.terrain import FoundPiece
from vision.photo.decoding import decode_photo
from web.free.card import free_card
from web.people.door import PARTS
from web.people.session import COOKIE
from web.serving.roles import Role


@pytest.fixture
def shown(free):
    """The newest picture."""
    return free("")


def test_without_such_a_table_it_says_how_to_begin(client):
    answer = client.get("/api/v1/free")
    assert answer.status_code == 409
    assert "--free-table" in answer.text


def test_the_page_comes_with_every_figure(client, free, shown):
    assert client.get("/free").status_code == 200
    assert len(shown["figures"]) >= 20
    assert client.get(shown["picture"]).mimetype == "image/jpeg"
    assert all(len(figure["base"]) > 20 for figure in shown["figures"])


def test_two_taps_make_a_ruling(free, shown):
    first = shown["figures"][0]
    other = next(figure for figure in shown["figures"] if figure["side"] != first["side"])
    card = free(f"/shots/{shown['shot']}/rulings", {"attacker": first["id"], "defender": other["id"]})
    assert card["verdict"] in ("clear", "cover", "blocked")
    assert card["ruling"]["format"] == "sightline.ruling/1"
    assert 0 <= card["stability"]["share"] <= 1
    assert any("±" in fact["value"] for fact in card["facts"]) or card["facts"][0]["value"] == "yes"
    assert all(reason["source"] for reason in card["reasons"] if reason["rule"].endswith("distance"))
    assert not any(first["id"] in reason["text"] for reason in card["reasons"]), "people read names"


@pytest.mark.parametrize("about", ["sight", "cover"])
def test_two_claims_about_a_pair_stand_side_by_side_with_what_the_house_would_have_to_play(free, shown, about):
    first = shown["figures"][0]
    other = next(figure for figure in shown["figures"] if figure["side"] != first["side"])
    pair = {"attacker": first["id"], "defender": other["id"]}
    ruling = free(f"/shots/{shown['shot']}/rulings", pair)["ruling"]
    yes, no = free(f"/shots/{shown['shot']}/claims", {**pair, "about": about})["claims"]
    now = {"sight": ruling["line_of_sight"], "cover": ruling["cover"]}[about]
    assert (yes["holds"], no["holds"]) == ((None, None) if now is None else (now, not now))
    assert all(choice["source"] for claim in (yes, no) for choice in claim["under"])


def test_a_base_that_is_no_circle_is_drawn_with_its_corners_and_ruled_on_without_a_doubt(free, shown, desk):
    sighting = desk.shot(shown["shot"]).sighting
    long = next(figure for figure in sighting.table.figures if figure.base_size_mm)
    other = next(f for f in sighting.table.figures if f.side != long.side and not f.base_size_mm)
    drawn = next(figure for figure in shown["figures"] if figure["id"] == long.id)
    assert len({tuple(place) for place in drawn["base"]}) == 4
    card = free(f"/shots/{shown['shot']}/rulings", {"attacker": long.id, "defender": other.id})
    assert not any("circle" in doubt for doubt in card["doubts"])


def test_an_unknown_figure_is_named(free, shown):
    answer = free(f"/shots/{shown['shot']}/rulings", {"attacker": "nobody", "defender": "x"}, status=400)
    assert "nobody" in str(answer)


def test_the_ruler_measures_to_the_millimetre(free, shown, scene):
    a, b = ((200.0, 200.0), (450.0, 200.0))
    start, end = scene.view.project(np.array([[*a, 0.0], [*b, 0.0]])).tolist()
    found = free(f"/shots/{shown['shot']}/measures", {"start": start, "end": end})
    assert found["mm"] == pytest.approx(250, abs=0.7)
    assert found["steps"] == pytest.approx(5, abs=0.02)
    assert 0 < found["error_mm"] < 3


def test_a_circle_goes_round_a_figure(free, shown):
    figure = shown["figures"][0]
    outline = free(f"/shots/{shown['shot']}/circles", {"figure": figure["id"], "steps": 2})["outline"]
    inside = np.array(outline, dtype=np.float32)
    assert cv2.pointPolygonTest(inside, tuple(figure["center"]), False) > 0


def test_who_within_a_radius_stands_before_a_model_is_reported_where_its_mark_tells_its_front(free, shown):
    wide = {"steps": 5}
    marked = next(figure for figure in shown["figures"] if figure["facing"])
    told = free(f"/shots/{shown['shot']}/circles", {"figure": marked["id"], **wide})
    left, right, middle = (np.array(place) for place in (*told["front"], marked["center"]))
    across = np.array([left[1] - right[1], right[0] - left[0]]) / np.linalg.norm(right - left)
    assert abs(float((middle - left) @ across)) < 8, "through its middle, but for what the lens bends"
    assert "Before it: " in told["text"] or "Behind it: " in told["text"]
    plain = next(figure for figure in shown["figures"] if not figure["facing"])
    told = free(f"/shots/{shown['shot']}/circles", {"figure": plain["id"], **wide})
    assert (told["front"], told["text"]) == (None, f"The picture does not show which way {plain['name']} faces.")


def test_what_holds_for_a_figure_is_reported(free, shown):
    told = free(f"/shots/{shown['shot']}/figures/{shown['figures'][0]['id']}")
    assert all(reason["text"] for reason in told["reasons"])


@pytest.fixture
def judged(state, desk, build, tmp_path):
    """The page with a referee for calls, with the picture of the first test's page."""
    build.judge(state, build.referee(state, tmp_path))
    state.look_back.keep(desk.latest)
    yield state
    build.stores.pop().close()


def test_a_judge_who_is_called_finds_picture_ruling_and_what_was_done_by_hand(client, post, free, shown, judged):
    first = shown["figures"][0]["id"]
    other = next(figure["id"] for figure in shown["figures"] if figure["side"] != shown["figures"][0]["side"])
    free(f"/shots/{shown['shot']}/rulings", {"attacker": first, "defender": other})
    ann = Person(role="player", name="Ann")
    judged.note(lambda referee: referee.note_free("terrain_moved", "wall-1", ann))
    call = post("/calls/new", {"id": "c1"}).get_json()
    assert (speak_id(first), speak_id(other)) in [(one["attacker"], one["defender"]) for one in call["rulings"]]
    assert {edge["kind"] for edge in call["pictures"][-1]["edges"]} == {"base", "terrain"}
    assert "was searched for" in call["corrections"][0]["text"]
    checked = check_evidence(client.get("/api/v1/calls/c1/evidence.zip").data, "call.zip", judged.referee.fingerprint)
    assert checked.findings == ()
    assert checked.ruling_count == len(call["rulings"]) >= 1
    for kind, begin in (("pdf", b"%PDF-"), ("html", b"<!doctype html>")):
        assert client.get(f"/api/v1/calls/c1/report.{kind}").data.startswith(begin)


@pytest.fixture
def doubtful(desk):
    """A desk with the same picture and one more possible figure."""
    shot, others = desk.latest, [figure.center_mm for figure in desk.latest.sighting.table.figures]
    places = ((x, y) for x in range(60, 640, 20) for y in range(60, 540, 20))
    x, y = next(at for at in places if all(math.dist(at, map(float, other)) > 80 for other in others))
    scout = desk.game.box.figure("scout-1")
    there = replace(scout, id="scout?1", center_mm=(Fraction(x), Fraction(y)), elevation_mm=Fraction(0))
    seen = replace(shot.sighting, maybes=(FreeMaybe(there, 0.4, spot=FreeSpot(0.2)),))
    made = FreeTablePictures(desk.game, desk.rules)
    made._keep(replace(shot, sighting=seen), desk._images[shot.id])
    return made


def test_a_place_where_somebody_may_stand_is_drawn_and_one_tap_settles_it(ask_page, doubtful):
    asked = ask_page(doubtful)
    shown = asked("")
    (maybe,) = shown["maybes"]
    assert (maybe["id"], maybe["name"], len(maybe["base"]) > 20) == ("scout?1", "Scout", True)
    assert "40" in maybe["question"]
    answer = {"figure": "scout?1", "is_there": True}
    told = asked(f"/shots/{shown['shot']}/answers", answer, status=201)
    assert (told["maybes"], len(told["figures"])) == ([], len(shown["figures"]) + 1)
    assert asked("")["shot"] == told["shot"] != shown["shot"]
    assert "look again" in str(asked(f"/shots/{told['shot']}/answers", answer, status=400))


def test_that_nobody_stands_there_is_kept_for_a_judge(ask_page, doubtful, judged, post):
    asked = ask_page(doubtful)
    shown = asked("")
    told = asked(f"/shots/{shown['shot']}/answers", {"figure": "scout?1", "is_there": False}, status=201)
    assert (told["maybes"], len(told["figures"])) == ([], len(shown["figures"]))
    call = post("/calls/new", {"id": "c2"}).get_json()
    assert any("denied a figure where the camera was not sure" in one["text"] for one in call["corrections"])


def test_an_answer_holds_for_the_next_picture_of_the_same_table(doubtful, monkeypatch):
    shot = doubtful.latest
    reading = SimpleNamespace(sighting=shot.sighting, view=shot.view.view)
    monkeypatch.setattr(doubtful, "_reader", SimpleNamespace(read=lambda _: reading))
    doubtful.say_who_stands(shot.id, "scout?1", is_there=True)
    image = doubtful._images[shot.id]
    again = doubtful.read(image.copy())
    assert again.sighting.maybes == ()
    assert len(again.sighting.table.figures) == len(shot.sighting.table.figures) + 1
    assert again.moves == ()
    assert doubtful.read(np.full_like(image, 90)).sighting.maybes == shot.sighting.maybes


def test_the_card_names_whom_the_answer_hangs_on_with_what_it_would_be(doubtful):
    shot, rules = doubtful.latest, doubtful.rules
    first, other = shot.sighting.table.figures[:2]
    ruling = rules.rule(shot.sighting.table, first.id, other.id)
    (maybe,) = shot.sighting.maybes
    blocked = FreeFlip(maybe.figure, False, maybe.chance, Verdict(ruling.range, False, None))
    gone = FreeFlip(other, True, 0.87, Verdict(ruling.range, True, False))
    doubts = free_card(shot, ruling, (blocked, gone), rules, Speech("en"))["doubts"][-2:]
    assert [doubt["figure"] for doubt in doubts] == ["scout?1", other.id]
    assert "No line of sight" in doubts[0]["text"]
    assert "Clear shot" in doubts[1]["text"]


def test_terrain_drawn_by_a_finger_goes_to_the_edges(free, scene, desk):
    piece = max((t for t in scene.terrain if t.kind == "wall"), key=lambda t: len(t.outline_mm) == 4)
    corners = np.array([[float(x), float(y)] for x, y in piece.outline_mm])
    height = float(piece.height_mm)
    free(f"/shots/{desk.latest.id}/terrain/removals", {"id": piece.id}, status=201)
    shaky = corners + np.random.default_rng(3).normal(0, 1.5, corners.shape)
    sides = zip(shaky, np.roll(shaky, -1, axis=0), strict=True)
    around = np.concatenate([np.linspace(a, b, 12, endpoint=False) for a, b in sides])
    stroke = scene.view.project(np.column_stack([around, np.full(len(around), height)])).tolist()
    wanted = {"stroke": stroke, "kind": "wall", "height_mm": height}
    drawn = free(f"/shots/{desk.latest.id}/terrain", wanted, status=201)
    assert drawn["edge_share"] >= 0.5
    new = np.array([[float(x), float(y)] for x, y in desk.game.box.terrain[-1].outline_mm])
    off = [float(np.linalg.norm(new - corner, axis=1).min()) for corner in corners]
    assert np.median(off) < 1.5


def test_a_line_is_no_terrain(free, shown):
    free(f"/shots/{shown['shot']}/terrain", {"stroke": [[1, 1], [2, 2]], "kind": "wall", "height_mm": 4}, status=400)


def test_terrain_that_was_moved_is_taken_where_it_was_found(free, shown, desk, monkeypatch):
    game, piece = desk.game, shown["terrain"][0]["id"]
    assert "“Nothing”" in str(free(f"/shots/{shown['shot']}/terrain/searches", {"id": "nothing"}, status=400))
    monkeypatch.setattr(free_ground, "find_terrain", lambda *_: None)
    assert "Draw it again" in str(free(f"/shots/{shown['shot']}/terrain/searches", {"id": piece}, status=409))
    corners = ((300.0, 300.0), (340.25, 300.0), (340.25, 330.0))
    monkeypatch.setattr(free_ground, "find_terrain", lambda *_: FoundPiece(corners, 1.0, 1.0))
    monkeypatch.setattr(desk, "_read_again", lambda *_: desk.latest)
    free(f"/shots/{shown['shot']}/terrain/searches", {"id": piece}, status=201)
    moved = next(one for one in desk.game.box.terrain if one.id == piece)
    assert [(float(x), float(y)) for x, y in moved.outline_mm] == list(corners)
    desk._use_terrain(game.box.terrain)


@pytest.fixture
def skirmish(state):
    """A match of four models that are named as kinds of the picture are."""
    folder = resources.files("assistant.games.roads") / "missions"
    text = (folder / "roads_first_skirmish.toml").read_text("utf-8")
    names = {"squire": "brood-1", "crossbow": "brood-2", "digger-1": "ogre-1", "brute": "raider-1"}
    for old, new in names.items():
        text = text.replace(f'id = "{old}"', f'id = "{new}"')
    mission = mission_from_toml(text.encode())
    made = Session(
        new_header(mission, match_id="m", seed="seed", created_t=0, options={}), journal=None, clock_ms=lambda: 0
    )
    made.command({"type": "see", "document": mission.table}, CAMERA)
    state.match.play(made)
    return made


def test_a_match_takes_its_table_from_the_picture_and_moves_are_reported(client, free, shown, desk, skirmish):
    before = free_table_of(skirmish.timeline.game)
    assert 'id="to-match"' in client.get("/free").text
    told = free(f"/shots/{shown['shot']}/match", {})
    after = free_table_of(skirmish.timeline.game)
    seen = {figure.center_mm for figure in desk.shot(shown["shot"]).sighting.table.figures}
    moved = [f.id for f in after.figures if f.center_mm != before.figure(f.id).center_mm]
    assert moved
    assert all(after.figure(name).center_mm in seen for name in moved)
    assert len(told["moves"]) == len(moved)
    assert after.figure("ogre-1").stats == before.figure("ogre-1").stats
    seq = skirmish.seq
    assert free(f"/shots/{shown['shot']}/match", {}) == {"seq": seq, "moves": [], "news": []}


def test_models_that_stand_elsewhere_than_the_mission_says_are_reported_in_steps(client, free, skirmish, desk):
    told = client.get("/api/v1/match/laying").get_json()["laying"]
    assert (told["is_seen"], told["is_right"]) == (True, False)
    seen = {figure.id for figure in desk.latest.sighting.table.figures}
    words = [fault["text"] for fault in told["faults"]]
    assert any("too far from its place, steps: " in text for text in words), words
    assert sum(text.startswith("Not in this mission: ") for text in words) >= len(seen) - len(
        skirmish.timeline.game.pieces
    )
    assert {figure["id"] for figure in told["ground"]["figures"]} == set(skirmish.timeline.game.pieces)


def test_who_stands_elsewhere_is_outlined_on_the_picture_where_he_stands_and_where_he_belongs(
    client, free, skirmish, shown
):
    told = client.get("/api/v1/match/laying").get_json()["laying"]
    assert told["photo"]["picture"] == shown["picture"]
    bases = [figure["base"] for figure in shown["figures"]]
    assert told["faults"]
    for fault in told["faults"]:
        marks = fault["marks"]
        stands = {"wrong": marks["from"], "extra": marks["areas"][0], "missing": None}[fault["kind"]]
        assert stands in (*bases, None)
        assert (marks["areas"][0] in bases) == (fault["kind"] == "extra")
        assert marks["at"][1] == min(y for _, y in marks["areas"][0])


def test_a_picture_is_given_to_no_match_with_tiles(free, shown, state, build):
    assert "No match" in str(free(f"/shots/{shown['shot']}/match", {}, status=404))
    state.match.play(build.sample_session())
    assert "sightline.board/1" in str(free(f"/shots/{shown['shot']}/match", {}, status=409))


def test_any_player_keeps_a_wrong_reading_of_a_table_without_a_grid(client, state, shown, desk, tmp_path):
    kept = KeptReports(tmp_path)
    client.application.extensions[PARTS] = replace(state, reports=MisreadPictures(kept, lambda: 0.0))
    answer = client.post(f"/api/v1/free/shots/{shown['shot']}/reports", json={}, headers={"X-Sightline": "1"})
    assert answer.status_code == 201
    (file,) = kept.folder.glob("*.zip")
    assert report_from_zip(file.read_bytes()).observed.table.figures == desk.shot(shown["shot"]).sighting.table.figures


def test_any_player_keeps_a_refused_photo_of_a_table_without_a_grid(client, state, shown, desk, tmp_path):
    kept = KeptReports(tmp_path)
    client.application.extensions[PARTS] = replace(state, reports=MisreadPictures(kept, lambda: 0.0))
    gray = cv2.imencode(".jpg", np.full((1080, 1920, 3), 90, np.uint8))[1].tobytes()
    headers = {"X-Sightline": "1", "Content-Type": "image/jpeg"}
    assert client.post("/api/v1/free/refusals", data=gray, headers=headers).status_code == 201
    (file,) = kept.folder.glob("*.zip")
    assert report_from_zip(file.read_bytes()).observed.kind == "TooFewMarkers"
    assert desk.latest.id == shown["shot"]


def test_an_answer_about_a_doubtful_model_completes_the_report_of_its_picture(
    ask_page, doubtful, state, build, tmp_path
):
    reports = MisreadPictures(KeptReports(tmp_path), lambda: 0.0)
    build.put(state, reports=reports)
    asked = ask_page(doubtful)
    shown = asked("")
    asked(f"/shots/{shown['shot']}/reports", {}, status=201)
    told = asked(f"/shots/{shown['shot']}/answers", {"figure": "scout?1", "is_there": True}, status=201)
    assert told["completes_report"]

    (file,) = reports.kept.files()
    report = report_from_zip(file.read_bytes())
    read = {figure.id for figure in report.observed.table.figures}
    assert [figure.id for figure in report.right.figures if figure.id not in read] == ["scout~8"]
    assert reports.free_report_of(doubtful.shot(told["shot"]).picture).right == report.right


@pytest.fixture
def reported(doubtful, ask_page, state, build, tmp_path):
    """The page of a watched table with a doubtful model, and its reports."""
    shot = doubtful.latest
    doubtful._keep(replace(shot, id="live-1", source="live"), doubtful._images[shot.id])
    reports = MisreadPictures(KeptReports(tmp_path), lambda: 0.0)
    build.put(state, reports=reports)
    return ask_page(doubtful), reports


SCOUT = {"figure": "scout?1", "is_there": True}


def said_to_be_there(reports):
    (file,) = reports.kept.files()
    report = report_from_zip(file.read_bytes())
    assert report.right is not None
    read = {figure.id for figure in report.observed.table.figures}
    return {figure.id for figure in report.right.figures} - read


def test_a_report_after_an_answer_holds_the_reading_without_it_and_the_answer_as_the_true_table(reported):
    asked, reports = reported
    told = asked("/shots/live-1/answers", SCOUT, status=201)
    assert not told["completes_report"]
    asked(f"/shots/{told['shot']}/reports", {}, status=201)
    assert said_to_be_there(reports) == {"scout~8"}


def test_a_second_tap_after_an_answer_keeps_the_completed_report_of_the_same_picture(reported):
    asked, reports = reported
    asked("/shots/live-1/reports", {}, status=201)
    told = asked("/shots/live-1/answers", SCOUT, status=201)
    asked(f"/shots/{told['shot']}/reports", {}, status=201)
    assert said_to_be_there(reports) == {"scout~8"}


@pytest.mark.parametrize(("passed_s", "completes"), [(OPEN_S - 1, True), (OPEN_S + 1, False)])
def test_an_answer_about_a_newer_picture_of_a_watched_table_completes_the_report_in_time(
    reported, doubtful, passed_s, completes
):
    asked, reports = reported
    asked("/shots/live-1/reports", {}, status=201)
    shot = doubtful.latest
    newer = replace(shot, id="live-2", picture=replace(shot.picture))
    doubtful._keep(newer, doubtful._images[shot.id])
    reports.now_s = lambda: passed_s
    assert asked("/shots/live-2/answers", SCOUT, status=201)["completes_report"] == completes
    if completes:
        assert said_to_be_there(reports) == {"scout~8"}


def test_a_model_denied_on_a_newer_picture_is_taken_out_of_the_true_table_of_the_report(reported, doubtful):
    asked, reports = reported
    asked("/shots/live-1/reports", {}, status=201)
    shot = doubtful.latest
    doubtful._keep(replace(shot, id="live-2", picture=replace(shot.picture)), doubtful._images[shot.id])
    gone = shot.sighting.table.figures[0].id
    assert asked("/shots/live-2/answers", {"figure": gone, "is_there": False}, status=201)["completes_report"]
    (file,) = reports.kept.files()
    report = report_from_zip(file.read_bytes())
    assert {one.id for one in report.observed.table.figures} - {one.id for one in report.right.figures} == {gone}


def test_a_report_of_a_table_without_a_grid_holds_no_picture_of_any_size():
    for shape in ((5800, 3200, 3), (3200, 5800, 3)):
        jpeg = encode_for_report(np.zeros(shape, np.uint8))
        assert REPORT_PX - 2 <= max(decode_photo(jpeg).shape) <= REPORT_PX
    small = decode_photo(encode_for_report(np.zeros((2160, 3840, 3), np.uint8)))
    assert small.shape == (2160, 3840, 3)


def test_the_owner_alone_saves_a_report_of_a_reading_with_what_it_was_read_by(client, state, free, shown, desk):
    place = f"/api/v1/free/shots/{shown['shot']}/report"
    assert client.get(place).status_code == 403

    client.set_cookie(COOKIE, state.door.devices.admit(Role.OWNER)[0])
    answer = client.get(place)

    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    report = report_from_zip(answer.data)
    sighting = desk.shot(shown["shot"]).sighting
    assert isinstance(report, FreeReport)
    assert report.observed.table.figures == sighting.table.figures
    assert report.box.terrain == sighting.table.terrain
    assert {model.id for model in report.roster.figures} <= set(report.box.figure_by_id)
    assert decode_photo(report.photo).shape[:2] == (shown["height_px"], shown["width_px"])
    assert report.right is None
    assert 'id="report"' in client.get("/free").text
