"""Tiles of a photo with many separate tiles: cells and print of each, and the things that are no tile."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import cv2
import numpy as np
from jaxtyping import Float, Int

from assistant.table.lattice import Cell, Edge, connected_groups, neighbors
from calibration.arrays import BgrImage, Numbers
from calibration.color import GAMMA
from vision.photo.paper_light import PaperLight
from vision.photo.rectify import PlaneFrame, rectify
from vision.teaching.box_light import PictureLight, lights_of_pictures
from vision.teaching.box_outlines import LooseThing, find_loose_things
from vision.teaching.box_plane import SIDE_WEIGHT, SQUARE, LaidThing, PlaneSeen, PrintedLines, see_plane
from vision.teaching.difficult_ground import EdgeSight
from vision.teaching.edge_network import KINDS
from vision.teaching.printed_names import PrintedText, read_texts
from vision.teaching.sighting import (
    CELL_MM,
    LEAST_ODDS,
    MIN_CELLS,
    EdgeLook,
    EdgeScene,
    SearchArea,
    bounds,
    squared_picture,
)
from vision.teaching.things import PX_PER_MM
from vision.teaching.tile_reading import MARGIN_CELLS, SIDE_PX, TileReading, move_edge, read_sighting
from vision.tiles.lattice_fit import Lattice

OtherKind = Literal["door", "token", "card", "unclear"]

_REACH_CELLS = 1.2
"""Reach of a tile beyond its thing's outline."""

_ON_TILE, _OFF_TILE = 2.5, 5.5
"""Log odds for a cell fully covered by the outline, and against a free one. By their print, cells of striped cloths
have up to 4.8, and those of a tile outside its outline 6.5 to 15."""

_ROUND = 0.9
"""Area of a round thing relative to its smallest enclosing circle. A square has 0.64."""

_CLINGING = 0.05
"""Share of a rectangle that may cling to its sides. A cross has a tenth or more beyond."""

_NO_CELLS = 0.5
"""Sum of both sides' distances from whole cells, from which a rectangle is a card. A deck's is 2.5 by 3.5."""

_STRIP_PX, _DARK_FROM, _FLOOR = 100, 6.0, (12, 20)
"""Pixels of a cell in the picture of an outline's walls, the level that counts as no light, and the range of the floor
behind a wall in pixels from the outline: 3 to 5 mm on a cell of an inch."""

_WALL_ODDS = (0.666, -2.123, -3.546, -3.154)
"""Weights of the log odds of a wall on an outline: of the network's log odds, of the log darkness relative to the floor
in the first millimetre within it and in the half millimetre after that, and a constant. A wall is half on the tile, 1.3
to 2.4 mm wide there. A shadow falls beside it. Fitted on 1034 edges of six rendered photos of two boxes (a mat and a
cloth). Fitted on one of them alone, it reads 33 of 690 edges of the mat wrong and 10 of 344 of the cloth, the network
alone 54 and 21."""

_PARTS = 3
"""Number of searches in the part of an outline that its tile leaves uncovered."""

_SETTLINGS = 4
"""Number of rounds that fit the plane to the prints, and read the prints on the plane."""

_OUTER = 6.0
"""Weight of the place of an edge on the outline, where a shadow looks like a printed line."""

_INSIDE = 0.7
"""Least share of a cell that a tile's outline covers."""

_WHOLE_CELLS = (0.9, 0.03, 2.5)
"""Least squareness and largest misfit of an outline of surely whole cells, and the least mean log odds of a tile's
cells there. A dark print without lines has 3.4."""

_SAME_PHASE, _SAME_DEG = 0.2, 5.0
"""Largest difference of two equal lattices, in cells and degrees, in one photo or in two."""

_CELL_TIMES, _JUDGED = (1.0, 0.5, 2.0), 6
"""Candidate cell sizes for the prints, relative to the outlines' size, and the number of judging things."""


