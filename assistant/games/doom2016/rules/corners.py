"""Sight, cover and range of DOOM (2016) on one board under one set of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, cast

from assistant.rules.barriers import Barriers, Touch
from assistant.rules.bitboard import LIE, direction
from assistant.rules.corner_sight import Corner, CornerSight, TouchRules
from assistant.rules.cover import ByLie, CoverCells, CoverScreen, collect_inner
from assistant.rules.grid import Grid
from assistant.rules.line_walks import walk_line
from assistant.rules.paths import Diagonal, Ranges, StepGraph, chebyshev
from assistant.rules.ruling import Blocker, Verdict
from assistant.table.board import Figure
from assistant.table.lattice import Cell, Edge, Point, sides

_SIGHT_KINDS = frozenset({"wall", "obstacle", "door", "cell"})
"""The kinds of barriers that stop a line."""

_PARTING = frozenset({"wall", "door"})
"""The kinds of barriers that separate adjacent cells."""

_KEPT_FIGURES = 512
"""Number of bases with cached corners: several times the figures of any table. A map of the whole board needs more."""

_KEPT_PAIRS = 1 << 12
"""Number of pairs with cached answers: more than the 780 of forty figures, but safe for a map of the whole board."""

_Ends = tuple[tuple[Point, ...], tuple[Point, ...]]
_Stops = tuple[tuple[tuple[Blocker, ...], ...], ...]

_ABOUT_RANGE = frozenset({"range_metric", "diagonal_at_vertex"})
"""Options that change no line."""

_NOTHING: frozenset[Edge] = frozenset()


class CornerLines(NamedTuple):
    """Sight and cover from each corner of an attacker to one defender.

    Args:
        corners: the attacker's corners.
        targets: the defender's corners.
        clear: for each corner the clear lines as bits: bit ``i`` for target ``i``.
        covered: for each corner whether the defender has cover from it, or None without sight.
    """

    corners: tuple[Corner, ...]
    targets: tuple[Corner, ...]
    clear: tuple[int, ...]
    covered: tuple[bool | None, ...]

    @property
    def seeing(self) -> list[int]:
        """The indices of the corners with sight."""
        return [i for i, clear in enumerate(self.clear) if clear]

    @property
    def best(self) -> int | None:
        """The index of the first corner with sight past all cover, else of the first with sight."""
        return min(self.seeing, key=lambda i: (bool(self.covered[i]), i), default=None)

    def at(self, origin: Point) -> CornerLines:
        """Return the lines of one named corner."""
        keep = [i for i, corner in enumerate(self.corners) if corner.point == origin]
        return CornerLines(
            tuple(self.corners[i] for i in keep),
            self.targets,
            tuple(self.clear[i] for i in keep),
            tuple(self.covered[i] for i in keep),
        )


class CornerTable:
    """One board under one set of options.

    Two shortcuts carry the speed. A line that is clear one way is clear the other way, so a reversed pair reuses the
    stored answers (`_clear`, `stops`, `_blind`). And a board under one different option computes only the parts that
    this option affects (`verdict_otherwise`).
    """

    def __init__(self, grid: Grid, options: Mapping[str, str]) -> None:
        self.grid = grid
        self.board = grid.board
        self.options = options
        self.frame = grid.frame
        self._sights_by_ignored: dict[frozenset[Edge], tuple[CornerSight, CornerSight]] = {}
        self._corners_by_cells: dict[tuple[CornerSight, tuple[Cell, ...]], tuple[Corner, ...]] = {}
        self._cover = CoverCells(
            grid,
            difficult_border=options["cover_difficult_border"] == "border",
            figure_edges=options["cover_figure_border"] == "edge",
        )
        self._clear_by_ends: dict[tuple[tuple[Cell, ...], tuple[Cell, ...]], tuple[int, ...]] = {}
        self._stops_by_ends: dict[_Ends, _Stops] = {}
        self._blind: dict[tuple[tuple[Cell, ...], tuple[Cell, ...]], Verdict] = {}
        self._walls_along_are_free = options["cover_along_wall"] == "none"
        self._own_cells_cover = options["cover_attacker_cells"] == "count"
        self._is_literal = options["target_on_obstacle"] == "literal"
        self.ranges = self._ranges()

    def verdict(self, attacker: Figure, defender: Figure) -> Verdict:
        """Return the bare answer for one pair. A blind pair is cached once, since neither figure sees the other."""
        found = self._blind.get((defender.cells, attacker.cells))
        if found is None:
            found = self.verdict_of(self.look(attacker, defender), attacker, defender)
            if not found.line_of_sight and len(self._blind) < _KEPT_PAIRS:
                self._blind[attacker.cells, defender.cells] = found
        return found

    def verdict_otherwise(
        self, option: str, known: tuple[Verdict, CornerLines], attacker: Figure, defender: Figure
    ) -> Verdict:
        """Return the bare answer of this table, whose options differ from another table's in one.

        Only the parts that the option affects are computed again.

        Args:
            option: the name of that option.
            known: the other table's answer, and the lines behind it.
            attacker: the attacker.
            defender: the defender.
        """
        verdict, look = known
        if option in _ABOUT_RANGE:
            return verdict._replace(range=self.ranges.between(attacker.cells, defender.cells))
        if option == "cover_corner":
            return self._decide(look, verdict.range)
        if option.startswith("cover_") and not defender.is_large:
            covered = self._find_cover(look.clear, attacker, defender)
            return self._decide(look._replace(covered=covered), verdict.range)
        return self._decide(self.look(attacker, defender), verdict.range)

    def verdict_of(self, look: CornerLines, attacker: Figure, defender: Figure) -> Verdict:
        return self._decide(look, self.ranges.between(attacker.cells, defender.cells))

    def _decide(self, look: CornerLines, steps: int | float | None) -> Verdict:
        held = [covered for covered in look.covered if covered is not None]
        if not held:
            return Verdict(steps, False, None)
        reading = self.options["cover_corner"]
        if reading == "same_best":
            return Verdict(steps, True, all(held))
        # “declared” without a named corner takes the first with sight: no better one was declared.
        return Verdict(steps, True, any(held) if reading == "any" else held[0])

    def sees(self, attacker: Figure, defender: Figure) -> bool:
        ignored = self._own_obstacles(attacker, defender)
        sight, _ = self._sights(ignored)
        targets = self._corners(ignored, defender.cells)
        return any(sight.clear_targets(corner, targets) for corner in self._corners(ignored, attacker.cells))

    def look(self, attacker: Figure, defender: Figure) -> CornerLines:
        ignored = self._own_obstacles(attacker, defender)
        sight, _ = self._sights(ignored)
        corners = self._corners(ignored, attacker.cells)
        targets = self._corners(ignored, defender.cells)
        clear = self._clear(sight, (attacker.cells, defender.cells), corners, targets)
        if not any(clear):
            return CornerLines(corners, targets, clear, (None,) * len(clear))
        if defender.is_large:
            return CornerLines(corners, targets, clear, tuple(False if seen else None for seen in clear))
        return CornerLines(corners, targets, clear, self._find_cover(clear, attacker, defender))

    def _find_cover(self, clear: tuple[int, ...], attacker: Figure, defender: Figure) -> tuple[bool | None, ...]:
        """Return for each corner with sight whether a small defender has cover from it, or None for the others."""
        ignored = self._own_obstacles(attacker, defender)
        sight, cover_sight = self._sights(ignored)
        corners = self._corners(ignored, attacker.cells, for_cover=True)
        targets = self._corners(ignored, defender.cells, for_cover=True)
        screen = self._screen(attacker, defender)
        full = (1 << len(targets)) - 1
        covered: list[bool | None] = []
        for corner, seen in zip(corners, clear, strict=True):
            if not seen:
                covered.append(None)
                continue
            free = seen if cover_sight is sight else cover_sight.clear_targets(corner, targets)
            if self._walls_along_are_free:
                free = self._clear_along(cover_sight, corner, targets, free)
            covered.append(free != full or any(sight.meets(corner, target, screen) for target in targets))
        return tuple(covered)

    def _clear_along(self, sight: CornerSight, corner: Corner, targets: tuple[Corner, ...], free: int) -> int:
        """Return the lines without cover. A line along a wall is free unless barriers lie across it."""
        for place, target in enumerate(targets):
            if self._runs_along(corner, target):
                is_cut = sight.barriers.cut_along(corner.point, target.point)
                free = free & ~(1 << place) if is_cut else free | 1 << place
        return free

    def _runs_along(self, origin: Corner, target: Corner) -> bool:
        return (origin.x == target.x) != (origin.y == target.y)

    def _clear(
        self, sight: CornerSight, ends: tuple[tuple[Cell, ...], tuple[Cell, ...]], *corners: tuple[Corner, ...]
    ) -> tuple[int, ...]:
        """Return the clear lines between two figures' corners. The reverse lines are the same bits, transposed."""
        if sight is not self._usual[0]:
            return sight.clear_between(*corners)
        turned = self._clear_by_ends.get(ends[::-1])
        if turned is not None:
            if not any(turned):
                return (0,) * len(corners[0])
            return tuple(sum((row >> i & 1) << j for j, row in enumerate(turned)) for i in range(len(corners[0])))
        found = sight.clear_between(*corners)
        if len(self._clear_by_ends) < _KEPT_PAIRS:
            self._clear_by_ends[ends] = found
        return found

    def stops(self, attacker: Figure, defender: Figure, look: CornerLines) -> _Stops:
        """Return the blockers of each line, in the line's order: a row for each corner, an entry for each target.

        The reverse line has the same blockers in the other order, so each pair is traced once.
        """
        ends = tuple(corner.point for corner in look.corners), tuple(target.point for target in look.targets)
        turned = self._stops_by_ends.pop(ends[::-1], None)
        if turned is not None:
            return tuple(tuple(row[i][::-1] for row in turned) for i in range(len(ends[0])))
        sight, _ = self._sights(self._own_obstacles(attacker, defender))
        found = tuple(tuple(tuple(sight.blockers(origin, t)) for t in look.targets) for origin in look.corners)
        if len(self._stops_by_ends) < _KEPT_PAIRS:
            self._stops_by_ends[ends] = found
        return found

    def cover_blocker(self, attacker: Figure, defender: Figure, start: Point, end: Point) -> Blocker | None:
        """Return what gives cover on the line between two corners: a barrier, else the first cell; else None."""
        ignored = self._own_obstacles(attacker, defender)
        sight, cover_sight = self._sights(ignored)
        origin = next(c for c in self._corners(ignored, attacker.cells, for_cover=True) if c.point == start)
        target = next(c for c in self._corners(ignored, defender.cells, for_cover=True) if c.point == end)
        barrier = next(cover_sight.blockers(origin, target), None)
        if self._walls_along_are_free and self._runs_along(origin, target):
            barrier = barrier if cover_sight.barriers.cut_along(start, end) else None
        screen = self._screen(attacker, defender)
        if barrier is not None or not sight.meets(origin, target, screen):
            return barrier
        dx, dy = target.x - origin.x, target.y - origin.y
        steps = (step._replace(x=step.x + origin.x, y=step.y + origin.y) for step in walk_line(dx, dy))
        return self._cover.name(screen, steps, LIE[direction(dx, dy)])

    def _screen(self, attacker: Figure, defender: Figure) -> CoverScreen:
        spared: list[Cell] = []
        if self.options["cover_attacker_in_difficult"] == "no":
            spared += attacker.cells
        if self.options["cover_defender_in_difficult"] == "no":
            spared += defender.cells
        own = () if self._own_cells_cover else (attacker.id,)
        return self._cover.between((*own, defender.id), spared)

    def _corners(
        self, ignored: frozenset[Edge], cells: tuple[Cell, ...], *, for_cover: bool = False
    ) -> tuple[Corner, ...]:
        """Return the corners of a figure, ready for the lines of sight or for those of cover."""
        sight = self._sights(ignored)[for_cover]
        found = self._corners_by_cells.get((sight, cells))
        if found is None:
            found = sight.corners(cells)
            if self.options["large_los_cells"] == "outer_corners":
                columns, rows = {corner.x for corner in found}, {corner.y for corner in found}
                ends = {(x, y) for x in (min(columns), max(columns)) for y in (min(rows), max(rows))}
                found = tuple(corner for corner in found if corner.point in ends)
            if len(self._corners_by_cells) >= _KEPT_FIGURES:
                self._corners_by_cells.clear()
            self._corners_by_cells[sight, cells] = found
        return found

    def _own_obstacles(self, *figures: Figure) -> frozenset[Edge]:
        """Return the red lines that do not count because one of the figures stands on them.

        These are the sides of blocking cells under a figure, and obstacle lines between two cells under it.
        """
        if self._is_literal:
            return _NOTHING
        blocking = self.board.blocking
        for figure in figures:
            if len(figure.cells) > 1 or figure.cells[0] in blocking:
                return self._red_lines_under(figures)
        return _NOTHING

    def _red_lines_under(self, figures: tuple[Figure, ...]) -> frozenset[Edge]:
        found: set[Edge] = set()
        for figure in figures:
            for cell in figure.cells:
                if cell in self.board.blocking:
                    found.update(sides(cell))
            if figure.is_large:
                under = set(figure.cells)
                found.update(e for cell in figure.cells for e in sides(cell) if under.issuperset(e.cells))
        return frozenset(edge for edge in found if self._is_red(edge))

    def _is_red(self, edge: Edge) -> bool:
        printed = self.board.edges.get(edge)
        return printed == "obstacle" or (printed is None and not self.board.blocking.isdisjoint(edge.cells))

    def _sights(self, ignored: frozenset[Edge]) -> tuple[CornerSight, CornerSight]:
        """Return the lines of sight and the lines of cover: one object if both follow the same rules."""
        if not ignored:
            return self._usual
        found = self._sights_by_ignored.get(ignored)
        if found is None:
            found = self._sights_by_ignored[ignored] = self._make_sights(ignored)
        return found

    @cached_property
    def _usual(self) -> tuple[CornerSight, CornerSight]:
        return self._make_sights(_NOTHING)

    def _make_sights(self, ignored: frozenset[Edge]) -> tuple[CornerSight, CornerSight]:
        options = self.options
        rules = TouchRules(
            mid_line=cast(Touch, options["los_corner_touch"]),
            pinch_open=options["los_pinch"] == "open",
            shared_corner=options["los_shared_corner"] == "same_sector",
        )
        cover_rules = replace(rules, shared_corner=True)
        if options["cover_touch"] == "gives_cover":
            cover_rules = replace(cover_rules, mid_line="strict")
        barriers = Barriers.of(self.grid, _SIGHT_KINDS, ignore=ignored)
        solid = self._solid(ignored) if rules.mid_line == "always_clear" else ()
        sight = CornerSight(barriers, rules, solid)
        if options["cover_doors"] == "yes" and cover_rules == rules:
            return sight, sight
        if options["cover_doors"] == "no":
            barriers = Barriers.of(self.grid, _SIGHT_KINDS - {"door"}, ignore=ignored)
        return sight, CornerSight(barriers, cover_rules, solid)

    def _solid(self, ignored: frozenset[Edge]) -> ByLie:
        """Return the interior of every non-floor cell. If corners never stop a line, only these interiors do."""
        stood_on = {c for c in self.board.blocking if all(e in ignored for e in sides(c) if self._is_red(e))}
        floor = self.board.cells - self.board.blocking | (stood_on if ignored else frozenset())
        whole = (1 << self.frame.stride * self.frame.rows) - 1
        return collect_inner(whole & ~self.frame.bits(floor), self.frame)

    def _ranges(self) -> Ranges:
        metric = self.options["range_metric"]
        if metric == "chebyshev":
            return Ranges(None, ())
        kinds = _PARTING if metric == "adjacency" else _SIGHT_KINDS
        return Ranges(self.steps(kinds), self.board.figure_at)

    def are_adjacent(self, a: tuple[Cell, ...], b: tuple[Cell, ...]) -> bool:
        if chebyshev(a, b) != 1:
            return False
        steps = self._adjacency
        return bool(steps.neighbours(self.frame.bits_of_few(a)) & self.frame.bits_of_few(b))

    @cached_property
    def _adjacency(self) -> StepGraph:
        return self.steps(_PARTING)

    def steps(self, kinds: frozenset[str]) -> StepGraph:
        """Return the steps between cells that cross no barrier of these kinds."""
        barriers = Barriers.of(self.grid, kinds)
        diagonal = cast(Diagonal, self.options["diagonal_at_vertex"])
        return StepGraph.over(barriers, self.grid.inside, diagonal)
