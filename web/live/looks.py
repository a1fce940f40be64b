"""How every figure of the watched table looked when nobody doubted who it is: people tell look-alikes apart by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assistant.app.live.shots import Shot
from web.scene.drawing import ShotDrawing
from web.scene.shelf import ShotShelf


@dataclass
class LastLooks:
    """The newest shot on which each figure stood and nobody asked about it.

    Args:
        shelf: keeps the pictures.
    """

    shelf: ShotShelf
    _shots: dict[str, Shot] = field(default_factory=dict)
    _newest: str = ""

    def take(self, shot: Shot, doubted: Iterable[str]) -> None:
        """Remembers all figures of a shot of the still table but those that are asked about."""
        if shot.id == self._newest:
            return
        self._newest = shot.id
        unknown = {*doubted}
        self._shots |= {figure.id: shot for figure in shot.board.figures if figure.id not in unknown}
        self.shelf.keep_looked({each.id: each for each in self._shots.values()}.values())

    def document(self, name: str) -> dict[str, Any] | None:
        """The picture with the part of it that shows the figure; None for one that was never seen for sure."""
        shot = self._shots.get(name)
        if shot is None:
            return None
        drawing = ShotDrawing(shot)
        return {**drawing.picture(), "box_px": drawing.figure_box_px(shot.board.figure(name))}