@dataclass(frozen=True, eq=False)
class FoundTile:
    """A rectified and read tile of the photo.

    Args:
        reading: its print.
        center_mm: the middle of its cells on the plane.
        turn_deg: the turn of its picture there, clockwise.
        corners_px: the corners of its bounding box in the photo, clockwise from its picture's top left one.
        cells_px: the corners of each cell in the photo.
        is_cut: whether it extends beyond the photo's rim.
        cell_mm: the size of a cell there.
        odds: the log odds of membership of examined cells, also beside it.
        beside: the evidence on edges of cells beside it.
        light: the light in its picture, or None if unknown.
        texts: the candidates for its printed name.
    """

    reading: TileReading
    center_mm: tuple[float, float]
    turn_deg: float
    corners_px: Float[Numbers, "4 2"]
    cells_px: tuple[Float[Numbers, "4 2"], ...]
    is_cut: bool = False
    cell_mm: float = CELL_MM
    odds: Mapping[Cell, float] = field(default_factory=dict)
    beside: Mapping[Edge, EdgeSight] = field(default_factory=dict)
    light: PictureLight | None = None
    texts: tuple[PrintedText, ...] = ()

    def places_mm(self) -> Float[Numbers, "n 2"]:
        """The middles of its cells on the plane, in the order of the cells."""
        _, _, columns, rows = bounds(self.reading.cells)
        return self._on_plane(np.array(sorted(self.reading.cells)) + 0.5 - (columns / 2, rows / 2))

    def lattice_from_plane(self, places_mm: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return places of the plane in cells of its reading."""
        _, _, columns, rows = bounds(self.reading.cells)
        off = (places_mm - np.array(self.center_mm)) @ self._axes()
        counted: Numbers = off / self.cell_mm + (columns / 2, rows / 2)
        return counted

    def with_cells(self, cells: frozenset[Cell]) -> FoundTile | None:
        """Return the same with other cells of its reading, or None if too little of them is visible."""
        reading = self.reading.with_cells(cells, self.odds, self.beside)
        if reading is None:
            return None
        left, top, columns, rows = bounds(cells)
        _, _, wide, high = bounds(self.reading.cells)
        x, y = self._on_plane(np.array([[left + columns / 2 - wide / 2, top + rows / 2 - high / 2]]))[0].tolist()
        frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        to_photo = cv2.getPerspectiveTransform(frame, self.corners_px.astype(np.float32))
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)

        def in_photo(points: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
            seen: Numbers = cv2.perspectiveTransform(points[None], to_photo)[0]
            return seen

        corners = in_photo(square * (columns, rows) + (left, top))
        parts = tuple(in_photo(square + cell) for cell in sorted(cells))
        light = self.light and self.light.moved((left, top))
        as_asked = replace(self, reading=reading, center_mm=(x, y), corners_px=corners, cells_px=parts, light=light)
        return replace(as_asked, odds={}, beside={})

    def _axes(self) -> Float[Numbers, "2 2"]:
        turn = math.radians(self.turn_deg)
        return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])

    def _on_plane(self, off_cells: Float[Numbers, "n 2"]) -> Float[Numbers, "n 2"]:
        """Return places by their offset from its middle, in cells along its picture."""
        places: Numbers = off_cells * self.cell_mm @ self._axes().T + np.array(self.center_mm)
        return places

    @property
    def doubt(self) -> float:
        """The chance of any error in its reading, 0 to 1."""
        sure = [*self.reading.edge_confidence.values(), *self.reading.cell_confidence.values()]
        return 1.0 - min(sure, default=0.0)


@dataclass(frozen=True, eq=False)
class FoundThing:
    """Something that is no tile: its probable kind, its picture, and its extent in millimetres."""

    kind: OtherKind
    image: BgrImage
    size_mm: tuple[float, float]
    center_mm: tuple[float, float]
    corners_px: Float[Numbers, "4 2"]


@dataclass(frozen=True, eq=False)
class BoxPhoto:
    """The contents of one photo of a box: its tiles, and the other things beside them, from top to bottom.

    Args:
        rim_mm: the corners of the photo on the plane.
    """

    tiles: tuple[FoundTile, ...]
    others: tuple[FoundThing, ...]
    rim_mm: Float[Numbers, "n 2"] = field(default_factory=lambda: np.zeros((0, 2)))


def read_box_photo(
    photo: BgrImage, cell_mm: float = CELL_MM, progress: Callable[[int, int], None] = lambda done, of: None
) -> BoxPhoto:
    """Find and read every tile on the table.

    Args:
        photo: slightly separated tiles from above, by any camera.
        cell_mm: the size of a cell, the reference of all other sizes.
        progress: called with the number of things read and of all. An exception in it ends the reading.
    """
    things = find_loose_things(photo)
    plane = see_plane(things, (photo.shape[1], photo.shape[0]), cell_mm)
    if plane is None:
        return BoxPhoto((), ())
    plane = _of_likely_cell(photo, plane, things)
    tiles: list[_Followed] = []
    others: list[tuple[LooseThing, OtherKind]] = []
    done, waiting = 0, [(thing, _PARTS) for thing in things]
    while waiting:
        progress(done, done + len(waiting) + len(tiles))
        thing, parts = waiting.pop(0)
        done += 1
        if _lies_on(thing, tiles):
            continue
        found = _find_tile(photo, plane, plane.lay(thing))
        if isinstance(found, _Followed):
            tiles.append(found)
            others = [one for one in others if not _lies_on(one[0], [found])]
            # Touching things have one outline. Search the part that the tile leaves uncovered.
            waiting += [(part, parts - 1) for part in _rest(thing, found)] if parts else []
        elif parts == _PARTS or found != "unclear":
            others.append((thing, found))
    if tiles:
        plane, tiles = _settle_together(photo, plane, tiles)
        tiles = _apart(photo, plane, tiles)
    read: list[FoundTile] = []
    for tile in tiles:
        progress(done, done + len(tiles) - len(read))
        read.append(_read_tile(photo, tile))
        done += 1
    progress(done, done)
    places = [(tile.reading, tile.corners_px) for tile in read]
    lights = lights_of_pictures(photo, [thing.outline_px for thing in things], places)
    read = [
        replace(tile, light=light, texts=read_texts(photo, tile.corners_px, tile.reading.cells))
        for tile, light in zip(read, lights, strict=True)
    ]
    flat = (_thing(photo, plane, plane.lay(thing), kind) for thing, kind in others)
    right, bottom = photo.shape[1] - 1, photo.shape[0] - 1
    rim = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], dtype=np.float64)
    return BoxPhoto(tuple(sorted(read, key=_by_row)), tuple(flat), plane.view.table_from_image(rim))


def _of_likely_cell(photo: BgrImage, plane: PlaneSeen, things: Sequence[LooseThing]) -> PlaneSeen:
    """Return the plane with the cell size at which the largest things look most like tiles.

    Outlines leave it ambiguous if all sides are an even number of cells long, or if there are few things.
    """
    whole = [thing for thing in things if not thing.is_cut][:_JUDGED]
    return max((plane.with_cell(times) for times in _CELL_TIMES), key=lambda one: _worth(photo, one, whole))


def _worth(photo: BgrImage, plane: PlaneSeen, things: Sequence[LooseThing]) -> float:
    """Return the things' total likeness to tile cells: the sum of mean log odds times area in the photo."""
    worth = 0.0
    for thing in things:
        laid = plane.lay(thing)
        if laid.squareness < SQUARE or _other_kind(laid) is not None:
            continue
        look = _scene(photo, plane, laid).look_quickly(laid.lattice)
        covered = _coverage(laid, look)
        inside = [odds for cell, odds in look.cell_odds.items() if covered.get(cell, 0.0) > _INSIDE]
        if len(inside) >= MIN_CELLS:
            worth += float(np.mean(inside)) * cv2.contourArea(thing.outline_px.astype(np.float32))
    return worth


def _scene(photo: BgrImage, plane: PlaneSeen, thing: LaidThing) -> EdgeScene:
    return EdgeScene(photo, plane.view, _area_of(thing), PaperLight(np.ones(3), np.zeros(3), 0), 0.0)


def _lies_on(thing: LooseThing, tiles: Sequence[_Followed]) -> bool:
    """Return whether a thing is a part of one of some tiles."""
    moments = cv2.moments(thing.outline_px.astype(np.float32))
    area = max(moments["m00"], 1e-9)
    middle = (moments["m10"] / area, moments["m01"] / area)
    cells = (cell.astype(np.float32) for tile in tiles for cell in tile.cells_px)
    return any(cv2.pointPolygonTest(cell, middle, False) >= 0 for cell in cells)


def _rest(thing: LooseThing, tile: _Followed) -> list[LooseThing]:
    """Return the parts of a thing's outline that a tile does not cover, from two cells in size."""
    low = thing.outline_px.min(axis=0) - 4
    size = np.ceil(thing.outline_px.max(axis=0) - low + 4).astype(int)
    mask = np.zeros((size[1], size[0]), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(thing.outline_px - low).astype(np.int32)], 1)
    cell_px = 0.0
    for outline in tile.cells_px:
        cv2.fillPoly(mask, [np.round(outline - low).astype(np.int32)], 0)
        cell_px = max(cell_px, float(np.linalg.norm(outline[1] - outline[0])))
    side = max(3, round(0.3 * cell_px)) | 1
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [contour for contour in contours if cv2.contourArea(contour) > 1.5 * cell_px**2]
    return [LooseThing(contour.reshape(-1, 2) + low, thing.is_cut) for contour in large]


