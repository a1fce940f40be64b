"""Teaches tiles, figures and doors from photos. Drafts stay in memory until a person confirms them."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.app.live.game_files import ReadableGame
from assistant.app.setup.progress import ProgressFile
from assistant.app.setup.table_step import lens_of, table_of
from assistant.app.side_process import Worker, WorkHere
from assistant.app.teaching.library import ImportWay, TaughtGames, TeachingTable, look_of, taught_roster
from assistant.app.teaching.line_ups import LineUps
from assistant.app.teaching.values import (
    ConfirmedFigure,
    ConfirmedTile,
    DoorDraft,
    FigureBase,
    FigureDraft,
    TaughtRoster,
    TaughtSet,
    TileDraft,
)
from assistant.app.turns import ReadingTurns
from assistant.documents.looks import MAX_VIEWS
from assistant.errors import BadValue, DraftGone, Unteachable
from assistant.table.board import EdgeKind
from assistant.table.lattice import Cell, Edge, sides
from assistant.table.roster import BaseShape, DoorSpec, Roster, RosterFigure
from assistant.table.tiles import TileSet, TileSide
from assistant.translations.messages import said
from calibration.arrays import BgrImage
from vision.photo.decoding import decode_photo
from vision.teaching.door_sighting import NewDoorSighting
from vision.teaching.figure_sighting import NewFigureSighting, from_sides
from vision.teaching.rim_color import known_ring
from vision.teaching.sighting import CELL_MM, bounds
from vision.teaching.tile_reading import MARGIN_CELLS, TileReading, cut_to, merge_readings, move_edge, picture_name
from vision.teaching.tile_sets import TaughtSide, png_of

KEPT_DRAFTS = 24
"""Number of kept drafts, about 300 kB each: more than an impatient finger makes in an evening."""


@dataclass(frozen=True, eq=False)
class _FigureReading:
    """A figure in some photos: its possible bases in each photo, and their combined reading."""

    photos: tuple[Sequence[NewFigureSighting], ...]
    seen: NewFigureSighting

    @property
    def look(self) -> BgrImage:
        return self.seen.look


_Draft = TileReading | _FigureReading | NewDoorSighting


class Teacher:
    """Reads photos of tiles, figures and doors, and saves confirmed ones in the data folder.

    Args:
        kept: the stored tile sets and rosters.
        table: returns the photographed table; called for every photo, since the set-up may change at any time.
        apart: runs the reading in the background.
    """

    def __init__(self, kept: TaughtGames, table: Callable[[], TeachingTable], apart: Worker | None = None) -> None:
        self._games = kept
        self._table = table
        self.apart: Worker = apart or WorkHere()
        self._drafts: OrderedDict[str, _Draft] = OrderedDict()
        self.turns = ReadingTurns()
        self.line_ups = LineUps(kept, table, self.apart)

    def sets(self) -> list[TaughtSet]:
        found = ((name, self._games.tile_set(name)) for name in self._games.profiles.names("tiles"))
        return [set_line(name, tile_set) for name, tile_set in found if tile_set is not None]

    def rosters(self) -> list[TaughtRoster]:
        found = ((name, self._games.roster(name)) for name in self._games.profiles.names("roster"))
        return [taught_roster(name, roster) for name, roster in found if roster is not None]

    def read_tile(self, photo: bytes, together_with: str | None) -> TileDraft:
        """Read the tile in a photo, together with the photos of an earlier draft.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            PhotoError: the table or a tile on it was not found.
            Unteachable: the earlier draft's tile has another shape.
        """
        before = None if together_with is None else self._tile(together_with)
        reading = self.apart(TeachingTable.tile, self._table(), decode_photo(photo))
        if before is not None:
            both = merge_readings(before, reading)
            if both is None:
                raise Unteachable("shape")
            reading = both
        return draft_of(self._put(reading), reading)

    def read_figure(self, photo: bytes, base_shape: BaseShape | None, together_with: str | None) -> FigureDraft:
        """Read the figure in a photo, together with the photos of an earlier draft.

        The base's shape is read from the photo unless a person chose one.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            CannotDo: the table or a figure on it was not found.
            DraftGone: the earlier draft is no longer kept.
            DocumentError: a roster of the data folder cannot be read.
        """
        before = () if together_with is None else self._figure(together_with).photos
        table = self._table()
        photos = (*before[1 - MAX_VIEWS :], self.apart(TeachingTable.bases, table, decode_photo(photo), base_shape))
        seen = from_sides(photos, needs_one_ring=True)
        known = {}
        for name in self._games.profiles.names("roster"):
            roster = self._games.roster(name)
            if seen.ring and roster:
                known[name] = _known_rings(seen.ring, roster)
        base = FigureBase(seen.base_shape, seen.base_size_mm, seen.size_cells(table.cell_mm))
        counts = (len(seen.sides), len(photos))
        return FigureDraft(self._put(_FigureReading(photos, seen)), base, seen.ring, known, *counts)

    def read_door(self, photo: bytes) -> DoorDraft:
        """Read the door in a photo.

        Raises:
            PhotoUnreadable: the bytes are not a picture, or exceed the limits.
            CannotDo: the table or a door on it was not found.
        """
        table = self._table()
        seen = self.apart(TeachingTable.door, table, decode_photo(photo))
        return DoorDraft(self._put(seen), seen.width_cells(table.cell_mm), seen.width_mm, seen.height_mm)

    def picture(self, draft_id: str) -> bytes:
        """Return the rectified picture of a draft, as PNG.

        Raises:
            DraftGone: the draft is no longer kept.
        """
        draft = self._draft(draft_id)
        if not isinstance(draft, TileReading):
            return png_of(draft.look)
        return png_of(draft.image if draft.around is None else draft.around.image)

    def keep_tile(self, draft_id: str, tile: ConfirmedTile, *, may_replace: bool) -> TaughtSet:
        """Save a confirmed tile side in its set.

        Raises:
            DraftGone: the draft is no longer kept.
            BadValue: a cell lies outside the draft's picture, or the names are not allowed.
            WouldReplace: the set already has a side of that name, and ``may_replace`` is off.
            StoreError: it cannot be written.
        """
        taught = confirmed_side(self._tile(draft_id), tile)
        kept = self._games.keep_sides(tile.set_name, [taught], self._table(), may_replace=may_replace)
        return set_line(tile.set_name, kept)

    def keep_figure(self, draft_id: str, figure: ConfirmedFigure) -> TaughtRoster:
        """Save a confirmed figure in its roster.

        Raises:
            DraftGone: the draft is no longer kept.
            DocumentError: a field breaks the format.
            StoreError: it cannot be written.
        """
        seen = self._figure(draft_id).seen
        with self._games.keeping:
            name = figure.figure_id or self._games.free_id(figure.roster, figure.kind)
            entry = replace(_entry(name, figure), look=look_of(seen))
            return taught_roster(figure.roster, self._games.keep_figure(figure.roster, entry))

    def keep_door(self, draft_id: str, roster: str, count: int, thickness_mm: float) -> TaughtRoster:
        """Save the doors in a roster.

        Raises:
            DraftGone: the draft is no longer kept.
            StoreError: it cannot be written.
        """
        seen = self._draft(draft_id)
        if not isinstance(seen, NewDoorSighting):
            raise _forgotten()
        doors = DoorSpec(count, seen.width_cells(self._table().cell_mm), seen.height_mm, thickness_mm)
        return taught_roster(roster, self._games.keep_doors(roster, doors, seen.look))

    def exported(self, set_name: str, made_by: str = "") -> bytes:
        """Export a tile set as a zip, with the roster of the same name if there is one.

        Raises:
            UnknownName: there is none of that name.
        """
        has_roster = set_name in self._games.profiles.names("roster")
        return self._games.exported(set_name, set_name if has_roster else None, made_by)

    def imported(self, data: bytes, way: ImportWay = "ask") -> TaughtSet:
        """Import the tile set in a zip.

        Raises:
            InputError: the zip or something in it is faulty; nothing is changed.
            StoreError: it cannot be written.
        """
        return set_line(*self._games.imported(None, data, way))

    def close(self) -> None:
        """Cancel the current reading, if any."""
        self.apart.close()

    def _put(self, draft: _Draft) -> str:
        draft_id = secrets.token_urlsafe(9)
        self._drafts[draft_id] = draft
        while len(self._drafts) > KEPT_DRAFTS:
            self._drafts.popitem(last=False)
        return draft_id

    def _draft(self, draft_id: str) -> _Draft:
        try:
            return self._drafts[draft_id]
        except KeyError:
            raise _forgotten() from None

    def _figure(self, draft_id: str) -> _FigureReading:
        draft = self._draft(draft_id)
        if not isinstance(draft, _FigureReading):
            raise _forgotten()
        return draft

    def _tile(self, draft_id: str) -> TileReading:
        draft = self._draft(draft_id)
        if not isinstance(draft, TileReading):
            raise _forgotten()
        return draft


def find_table_to_teach(folder: Path, game: ReadableGame) -> TeachingTable:
    """Return the table of the set-up in progress, else the game's table."""
    progress = ProgressFile(folder).read()
    markers = table_of(progress)
    if markers is None:
        return TeachingTable(game.markers, game.lens, game.markers.cell_mm or CELL_MM)
    return TeachingTable(markers, lens_of(progress), markers.cell_mm or CELL_MM)


