"""The firmware's real binary on the bench of ``bench/bench.c``, stepped by hand: no threads, no wall clock."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardware.port import PortPlace

CYCLES_PER_S = 16_000_000
NS_PER_CYCLE = 1e9 / CYCLES_PER_S


class _PulsesInCycles(ctypes.Structure):
    _fields_ = (
        ("zero_high", ctypes.c_uint32 * 2),
        ("one_high", ctypes.c_uint32 * 2),
        ("zero_low", ctypes.c_uint32 * 2),
        ("one_low", ctypes.c_uint32 * 2),
        ("longest_gap", ctypes.c_uint32),
        ("shortest_latch", ctypes.c_uint32),
        ("bits", ctypes.c_uint64),
        ("odd", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Pulses:
    """Least and most of each pulse on the data pin in nanoseconds, and how many bits there were."""

    zero_high_ns: tuple[float, float]
    one_high_ns: tuple[float, float]
    zero_low_ns: tuple[float, float]
    one_low_ns: tuple[float, float]
    longest_gap_ns: float
    shortest_latch_ns: float
    bit_count: int
    odd_count: int


@dataclass(frozen=True)
class Edge:
    at_ns: float
    level: int


SIGNATURES = {
    "bench_open": (ctypes.c_void_p, [ctypes.c_char_p]),
    "bench_close": (None, [ctypes.c_void_p]),
    "bench_set_slice": (None, [ctypes.c_void_p, ctypes.c_uint32]),
    "bench_set_baud": (None, [ctypes.c_void_p, ctypes.c_uint32]),
    "bench_run_until": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_uint64]),
    "bench_cycle": (ctypes.c_uint64, [ctypes.c_void_p]),
    "bench_feed": (None, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]),
    "bench_unsent": (ctypes.c_uint32, [ctypes.c_void_p]),
    "bench_take": (ctypes.c_uint32, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]),
    "bench_lost": (ctypes.c_uint64, [ctypes.c_void_p]),
    "bench_own_baud": (ctypes.c_double, [ctypes.c_void_p]),
    "bench_button": (None, [ctypes.c_void_p, ctypes.c_int]),
    "bench_frame": (ctypes.c_uint32, [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)]),
    "bench_frames_missed": (ctypes.c_uint32, [ctypes.c_void_p]),
    "bench_pulses": (None, [ctypes.c_void_p, ctypes.POINTER(_PulsesInCycles)]),
    "bench_edges": (ctypes.c_uint32, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]),
    "bench_reset": (None, [ctypes.c_void_p, ctypes.c_uint32]),
    "bench_hang": (None, [ctypes.c_void_p]),
    "bench_eeprom": (None, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint16, ctypes.c_int]),
}


def load_library(path: Path) -> ctypes.CDLL:
    """Return the compiled bench with its functions declared."""
    library = ctypes.CDLL(str(path))
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class FirmwareBench:
    """An Arduino with a strip and a button, running the binary in ``firmware``."""

    def __init__(self, library: ctypes.CDLL, firmware: Path, *, baud_rate: int = 250_000) -> None:
        self._library = library
        self._bench = library.bench_open(str(firmware).encode())
        assert self._bench, f"the firmware {firmware} could not be loaded"
        self.set_baud_rate(baud_rate)
        self._room = ctypes.create_string_buffer(1 << 16)

    def close(self) -> None:
        self._library.bench_close(self._bench)

    def set_baud_rate(self, baud_rate: int) -> None:
        """Set the host's side of the line."""
        self._library.bench_set_baud(self._bench, baud_rate)

    def set_slice(self, cycles: int) -> None:
        """Look at the serial line every so many cycles: 1 is exact, 64 is faster."""
        self._library.bench_set_slice(self._bench, cycles)

    @property
    def now_s(self) -> float:
        return self._library.bench_cycle(self._bench) / CYCLES_PER_S

    def run(self, seconds: float) -> None:
        """Let the firmware run for a while of its own time."""
        end = self._library.bench_cycle(self._bench) + round(seconds * CYCLES_PER_S)
        assert self._library.bench_run_until(self._bench, end) == 0, "the firmware crashed"

    def write(self, data: bytes) -> None:
        """Put bytes on the line to the strip, behind those still in transit."""
        self._library.bench_feed(self._bench, data, len(data))

    def read(self) -> bytes:
        """Return the strip's bytes since the last call."""
        count = self._library.bench_take(self._bench, self._room, len(self._room))
        return ctypes.string_at(self._room, count)

    @property
    def unsent_count(self) -> int:
        return self._library.bench_unsent(self._bench)

    @property
    def lost_count(self) -> int:
        """Bytes that the receiver of the chip has overrun."""
        return self._library.bench_lost(self._bench)

    @property
    def own_baud_rate(self) -> float:
        return self._library.bench_own_baud(self._bench)

    def set_button(self, is_down: bool) -> None:
        self._library.bench_button(self._bench, is_down)

    def frames(self) -> list[tuple[float, bytes]]:
        """Return the pictures that the strip has latched since the last call, with their times in seconds."""
        found = []
        at = ctypes.c_uint64()
        while count := self._library.bench_frame(self._bench, self._room, ctypes.byref(at)):
            found.append((at.value / CYCLES_PER_S, ctypes.string_at(self._room, count)))
        assert self._library.bench_frames_missed(self._bench) == 0, "pictures were not looked at in time"
        return found

    def pulses(self) -> Pulses:
        """Return the shape of the pulses since the last call."""
        raw = _PulsesInCycles()
        self._library.bench_pulses(self._bench, ctypes.byref(raw))
        ranges = (raw.zero_high, raw.one_high, raw.zero_low, raw.one_low)
        return Pulses(
            *(tuple(cycles * NS_PER_CYCLE for cycles in each) for each in ranges),
            longest_gap_ns=raw.longest_gap * NS_PER_CYCLE,
            shortest_latch_ns=raw.shortest_latch * NS_PER_CYCLE,
            bit_count=raw.bits,
            odd_count=raw.odd,
        )

    def edges(self) -> list[Edge]:
        """Return every change of the data pin since the last call (the first call only starts to record)."""
        raw = (ctypes.c_uint64 * 8192)()
        count = self._library.bench_edges(self._bench, raw)
        return [Edge((value >> 1) * NS_PER_CYCLE, value & 1) for value in raw[:count]]

    def reset(self, boot_s: float = 0.0) -> None:
        """Pulls DTR: the bootloader has the line for ``boot_s``, then the firmware starts."""
        self._library.bench_reset(self._bench, round(boot_s * 1e6))

    def kept(self, size: int) -> bytes:
        """Return the first bytes of the EEPROM."""
        room = ctypes.create_string_buffer(size)
        self._library.bench_eeprom(self._bench, room, size, 0)
        return room.raw

    def keep(self, data: bytes) -> None:
        """Write the first bytes of the EEPROM, as age or a power failure might."""
        self._library.bench_eeprom(self._bench, ctypes.create_string_buffer(data, len(data)), len(data), 1)

    def hang(self) -> None:
        """Send the processor into an endless loop."""
        self._library.bench_hang(self._bench)