def _by_row(tile: FoundTile) -> tuple[int, float]:
    x, y = tile.corners_px.mean(axis=0).tolist()
    return 0, y * 4 + x


class _Followed(NamedTuple):
    """A tile with its outline and the log odds of the cells round it."""

    thing: LaidThing
    scene: EdgeScene
    look: EdgeLook
    odds: dict[Cell, float]
    cells: frozenset[Cell]

    @property
    def cells_px(self) -> list[Float[Numbers, "4 2"]]:
        """The corners of each cell in the photo, in the order of the cells."""
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        lattice, view = self.look.lattice, self.scene.view
        return [view.image_from_table(lattice.table_from_lattice(square + cell)) for cell in sorted(self.cells)]

    def goes_on(self, thing: LaidThing) -> bool:
        """Return whether the tile is much more than a thing. A token-sized thing may be a printed mark of the tile."""
        covered = _coverage(thing, self.look)
        return sum(covered.get(cell, 0.0) < 1 - _INSIDE for cell in self.cells) > MIN_CELLS

    def lines(self) -> PrintedLines:
        """Return the visible lines of its lattice."""
        own = [i for i, edge in enumerate(self.look.edges) if any(cell in self.cells for cell in edge.cells)]
        edges = [self.look.edges[i] for i in own]
        axes = np.array([int(edge.is_horizontal) for edge in edges])
        off = self.look.beliefs.offset_mm[own] / self.look.lattice.cell_mm
        middles = np.mean(edges, axis=1) + off[:, None] * np.eye(2)[axes]
        pixels = self.scene.view.image_from_table(self.look.lattice.table_from_lattice(middles))
        is_inner = np.array([all(cell in self.cells for cell in edge.cells) for edge in edges])
        lines = np.array([edge[0][axis] for edge, axis in zip(edges, axes.tolist(), strict=True)])
        return PrintedLines(self.look.lattice, pixels, axes, lines, np.where(is_inner, SIDE_WEIGHT, _OUTER))


