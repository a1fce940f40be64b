"""A program that runs all evening keeps no more memory than it uses."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

import pytest

from assistant.hosting import process
from assistant.hosting.process import StopSign, give_back_memory, share_heaps

PIECE_BYTES = 64 << 10
"""Of a heap, not a mapping of its own."""


def held_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc can be asked for it")
def test_what_was_freed_in_a_thread_goes_back_to_the_system() -> None:
    share_heaps()
    kept: list[object] = []

    def fill() -> None:
        pieces = [ctypes.create_string_buffer(PIECE_BYTES) for _ in range(1600)]
        kept.append(pieces[-1])  # nothing above it can be let go of by itself

    thread = threading.Thread(target=fill)
    thread.start()
    thread.join()
    full = held_bytes()
    give_back_memory()
    assert full - held_bytes() > 80 << 20


def test_who_waits_to_be_stopped_does_something_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MEANWHILE_EVERY_S", 0.0)
    monkeypatch.setattr(process, "LOOK_FOR_STOP_S", 0.001)
    sign, times = StopSign(), []

    def meanwhile() -> None:
        times.append(1)
        if len(times) == 3:
            sign.put_up()

    sign.wait(meanwhile)
    assert len(times) == 3