def decode_edges(edges: list[Edge]) -> bytes:
    """Return the colours (red, green, blue) that an LED strip reads from a waveform: only high time counts."""
    bits = [fall.at_ns - rise.at_ns > 560 for rise, fall in _highs(edges)]
    octets = [sum(bit << (7 - n) for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)]
    green_first = zip(octets[0::3], octets[1::3], octets[2::3], strict=True)
    return bytes(value for green, red, blue in green_first for value in (red, green, blue))


def _highs(edges: list[Edge]) -> Iterator[tuple[Edge, Edge]]:
    pending = None
    for edge in edges:
        if edge.level:
            pending = edge
        elif pending is not None:
            yield pending, edge


class BadLine:
    """A line that flips and drops bytes at random, in both directions."""

    def __init__(self, seed: int, flipped: float = 0.0, dropped: float = 0.0) -> None:
        self._random = random.Random(seed)
        self.flipped, self.dropped = flipped, dropped
        self.damage_count = 0

    def carry(self, data: bytes) -> bytes:
        if not (self.flipped or self.dropped):
            return data
        out = bytearray()
        for byte in data:
            chance = self._random.random()
            if chance < self.dropped:
                self.damage_count += 1
            elif chance < self.dropped + self.flipped:
                out.append(byte ^ self._random.randrange(1, 256))
                self.damage_count += 1
            else:
                out.append(byte)
        return bytes(out)


class Table:
    """The host's driver and the firmware, joined by a line and stepped together on the firmware's clock."""

    def __init__(self, bench: FirmwareBench, driver: object, line: BadLine | None = None) -> None:
        self.bench, self.driver, self.line = bench, driver, line or BadLine(0)
        self.events: list[object] = []

    def step(self, seconds: float = 0.0002) -> None:
        self.events += self.driver.receive(self.line.carry(self.bench.read()), self.bench.now_s)
        self.bench.write(self.line.carry(self.driver.outgoing(self.bench.now_s)))
        self.bench.run(seconds)

    def run_until(self, condition, timeout_s: float = 5.0, step_s: float = 0.0002) -> float:
        """Step until the condition holds; returns how long it took on the firmware's clock."""
        start_s = self.bench.now_s
        while not condition():
            self.step(step_s)
            assert self.bench.now_s - start_s < timeout_s, f"not reached within {timeout_s} s"
        return self.bench.now_s - start_s


class BenchPort:
    """The line to the bench as a port; see ``hardware.port.Port``."""

    def __init__(self, bench: FirmwareBench, line: BadLine) -> None:
        self._bench, self._line = bench, line

    def read(self) -> bytes:
        return self._line.carry(self._bench.read())

    def write(self, data: bytes) -> None:
        self._bench.write(self._line.carry(data))

    def close(self) -> None:
        pass


class BenchFinder:
    """Finds the bench. Opening it pulls DTR, and the bootloader holds the line for 1.4 s as measured on optiboot."""

    def __init__(self, bench: FirmwareBench, line: BadLine | None = None, boot_s: float = 1.4) -> None:
        self._bench, self._line, self._boot_s = bench, line or BadLine(0), boot_s

    def places(self) -> list[PortPlace]:
        return [PortPlace("bench")]

    def open(self, place: PortPlace, baud_rate: int) -> BenchPort:
        self._bench.set_baud_rate(baud_rate)
        self._bench.reset(self._boot_s)
        return BenchPort(self._bench, self._line)