def _find_tile(photo: BgrImage, plane: PlaneSeen, thing: LaidThing) -> _Followed | OtherKind:
    """Return the tile of which a thing is the whole or a part, else the thing's kind."""
    kind = _other_kind(thing)
    seen = None if kind == "card" else _follow(photo, plane, thing)
    if seen is None or (kind is not None and not seen.goes_on(thing)):
        return kind or "unclear"
    return seen


def _follow(photo: BgrImage, plane: PlaneSeen, thing: LaidThing) -> _Followed | None:
    """Return the tile under an outline, extended while more of it is visible, or None without one.

    Only a part of a tile in the table's colours stands out.
    """
    best: _Followed | None = None
    reach = thing
    while True:
        scene = _scene(photo, plane, reach)
        look = _settle(scene, reach)
        seen = None if look is None else _seen_on(scene, look, thing)
        if seen is None or (best is not None and len(seen.cells) <= len(best.cells)):
            return best
        best = seen
        covered = _coverage(reach, seen.look)
        if all(covered.get(cell, 0.0) >= _INSIDE for cell in seen.cells):
            return best
        reach = _grown(thing, plane, best)


def _seen_on(scene: EdgeScene, look: EdgeLook, thing: LaidThing) -> _Followed | None:
    """Return the tile of a look, by its print and its outline, or None if it looks like none."""
    covered = _coverage(thing, look)
    odds = {cell: value + _by_outline(covered.get(cell, 0.0)) for cell, value in look.cell_odds.items()}
    groups = connected_groups(cell for cell, value in odds.items() if value > 0)
    cells = frozenset(max(groups, key=lambda part: sum(odds[cell] for cell in part), default=frozenset()))
    is_of_cells = thing.squareness > _WHOLE_CELLS[0] and thing.misfit < _WHOLE_CELLS[1]
    least = _WHOLE_CELLS[2] if is_of_cells else LEAST_ODDS
    if len(cells) < MIN_CELLS or np.mean([look.cell_odds[cell] for cell in cells]) < least:
        return None
    return _Followed(thing, scene, look, odds, cells)


