"""The set-up over the page's API: every step answers with the whole set-up, every refusal is one sentence."""

from __future__ import annotations

import json
import re
from typing import get_args

import cv2
import numpy as np
import pytest

from assistant.app.setup.sample import sample_game
from assistant.app.setup.values import (
    STEPS,
    GameStepState,
    LensFound,
    LensState,
    SetUpPreview,
    SetUpState,
    SheetSettings,
    TableFound,
    TableState,
)
from assistant.app.setup.wizard import SetUpWizard
from assistant.errors import (
    DraftGone,
    MissingStep,
    NoDoorShown,
    NoFigureShown,
    NoTileShown,
    StepMissing,
    TeachingFault,
    Unteachable,
)
from assistant.profiles import Profiles
from assistant.translations.catalogue import PSEUDO, languages, translate
from assistant.translations.speech import speech
from calibration.lens_guidance import TILTS, Missing, PictureRefusal
from calibration.table_solve import MarkerFault, MarkerFaultKind
from web.problems.errors import word_error
from web.serving.roles import Role
from web.setup.view import SHEET_TITLES, STEP_TITLES, setup_document

CHANGE = {"X-Sightline": "1"}
EN = speech("en")


@pytest.fixture(scope="module")
def sample():
    return sample_game()


@pytest.fixture
def desk(build, state, tmp_path, sample):
    build.put(state, desk=SetUpWizard(tmp_path, sample, lambda game, source: None))
    return state.desk


@pytest.fixture
def owner(app, state, desk):
    client = app.test_client()
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    return client


@pytest.fixture
def tell(owner):
    """Changes something in the set-up, as the page does."""

    def send(path, body=None, status=200):
        answer = owner.post(f"/api/v1/wizard/{path}", json=body or {}, headers=CHANGE)
        assert answer.status_code == status, answer.text
        return answer.get_json()

    return send


def set_up_state(**changes):
    """Return a set-up of photos in its lens step, with whatever else is named."""
    values = {
        "step": "lens",
        "statuses": dict.fromkeys(STEPS, "open"),
        "source": "photos",
        "cameras": ("photos", "usb:0", "virtual"),
        "sheets": SheetSettings("a4", None, False, tuple(SHEET_TITLES)),
        "lens": LensState(0, None, False, False, None),
        "table": TableState((), None),
        "game": GameStepState((), (), None, None),
        "name": None,
        "names": (),
        "look": None,
    }
    return SetUpState(**{**values, **changes})


def test_the_set_up_begins_with_the_camera(tell, owner):
    begun = owner.get("/api/v1/wizard").get_json()
    chosen = tell("camera", {"source": "photos"})

    assert [step["name"] for step in begun["steps"]] == list(STEPS)
    assert begun["step"] == "camera"
    assert begun["source"] is None
    assert (chosen["source"], chosen["is_live"]) == ("photos", False)
    first = {"name": "camera", "title": "Camera", "status": "done", "takes": "This step takes about 1 minute."}
    assert chosen["steps"][0] == first
    assert chosen["steps"][1]["takes"] == "This step takes about 10 minutes. You can leave it out."


def test_usb_cameras_are_called_by_what_they_are():
    names = ("usb:0", "usb:usb-046d_HD_Pro_Webcam_1A2B-video-index0", "rtsp://10.0.0.7/live")
    cameras = setup_document(set_up_state(cameras=names), speech("en"))["cameras"]
    assert [camera["title"] for camera in cameras] == [
        "USB or built-in camera 1",
        "046d HD Pro Webcam 1A2B",
        "rtsp://10.0.0.7/live",
    ]


def test_sheets_are_sent_as_pdf_in_the_scale_that_was_measured(tell, owner):
    changed = tell("sheets", {"paper": "letter", "measured_mm": 98.5, "is_reprinted": True})
    pdf = owner.get("/api/v1/wizard/sheets/table-markers.pdf")

    assert changed["sheets"]["measured_mm"] == 98.5
    assert pdf.mimetype == "application/pdf"
    assert pdf.data.startswith(b"%PDF")
    assert b"612" in pdf.data  # Letter is 612 points wide.
    assert owner.get("/api/v1/wizard/sheets/none.pdf").status_code == 400
    tell("sheets", {"paper": "a4", "measured_mm": 40.0}, status=400)
    tell("sheets", {"paper": "a5"}, status=400)


