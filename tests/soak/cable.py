"""The virtual strip on a serial cable of its own, which can be pulled, cut and disturbed."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import threading
import time
import tty
from pathlib import Path

from hardware.transports.virtual import VirtualStrip


class StripCable(threading.Thread):
    """Carries bytes between a pseudo-terminal, which a link names, and a strip with our firmware in memory.

    Args:
        link: the name by which the program opens the port; it points nowhere while the cable is pulled.
    """

    def __init__(self, link: Path) -> None:
        super().__init__(daemon=True)
        self.strip = VirtualStrip(time.monotonic)
        self._link = link
        self._guard = threading.Lock()
        self._ends: tuple[int, int] | None = None
        self._ended = threading.Event()
        self._chance = random.Random(7)
        self.is_silent = self.is_noisy = False
        self.plug()

    def plug(self) -> None:
        """Put the cable in, under the same name."""
        with self._guard:
            near, far = pty.openpty()
            tty.setraw(far)
            self._ends = near, far
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(os.ttyname(far))
            self.strip.plug_in()

    def pull(self) -> None:
        """Pulls the cable: the port is gone and the strip has no power."""
        with self._guard:
            self._link.unlink(missing_ok=True)
            for end in self._ends or ():
                with contextlib.suppress(OSError):
                    os.close(end)
            self._ends = None
            self.strip.unplug()

    def end(self) -> None:
        """End the carrying."""
        self._ended.set()

    def run(self) -> None:
        """Carries until it is ended."""
        while not self._ended.wait(0.01):
            with self._guard:
                if self._ends is not None:
                    with contextlib.suppress(OSError):  # the port is closed
                        self._carry(self._ends[0])

    def _carry(self, near: int) -> None:
        while select.select([near], [], [], 0)[0]:
            data = os.read(near, 4096)
            if not self.is_silent:
                self.strip.write(self._disturbed(data))
        answer = self.strip.read()
        if answer and not self.is_silent:
            os.write(near, self._disturbed(answer))

    def _disturbed(self, data: bytes) -> bytes:
        if not self.is_noisy:
            return data
        return bytes(byte ^ (1 << self._chance.randrange(8)) if self._chance.random() < 0.05 else byte for byte in data)