def _by_outline(covered: float) -> float:
    """Return the log odds of a cell by the share that the outline covers."""
    return (2 * covered - 1) * (_ON_TILE if covered > 0.5 else _OFF_TILE)


def _grown(thing: LaidThing, plane: PlaneSeen, tile: _Followed) -> LaidThing:
    """Return a thing with a tile's cells in its outline, on the lattice of its print."""
    parts = tile.cells_px
    places = np.concatenate([thing.thing.outline_px, *parts])
    low = places.min(axis=0) - 4
    size = np.ceil(places.max(axis=0) - low + 4).astype(int)
    mask = np.zeros((size[1], size[0]), dtype=np.uint8)
    for outline in (thing.thing.outline_px, *parts):
        cv2.fillPoly(mask, [np.round(outline - low).astype(np.int32)], 1)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline_px = max(contours, key=cv2.contourArea).reshape(-1, 2) + low
    return _laid_on(replace(thing, thing=LooseThing(outline_px, thing.thing.is_cut)), plane, tile.look.lattice)


def _laid_on(thing: LaidThing, plane: PlaneSeen, lattice: Lattice) -> LaidThing:
    return replace(thing, outline_mm=plane.view.table_from_image(thing.thing.outline_px), lattice=lattice)


def _settle_together(
    photo: BgrImage, plane: PlaneSeen, tiles: Sequence[_Followed]
) -> tuple[PlaneSeen, list[_Followed]]:
    """Return the plane by all prints, and the tiles as read on it."""
    for left in reversed(range(_SETTLINGS)):
        plane, lattices = plane.settled([tile.lines() for tile in tiles])
        again = []
        for tile, lattice in zip(tiles, lattices, strict=True):
            thing = _laid_on(tile.thing, plane, lattice)
            scene = _scene(photo, plane, _grown(thing, plane, tile))
            look = scene.look_closer(replace(tile.look, lattice=lattice), quickly=left > 0)
            again.append(_seen_on(scene, look, thing) or _Followed(thing, scene, look, look.cell_odds, tile.cells))
        tiles = again
    return plane, list(tiles)


def _apart(photo: BgrImage, plane: PlaneSeen, tiles: Sequence[_Followed]) -> list[_Followed]:
    """Return the tiles without overlap: join parts of one, and give a contested place to the surer one."""
    apart: list[_Followed] = []
    for tile in sorted(tiles, key=lambda tile: float(np.mean([tile.look.cell_odds[cell] for cell in tile.cells]))):
        whole, goes = tile, []
        for other in [one for one in apart if _touch(one, tile)]:
            both = _joined(photo, plane, other, whole)
            if both is not None:
                apart.remove(other)
                whole = both
        for other in apart[:]:
            odds = _contested(whole, other)
            if odds is not None and odds[0] >= odds[1]:
                apart.remove(other)
                goes.append((other, whole))
            elif odds is not None:
                goes.append((whole, other))
        if all(one is not whole for one, _ in goes):
            apart.append(whole)
        for one, stays in goes:
            apart += _beside(photo, plane, one, stays, apart)
    return apart


def _touch(first: _Followed, second: _Followed) -> bool:
    """Return whether a cell of the second lies on one of the first, or beside one on the same lattice."""
    near = _on_lattice_of(first, second)
    at = {(int(c), int(r)) for c, r in np.floor(near).tolist()}
    return bool(at & first.cells) or (
        _is_one_lattice(first, second) and any(beside in first.cells for cell in at for beside in neighbors(cell))
    )


