"""Reads Foundry VTT scenes (JSON export) as boards: walls, doors and tokens of one level, and the losses.

``move`` and ``sight`` of a wall say what it blocks. ``door`` and ``ds`` mark doors. Our own scenes hold the rest in
``flags.sightline``. Supports scenes of versions up to 14 with square grids. Pixels include the padding around the
scene.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

from assistant.documents.exchange import (
    Brought,
    GridLines,
    check_map_size,
    checked_points,
    doors_on,
    floor_within,
    left_out,
)
from assistant.documents.foundry_scene import (
    FoundryScene,
    OwnFigure,
    SceneGrid,
    SceneLevel,
    SceneToken,
    SceneWall,
    level_of,
    scene_from_json,
)
from assistant.errors import BadValue, InputError
from assistant.table.board import Board, EdgeKind, Figure
from assistant.table.lattice import Cell, Edge, Point
from assistant.translations.messages import Said, counted, said

EXACT = 0.01
"""Tolerance in cells for tokens beside whole cells."""
LIMITED = frozenset({10, 30, 40})
"""Values of a sense that block it partly: limited, proximity, distance."""
SECRET, LOCKED = 2, 2
USUAL_PADDING = 0.25
"""Foundry's default padding, for scenes of early versions that name none."""
LONGEST = 100
"""Characters kept of a token's name, which with a number still fits our documents."""


def board_from_foundry(data: bytes, cell_mm: float, document: str, level: str = "") -> Brought:
    """Read the board of a scene, and report the losses.

    Args:
        data: the file.
        cell_mm: the size of a cell, for scenes of other programs.
        document: the file's name.
        level: the name or id of a level; empty for the one that the scene opens on, or else the first.

    Raises:
        DocumentError: it is not such a scene, or does not fit a table.
        BoardError: its parts contradict each other.
    """
    scene, taken, left = level_of(scene_from_json(data, document), level, document)
    px = scene.grid.size if isinstance(scene.grid, SceneGrid) else scene.grid
    if not (math.isfinite(px) and px >= 1):
        raise BadValue(said("the grid of the scene has no size"), document=document, field="grid.size")
    size = check_map_size(scene.width / px, scene.height / px, px, document)
    own = scene.flags.sightline
    origin = own.origin if own else (0, 0)
    frame = _Frame(px, _padding(scene, px, document), origin)
    lines = _read_walls(scene.walls, frame, document)
    doors = lines.doors
    barriers = {edge for edges, _ in doors.values() for edge in edges}
    walls = {edge for edge, kind in lines.edges.items() if kind != "obstacle"}
    cells = frozenset(own.cells) if own else floor_within(origin, size, barriers | walls)
    edges = lines.between(cells)
    edges |= {Edge.between(a, b): kind for a, b, kind in (own.edges if own else ()) if _is_edge(a, b)}
    found_doors, lost_doors = doors_on(doors, cells)
    figures, lost_tokens = _figures(scene.tokens, frame, cells, document)
    try:
        board = Board(
            cells=cells,
            edges=edges,
            doors=found_doors,
            figures=figures,
            difficult=frozenset(own.difficult if own else ()),
            blocking=frozenset(own.blocking if own else ()),
            cell_mm=own.cell_mm if own else cell_mm,
        )
    except InputError as problem:
        raise problem.in_document(document) from None
    simpler = (*_simpler(scene.walls), *lost_tokens)
    return Brought(board, (*lines.lost, *left, *simpler, *_not_taken(scene, taken, lost_doors)), lines.lines_to_check)


class _Frame(Struct, frozen=True):
    """Converts a scene's pixels to lattice coordinates."""

    px: float
    padding: tuple[float, float]
    origin: Cell

    def cells(self, x: float, y: float) -> tuple[float, float]:
        return ((x - self.padding[0]) / self.px + self.origin[0], (y - self.padding[1]) / self.px + self.origin[1])


def _padding(scene: FoundryScene, px: float, document: str) -> tuple[float, float]:
    """Return the padding around the scene in pixels, rounded up to whole cells as in Foundry.

    A scene that names none has the default padding, unless all its walls lie within its size.
    """
    padding = scene.padding
    if padding is None:
        fits = all(max(wall.c[::2]) <= scene.width and max(wall.c[1::2]) <= scene.height for wall in scene.walls)
        padding = 0.0 if fits else USUAL_PADDING
    if not (math.isfinite(padding) and 0 <= padding <= 1):
        raise BadValue(said("the padding of a scene must be from 0 to 1"), document=document, field="padding")
    return (math.ceil(scene.width * padding / px) * px, math.ceil(scene.height * padding / px) * px)


