"""Run inside of the program before it begins: its simulated camera takes four pictures a second instead of ten.

Ten cost half a core for as long as the program runs, of the two that all tests share. What a test waits for is read
from one picture, or from a few that follow one another; how a quicker camera is kept up with is measured elsewhere.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vision.sources.capturing import CaptureRequest
from vision.sources.virtual import VirtualTable

FRAMES_PER_S = 4.0

made = CaptureRequest.__init__


def make(self: CaptureRequest, *given: Any, **named: Any) -> None:
    """Build a capture order; at this rate for the simulated table on a lattice."""
    made(self, *given, **named)
    if self.name.kind == "virtual" and isinstance(shown := self.table or VirtualTable(), VirtualTable):
        object.__setattr__(self, "table", replace(shown, frames_per_s=FRAMES_PER_S))


CaptureRequest.__init__ = make  # type: ignore[method-assign]
