"""The service of a machine beside the table: its access to the machine, in systemd's own terms."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "hardware" / "host" / "sightline.service"
MOST_EXPOSED = 3.0

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")


@needs_systemd
def test_little_of_the_machine_is_open_to_the_service():
    asked = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"Overall exposure level for sightline\.service: ([\d.]+)", told)
    assert found, told
    assert float(found[1]) < MOST_EXPOSED


@needs_systemd
def test_systemd_knows_every_line_of_the_unit():
    told = subprocess.run(
        ["systemd-analyze", "verify", str(UNIT)], capture_output=True, text=True, timeout=60, check=False
    )
    complaints = [line for line in told.stderr.splitlines() if "is not executable" not in line]
    assert complaints == []


def test_cameras_strips_and_the_list_of_networks_stay_within_reach():
    lines = UNIT.read_text().splitlines()
    for kind in ("char-video4linux", "char-ttyACM", "char-ttyUSB"):
        assert f"DeviceAllow={kind} rw" in lines
    assert any(line.startswith("RestrictAddressFamilies=") and "AF_NETLINK" in line for line in lines)


@pytest.mark.parametrize(
    ("what", "lines"),
    [
        ("gains rights", ("NoNewPrivileges=yes", "CapabilityBoundingSet=")),
        ("writes elsewhere", ("ProtectSystem=strict", "ProtectHome=yes")),
        ("leaves files open to others", ("UMask=0077",)),
        ("makes namespaces", ("RestrictNamespaces=yes",)),
        ("calls any part of the kernel", ("SystemCallFilter=@system-service",)),
        ("looks at other processes", ("ProtectProc=invisible",)),
        ("takes all memory", ("MemoryMax=",)),
    ],
)
def test_the_service_is_kept_from_what_it_does_not_need(what, lines):
    unit = UNIT.read_text().splitlines()
    for line in lines:
        assert any(one.startswith(line) for one in unit), what
