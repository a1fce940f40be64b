"""An imaginary table: a hand that hides cells moves figures, and a camera reads it with mistakes."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.table.board import Board, Door, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, edge_between
from assistant.table.observation import CameraSighting, FrameObservation, LatticePose, Observation, SeenFigure, SeenTile
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.tracking.association import NOBODYS_TURN, ActiveFigure
from assistant.tracking.state import TrackedTable
from assistant.tracking.tracker import begin_tracking, update_tracking

SIDE = 9
FRAME_S = 0.1

GRASP_FRAMES = 3
"""A hand takes a third of a second to take hold of a figure, and to let go."""

CELLS = frozenset((c, r) for c in range(SIDE) for r in range(SIDE))
WALLS: dict[Edge, EdgeKind] = {edge_between((3, r), (4, r)): "wall" for r in range(SIDE) if r != 4}
"""Two rooms, one gap."""

KINDS = {"imp": ("demons", 6), "trooper": ("demons", 4), "marine": ("marines", 1), "crawler": ("demons", 2)}
LARGE = "crawler"

ROSTER = Roster(
    tuple(
        RosterFigure(f"{kind}-{n}" if count > 1 else "alpha", kind, side, (1, 2) if kind == LARGE else (1, 1), 22, 30)
        for kind, (side, count) in KINDS.items()
        for n in range(1, count + 1)
    ),
    DoorSpec(4, 1, 30, 2),
)
GRID = LatticePose((0.0, 0.0), 0.0, 25.4)
TILE = SeenTile("01A", (SIDE * 12.7, SIDE * 12.7), 0.0, 1.0)
DOORS = (Door("door-1", (edge_between((3, 4), (4, 4)),)),)

Places = dict[str, tuple[Cell, ...]]


Offsets = Mapping[tuple[Cell, ...], tuple[float, float]]


def observed(
    figures: Sequence[tuple[str, tuple[Cell, ...]]], doors: tuple[Door, ...] = (), offsets: Offsets | None = None
) -> Observation:
    """Return the observation of figures by kind (empty: not known) and cells, put down a little off the middle."""
    ordered = sorted(figures, key=lambda figure: figure[1])
    seen = tuple(
        SeenFigure(None, kind or None, None, _center_mm(cells, offsets or {}), cells, 0.97) for kind, cells in ordered
    )
    named = tuple(
        Figure(f"{kind or 'figure'}~{n}", kind or "figure", KINDS[kind][0] if kind else "unknown", cells)
        for n, (kind, cells) in enumerate(ordered)
    )
    board = Board(CELLS, WALLS, doors, named)
    return Observation(CameraSighting(0.3, (0, 1, 2, 3)), GRID, (TILE,), (), seen, board)


def _center_mm(cells: tuple[Cell, ...], offsets: Offsets) -> tuple[float, float]:
    x, y = (sum(cell[i] for cell in cells) / len(cells) + 0.5 for i in (0, 1))
    dx, dy = offsets.get(cells, (0.0, 0.0))
    return 25.4 * x + dx, 25.4 * y + dy


@dataclass
class Noise:
    """Rates of misread cells: nothing, another kind, no kind, a figure that does not exist."""

    miss: float = 0.0
    other_kind: float = 0.0
    no_kind: float = 0.0
    ghost: float = 0.0


@dataclass
class MindTable:
    """Figures, a hand and a camera; every frame goes to the follower."""

    rng: random.Random
    noise: Noise = field(default_factory=Noise)
    places: Places = field(default_factory=dict)
    offsets: dict[tuple[Cell, ...], tuple[float, float]] = field(default_factory=dict)
    shown_offsets: dict[tuple[Cell, ...], tuple[float, float]] = field(default_factory=dict)
    turn: ActiveFigure = NOBODYS_TURN
    shows_doors: bool = True
    time_s: float = 0.0
    reading: int = 0
    shown: list[tuple[str, tuple[Cell, ...]]] = field(default_factory=list)
    followed: TrackedTable | None = None
    names: dict[str, str] = field(default_factory=dict)
    covered: tuple[Cell, ...] = ()

    def kind(self, name: str) -> str:
        return next(figure.kind for figure in ROSTER.figures if figure.id == name)

    def begin(self) -> None:
        """Show the first frames; afterwards ``names`` holds the follower's names."""
        noise, self.noise = self.noise, Noise()
        self.rest(25)
        self.noise = noise
        assert self.followed is not None
        for name, cells in self.places.items():
            self.names[name] = next(t.id for t in self.followed.tracks.values() if t.cells == cells)

    def frame(
        self,
        hidden: frozenset[Cell] = frozenset(),
        lifted: frozenset[str] = frozenset(),
        likeness: Mapping[tuple[Cell, ...], float] | None = None,
    ) -> None:
        """Show one frame in which a hand hides cells and carries figures, and some looks have changed."""
        self.time_s += FRAME_S
        self.reading += 1
        stay = [each for each in self.shown if not hidden.isdisjoint(each[1])]
        taken = {cell for _, cells in stay for cell in cells}
        fresh = [each for each in self._read(lifted) if hidden.isdisjoint(each[1]) and taken.isdisjoint(each[1])]
        self.shown = stay + fresh
        for _, cells in fresh:
            x, y = self.offsets.get(cells, (0.0, 0.0))
            self.shown_offsets[cells] = (self.rng.gauss(x, 0.3), self.rng.gauss(y, 0.3))
        seen = observed(self.shown, DOORS if self.shows_doors else (), self.shown_offsets)
        seen = replace(seen, covered=self.covered)
        look = FrameObservation(seen, hidden, self.reading, self.time_s, likeness or {})
        if self.followed is None:
            self.followed = begin_tracking(look, ROSTER)
        else:
            self.followed = update_tracking(self.followed, look, self.turn)

    def _read(self, lifted: frozenset[str]) -> Iterator[tuple[str, tuple[Cell, ...]]]:
        taken = set()
        for name, cells in self.places.items():
            if name in lifted:
                continue
            taken |= set(cells)
            if self.rng.random() < self.noise.miss:
                continue
            kind = self.kind(name)
            if len(cells) == 1 and self.rng.random() < self.noise.other_kind:
                kind = self.rng.choice(["imp", "trooper", "marine"])
            yield ("" if self.rng.random() < self.noise.no_kind else kind), cells
        free = sorted(CELLS - taken)
        if self.rng.random() < self.noise.ghost:
            yield self.rng.choice(["imp", ""]), (self.rng.choice(free),)

    def rest(self, frames: int = 4) -> None:
        """Frames in which nobody reaches in."""
        for _ in range(frames):
            self.frame()

    def put_back(self, likeness: Mapping[tuple[Cell, ...], float], frames: int = 5) -> None:
        """Hide the cells for a while; then show the figures with that likeness, in two readings, each in its place."""
        hidden = frozenset(cell for cells in likeness for cell in cells)
        for _ in range(frames):
            self.frame(hidden)
        for _ in range(2):
            self.frame(likeness=likeness)
        self.rest()

    def reach(self, *moves: tuple[str, tuple[Cell, ...]]) -> None:
        """Show a hand that comes, moves these figures one after the other, and leaves."""
        at = (self.places[moves[0][0]][0][0], SIDE - 1)
        for name, goal in moves:
            for spot in _path(at, self.places[name][0]):
                self.frame(under_hand(spot))
            for _ in range(GRASP_FRAMES):
                self.frame(under_hand(self.places[name][0]))
            start = self.places.pop(name)
            for spot in _path(start[0], goal[0]):
                self.frame(under_hand(spot))
            self.places[name] = tuple(sorted(goal))
            self.offsets[self.places[name]] = (self.rng.uniform(-2.5, 2.5), self.rng.uniform(-2.5, 2.5))
            at = goal[0]
            for _ in range(GRASP_FRAMES):
                self.frame(under_hand(at))
        for row in range(at[1], SIDE + 1):
            self.frame(under_hand((at[0], row)))
        self.rest()

    def wrong(self) -> list[str]:
        """Return the figures that the board does not have in their places under their original names."""
        assert self.followed is not None
        board = self.followed.board()
        found = {figure.id: figure.cells for figure in board.figures}
        return [name for name, cells in self.places.items() if found.get(self.names[name]) != cells]

    def misplaced(self) -> list[tuple[str, tuple[Cell, ...]]]:
        """Kinds and cells that the board has and the table has not, or the other way round."""
        assert self.followed is not None
        shown = {(figure.kind, figure.cells) for figure in self.followed.board().figures}
        there = {(self.kind(name), cells) for name, cells in self.places.items()}
        return sorted(shown ^ there)