def _known_rings(ring: str, roster: Roster) -> dict[str, str]:
    """Return the roster's ring of this colour for each kind. "" stands for a kind outside the roster."""
    kinds = {"", *(figure.kind for figure in roster.figures)}
    found = {kind: known_ring(ring, roster.figures, kind) for kind in kinds}
    return {kind: known for kind, known in found.items() if known is not None}


def _entry(name: str, figure: ConfirmedFigure) -> RosterFigure:
    base = figure.base
    return RosterFigure(
        name,
        figure.kind,
        figure.side,
        base.size_cells,
        min(base.size_mm),
        figure.height_mm,
        figure.ring,
        base.shape,
        base.size_mm,
    )


def _forgotten() -> DraftGone:
    return DraftGone()


def confirmed_side(reading: TileReading, tile: ConfirmedTile) -> TaughtSide:
    """Return the side that a person confirmed, cut out of the reading's picture.

    Raises:
        BadValue: a cell lies outside the picture.
    """
    columns, rows = _size_cells(reading)
    shown = frozenset((column, row) for column in range(columns) for row in range(rows))
    stray = tile.cells - shown or tile.difficult - tile.cells
    if stray:
        raise BadValue(said("{cell} is not one of the tile's cells", cell=str(list(min(stray)))), field="cells")
    edges = {edge: kind for edge, kind in tile.edges.items() if any(cell in tile.cells for cell in edge.cells)}
    side = _at_origin(TileSide(tile.side_id, picture_name(tile.side_id), tile.cells, edges, tile.difficult))
    return TaughtSide(side, cut_to(reading.image if reading.around is None else reading.around.image, tile.cells))


