"""The program under test: a real ``sightline run`` in a process of its own, started again on the same port."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MISSION = "doom2016_tutorial_sample"
MATCH = "soak"
STARTING_S = 120.0


class NoAnswer(Exception):
    """The page did not answer, or refused."""


class Program:
    """``sightline run``, on a port of its own.

    Args:
        folder: its data folder, with its output in ``program.log``.
        arguments: further ones of the command.
        launcher: what starts it instead of this process, itself a command.
        environment: variables beside ours.
    """

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str] = (),
        launcher: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._folder, self._arguments, self._launcher = folder, arguments, launcher
        self._environment = {**os.environ, **(environment or {})}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        self.started_s = 0.0

    @property
    def data(self) -> Path:
        """The folder that it keeps everything in."""
        return self._folder / "data"

    @property
    def log(self) -> str:
        """Return all of its output so far."""
        return (self._folder / "program.log").read_text(errors="replace")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def has_crashed(self) -> bool:
        """Whether it ended by itself."""
        return self._process is not None and self._process.poll() is not None

    def start(self) -> None:
        """Start it; it is ready once ``is_up``."""
        first = self.starts == 0
        command = [*self._launcher, sys.executable, "-X", "faulthandler", "-m", "assistant", "run", *self._arguments]
        command += ["--host=127.0.0.1", f"--port={self.port}", f"--data={self.data}", f"--match={MATCH}"]
        command += [f"--mission={MISSION}"] if first else []
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self._environment)
        self._process, self.started_s = process, time.monotonic()
        threading.Thread(target=self._write_down, args=(process,), daemon=True).start()
        self.starts += 1

    def _write_down(self, process: subprocess.Popen[bytes]) -> None:
        """Store a process's output, but not from the process itself, which a full disk would block."""
        assert process.stdout is not None
        with (self._folder / "program.log").open("ab", buffering=0) as log, process.stdout:
            for line in process.stdout:
                log.write(line)

    def wait_until_up(self) -> None:
        """Wait until the page answers.

        Raises:
            NoAnswer: it does not within two minutes, or ended at once.
        """
        until_s = time.monotonic() + STARTING_S
        while not self.is_up():
            if self.has_crashed or time.monotonic() > until_s:
                raise NoAnswer(self.log[-2000:])
            time.sleep(0.1)

    def is_up(self) -> bool:
        """Return whether the page answers now."""
        with contextlib.suppress(NoAnswer):
            self.ask("/now", timeout_s=3.0)
            return True
        return False

    def kill(self) -> None:
        """The power goes."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Stop it in order; return its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(20.0)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9

    def fill_disk(self, *, is_full: bool) -> None:
        """Block or allow all growth of the program's files: as on a full disk, every write fails."""
        most = 1 if is_full else resource.RLIM_INFINITY
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def children(self) -> list[int]:
        """Return the processes that it started to capture and to read, without the one that cleans up after them."""
        found = []
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{self.pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        return [child for child in found if b"spawn_main" in _command_of(child)]

    def held_mb(self) -> float:
        """Return the program's own memory in MB, without its camera's process and mapped files.

        Each process that maps a library holds a share of its pages, so that share comes and goes with every other
        process of the machine that maps the same file.
        """
        own = ("Pss_Anon:", "Pss_Shmem:")
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith(own)) / 1024
        return 0.0

    def ask(self, path: str, command: object = None, *, timeout_s: float = 10.0) -> Any:
        """Return the page's answer.

        Raises:
            NoAnswer: none came in time, or it was no success; ``args`` are the status and the body.
        """
        made = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        headers = {"X-Sightline": "1", "Content-Type": "application/json"}
        try:
            made.request(
                "GET" if command is None else "POST",
                f"/api/v1{path}",
                None if command is None else json.dumps(command),
                headers,
            )
            answer = made.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as problem:
            raise NoAnswer(0, repr(problem)) from None
        finally:
            made.close()
        if answer.status != 200:
            raise NoAnswer(answer.status, body.decode(errors="replace")[:300])
        return json.loads(body)


def _command_of(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
