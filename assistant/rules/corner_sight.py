"""Sight from corner to corner, for every line between two figures at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assistant.rules.barriers import ALL_DIRECTIONS, Barriers, Touch, quadrant
from assistant.rules.bitboard import LinePattern, lines_of
from assistant.rules.cover import ByLie, CoverScreen
from assistant.rules.line_walks import CELL, LineEvent, walk_line
from assistant.rules.ruling import Blocker
from assistant.table.lattice import Cell, Point, corners


class Corner(NamedTuple):
    """A corner of a figure's base: a lattice point with masks.

    Args:
        x, y: the lattice point.
        own: the directions from it into the figure's own cells, as bits.
        open: the directions in which a line may leave or reach it, as bits.
        planes: the barriers by a line's lie, shifted to this point for the lines that go down from it.
    """

    x: int
    y: int
    own: int
    open: int
    planes: tuple[int, ...]

    @property
    def point(self) -> Point:
        return (self.x, self.y)


@dataclass(frozen=True)
class TouchRules:
    """The effect of touching barriers without crossing them.

    Args:
        mid_line: the effect of a point in mid-line that a barrier touches (see ``Barriers.plane``).
        pinch_open: whether a slanted line passes a point where two pairs of barriers meet.
        shared_corner: whether two cells see each other through a common corner, in one gap of its barriers.
    """

    mid_line: Touch = "graze"
    pinch_open: bool = False
    shared_corner: bool = True


class CornerSight:
    """The lines between corners on one board under one reading of the rules.

    Args:
        barriers: the edges that stop a line.
        rules: the effect of touching barriers.
        solid: cells whose interior stops a line although their corners do not; empty unless corners never stop a line.
    """

    def __init__(self, barriers: Barriers, rules: TouchRules, solid: ByLie = ()) -> None:
        self.barriers = barriers
        self._rules = rules
        self._frame = barriers.frame
        self._lines = lines_of(barriers.frame.stride, centered=False)
        self._planes = barriers.planes(rules.mid_line, pinch_open=rules.pinch_open)
        self._solid = solid

    def corners(self, cells: Iterable[Cell]) -> tuple[Corner, ...]:
        """Return the corners of all these cells, sorted by column."""
        found: dict[Point, tuple[int, int]] = {}
        for cell in cells:
            for point in corners(cell):
                own, allowed = found.get(point, (0, 0))
                sector = ALL_DIRECTIONS
                if self._rules.mid_line != "always_clear":
                    sector = self.barriers.sector(point, cell)
                found[point] = (own | 1 << quadrant(point, cell), allowed | sector)
        return tuple(Corner(*point, *found[point], self._planes_from(point)) for point in sorted(found))

    def clear_between(self, origins: Sequence[Corner], targets: Sequence[Corner]) -> tuple[int, ...]:
        """Return the clear lines for each origin: bit ``i`` for the line to target ``i``."""
        return tuple(self.clear_targets(origin, targets) for origin in origins)

    def clear_targets(self, origin: Corner, targets: Sequence[Corner]) -> int:
        """Return ``clear_between`` for one origin. This is the innermost loop of the product, so it avoids calls."""
        found = 0
        flag = 1
        x, y, _, leaving, planes_down = origin
        known, between = self._lines.known, self._lines.between
        for target_x, target_y, own, arriving, planes_up in targets:
            ends = (target_x - x, target_y - y)
            line = known.get(ends)
            if line is None:
                if ends == (0, 0):
                    if self._rules.shared_corner and leaving & own:
                        found |= flag
                    flag <<= 1
                    continue
                line = between(*ends)
            leaves, arrives, lie, is_down, edges, _ = line
            if (
                leaving & leaves
                and arriving & arrives
                and not (planes_down if is_down else planes_up)[lie] & edges
                and not (self._solid and self._enters_solid(x, y, *ends))
            ):
                found |= flag
            flag <<= 1
        return found

    def meets(self, origin: Corner, target: Corner, screen: CoverScreen) -> bool:
        dx, dy = target.x - origin.x, target.y - origin.y
        if not (dx or dy):
            return False
        line = self._lines.between(dx, dy)
        top = origin if line.is_down else target
        if screen.by_lie[line.lie] >> self._frame.cell_shift((top.x, top.y)) & line.cells:
            return True
        return bool(screen.edges and screen.edges >> self._frame.edge_shift((top.x, top.y)) & line.edges)

    def blockers(self, origin: Corner, target: Corner) -> Iterator[Blocker]:
        """Yield the obstacles that stop a line, from its start on."""
        dx, dy = target.x - origin.x, target.y - origin.y
        if not (dx or dy):
            if not (self._rules.shared_corner and origin.open & target.own):
                yield self.barriers.name_at(origin.point)
            return
        line = self._lines.between(dx, dy)
        if not origin.open & line.leaves:
            yield self.barriers.name_at(origin.point)
        top = origin if line.is_down else target
        for step in self._stops(origin, top, line, (dx, dy)):
            place = (step.x + origin.x, step.y + origin.y)
            if step.plane == CELL:
                yield Blocker("cell", cell=place)
            else:
                yield self.barriers.name_of_step(LineEvent(step.plane, *place))
        if not target.open & line.arrives:
            yield self.barriers.name_at(target.point)

    def _stops(self, origin: Corner, top: Corner, line: LinePattern, ends: tuple[int, int]) -> Iterable[LineEvent]:
        """Return the edges, points and solid cells that stop a line between its ends, relative to its start."""
        hits = top.planes[line.lie] & line.edges
        if not self._solid:
            return self._lines.steps_of(hits, *ends)
        edges = set(self._lines.steps_of(hits, *ends))
        solid = self._solid[line.lie]
        return (
            step
            for step in walk_line(*ends)
            if (
                solid & self._frame.bit((step.x + origin.x, step.y + origin.y)) if step.plane == CELL else step in edges
            )
        )

    def _enters_solid(self, x: int, y: int, dx: int, dy: int) -> bool:
        line = self._lines.between(dx, dy)
        top = (x, y) if line.is_down else (x + dx, y + dy)
        return bool(self._solid[line.lie] >> self._frame.cell_shift(top) & line.cells)

    def _planes_from(self, point: Point) -> tuple[int, ...]:
        shift = self._frame.edge_shift(point)
        return tuple(plane >> shift for plane in self._planes)