def test_the_pages_own_camera_can_be_chosen(tell, owner):
    chosen = tell("camera", {"source": "push"})
    assert (chosen["source"], chosen["is_live"]) == ("push", True)
    assert [one["title"] for one in chosen["cameras"] if one["name"] == "push"] == [
        "The camera of the phone or computer that shows this page"
    ]

    photo = cv2.imencode(".jpg", np.full((480, 640, 3), 100, np.uint8))[1].tobytes()
    taken = owner.post("/api/v1/wizard/frames", data=photo, headers=CHANGE)
    assert (taken.status_code, taken.get_json()) == (202, {"taken": True})
    look = tell("look", {"is_wanted": False})["look"]
    assert (look["width_px"], look["height_px"]) == (640, 480)
    assert owner.post("/api/v1/wizard/frames", data=b"", headers=CHANGE).status_code == 400


@pytest.mark.parametrize("path", ["replay:/etc/passwd", "Replay:/no/such/file", "REPLAY:."])
def test_the_page_takes_no_path_of_this_machine_as_a_camera(tell, path):
    refused = tell("camera", {"source": path}, 400)

    assert refused["error"]["message"].startswith("The page opens no files")


def test_a_photo_without_the_board_says_what_to_do(tell, owner):
    tell("camera", {"source": "photos"})
    tell("step", {"step": "lens"})
    photo = cv2.imencode(".png", np.full((360, 640, 3), 100, np.uint8))[1].tobytes()
    answer = owner.post("/api/v1/wizard/photos", data=photo, headers=CHANGE).get_json()

    assert answer["look"]["refusal"] == "no_board"
    assert answer["look"]["sentence"].startswith("The camera does not see the lens board.")
    assert answer["lens"]["views"] == 0
    assert owner.get("/api/v1/wizard/picture").mimetype == "image/jpeg"


@pytest.mark.parametrize("language", ["ru", "es"])
def test_what_goes_wrong_is_reported_in_the_readers_language(language):
    problems = [
        *(StepMissing(step) for step in get_args(MissingStep)),
        *(Unteachable(fault, "07A") for fault in get_args(TeachingFault)),
        *(kind() for kind in (NoTileShown, NoFigureShown, NoDoorShown, DraftGone)),
    ]
    sentences = {word_error(problem, speech(language)) for problem in problems}

    assert len(sentences) == len(problems)
    assert sentences.isdisjoint({word_error(problem, EN) for problem in problems})
    assert all(sentence.endswith(".") and "english" not in sentence.lower() for sentence in sentences)


def test_what_cannot_be_done_yet_is_one_sentence(tell, owner):
    assert owner.get("/api/v1/wizard/picture").status_code == 404
    assert owner.post("/api/v1/wizard/photos", data=b"", headers=CHANGE).status_code == 400
    for path, body, status in [
        ("look", {}, 409),
        ("work", {"what": "lens"}, 409),
        ("work", {"what": "table"}, 409),
        ("work", {"what": "magic"}, 400),
        ("save", {"name": "Kitchen"}, 409),
        ("save", {"name": "x" * 65}, 400),
        ("read", {}, 409),
        ("finish", {}, 409),
        ("camera", {"source": "nothing"}, 400),
        ("step", {"step": "nowhere"}, 400),
        ("again", {"step": "game"}, 400),
        ("use", {"name": "absent"}, 400),
        ("game", {"tiles": "absent"}, 400),
    ]:
        error = tell(path, body, status)["error"]
        assert error["message"].endswith("."), path
        assert "Traceback" not in error["message"]


def test_what_is_kept_goes_into_a_backup_and_comes_back(build, owner, tell, tmp_path, state, sample):
    matrix = [[1000.0, 0.0, 639.5], [0.0, 1000.0, 359.5], [0.0, 0.0, 1.0]]
    lens = {"format": "sightline.camera/1", "width": 1280, "height": 720, "matrix": matrix, "distortion": [0.0] * 5}
    Profiles(tmp_path).keep("camera", "webcam", json.dumps(lens).encode())
    saved = owner.get("/api/v1/wizard/backup.zip")
    build.put(state, desk=SetUpWizard(tmp_path / "other", sample, lambda game, source: None))
    assert saved.mimetype == "application/zip"
    assert owner.post("/api/v1/wizard/restore", data=saved.data, headers=CHANGE).status_code == 200
    assert Profiles(tmp_path / "other").names("camera") == ("webcam",)
    refused = owner.post("/api/v1/wizard/restore", data=b"no zip", headers=CHANGE)
    assert refused.status_code == 400
    assert "backup" in refused.get_json()["error"]["message"]


def test_a_backup_is_not_measured_by_the_limit_of_photos(owner, monkeypatch):
    monkeypatch.setattr("web.serving.routes.MAX_ARCHIVE_BYTES", 26 << 20)
    photo_size = owner.post("/api/v1/wizard/restore", data=bytes((25 << 20) + 1), headers=CHANGE)
    too_large = owner.post("/api/v1/wizard/restore", data=bytes((26 << 20) + 1), headers=CHANGE)

    assert (photo_size.status_code, photo_size.get_json()["error"]["kind"]) == (400, "NoBackup")
    assert too_large.status_code == 413
    assert too_large.get_json()["error"]["message"].startswith("This file is larger than 26 MB")


