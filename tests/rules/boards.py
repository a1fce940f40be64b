"""Boards for the tests of the rules: built by hand, or drawn at random."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from assistant.table.board import Board, Door, Figure
from assistant.table.doubt import Doubt, DoubtfulBoard, Variant
from assistant.table.lattice import Edge, list_inner_edges, sides

FLOOR = frozenset((x, y) for x in range(-4, 10) for y in range(-4, 10))
"""Wide enough round the worked examples that its rim is in nobody's way."""


def figure(name, cells, side="demons"):
    """Return a figure on one cell or on several."""
    cells = [cells] if isinstance(cells[0], int) else cells
    return Figure(name, name.rstrip("0123456789-"), side, tuple(sorted(cells)))


def board(a=(0, 0), d=(3, 0), *, others=(), cells=FLOOR, walls=(), obstacles=(), impassable=(), doors=(), **terrain):
    """Return a board with attacker ``a`` (a marine) and defender ``d`` (a demon); ``others`` are more demons."""
    edges = {}
    for kind, ends in (("wall", walls), ("obstacle", obstacles), ("impassable", impassable)):
        edges |= {Edge.between(*pair): kind for pair in ends}
    figures = [figure("a", a, "marines")] + ([figure("d", d)] if d else [])
    figures += [figure(f"o{i}", place) for i, place in enumerate(others, 1)]
    return Board(
        cells=frozenset(cells),
        edges=edges,
        doors=tuple(Door(f"d{i}", (Edge.between(*pair),)) for i, pair in enumerate(doors, 1)),
        figures=tuple(figures),
        **{name: frozenset(places) for name, places in terrain.items()},
    )


def solid_sides(*cells):
    """Return the four sides of each cell, to be drawn as obstacle lines."""
    return sorted({tuple(edge) for cell in cells for edge in sides(cell)})


