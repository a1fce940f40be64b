"""The owner's link in the terminal: its reader, its QR code, and a new one at every press of Enter."""

from __future__ import annotations

import io
import os
import sys
import threading

import pytest

from assistant.cli import run
from assistant.cli.owning import on_enter, print_links
from assistant.hosting.running_page import RunningPage

LINKS = ["http://127.0.0.1:8642/#join=abc", "http://192.168.1.5:8642/#join=abc"]


class Terminal(io.StringIO):
    """Standard error as a terminal has it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_the_link_says_for_whom_each_address_is(capsys):
    print_links(LINKS)
    told = capsys.readouterr()

    assert told.out == ""
    here, far = told.err.splitlines()
    assert here.endswith(f"from this machine: {LINKS[0]}")
    assert far.endswith(f"from a phone or tablet: {LINKS[1]}")


def test_a_terminal_shows_the_code_for_the_phone_and_one_without_its_letters_does_not(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    print_links(LINKS)
    drawn = [line for line in terminal.getvalue().splitlines() if set(line) & set("█▀▄")]
    assert len(drawn) > 10

    terminal.encoding = "ascii"  # type: ignore[misc]
    before = len(terminal.getvalue())
    print_links(LINKS)
    assert not set(terminal.getvalue()[before:]) & set("█▀▄")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no terminals of its own")
def test_every_press_of_enter_is_heard_until_the_keyboard_is_gone(monkeypatch):
    ours, theirs = os.openpty()
    pressed = threading.Semaphore(0)
    with os.fdopen(theirs) as keyboard:
        monkeypatch.setattr(sys, "stdin", keyboard)
        assert on_enter(pressed.release)
        for _ in range(2):
            os.write(ours, b"\n")
            assert pressed.acquire(timeout=20)
        os.close(ours)
        for thread in threading.enumerate():
            if thread.name == "keyboard":
                thread.join(20)
                assert not thread.is_alive()


def test_without_a_keyboard_nothing_listens(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert not on_enter(lambda: None)
    monkeypatch.setattr(sys, "stdin", None)
    assert not on_enter(lambda: None)


def test_the_command_prints_links_for_every_address_of_the_page_that_runs(tmp_path, capsys):
    RunningPage(tmp_path).write(["http://127.0.0.1:1", "http://10.0.0.2:1"])
    assert run(["owner", "--setup", "--data", str(tmp_path)]) == 0
    here, far = capsys.readouterr().out.splitlines()
    assert "http://127.0.0.1:1/setup#join=" in here
    assert "http://10.0.0.2:1/setup#join=" in far
    assert here.rpartition("=")[2] == far.rpartition("=")[2]

    RunningPage(tmp_path).remove()
    assert run(["owner", "--data", str(tmp_path)]) == 1
    assert "Start one" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no json"])
def test_a_note_that_somebody_else_wrote_is_no_page(tmp_path, content):
    (tmp_path / "running-page.json").write_text(content)
    assert not RunningPage(tmp_path).is_there
