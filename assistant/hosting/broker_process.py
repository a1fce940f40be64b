"""The desk's own Mosquitto, for a hall without a broker. It ends together with the desk."""

from __future__ import annotations

import logging
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from assistant.errors import CannotDo, StoreError
from assistant.kept_files import map_errors
from assistant.translations.messages import said

log = logging.getLogger(__name__)

PLACES = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
START_S = 5.0
STOP_S = 5.0
AGAIN_S, AGAIN_MOST_S = 0.5, 30.0
"""Seconds until a broker that ended is restarted, at first and at most while it keeps ending at once."""

LOOK_S = 0.05

_TIME = re.compile(r"^\d+: ")
"""The broker's time stamp at the start of a log line, in seconds since 1970."""


class NoBroker(CannotDo):
    """There is no Mosquitto on this machine."""

    sentence = said(
        "There is no Mosquitto on this machine. Install it (on Debian the package mosquitto), or "
        "use --no-broker if a broker runs elsewhere."
    )


class BrokerWillNot(CannotDo):
    """Mosquitto exited right after its start."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            said(
                "The broker does not start ({reason}). Free its port and make its files readable, or make"
                " the tournament again.",
                reason=reason,
            )
        )


def answers_at(port: int) -> bool:
    """Return whether something listens on that port of this machine."""
    with socket.socket() as tried:
        tried.settimeout(1.0)
        return tried.connect_ex(("127.0.0.1", port)) == 0


class BrokerProcess:
    """A running broker, restarted whenever it exits by itself.

    Its output goes to ``mosquitto.log`` beside its configuration, overwritten at each start. A pipe would fill up,
    since nobody reads it all day, and then block the broker.

    Args:
        configuration: Mosquitto's configuration file.
        port: the port in it.

    Raises:
        NoBroker: there is no Mosquitto here.
        BrokerWillNot: it exited at once, or does not answer.
        StoreError: its folder is not writable.
    """

    def __init__(self, configuration: Path, port: int) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES)
        if program is None:
            raise NoBroker
        self._command = [program, "-c", str(configuration)]
        self._log = configuration.with_name("mosquitto.log")
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._process = self._launch()
        until_s = time.monotonic() + START_S
        while not answers_at(port):
            if self._process.poll() is not None or time.monotonic() > until_s:
                self._end()
                said_by_it = self._log.read_text(errors="replace").strip().splitlines()
                raise BrokerWillNot(_TIME.sub("", said_by_it[-1]) if said_by_it else "?")
            time.sleep(LOOK_S)
        threading.Thread(target=self._keep_running, name="broker", daemon=True).start()

    def close(self) -> None:
        """Stop the broker cleanly, so that it saves its messages."""
        self._is_over.set()
        with self._lock:
            self._end()

    def _launch(self) -> subprocess.Popen[bytes]:
        with map_errors("write"), self._log.open("wb") as log:
            return subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT)

    def _keep_running(self) -> None:
        pause_s = AGAIN_S
        while True:
            begun_s = time.monotonic()
            self._process.wait()
            pause_s = AGAIN_S if time.monotonic() - begun_s > AGAIN_MOST_S else min(2 * pause_s, AGAIN_MOST_S)
            if self._is_over.wait(pause_s):
                return
            with self._lock:
                if self._is_over.is_set():
                    return
                self._begin_again()

    def _begin_again(self) -> None:
        try:
            self._process = self._launch()
        except StoreError as problem:  # the disk may be full; the next try follows after the pause
            log.warning("the broker cannot be started again: %s", problem)

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
