"""Pseudo-terminals as cables: pyserial on the near end, a strip in memory on the far one."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import tty

from hardware.port import PortPlace
from hardware.transports.serial_port import SerialFinder


class Cable:
    """A pseudo-terminal with a virtual strip on its far end, moved by hand."""

    def __init__(self, device):
        self.device = device
        self.near, self._far = pty.openpty()
        tty.setraw(self._far)
        self.name = os.ttyname(self._far)

    def carry(self):
        while select.select([self.near], [], [], 0)[0]:
            try:
                self.device.write(os.read(self.near, 4096))
            except OSError:  # the port is closed
                break
        out = self.device.read()
        if out:
            os.write(self.near, out)

    def pull(self):
        for end in (self.near, self._far):
            with contextlib.suppress(OSError):
                os.close(end)


class CabledRig:
    """The strip under test on a pseudo-terminal, with the list of ports in our hands."""

    def __init__(self, rig, choice=None, **identity):
        self.ports = []
        self.identity = identity
        self.cable = None
        self.rig = rig.Rig(finder=lambda made: self._plug_first(made, choice))

    def _plug_first(self, made, choice):
        self.plug(made.device)
        return SerialFinder(choice or self.cable.name, lambda: list(self.ports))

    def plug(self, device):
        self.cable = Cable(device)
        self.ports[:] = [PortPlace(self.cable.name, **self.identity)] if self.identity else []

    def pull(self):
        self.cable.pull()
        self.cable = None
        self.ports.clear()

    def run(self, seconds):
        for _ in range(round(seconds / 0.01)):
            if self.cable:
                self.cable.carry()
            self.rig.run(0.01)


class WledOnCable:
    """A WLED controller as a cable's device. It boots for a while, then greets."""

    BOOT_S = 0.6

    def __init__(self, wled, clock):
        self.wled, self.clock = wled, clock
        self._boots_until_s = clock() + self.BOOT_S

    def write(self, data):
        self.wled.receive(data)

    def read(self):
        if self._boots_until_s is None or self.clock() < self._boots_until_s:
            return self.wled.take()
        self._boots_until_s = None
        return b"\x1b\x00boot loader\r\nAda\r\n"


class AdalightOnCable:
    """An Adalight sketch as a cable's device."""

    def __init__(self, sketch, clock):
        self.sketch, self.clock = sketch, clock
        self._free_s = 0.0

    def write(self, data):
        self._free_s = self.sketch.receive(data, max(self._free_s, self.clock()))

    def read(self):
        return self.sketch.take(self.clock())