def draft_of(draft_id: str, reading: TileReading, confirmed: ConfirmedTile | None = None) -> TileDraft:
    """Return the page's draft, in cells from the corner of its picture. Confirmed parts have confidence 1."""
    draft = _tile_draft(draft_id, reading)
    if confirmed is None:
        return draft
    known: dict[Edge, tuple[EdgeKind | None, float]] = {**draft.around, **draft.edges}
    own = {edge for cell in confirmed.cells for edge in sides(cell)}
    edges = {edge: (confirmed.edges.get(edge), 1.0) for edge in sorted(own)}
    around = {edge: print_ for edge, print_ in known.items() if edge not in own}
    ground = {cell: (cell in confirmed.difficult, 1.0) for cell in sorted(confirmed.cells)}
    return replace(draft, cells=tuple(sorted(confirmed.cells)), edges=edges, difficult=ground, around=around)


def _tile_draft(draft_id: str, reading: TileReading) -> TileDraft:
    inset = _inset(reading)

    def on_page(cell: Cell) -> Cell:
        return cell[0] + inset, cell[1] + inset

    cells = tuple(on_page(cell) for cell in sorted(reading.cells))
    edges = {move_edge(e, inset, inset): (kind, reading.edge_confidence[e]) for e, kind in reading.edges.items()}
    ground = {on_page(c): (c in reading.difficult, reading.difficult_confidence[c]) for c in reading.cells}
    beside = {} if reading.around is None else reading.around.edges
    around = {move_edge(edge, inset, inset): said for edge, said in beside.items()}
    return TileDraft(draft_id, _size_cells(reading), cells, edges, ground, around, reading.photos)


def _inset(reading: TileReading) -> int:
    return 0 if reading.around is None else MARGIN_CELLS


def _size_cells(reading: TileReading) -> tuple[int, int]:
    """Return the columns and rows of the reading's picture."""
    _, _, columns, rows = bounds(reading.cells)
    return columns + 2 * _inset(reading), rows + 2 * _inset(reading)


def _at_origin(side: TileSide) -> TileSide:
    """Shift the side so that its upper left cell, with its edges, is at column 0 and row 0."""
    left, top, _, _ = bounds(side.cells)
    edges: dict[Edge, EdgeKind] = {move_edge(edge, -left, -top): kind for edge, kind in side.edges.items()}
    cells = frozenset((c - left, r - top) for c, r in side.cells)
    return TileSide(side.id, side.image, cells, edges, frozenset((c - left, r - top) for c, r in side.difficult))


def set_line(name: str, tile_set: TileSet) -> TaughtSet:
    """Return a tile set as an entry in the page's list."""
    return TaughtSet(name, tuple(side.id for side in tile_set.sides))
