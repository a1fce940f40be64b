"""Draw a random game: its miniatures, its board of joined tiles, and the places of figures and doors."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float

from assistant.table.lattice import Cell, Edge, list_inner_edges
from assistant.table.observation import LatticePose
from assistant.table.roster import DoorSpec, Roster, RosterFigure
from assistant.table.tiles import TileSet
from calibration.arrays import Floats
from vision.simulation.arrays import Generator
from vision.simulation.figures import BUILDS, BodyLook
from vision.simulation.scene import PlacedDoor, PlacedFigure, PlacedTile, on_table
from vision.simulation.tile_shapes import border, strengthen

LARGE_MARGIN_MM = 3.4
MAX_OFFSET_MM = 2.5
DOOR_CLEARANCE_MM = 1.3
MIN_FREE_SHARE = 0.4
"""Least share of a tile's cells without a figure."""
MAX_BOARD_CELLS_ACROSS = 14
KIND_NAMES = (
    "warden", "lurker", "ghoul", "scout", "priest", "drone", "hound", "shaman", "raider", "golem",
    "wisp", "archer", "brood", "sentry", "ogre", "mauler", "hydra", "stalker", "squire", "engineer",
)  # fmt: skip


def random_roster(rng: Generator, least: int = 0) -> tuple[Roster, dict[str, BodyLook]]:
    """Draw five to nine kinds of one to five figures, each kind with its own ring (one kind may have none).

    Args:
        rng: random numbers.
        least: fewest figures, at most 20.
    """
    roster, looks = _random_roster(rng)
    while len(roster.figures) < least:
        roster, looks = _random_roster(rng)
    return roster, looks


def _random_roster(rng: Generator) -> tuple[Roster, dict[str, BodyLook]]:
    names = [str(name) for name in rng.choice(KIND_NAMES, int(rng.integers(5, 10)), replace=False)]
    rings: list[str | None] = list(ring_colors(rng, len(names)))
    if rng.random() < 0.35:
        rings[int(rng.integers(len(rings)))] = None
    figures: list[RosterFigure] = []
    looks: dict[str, BodyLook] = {}
    for index, (name, ring) in enumerate(zip(names, rings, strict=True)):
        is_large = index >= 3 and rng.random() < 0.4
        looks[name] = body_look(rng)
        figures += _figures_of_kind(rng, name, ring, "heroes" if index < 2 else "foes", is_large=is_large)
    return Roster(tuple(figures), DoorSpec(8, 1, 30.0, 2.0)), looks


def _figures_of_kind(rng: Generator, name: str, ring: str | None, side: str, *, is_large: bool) -> list[RosterFigure]:
    count = int(rng.integers(1, 3 if is_large else 6))
    if is_large:
        columns, rows = ((2, 1), (2, 2), (2, 2), (3, 2))[int(rng.integers(4))]
        size = (columns * 25.4 - LARGE_MARGIN_MM, rows * 25.4 - LARGE_MARGIN_MM)
        height = float(round(rng.uniform(26, 60)))
        return [
            RosterFigure(f"{name}-{n + 1}", name, side, (columns, rows), min(size), height, ring, "rectangle", size)
            for n in range(count)
        ]
    base = float(rng.choice([20.0, 21.0, 22.0, 22.0, 23.0, 24.0]))
    height = float(round(rng.uniform(18, 42)))
    return [RosterFigure(f"{name}-{n + 1}", name, side, (1, 1), base, height, ring) for n in range(count)]


def ring_colors(rng: Generator, count: int) -> list[str]:
    """Draw distinguishable colours: hues all round the circle, and perhaps white or grey."""
    start = rng.uniform(0, 1)
    colors = []
    for index in range(count):
        hue = (start + (index + rng.uniform(-0.2, 0.2)) / count) % 1
        colors.append(hex_from_hsv(hue, rng.uniform(0.65, 0.95), rng.uniform(0.55, 0.95)))
    if rng.random() < 0.4:
        colors[int(rng.integers(count))] = str(rng.choice(["#e8e8e4", "#f2ead0", "#8a8d90"]))
    return [str(color) for color in rng.permutation(colors)]


