"""A newcomer's first steps after cloning: scripts, and their messages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from configparser import RawConfigParser
from pathlib import Path

import pytest

from assistant.settings import Settings
from hardware.transports.serial_port import KNOWN_DEVICES

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the script is for systems with bash")
def test_a_libgl_that_is_there_is_found_where_ldconfig_is_not_on_the_path(tmp_path):
    fake = tmp_path / "sbin"
    fake.mkdir()
    (fake / "ldconfig").write_text("#!/bin/sh\necho '  libGL.so.1 (libc6,x86-64) => /lib/libGL.so.1'\n")
    (fake / "ldconfig").chmod(0o755)
    script = (ROOT / ".ci" / "system-packages").read_text().replace("/usr/sbin", str(fake))
    bare = tmp_path / "bin"
    bare.mkdir()
    for name in ("bash", "grep", "id"):
        (bare / name).symlink_to(shutil.which(name))

    done = subprocess.run(
        ["bash", "-c", script, "system-packages", "libgl"],
        env={"PATH": str(bare), "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("", "")


def test_the_installation_says_what_is_fetched_and_for_how_long():
    recipes = (ROOT / "Makefile").read_text()
    for target in ("installed:", "installed-test:"):
        recipe = recipes.split(f"$(VENV)/{target}")[1].split("\n\n")[0]
        assert recipe.index("minutes") < recipe.index("$(PIP"), target


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=~!; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def test_what_the_demo_installs_is_pinned_by_hash_and_names_no_index():
    lock = (ROOT / ".ci" / "lock.txt").read_text()
    pinned = [line.split()[0] for line in lock.splitlines() if "==" in line.partition(" ")[0]]
    constraints = {
        line.partition(";")[0].lower() for line in (ROOT / ".ci" / "constraints.txt").read_text().splitlines()
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    assert {name_of(requirement) for requirement in wanted} <= {name_of(pin) for pin in pinned}
    for pin in pinned:
        assert pin.lower() in {known.replace("_", "-") for known in constraints}, pin
        entry = re.split(r"\n(?=\S)", lock.split(f"{pin} ")[1])[0]
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)) >= 1, pin
    assert not re.search(r"://|^--", lock, re.MULTILINE)
    for file in ("Makefile", ".ci/lock", ".ci/constraints.txt", "pyproject.toml"):
        assert "index-url=" not in (ROOT / file).read_text(), file


def test_everything_that_runs_is_in_the_package():
    """``pip install .`` and pipx install everything in a clone except its documents."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {
        file
        for package, patterns in tool["package-data"].items()
        for pattern in patterns
        for file in (ROOT / package).glob(pattern)
    }
    packed |= {file for package in tool["packages"] for file in (ROOT / package.replace(".", "/")).glob("*.py")}
    rooms = {package.partition(".")[0] for package in tool["packages"]}
    kept = {file for room in rooms for file in (ROOT / room).rglob("*") if file.is_file()}
    left_out = {
        file for file in kept - packed if not {"__pycache__", "training"} & set(file.parts) and file.suffix != ".md"
    }
    assert {str(file.relative_to(ROOT)) for file in left_out} == {
        "hardware/drawings/power.svg",
        "hardware/drawings/wiring.svg",
        "web/growth.png",
        "web/package.json",
        *(f"web/{name}.jpg" for name in ("page", "tour-1", "tour-2", "tour-3")),
    }


HOST = ROOT / "hardware" / "host"


def test_the_service_runs_a_command_that_there_is_and_stops_it_as_it_wants_to_be():
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys keep their letters
    unit.read(HOST / "sightline.service")
    service = unit["Service"]

    assert service["ExecStart"].split()[-2:] == ["/opt/sightline/bin/sightline", "run"]
    assert service["Environment"].startswith("SIGHTLINE_DATA=/var/lib/")
    assert "data" in Settings.__dataclass_fields__
    assert (service["Restart"], service["KillMode"], service["KillSignal"]) == ("on-failure", "mixed", "SIGINT")
    assert {"video", "dialout"} <= set(service["SupplementaryGroups"].split())


def test_the_rules_of_udev_know_every_board_that_the_program_opens_by_itself():
    lines = (HOST / "60-sightline.rules").read_text().splitlines()
    ids = re.compile(r'ATTRS\{idVendor\}=="([0-9a-f]{4})", ATTRS\{idProduct\}=="([0-9a-f]{4})", (.*)')
    found = {(int(m[1], 16), int(m[2], 16)): m[3] for m in map(ids.fullmatch, lines) if m}

    assert found.keys() == KNOWN_DEVICES.keys()
    assert set(found.values()) == {'GROUP="dialout", MODE="0660", TAG+="uaccess", ENV{ID_MM_DEVICE_IGNORE}="1"'}
    goto, label = next(line for line in lines if "sightline_end" in line), lines[-1]
    assert (goto, label) == ('ACTION=="remove", GOTO="sightline_end"', 'LABEL="sightline_end"')