def _on_lattice_of(first: _Followed, second: _Followed) -> Float[Numbers, "n 2"]:
    """Return the middles of the second one's cells, in their order, on the lattice of the first."""
    middles = np.array(sorted(second.cells)) + 0.5
    return first.look.lattice.lattice_from_table(second.look.lattice.table_from_lattice(middles))


def _is_one_lattice(first: _Followed, second: _Followed) -> bool:
    turn_deg = first.look.lattice.angle_deg - second.look.lattice.angle_deg
    return is_one_lattice(_on_lattice_of(first, second), turn_deg)


def is_one_lattice(middles: Float[Numbers, "n 2"], turn_deg: float) -> bool:
    """Return whether cells with these middles on a lattice, turned from it by that angle, are its own."""
    places = middles - 0.5
    is_straight = abs((turn_deg + 45) % 90 - 45) < _SAME_DEG
    return is_straight and bool((np.abs(places - np.round(places)).mean(axis=0) < _SAME_PHASE).all())


def _joined(photo: BgrImage, plane: PlaneSeen, first: _Followed, second: _Followed) -> _Followed | None:
    """Return the tile of which both are parts, or None if their lattices differ or the joint evidence is weaker."""
    if not _is_one_lattice(first, second):
        return None
    thing = _grown(_grown(first.thing, plane, second), plane, first)
    scene = _scene(photo, plane, thing)
    look = _settle(scene, thing)
    seen = None if look is None else _seen_on(scene, look, thing)
    return seen if seen is not None and len(seen.cells) >= max(len(first.cells), len(second.cells)) else None


def _contested(first: _Followed, second: _Followed) -> tuple[float, float] | None:
    """Return the mean log odds of both prints where they overlap, or None without overlap."""
    odds = []
    for one, other in ((first, second), (second, first)):
        on = _cells_on(one, other)
        odds.append(float(np.mean([one.look.cell_odds[cell] for cell in on])) if on else -math.inf)
    return None if max(odds) == -math.inf else (odds[0], odds[1])


def _cells_on(tile: _Followed, other: _Followed) -> set[Cell]:
    """Return the cells of a tile with their middles on another one."""
    at = np.floor(_on_lattice_of(other, tile)).astype(int).tolist()
    return {cell for cell, (c, r) in zip(sorted(tile.cells), at, strict=True) if (c, r) in other.cells}


def _beside(
    photo: BgrImage, plane: PlaneSeen, tile: _Followed, stays: _Followed, apart: Sequence[_Followed]
) -> list[_Followed]:
    """Return the remaining tiles of one whose places others have taken."""
    left = []
    for part in _rest(tile.thing.thing, stays):
        found = _find_tile(photo, plane, plane.lay(part))
        if not isinstance(found, _Followed):
            continue
        free = found.cells.difference(*(_cells_on(found, one) for one in apart))
        cells = max(connected_groups(free), key=len, default=frozenset())
        if len(cells) >= MIN_CELLS and np.mean([found.look.cell_odds[cell] for cell in cells]) >= LEAST_ODDS:
            odds = found.odds | dict.fromkeys(found.cells - cells, -_OFF_TILE)
            left.append(found._replace(cells=cells, odds=odds))
    return left


def _read_tile(photo: BgrImage, tile: _Followed) -> FoundTile:
    scene, look, cells = tile.scene, tile.look, tile.cells
    sighting = scene.sighting(look, cells, tile.odds)
    sighting = replace(sighting, edges=_with_outline_walls(photo, tile, sighting.edges))
    reading = read_sighting(sighting, squared_picture(photo, sighting, SIDE_PX, MARGIN_CELLS))
    left, top, columns, rows = bounds(cells)
    corners = np.array([[left, top], [left + columns, top], [left + columns, top + rows], [left, top + rows]], float)
    on_table = look.lattice.table_from_lattice(corners)
    x, y = on_table.mean(axis=0).tolist()
    pixels = scene.view.image_from_table(on_table)
    return FoundTile(
        reading,
        (x, y),
        look.lattice.angle_deg,
        pixels,
        tuple(tile.cells_px),
        tile.thing.thing.is_cut,
        look.lattice.cell_mm,
        {(c - left, r - top): value for (c, r), value in tile.odds.items()},
        {move_edge(edge, -left, -top): sight for edge, sight in sighting.around.items()},
    )


