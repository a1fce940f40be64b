"""The program as a player starts it, joined by its code: its page calls, the desk rules, the page shows the ruling."""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import hall_builders as halls
import pytest
from hall_builders import JUDGE, wait_for

from assistant.app.tournament.steps import GiveRuling

SCENE = Path(__file__).parents[2] / "data" / "scenes"


class RunningTable:
    """``sightline run --tournament``, and a browser that joined by the owner's link."""

    def __init__(self, code: Path, data: Path) -> None:
        scene = SCENE / "dev" / "easy-03"
        documents = [f"--table={scene / 'table.json'}", f"--lens={scene / 'camera.json'}"]
        documents += [f"--roster={scene / 'roster.json'}", f"--tiles={SCENE / 'tiles-dev'}"]
        place = ["--host", "127.0.0.1", "--port", "0", "--data", str(data), "--tournament", str(code)]
        program = [sys.executable, "-c", "from assistant.cli import main; main()", "run", *documents, *place]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.address = self.process.stdout.readline().strip()
        link = re.search(r"#join=(\S+)", self.process.stderr.readline())
        assert link is not None, self.process.stderr.read()
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.browser = urllib.request.build_opener(jar)
        self.ask("join", {"code": link[1]})

    def ask(self, path: str, body: Any = None) -> Any:
        """What the page answers."""
        headers = {"X-Sightline": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data, headers)
        with self.browser.open(request, timeout=20) as answer:
            return json.loads(answer.read())

    def end(self) -> int:
        """Stops it in order; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=20)
        return self.process.returncode


@pytest.mark.timeout(120)
def test_a_call_at_a_running_table_is_ruled_on_at_the_desk(hall: Any, broker: halls.Broker, tmp_path: Path) -> None:
    desk, watcher = hall.desk()
    table = RunningTable(broker.configuration.parent / "codes" / "one.txt", tmp_path / "table")
    wait_for(lambda: "one" in desk.hall.tables and desk.hall.tables["one"].status is not None, 20)
    called = table.ask("calls/new", {"id": "call-1", "question": "Does the wall end here?"})
    wait_for(lambda: called["id"] in watcher.calls, 1.0)
    wait_for(lambda: desk.store.call(called["id"]))
    wait_for(lambda: desk.store.part_names(called["id"]) == ["frozen-moment.json"])
    desk.speak(called["id"], GiveRuling(ruling="It does.", extension_s=60), JUDGE)
    shown = table.ask(f"calls/{called['id']}")
    assert (shown["state"], shown["ruling"]) == ("ruled", "It does.")
    wait_for(lambda: desk.store.event_counts() == {"one": 2})
    assert table.end() == 0
    wait_for(lambda: desk.hall.tables["one"].status.state == "stopped")
