"""The firmware's core on this computer, under sanitizers, fed by the coverage-guided fuzzer of ``bench/``."""

from __future__ import annotations

import re
import subprocess

import pytest


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_core_takes_anything(core_fuzzer, count):
    done = subprocess.run([core_fuzzer, str(count), "7"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    inputs, kept, edges, pictures, answers = map(int, re.findall(r"\d+", done.stdout)[:5])
    assert inputs == count
    # The fuzzer has to get somewhere: past the checksum, into pictures and settings.
    assert kept > 10
    assert edges > 150
    assert min(pictures, answers) > count // 10
