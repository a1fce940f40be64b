"""The installable wheel: its contents, and that it works away from a checkout."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
PROGRAM = [sys.executable, "-c", "from assistant.cli import main; main()"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel from a copy, so that no build folder is left in the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if names.returncode != 0:
        pytest.skip("only version control knows which files belong to the project")
    for name in names.stdout.splitlines():
        if not name.startswith("tests/") and (ROOT / name).is_file():
            (place / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / "source" / name)
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(place), str(place / "source")]
    subprocess.run(build, check=True, capture_output=True, timeout=240)
    return next(place.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel in a folder of its own."""
    place = tmp_path_factory.mktemp("installed")
    command = [*PIP, "install", "--no-deps", "--no-index", "--target", str(place), str(wheel)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    return place


def environment_of(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed), "PYTHONIOENCODING": "utf-8", "SIGHTLINE_LANG": "en"}


def test_the_wheel_holds_the_program_and_no_training(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    metadata = next(name.removesuffix("METADATA") for name in names if name.endswith(".dist-info/METADATA"))

    assert {"assistant/cli/__init__.py", "vision/data/bases.onnx", "assistant/translations/ru.po"} <= names
    assert {f"{metadata}licenses/LICENSE", f"{metadata}licenses/NOTICE"} <= names
    assert [name for name in names if name.startswith(("vision/training/", "tests/"))] == []


def test_an_installed_wheel_rules(installed: Path, tmp_path: Path) -> None:
    board = ROOT / "assistant" / "data" / "boards" / "corridor.json"
    command = [*PROGRAM, "rule", "doom2016", str(board), "--from", "alpha", "--to", "imp-1"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment_of(installed), capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert '"line_of_sight":true' in done.stdout


def test_the_demo_of_an_installed_wheel_answers(installed: Path, tmp_path: Path) -> None:
    where = "import assistant, vision.simulation as s; print(assistant.__file__, s.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env=environment_of(installed),
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(path.startswith(str(installed)) for path in found.stdout.split())
    command = [*PROGRAM, "demo", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data")]
    demo = subprocess.Popen(
        command, cwd=tmp_path, env=environment_of(installed), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert demo.stdout is not None
        address = demo.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=60) as page:
            assert b"Sightline" in page.read()
        demo.send_signal(signal.SIGINT)
        _, errors = demo.communicate(timeout=60)
    finally:
        demo.kill()
        demo.wait()
    assert demo.returncode == 0
    assert "Traceback" not in errors
