"""An answer with its reasons: the lines that decide it and the rules that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assistant.table.lattice import Cell, Edge

Place = tuple[int, int] | tuple[float, float]
"""A lattice point, half points included as floats where a rule uses cell centres; millimetres for ``roads``."""

Purpose = Literal["sight", "cover"]
BlockerKind = Literal["wall", "obstacle", "impassable", "difficult", "door", "figure", "cell", "terrain", "range"]


@dataclass(frozen=True, slots=True)
class Blocker:
    """What stopped a line: an edge, a door or figure by its id, or a cell."""

    kind: BlockerKind
    edge: Edge | None = None
    id: str | None = None
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class SightLine:
    """One traced line; ``blocked_by`` is None for a clear one."""

    start: Place
    end: Place
    purpose: Purpose
    blocked_by: Blocker | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the decision: the id of its rule, the worded sentence, and the arguments it was worded from."""

    rule: str
    text: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """May the attacker attack the defender, and why."""

    ruleset: str
    attacker: str
    defender: str
    range: int | float | None
    line_of_sight: bool
    cover: bool | None
    origin: Place | None
    lines: tuple[SightLine, ...]
    reasons: tuple[Reason, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    distance_mm: float | None = None
    stability: float = 1.0


@dataclass(frozen=True, slots=True)
class End:
    """A placement in which a move may end, and its least cost in points."""

    cost: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """Every placement in which a figure may end its move, ordered by cost, then by cells."""

    ruleset: str
    figure: str
    points: int
    ends: tuple[End, ...]
