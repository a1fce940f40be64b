"""The camera's pose is measured again from photos of evidence, if they show enough markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from evidence_forging import head_of, signed_again, with_moment
from loading import beside

from assistant.app.tournament.camera_again import measure_cameras
from assistant.app.tournament.checking import check_evidence
from assistant.app.tournament.freezing import AskedShot, TableNow
from assistant.cli import run
from assistant.documents.evidence import evidence_from_zip
from assistant.documents.moment import moment_from_json

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="module")
def shots() -> Any:
    """Shots of the development scenes by their truth."""
    return beside(str(WEB / "conftest.py"), "page_builders")


@pytest.fixture
def judged(build: Any, shots: Any, tmp_path: Path) -> Iterator[Any]:
    """A call at a table whose photo shows its markers, after a covered picture."""
    clear = replace(shots.true_shot("easy-03"), id="clear", taken_at_s=1_030.0)
    grey = cv2.imencode(".jpg", np.full((900, 1600, 3), 120, np.uint8))[1].tobytes()
    covered = replace(clear.read, picture=replace(clear.read.picture, jpeg=grey))
    before = replace(clear, id="covered", read=covered, taken_at_s=1_000.0)
    asked = AskedShot(before, "doom2016", {}, "bravo", "imp-1", 1_010.0)
    made = build.court(tmp_path / "data", TableNow("table-7", build.NOW_MS, "now", None, (before, clear), (asked,)))
    yield made
    made.store.close()


def test_a_camera_is_measured_again_if_the_photo_allows_it_and_else_reported_as_not_measured(
    judged: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(judged.evidence())
    assert run(["verify", str(file), "--key", judged.referee.fingerprint]) == 0
    told = capfd.readouterr()[0]
    assert "1 camera, measured again by the markers on its photo" in told
    assert "1 photo shows too few markers" in told


@pytest.mark.parametrize("print_scale", [1.0, 0.96])
def test_a_camera_is_measured_by_the_markers_where_and_as_large_as_its_picture_shows_them(
    build: Any, shots: Any, tmp_path: Path, print_scale: float
) -> None:
    """The markers of the set-up counted: a camera over pushed or misprinted ones was not at its recorded place."""
    shot = shots.true_shot("easy-03")
    read = shot.read
    printed = replace(read.calibration, markers=read.calibration.markers.scaled(1 / print_scale))
    camera = replace(read.observation.camera, marker_scale=print_scale)
    read = replace(read, calibration=printed, observation=replace(read.observation, camera=camera))
    shot = replace(shot, read=read)
    made = build.court(tmp_path / "data", TableNow("table-7", build.NOW_MS, "now", None, (shot,), ()))
    evidence = evidence_from_zip(made.evidence())
    found = measure_cameras(evidence, moment_from_json(evidence.parts["frozen/moment.json"]))
    assert (found.measured_count, found.findings) == (1, ())
    made.store.close()


@pytest.mark.parametrize("shift_mm", [4.0, -25.0])
def test_a_camera_that_was_moved_in_the_documents_is_found_by_the_photo(judged: Any, shift_mm: float) -> None:
    data = judged.evidence()

    def move(moment: dict[str, Any]) -> None:
        moment["pictures"][1]["camera"]["translation_mm"][0] += shift_mm

    forged = signed_again(data, parts := with_moment(data, move), judged.referee.key, head=head_of(parts))
    evidence = evidence_from_zip(forged)
    moment = moment_from_json(evidence.parts["frozen/moment.json"])
    found = measure_cameras(evidence, moment)
    assert (found.measured_count, found.unseen_count) == (0, 1)
    assert "the camera of picture 2 was not at its recorded place" in str(found.findings[0])
    assert any("on picture 2" in str(one) for one in check_evidence(forged, "e.zip").findings)


def test_without_the_markers_it_is_said_that_nothing_was_measured(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    assert run(["verify", str(file), "--key", court.referee.fingerprint]) == 0
    assert "the evidence lacks the markers' positions" in capfd.readouterr()[0]
