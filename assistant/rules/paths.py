"""Steps between cells, and distances in steps, a whole board at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assistant.rules.barriers import Barriers
from assistant.rules.bitboard import BitLayout, Bits
from assistant.table.lattice import Cell

Diagonal = Literal["two_l", "free", "strict"]

FOUR_DIRECTIONS: tuple[Cell, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
EIGHT_DIRECTIONS: tuple[Cell, ...] = (*FOUR_DIRECTIONS, (1, 1), (-1, -1), (1, -1), (-1, 1))


@dataclass(frozen=True, eq=False)
class StepGraph:
    """The free steps of a board.

    Args:
        frame: the layout of the bits.
        inside: the cells that steps may enter.
        starts: for each of the eight directions, the shift of a bit and the cells with a free step that way; the four
          orthogonal ones first.
    """

    frame: BitLayout
    inside: Bits
    starts: tuple[tuple[int, Bits], ...]

    @classmethod
    def over(cls, barriers: Barriers, inside: Bits, diagonal: Diagonal = "two_l") -> StepGraph:
        """Return the steps that cross no barrier.

        Args:
            barriers: the edges that no step crosses.
            inside: the cells that steps may enter.
            diagonal: when a diagonal step is free: if one of its two L-shaped detours crosses no barrier (``two_l``),
              unless barriers leave the common point in all four directions (``free``), or only if no barrier touches
              the common point (``strict``).
        """
        stride = barriers.frame.stride
        east = inside & inside >> 1 & ~(barriers.upright >> 1)
        south = inside & inside >> stride & ~(barriers.level >> stride)
        if diagonal == "two_l":
            falling = (east & south >> 1) | (south & east >> stride)
            # From the lower left cell to the upper right one, stored at the lower left cell.
            rising = (east & south << stride - 1) | (south << stride & east << stride)
        else:
            point = barriers.crossing if diagonal == "free" else barriers.touched
            falling = inside & inside >> stride + 1 & ~(point >> stride + 1)
            rising = inside & inside << stride - 1 & ~(point >> 1)
        orthogonal = ((1, east), (-1, east << 1), (stride, south), (-stride, south << stride))
        slanted = (
            (stride + 1, falling),
            (-stride - 1, falling << stride + 1),
            (1 - stride, rising),
            (stride - 1, rising >> stride - 1),
        )
        return cls(barriers.frame, inside, orthogonal + slanted)

    def neighbours(self, bits: Bits) -> Bits:
        """Return the cells one step away from any of these, which may be among them."""
        found = 0
        for shift, starts in self.starts:
            taken = bits & starts
            found |= taken << shift if shift > 0 else taken >> -shift
        return found

    def rings(self, start: Bits) -> Iterator[Bits]:
        """Yield the cells at distance 0, 1, 2 and so on from the start: breadth-first search, ring by ring."""
        seen = ring = start
        while ring:
            yield ring
            ring = self.neighbours(ring) & ~seen
            seen |= ring

    def distance(self, start: Bits, goal: Bits) -> int | None:
        """Return the fewest steps from any start cell to any goal cell, or None without a path."""
        return next((count for count, ring in enumerate(self.rings(start)) if ring & goal), None)

    @cached_property
    def start_cells(self) -> Mapping[Cell, frozenset[Cell]]:
        """The cells with a free step in each of the eight directions ``(dx, dy)``."""
        stride = self.frame.stride
        return {
            (dx, dy): frozenset(self.frame.places(dict(self.starts)[dy * stride + dx])) for dx, dy in EIGHT_DIRECTIONS
        }

    def may_step(self, start: Cell, dx: int, dy: int) -> bool:
        return start in self.start_cells[dx, dy]


_KEPT_STARTS = 256
"""Cache size: several times the number of figures on any table."""


class Ranges:
    """Distances between figures, counted in steps, with a cache by place.

    Args:
        steps: the free steps, or None for straight-line counts that ignore obstacles.
        goals: the most frequent destinations; others take longer to look up.
    """

    def __init__(self, steps: StepGraph | None, goals: Iterable[Cell]) -> None:
        self._steps = steps
        self._goals = frozenset(goals)
        self._goal_bits = steps.frame.bits(self._goals) if steps else 0
        self._known: dict[tuple[Cell, ...], _Rings] = {}

    def between(self, start: Sequence[Cell], goal: Sequence[Cell]) -> int | None:
        """Return the fewest steps from any cell of the start to any of the goal, or None without a path."""
        if self._steps is None:
            return chebyshev(start, goal)
        source, end = tuple(start), tuple(goal)
        rings = self._known.get(source)
        if rings is None:
            # Steps lead both ways, so either cached end will do.
            source, end = end, source
            rings = self._known.get(source) or self._counted(source)
        counts = rings.goals if self._goals.issuperset(end) else rings.all
        return min((counts[cell] for cell in end if cell in counts), default=None)

    def _counted(self, source: tuple[Cell, ...]) -> _Rings:
        assert self._steps is not None
        found = _Rings(self._steps, source, self._goal_bits)
        if len(self._known) < _KEPT_STARTS:
            self._known[source] = found
        return found


class _Rings:
    """The distances of cells from one place: of the goals first, of all cells once another is needed."""

    def __init__(self, steps: StepGraph, source: tuple[Cell, ...], goal_bits: Bits) -> None:
        self._steps = steps
        self._source = steps.frame.bits_of_few(source)
        self.goals = self._counts(goal_bits)

    @cached_property
    def all(self) -> Mapping[Cell, int]:
        return self._counts(-1)

    def _counts(self, wanted: Bits) -> dict[Cell, int]:
        counts: dict[Cell, int] = {}
        for count, ring in enumerate(self._steps.rings(self._source)):
            hits = ring & wanted
            if hits:
                counts |= dict.fromkeys(self._steps.frame.places(hits), count)
        return counts


def chebyshev(start: Iterable[Cell], goal: Sequence[Cell]) -> int:
    """Return the fewest steps in eight directions on an empty board."""
    return min(max(abs(a - c), abs(b - d)) for a, b in start for c, d in goal)