def under_hand(spot: Cell) -> frozenset[Cell]:
    """Return the cells under a hand at a cell, and under the arm that comes from the near side."""
    x, y = spot
    fist = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    arm = {(x + dx, row) for dx in (0, 1) for row in range(y, SIDE)}
    return frozenset(fist | arm) & CELLS


def _path(start: Cell, goal: Cell) -> list[Cell]:
    steps = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]), 1)
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    return [(start[0] + round(dx * i / steps), start[1] + round(dy * i / steps)) for i in range(steps + 1)]


def crowd(rng: random.Random, noise: Noise | None = None) -> MindTable:
    """Return a table with eight to eleven figures, most of which look alike."""
    table = MindTable(rng, noise or Noise())
    names = [figure.id for figure in ROSTER.figures if figure.kind != LARGE]
    chosen = sorted(rng.sample(names, rng.randint(8, 11)))
    for name, cell in zip(chosen, rng.sample(sorted(CELLS), len(chosen)), strict=True):
        table.places[name] = (cell,)
    table.begin()
    return table


def free_cells(table: MindTable) -> list[Cell]:
    """Return the free cells."""
    return sorted(CELLS - {cell for cells in table.places.values() for cell in cells})


def walk(table: MindTable, name: str, points: int = 4) -> Cell:
    """Return a free cell that a figure may reach, walls in its way."""
    now = table.places[name][0]
    free = set(free_cells(table))
    reached = {now}
    for _ in range(table.rng.randint(1, points)):
        reached |= {
            (x + dx, y + dy)
            for x, y in reached
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (x + dx, y + dy) in free and edge_between((x, y), (x + dx, y + dy)) not in WALLS
        }
    return table.rng.choice(sorted(reached - {now}) or sorted(free))


def any_reach(table: MindTable, swaps: float = 0.08) -> None:
    """Make a player's typical reach: mostly one figure walks; sometimes two, a swap, or one lifted and put back."""
    rng = table.rng
    name = rng.choice(sorted(table.places))
    alike = [n for n in table.places if table.kind(n) == table.kind(name) and n != name]
    chance = rng.random()
    if chance < 0.1:
        table.reach((name, table.places[name]))
    elif chance < 0.1 + swaps and alike:
        other = rng.choice(alike)
        here, there = table.places[name], table.places[other]
        aside = min(free_cells(table), key=lambda cell: math.dist(cell, here[0]))
        table.reach((name, (aside,)), (other, here), (name, there))
    elif chance > 0.88 and alike:
        other = rng.choice(alike)
        first = walk(table, name)
        start = table.places[name]
        table.places[name] = (first,)
        second = walk(table, other)
        table.places[name] = start
        table.reach((name, (first,)), (other, (second,)))
    else:
        table.reach((name, (walk(table, name),)))
