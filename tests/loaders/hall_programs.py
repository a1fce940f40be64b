"""The programs of a tournament as people start them, each with a browser that joined by the owner's link."""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SCENES = Path(__file__).parents[1] / "data" / "scenes"
HERE = ("--host", "127.0.0.1", "--port", "0")


class Program:
    """A command of the program that serves a page, and a browser on it.

    Args:
        words: the command with its options.
        any_port: whether its port is any free one, and not named among them.
    """

    def __init__(self, words: Sequence[str], *, any_port: bool = True) -> None:
        program = [
            sys.executable,
            "-c",
            "from assistant.cli import main; main()",
            *words,
            *HERE[: 4 if any_port else 2],
        ]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.address = self.process.stdout.readline().strip()
        link = re.search(r"#join=(\S+)", self.process.stderr.readline())
        assert link is not None, self.process.stderr.read()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.ask("join", {"code": link[1]})

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the page's answer.

        Raises:
            OSError: it does not.
        """
        headers = {"X-Sightline": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data, headers)
        with self.browser.open(request, timeout=20) as answer:
            return json.loads(answer.read())

    def become(self, role: str) -> None:
        """The browser joins anew by an invitation, as a device of that role."""
        self.ask("join", {"code": self.ask("invitations", {"role": role})["url"].partition("#join=")[2]})

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it that signal, waits until it is gone, and gives its exit status."""
        self.process.send_signal(number)
        self.process.communicate(timeout=20)
        return self.process.returncode


def running_table(code: Path, data: Path) -> Program:
    """``sightline run`` at a table of a tournament, without a camera."""
    scene = SCENES / "dev" / "easy-03"
    documents = [f"--table={scene / 'table.json'}", f"--lens={scene / 'camera.json'}"]
    documents += [f"--roster={scene / 'roster.json'}", f"--tiles={SCENES / 'tiles-dev'}"]
    return Program(["run", *documents, "--data", str(data), "--tournament", str(code)])


def running_desk(hall: Path, data: Path, store: str = "") -> Program:
    """Return ``sightline desk`` on a running broker; without a store it uses a file in its data folder."""
    return Program(["desk", str(hall), "--data", str(data), *(["--store", store] if store else [])])


def seconds_to_desk(table: Program, desk: Program, name: str, question: str = "") -> float:
    """Call a judge at the table; return the time from the tap until the desk's page had the call.

    Raises:
        TimeoutError: it was not there within five seconds.
    """
    began = time.monotonic()
    table.ask("calls/new", {"id": name, "question": question})
    while all(call["id"] != name for call in desk.ask("hall")["calls"]):
        if time.monotonic() - began > 5:
            raise TimeoutError(f"{name} is not at the desk")
        time.sleep(0.005)
    return time.monotonic() - began
