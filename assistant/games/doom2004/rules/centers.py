"""Sight and range of DOOM (2004) on one board under one set of options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from assistant.rules.barriers import Barriers, Touch
from assistant.rules.bitboard import Bits, EdgeBits
from assistant.rules.center_sight import CenterSight
from assistant.rules.grid import Grid
from assistant.rules.line_walks import CELL
from assistant.rules.paths import Diagonal, Ranges, StepGraph, chebyshev
from assistant.rules.ruling import Blocker, Verdict
from assistant.table.board import Figure
from assistant.table.lattice import Cell

_SIGHT_KINDS = frozenset({"wall", "obstacle", "door"})

_KEPT_STARTS = 256
"""Number of attackers with cached distances: several times the number of figures on any table."""

_NOT_IN_VERDICT = frozenset({"los_edge_run", "adjacent_through_wall"})
"""Options that change no verdict: no line between centres runs along an edge, and a verdict has no adjacency."""

_ABOUT_LINES = frozenset({"los_touch", "los_pinch", "los_figures"})
"""Options about the lines. All others concern range."""


class CenterLines(NamedTuple):
    """The lines between the spaces of two figures, as pairs of the attacker's and the defender's space.

    Args:
        free: the pairs with a free line.
        tried: all pairs.
    """

    free: tuple[tuple[Cell, Cell], ...]
    tried: tuple[tuple[Cell, Cell], ...]


class CenterTable:
    """One board under one set of options."""

    def __init__(self, grid: Grid, options: Mapping[str, str]) -> None:
        self.grid = grid
        self.board = grid.board
        self.options = options
        self.frame = grid.frame
        self.barriers = Barriers.of(grid, _SIGHT_KINDS)
        self._diagonal = cast(Diagonal, options["diagonal_at_wall"])
        self._rings: dict[tuple[str, Bits], tuple[Bits, ...]] = {}
        self._friends: dict[str, Bits] = {}

    def verdict(self, attacker: Figure, defender: Figure, named: Cell | None = None) -> Verdict:
        """Return the bare answer for one pair; ``named`` is the defender's space that the attacker names, if any."""
        return self.verdict_of(self.look(attacker, defender, named), attacker, defender, named)

    def verdict_of(self, look: CenterLines, attacker: Figure, defender: Figure, named: Cell | None = None) -> Verdict:
        starts = list(attacker.cells)
        goals = list(defender.cells)
        if named is not None and self.options["oversized_target_range"] == "named":
            goals = [named]
        if look.free and self.options["oversized_range_origin"] == "sight_space":
            starts = sorted({start for start, _ in look.free})
        return Verdict(self.range(attacker, defender, starts, goals), bool(look.free), None)

    def verdict_otherwise(
        self, option: str, known: tuple[Verdict, CenterLines], attacker: Figure, defender: Figure, named: Cell | None
    ) -> Verdict:
        """Return the bare answer of this table, whose options differ from another table's in one.

        Only the parts that the option affects are computed again.

        Args:
            option: the name of that option.
            known: the other table's answer, and the lines behind it.
            attacker: the attacker.
            defender: the defender.
            named: the defender's space that the attacker names, if any.
        """
        verdict, look = known
        if option in _NOT_IN_VERDICT:
            return verdict
        if option in _ABOUT_LINES:
            look = self.look(attacker, defender, named)
            if self.options["oversized_range_origin"] != "sight_space":
                return verdict._replace(line_of_sight=bool(look.free))
        return self.verdict_of(look, attacker, defender, named)

    def range(self, attacker: Figure, defender: Figure, starts: list[Cell], goals: list[Cell]) -> int | None:
        """Return the fewest spaces from any start to any goal, or None without a path."""
        if self.options["range_count"] == "figures_block":
            return self._range_past_figures(attacker, defender, starts, goals)
        return self._ranges.between(starts, goals)

    def _range_past_figures(
        self, attacker: Figure, defender: Figure, starts: list[Cell], goals: list[Cell]
    ) -> int | None:
        """Return the range with paths only through spaces without other figures."""
        steps = self._steps(~self._others(attacker.id, defender.id))
        start, goal = self.frame.bits_of_few(starts), self.frame.bits_of_few(goals)
        if start & goal or goal != self.grid.figures.get(defender.id):
            return steps.distance(start, goal)
        # A shortest path enters the defender only with its last step. So the distances to the spaces beside it equal
        # those with all figures in the way, and one attacker's distances serve for every defender.
        before = steps.neighbours(goal)
        rings = self._rings_past_figures(attacker.id, start)
        return next((count for count, ring in enumerate(rings, 1) if ring & before), None)

    def _rings_past_figures(self, attacker_id: str, start: Bits) -> tuple[Bits, ...]:
        """Return the spaces at distance 0, 1, 2 and so on from an attacker, with all other figures in the way."""
        found = self._rings.get((attacker_id, start))
        if found is None:
            if len(self._rings) >= _KEPT_STARTS:
                self._rings.clear()
            found = self._rings[attacker_id, start] = tuple(self._steps(~self._others(attacker_id)).rings(start))
        return found

    def sees(self, attacker: Figure, defender: Figure) -> bool:
        sight, solid = self._sight(attacker, defender)
        return any(sight.is_clear(a, d, solid) for a in attacker.cells for d in defender.cells)

    def seen_spaces(self, viewer: Figure, spaces: Iterable[Cell], hiding: Iterable[Cell]) -> list[Cell]:
        """Return the spaces with a clear line from a figure, with obstacles and the ``hiding`` cells in the way."""
        solid = (self.grid.blocking | self.frame.bits(hiding)) & ~self.frame.bits_of_few(viewer.cells)
        sight = self._lines
        return [space for space in spaces if any(sight.is_clear(own, space, solid) for own in viewer.cells)]

    def look(self, attacker: Figure, defender: Figure, named: Cell | None = None) -> CenterLines:
        """Return the lines between the spaces of two figures: all, or those into the named space."""
        sight, solid = self._sight(attacker, defender)
        goals = defender.cells if named is None else (named,)
        tried = tuple((start, goal) for start in attacker.cells for goal in goals)
        return CenterLines(tuple(pair for pair in tried if sight.is_clear(*pair, solid)), tried)

    def blockers(self, attacker: Figure, defender: Figure, start: Cell, end: Cell) -> Iterator[Blocker]:
        """Yield the blockers of one line in order."""
        sight, solid = self._sight(attacker, defender)
        for step in sight.stops(start, end, solid):
            x, y = step.x, step.y
            if step.plane == CELL:
                yield self._name((x, y))
            elif self.barriers.stops(step):
                yield self.barriers.name_of_step(step)
            else:  # a point without a closing barrier: the corner of a solid cell stops the line
                around = ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y))
                yield next(self._name(cell) for cell in around if solid & self.frame.bit(cell))

    def are_adjacent(self, a: tuple[Cell, ...], b: tuple[Cell, ...]) -> bool:
        if chebyshev(a, b) != 1:
            return False
        if self.options["adjacent_through_wall"] == "corner":
            return True
        return bool(self.steps.neighbours(self.frame.bits_of_few(a)) & self.frame.bits_of_few(b))

    @cached_property
    def steps(self) -> StepGraph:
        """The steps that cross no wall, closed door or blocking obstacle."""
        return self._steps(-1)

    @cached_property
    def _ranges(self) -> Ranges:
        return Ranges(None if self.options["range_count"] == "straight" else self.steps, self.board.figure_at)

    def _steps(self, allowed: Bits) -> StepGraph:
        inside = self.grid.inside & ~self.grid.blocking & allowed
        return StepGraph.over(self.barriers, inside, self._diagonal)

    def _others(self, *names: str) -> Bits:
        found = self.grid.occupied
        for name in names:
            found &= ~self.grid.figures.get(name, 0)
        return found

    def _sight(self, attacker: Figure, defender: Figure) -> tuple[CenterSight, Bits]:
        """Return the lines, and the cells that stop them, except the two figures themselves."""
        figures = self._others(attacker.id, defender.id)
        if self.options["los_figures"] == "enemies":
            figures &= ~self._side_bits(attacker.side)
        solid = (self.grid.blocking | figures) & ~self.frame.bits_of_few((*attacker.cells, *defender.cells))
        return self._lines, solid

    def _side_bits(self, side: str) -> Bits:
        found = self._friends.get(side)
        if found is None:
            cells = (cell for f in self.board.figures if f.side == side for cell in f.cells)
            found = self._friends[side] = self.frame.bits(cells)
        return found

    @cached_property
    def _lines(self) -> CenterSight:
        barriers = self.barriers
        touch: Touch = "strict" if self.options["los_touch"] == "blocks" else "graze"
        if touch == "strict" or self.options["los_pinch"] == "always_blocked":

            @lru_cache(maxsize=8)  # consecutive questions have the same figures in the way
            def cornered(lie: int, solid: Bits) -> EdgeBits:
                return barriers.plane(lie, touch, solid=solid)

            return CenterSight(barriers, barriers.planes(touch), cornered)
        return CenterSight(barriers, barriers.planes(touch, pinch_open=self.options["los_pinch"] == "always_clear"))

    def _name(self, cell: Cell) -> Blocker:
        figure = self.board.figure_at.get(cell)
        return Blocker("cell", cell=cell) if figure is None else Blocker("figure", id=figure.id)
