"""Every command writes readable UTF-8 into files and pipes, whatever the code page, and no terminal crashes it."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from assistant.cli import COMMANDS, run, speak_utf8

ROOT = Path(__file__).parents[2]
ENCODINGS = ("cp1252", "cp1251", "cp850", "cp932", "koi8_r")
BOARD = str(ROOT / "assistant" / "data" / "boards" / "corridor.json")


class Pipe(io.TextIOWrapper):
    """Standard output as Python opens it under a code page, into a pipe."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def taken(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_the_help_of_every_command_goes_into_a_file(monkeypatch, encoding, language):
    for name in COMMANDS:
        out, err = Pipe(encoding), Pipe(encoding)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        speak_utf8(out, err)
        assert run(["--lang", language, name, "--help"]) == 0, name
        assert out.taken().decode("utf-8").strip(), name


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "arguments",
    [["rules", "doom2016"], ["rule", "doom2016", BOARD, "--from", "alpha", "--to", "imp-1"], ["strip", "kinds"]],
)
def test_answers_go_into_a_file_in_russian(monkeypatch, encoding, arguments):
    out, err = Pipe(encoding), Pipe(encoding)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    speak_utf8(out, err)
    assert run(["--lang", "ru", *arguments]) == 0
    told = out.taken().decode("utf-8")
    if arguments[0] == "rule":
        assert json.loads(told)["format"] == "sightline.ruling/1"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_whole_program_under_a_code_page_writes_utf8(encoding):
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "SIGHTLINE_LANG": "ru"}
    asked = [sys.executable, "-m", "assistant", "rule", "doom2016", BOARD, "--from", "alpha", "--to", "imp-1"]
    done = subprocess.run(asked, capture_output=True, env=env, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["attacker"] == "alpha"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("language", ["en", "ru", "es"])
def test_a_full_disk_under_the_output_is_one_sentence(language):
    asked = [sys.executable, "-m", "assistant", "--lang", language, "rules", "doom2016"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 1
    (sentence,) = done.stderr.decode("utf-8").splitlines()
    assert {"en": "disk is full", "ru": "Диск полон", "es": "disco está lleno"}[language] in sentence


def test_a_terminal_keeps_its_encoding_and_shows_a_sign_for_what_it_lacks():
    class Terminal(Pipe):
        def isatty(self) -> bool:
            return True

    shown = Terminal("cp850")
    speak_utf8(shown, object())
    shown.write("✓ “ok”")
    assert shown.taken() == b"? ?ok?"


def served():
    """Return the check before an installation."""
    loader = SourceFileLoader("served", str(ROOT / ".ci" / "served"))
    spec = importlib.util.spec_from_loader("served", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("machine", "word"),
    [
        (("Linux", "x86_64", (3, 11), 64), ""),
        (("Linux", "aarch64", (3, 14), 64), ""),
        (("Darwin", "x86_64", (3, 12), 64, "13.6"), ""),
        (("Darwin", "arm64", (3, 12), 64, "15.1"), ""),
        (("Windows", "AMD64", (3, 13), 64), ""),
        (("Darwin", "x86_64", (3, 12), 64, "12.7"), "macOS 13"),
        (("Windows", "ARM64", (3, 12), 64), "Windows on ARM"),
        (("Linux", "armv7l", (3, 11), 32), "64-bit"),
        (("Linux", "x86_64", (3, 12), 64, "", True), "Alpine"),
        (("Linux", "x86_64", (3, 9), 64), "Python 3.11"),
    ],
)
def test_a_machine_that_is_not_served_is_told_so_in_one_sentence(machine, word):
    sentence = served().refusal(*machine)
    assert (word in sentence) if word else sentence == ""