def hex_from_hsv(hue: float, saturation: float, value: float) -> str:
    """Return a colour as ``#rrggbb``, from shares of 1."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hsv_to_rgb(hue, saturation, value))


def body_look(rng: Generator) -> BodyLook:
    """Draw a build in its plastic. One kind in eight is painted."""
    build, plastic, seed = str(rng.choice(list(BUILDS))), _plastic(rng), int(rng.integers(2**31))
    paints = tuple(_plastic(rng) for _ in range(3)) if rng.random() < 0.125 else ()
    return BodyLook(build, plastic, seed, paints)


def _plastic(rng: Generator) -> tuple[float, float, float]:
    """Return unpainted plastic: grey, brown, bone or tinted."""
    base = np.array([[0.25, 0.25, 0.25], [0.05, 0.10, 0.18], [0.35, 0.45, 0.5], [0.06, 0.06, 0.22], [0.14, 0.10, 0.06],
                     [0.07, 0.14, 0.08], [0.05, 0.05, 0.05]])  # fmt: skip
    b, g, r = (base[int(rng.integers(len(base)))] * rng.uniform(0.7, 1.3) * rng.uniform(0.9, 1.1, 3)).tolist()
    return b, g, r


def join_tiles(rng: Generator, tile_set: TileSet, count: int) -> tuple[PlacedTile, ...]:
    """Join tiles of a set on one lattice, the first one without misfit. The board's first cell is (0, 0)."""
    order = [tile_set.sides[int(i)] for i in rng.permutation(len(tile_set.sides))]
    placed = [PlacedTile(order[0].id, int(rng.integers(4)), (0, 0))]
    cells = set(placed[0].lattice_cells(order[0].cells))
    for side in order[1:]:
        if len(placed) == count:
            break
        tile = _join(rng, side.id, side.cells, frozenset(cells))
        if tile is not None:
            placed.append(tile)
            cells |= tile.lattice_cells(side.cells)
    left, top = min(c for c, _ in cells), min(r for _, r in cells)
    return tuple(
        PlacedTile(t.id, t.quarter_turns, (t.shift[0] - left, t.shift[1] - top), t.misfit_mm, t.misfit_deg)
        for t in placed
    )


def _join(rng: Generator, side_id: str, own: frozenset[Cell], cells: frozenset[Cell]) -> PlacedTile | None:
    """Find a place for a tile beside the others, preferring a long common edge."""
    best: tuple[float, PlacedTile] | None = None
    outline = border(cells)
    for _ in range(40):
        turned = PlacedTile(side_id, int(rng.integers(4)), (0, 0))
        free = border(turned.lattice_cells(own))
        target, source = outline[int(rng.integers(len(outline)))], free[int(rng.integers(len(free)))]
        if target.is_horizontal != source.is_horizontal:
            continue
        shift = (target.start[0] - source.start[0], target.start[1] - source.start[1])
        misfit = rng.uniform(-1, 1, 3)
        tile = PlacedTile(
            side_id,
            turned.quarter_turns,
            shift,
            (float(misfit[0] * 0.28), float(misfit[1] * 0.28)),
            float(misfit[2] * 0.3),
        )
        taken = tile.lattice_cells(own)
        if taken & cells or _span(taken | cells) > MAX_BOARD_CELLS_ACROSS:
            continue
        score = len(set(border(taken)) & set(outline)) + rng.uniform(0, 2.5)
        if best is None or score > best[0]:
            best = (float(score), tile)
    return best[1] if best else None


def _span(cells: frozenset[Cell]) -> int:
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    return max(max(columns) - min(columns), max(rows) - min(rows)) + 1


def place_doors(
    rng: Generator, grid: LatticePose, cells: frozenset[Cell], printed: Mapping[Edge, str], count: int
) -> tuple[PlacedDoor, ...]:
    """Place doors on inner edges without a printed line."""
    free = [edge for edge in list_inner_edges(cells) if edge not in printed]
    return doors_on(rng, grid, [free[int(i)] for i in rng.permutation(len(free))[:count]])


def doors_on(rng: Generator, grid: LatticePose, chosen: Sequence[Edge]) -> tuple[PlacedDoor, ...]:
    """Return a door on each of the edges, up to 0.7 mm and 1.5 degrees off."""
    doors = []
    for index, edge in enumerate(chosen):
        ends = on_table(grid, np.array(edge, float))
        middle = ends.mean(0) + rng.uniform(-0.7, 0.7, 2)
        angle = np.arctan2(*(ends[1] - ends[0])[::-1]) + np.radians(rng.uniform(-1.5, 1.5))
        half = np.array([np.cos(angle), np.sin(angle)]) * grid.cell_mm / 2
        (x0, y0), (x1, y1) = (middle - half).tolist(), (middle + half).tolist()
        doors.append(PlacedDoor(f"d{index + 1}", edge, (x0, y0), (x1, y1)))
    return tuple(doors)