def random_board(rng: Random, size: int = 6) -> Board:
    """Return a small, crowded board with every kind of terrain, doors and figures of up to six cells."""
    width, height = rng.randint(1, size), rng.randint(2, size)
    floor = [(x, y) for x in range(width) for y in range(height)]
    cells = set(floor) - set(rng.sample(floor, rng.randint(0, len(floor) // 3)))
    cells = cells or set(floor)
    inner = sorted({edge for cell in cells for edge in sides(cell)})
    rng.shuffle(inner)
    printed = inner[: rng.randint(0, len(inner) // 3)]
    edges = {edge: rng.choice(("wall", "obstacle", "impassable")) for edge in printed}
    doors = [edge for edge in inner[len(printed) :][: rng.randint(0, 3)]]
    figures = _random_figures(rng, cells)
    some = sorted(cells)
    return Board(
        cells=frozenset(cells),
        edges=edges,
        doors=tuple(Door(f"d{i}", (edge,), open=rng.random() < 0.3) for i, edge in enumerate(doors)),
        figures=tuple(figures),
        difficult=frozenset(rng.sample(some, rng.randint(0, len(some) // 4))),
        blocking=frozenset(rng.sample(some, rng.randint(0, len(some) // 5))),
    )


def _random_figures(rng: Random, cells: set) -> list[Figure]:
    free = set(cells)
    figures: list[Figure] = []
    for index in range(rng.randint(2, 6)):
        if not free:
            break
        x, y = rng.choice(sorted(free))
        wide, high = rng.choice([(1, 1)] * 6 + [(1, 2), (2, 1), (2, 2), (3, 2)])
        base = [(x + i, y + j) for i in range(wide) for j in range(high)]
        if free.issuperset(base):
            side = ("marines", "demons")[index % 2] if index < 2 else rng.choice(("marines", "demons"))
            figures.append(Figure(f"f{index}", "k", side, tuple(base)))
            free -= set(base)
    return figures or [Figure("f0", "k", "marines", (min(cells),))]


boards = st.builds(random_board, st.randoms(use_true_random=False))
"""Boards like those of ``random_board``, drawn by Hypothesis."""


def with_figures(base: Board, figures) -> Board:
    """Return the same board with other figures."""
    return Board(base.cells, base.edges, base.doors, tuple(figures), base.difficult, base.blocking, base.cell_mm)


def moved_by(base: Board, place) -> Board:
    """Return the board with every cell and point mapped to another lattice point.

    ``place`` must be a turn, a mirror image or a shift; a cell goes where its corners go.
    """

    def cell(c):
        (x0, y0), (x1, y1) = place(c), place((c[0] + 1, c[1] + 1))
        return (min(x0, x1), min(y0, y1))

    def edge(e):
        return Edge.between(place(e.start), place(e.end))

    return Board(
        cells=frozenset(map(cell, base.cells)),
        edges={edge(e): kind for e, kind in base.edges.items()},
        doors=tuple(Door(door.id, tuple(map(edge, door.edges)), door.open) for door in base.doors),
        figures=tuple(Figure(f.id, f.kind, f.side, tuple(sorted(map(cell, f.cells)))) for f in base.figures),
        difficult=frozenset(map(cell, base.difficult)),
        blocking=frozenset(map(cell, base.blocking)),
    )


def random_doubts(rng: Random, base: Board, count: int = 5) -> tuple[Doubt, ...]:
    """Return doubts about places of figures, about their and the doors' existence, and about additions."""
    doubts: list[Doubt] = []
    for figure in rng.sample(base.figures, min(len(base.figures), rng.randint(0, 3))):
        others = [_elsewhere(rng, figure, base) for _ in range(rng.randint(1, 2))]
        doubts.append(doubted(rng, (figure.id,), ((figure,), ()), *((one, ()) for one in others)))
    for door in rng.sample(base.doors, min(len(base.doors), rng.randint(0, 2))):
        doubts.append(doubted(rng, (door.id,), ((), (door,)), ((), ())))
    for index in range(rng.randint(0, 3)):
        doubts.append(doubted(rng, (), ((), ()), something_new(rng, base, index)))
    rng.shuffle(doubts)
    return tuple(doubts[:count])


def doubted(rng: Random, about, *ways) -> Doubt:
    """Return a doubt whose ways, each of figures and doors, have random chances."""
    weights = [rng.choice((0.05, 0.3, 1.0)) for _ in ways]
    return Doubt(about, tuple(Variant(w / sum(weights), *way) for w, way in zip(weights, ways, strict=True)))


def _elsewhere(rng: Random, figure: Figure, base: Board) -> tuple[Figure, ...]:
    if rng.random() < 0.2:
        return ()
    dx, dy = rng.choice(((0, 0), (1, 0), (-1, 0), (0, 1), (2, 1), (3, 0)))
    side = rng.choice((figure.side, "marines", "demons"))
    return (Figure(figure.id, figure.kind, side, tuple((x + dx, y + dy) for x, y in figure.cells)),)


def something_new(rng: Random, base: Board, index: int = 0):
    """Return a new figure or door as the two tuples of a variant; it may not fit there."""
    cell = rng.choice(sorted(base.cells))
    if rng.random() < 0.5:
        return (Figure(f"new{index}", "k", rng.choice(("marines", "demons")), (cell,)),), ()
    edge = rng.choice(sides(cell))
    return (), (Door(f"new{index}", (edge,), open=rng.random() < 0.2),)


doubtful_boards = st.builds(
    lambda base, rng: DoubtfulBoard(base, random_doubts(rng, base)), boards, st.randoms(use_true_random=False)
)
"""Boards with up to five doubts, some of whose combinations contradict themselves."""


_CROWD = (("imp", "demons"), ("hell", "demons"), ("caco", "demons"), *((name, "marines") for name in ("a", "b", "c")))


def doubtful_crowd(*, figures: int, doubts: int, seed: int = 1, width: int = 16, height: int = 12) -> DoubtfulBoard:
    """Return rooms with a crowd and a bad photo's number of doubts: about places, doors, and things beside."""
    rng = Random(seed)
    cells = frozenset((x, y) for x in range(width) for y in range(height) if not (x < 4 and y < 3))
    inner = list_inner_edges(cells)
    edges = {}
    for edge in inner:
        (x, y), _ = edge
        across, along = (y, x) if edge.is_horizontal else (x, y)
        if across % 6 == 0 and along % 6 not in (2, 3):
            edges[edge] = "wall"
        elif rng.random() < 0.03:
            edges[edge] = rng.choice(("obstacle", "impassable"))
    free, bodies = set(cells), []
    while len(bodies) < figures:
        (x, y), (wide, high) = rng.choice(sorted(free)), rng.choice([(1, 1)] * 8 + [(2, 2), (2, 1)])
        base = [(x + i, y + j) for i in range(wide) for j in range(high)]
        if free.issuperset(base):
            kind, side = _CROWD[len(bodies) % len(_CROWD)]
            bodies.append(Figure(f"{kind}~{len(bodies)}", kind, side, tuple(base)))
            free -= {*base}
    at = {cell: body.id for body in bodies for cell in body.cells}
    passages = [e for e in inner if e not in edges and at.get(e.cells[0], 1) != at.get(e.cells[1], 2)]
    rng.shuffle(passages)
    doors = tuple(Door(f"door-{n}", (passages.pop(),)) for n in range(6))
    found = [_doubt_of(rng, body, cells) for body in bodies]
    found += [Doubt((door.id,), (Variant(0.9, (), (door,)), Variant(0.1))) for door in doors[:3]]
    while len(found) < doubts:
        found.append(_maybe(rng, len(found), passages, sorted(free)))
    return DoubtfulBoard(Board(cells, edges, doors, tuple(bodies)), tuple(found[:doubts]))


def _doubt_of(rng: Random, body: Figure, cells: frozenset) -> Doubt:
    """Return a doubt about a figure: as seen, of other kinds, one cell aside, or absent."""
    others = {}
    for number in range(1, rng.randint(2, 5)):
        kind, side = rng.choice([other for other in _CROWD if other[0] != body.kind])
        dx, dy = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        moved = tuple((x + dx, y + dy) for x, y in body.cells)
        if rng.random() < 0.6 or not cells.issuperset(moved):
            others[body.cells, kind] = Figure(f"{body.id}?{number}", kind, side, body.cells)
        else:
            others[moved, body.kind] = replace(body, cells=moved)
    sure = rng.choice((0.5, 0.7, 0.9, 0.97, 0.99))
    weights = [rng.choice((0.05, 0.3, 1.0)) for _ in others] + [0.3]
    rest = [(1 - sure) * weight / sum(weights) for weight in weights]
    variants = [Variant(chance, (other,)) for chance, other in zip(rest, others.values(), strict=False)]
    return Doubt((body.id,), (Variant(sure, (body,)), *variants, Variant(rest[-1])))


def _maybe(rng: Random, number: int, passages: list, free: list) -> Doubt:
    """Return a door or a figure that rather is not there."""
    if rng.random() < 0.5:
        chance, door = rng.choice((0.003, 0.01, 0.05, 0.2, 0.4)), Door(f"door?{number}", (passages.pop(),))
        return Doubt((), (Variant(1 - chance), Variant(chance, (), (door,))))
    (x, y), chance = rng.choice(free), rng.choice((0.01, 0.05, 0.2, 0.45))
    places = [((x, y),), ((x, y), (x + 1, y))] if (x + 1, y) in free else [((x, y),)]
    kinds = rng.sample(_CROWD, rng.randint(1, 2))
    ways = [(kind, side, place) for kind, side in kinds for place in places]
    figures = [Figure(f"figure?{number}-{i}", *way) for i, way in enumerate(ways)]
    return Doubt((), (Variant(1 - chance), *(Variant(chance / len(figures), (figure,)) for figure in figures)))
