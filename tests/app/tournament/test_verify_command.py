"""``sightline verify``: plain sentences and exit statuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import run
from assistant.translations.speech import speech


def test_evidence_that_holds_says_so_and_by_which_key(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    assert run(["verify", str(file)]) == 0
    told, _ = capfd.readouterr()
    assert "The evidence holds" in told
    assert court.referee.fingerprint in told
    assert "2 rulings, computed again, are the same." in told
    assert run(["verify", str(file), "--key", court.referee.fingerprint]) == 0
    assert "Signed with the key that you gave" in capfd.readouterr()[0]


def test_what_does_not_hold_is_named_with_status_one(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "call.zip"
    data = bytearray(court.evidence())
    data[data.index(b"Line 2 is free")] ^= 1
    file.write_bytes(data)
    assert run(["verify", str(file)]) == 1
    told, complaint = capfd.readouterr()
    assert told == ""
    assert "call.json was changed after it was signed" in complaint or "events.jsonl was changed" in complaint
    assert run(["verify", str(file), "--key", "beef"]) == 1
    assert "another key" in capfd.readouterr()[1]


def test_it_writes_the_call_for_people_without_the_program(
    court: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, page = tmp_path / "call.zip", tmp_path / "call.html"
    file.write_bytes(court.evidence())
    monkeypatch.setenv("SIGHTLINE_LANG", "es")
    assert run(["verify", str(file), "--page", str(page)]) == 0
    told = page.read_text()
    assert f"Escrito: {page}" in capfd.readouterr()[0]
    assert '<html lang="es">' in told
    assert "<line " in told
    assert "1. Ronda nueva" in told
    assert "los_touch" not in told
    assert speech("es").text("a corner that a line only touches") in told
    file.write_bytes(court.evidence() + b" ")
    assert run(["verify", str(file), "--page", str(tmp_path / "no.html")]) == 1
    assert not (tmp_path / "no.html").exists()


def test_what_is_no_evidence_is_refused_with_status_two(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(b"no zip")
    assert run(["verify", str(file)]) == 2
    assert "not a zip file" in capfd.readouterr()[1]
    assert run(["verify", str(tmp_path / "nothing.zip")]) == 2


def test_it_is_checked_without_camera_and_page(court: Any, tmp_path: Path) -> None:
    file = tmp_path / "call.zip"
    file.write_bytes(court.evidence())
    program = (
        "import sys; sys.modules['cv2'] = sys.modules['flask'] = None\n"
        f"from assistant.cli import run; sys.exit(run(['verify', {str(file)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
