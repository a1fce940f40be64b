"""Damaged pictures and pictures of no table, some of each; ``make fuzz-photos`` reads thousands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_damaged_pictures_and_pictures_of_no_table_get_an_answer(photographed) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.fuzz_photos",
        "run",
        str(photographed.folder),
        "--pictures",
        "30",
        "--scenes",
        "12",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failures: 0" in done.stdout
    assert "8 scene: TooFewMarkers" in done.stdout
    assert "1 scene: PictureMirrored" in done.stdout  # a part of the table's own photo, as in a mirror
    assert "3 scene: its tiles" in done.stdout  # two that show tiles, and another part of the photo