def test_a_table_without_a_desk_says_how_to_get_one(app, state):
    client = app.test_client()
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)

    answer = client.get("/api/v1/wizard")
    assert answer.status_code == 404
    assert "sightline setup" in answer.get_json()["error"]["message"]


def test_the_set_up_goes_on_after_a_restart(build, tell, state, tmp_path, sample, owner):
    tell("camera", {"source": "photos"})
    tell("step", {"step": "table"})
    build.put(state, desk=SetUpWizard(tmp_path, sample, lambda game, source: None))
    assert owner.get("/api/v1/wizard").get_json()["step"] == "table"


def test_everything_that_can_be_wrong_has_words():
    told = [{translate(kind.value, tag) for tag in languages()} for kind in (*PictureRefusal, *MarkerFaultKind)]
    assert all(len(sentences) == len(languages()) for sentences in told)
    assert set(STEP_TITLES) == set(STEPS)
    assert set(TILTS) == {"left", "right", "top", "bottom"}


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        (Missing(((0, 2),), ("left",), 3), "Move the board to the marked part of the picture."),
        (Missing((), ("top",), 3), "Tilt the board so that its top edge is nearer to the camera."),
        (Missing((), (), 1), "1 more picture, a little different."),
        (Missing((), (), 0), "That is enough. The lens can be calibrated now."),
    ],
)
def test_the_next_thing_to_do_is_reported(missing, sentence):
    lens = LensState(5, missing, True, missing.is_nothing, None)

    assert setup_document(set_up_state(lens=lens), EN)["lens"]["next"] == sentence


@pytest.mark.parametrize(
    ("rms_px", "uncertainty", "is_good"), [(0.2, 0.001, True), (0.9, 0.001, False), (0.2, 0.02, False)]
)
def test_a_lens_is_reported_with_how_sure_it_is(rms_px, uncertainty, is_good):
    found = LensFound(1093.3, uncertainty, rms_px, (0.2, None, 0.25), (1280, 720))
    shown = setup_document(set_up_state(lens=LensState(3, None, True, True, found)), EN)["lens"]["found"]

    assert shown["is_good"] is is_good
    assert shown["advice"].startswith("The lens is known well." if is_good else "The lens is known roughly.")
    assert shown["dropped"] == "1 picture did not fit and is left out."
    assert shown["views"] == [0.2, None, 0.25]
    assert shown["focal"] == f"Focal length 1093 pixels, ± {100 * uncertainty:.2f} %"


def test_a_table_is_reported_with_its_faults_and_a_guessed_lens():
    faults = tuple(MarkerFault(number, fault) for number, fault in enumerate(MarkerFaultKind))
    found = TableFound((0, 1, 2), 0.4, 0.31, 0.012, faults)
    shown = setup_document(set_up_state(table=TableState(((0, 1), (1, 2)), found)), EN)["table"]

    assert shown["seen"] == ["2 markers", "2 markers"]
    assert shown["found"]["advice"] == "3 markers are known to 0.31 mm."
    assert "to 1.2 %" in shown["found"]["guessed"]
    assert [re.match(r"Marker (\d)", fault)[1] for fault in shown["found"]["faults"]] == ["0", "1", "2", "3", "4"]


def test_a_picture_is_reported_with_what_was_found_in_it():
    look = SetUpPreview(7, (1280, 720), (((1.04, 2.0), (3.0, 4.0), (5.0, 6.0)),), (12,), PictureRefusal.BLURRED)
    shown = setup_document(set_up_state(look=look), EN)["look"]

    assert shown["outlines"] == [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]
    assert (shown["number"], shown["markers"], shown["refusal"]) == (7, [12], "blurred")


def test_no_visible_text_of_the_set_up_escapes_translation(client):
    page = client.get(f"/setup?lang={PSEUDO}").text

    body = re.sub(r"<(script|style|head)\b.*?</\1>", " ", page, flags=re.S)
    texts = [text.strip() for text in re.findall(r">([^<>]+)<", body)]
    labels = re.findall(r'(?:aria-label|alt|title)="([^"]+)"', body)
    stray = [t for t in [*texts, *labels] if re.search(r"[A-Za-zА-я]{2}", t) and not t.startswith("⟦")]
    assert stray == ["Letter"]  # A paper's name.


def test_the_set_up_page_is_the_owners(client, desk):
    page = client.get("/setup")

    assert page.status_code == 200
    assert "Only the owner sets the table up." in page.text
    assert client.get("/api/v1/wizard").status_code == 403
    assert "<style" not in page.text
    assert not re.search(r"\s(?:style|on\w+)=", page.text)
