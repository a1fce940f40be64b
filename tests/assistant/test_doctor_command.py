from __future__ import annotations

import json
import zipfile

from assistant.cli import run


def test_the_doctor_tells_each_part_in_the_readers_language(tmp_path, capsys):
    assert run(["--lang", "ru", "doctor", "--data", str(tmp_path / "new"), "--port", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert any(line.startswith("✓ Программа: версия ") for line in lines)
    assert all(line[:2] in ("✓ ", "? ", "✗ ") for line in lines)


def test_the_doctor_answers_programs(tmp_path, capsys):
    assert run(["doctor", "--json", "--data", str(tmp_path), "--port", "0"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]

    assert {finding["state"] for finding in findings} <= {"well", "look", "wrong"}
    assert findings[0]["part"] == "program"


def test_diagnostics_are_one_file(tmp_path, capsys):
    assert run(["diagnostics", str(tmp_path / "report.zip"), "--data", str(tmp_path), "--port", "0"]) == 0

    assert "no password, match or picture" in capsys.readouterr().out
    assert zipfile.is_zipfile(tmp_path / "report.zip")


def test_an_unwritable_place_is_refused_in_one_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert run(["diagnostics", str(tmp_path / "file" / "report.zip"), "--data", str(tmp_path), "--port", "0"]) == 1

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