def _read_walls(walls: Iterable[SceneWall], frame: _Frame, document: str) -> GridLines:
    lines = GridLines(document)
    for number, wall in enumerate(walls, 1):
        checked_points(wall.c, document, f"walls[{number - 1}].c")
        a, b = frame.cells(*wall.c[:2]), frame.cells(*wall.c[2:])
        own = wall.flags.sightline
        kind = _kind(wall)
        if wall.door:
            name = own.door if own and own.door else f"door-{number}"
            lines.add_door(a, b, name, is_open=wall.ds == 1)
        elif kind is not None and not (own and own.rim):
            lines.add(a, b, kind)
    lines.settle()
    return lines


def _kind(wall: SceneWall) -> EdgeKind | None:
    """Return a wall's kind, or None if it blocks neither movement nor sight."""
    if wall.move and wall.sight:
        return "wall"
    if wall.sight:
        return "obstacle"
    return "impassable" if wall.move else None


def _figures(
    tokens: Iterable[SceneToken], frame: _Frame, floor: AbstractSet[Cell], document: str
) -> tuple[tuple[Figure, ...], tuple[Said, ...]]:
    """Return the figures on the floor, and the losses among tokens."""
    counts: Counter[str] = Counter()
    found: dict[str, Figure] = {}
    taken: set[Cell] = set()
    for number, token in enumerate(tokens, 1):
        checked_points((token.x, token.y, token.width, token.height), document, f"tokens[{number - 1}]")
        place = (*frame.cells(token.x, token.y), token.width, token.height)
        left, top = (round(part) for part in place[:2])
        wide, high = (min(max(1, round(part)), 20) for part in place[2:])
        cells = tuple(sorted((left + x, top + y) for x in range(wide) for y in range(high)))
        if not floor >= {*cells}:
            counts["beside"] += 1  # many wait beside the map for their turn
            continue
        if not taken.isdisjoint(cells):
            counts["under"] += 1
            continue
        taken.update(cells)
        counts["rounded"] += any(abs(at - on) > EXACT for at, on in zip(place, (left, top, wide, high), strict=True))
        name = token.name[:LONGEST] or "token"
        own = token.flags.sightline or OwnFigure(f"{name}-{number}", name, "?")
        counts["copied"] += own.id in found
        figure_id = own.id if own.id not in found else _free_name(own.kind, number, found)
        found[figure_id] = Figure(figure_id, own.kind, own.side, cells)
    return tuple(found.values()), tuple(_token_losses(counts))


def _free_name(kind: str, number: int, names: Container[str]) -> str:
    """Return an unused name, since copying a token in Foundry also copies our name in its flags."""
    return next(name for n in itertools.count(number) if (name := f"{kind[:LONGEST]}-{n}") not in names)


def _token_losses(counts: Mapping[str, int]) -> Iterable[Said]:
    if n := counts["rounded"]:
        yield counted("{n} token was moved to whole cells", "{n} tokens were moved to whole cells", n)
    if n := counts["beside"]:
        yield counted("{n} token beside the floor was left out", "{n} tokens beside the floor were left out", n)
    if n := counts["under"]:
        yield counted("{n} token on cells of another was left out", "{n} tokens on cells of others were left out", n)
    if n := counts["copied"]:
        yield counted(
            "{n} token with the name of another got a new one", "{n} tokens with names of others got new ones", n
        )


def _simpler(walls: Iterable[SceneWall]) -> Iterable[Said]:
    """Return the losses where a board has only a simpler equivalent."""
    walls = list(walls)
    if n := sum(wall.door == SECRET or (wall.door > 0 and wall.ds == LOCKED) for wall in walls):
        yield counted(
            "{n} secret or locked door becomes an ordinary one", "{n} secret or locked doors become ordinary ones", n
        )
    if n := sum(wall.dir != 0 for wall in walls):
        yield counted("{n} one-way wall becomes one for both sides", "{n} one-way walls become ones for both sides", n)
    if n := sum(not LIMITED.isdisjoint((wall.sight, wall.light, wall.sound)) for wall in walls):
        yield counted(
            "{n} wall stops only in part; that was left out", "{n} walls stop only in part; that was left out", n
        )
    if n := sum(not wall.door and _kind(wall) is None and bool(wall.light or wall.sound) for wall in walls):
        yield counted(
            "{n} wall that stops only light or sound was left out",
            "{n} walls that stop only light or sound were left out",
            n,
        )


def _not_taken(scene: FoundryScene, level: SceneLevel | None, lost_doors: int) -> Iterable[Said]:
    shown = (scene.background, *((level.background, level.foreground) if level else ()))
    is_picture = bool(scene.img) or any(one is not None and one.src for one in shown)
    yield from left_out(len(scene.lights), lost_doors, picture=is_picture)
    if n := len(scene.drawings):
        yield counted("{n} drawing was left out", "{n} drawings were left out", n)
    if n := sum(map(len, (scene.notes, scene.sounds, scene.tiles, scene.regions))):
        yield counted(
            "{n} note, sound, tile or region was left out", "{n} notes, sounds, tiles or regions were left out", n
        )


def _is_edge(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
