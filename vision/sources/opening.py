"""Open any frame source by its name."""

from __future__ import annotations

from pathlib import Path

from vision.live.frames import FrameSource
from vision.sources.captured import CapturedSource
from vision.sources.capturing import CaptureRequest
from vision.sources.names import SourceName
from vision.sources.push import PushedSource
from vision.sources.replay import ReplaySource
from vision.sources.supply import STILL_S, Patience
from vision.sources.usb import CaptureSettings
from vision.sources.virtual import VirtualFreeTable, VirtualTable

PAINTING = Patience(first_s=120.0, next_s=60.0)
"""Patience with the simulated table, which is painted first. That takes long on a busy machine, and reopening would not
help."""
PATIENCE = {"virtual": PAINTING, "rtsp": Patience(still_s=STILL_S)}
"""Kinds of camera with a patience of their own."""


def open_source(
    name: SourceName, *, wanted: CaptureSettings | None = None, table: VirtualTable | VirtualFreeTable | None = None
) -> FrameSource:
    """Return the source of that name. It waits for a missing camera.

    ``wanted`` are the settings of a USB camera (full HD, thirty frames a second), ``table`` the simulated camera's
    scene.

    Raises:
        PhotoUnreadable: the recording to replay is missing.
    """
    match name.kind:
        case "push":
            return PushedSource()
        case "replay":
            return ReplaySource(Path(name.place))
        case _:
            return CapturedSource(
                CaptureRequest(
                    name,
                    wanted=wanted or CaptureSettings(),
                    table=table,
                    patience=PATIENCE.get(name.kind, Patience()),
                )
            )