def _with_outline_walls(photo: BgrImage, tile: _Followed, edges: Mapping[Edge, EdgeSight]) -> dict[Edge, EdgeSight]:
    """Return the evidence on all edges, with a close look at the rim on the tile's outline."""
    left, top, columns, rows = bounds(tile.cells)
    lattice = tile.look.lattice
    x, y = lattice.table_from_lattice(np.array([[left, top]], dtype=np.float64))[0].tolist()
    size_wh = (columns * _STRIP_PX, rows * _STRIP_PX)
    frame = PlaneFrame((x, y), lattice.angle_deg, _STRIP_PX / lattice.cell_mm, size_wh)
    linear = rectify(photo, tile.scene.view, frame, 0.0).image.astype(np.float32) ** GAMMA
    light = linear.mean(axis=2) ** (1 / GAMMA)
    seen = {}
    for edge, sight in edges.items():
        inside = [cell for cell in edge.cells if cell in tile.cells]
        if len(inside) != 1:
            seen[edge] = sight
            continue
        column, row = (inside[0][0] - left) * _STRIP_PX, (inside[0][1] - top) * _STRIP_PX
        cell = light[row : row + _STRIP_PX, column : column + _STRIP_PX]
        strip = cell if edge.is_horizontal else cell.T
        strip = strip if inside[0] == edge.cells[1] else strip[::-1]
        seen[edge] = _with_wall(sight, strip)
    return seen


