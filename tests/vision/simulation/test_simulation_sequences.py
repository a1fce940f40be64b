"""``sightline simulate``: photos and sequences from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from assistant.cli import run


def test_a_sequence_has_a_truth_for_every_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--seed", "3", "--count", "1", "--bucket", "easy", "--frames", "2", "--fps", "0.5"]
    assert run(["simulate", str(tmp_path), *options]) == 0
    assert capsys.readouterr().out.split() == ["sequence-3"]
    entries = json.loads((tmp_path / "sequence-3.json").read_text())
    assert [entry["name"] for entry in entries] == [f"sequence-3-frame-00{i}" for i in range(2)]
    hands = []
    for entry in entries:
        for field in ("photo", "table", "camera", "tiles", "roster", "truth"):
            assert (tmp_path / entry[field]).exists()
        assert cv2.imread(str(tmp_path / entry["photo"])).shape == (1080, 1920, 3)
        hands.append(json.loads((tmp_path / entry["truth"]).read_text())["hand"])
    assert hands == [False, True]


def test_a_folder_that_cannot_be_written_is_reported_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert run(["simulate", str(tmp_path / "taken" / "inside"), "--count", "1", "--bucket", "easy"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot be written" in captured.err
