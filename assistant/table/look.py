"""One look at the live table: what the camera makes of a frame, and what it could not see in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from assistant.table.lattice import Cell
from assistant.table.observation import Observation


@dataclass(frozen=True, eq=False)
class FrameObservation:
    """What one frame of a camera that watches the table says.

    Args:
        observation: the table as it is read now; what is hidden is reported as it was last seen there.
        hidden: the cells, in the observation's lattice, that cannot be judged in this frame: under a hand or an arm, or
            not still yet.
        reading: grows whenever cells were judged anew. Two looks of one reading are one witness, not two.
        time_s: when the frame was taken, on any clock that only goes forward.
        likeness: how much the figures that were judged anew look as they did before that, by their cells: 1 for one
            that nobody touched, less for one that stands or is turned otherwise, or has another one's place.

    Raises:
        ValueError: a number cannot be.
    """

    observation: Observation
    hidden: frozenset[Cell]
    reading: int
    time_s: float
    likeness: Mapping[tuple[Cell, ...], float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if self.reading < 0 or not math.isfinite(self.time_s):
            raise ValueError(f"reading {self.reading} at {self.time_s} s cannot be")
