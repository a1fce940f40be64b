"""Pictures of the watched table under names of their own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from assistant.app.live.live_shots import LiveShots
from assistant.table.statements import Statements


def test_two_watchings_of_one_program_never_give_a_picture_the_same_name() -> None:
    shown: list[Any] = []
    screen: Any = SimpleNamespace(boot="boot", show_live=shown.append)
    frame: Any = SimpleNamespace(image_bgr=np.zeros((8, 8, 3), np.uint8), monotonic_s=0.0)
    look: Any = SimpleNamespace(view=None)
    for _ in range(2):
        shots = LiveShots(screen, setup=SimpleNamespace(), now_s=lambda: 0.0)  # type: ignore[arg-type]
        for _ in range(2):
            shots.show(frame, look, SimpleNamespace(), Statements())  # type: ignore[arg-type]
    assert len({shot.id for shot in shown}) == 4, "a browser keeps a picture by its name"
