"""Scripted faults of the link: each fault's effect on the cable, and its end."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assistant.errors import PortBusy, PortNotFound, StripLost
from assistant.translations.messages import said
from hardware.port import PortPlace

KINDS = (
    "gone",
    "back as another port",
    "garbage",
    "half messages",
    "busy port",
    "permission denied",
    "reset by DTR",
    "buffer full",
    "deaf",
    "swallowed bytes",
    "late answers",
    "echo",
)


@dataclass(frozen=True)
class Fault:
    """One fault from ``start_s`` on for ``length_s``."""

    kind: str
    start_s: float
    length_s: float


def script(seed):
    """Return one to three faults in sequence, without overlap."""
    chances = random.Random(seed)
    faults, at_s = [], chances.uniform(0.0, 3.0)
    for _ in range(chances.randrange(1, 4)):
        kind = KINDS[seed % len(KINDS)] if not faults else chances.choice(KINDS)
        faults.append(Fault(kind, at_s, chances.uniform(0.05, 4.0)))
        at_s += faults[-1].length_s + chances.uniform(0.5, 3.0)
    return faults


class FaultyFinder:
    """Finds a virtual strip behind a cable on which the script's faults happen when their time has come."""

    def __init__(self, device, clock, faults, seed):
        self.device, self.clock, self.faults = device, clock, faults
        self.start_s = clock()
        self.chances = random.Random(seed)
        self.name_count = 0
        self.written_while_deaf = 0
        self._was = None

    @property
    def fault(self):
        """The fault of this moment; its beginning affects the device."""
        now_s = self.clock() - self.start_s
        found = next((each for each in self.faults if each.start_s <= now_s < each.start_s + each.length_s), None)
        if found is not self._was:
            if found is not None and found.kind in ("gone", "back as another port", "reset by DTR"):
                self.device.unplug()
                self.device.plug_in()
                self.name_count += found.kind == "back as another port"
            self._was = found
        return found

    @property
    def kind(self):
        return self.fault.kind if self.fault else None

    def places(self):
        if self.kind in ("gone", "back as another port"):
            return []
        return [PortPlace(f"port{self.name_count}", 0x2341, 0x43, "5573")]

    def open(self, place, baud_rate):
        if place.address != f"port{self.name_count}" or self.kind in ("gone", "back as another port"):
            raise PortNotFound(f"The port {place.address} cannot be opened. Plug the strip in or choose another port.")
        if self.kind == "busy port":
            raise PortBusy(said("Another program uses the port {address}. Close it.", address=place.address))
        if self.kind == "permission denied":
            raise PortBusy(
                said("You may not open the port {address}. Add yourself to the group “dialout”.", address=place.address)
            )
        return FaultyPort(self, place)


class FaultyPort:
    """The open cable."""

    def __init__(self, finder, place):
        self._finder, self._place = finder, place
        self._late = []
        self._echo = b""

    def _check(self):
        finder = self._finder
        gone = finder.kind in ("gone", "back as another port") or self._place.address != f"port{finder.name_count}"
        # Another program that takes the port away, or a right that is withdrawn, ends the connection as well.
        if gone or finder.kind in ("busy port", "permission denied"):
            raise StripLost(said("The strip is gone from its port. Plug it in again."))

    def read(self):
        self._check()
        kind, chances = self._finder.kind, self._finder.chances
        data = self._finder.device.read()
        if kind == "deaf":
            return b""
        if kind == "echo":
            data, self._echo = self._echo + data, b""
        if kind == "garbage" or (kind == "reset by DTR" and chances.random() < 0.3):
            data += chances.randbytes(chances.randrange(40))
        if kind == "half messages":
            data = data[: len(data) // 2]
        if kind == "swallowed bytes":
            data = bytes(byte for byte in data if chances.random() > 0.1)
        if kind == "late answers":
            self._late.append((self._finder.clock() + chances.uniform(0.05, 0.4), data))
            data = b""
        due = [each for at_s, each in self._late if at_s <= self._finder.clock()]
        self._late = [each for each in self._late if each[0] > self._finder.clock()]
        return b"".join(due) + data

    def write(self, data):
        self._check()
        kind, chances = self._finder.kind, self._finder.chances
        if kind == "buffer full":
            raise StripLost(said("The strip takes no more bytes. Unplug it and plug it in again."))
        if kind == "deaf":
            return
        if kind == "echo":
            self._echo += data
            return
        if kind == "half messages":
            data = data[: len(data) // 2]
        if kind == "swallowed bytes":
            data = bytes(byte for byte in data if chances.random() > 0.1)
        if kind == "garbage":
            spoilt = bytearray(data)
            for _ in range(2):
                spoilt[chances.randrange(len(spoilt))] ^= chances.randrange(1, 256)
            data = bytes(spoilt)
        self._finder.device.write(data)

    def close(self):
        pass
