"""What somebody meets who has only cloned the project: scripts, and what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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


def test_whoever_installs_is_told_what_is_fetched_and_for_how_long():
    recipes = (ROOT / "Makefile").read_text()
    for target in ("installed:", "installed-test:"):
        recipe = recipes.split(f"$(VENV)/{target}")[1].split("\n\n")[0]
        told = recipe.index("minutes")
        assert told < recipe.index("$(PIP)"), target