def place_figures(
    rng: Generator,
    grid: LatticePose,
    tiles: Sequence[frozenset[Cell]],
    figures: Sequence[RosterFigure],
    doors: Sequence[Edge],
    *,
    crowding: float = 0.0,
) -> tuple[PlacedFigure, ...]:
    """Place figures near the middles of free cells. None touches a door or another, or hides a whole tile.

    Args:
        rng: random numbers.
        grid: the lattice.
        tiles: the cells of each tile.
        figures: the figures to place. Those without room stay in the box.
        doors: the standing doors.
        crowding: share of figures placed beside others.
    """
    placed: list[PlacedFigure] = []
    free = set().union(*tiles)
    for figure in sorted(figures, key=lambda f: -f.size[0] * f.size[1]):
        for _ in range(30):
            is_beside = crowding > 0 and rng.random() < crowding
            cells = _beside(free, placed) if is_beside and placed else free
            trial = _place_at_random(rng, grid, figure, free, sorted(cells))
            if trial and _leaves_prints(trial, free, tiles) and has_room(trial, placed, grid, doors):
                placed.append(trial)
                free -= set(trial.cells)
                break
    return tuple(placed[int(i)] for i in rng.permutation(len(placed)))


def _leaves_prints(trial: PlacedFigure, free: set[Cell], tiles: Sequence[frozenset[Cell]]) -> bool:
    """Return whether enough of every tile's print stays free, since a wholly hidden one is unreadable."""
    left = free - set(trial.cells)
    return all(len(tile & left) >= MIN_FREE_SHARE * len(tile) for tile in tiles if not tile.isdisjoint(trial.cells))


def _beside(free: set[Cell], placed: Sequence[PlacedFigure]) -> set[Cell]:
    """Return the free cells next to a figure."""
    taken = [cell for figure in placed for cell in figure.cells]
    return {c for c in free if any(max(abs(c[0] - t[0]), abs(c[1] - t[1])) == 1 for t in taken)}


def _place_at_random(
    rng: Generator, grid: LatticePose, figure: RosterFigure, free: set[Cell], ordered: Sequence[Cell]
) -> PlacedFigure | None:
    """Put the figure's first cell on one of the given ones, if all its cells are free."""
    if not ordered:
        return None
    quarter = int(rng.integers(2))
    columns, rows = figure.size[:: -1 if quarter else 1]
    column, row = ordered[int(rng.integers(len(ordered)))]
    cells = tuple(sorted((column + x, row + y) for x in range(columns) for y in range(rows)))
    if not free.issuperset(cells):
        return None
    middle = on_table(grid, np.array([[column + columns / 2, row + rows / 2]]))[0]
    x, y = (middle + rng.uniform(-MAX_OFFSET_MM, MAX_OFFSET_MM, 2)).tolist()
    turn = grid.angle_deg + 90 * (quarter + 2 * int(rng.integers(2))) + float(rng.uniform(-2, 2))
    yaw = turn if figure.base_shape == "rectangle" else float(rng.uniform(0, 360))
    return PlacedFigure(figure, cells, (x, y), turn, yaw, int(rng.integers(2**31)))


def has_room(trial: PlacedFigure, others: Sequence[PlacedFigure], grid: LatticePose, doors: Sequence[Edge]) -> bool:
    """Return whether a figure touches neither another base nor a door."""
    for other in others:
        gap = np.abs(_along_lattice(grid, np.subtract(trial.center_mm, other.center_mm)))
        reach = (_half_extent(trial) + _half_extent(other)) + 0.4
        both_round = trial.figure.base_shape == other.figure.base_shape == "round"
        if float(np.hypot(*gap)) < reach.max() if both_round else (gap < reach).all():
            return False
    for edge in doors:
        middle = on_table(grid, np.array(edge, float)).mean(0)
        gap = np.abs(_along_lattice(grid, np.subtract(trial.center_mm, middle)))
        bar = np.array([12.7, DOOR_CLEARANCE_MM]) if edge.is_horizontal else np.array([DOOR_CLEARANCE_MM, 12.7])
        if (gap < _half_extent(trial) + bar).all():
            return False
    return True


def _along_lattice(grid: LatticePose, vector_mm: Float[Floats, " 2"]) -> Float[Floats, " 2"]:
    angle = np.radians(grid.angle_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    along: Floats = turn @ vector_mm
    return along


def _half_extent(placed: PlacedFigure) -> Float[Floats, " 2"]:
    """Return half the base's extent along the lattice, its small turn included."""
    columns = len({c for c, _ in placed.cells})
    width, depth = placed.figure.base_size_mm
    unturned = columns == placed.figure.size[0]
    return np.array([width, depth] if unturned else [depth, width]) / 2 + (0.8 if columns > 1 else 0.0)


def printed_edges(tile_set: TileSet, tiles: Sequence[PlacedTile]) -> dict[Edge, str]:
    """Return the kinds printed on a board's edges."""
    edges: dict[Edge, str] = {}
    for tile in tiles:
        for edge, kind in tile.lattice_edges(tile_set.side(tile.id).edges).items():
            strengthen(edges, edge, kind)  # type: ignore[arg-type]
    return edges
