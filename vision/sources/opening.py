"""One way to every source of frames: its name."""

from __future__ import annotations

from pathlib import Path

from vision.live.frames import FrameSource
from vision.sources.captured import CapturedSource
from vision.sources.capturing import CaptureRequest
from vision.sources.names import SourceName
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from vision.sources.supply import Patience
from vision.sources.usb import CaptureSettings
from vision.sources.virtual import VirtualTable
from vision.sources.virtual_free import VirtualFreeTable

PAINTING = Patience(first_s=120.0, next_s=60.0)
"""The simulated table is painted first, which takes a busy machine long, and opening it anew would not help."""


def open_source(
    name: SourceName, *, wanted: CaptureSettings | None = None, table: VirtualTable | VirtualFreeTable | None = None
) -> FrameSource:
    """The source of that name; a camera that is not there yet is waited for.

    Args:
        name: which one.
        wanted: what a USB camera is asked for; full HD, thirty times a second, if nothing is said.
        table: what the simulated camera shows.

    Raises:
        PhotoUnreadable: what is to be played back is not there.
    """
    match name.kind:
        case "push":
            return PushedSource()
        case "replay":
            return ReplaySource(Path(name.place))
        case _:
            patience = PAINTING if name.kind == "virtual" else Patience()
            return CapturedSource(
                CaptureRequest(name, wanted=wanted or CaptureSettings(), table=table, patience=patience)
            )