def _with_wall(sight: EdgeSight, strip: Float[Numbers, "deep along"]) -> EdgeSight:
    """Return the evidence on an edge of the outline, by the cell behind it from the edge inwards."""
    steps = strip[:, 10:-10].reshape(_STRIP_PX // 2, 2, -1).mean(axis=1)
    floor = float(np.median(steps[_FLOOR[0] // 2 : _FLOOR[1] // 2], axis=1).mean()) + _DARK_FROM
    bright = np.percentile(steps[:3], 75, axis=1) + _DARK_FROM
    is_wall = np.array([kind == "wall" for kind in KINDS])
    rest = sight.kinds - np.logaddexp.reduce(sight.kinds[~is_wall])
    by_network = float(sight.kinds[is_wall][0] - np.logaddexp.reduce(sight.kinds[~is_wall]))
    dark, deep = math.log((bright[:2].mean()) / floor), math.log(bright[2] / floor)
    odds = float(np.dot(_WALL_ODDS, (by_network, dark, deep, 1.0)))
    kinds = np.where(is_wall, -np.logaddexp(0, -odds), rest - np.logaddexp(0, odds))
    return replace(sight, kinds=kinds)


def _settle(scene: EdgeScene, thing: LaidThing) -> EdgeLook | None:
    """Return the best look on the lattice of the thing's outline, corrected by the print's edges."""
    if thing.squareness < SQUARE:
        return None
    look = scene.settle(thing.lattice, quickly=True)
    return look if any(value > 0 for value in look.cell_odds.values()) else None


def _area_of(thing: LaidThing) -> SearchArea:
    """Return the thing's outline and some cells round it."""
    cell = thing.lattice.cell_mm
    reach = _REACH_CELLS * cell
    low, high = thing.outline_mm.min(axis=0) - 2 * reach, thing.outline_mm.max(axis=0) + 2 * reach
    size = tuple(math.ceil(side * PX_PER_MM) for side in high - low)
    frame = PlaneFrame((float(low[0]), float(low[1])), 0.0, PX_PER_MM, (size[0], size[1]))
    beyond = np.ones(frame.size_wh[::-1], dtype=np.uint8)
    cv2.fillPoly(beyond, [np.round(frame.frame_from_table(thing.outline_mm)).astype(np.int32)], 0)
    return SearchArea(frame, cv2.distanceTransform(beyond, cv2.DIST_L2, 3) <= reach * PX_PER_MM)


def _coverage(thing: LaidThing, look: EdgeLook) -> dict[Cell, float]:
    """Return the share of each cell that the thing's outline covers."""
    step = 12
    points = look.lattice.lattice_from_table(thing.outline_mm) * step
    low = np.floor(points.min(axis=0) / step).astype(int)
    high = np.ceil(points.max(axis=0) / step).astype(int)
    mask = np.zeros(((high[1] - low[1]) * step, (high[0] - low[0]) * step), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(points - low * step - 0.5).astype(np.int32)], 255)
    shares = cv2.resize(mask, (int(high[0] - low[0]), int(high[1] - low[1])), interpolation=cv2.INTER_AREA) / 255
    return {
        (int(low[0]) + column, int(low[1]) + row): float(shares[row, column])
        for row in range(shares.shape[0])
        for column in range(shares.shape[1])
    }


def _rectangle(thing: LaidThing) -> tuple[Float[Numbers, "4 2"], tuple[float, float], float]:
    """Return a thing's rectangle: its corners, its longer and shorter side, and the filled share.

    It ends where half of the thing's width ends, so that clinging checks of a cloth are no part of it. The filled share
    loses everything beyond it.
    """
    turns_deg = (thing.lattice.angle_deg, float(cv2.minAreaRect(thing.outline_mm.astype(np.float32))[2]))
    return max((_rectangle_at(thing.outline_mm, turn) for turn in turns_deg), key=lambda one: one[2])


def _rectangle_at(
    outline: Float[Numbers, "n 2"], turn_deg: float
) -> tuple[Float[Numbers, "4 2"], tuple[float, float], float]:
    turn = math.radians(turn_deg)
    axes = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    places = outline @ axes
    low = places.min(axis=0)
    width, height = (np.ceil((places.max(axis=0) - low) * PX_PER_MM).astype(int) + 1).tolist()
    mask = np.zeros((height, width), dtype=np.uint8)
    cv2.fillPoly(mask, [np.round((places - low) * PX_PER_MM).astype(np.int32)], 1)
    left, right = _wide_part(mask.sum(axis=0))
    top, bottom = _wide_part(mask[:, left:right].sum(axis=1))
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) / PX_PER_MM + low
    sides = ((right - left) / PX_PER_MM, (bottom - top) / PX_PER_MM)
    within = mask[top:bottom, left:right]
    beyond = float(mask.sum() - within.sum()) / within.size
    return corners @ axes.T, (max(sides), min(sides)), float(within.mean()) - max(beyond - _CLINGING, 0.0)


def _wide_part(lengths: Int[Numbers, " n"]) -> tuple[int, int]:
    """Return where a thing is at least half its usual width: the first index and the one after the last."""
    wide = np.flatnonzero(lengths >= np.percentile(lengths[lengths > 0], 60) / 2)
    return int(wide[0]), int(wide[-1]) + 1


def _other_kind(thing: LaidThing) -> OtherKind | None:
    """Return a thing's kind by its outline if that is no tile's, or None for a possible tile."""
    outline = thing.outline_mm.astype(np.float32)
    _, radius = cv2.minEnclosingCircle(outline)
    cell = thing.lattice.cell_mm
    area = float(cv2.contourArea(outline))
    if area > _ROUND * math.pi * radius * radius * 0.93 and radius < 1.2 * cell:
        return "token"
    _, (longer, shorter), filled = _rectangle(thing)
    if filled > 0.85 and longer < 1.75 * cell and shorter < 1.35 * cell:
        # As wide as an edge: its height is no whole number of cells.
        return "door" if shorter > 0.8 * cell else "token"
    if filled > 0.9 and _off_whole(longer / cell) + _off_whole(shorter / cell) > _NO_CELLS:
        return "card"
    return None


def _off_whole(count: float) -> float:
    return abs(count - round(count))


def _thing(photo: BgrImage, plane: PlaneSeen, thing: LaidThing, kind: OtherKind) -> FoundThing:
    corners, (longer, shorter), _ = _rectangle(thing)
    # Upright: its longer side runs down the picture.
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, 1, axis=0)
    pixels = plane.view.image_from_table(corners)
    scale = SIDE_PX / thing.lattice.cell_mm
    width, height = max(8, round(shorter * scale)), max(8, round(longer * scale))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(pixels.astype(np.float32), target)
    image = np.asarray(cv2.warpPerspective(photo, matrix, (width, height)), dtype=np.uint8)
    x, y = corners.mean(axis=0).tolist()
    return FoundThing(kind, image, (shorter, longer), (x, y), pixels)
