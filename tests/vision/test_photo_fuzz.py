"""Damaged pictures and pictures of no table, some of each; ``make fuzz-photos`` reads thousands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parents[1] / "fuzz_photos.py"


def test_damaged_pictures_and_pictures_of_no_table_get_an_answer(photographed) -> None:
    command = [sys.executable, str(FUZZ), "run", str(photographed.folder), "--pictures", "60", "--scenes", "20"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failures: 0" in done.stdout
    assert "20 scene: TooFewMarkers" in done.stdout
